"""What to check of a page as it stands: contrast, cut words, names, and who is barred.

Each function returns what is wrong, in words; an empty list is a pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.browser.driver import AppPage

_ASK = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
ZOOMED = 640
"""Width of a window of 1280 pixels at 200 %."""


@dataclass(frozen=True)
class Look:
    """One way to look at a page."""

    scheme: str
    width: int

    def take(self, app: AppPage) -> None:
        """Change window and theme without loading the page again."""
        dark = self.scheme == "dark"
        app.page.emulate_media(color_scheme="dark" if dark else "light")
        app.page.set_viewport_size({"width": self.width, "height": 900})
        # Charts are drawn again a moment after the theme has changed.
        ink = "rgb(211, 218, 228)" if dark else "rgb(43, 51, 64)"
        app.page.wait_for_function(
            "ink => [...document.querySelectorAll('.xtick text')]"
            ".every(each => getComputedStyle(each).fill === ink)",
            arg=ink,
        )
        app.settle()


# Faults of the framework's own parts, none of them serious: the upload field's section has a
# spare label, and lists open in a place of their own beside the page.
FRAMEWORK = {("presentation-role-conflict", "minor"), ("region", "moderate")}


def barred(app: AppPage) -> list[str]:
    """What axe-core says bars people."""
    return [
        f"{found['rule']} ({found['impact']}): {found['elements']}"
        for found in app.accessibility_violations()
        if (found["rule"], found["impact"]) not in FRAMEWORK
    ]


def sticking_out(app: AppPage) -> list[str]:
    """The page must not scroll sideways."""
    beyond = app.page.evaluate(
        "() => Math.max(...[document.documentElement,"
        " document.querySelector('[data-testid=\"stMain\"]')]"
        ".map(e => e.scrollWidth - e.clientWidth))"
    )
    return [f"{beyond} pixels wider than the window"] if beyond > 0 else []


def cut(app: AppPage) -> list[str]:
    """Words that are not shown to their end, on the page, in fields and in charts."""
    return _asked(app, "cut")


def faint(app: AppPage) -> list[str]:
    """Words of charts below a contrast of 4.5 : 1, and drawn things that have no part of 3 : 1."""
    return _asked(app, "faint")


def overlapping(app: AppPage) -> list[str]:
    """Words of one chart that lie on each other."""
    return _asked(app, "overlapping")


def mute(app: AppPage) -> list[str]:
    """Charts that say nothing to those who cannot see them."""
    return _asked(app, "mute")


def _asked(app: AppPage, what: str) -> list[str]:
    found: list[str] = app.page.evaluate(f"() => {{ {_ASK}\nreturn {what}(); }}")
    return found


def faults(app: AppPage, look: Look) -> list[str]:
    """Everything that is wrong in that look."""
    look.take(app)
    # axe-core judges no contrast of what would have to be scrolled to.
    app.fit_height()
    checks = (barred, sticking_out, cut, faint, overlapping, mute)
    return [f"{look.scheme} {look.width}: {text}" for check in checks for text in check(app)]
