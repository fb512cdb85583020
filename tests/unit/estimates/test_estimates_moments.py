"""Means, totals, spreads and shares from the released file and its card, as a receiver asks."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import compdp_core as cdp
from compdp_core.errors import ParameterError
from compdp_core.estimates import moments, shares, wording

ROWS = 900


def frame() -> pd.DataFrame:
    place = np.arange(ROWS)
    return pd.DataFrame(
        {
            "bmi": 20 + place % 20 + 0.5,
            "born": pd.to_datetime("1990-01-01") + pd.to_timedelta(place % 700, unit="D"),
            "stay": [f"{minutes // 60:02d}:{minutes % 60:02d}:00" for minutes in place % 90],
            "smokes": np.where(place % 4, "no", "yes"),
            "mood": np.array(["bad", "fair", "good"])[place % 3],
            "ward": np.where(place % 3, "A", "B"),
            "age": 30.0 + place % 7,
        }
    )


def plans(missing: Any = "fill") -> dict[str, cdp.ColumnPlan]:
    given: list[tuple[str, dict[str, Any]]] = [
        ("bmi", {"inputs": (10, 60)}),
        ("born", {"inputs": ("1990-01-01", "1992-12-31"), "kind": "date"}),
        ("stay", {"inputs": ("00:00:00", "02:00:00"), "kind": "duration"}),
        ("smokes", {"kind": "category", "categories": ["yes", "no"]}),
        ("mood", {"kind": "scale", "categories": ["bad", "fair", "good"]}),
    ]
    return {
        name: cdp.ColumnPlan(**settings, epsilon=8, missing=missing) for name, settings in given
    }


def estimates(**options: Any) -> cdp.Estimates:
    table = cdp.read_csv(frame().to_csv(index=False).encode())
    release = cdp.privatize(table, plans(options.pop("missing", "fill")), **options)
    return cdp.Estimates(release.csv(), json.dumps(release.card))


@pytest.fixture(scope="module")
def found() -> cdp.Estimates:
    return estimates()


def near(estimate: cdp.Estimate, truth: float) -> bool:
    """Within 7 standard errors, which a right estimate misses once in 10¹¹."""
    return bool(abs(estimate.value - truth) <= 7 * estimate.standard_error)


def test_all_moments_of_all_kinds(found: cdp.Estimates) -> None:
    """False alarms: 1e-9 in sum, of a release that the system's own randomness draws."""
    true = frame()
    steps = {
        "bmi": true["bmi"].to_numpy(),
        "mood": np.arange(ROWS) % 3 + 1.0,
        "stay": 60.0 * (np.arange(ROWS) % 90),
        "born": 7305.0 + np.arange(ROWS) % 700,
    }
    for name, values in steps.items():
        assert near(found.mean(name), values.mean())
        assert near(found.mean(name, about="population"), values.mean())
        assert near(found.variance(name), values.var(ddof=1))
        assert near(found.std(name, about="rows"), values.std(ddof=1))
    assert near(found.total("bmi"), steps["bmi"].sum())
    assert found.total("bmi").value == pytest.approx(ROWS * found.mean("bmi").value)
    assert near(found.total("stay"), steps["stay"].sum())
    assert near(found.share("smokes", "yes"), 0.25)
    assert near(found.total(("smokes", "yes")), 225)
    assert near(found.variance(("smokes", "yes")), 0.1875)
    assert near(found.std(("smokes", "yes")), math.sqrt(0.1875))


def test_dates_are_written_as_their_column_writes_them(found: cdp.Estimates) -> None:
    mean = found.mean("born")
    assert mean.written is not None
    days = [(pd.Timestamp(text) - pd.Timestamp("1970-01-01")).days for text in mean.written]
    assert days == [round(mean.value), math.floor(mean.low), math.ceil(mean.high)]
    assert found.std("born").written is None
    assert found.mean("bmi").written is None
    total = found.total("stay")
    assert total.written is None
    with pytest.raises(ParameterError, match="column must hold amounts for a total"):
        found.total("born")


def test_an_untouched_column_and_its_categories(found: cdp.Estimates) -> None:
    ward = found.shares("ward", about="rows")
    assert {name: one.value for name, one in ward.items()} == pytest.approx(
        {"B": 1 / 3, "A": 2 / 3}
    )
    assert ward["A"].standard_error == 0.0
    assert found.share("ward", "A").low < 2 / 3 < found.share("ward", "A").high
    assert found.mean("age").value == pytest.approx(frame()["age"].mean())
    assert found.mean("age").standard_error == 0.0
    assert found.mean(("ward", "A")) == found.share("ward", "A", about="rows")
    assert found.total(("ward", "A")).value == pytest.approx(600)


