"""A made-up true value to look at, chosen as the column has its values."""

from __future__ import annotations

from pages.inputs.options import select
from pages.inputs.slider import made_up, made_up_in_words
from pages.sections.shared.setup import ChosenColumn
from pages.sections.shared.words import words_of

LABEL = "True value, between your bounds"
ANSWER = "True answer, one of your list"


def true_answer(column: ChosenColumn) -> int:
    """Which category is looked at; the first one until another is chosen."""
    assert column.categories is not None
    names = dict(enumerate(column.categories.names))
    place: int = select(ANSWER, names, column.setting("see.answer"), 0)
    return place


def true_value(column: ChosenColumn) -> float:
    words, ends = words_of(column), column.inputs
    assert ends is not None
    if words.names:
        places = {place: words.value(place) for place, _ in words.names}
        middle = list(places)[len(places) // 2]
        chosen: float = select(LABEL, places, column.setting("see.place"), middle)
        return chosen
    if words.format is None:
        return made_up(LABEL, ends, column.setting("see"), whole=column.whole)
    name = column.setting("see")
    return made_up_in_words(LABEL, ends, name, words.value)
