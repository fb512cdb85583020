"""What the choices of the page are called, and what they mean."""

from __future__ import annotations

from compdp_core.adjacency import Neighbours, PerPerson
from compdp_core.statistics import Kind
from compdp_core.statistics.query import MissingValues

NEIGHBOURS_MEAN = {
    Neighbours.REPLACE_ONE.value: "Protects what a person's row says. How many rows there are, "
    "and that the person is among them, is public.",
    Neighbours.ADD_OR_REMOVE_ONE.value: "Protects also whether a person is in the table at all, so "
    "how many rows there are stays unsaid.",
}
PERSONS_MEAN = {
    Neighbours.REPLACE_ONE.value: "Protects what all rows of a person say. How many persons there "
    "are, and that this one is among them, is public.",
    Neighbours.ADD_OR_REMOVE_ONE.value: "Protects also whether a person is in the table at all, so "
    "how many persons and rows there are stays unsaid.",
}
PER_PERSON: dict[PerPerson, str] = {
    "rows": "Rows: so many of each person at most",
    "total": "One value of each person: the total of all rows",
    "mean": "One value of each person: the mean of all rows",
}
MISSING: dict[MissingValues, str] = {
    "fill": "Fill with the middle of the bounds",
    "leave out": "Skip the rows without a value",
}
MISSING_MEANS: dict[MissingValues, str] = {
    "fill": "A row without a value counts as the middle of the bounds, so the answer leans towards "
    "the middle.",
    "leave out": "Only rows with a value are read. How many these are is protected, which some "
    "statistics pay for with accuracy.",
}
KINDS_MEAN: dict[Kind, str] = {"number": "numbers", "text": "texts, letter for letter"}
MEDIANS = {
    "lower": "the lower of the two middle values",
    "upper": "the upper of the two middle values",
    "mid": "the mean of the two middle values",
}
GROUPS_ARE = {"categories": "categories of a list", "bins": "bins of numbers or dates"}
BUDGET_IS = {"group": "for each answer", "all": "for all answers together"}
