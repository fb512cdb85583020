"""Lazy frames and Parquet files released into files that know types."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import compdp_core as cdp
from compdp_core.engines.files import BrokenRunError, privatize_file
from compdp_core.errors import ParameterError
from compdp_core.tables.arrow_notes import notes_without

X = cdp.ColumnPlan(inputs=(0, 10), epsilon=1)
DAYS: Any = ("2024-01-01", "2024-01-03")
MOMENTS = cdp.ColumnPlan(kind="datetime", inputs=DAYS, epsilon=50, missing="keep")
NOON = dt.datetime.fromisoformat("2024-01-01T12:00")
HALF, MICRO = NOON.replace(microsecond=500_000), NOON.replace(microsecond=500_001)
FIRST = 1000
"""Rows of the head, which the format was once taken from."""


@pytest.mark.parametrize(
    "cells",
    [[MICRO] * 40, [NOON] * FIRST + [HALF] * 40, [NOON] * FIRST + [NOON.replace(second=7)] * 40],
    ids=["microseconds", "seconds and then parts", "minutes and then seconds"],
)
def test_parts_of_a_second_are_no_missing_moments(cells: list[dt.datetime], tmp_path: Path) -> None:
    data = pl.DataFrame({"t": cells, "n": range(len(cells))})
    data.write_parquet(tmp_path / "in.parquet")
    plans = {"t": MOMENTS}
    cdp.privatize(data.lazy(), plans, path=tmp_path / "lazy.parquet")
    privatize_file(
        tmp_path / "in.parquet", tmp_path / "file.parquet", plans, engine="polars"
    )  # fmt: skip
    for name in ("lazy", "file"):
        made = pl.read_parquet(tmp_path / f"{name}.parquet")["t"]
        assert made.dtype == pl.Datetime("us")
        assert made.null_count() == 0
    assert cdp.privatize(data, plans).frame["t"].null_count() == 0


SECRET = "zz-secret"


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "v": pd.array([1, 2, None, 4], dtype="Int64"),
            "n": list("abcd"),
            "c": pd.Categorical([SECRET, "x", "y", "x"], [SECRET, "x", "y"]),
        },
        index=pd.date_range("2020-01-01", periods=4),
    )


@pytest.mark.parametrize("label", ["v", "c"])
def test_notes_of_pandas_say_nothing_of_released_columns(label: str, tmp_path: Path) -> None:
    frame().to_parquet(tmp_path / "in.parquet")
    listed = cdp.ColumnPlan(kind="category", categories=["x", "y"], epsilon=5)
    plans = {label: X if label == "v" else listed}
    privatize_file(tmp_path / "in.parquet", tmp_path / "o.parquet", plans, engine="polars")
    read = parquet.read_table(tmp_path / "in.parquet")
    released = parquet.read_table(tmp_path / "o.parquet")
    for made in (released, cdp.privatize(read, plans).frame):
        notes = json.loads(made.schema.metadata[b"pandas"])
        said = [each["field_name"] for each in notes["columns"]]
        assert label not in said
        assert "n" in said
        assert made.to_pandas()["n"].tolist() == list("abcd")
    assert pd.read_parquet(tmp_path / "o.parquet")["n"].tolist() == list("abcd")
    if label == "c":
        assert SECRET.encode() not in (tmp_path / "o.parquet").read_bytes()


def test_notes_of_how_many_rows_there_were_are_left_out(tmp_path: Path) -> None:
    data = pa.Table.from_pandas(frame().reset_index(drop=True))
    assert b'"stop": 4' in data.schema.metadata[b"pandas"]  # what is to go
    parquet.write_table(data, tmp_path / "in.parquet")
    dropped = {"v": cdp.ColumnPlan(inputs=(0, 10), epsilon=1, missing="drop")}
    privatize_file(tmp_path / "in.parquet", tmp_path / "o.parquet", dropped, engine="polars")
    made = parquet.read_table(tmp_path / "o.parquet")
    for one in (made, cdp.privatize(data, dropped).frame):
        assert b"stop" not in one.schema.metadata[b"pandas"]
        assert len(one.to_pandas()) == 3


@pytest.mark.parametrize("name", [b"org.apache.spark.sql.parquet.row.metadata", b"huggingface"])
def test_notes_that_repeat_every_type_are_left_out(name: bytes, tmp_path: Path) -> None:
    data = pa.table({"v": [1, 2], "n": ["a", "b"]})
    data = data.replace_schema_metadata({name: b'{"v": "integer"}', b"made": b"by me"})
    parquet.write_table(data, tmp_path / "in.parquet")
    privatize_file(tmp_path / "in.parquet", tmp_path / "o.parquet", {"v": X}, engine="polars")
    assert parquet.read_schema(tmp_path / "o.parquet").metadata == {b"made": b"by me"}
    assert notes_without({b"pandas": b"no JSON", b"made": b"by me"}, "v") == {b"made": b"by me"}


def test_data_that_is_another_one_each_time_is_not_written(tmp_path: Path) -> None:
    times = list[int]()

    def changed(part: pl.DataFrame) -> pl.DataFrame:
        times.append(len(times))
        return part.with_columns(v=pl.lit(float(times[-1])))

    data = pl.LazyFrame({"v": [1.0] * 10, "n": range(10)}).map_batches(changed)
    with pytest.raises(BrokenRunError, match="computed twice and was not the same") as broken:
        cdp.privatize(data, {"v": X}, path=tmp_path / "x.parquet", ledger=cdp.Ledger(limit=1))
    assert broken.value.ledger is not None
    assert broken.value.ledger.entries
    assert not list(tmp_path.iterdir())
    # Without a ledger it is computed once, and there is nothing to compare.
    assert cdp.privatize(data, {"v": X}, path=tmp_path / "x.parquet").rows == 10


CANNOT: list[tuple[str, list[Any]]] = [
    ("csv", [b"x", None]),
    ("jsonl", [b"x", None]),
    ("jsonl", [[b"x"], None]),
    ("jsonl", [{"a": b"x"}, None]),
    ("csv", [dt.timedelta(1), None]),
    ("csv", [{"a": 1}, None]),
]


@pytest.mark.parametrize(("suffix", "cells"), CANNOT)
def test_what_a_kind_of_file_cannot_hold_is_refused_before_the_charge(
    suffix: str, cells: list[Any], tmp_path: Path
) -> None:
    data = pl.LazyFrame({"n": cells, "v": [1.0, 2.0]})
    with pytest.raises(ParameterError, match=r"\.parquet"):
        cdp.privatize(data, {"v": X}, path=tmp_path / f"x.{suffix}", ledger=cdp.Ledger(limit=1))
    assert not list(tmp_path.iterdir())


def test_a_field_whose_name_speaks_of_bytes_is_written(tmp_path: Path) -> None:
    data = pl.LazyFrame({"n": [{"binary": 1}, None], "v": [1.0, 2.0]})
    assert cdp.privatize(data, {"v": X}, path=tmp_path / "x.jsonl").rows == 2


def panics(part: pl.DataFrame) -> pl.DataFrame:
    raise pl.exceptions.PanicException("index out of bounds in 'private'")


def stops(part: pl.DataFrame) -> pl.DataFrame:
    raise SystemExit(3)


@pytest.mark.parametrize(
    ("breaks", "raised"), [(panics, BrokenRunError), (stops, SystemExit)]
)  # fmt: skip
def test_a_panic_of_polars_is_a_broken_run(
    breaks: Callable[[Any], Any], raised: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no Exception, so that a run that catches these alone would lose the ledger."""
    assert not issubclass(pl.exceptions.PanicException, Exception)

    def broken(batch: Any, *rest: Any) -> Any:
        return breaks(batch)

    monkeypatch.setattr("compdp_core.engines.typed_release.released_batch", broken)
    data = pl.LazyFrame({"v": [1.0, 2.0]})
    with pytest.raises(raised) as found:
        cdp.privatize(data, {"v": X}, path=tmp_path / "x.parquet", ledger=cdp.Ledger(limit=1))
    assert not list(tmp_path.iterdir())
    if raised is BrokenRunError:
        assert found.value.ledger.entries
        assert "private" not in str(found.value)


