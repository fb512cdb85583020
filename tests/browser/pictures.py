"""Draws the pictures of README.md: `python -m tests.browser.pictures`, with names for some alone.

Every picture is of invented data, in the light theme, as in a window of 1280 by 900 pixels.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser import sights
from tests.browser.driver import AppPage
from tests.browser.server import CHROMIUM_FLAGS, ROOT, chromium, serving

ASSETS = ROOT / "assets"
SIZE = {"width": 1280, "height": 900}
LARGEST = 150_000
"""Bytes of a picture."""


@dataclass(frozen=True)
class Picture:
    """One page in an interesting state."""

    link: str
    do: Sequence[Callable[[AppPage], None]] = ()
    at: str = "h1"
    """What stands at the top of the window, below the bar of steps."""


PICTURES = {
    "home": Picture("/"),
    "privatize": Picture(
        "/privatize", [sights.open_the_survey, sights.set_two_columns], ".st-key-step-4"
    ),
    "statistic": Picture(
        "/statistic",
        [sights.open_the_survey, sights.ask_for_a_mean, sights.release_the_answer],
        ".st-key-step-5",
    ),
    "read_release": Picture("/read_release", [sights.read_the_example], ".st-key-step-3"),
    "budget": Picture(
        "/statistic",
        [
            sights.open_the_survey,
            sights.ask_for_a_mean,
            sights.release_the_answer,
            sights.look_at_the_budget,
        ],
    ),
    "classroom": Picture("/classroom", [sights.fill_a_room], "h2"),
    "room": Picture("/room", [sights.answer_in_a_room], ".st-key-room-phone"),
    "lesson_plan": Picture("/lesson_plan"),
    "learn": Picture("/learn?step=clamping", at=".st-key-lesson-task"),
    "optimizer": Picture("/optimizer", [sights.search], ".st-key-step-3"),
    "function_lab": Picture("/function_lab"),
    "compare_mechanisms": Picture("/compare_mechanisms", at=".st-key-step-3"),
    "paper": Picture("/paper", [sights.run_the_paper], ".st-key-step-3"),
    "audit": Picture("/audit", [sights.audit_a_broken_one], ".st-key-step-3"),
}
"""By the key of the page, which is also the name of the file."""

# A tenth of the size of a PNG, and as sharp; the browser can do it.
_PACK = """
async picture => {
  const image = await createImageBitmap(await (await fetch(picture)).blob());
  const sheet = new OffscreenCanvas(image.width, image.height);
  sheet.getContext("2d").drawImage(image, 0, 0);
  const packed = await sheet.convertToBlob({ type: "image/webp", quality: 0.9 });
  const text = Array.from(new Uint8Array(await packed.arrayBuffer()), c => String.fromCharCode(c));
  return btoa(text.join(""));
}
"""


def file_of(name: str) -> Path:
    return ASSETS / f"{name}.webp"


def draw(browser: Browser, url: str, name: str) -> None:
    """One picture, in a window of its own."""
    picture = PICTURES[name]
    context = browser.new_context(viewport=SIZE, color_scheme="light")  # type: ignore[arg-type]
    app = AppPage(context, url)
    app.open(picture.link)
    for do in picture.do:
        do(app)
    app.settle(timeout=120)
    app.page.mouse.move(0, 0)
    app.page.locator(picture.at).first.evaluate("e => e.scrollIntoView({ block: 'start' })")
    # No ring around what was used last.
    app.page.evaluate("document.activeElement?.blur()")
    app.settle()
    shot = base64.b64encode(app.page.screenshot(animations="disabled")).decode()
    packed = app.page.evaluate(_PACK, f"data:image/png;base64,{shot}")
    file_of(name).write_bytes(base64.b64decode(packed))
    context.close()


def main(names: Sequence[str]) -> None:
    """Draw these, or all."""
    found = chromium()
    if found is None:
        raise SystemExit("There is no Chromium here: apt-get install chromium")
    with (
        tempfile.TemporaryDirectory() as home,
        serving(ROOT / "app.py", Path(home)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found, args=[*CHROMIUM_FLAGS])
        for name in names or PICTURES:
            draw(browser, server.url, name)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
