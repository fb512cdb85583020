"""Settings of a page as a link and as a file, both ways. Never data: only declared settings pass.

A page declares its settings once. `restore` takes over what the address or a file says, before any
widget is drawn; what makes no sense falls back to the default, with a notice that stays until it
is dismissed. `share` offers the link and the file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from compdp_core.parameters import Parameter
from compdp_core.tables.records import MAX_COLUMNS
from pages.inputs.entry import exact, set_exact, within
from pages.inputs.json_file import json_file
from pages.session.state import keep, recall, renew
from pages.text.typed_numbers import parsed, plain
from pages.text.wording import literal

LARGEST_FILE = 100_000
MOST_NAMED = 10
MOST_KNOWN = 1000


@dataclass(frozen=True)
class Setting:
    name: str
    """The name under which it is kept."""
    key: str
    """Its short name in links and files."""
    default: Any
    read: Callable[[str], Any]
    """The value of a text; ValueError with what is allowed where it is none."""
    write: Callable[[Any], str] = str


def value(setting: Setting) -> Any:
    return recall(setting.name, setting.default)


def field(setting: Setting, label: str, **how: Any) -> None:
    """An exact entry of the setting, which starts from its default."""
    if recall(setting.name) is None and setting.default is not None:
        keep(setting.name, setting.default)
    exact(setting.name, label, **how)


def number(name: str, key: str, parameter: Parameter, default: Decimal | None) -> Setting:
    """A number in the range of its declaration, kept exactly. None may stand for "not set"."""
    check = within(parameter)

    def read(text: str) -> Decimal | None:
        if not text and default is None:
            return None
        value = parsed(text)
        problem = "it must be a number." if value is None else check(value)
        if problem is not None:
            raise ValueError(problem)
        return value

    return Setting(name, key, default, read, lambda value: "" if value is None else plain(value))


def any_number(name: str, key: str) -> Setting:
    """A number of any size, kept exactly; none where nothing is set."""

    def read(text: str) -> Decimal:
        value = parsed(text)
        if value is None:
            raise ValueError("it must be a number.")
        return value

    return Setting(name, key, None, read, plain)


def column(name: str, key: str) -> Setting:
    """A column by its place, counted from 1 in links, as on the screen."""

    def read(text: str) -> int:
        value = parsed(text)
        if value is None or value != value.to_integral_value() or not 1 <= value <= MAX_COLUMNS:
            raise ValueError("it must be the number of a column, from 1.")
        return int(value) - 1

    return Setting(name, key, None, read, lambda value: str(value + 1))


def choice(
    name: str, key: str, options: Sequence[str] | Callable[[], Sequence[str]], default: str
) -> Setting:
    """One of several words; a function where they are known only in the session."""

    def read(text: str) -> str:
        allowed = options() if callable(options) else options
        if text not in allowed:
            raise ValueError(f"it must be one of {', '.join(allowed)}.")
        return text

    return Setting(name, key, default, read)


def choices(name: str, key: str, options: Sequence[str], default: Sequence[str]) -> Setting:
    def read(text: str) -> list[str]:
        words = [word for word in text.split(",") if word]
        if not words or not set(words) <= set(options):
            raise ValueError(f"it must hold only {', '.join(options)}, joined by commas.")
        return [option for option in options if option in words]

    return Setting(name, key, list(default), read, ",".join)


def switch(name: str, key: str, default: bool) -> Setting:
    def read(text: str) -> bool:
        if text not in ("on", "off"):
            raise ValueError("it must be on or off.")
        return text == "on"

    return Setting(name, key, default, read, lambda value: "on" if value else "off")


def restore(page: str, settings: Sequence[Setting]) -> None:
    """Take over what the address says, before any widget is drawn; show what was refused."""
    arrive(page, settings)
    notices(page)


def arrive(page: str, settings: Sequence[Setting]) -> None:
    """Take over what the address says, before any widget is drawn: each address once.

    The way back to this page leads to an address that is known: the settings have changed since.
    """
    said = st.query_params.to_dict()
    if said and said not in recall(_known(page), []):
        take(page, settings, said)
        know(page, said)


def know(page: str, said: Mapping[str, str]) -> None:
    """From now on this address is no news."""
    known = recall(_known(page), [])
    if said not in known:
        keep(_known(page), [*known, said][-MOST_KNOWN:])


def _known(page: str) -> str:
    return f"{page}.addresses"


def notices(page: str) -> None:
    """What was refused, for a page that reads its address or file elsewhere."""
    refused = recall(f"{page}.notices", [])
    if refused:
        dismissible(page, list(map(literal, refused)), ":material/link_off:")


def dismissible(name: str, lines: Sequence[str], icon: str) -> None:
    """A warning that stays until it is dismissed, which empties the notices of that name."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning("  \n".join(lines), icon=icon)
        st.button("Dismiss", key=f"{name}.dismiss", on_click=keep, args=(f"{name}.notices", []))


