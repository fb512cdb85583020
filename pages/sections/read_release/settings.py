"""What can be set on the page, each declared once: neither file nor card nor data is among it."""

from __future__ import annotations

from pages.inputs import links

PAGE = "read_release"
value = links.value
LEVELS = {each: f"{each} %" for each in ("80", "90", "95", "99")}
ABOUT = {"rows": "these rows", "population": "the population behind them"}
COLUMN = links.column(f"{PAGE}.column", "column")
LIMIT = links.any_number(f"{PAGE}.limit", "limit")
"""Above which a share is asked for; of dates and times in steps of their format."""
LEVEL = links.choice(f"{PAGE}.level", "level", tuple(LEVELS), "95")
WHOSE = links.choice(f"{PAGE}.about", "about", tuple(ABOUT), "rows")
SETTINGS: tuple[links.Setting, ...] = (COLUMN, LIMIT, LEVEL, WHOSE)
