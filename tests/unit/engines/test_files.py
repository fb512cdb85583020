"""Releases of files: what is refused before the ledger is charged, and what breaks behind that."""

from __future__ import annotations

import errno
import gzip
import os
import re
import tracemalloc
from pathlib import Path
from typing import Any, BinaryIO

import pytest

import compdp_core as cdp
from compdp_core.engines import files, landing, own
from compdp_core.engines.block_release import BlockRelease
from compdp_core.engines.blocks import again
from compdp_core.engines.files import BrokenRunError, StoppedRunError, privatize_file
from compdp_core.engines.preparing import prepare
from compdp_core.engines.text_stream import TextStream
from compdp_core.errors import CompdpError, ParameterError, TableError
from compdp_core.randomness import SeededSource
from compdp_core.release.column_plan import PlanError
from compdp_core.tables.errors import EncodingError, UnclosedQuoteError, UnevenRowsError

PLANS = {"bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon=1)}
ROWS = b"".join(b"%d,%d.5,x\n" % (i, 20 + i % 9) for i in range(400))
DATA = b"id,bmi,note\n" + ROWS
SMALL: dict[str, Any] = {"head_bytes": 200, "block_bytes": 150}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    path.write_bytes(DATA)
    return path


def left(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_a_release_says_all_that_one_in_memory_says(source: Path, tmp_path: Path) -> None:
    told: list[float] = []
    release = privatize_file(
        source, tmp_path / "out.csv", PLANS, ledger=cdp.Ledger(limit=2), progress=told.append
    )
    table = cdp.read_csv(source)
    same = cdp.privatize(table, PLANS, ledger=cdp.Ledger(limit=2))
    assert (release.rows, release.engine, release.keyed) == (400, "own", False)
    assert release.table.fingerprint == table.fingerprint
    drawn = {"id", "identifier", "released_at"}
    cards = [{k: v for k, v in each.card.items() if k not in drawn} for each in (release, same)]
    assert cards[0] == cards[1]
    assert release.settings() == same.settings()
    assert release.ledger is not None
    assert same.ledger is not None
    assert release.ledger.total_by_dataset(table.fingerprint) == 1
    assert [e.columns for e in release.ledger.entries] == [e.columns for e in same.ledger.entries]
    assert told == sorted(told)
    assert told[-1] == 1
    again = privatize_file(source, tmp_path / "again.csv", release.settings())
    assert again.plan == release.plan
    assert left(tmp_path) == ["again.csv", "in.csv", "out.csv"]
    first, second = (tmp_path / name for name in ("out.csv", "again.csv"))
    assert first.read_bytes() != second.read_bytes()


def test_noise_is_drawn_for_each_row_by_itself(source: Path, tmp_path: Path) -> None:
    """Equal values in 400 rows of many blocks: with probability below 10^-9 fewer than 100 of the
    outputs differ, as they would if blocks or threads shared their noise (that twin has 16).
    """
    data = b"x\n" + b"5.0\n" * 400
    source.write_bytes(data)
    plans = {"x": cdp.ColumnPlan(inputs=(0, 10), epsilon=1)}
    prepared = prepare(source, plans, processes=3, block_bytes=64)
    assert len(prepared.structure.lengths) > 20

    def outputs(release: BlockRelease) -> int:
        found: set[bytes] = set()
        with TextStream(source, prepared.table.decoded) as stream:
            for block in again(stream, prepared.structure.lengths):
                found.update(release.written(block)[0].split()[block.first :])
        return len(found)

    assert outputs(BlockRelease(prepared)) > 100

    class Again(BlockRelease):
        def _source(self) -> Any:
            return SeededSource(1)

    assert outputs(Again(prepared)) <= 100


@pytest.mark.parametrize(
    ("row", "error", "said"),
    [
        (b"7,20.5\n", UnevenRowsError, "Rows with too few cells (390)"),
        (b"7,20.5,x,y\n", UnevenRowsError, "Rows with too many cells (390)"),
        (b"7,20.5,x,\n", UnevenRowsError, "empty cells too many (390)"),
        (b"#7,20.5,x\n", UnevenRowsError, "begin with # (390)"),
        (b"%7\n", UnevenRowsError, "begin with % (390): comment_rows="),
        (b'7,20.5,"x\n', UnclosedQuoteError, "line 391"),
        (b"7,20.5,\xff\n", EncodingError, "Line 391 is not text in the encoding utf-8"),
        (b"7,20.5,\0\n", EncodingError, "Line 391"),
    ],
)
@pytest.mark.parametrize("processes", [1, 2])
def test_what_the_head_does_not_allow_is_refused_with_its_place(
    row: bytes, error: type[TableError], said: str, processes: int, source: Path
) -> None:
    lines = DATA.splitlines(keepends=True)
    source.write_bytes(b"".join([*lines[:390], row, *lines[390:]]))
    with pytest.raises(error, match=re.escape(said)):
        prepare(source, PLANS, processes=processes, **SMALL)


def test_lines_are_counted_across_blocks_that_end_between_cr_and_lf(source: Path) -> None:
    lines = DATA.replace(b"\n", b"\r\n").splitlines(keepends=True)
    source.write_bytes(b"".join([*lines[:390], b'7,20.5,"x\r\n', *lines[390:]]))
    with pytest.raises(UnclosedQuoteError, match="line 391"):
        prepare(source, PLANS, **SMALL)


def test_a_refusal_leaves_everything_as_it_was(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_bytes(b"before")
    person = cdp.Person("id", at_most=2)
    spent = cdp.Ledger(limit="0.5")
    refused: tuple[tuple[dict[str, Any], type[CompdpError]], ...] = (
        ({"plans": {}}, PlanError),
        ({"plans": {"nothing": PLANS["bmi"]}}, ParameterError),
        ({"plans": '{"columns": []}'}, PlanError),
        ({"plans": PLANS, "person": person}, ParameterError),
        ({"plans": PLANS, "per": "person"}, ParameterError),
        ({"plans": PLANS, "omit": ["bmi"]}, PlanError),
        ({"plans": PLANS, "omit": "note"}, ParameterError),
        ({"plans": PLANS, "reading": {"colour": 1}}, ParameterError),
        ({"plans": PLANS, "engine": "duck"}, ParameterError),
        ({"plans": PLANS, "processes": 0}, ParameterError),
        ({"plans": PLANS, "answered": 2}, ParameterError),
        ({"plans": PLANS, "ledger": 3}, ParameterError),
        ({"plans": PLANS, "ledger": spent}, CompdpError),
    )
    for options, error in refused:
        with pytest.raises(error):
            privatize_file(source, target, **options)
    assert spent.entries == ()
    assert target.read_bytes() == b"before"
    assert left(tmp_path) == ["in.csv", "out.csv"]


def test_where_nothing_can_be_read_or_written(source: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link.csv").symlink_to(source)
    os.link(source, tmp_path / "second.csv")
    book = tmp_path / "book.xlsx"
    book.write_bytes(b"PK\x03\x04" + bytes(60))
    json = tmp_path / "rows.json"
    json.write_bytes(b'[{"bmi": 21.5}]')
    before = left(tmp_path)
    for given, target, word in (
        (tmp_path / "none.csv", "out.csv", "No such file"),
        (tmp_path, "out.csv", "no folder or pipe"),
        (tmp_path / "pipe", "out.csv", "no folder or pipe"),
        (3, "out.csv", "must be the path of a file"),
        (source, "", "must be a file"),
        (source, "in.csv", "another file than the source"),
        (source, "link.csv", "another file than the source"),
        (source, "second.csv", "another file than the source"),
        (source, "pipe", "no folder or pipe"),
        (source, "none/out.csv", "No such file"),
        (book, "out.csv", "read it in memory"),
        (json, "out.csv", "read it in memory"),
    ):
        with pytest.raises(CompdpError, match=word):
            privatize_file(given, tmp_path / target, PLANS)  # type: ignore[arg-type]
    assert left(tmp_path) == before


def test_a_folder_that_cannot_be_written_in(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(landing, "FileReplacement", refused)
    with pytest.raises(ParameterError, match="Permission denied"):
        privatize_file(source, source.with_name("out.csv"), PLANS)


def test_a_link_is_followed_and_what_it_leads_to_replaced(source: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    real = tmp_path / "there" / "real.csv"
    real.write_bytes(b"before")
    os.chmod(real, 0o640)
    (tmp_path / "out.csv").symlink_to(real)
    privatize_file(source, tmp_path / "out.csv", PLANS)
    assert (tmp_path / "out.csv").is_symlink()
    assert real.read_bytes().startswith(b"id,bmi,note\n")
    assert real.stat().st_mode & 0o777 == 0o640
    assert left(tmp_path / "there") == ["real.csv"]


class Full:
    """A disk without room behind some bytes."""

    def __init__(self, file: BinaryIO, room: int) -> None:
        self.file, self.room = file, room

    def write(self, data: bytes) -> int:
        self.room -= len(data)
        if self.room < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self.file.write(data)


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize(
    ("error", "raised", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), BrokenRunError, "No space left"),
        (MemoryError(), BrokenRunError, "MemoryError"),
        (RuntimeError("odd"), BrokenRunError, "RuntimeError"),
        (KeyboardInterrupt(), StoppedRunError, "stopped"),
    ],
)
def test_what_breaks_leaves_no_file_and_the_charge(
    error: BaseException,
    raised: type[Any],
    said: str,
    processes: int,
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = BlockRelease.written

    def breaks(self: BlockRelease, block: Any) -> tuple[bytes, int]:
        if block.at > 2000:
            raise error
        return done(self, block)

    monkeypatch.setattr(BlockRelease, "written", breaks)
    monkeypatch.setattr(files, "prepare", lambda *a, **k: prepare(*a, **k, block_bytes=500))
    target, ledger = tmp_path / "out.csv", cdp.Ledger(limit=2)
    target.write_bytes(b"before")
    with pytest.raises(raised, match=said) as broken:
        privatize_file(source, target, PLANS, ledger=ledger, processes=processes)
    assert len(broken.value.ledger.entries) == 1
    assert target.read_bytes() == b"before"
    assert left(tmp_path) == ["in.csv", "out.csv"]


def test_a_file_that_changes_between_the_two_looks(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = source.stat()

    def changed(*arguments: Any, **options: Any) -> Any:
        prepared = prepare(*arguments, **options)
        source.write_bytes(DATA.replace(b"20.5", b"21.5"))
        os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
        return prepared

    monkeypatch.setattr(files, "prepare", changed)
    with pytest.raises(BrokenRunError, match="was changed while it was read"):
        privatize_file(source, tmp_path / "out.csv", PLANS)
    assert left(tmp_path) == ["in.csv"]


def test_a_file_in_which_every_row_lacks_a_value(source: Path, tmp_path: Path) -> None:
    source.write_bytes(b"id,bmi\n" + b"1,\n" * 50)
    plans = {"bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon=1, missing="drop")}
    with pytest.raises(BrokenRunError, match="every row that is read has a missing value"):
        privatize_file(source, tmp_path / "out.csv", plans)


def test_gzip_is_unpacked_as_it_is_read(source: Path, tmp_path: Path) -> None:
    source.write_bytes(gzip.compress(DATA[:100]) + gzip.compress(DATA[100:]))
    release = privatize_file(source, tmp_path / "out.csv", PLANS)
    assert release.table.fingerprint == cdp.read_csv(source).fingerprint
    assert release.table.format == cdp.read_csv(source).format
    assert cdp.read_csv(tmp_path / "out.csv").texts(0) == [str(i) for i in range(400)]
    source.write_bytes(gzip.compress(DATA)[:-9])
    with pytest.raises(TableError, match="damaged gzip"):
        privatize_file(source, tmp_path / "again.csv", PLANS)


def test_a_row_without_end_is_refused_before_it_fills_the_memory(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compdp_core.engines.blocks.LONGEST_RECORD", 1000)
    lines = DATA.splitlines(keepends=True)
    source.write_bytes(b"".join([*lines[:100], b'"', *lines[100:]]))
    with pytest.raises(UnclosedQuoteError, match="line 101"):
        prepare(source, PLANS, **SMALL)
    source.write_bytes(DATA + b"x" * 3000)
    with pytest.raises(TableError, match="longer than"):
        prepare(source, PLANS, **SMALL)


def test_memory_stays_flat(source: Path) -> None:
    """What is held of ten times as many rows is not more: the blocks that are worked on."""
    peaks = []
    for times in (400, 1600):
        source.write_bytes(DATA + ROWS * times)
        prepared = prepare(source, PLANS, processes=1, head_bytes=5_000, block_bytes=1 << 16)
        tracemalloc.start()
        with open(os.devnull, "wb") as nowhere:
            own.write_released(prepared, nowhere, lambda share: None)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
