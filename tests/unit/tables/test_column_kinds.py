"""Proposals for kinds of columns: which is first, in which order its categories stand, why none."""

from __future__ import annotations

import pandas as pd
import pytest

from compdp_core.errors import ParameterError
from compdp_core.tables.answer_lists import pair, scale
from compdp_core.tables.categories import Categories
from compdp_core.tables.column_kinds import MOST_CATEGORIES, Proposal, proposals
from compdp_core.tables.reading import read
from compdp_core.tables.sources import as_table


def proposed(cells: list[str], label: str = "asked") -> tuple[Proposal, ...]:
    content = "".join(f'{row},"{cell}"\n' for row, cell in enumerate(cells))
    return proposals(read(f"row,{label}\n{content}".encode(), separator=",", header=True), 1)


def first(cells: list[str], times: int = 3, label: str = "asked") -> Proposal:
    return proposed(cells * times, label)[0]


@pytest.mark.parametrize(
    ("cells", "usual"),
    [
        (["yes", "no"], ("yes", "no")),
        (["No", "Yes"], ("Yes", "No")),
        (["N"], ("Y", "N")),
        (["ja", "nein"], ("ja", "nein")),
        (["Oui", "Non"], ("Oui", "Non")),
        (["sí", "no"], ("sí", "no")),
        (["TRUE", "FALSE"], ("TRUE", "FALSE")),
        (["да", "нет"], ("да", "нет")),
        (["はい", "いいえ"], ("はい", "いいえ")),
        (["absent", "present"], ("present", "absent")),
        (["0", "1"], ("0", "1")),
        (["1.0", "0.0", ""], ("0.0", "1.0")),
    ],
)
def test_yes_and_no_in_many_languages_are_categories(
    cells: list[str], usual: tuple[str, ...]
) -> None:
    offered = first(cells)
    assert (offered.kind, offered.usual) == ("category", usual)


AGREEMENT = ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree")


@pytest.mark.parametrize(
    ("cells", "seen", "usual"),
    [
        (["Agree", "Strongly disagree"], ("Strongly disagree", "Agree"), AGREEMENT),
        (["Agree", "Disagree", "don't know"], ("Disagree", "Agree"), AGREEMENT),
        (
            ["often", "never"],
            ("never", "often"),
            ["never", "rarely", "sometimes", "often", "always"],
        ),
        (["HIGH", "LOW"], ("LOW", "HIGH"), ("LOW", "MEDIUM", "HIGH")),
        (
            ["none", "severe"],
            ("none", "severe"),
            ("none", "mild", "moderate", "severe", "very severe"),
        ),
        (["oft", "nie"], ("nie", "oft"), ("nie", "selten", "manchmal", "oft", "immer")),
        (
            ["Poor", "Excellent"],
            ("Poor", "Excellent"),
            ("Terrible", "Poor", "Fair", "Good", "Very good", "Excellent"),
        ),
        (
            ["toujours", "jamais"],
            ("jamais", "toujours"),
            ["jamais", "rarement", "parfois", "souvent", "toujours"],
        ),
        (["B", "A", "C"], ("C", "B", "A"), ("D", "C", "B", "A")),
        (["5", "2", "1"], ("1", "2", "5"), tuple("12345")),
        (["3.0", "1.0", "7.0", ""], ("1.0", "3.0", "7.0"), tuple(f"{i}.0" for i in range(1, 8))),
        (["10", "0", "7"], ("0", "7", "10"), tuple(map(str, range(11)))),
        (["2 = rarely", "1 = never", "3 = often"], ("1 = never", "2 = rarely", "3 = often"), ()),
    ],
)
def test_steps_of_a_scale_stand_in_its_order(
    cells: list[str], seen: tuple[str, ...], usual: tuple[str, ...]
) -> None:
    offered = next(each for each in proposed(cells * 3) if each.kind == "scale")
    assert (offered.categories, offered.usual) == (seen, tuple(usual))


@pytest.mark.parametrize(
    ("cells", "kinds"),
    [
        (["1.5", "2.25", "NA"], ["number"]),
        (["12", "99", "57"], ["whole", "category", "number"]),
        ([str(i) for i in range(50)], ["whole", "number"]),
        (["1", "2"], ["category", "whole", "number"]),
        (["4", "6", "8"], ["whole", "category", "number"]),
        (["0", "1", "3"], ["whole", "scale", "category", "number"]),
        (["1", "4", "3"], ["scale", "whole", "category", "number"]),
        (["01", "02", "17"], ["none", "whole", "category", "number"]),
        (["5 cm", "7 cm", "8 cm"] * 30, ["number", "category", "scale"]),
        (["red", "green", "blue"], ["category", "scale"]),
        (["10-19", "20-29", "65+"], ["category", "scale"]),
        (["1,000", "2,000", "3,000"], ["number", "category", "scale"]),
        (["", "NA", "-"], ["none"]),
        (["same"], ["category"]),
    ],
)
def test_kinds_stand_in_order(cells: list[str], kinds: list[str]) -> None:
    plain = [each for each in proposed(cells * 5) if each.format is None]
    assert [each.kind for each in plain] == kinds
    assert all(each.why for each in plain)


@pytest.mark.parametrize(
    ("cells", "label", "why"),
    [
        ([f"Ada Nr{chr(65 + i)}" for i in range(26)], "pupil", "names"),
        ([f"Ada{chr(65 + i)}" for i in range(26)], "Name", "persons or places"),
        ([f"K{i}-{i * i}" for i in range(26)], "code", "ID"),
        ([f"I went there {i} times and it was good" for i in range(26)], "said", "free text"),
        ([str(10**16 + i) for i in range(26)], "account", "more than 15 digits"),
        ([f"{i} {unit}" for i in range(13) for unit in ("cm", "kg")], "size", "symbols or units"),
    ],
)
def test_names_and_free_text_are_none(cells: list[str], label: str, why: str) -> None:
    offered = first(cells, 1, label)
    assert offered.kind == "none"
    assert why in offered.why