def share(page: str, settings: Sequence[Setting], without: str = "") -> None:
    """Offer both; ``without`` says what of the page they do not hold."""
    more = st.popover(
        "Link and file", icon=":material/share:", key=f"{page}.share", on_change="rerun"
    )
    if not more.open:
        return
    with more:
        said = spoken(settings)
        st.caption(f"This link opens the page with these settings. It holds no data. {without}")
        st.code(address(said), language=None, wrap_lines=True)
        st.download_button(
            "Save settings",
            json.dumps({"page": page, "settings": said}, indent=1),
            file_name=f"{page}-settings.json",
            mime="application/json",
            key=f"{page}.save",
            on_click="ignore",
            icon=":material/download:",
        )
        json_file(page, "Open settings", partial(_take_file, page, settings), 1)


def spoken(settings: Sequence[Setting]) -> dict[str, str]:
    """Every setting that differs from its default, as text."""
    values = [(each, recall(each.name, each.default)) for each in settings]
    return {each.key: each.write(v) for each, v in values if v != each.default}


def address(said: Mapping[str, str]) -> str:
    here = urlsplit(st.context.url or "")
    return urlunsplit((here.scheme, here.netloc, here.path, urlencode(said, safe=","), ""))


def _take_file(page: str, settings: Sequence[Setting], data: bytes) -> None:
    said = _settings_in(data, page)
    if isinstance(said, str):
        keep(f"{page}.notices", [said])
    else:
        take(page, settings, said)


def _settings_in(data: bytes, page: str) -> dict[str, str] | str:
    save = "Save settings on this page and open that file."
    if len(data) > LARGEST_FILE:
        return f"The file is too large to hold settings. {save}"
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return f"The file is not JSON. {save}"
    found = content.get("settings") if isinstance(content, dict) else None
    if not isinstance(found, dict) or content.get("page") != page:
        return f"The file holds no settings of this page. {save}"
    return {str(key): value if isinstance(value, str) else "" for key, value in found.items()}


def take(page: str, settings: Sequence[Setting], said: Mapping[str, str]) -> None:
    """Make this what is set: what is said, and the default for all else."""
    notices = []
    for each in settings:
        value = each.default
        if each.key in said:
            try:
                value = each.read(said[each.key])
            except ValueError as problem:
                usual = "" if each.default is None else each.write(each.default)
                quoted = f"{each.key}={_short(said[each.key])}"
                notices.append(f"“{quoted}” is not used, {usual or 'nothing'} is: {problem}")
        put(each.name, value)
    known = {each.key for each in settings}
    unknown = [_short(key) for key in said if key not in known]
    if unknown:
        named = ", ".join(unknown[:MOST_NAMED]) + (", …" if len(unknown) > MOST_NAMED else "")
        notices.append(f"Not a setting of this page, so not used: {named}.")
    keep(f"{page}.notices", notices)


def put(name: str, value: Any) -> None:
    if value is None or isinstance(value, Decimal):
        set_exact(name, value)
    else:
        keep(name, value)
    renew(name)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
