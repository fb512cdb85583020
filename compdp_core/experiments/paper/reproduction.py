"""The paper's experiments run again, all of them, as tidy tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compdp_core.errors import ParameterError
from compdp_core.experiments.frames import frame
from compdp_core.experiments.paper.bias_rates import bias_table
from compdp_core.experiments.paper.explanations import (
    authors_inputs_table,
    classic_gaussian_table,
    explanation_table,
)
from compdp_core.experiments.paper.figures import error_table, loss_table
from compdp_core.experiments.paper.printed import DATASETS, PAPER_DELTA, REPETITIONS
from compdp_core.experiments.paper.queries import (
    BoundedColumn,
    printed_queries,
    queries,
    query_table,
)
from compdp_core.experiments.paper.quoted import quoted_table
from compdp_core.experiments.paper.rates import rates_table
from compdp_core.experiments.progress import Cancelled, Progress, Task
from compdp_core.validation import whole

if TYPE_CHECKING:
    import pandas as pd

TABLES: dict[str, str] = {
    "summary": "how many printed numbers are reproduced",
    "rates": "H1, H2 and variance: printed, ours, difference, reason",
    "bias": "bias rates: printed, what they are, and the bias that there is",
    "quoted": "numbers that the text quotes from figures: printed, ours, difference",
    "queries": "the queries with the paper's and with exact sensitivities (private)",
    "errors": "RE and MSE of the queries against ε",
    "accuracy_loss": "boxes of the accuracy loss of the counting query",
    "classic_gaussian": "claimed and true δ of the classic Gaussian",
    "authors_inputs": "which answers the authors' example protects",
    "explanations": "the reasons, in words, each with its test",
}
"""Every table by name, with what it holds."""


@dataclass(frozen=True, eq=False)
class Reproduction:
    """All tables of one run."""

    tables: dict[str, pd.DataFrame]
    """By the names of :data:`TABLES`."""
    repetitions: int
    seed: int

    def __getitem__(self, name: str) -> pd.DataFrame:
        """One table. Raises :class:`ParameterError` for an unknown name."""
        if name not in self.tables:
            raise ParameterError("name", name, f"must be one of {', '.join(self.tables)}")
        return self.tables[name]

    def write(self, folder: Path | str) -> list[Path]:
        """One CSV file a table (UTF-8, full precision); the folder is made if need be.

        The tables of a private column are private too: they hold its true answers.
        """
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        paths = []
        for name, table in self.tables.items():
            path = target / f"{name}.csv"
            table.to_csv(path, index=False, encoding="utf-8", lineterminator="\n")
            paths.append(path)
        return paths


def reproduce(
    column: BoundedColumn | None = None,
    *,
    repetitions: int = REPETITIONS,
    seed: int = 1,
    delta: float = PAPER_DELTA,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Reproduction:
    """Everything the paper reports, with the printed numbers beside ours.

    Without a ``column`` the queries are those whose sensitivity the paper prints; with one, its
    five queries are asked of it too, under the paper's protocol and under the exact one, and a
    count of its rows is added to the accuracy losses. ``repetitions`` (at least 2) draws each.

    Raises :class:`ParameterError`, and :class:`CancelledError` where ``cancelled()`` says so.
    """
    rounds, task = whole("repetitions", repetitions, 2), Task(progress, cancelled)
    asked, sizes = printed_queries(), dict(DATASETS)
    if column is not None:
        asked = queries(column) + asked
        sizes[column.name] = len(column.values)
    rates = rates_table(task.part(0.0, 0.08))
    bias = bias_table(rounds, seed, task.part(0.08, 0.2))
    task.tell(0.2, "numbers quoted from the figures")
    quoted = quoted_table()
    errors = error_table(asked, rounds, seed, delta=delta, task=task.part(0.25, 0.75))
    losses = loss_table(rounds, seed, sizes=sizes.items(), delta=delta, task=task.part(0.75, 1.0))
    tables = {
        "summary": summary_table(rates, bias, quoted),
        "rates": rates,
        "bias": bias,
        "quoted": quoted,
        "queries": query_table(asked),
        "errors": errors,
        "accuracy_loss": losses,
        "classic_gaussian": classic_gaussian_table(),
        "authors_inputs": authors_inputs_table(),
        "explanations": explanation_table(),
    }
    task.tell(1.0, "done")
    return Reproduction(tables, rounds, seed)


def summary_table(rates: pd.DataFrame, bias: pd.DataFrame, quoted: pd.DataFrame) -> pd.DataFrame:
    """How many printed numbers come out: ``reproduced`` by the paper's own method, and
    ``explained`` where another origin of theirs does.
    """
    rows: list[dict[str, Any]] = []

    def add(what: str, cells: pd.DataFrame, explained: pd.Series, note: str) -> None:
        reproduced = int(cells["within"].sum())
        rows.append(
            {
                "what": what,
                "numbers": len(cells),
                "reproduced": reproduced,
                "explained": int((cells["within"] | explained).sum()) - reproduced,
                "note": note,
            }
        )

    on_b2 = rates["pair"].str.endswith("B2")
    for quantity in ("H1", "H2", "variance"):
        for base, chosen in (("B1", ~on_b2), ("B2", on_b2)):
            cells = rates[(rates["quantity"] == quantity) & chosen]
            note = "" if base == "B1" else "the rest fit designs with a smaller tail ratio"
            add(f"{quantity} on {base}", cells, cells["implied_within"], note)
    note = "as absolute errors in other units, not as biases"
    add("bias rates", bias.assign(within=False), bias["within"], note)
    kinds = {"falls of RE and MSE": "fall", "gains over baselines": "percent"}
    for what, word in kinds.items():
        cells = quoted[quoted["what"].str.contains(word)]
        add(what, cells, cells["within"], "")
    ends = quoted[quoted["what"].str.contains("upper end")]
    below = (ends["printed"] >= ends["ours"]) & (ends["printed"] <= 1.25 * ends["ours"])
    add("ends of accuracy losses", ends, below, "the rest were read off an axis")
    return frame(rows)