@pytest.mark.parametrize("label", [" v", "v ", "", "a\nb", "\tq"])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_labels_are_those_of_the_schema_however_a_file_would_trim_them(
    label: str, suffix: str, tmp_path: Path
) -> None:
    data = pl.LazyFrame({"n": ["a", "b"], label: [1.0, 2.0]})
    path = tmp_path / f"x.{suffix}"
    assert cdp.privatize(data, {1: X}, path=path).rows == 2
    made = pl.read_parquet(path) if suffix == "parquet" else pl.read_csv(path)
    guard = "'" if (suffix, label) == ("csv", "\tq") else ""
    assert made.columns == ["n", guard + label]
    assert made.to_series(1).to_list() != [1.0, 2.0]


TEXTS = [
    "=1+1", "@x", "+4.5", "-12.5", "-3e4", "-", "--", "-x", "+x", "\tq", " =1", "a=1", "", None,
    "'=1", "-1,5", "=a,b", "-é",
]  # fmt: skip
KINDS = [pl.String, pl.Categorical, pl.Enum([text for text in TEXTS if text is not None])]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("parquet_file", [False, True])
def test_formulas_get_the_apostrophe_that_a_frame_in_memory_gives_them(
    kind: Any, parquet_file: bool, tmp_path: Path
) -> None:
    """A twin without the guard leaves them, as a file that is no CSV does."""
    data = pl.DataFrame(
        {"=n": pl.Series(TEXTS, dtype=kind), "v": [1.0] * len(TEXTS), "-5 %": ["-5 %"] * len(TEXTS)}
    )
    path, gone = tmp_path / "x.csv", tmp_path / "x.jsonl"
    expected = pl.read_csv(cdp.privatize(data, {"v": X}).csv())
    if parquet_file:
        data.write_parquet(tmp_path / "in.parquet")
        privatize_file(tmp_path / "in.parquet", path, {"v": X}, engine="polars")
    else:
        cdp.privatize(data.lazy(), {"v": X}, path=path)
    made = pl.read_csv(path)
    assert made.columns == expected.columns == ["'=n", "v", "'-5 %"]
    assert made["'=n"].fill_null("").to_list() == expected["'=n"].fill_null("").to_list()
    assert "'=1+1" in made["'=n"]
    assert made["'-5 %"].to_list() == expected["'-5 %"].to_list()
    if parquet_file:
        told: Any = {"engine": "polars", "guard_formulas": False}
        privatize_file(tmp_path / "in.parquet", path, {"v": X}, **told)
        assert "=1+1" in pl.read_csv(path)["=n"]
    else:
        cdp.privatize(data.lazy(), {"v": X}, path=gone)
        assert "=1+1" in pl.read_ndjson(gone)["=n"]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"reading": {"header": True}}, "reading must be left out"),
        ({"processes": 2}, "processes must be left out"),
        ({"guard_formulas": 7}, "guard_formulas must be"),
    ],
)
def test_what_has_no_meaning_for_a_parquet_file_is_refused(
    said: Any, words: str, tmp_path: Path
) -> None:
    pl.DataFrame({"v": [1.0, 2.0]}).write_parquet(tmp_path / "in.parquet")
    with pytest.raises(ParameterError, match=words):
        privatize_file(
            tmp_path / "in.parquet", tmp_path / "o.csv", {"v": X}, engine="polars", **said
        )
    assert [each.name for each in tmp_path.iterdir()] == ["in.parquet"]


def test_a_parquet_file_and_its_texts_are_two_data_sets_as_the_documentation_says(
    tmp_path: Path,
) -> None:
    path = tmp_path / "in.parquet"
    pl.DataFrame({"v": [1.0, 2.0]}).write_parquet(path)
    made = privatize_file(
        path, tmp_path / "o.parquet", {"v": X}, engine="polars", ledger=cdp.Ledger(limit=1)
    )
    assert cdp.privatize(cdp.read_csv(path), {"v": X}, ledger=made.ledger).ledger
    assert "another data set" in " ".join(str(privatize_file.__doc__).replace("*", "").split())
