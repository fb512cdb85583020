"""What is asked of a released table, as data: it is answered, named and written as a call from the
same few words.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

from compdp_core.errors import ParameterError
from compdp_core.estimates.estimate import About, Estimate
from compdp_core.estimates.groups import BLANK as BLANK
from compdp_core.estimates.likelihood.support import places
from compdp_core.estimates.received.table import ReceivedColumn, ReceivedTable
from compdp_core.text import percent, plain
from compdp_core.validation import of, one_of

Subject = Hashable | tuple[Hashable, str]
"""A column by its label or position, or a column and the name of one of its categories, which is 1
in rows that have it and 0 in the others."""

Method = Literal[
    "mean", "std", "quantile", "share", "correlation", "regression", "means", "difference"
]
QUARTILES = {0.25: "lower quartile", 0.5: "median", 0.75: "upper quartile"}


SIDES = {"above": "above", "at_least": "from", "below": "below", "at_most": "up to"}
"""How a limit is said."""
_IN_TIME = {"above": "after", "below": "before"}
MOST_PLACES = 16
"""Of a column of numbers so many values are asked for one by one, at most."""


class Estimator(Protocol):
    """What answers requests: :class:`~compdp_core.estimates.estimates.Estimates`."""

    received: ReceivedTable
    level: float


@dataclass(frozen=True)
class Request:
    """One call of :class:`~compdp_core.estimates.estimates.Estimates`."""

    method: Method
    arguments: tuple[Any, ...]
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def call(self) -> str:
        """The call in Python, in plain ASCII.

        >>> correlation("bmi", ("smokes", "yes")).call
        "correlation('bmi', ('smokes', 'yes'))"
        """
        said = [ascii(_plain(each)) for each in self.arguments]
        said += [f"{name}={_plain(value)!a}" for name, value in self.options]
        return f"{self.method}({', '.join(said)})"

    def ask(self, estimates: Estimator) -> dict[str, Estimate]:
        """The estimates by what each is of: of one alone by an empty name."""
        found = getattr(estimates, self.method)(*self.arguments, **dict(self.options))
        return {"": found} if isinstance(found, Estimate) else dict(found)

    def option(self, name: str) -> Any:
        """An option by its name; None where it was left out."""
        return dict(self.options).get(name)


def checked(asked: Iterable[Request]) -> tuple[Request, ...]:
    """What is asked for, or :class:`~compdp_core.errors.ParameterError`."""
    what = "must be a list of requests, as compdp_core.estimates.summary.requests makes them"
    try:
        listed = tuple(asked)
    except TypeError:
        raise ParameterError("asked", asked, what) from None
    for at, each in enumerate(listed):
        one_of(f"asked[{at}]", of(f"asked[{at}]", each, Request, what).method, get_args(Method))
    return listed


def columns(received: ReceivedTable) -> Iterator[Request]:
    """All that is asked of each released column by itself."""
    for column in received.columns:
        yield from of_column(column)


def of_column(column: ReceivedColumn) -> Iterator[Request]:
    """All that is asked of one released column by itself."""
    if column.is_category:
        yield from shares(column)
        return
    for about in ("rows", "population"):
        yield Request("mean", (column.label,), (("about", about),))
    yield Request("std", (column.label,))
    for probability in QUARTILES:
        yield Request("quantile", (column.label, probability))
    if len(places(column)) <= MOST_PLACES:
        yield from shares(column)


def shares(column: ReceivedColumn, about: About = "population") -> Iterator[Request]:
    """The share of each category, or of each of the few values that there may be."""
    names = column.names if column.is_category else places(column)
    for name in names:
        yield Request("share", (column.label, name), (("about", about),) * (about == "rows"))


def above(column: ReceivedColumn, limit: float, about: About) -> Request:
    """The share beyond a limit, which is given in steps of the column."""
    form = column.format
    said = limit if form is None else form.text(float(round(limit)))
    return Request("share", (column.label,), (("above", said), ("about", about)))


def correlation(first: Subject, second: Subject) -> Request:
    """The correlation of two columns."""
    return Request("correlation", (first, second))


def regression(outcome: Subject, on: Sequence[Subject]) -> Request:
    """The linear regression of one column on others."""
    return Request("regression", (outcome, list(on)))


def means(column: Subject, by: Hashable) -> Request:
    """The mean in each group."""
    return Request("means", (column,), (("by", by),))


def difference(column: Subject, by: Hashable, groups: tuple[str, str]) -> Request:
    """The mean of the first group less that of the second."""
    return Request("difference", (column,), (("by", by), ("groups", groups)))


def parts(argument: str, subject: Subject) -> tuple[Hashable, str | None]:
    """The column of a subject, and the name of the category where one is named."""
    if not isinstance(subject, tuple):
        return subject, None
    if len(subject) == 2 and isinstance(subject[1], str):
        return subject
    what = "must be a column, or a pair of one and the name of one of its categories"
    raise ParameterError(argument, subject, what)


def subject_name(received: ReceivedTable, subject: Any) -> str:
    """A column by its label, or one of its categories."""
    column, name = parts("column", subject)
    found = received.find(column)
    if isinstance(found, ReceivedColumn):
        label = found.label
    else:
        label = received.table.columns[found].label
    return label if name is None else f"{label}: {name or BLANK}"


def figure_name(request: Request, key: str, received: ReceivedTable) -> str:
    """What a figure is, in words: that of one name among those of a request, or of all of them."""
    given, by = request.arguments, request.option("by")
    named = "" if by is None else subject_name(received, by)
    match request.method:
        case "std":
            return "standard deviation"
        case "quantile":
            return QUARTILES.get(given[1], f"{percent(given[1])} quantile")
        case "share":
            return f"share {_of_what(request, received)}"
        case "correlation":
            return f"correlation with {subject_name(received, given[1])}"
        case "regression" if key == "intercept":
            return key
        case "regression" if key:
            columns = {subject_name(received, each): each for each in given[1]}
            own = columns.get(key)
            return _where(received, own) if isinstance(own, tuple) else f"slope for {key}"
        case "regression":
            on = ", ".join(subject_name(received, each) for each in given[1])
            return f"linear regression on {on}"
        case "means":
            return f"mean where {named} is {key or BLANK}" if key else f"means by {named}"
        case "difference":
            first, second = (each or BLANK for each in request.option("groups"))
            return f"mean where {named} is {first}, less that where it is {second}"
    return "mean"


def _of_what(request: Request, received: ReceivedTable) -> str:
    """Of which category or value, or on which side of what limit."""
    if len(request.arguments) > 1:
        return f"of {request.arguments[1] or BLANK}"
    name, limit = limit_in(request)
    found = received.find(request.arguments[0])
    if isinstance(found, int) or found.format is None:
        unit = "" if isinstance(found, int) else found.item.unit
        return f"{SIDES[name]} {f'{plain(limit)} {unit}'.rstrip()}"
    dated = _IN_TIME if found.format.kind in ("date", "datetime") else {}
    return f"{dated.get(name, SIDES[name])} {limit}"


def limit_in(request: Request) -> tuple[str, Any]:
    """The limit of a share, and how it is named."""
    return next((name, limit) for name, limit in request.options if name in SIDES)


def _where(received: ReceivedTable, subject: tuple[Hashable, str]) -> str:
    column, name = subject
    return f"difference where {subject_name(received, column)} is {name or BLANK}"


def _plain(value: Any) -> Any:
    """With numbers of NumPy as Python's own, whose texts are literals."""
    if isinstance(value, tuple | list):
        return type(value)(_plain(each) for each in value)
    return value.item() if type(value).__module__ == "numpy" else value
