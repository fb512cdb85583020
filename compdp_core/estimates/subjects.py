"""What can be asked about: columns of a released table and their categories, as numbers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.estimate import Estimate
from compdp_core.estimates.likelihood.support import places
from compdp_core.estimates.reading import Reading, of_category, of_clean, of_numbers
from compdp_core.estimates.received.table import ReceivedColumn, ReceivedTable
from compdp_core.estimates.summary.requests import Subject, parts, subject_name
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.tables.errors import short, some
from compdp_core.validation import Array, is_one_of, one_of

_FEW_NAMES = 5
"""Are all listed where none of them is named."""


@dataclass(frozen=True, eq=False)
class SubjectReadings:
    """Those of a released table; what is none is refused by the argument that names it."""

    received: ReceivedTable

    def released(self, column: Hashable) -> ReceivedColumn:
        """A released column."""
        found = self.received.find(column)
        if isinstance(found, ReceivedColumn):
            return found
        named = some([each.label for each in self.received.columns])
        raise ParameterError("column", column, f"must be a released one, of {named}")

    def reading(self, subject: Subject, argument: str = "column") -> Reading:
        """The numbers of a column, or of one of its categories."""
        column, name = parts(argument, subject)
        found = self.received.find(column, argument)
        if isinstance(found, int):
            if name is None:
                return self._clean(found, argument, column)
            codes, names, *_ = self.categories(found)
            place = names.index(among(argument, name, names))
            return of_clean(np.where(np.isnan(codes), np.nan, codes == place))
        if isinstance(found.channel, RandomizedResponse):
            if name is None:
                what = f"must name a category, as in ({column!r}, {found.names[0]!r})"
                raise ParameterError(argument, column, what)
            place = found.names.index(among(argument, name, found.names))
            return of_category(found.values, found.channel, place, found.item.missing.policy)
        if name is not None:
            what = f"must be named without a category: {found.label} holds none"
            if places(found):
                what = f"must be named alone: of one value there is a share, as in share({column!r}"
                what += f", {name!r})"
            raise ParameterError(argument, name, what)
        return of_numbers(found.values, found.channel, found.item.missing.policy)

    def _clean(self, place: int, argument: str, column: Hashable) -> Reading:
        """The numbers of an untouched column."""
        table = self.received.table
        found = of_clean(table.readings(place).values)
        if np.isnan(found.values).all():
            some_text = next(filter(str.strip, table.texts(place)), "")
            if some_text:
                what = f"must name one of its texts, as in ({column!r}, {short(some_text)!r})"
                raise ParameterError(argument, column, f"{what}: it holds no numbers")
        return found

    def _place(self, subject: Subject, argument: str = "column") -> ReceivedColumn | int:
        """The column of a subject."""
        return self.received.find(parts(argument, subject)[0], argument)

    def several(self, subjects: Mapping[str, Subject]) -> list[tuple[str, Reading]]:
        """Readings by name whose noises are independent."""
        found: dict[tuple[int, Hashable], tuple[str, Reading]] = {}
        noisy = set[int]()
        for argument, subject in subjects.items():
            place = self._place(subject, argument)
            at = place if isinstance(place, int) else place.position
            _, category = parts(argument, subject)
            if (at, category) in found or at in noisy:
                what = "must be another column than the others"
                what += ", as categories of one are drawn together" * (
                    at in noisy and category is not None
                )
                raise ParameterError(argument, subject, what)
            if at != place:
                noisy.add(at)
            name = subject_name(self.received, subject)
            found[at, category] = name, self.reading(subject, argument)
        return list(found.values())

    def grouped(self, column: Subject, by: Hashable) -> tuple[Reading, ReceivedColumn | int]:
        """What is averaged, and by what."""
        grouped = self.received.find(by, "by")
        if isinstance(grouped, ReceivedColumn) and not grouped.is_category:
            what = "must be an untouched column or one of categories: use regression for numbers"
            raise ParameterError("by", by, what)
        if self._place(column) == grouped:
            raise ParameterError("by", by, "must be another column than that of the means")
        return self.reading(column), grouped

    def by_category(self, column: ReceivedColumn) -> dict[str, Reading]:
        """Each category of a column."""
        return {name: self.reading((column.position, name)) for name in column.names}

    def categories(
        self, column: Hashable
    ) -> tuple[Array, Sequence[str], RandomizedResponse | None, str]:
        """Which category each row has, their names, what drew them, and the policy of missing."""
        found = self.received.find(column)
        if isinstance(found, int):
            texts = [text.strip() for text in self.received.table.texts(found)]
            codes = {text: place for place, text in enumerate(dict.fromkeys(filter(None, texts)))}
            values = np.array([codes.get(text, np.nan) for text in texts])
            return values, list(codes), None, "keep" if "" in texts else ""
        if isinstance(found.channel, RandomizedResponse):
            return found.values, found.names, found.channel, found.item.missing.policy
        what = "must be one of categories: of numbers say above or below which limit"
        raise ParameterError("column", column, what)

    def written(self, column: Hashable, found: Estimate) -> Estimate:
        """With value and ends as the column writes its values, the ends to the outer step."""
        source = self.received.find(column)
        if not isinstance(source, ReceivedColumn) or source.format is None:
            return found
        assert isinstance(source.channel, NumberChannel)
        low, high = source.channel.outputs.as_tuple()
        steps = np.rint(found.value), np.floor(found.low), np.ceil(found.high)
        value, *ends = (
            source.format.text(float(min(max(step, np.ceil(low)), np.floor(high))))
            for step in steps
        )
        return replace(found, written=(value, ends[0], ends[1]))


def among(argument: str, name: object, names: Sequence[str]) -> str:
    """One of the names, of which a refusal lists a few."""
    if len(names) <= _FEW_NAMES or is_one_of(name, names):
        return str(one_of(argument, name, names))
    raise ParameterError(argument, name, f"must be one of {some(list(names))}")
