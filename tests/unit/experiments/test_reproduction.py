"""The whole reproduction: its tables, its command line, progress, cancelling and determinism.

Nothing is judged by chance here: the numbers themselves are tested beside this module.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from compdp_core.errors import ParameterError
from compdp_core.experiments import TABLES, BoundedColumn, CancelledError, Reproduction, reproduce
from compdp_core.experiments.__main__ import main

ROOT = Path(__file__).parents[3]
CSV = "name;score\n" + "".join(f"p{i};{i % 7 + i / 100:.2f}\n".replace(".", ",") for i in range(60))


COLUMN = BoundedColumn.of("score", np.arange(60) % 7 + np.arange(60) / 100, (-1, 10))
TOLD: list[tuple[float, str]] = []


@pytest.fixture(scope="module")
def run() -> Reproduction:
    TOLD.clear()
    return reproduce(COLUMN, repetitions=40, seed=2, progress=lambda *report: TOLD.append(report))


def test_every_table_is_there_and_tidy(run: Reproduction) -> None:
    assert list(run.tables) == list(TABLES)
    for name, table in run.tables.items():
        assert len(table), name
        assert table.columns.is_unique
        assert not table.isna().all(axis=1).any()
    assert (run.repetitions, run.seed) == (40, 2)
    assert len(run["rates"]) == 90
    assert len(run["bias"]) == 30
    assert len(run["quoted"]) == 31
    assert set(run["queries"].protocol) == {"paper", "exact"}
    assert "score" in set(run["accuracy_loss"].dataset)
    with pytest.raises(ParameterError, match="name must be one of summary"):
        run["figure 7"]


def test_the_summary_counts_what_the_tables_say(run: Reproduction) -> None:
    summary = run["summary"].set_index("what")
    assert summary.numbers.sum() == 90 + 30 + 31
    for base, reproduced in (("B1", 15), ("B2", 0)):
        assert summary.reproduced[f"variance on {base}"] == reproduced
        assert summary.reproduced[f"H2 on {base}"] == reproduced
    assert summary.reproduced["H1 on B1"] == 15
    assert summary.reproduced["falls of RE and MSE"] == 16
    assert summary.reproduced["gains over baselines"] == 9
    # Nothing is left without an origin.
    assert (summary.reproduced + summary.explained == summary.numbers).all()
    assert (summary[summary.explained > 0].note != "").all()


def test_every_reason_is_explained(run: Reproduction) -> None:
    reasons = set().union(*(run[name].reason for name in ("rates", "bias", "quoted")))
    assert reasons <= set(run["explanations"].reason)


def test_progress_runs_to_the_end(run: Reproduction) -> None:
    shares = [share for share, _ in TOLD]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert len(TOLD) > 100
    assert all(text for _, text in TOLD)


def test_without_a_column_the_printed_queries_run(run: Reproduction) -> None:
    alone = reproduce(repetitions=40, seed=3)
    assert set(alone["queries"].basis) == {"printed in the paper"}
    assert alone["queries"].sensitivity.tolist() == [55.6, 0.234, 3.1556, 24.0]
    assert set(alone["accuracy_loss"].dataset) == {"ICUs", "RAHRD", "Diabetes"}
    # Another seed draws other errors and leaves what is not drawn as it is.
    shared = ["query", "key", "epsilon", "protocol"]
    both = alone["errors"].merge(run["errors"], on=shared)
    assert len(both) == len(alone["errors"])
    assert not (both.RE_x == both.RE_y).any()
    pd.testing.assert_frame_equal(alone["rates"], run["rates"])


def test_a_run_can_be_stopped() -> None:
    left = iter(range(20))
    with pytest.raises(CancelledError) as stopped:
        reproduce(COLUMN, repetitions=1000, cancelled=lambda: next(left, None) is None)
    assert 0.0 < stopped.value.share < 0.5


@pytest.mark.parametrize("repetitions", [0, 1, 2.5, None, True])
def test_too_few_repetitions_are_refused(repetitions: object) -> None:
    with pytest.raises(ParameterError, match="repetitions must be a whole number from 2"):
        reproduce(repetitions=repetitions)  # type: ignore[arg-type]


def test_the_command_line_without_the_app_and_a_seed_fixes_tables(
    tmp_path: Path, run: Reproduction
) -> None:
    source, out = tmp_path / "mine.csv", tmp_path / "made" / "here"
    source.write_text(CSV, encoding="utf-8")
    command = [sys.executable, "-W", "error", "-m", "compdp_core.experiments", "--out", str(out)]
    command += ["--table", str(source), "--column", "score", "--bounds", "-1", "10"]
    command += ["--repetitions", "40", "--seed", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    # How far it has come, where that takes long, and nothing else.
    assert all(re.fullmatch(r" *\d+ % .+", line) for line in done.stderr.splitlines())
    assert "variance on B1: 15 of 15 reproduced" in done.stdout
    assert "keep them private" in done.stdout
    assert {path.name for path in out.iterdir()} == {f"{name}.csv" for name in TABLES}
    # What is written is what the library returns, to the last bit.
    for name in TABLES:
        read = pd.read_csv(out / f"{name}.csv", keep_default_na=False, na_values=[""])
        expected = run[name].replace("", np.nan)
        pd.testing.assert_frame_equal(
            read, expected, check_dtype=False, check_exact=False, rtol=1e-15
        )


def test_the_command_line_on_the_bundled_sample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--out", str(tmp_path), "--repetitions", "2"]) == 0
    assert "Queries of duration (min)" in capsys.readouterr().out
    queries = pd.read_csv(tmp_path / "queries.csv")
    assert (queries[queries.protocol == "paper"].sensitivity > 0.0).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--column", "age", "--bounds", "0", "10"], "must name one numeric column: 'score'"),
        (["--column", "name", "--bounds", "0", "10"], "is not a number"),
        (["--column", "score", "--bounds", "10", "0"], "lower below upper"),
        (["--column", "score", "--bounds", "0", "10", "--repetitions", "1"], "repetitions"),
        (["--column", "score", "--bounds", "0", "10", "--seed", "-1"], "seed"),
    ],
)
def test_refusals_of_the_command_line_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    (tmp_path / "mine.csv").write_text(CSV, encoding="utf-8")
    assert main(["--out", str(tmp_path), "--table", str(tmp_path / "mine.csv"), *arguments]) == 2
    shown = capsys.readouterr()
    assert words in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_a_file_that_is_not_there_and_options_that_belong_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = ["--table", str(tmp_path / "none.csv"), "--column", "x", "--bounds", "0", "1"]
    assert main(["--out", str(tmp_path), *missing]) == 2
    assert "none.csv" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--out", str(tmp_path), "--column", "x"])
    assert "go together" in capsys.readouterr().err
