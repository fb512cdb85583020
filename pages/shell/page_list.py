"""The one table of pages: the menu, the doors on Home and the tests all read it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    key: str
    """Also the page's own link, except Home, which is the root."""
    group: str
    title: str
    icon: str
    lead: str
    """What a person can do here, in one sentence."""

    @property
    def path(self) -> str:
        """Script, relative to the application."""
        return "app.py" if self.key == "home" else f"pages/{self.key}.py"

    @property
    def link(self) -> str:
        return "/" if self.key == "home" else f"/{self.key}"


PAGES: tuple[Page, ...] = (
    Page(
        "home", "Use", "Home", ":material/home:",
        "Noise with hard bounds that is right on average, with a privacy guarantee that is "
        "checked before anything is released.",
    ),
    Page(
        "privatize", "Use", "Privatize", ":material/shield_lock:",
        "Add bounded, unbiased noise to columns of a table and download the result.",
    ),
    Page(
        "statistic", "Use", "Release a statistic", ":material/query_stats:",
        "Release one number about a column, such as its mean: far more exact than noise on every "
        "row.",
    ),
    Page(
        "read_release", "Use", "Read a release", ":material/menu_book:",
        "What a released table tells whoever receives it, and how surely: from the file and its "
        "card alone.",
    ),
    Page(
        "budget", "Use", "Budget", ":material/savings:",
        "Every release, what all of them cost together, and the limit they must stay within.",
    ),
    Page(
        "classroom", "Class", "Class", ":material/co_present:",
        "Ask a class: every phone adds the noise itself and sends only that, and the wall shows "
        "the mean coming out right.",
    ),
    Page(
        "room", "Class", "Join a room", ":material/smartphone:",
        "Answer your class on your own device: the noise is added here, before anything is sent.",
    ),
    Page(
        "lesson_plan", "Class", "Lesson plan", ":material/event_note:",
        "A lesson of 45 or 90 minutes with a room: what to ask, what to say, and what goes wrong.",
    ),
    Page(
        "learn", "Explore", "Learn", ":material/school:",
        "A short course: each step has one thing to try and one question.",
    ),
    Page(
        "optimizer", "Explore", "Optimizer", ":material/trending_down:",
        "Watch five algorithms search for the noise with the least variance, against the exact "
        "answer.",
    ),
    Page(
        "function_lab", "Explore", "Function lab", ":material/experiment:",
        "Set every parameter by hand, or make a shape of your own: density, constraints and "
        "privacy follow at once.",
    ),
    Page(
        "compare_mechanisms", "Explore", "Compare mechanisms", ":material/balance:",
        "Laplace, Gaussian and others against the composite mechanism: error, bias, range and "
        "single draws side by side, without data.",
    ),
    Page(
        "paper", "Check", "Paper", ":material/article:",
        "Run the paper again: the printed numbers, ours, and the reason for every difference.",
    ),
    Page(
        "audit", "Check", "Audit", ":material/policy:",
        "Put any mechanism to the test: its claim against its probabilities and its draws, and "
        "attacks to try, each with the fix beside it.",
    ),
)  # fmt: skip


def page(key: str) -> Page:
    return next(row for row in PAGES if row.key == key)


def groups() -> dict[str, list[Page]]:
    sections: dict[str, list[Page]] = {}
    for row in PAGES:
        sections.setdefault(row.group, []).append(row)
    return sections
