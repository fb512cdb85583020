"""The one table of pages: the menu, the doors on Home and the tests all read it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """One page of the application."""

    key: str
    """Also the page's own link, except Home, which is the root."""
    path: str
    """Script, relative to the application."""
    title: str
    icon: str
    lead: str
    """What a person can do here, in one sentence."""
    group: str

    @property
    def link(self) -> str:
        """Path of the page's own link."""
        return "/" if self.path == "app.py" else f"/{self.key}"


PAGES: tuple[Page, ...] = (
    Page(
        key="home",
        path="app.py",
        title="Home",
        icon=":material/home:",
        lead="Noise that stays inside the bounds you choose and is right on average, with a "
        "privacy guarantee that is checked before anything is released.",
        group="Use",
    ),
    Page(
        key="privatize",
        path="pages/privatize.py",
        title="Privatize",
        icon=":material/shield_lock:",
        lead="Add bounded, unbiased noise to columns of a table and download the result.",
        group="Use",
    ),
)


def page(key: str) -> Page:
    """The row of the table with that key."""
    return next(row for row in PAGES if row.key == key)


def groups() -> dict[str, list[Page]]:
    """The menu's sections in order, each with its pages."""
    sections: dict[str, list[Page]] = {}
    for row in PAGES:
        sections.setdefault(row.group, []).append(row)
    return sections
