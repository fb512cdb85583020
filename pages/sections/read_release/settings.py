"""What can be set on the page, each declared once: neither file nor card nor data is among it."""

from __future__ import annotations

from decimal import Decimal

from pages.inputs import links
from pages.text.typed_numbers import parsed, plain

PAGE = "read_release"
value = links.value
LEVELS = {each: f"{each} %" for each in ("80", "90", "95", "99")}
ABOUT = {"rows": "these rows", "population": "the population behind them"}


MOST_COLUMNS = 16_384


def place(name: str, key: str) -> links.Setting:
    """A column by its place in the file, counted from 1 in links, as on the screen."""

    def read(text: str) -> int:
        value = parsed(text)
        if value is None or value != value.to_integral_value() or not 1 <= value <= MOST_COLUMNS:
            raise ValueError("it must be the number of a column, from 1.")
        return int(value) - 1

    return links.Setting(name, key, None, read, lambda value: str(value + 1))


def _any(name: str, key: str) -> links.Setting:
    def read(text: str) -> Decimal:
        value = parsed(text)
        if value is None:
            raise ValueError("it must be a number.")
        return value

    return links.Setting(name, key, None, read, plain)


COLUMN = place(f"{PAGE}.column", "column")
LIMIT = _any(f"{PAGE}.limit", "limit")
"""Above which a share is asked for; of dates and times in steps of their format."""
LEVEL = links.choice(f"{PAGE}.level", "level", tuple(LEVELS), "95")
WHOSE = links.choice(f"{PAGE}.about", "about", tuple(ABOUT), "rows")
SETTINGS: tuple[links.Setting, ...] = (COLUMN, LIMIT, LEVEL, WHOSE)
