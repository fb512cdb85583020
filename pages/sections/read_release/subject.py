"""The release at hand, as every step of the page has it."""

from __future__ import annotations

from dataclasses import dataclass

from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.estimates import Estimates
from compdp_core.estimates.received.table import ReceivedColumn
from compdp_core.intervals import Interval
from pages.sections.shared.kept_release import KeptRelease
from pages.text.values import ValueWords


@dataclass(frozen=True, eq=False)
class OpenRelease:
    """A released table and its card. The same object as long as neither changes, nor the level:
    so it is what a remembered result is known by."""

    estimates: Estimates
    """At the level that is chosen on the page."""
    stem: str
    """Of the file's name, as any file system takes it; for naming downloads."""
    words: dict[int, ValueWords]
    """How the values of each released column are said, by its position in the file."""
    example: bool
    """Whether it is the example of the page, which is no release."""
    own: KeptRelease | None
    """What its owner has of it, where it was released in this session: true values among it."""

    @property
    def columns(self) -> dict[int, ReceivedColumn]:
        """The released columns by their position."""
        return {each.position: each for each in self.estimates.received.columns}

    def bounds(self, place: int) -> Interval:
        """Between which the true values of a column of numbers lie."""
        channel = self.columns[place].channel
        assert isinstance(channel, NumberChannel)
        return channel.inputs

    def axis(self, place: int) -> str:
        """The column as the name of an axis, with its unit where its label does not have it."""
        label, words = self.columns[place].label, self.words[place]
        return label if f"({words.of_axis})" in label else words.named(label)


def words_of_column(column: ReceivedColumn) -> ValueWords:
    """By its card alone."""
    item = column.item
    if item.kind == "scale" and item.listed is not None:
        places = ((each.number, each.name) for each in item.listed.categories)
        return ValueWords(item.unit, names=tuple((p, name) for p, name in places if p is not None))
    return ValueWords("" if column.format is not None else item.unit, column.format)
