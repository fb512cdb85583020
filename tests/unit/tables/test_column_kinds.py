"""Proposals for kinds of columns: which is first, in which order its categories stand, why none."""

from __future__ import annotations

import pytest

from compdp_core.tables.column_kinds import Proposal, proposals
from compdp_core.tables.reading import read


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
    found = first(cells)
    assert (found.kind, found.usual) == ("category", usual)


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
    found = next(each for each in proposed(cells * 3) if each.kind == "scale")
    assert (found.categories, found.usual) == (seen, tuple(usual))
