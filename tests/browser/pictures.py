"""Draws the pictures of README.md: `python -m tests.browser.pictures`.

Every picture is of an invented sample, in the light theme, 1280 pixels wide.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.driver import AppPage
from tests.browser.server import CHROMIUM_FLAGS, ROOT, chromium, serving

ASSETS = ROOT / "assets"
SIZE = {"width": 1280, "height": 900}
BOUNDS = "Fill in the sample's public bounds"


def privatize(app: AppPage) -> None:
    """Two columns of the school survey, down to the picture of the noise."""
    app.press("School health survey")
    app.select_many("Columns to privatize", ["height (cm)", "weight (kg)"])
    app.press(BOUNDS)


WHOLE = "[data-testid=stAppViewContainer]"
PICTURES = {
    "home": ("/", lambda app: None, WHOLE),
    "privatize": ("/privatize", privatize, ".st-key-step-4"),
    "function_lab": ("/function_lab", lambda app: None, WHOLE),
    "compare_mechanisms": ("/compare_mechanisms", lambda app: None, WHOLE),
}
"""For each picture the page's own link, what to do there first, and the part that is shown."""


def main() -> None:
    """Draw them all."""
    found = chromium()
    if found is None:
        raise SystemExit("There is no Chromium here: apt-get install chromium")
    with (
        tempfile.TemporaryDirectory() as home,
        serving(ROOT / "app.py", Path(home)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=[*CHROMIUM_FLAGS])
        for name, (link, prepare, part) in PICTURES.items():
            context = browser.new_context(viewport=SIZE, color_scheme="light")
            app = AppPage(context, server.url)
            app.open(link)
            prepare(app)
            app.settle(timeout=120)
            app.fit_height()
            app.page.locator(part).screenshot(path=ASSETS / f"{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
