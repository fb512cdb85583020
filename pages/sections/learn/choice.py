"""A row of buttons of a lesson, one of which is pressed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.inputs import links
from pages.inputs.options import segments


@dataclass(frozen=True)
class Choice:
    """One of several words, that a link may set."""

    setting: links.Setting
    label: str
    titles: Mapping[str, str]
    """What each button says, by its word in links."""

    @property
    def value(self) -> str:
        """What is set now."""
        return str(links.value(self.setting))

    def draw(self) -> str:
        """Show the buttons; the word that is set."""
        segments(self.label, self.titles, self.setting.name, self.setting.default)
        return self.value


def choice(
    key: str, label: str, options: Mapping[str, str] | Sequence[str], default: str
) -> Choice:
    """Buttons under that key, which begins with the key of its lesson."""
    titles = dict(options) if isinstance(options, Mapping) else {each: each for each in options}
    return Choice(links.choice(f"learn.{key}", key, tuple(titles), default), label, titles)
