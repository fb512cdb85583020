"""Open the settings of an earlier release, on the page that can ask for it once more."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from compdp_core.report.settings import StatisticSettings, TableSettings
from compdp_core.report.settings_reading import from_json
from compdp_core.tables import Table
from pages.inputs.json_file import json_file
from pages.inputs.links import dismissible
from pages.session.state import keep, recall
from pages.shell.panels import drawer
from pages.text.wording import literal

MOST_NOTICES = 20
HELP = "The file “Settings” beside a release. It holds no value of a table."
Kind = TypeVar("Kind", bound=TableSettings | StatisticSettings)
Take = Callable[[Table, bytes], list[str]]
"""Sets what a file says, and tells what had to be left out."""


def settings_box(name: str, table: Table, take: Take) -> None:
    drawer(
        name,
        "Open the settings of an earlier release",
        ":material/upload_file:",
        lambda: json_file(name, "Settings file", partial(_take, table, name, take), 2, HELP),
    )
    notices = recall(f"{name}.notices", [])
    # What one table lacks says nothing about the next.
    if notices and recall(f"{name}.table") == table.fingerprint:
        shown = list(map(literal, notices))
        if len(shown) > MOST_NOTICES:
            left_out = f"And {len(shown) - MOST_NOTICES} more."
            shown = [*shown[: MOST_NOTICES - 1], left_out, shown[-1]]
        dismissible(name, shown, ":material/rule:")


def _take(table: Table, name: str, take: Take, document: bytes) -> None:
    keep(f"{name}.notices", take(table, document))
    keep(f"{name}.table", table.fingerprint)


def opened(
    document: bytes, kind: type[Kind], elsewhere: str, advice: str
) -> tuple[Kind | None, list[str], bool]:
    """The settings if the file holds that kind of them, and what is to be said of it.

    Where nothing can be taken, that comes first and the way out last. `elsewhere` says what the
    file holds if it is for the other page. The last says whether it is said whose privacy it is.
    """
    reading = from_json(document)
    if isinstance(reading.settings, kind):
        return reading.settings, list(reading.notices), reading.says_whose
    others = [] if reading.settings is None else [elsewhere]
    return None, [*others, *reading.notices, advice], False
