"""All that comes before the first draw of a release of a file: nothing is refused behind it."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from compdp_core.adjacency import Person
from compdp_core.engines.blocks import BLOCK_BYTES
from compdp_core.engines.file_head import HEAD_BYTES, read_head, source_path
from compdp_core.engines.file_plan import FilePlan, Plans
from compdp_core.engines.late_marks import OpenMarks
from compdp_core.engines.prepared_release import PreparedRelease
from compdp_core.engines.structure import Structure, structure
from compdp_core.errors import TableError
from compdp_core.release.columns import certified

# Names in the signature that a dataclass inherits: the documentation looks for them here.
from compdp_core.release.plan import Plan as Plan
from compdp_core.release.released import CertifiedColumn, Released
from compdp_core.report.settings import TableSettings, to_json
from compdp_core.report.statement import Statement as Statement
from compdp_core.tables import Table as Table
from compdp_core.tables.parts import Layout
from compdp_core.validation import flag, whole


@dataclass(frozen=True, eq=False, repr=False)
class PreparedFile(PreparedRelease):
    """A file, looked at once from end to end, and what is to happen to it. Nothing is drawn yet.

    ``table`` holds the first rows, with the fingerprint of the whole file. Cost and error of the
    release are known: :attr:`spends`, :attr:`epsilon`, ``columns[i].mechanism``.
    """

    source: Path
    layout: Layout
    structure: Structure
    state: tuple[int, ...]
    """What tells the file from one that was changed since."""
    guard_formulas: bool = True
    workers: int = 1
    asked: Mapping[str, Any] = field(default_factory=dict)
    """How the head was read: keyword arguments of ``read``, and its size."""
    head_bytes: int = HEAD_BYTES

    @property
    def told(self) -> bytes | None:
        """All that another process needs to release blocks, as JSON; None where that cannot be said
        in JSON to the last digit.
        """
        settings = to_json(TableSettings.of(self))
        if FilePlan.of(settings).placed(self.table, None) != self.plan:
            return None
        said = {
            "settings": settings,
            "reading": dict(self.asked),
            "head_bytes": self.head_bytes,
            "source": os.path.abspath(self.source),
            "gone": sorted(self.gone),
            "guard_formulas": self.guard_formulas,
        }
        try:
            return json.dumps(said).encode()
        except TypeError:
            return None

    @property
    def row_count(self) -> int:
        """Data rows in the file; fewer are written where rows with missing values are dropped."""
        return self.structure.counts.kept

    def check_unchanged(self) -> None:
        if file_state(self.source) != self.state:
            raise TableError(
                f"The file {self.source.name} was changed while it was read. Release a copy that "
                "nobody writes to."
            )


def prepare(
    source: str | os.PathLike[str],
    plans: Plans | FilePlan,
    *,
    reading: Mapping[str, Any] | None = None,
    processes: int | None = None,
    omit: Collection[Hashable] = (),
    answered: int | None = None,
    person: Person | None = None,
    per: str = "row",
    guard_formulas: bool = True,
    progress: Callable[[float], None] | None = None,
    head_bytes: int = HEAD_BYTES,
    block_bytes: int = BLOCK_BYTES,
) -> PreparedFile:
    """Look at a file from end to end and refuse what can be refused; arguments are those of
    :func:`~compdp_core.engines.files.privatize_file`.

    How the file is laid out, and what the columns hold, is taken from its head of ``head_bytes``
    and from ``reading``; a row further down that contradicts it is refused, and so is a number
    with a decimal mark that nothing in the head spoke for. Other cells that do not fit their plan
    count as missing.

    Raises :class:`~compdp_core.errors.CompdpError` that says what to do.
    """
    path, asked = source_path(source), FilePlan.of(plans)
    asked.refuse_persons(person, per)
    workers = cores() if processes is None else whole("processes", processes, 1, 1024)
    guard = flag("guard_formulas", guard_formulas)
    options, state = {**asked.reading, **(reading or {})}, file_state(path)
    if not isinstance(options.get("missing", ""), str):
        options["missing"] = tuple(options["missing"])  # which may be read only once
    head = read_head(path, options, head_bytes)
    plan = asked.placed(head, answered)
    mechanisms = certified(head, plan)
    columns = tuple(
        CertifiedColumn(each, head.columns[each.position].label, mechanism)
        for each, mechanism in zip(plan.columns, mechanisms, strict=True)
    )
    made = uuid.uuid4().hex, datetime.now(UTC).replace(microsecond=0)
    gone = Released(head, plan, columns, *made).omitted(asked.left_out(head, omit))
    finds_mark = options.get("comment_mark") is None and options.get("comment_rows") is None
    layout, size = Layout(head, finds_mark), max(1, state[0])
    chosen = asked.chosen_marks(head, reading or {})
    marks = OpenMarks.of(layout, plan, chosen)
    report = progress or (lambda share: None)
    found = structure(path, marks, block_bytes, workers, lambda taken: report(taken / size))
    prepared = PreparedFile(
        replace(head, fingerprint=found.fingerprint),
        plan,
        columns,
        *made,
        source=path,
        layout=layout,
        structure=found,
        state=state,
        gone=gone,
        statements=asked.said_of(plan),
        guard_formulas=guard,
        workers=workers,
        asked=options,
        head_bytes=head_bytes,
    )
    prepared.check_unchanged()
    return prepared


def file_state(path: Path) -> tuple[int, ...]:
    """Size, time of the last change and place on the disk."""
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns, found.st_ino, found.st_dev


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