def test_what_is_asked_wrongly_is_refused(found: cdp.Estimates) -> None:
    asked: list[tuple[Any, str]] = [
        (lambda: found.total("bmi", about="population"), "about must be rows for a total"),
        (lambda: found.mean("bmi", about="all"), "about must be rows or population"),  # type: ignore[arg-type]
        (lambda: found.share("smokes", "perhaps"), "category must be yes or no"),
        (lambda: found.share("ward", "C"), "category must be B or A"),
        (lambda: found.share("smokes", "yes", above=3), "category must be named alone"),
        (lambda: found.share("bmi", "yes"), "column must be one of categories"),
        (lambda: found.mean("smokes"), "column must name a category"),
    ]
    for call, words in asked:
        with pytest.raises(ParameterError, match=words):
            call()


def test_notes_say_of_whom_and_what_limits_it(found: cdp.Estimates) -> None:
    of_rows, of_all = found.mean("bmi"), found.mean("bmi", about="population")
    for one, who in ((of_rows, wording.OF_ROWS), (of_all, wording.OF_POPULATION)):
        assert one.note.startswith(who)
        assert wording.CLAMPED in one.note
        assert wording.FILLED in one.note
        assert one.method
    shares = found.share("smokes", "yes")
    assert "pull every share towards 1/2" in shares.note
    assert wording.CLAMPED not in shares.note
    assert found.mean("age").note == wording.OF_EXACT_ROWS
    assert moments.OVER_ONE_LESS in found.std("bmi").note


def test_kept_blanks_are_not_counted() -> None:
    table = frame()[["bmi", "smokes", "ward"]].astype(object)
    table.loc[:99, ["bmi", "smokes", "ward"]] = None
    chosen = {name: plan for name, plan in plans("keep").items() if name in table}
    release = cdp.privatize(cdp.read_csv(table.to_csv(index=False).encode()), chosen)
    kept = cdp.Estimates(release.csv(), release.card)
    for one in (kept.mean("bmi"), kept.share("smokes", "yes"), kept.share("ward", "A")):
        assert one.n == ROWS - 100
        assert wording.KEPT in one.note


def test_a_sample_answers_for_all_rows() -> None:
    table = frame()[["bmi", "mood", "ward"]]
    plan = {name: one for name, one in plans().items() if name in ("bmi", "mood")}
    release = cdp.privatize(cdp.read_csv(table.to_csv(index=False).encode()), plan, answered=1)
    found = cdp.Estimates(release.csv(), release.card)
    mean, total = found.mean("bmi"), found.total("bmi")
    assert mean.n < ROWS
    assert mean.note.startswith(wording.OF_SAMPLED_ROWS)
    assert total.value == pytest.approx(ROWS * mean.value)
    assert near(total, table["bmi"].sum())
    assert found.total(("ward", "A")).value == pytest.approx(600)


def test_persons_are_counted_by_the_column_that_names_them() -> None:
    table = frame()[["bmi"]].assign(who=np.arange(ROWS) // 3)
    person = cdp.Person("who", at_most=3)
    plan = {"bmi": plans()["bmi"]}
    release = cdp.privatize(cdp.read_csv(table.to_csv(index=False).encode()), plan, person=person)
    known = cdp.Estimates(release.csv(), release.card).mean("bmi", about="population")
    assert wording.PERSONS in known.note
    text = release.csv()
    without = b"\n".join(line.split(b",")[0] for line in text.splitlines()) + b"\n"
    unknown = cdp.Estimates(without, release.card).mean("bmi", about="population")
    assert wording.PERSONS_NOT_KNOWN.format(at_most=3) in unknown.note
    assert wording.PERSONS not in cdp.Estimates(release.csv(), release.card).mean("bmi").note


def test_shares_of_a_column_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, made = list[Any](), shares.estimated

    def counted(*given: Any) -> dict[str, cdp.Estimate]:
        asked.append(given)
        return made(*given)

    monkeypatch.setattr(shares, "estimated", counted)
    found = estimates()
    found.shares("smokes").clear()
    assert [found.share("smokes", name).n for name in ("yes", "no")] == [ROWS, ROWS]
    assert len(asked) == 1


def test_few_whole_values_are_named_as_they_are_typed() -> None:
    """Those below 0 by a hyphen, those above 999 without marks, days as the column writes them."""
    place = np.arange(300)
    days = pd.to_datetime("2024-01-01") + pd.to_timedelta(place % 20, unit="D")
    table = pd.DataFrame({"t": place % 5 - 2, "big": 1001 + place % 5, "day": days.astype(str)})
    asked = {
        "t": cdp.ColumnPlan(inputs=(-2, 2), epsilon=8, kind="whole"),
        "big": cdp.ColumnPlan(inputs=(1001, 1005), epsilon=8, kind="whole"),
        "day": cdp.ColumnPlan(inputs=("2024-01-01", "2024-01-20"), epsilon=8, kind="date"),
    }
    release = cdp.privatize(cdp.read_csv(table.to_csv(index=False).encode()), asked)
    told = cdp.Estimates(release.csv(), release.card)
    for name, value in (("t", "-2"), ("big", "1003")):
        assert near(told.share(name, value), 0.2)
    assert near(told.total(("day", "2024-01-09")), 15)
    with pytest.raises(ParameterError, match="of one value there is a share, as in share"):
        told.correlation(("t", "-2"), "big")
    with pytest.raises(ParameterError, match="category"):
        told.share("t", "7")
