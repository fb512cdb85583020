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
        lead="Noise with hard bounds that is right on average, with a privacy guarantee that is "
        "checked before anything is released.",
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
    Page(
        key="statistic",
        path="pages/statistic.py",
        title="Release a statistic",
        icon=":material/query_stats:",
        lead="Release one number about a column, such as its mean: far more exact than noise on "
        "every row.",
        group="Use",
    ),
    Page(
        key="budget",
        path="pages/budget.py",
        title="Budget",
        icon=":material/savings:",
        lead="Every release, what all of them cost together, and the limit they must stay within.",
        group="Use",
    ),
    Page(
        key="learn",
        path="pages/learn.py",
        title="Learn",
        icon=":material/school:",
        lead="A short course: each step has one thing to try and one question.",
        group="Explore",
    ),
    Page(
        key="optimizer",
        path="pages/optimizer.py",
        title="Optimizer",
        icon=":material/trending_down:",
        lead="Watch five algorithms search for the noise with the least variance, against the "
        "exact answer.",
        group="Explore",
    ),
    Page(
        key="function_lab",
        path="pages/function_lab.py",
        title="Function lab",
        icon=":material/experiment:",
        lead="Set every parameter by hand, or make a shape of your own: density, constraints and "
        "privacy follow at once.",
        group="Explore",
    ),
    Page(
        key="compare_mechanisms",
        path="pages/compare_mechanisms.py",
        title="Compare mechanisms",
        icon=":material/balance:",
        lead="Laplace, Gaussian and others against the composite mechanism: error, bias, range and "
        "single draws side by side, without data.",
        group="Explore",
    ),
    Page(
        key="paper",
        path="pages/paper.py",
        title="Paper",
        icon=":material/article:",
        lead="Run the paper again: the printed numbers, ours, and the reason for every difference.",
        group="Check",
    ),
    Page(
        key="audit",
        path="pages/audit.py",
        title="Audit",
        icon=":material/policy:",
        lead="Put any mechanism to the test: its claim against its probabilities and its draws, "
        "and attacks to try, each with the fix beside it.",
        group="Check",
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