def test_texts_of_many_words_are_free_text_though_they_occur_again() -> None:
    offered = proposed(["It was not there when I looked", "I did not look at it again, sorry"] * 9)
    assert [each.kind for each in offered] == ["none", "category"]


def test_few_numbers_may_differ_by_chance_whatever_the_name_says() -> None:
    some = [proposed([str(7 * i) for i in range(rows)], "asked_no")[0] for rows in (8, 20)]
    assert [each.kind for each in some] == ["whole", "none"]
    assert all("ID" in each.doubt + each.why for each in some)


def test_days_and_months_stand_in_order_without_being_a_scale() -> None:
    days, months = first(["Wed", "Mon"]), first(["März", "Januar"])
    assert (days.kind, days.categories, len(days.usual)) == ("category", ("Mon", "Wed"), 7)
    assert (months.kind, months.categories, len(months.usual)) == (
        "category",
        ("Januar", "März"),
        12,
    )


def test_dates_that_can_be_read_in_two_ways_are_doubted() -> None:
    for cells, ways in ((["01/02/2024", "03/02/2024"], 2), (["13/02/2024", "03/12/2024"], 1)):
        dates = [each for each in proposed(cells * 5) if each.kind == "date"]
        assert len({each.format for each in dates}) == ways
        assert all(("more than one way" in each.doubt) == (ways > 1) for each in dates)


@pytest.mark.parametrize(
    ("cells", "kinds"),
    [
        (["2020-01-02", "2020-03-04"], ["date"]),
        (["12:30", "23:59", "07:05"], ["time", "duration"]),
        (["2020-01-02 12:30", "2021-03-04 07:00"], ["datetime"]),
        (["7h 30m", "12h 05m", "1h 00m"], ["duration"]),
        (["<5", "12", "17"], ["number", "whole"]),
        (["10-19", "20-29", "65+"], ["category", "number", "whole"]),
    ],
)
def test_formats_come_first_and_classes_as_categories(cells: list[str], kinds: list[str]) -> None:
    offered = proposed(cells * 5)
    assert [each.kind for each in offered][: len(kinds)] == kinds
    assert all(each.format for each in offered if each.kind not in ("category", "scale", "none"))


def test_flags_of_a_frame_are_yes_and_no() -> None:
    frame = pd.DataFrame({"here": [True, False, True], "ill": [True, None, True], "x": [0.5] * 3})
    offered = [proposals(as_table(frame), place)[0] for place in range(3)]
    assert [each.kind for each in offered] == ["category", "category", "number"]
    assert [each.usual for each in offered] == [("True", "False")] * 2 + [()]


def test_categories_stand_by_number_or_alphabet_never_by_how_often_they_occur() -> None:
    assert first(["pear", "Fig", "pear", "apple"]).categories == ("apple", "Fig", "pear")
    assert first(["<5 y", "10-19 y", "5-9 y", "65+ y"]).categories == (
        "<5 y",
        "5-9 y",
        "10-19 y",
        "65+ y",
    )
    assert first(["5+ y", "<5 y", "5 y"]).categories == ("<5 y", "5 y", "5+ y")


def test_many_and_rare_categories_are_doubted() -> None:
    assert "merge" in first([f"kind {chr(65 + i)}" for i in range(26)], 5).doubt
    assert "gives them away" in first(["red", "green", "blue"], 3).doubt
    assert first(["red", "green", "blue"], 5).doubt == ""
    many = [f"kind {i:03}" for i in range(MOST_CATEGORIES + 1)]
    assert first(many, 5).kind == "none"
    assert first(many[1:], 5).kind == "category"
    assert [each.kind for each in proposed(many[:20])] == ["none", "category"]


def test_texts_that_differ_in_case_and_dashes_are_offered_as_one() -> None:
    offered = first(["Very good", "very-good", "good", "GOOD", "poor"])
    assert offered.merged == Categories.of(
        {"poor": ["poor"], "GOOD": ["GOOD", "good"], "Very good": ["Very good", "very-good"]}
    )
    assert first(["same"]).merged is None


def test_missing_spellings_are_steps_of_a_scale_and_else_none() -> None:
    assert "none" in first(["none", "mild", "severe"]).categories
    assert first(["red", "none", "blue", "unknown"]).categories == ("blue", "red")


def test_what_a_proposal_shows_of_itself_holds_no_cell() -> None:
    assert "Secret" not in repr(first(["Secret", "other"]))


def test_a_column_that_is_not_there_is_refused() -> None:
    with pytest.raises(ParameterError, match="column must be from 0 to 1"):
        proposals(read(b"a,b\n1,2\n"), 2)


def test_single_letters_are_grades_where_the_name_says_so() -> None:
    for label, kinds in (("grade", ["scale", "category"]), ("group", ["category", "scale"])):
        offered = proposed(["B", "A", "C"] * 5, label)
        assert [each.kind for each in offered] == kinds
        assert {each.kind: each.categories[0] for each in offered} == {
            "scale": "C",
            "category": "A",
        }


def test_known_lists_are_read_whole() -> None:
    assert pair(["on"]) is not None
    assert pair(["maybe"]) is None
    assert scale(["low"]) is None
    assert scale(["low", "mid"]) is not None
    assert scale(["medium", "moderate"]) is None, "two words for one step are no order"
