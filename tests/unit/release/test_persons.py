"""Tables in which people have several rows, and rows that answer some of the columns."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import compdp_core as cdp
from compdp_core.accounting import Spend
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, PlanError, release
from compdp_core.report import card_of_table, script_of_table
from compdp_core.report.settings_reading import from_json
from compdp_core.tables import Table, read
from compdp_core.tables.contributions import TooManyRowsError, persons_of
from tests.unit.release.made import Counting, released

E06 = b"patient_id,visit,bp\nP1,1,120\nP1,2,125\nP1,3,118\nP2,1,140\nP2,2,138\nP3,1,110\n"
THREE = cdp.Person("patient_id", at_most=3)
TWO = cdp.Person("patient_id", at_most=2)
BP = ColumnPlan(inputs=(80, 200), epsilon=1)
VISIT = ColumnPlan(inputs=(0, 9), epsilon="1/2", whole=True)


def everywhere(made: cdp.Release[Table]) -> set[Fraction]:
    """What the release cost, as each of its parts says it."""
    assert made.ledger is not None
    said: list[Any] = [made.epsilon, made.plan.epsilon, sum(s.epsilon for s in made.ledger.entries)]
    said += [made.card["privacy"]["epsilon"], json.loads(made.settings())["epsilon"]]
    said += [repr(made).partition("epsilon=")[2].rstrip(")")]
    said += [script_of_table(made).partition("epsilon = ")[2].partition(" on the same")[0]]
    return {Fraction(each) for each in said}


@pytest.mark.parametrize(
    ("per", "answered", "plans", "cost", "cells"),
    [
        ("row", None, {"bp": BP}, 3, [1]),
        ("person", None, {"bp": BP}, 1, [Fraction(1, 3)]),
        ("row", None, {"bp": BP, "visit": VISIT}, Fraction(9, 2), [1, Fraction(1, 2)]),
        ("row", 1, {"bp": BP, "visit": VISIT}, 3, [1, Fraction(1, 2)]),
        ("person", 1, {"bp": BP, "visit": VISIT}, 1, [Fraction(1, 3), Fraction(1, 6)]),
    ],
)
def test_three_rows_cost_three_everywhere_or_a_third_each(
    per: Any, answered: int | None, plans: dict[str, ColumnPlan], cost: Fraction, cells: list[Any]
) -> None:
    table = cdp.read_csv(E06)
    made = cdp.privatize(
        table, plans, person=THREE, per=per, answered=answered, ledger=cdp.Ledger()
    )
    assert everywhere(made) == {cost}
    assert made.row_count == 6
    assert [column.plan.epsilon for column in made.columns] == cells
    assert [Fraction(each["epsilon"]) for each in made.card["items"]] == cells
    assert made.ledger is not None
    spends = made.ledger.entries
    assert {spend.person for spend in spends} == {THREE}
    labels = [("bp", "visit")] if answered else [(label,) for label in plans]
    assert [spend.columns for spend in spends] == labels


def test_without_a_person_a_row_is_charged_as_ever() -> None:
    table = cdp.read_csv(E06)
    made = cdp.privatize(table, {"bp": BP, "visit": VISIT}, ledger=cdp.Ledger())
    assert everywhere(made) == {Fraction(3, 2)}
    assert made.kept is None
    assert made.ledger is not None
    assert [spend.person for spend in made.ledger.entries] == [None, None]


def test_rows_beyond_are_left_out_of_file_and_frame() -> None:
    table = cdp.read_csv(E06)
    made = cdp.privatize(table, {"bp": BP}, person=TWO)
    assert made.row_count == 5
    assert made.epsilon == 2
    again = read(made.csv())
    assert again.texts(0) == ["P1", "P1", "P2", "P2", "P3"]
    assert again.texts(1)[2:] == ["1", "2", "1"]
    assert made.frame.texts(2) == again.texts(2)
    assert read(made.csv(omit=[0])).row_count == 5


def test_each_choice_of_rows_is_as_likely() -> None:
    """Of 1500 persons with three rows each; with a seeded source, so the same at every run."""
    lines = [f"P{person},{row},120\n" for row in range(3) for person in range(1500)]
    table = read(b"patient_id,visit,bp\n" + "".join(lines).encode())
    kept = released(ColumnPlan(2, (80, 200), 1), data=table, plan={"person": TWO}).kept
    assert kept is not None
    each = kept.reshape(3, 1500)
    assert (each.sum(axis=0) == 2).all()
    assert abs(each.sum(axis=1) - 1000).max() < 75


BLANKS = b"who,a,b\nP1,,1\nP1,5,x\nP1,6,2\n ,1,1\n,2,2\n\xe2\x80\x83,3,3\nP2,n/a,9\n"


@pytest.mark.parametrize("missing", ["fill", "keep", "drop"])
def test_the_choice_of_rows_and_cells_knows_nothing_of_what_is_missing(missing: Any) -> None:
    person = cdp.Person("who", at_most=2)
    plans = tuple(ColumnPlan(p, (0, 9), 1, missing=missing) for p in (1, 2))
    seen = set()
    for data in (BLANKS, BLANKS.replace(b",x", b",7").replace(b"P1,,", b"P1,8,")):
        made = released(*plans, data=read(data), plan={"person": person, "answered": 1})
        lacking = np.array([n.missing for n in map(made.table.readings, (1, 2))])
        blank = np.isnan([column.values for column in made.columns])
        assert made.kept is not None
        if missing == "drop":
            read_rows = persons_of(made.table, ("who",)).at_most(person, SeededSource(3))
            assert (made.kept == read_rows & ~lacking.any(axis=0)).all()
        else:
            owners = np.array(persons_of(made.table, ("who",)).codes)
            assert [int(made.kept[owners == code].sum()) for code in range(3)] == [2, 2, 1]
            blank[lacking] = False
            seen.add((tuple(made.kept), tuple(map(tuple, blank[:, 2:]))))
    assert len(seen) <= 1


def test_blank_cells_are_one_person_and_rows_left_out_before_count_for_nobody() -> None:
    table = read(E06).without([0, 1])
    assert released(ColumnPlan(2, (80, 200), 1), data=table, plan={"person": TWO}).row_count == 4
    two = read(b"school,pupil,mark\nA,1,2\nA,2,3\nB,1,4\nA,1,5\n,,1\n,,2\n")
    person = cdp.Person(("school", "pupil"), at_most=1)
    made = released(ColumnPlan(2, (0, 9), 1), data=two, plan={"person": person})
    assert made.row_count == 4


@pytest.mark.parametrize(
    ("person", "plans", "error", "match"),
    [
        (cdp.Person("bp", 3), {"bp": BP}, PlanError, "column bp says whose a row is"),
        (cdp.Person(("patient_id", "bp"), 3), {"bp": BP}, PlanError, "column bp says whose"),
        (cdp.Person("patient", 3), {"bp": BP}, ParameterError, "'patient'"),
        (cdp.Person("patient_id", 2, "refuse"), {"bp": BP}, TooManyRowsError, "more than 2 rows"),
        ("patient_id", {"bp": BP}, ParameterError, "person must be a Person"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_drawn_or_charged(
    person: Any, plans: dict[str, ColumnPlan], error: type[CompdpError], match: str
) -> None:
    table, source, ledger = cdp.read_csv(E06), Counting(), cdp.Ledger()
    with pytest.raises(error, match=match):
        cdp.privatize(table, plans, person=person, source=source, ledger=ledger)
    assert (source.taken, ledger.entries) == (0, ())
    if isinstance(person, cdp.Person):
        plan = Plan((ColumnPlan(2, (80, 200), 1),), person)
        with pytest.raises(error, match=match):
            plan.spends(table)
        with pytest.raises(error, match=match):
            release(table, plan, source=source)
    assert source.taken == 0


@pytest.mark.parametrize(
    ("said", "match"),
    [
        ({"per": "person"}, "per must be row where no person is stated"),
        ({"per": "patient", "person": THREE}, "per must be row or person"),
        ({"per": "person", "person": cdp.Person("patient_id", 2000)}, "epsilon must leave 0.001"),
        ({"answered": 3}, "answered must be a whole number from 1 to 2"),
        ({"answered": 0}, "answered"),
        ({"answered": 1.5}, "answered"),
        ({"answered": True}, "answered"),
        ({"answered": float("nan")}, "answered"),
    ],
)
def test_what_is_said_wrongly_is_refused_by_name(said: dict[str, Any], match: str) -> None:
    with pytest.raises(ParameterError, match=match):
        cdp.privatize(cdp.read_csv(E06), {"bp": BP, "visit": VISIT}, **said)


def test_nobody_has_more_where_more_are_refused() -> None:
    person = cdp.Person("patient_id", at_most=3, beyond="refuse")
    made = cdp.privatize(cdp.read_csv(E06), {"bp": BP}, person=person)
    assert made.row_count == 6
    assert "a table in which somebody has is refused" in made.card["rows"]["meaning"]


def test_frames_keep_index_labels_and_dtypes() -> None:
    frame = pd.DataFrame(
        {
            "who": [7, 7, 7, 8, 9],
            "a": [1, 2, 3, 4, 5],
            "b": pd.array([1.5, None, 2, 3, 4], dtype="Float64"),
            "note": list("vwxyz"),
        },
        index=list("ABCDE"),
    )
    plans = {
        "a": ColumnPlan(inputs=(0, 9), epsilon=2, whole=True),
        "b": ColumnPlan(inputs=(0, 9), epsilon=1),
    }
    made = cdp.privatize(frame, plans, person=cdp.Person("who", at_most=2), answered=1)
    out = made.frame
    assert made.epsilon == 4
    assert len(out) == made.row_count == 4
    assert list(out.index[-2:]) == ["D", "E"]
    assert set(out.index[:2]) < set("ABC")
    assert out["note"].tolist() == [frame["note"][each] for each in out.index]
    kinds = {name: str(kind) for name, kind in out.dtypes.items()}
    assert kinds == {"who": "int64", "a": "Int64", "b": "Float64", "note": str(frame["note"].dtype)}
    assert (out["a"].isna() ^ out["b"].isna()).all()
    rows = [line.split(",") for line in made.csv().decode().splitlines()[1:]]
    assert [row[1] == "" for row in rows] == out["a"].isna().tolist()
    assert frame["a"].tolist() == [1, 2, 3, 4, 5]


def test_all_of_the_columns_is_no_sample() -> None:
    assert Plan((ColumnPlan(0, (0, 1), 1), ColumnPlan(1, (0, 1), 1)), answered=2).answered is None
    assert Plan((ColumnPlan(0, (0, 1), 1),), answered=1).answered is None


@pytest.mark.parametrize("separator", [",", "\t", ";", " "])
@pytest.mark.parametrize("missing_as", ["", "NA"])
def test_a_row_that_answers_nothing_stays_a_row(separator: str, missing_as: str) -> None:
    """Its one answered cell may be missing: then all of its cells are blank."""
    rows = [["a", "b"], *[["1", "2"], ["x", "y"]] * 20]
    data = "\n".join(separator.join(row) for row in rows).encode() + b"\n"
    table = read(data, separator=separator, header=True)
    plans = tuple(
        ColumnPlan(p, (0, 9), 1, missing="keep", missing_as=missing_as, whole=True) for p in (0, 1)
    )
    made = released(*plans, data=table, plan={"answered": 1})
    again = read(made.csv(), **table.format.options)
    assert (again.row_count, again.uneven) == (40, ())
    for column in made.columns:
        texts = again.texts(column.plan.position)
        assert [text == missing_as for text in texts] == np.isnan(column.values).tolist()
        assert np.isnan(column.values[1::2]).all()


def test_a_blank_that_could_not_be_written_is_refused_for_sampled_columns() -> None:
    table, source = read(b"a,b\n1,2\n3,4\n", comment_rows="leave out"), Counting()
    plans = tuple(ColumnPlan(p, (0, 9), 1, missing_as="#gone") for p in (0, 1))
    with pytest.raises(PlanError, match="missing_as of column a begins with #"):
        release(table, Plan(plans, answered=1), source=source)
    assert source.taken == 0
    assert release(table, Plan(plans)).row_count == 2
    bare = read(b"a,b\n1,2\n3,4\n", quote="")
    with pytest.raises(PlanError, match="without quotes"):
        release(bare, Plan(tuple(ColumnPlan(p, (0, 9), 1, missing_as=",") for p in (0, 1))))


def test_progress_is_told_to_the_end() -> None:
    told: list[float] = []
    plans = tuple(ColumnPlan(p, (0, 200), 1) for p in (1, 2))
    released(*plans, data=read(E06), plan={"person": TWO, "answered": 1}, progress=told.append)
    assert told[-1] == 1
    assert told == sorted(told)


# Card, settings and script


def test_the_card_says_whose_privacy_it_is_and_never_how_many_persons_there_are() -> None:
    made = cdp.privatize(cdp.read_csv(E06), {"bp": BP, "visit": VISIT}, person=TWO, answered=1)
    card = made.card
    privacy = card["privacy"]
    assert privacy["neighbours"] == "one person's values replaced"
    assert privacy["person"] == {
        "by": ["patient_id"], "at_most": 2, "beyond": "leave out", "groups": 1,
        "counts": "rows", "count": None,
    }  # fmt: skip
    assert "Rows with the same text in “patient_id” are one person’s" in privacy["meaning"]
    assert privacy["composition"] == (
        "Each row answers 1 of 2 columns, drawn at random whatever stands in it, and spends at most"
        " 1. A person spends that for each of at most 2 rows: 2 × 1 = 2."
    )
    assert "Of each person at most 2 rows were released, drawn at random" in card["rows"]["meaning"]
    assert "Whether anybody has more is not said" in card["rows"]["meaning"]
    assert not any(point.startswith("People or households") for point in card["not_covered"])
    assert any(point.startswith("Who has how many") for point in card["not_covered"])
    for item in card["items"]:
        assert item["sampled"]["share"] == "0.5"
        assert "says nothing about its value" in item["sampled"]["meaning"]
        assert item["cells"]["missing"] == ""
    page = made.card_html()
    assert "about 50 % of them" in page
    assert "Privacy budget ε of a person" in page
    # Whoever has more or fewer rows beyond, and how many people there are, changes no word of it.
    more = cdp.read_csv(E06.replace(b"P1,3,118\n", b"") + b"P2,9,9\nP2,8,8\n")
    other = cdp.privatize(more, {"bp": BP, "visit": VISIT}, person=TWO, answered=1).card
    for each in (card, other):
        for name in ("identifier", "released_at"):
            del each[name]
        del each["rows"]["count"]
    assert other == card


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("P1", False),
        ({"by": []}, False),
        ({"by": ["id"], "at_most": 0}, False),
        ({"by": ["id"], "at_most": 2.5}, False),
        ({"by": ["id"], "at_most": 2, "beyond": "guess"}, False),
        ({"by": ["id", "id"], "at_most": 2}, False),
        ({"by": ["id"], "at_most": 2, "groups": -1}, False),
        (None, True),
    ],
)
def test_settings_with_a_bad_person_are_asked_again(bad: Any, said: bool) -> None:
    plan = Plan((ColumnPlan(2, (80, 200), 1), ColumnPlan(1, (0, 9), 1)), TWO, answered=1)
    made = release(read(E06), plan)
    good = json.loads(cdp.privatize(read(E06), {"bp": BP}, person=TWO).settings())
    assert from_json(json.dumps(good)).says_whose
    assert from_json(json.dumps(good)).settings.plan.person == TWO  # type: ignore[union-attr]
    opened = from_json(json.dumps(good | {"person": bad}))
    assert opened.says_whose == said
    assert opened.settings.plan.person is None  # type: ignore[union-attr]
    assert bool(opened.notices) != said
    if not said:
        assert "person " in opened.notices[0]
        assert "say again whose rows are one" in opened.notices[0]
    del good["person"]
    assert not from_json(json.dumps(good)).says_whose
    assert made.epsilon == 2


@pytest.mark.parametrize("bad", [0, 3, 1.5, "1", True, [1]])
def test_settings_with_a_bad_number_of_columns_answer_all(bad: Any) -> None:
    made = cdp.privatize(read(E06), {"bp": BP, "visit": VISIT}, answered=1)
    good = json.loads(made.settings())
    assert from_json(json.dumps(good)).settings.plan.answered == 1  # type: ignore[union-attr]
    opened = from_json(json.dumps(good | {"answered": bad}))
    assert opened.settings.plan.answered is None  # type: ignore[union-attr]
    assert "each row answers all columns" in opened.notices[0]


def test_the_script_draws_as_the_release_did() -> None:
    made = cdp.privatize(read(E06), {"bp": BP, "visit": VISIT}, person=TWO, answered=1)
    script = script_of_table(made)
    assert "from compdp_core.adjacency import Person\n" in script
    assert "person=Person(by=('patient_id',), at_most=2),\n    answered=1,\n)" in script
    assert "0: 'patient_id'" in script
    assert "person" not in script_of_table(cdp.privatize(read(E06), {"bp": BP}))


def test_a_spend_takes_a_person_alone() -> None:
    with pytest.raises(ParameterError, match="person must be a Person, as in"):
        Spend("a", "column", "d", ["a"], 1, person="id")  # type: ignore[arg-type]
    assert Spend("a", "column", "d", ["a"], 1, person=TWO).person == TWO


def test_the_card_of_rows_is_as_ever() -> None:
    card = card_of_table(released(ColumnPlan(2, (80, 200), 1), data=read(E06)))
    assert card.privacy.person is None
    assert card.items[0].sampled is None
    assert card.privacy.neighbours == "one row's values replaced"
    assert any(point.startswith("People or households") for point in card.not_covered)
