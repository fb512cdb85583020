"""Someone who has a keyboard and no mouse: what has the focus, and on to the next thing."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from playwright.sync_api import Page, TimeoutError

from tests.browser.driver import AGAIN_AFTER_MS

MOST = 90
"""Presses of Tab that anyone will bear: a table of data takes one for each of its columns."""

LATE = 20
"""Tenths of a second that the focus or its ring may come late on a busy machine."""

_WHERE = """
() => {
  let e = document.activeElement;
  while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  if (!e || e === document.body) return { tag: 'BODY', name: '', keys: [], ring: false };
  const keys = [];
  const trail = [];
  for (let at = e; at && at !== document.body; at = at.parentElement ?? at.getRootNode().host) {
    trail.push(at);
    for (const c of at.classList ?? []) if (c.startsWith('st-key-')) keys.push(c.slice(7));
  }
  const ringed = at => { const s = getComputedStyle(at);
    return s.outlineStyle === 'solid' && parseFloat(s.outlineWidth) >= 2; };
  const clone = e.cloneNode(true);
  clone.querySelectorAll?.('[data-testid*="Icon"]').forEach(icon => icon.remove());
  const label = e.labels?.[0]?.textContent;
  return {
    tag: e.tagName,
    name: (e.getAttribute('aria-label') || label || clone.textContent || '').trim(),
    keys,
    // What stands within a canvas is for screen readers; the canvas is what is seen.
    ring: (e.closest('canvas') ?? e).checkVisibility({ opacityProperty: true })
      && trail.slice(0, 6).some(ringed),
  };
}
"""


@dataclass(frozen=True)
class Place:
    """What has the keyboard."""

    tag: str
    name: str
    keys: list[str]
    """Keys of the containers around it, from the inside out."""
    ring: bool
    """Whether a ring of at least two pixels shows it."""

    @property
    def nowhere(self) -> bool:
        return self.tag == "BODY"


def where(page: Page) -> Place:
    return Place(**page.evaluate(_WHERE))


def stands_at(page: Page, name: str) -> None:
    """AssertionError unless the focus is on the thing of that name, or comes back to it soon: what
    was switched off for a moment has it again once it may be used, on a busy machine a little late.
    """
    for _ in range(LATE):
        if where(page).name == name:
            return
        page.wait_for_timeout(100)
    assert where(page).name == name


def tab_to(page: Page, name: str, *, back: bool = False) -> list[Place]:
    """Press Tab until the thing of that name has the focus; every place on the way.

    AssertionError if it is not reached, or a place shows no ring, or the focus is nowhere.
    """
    passed: list[Place] = []
    for _ in range(MOST):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        here = where(page)
        # What had it may make room at this moment, and a grid draws its ring in a frame of its own.
        for _ in range(LATE):
            if here.ring:
                break
            page.wait_for_timeout(100)
            here = where(page)
        assert not here.nowhere, f"fell off the page after {[p.name for p in passed[-3:]]}"
        assert here.ring, f"nothing shows that {here.tag} {here.name!r} has the focus"
        passed.append(here)
        if here.name == name:
            return passed
    raise AssertionError(f"{name!r} is not within {MOST} tabs: {[p.name for p in passed]}")


def enter(page: Page) -> None:
    page.keyboard.press("Enter")


def write(page: Page, text: str) -> None:
    """Type over what the field holds."""
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def pick(page: Page, label: str, option: str) -> None:
    """Tab to a select box, type the option and take it once the list offers it.

    On a busy machine a list may close again before it was used; a person then types once more.
    """
    tab_to(page, label)
    offered = page.get_by_role("option", name=option, exact=True)
    for patience in (*AGAIN_AFTER_MS, None):
        write(page, "")
        write(page, option)
        try:
            offered.wait_for(timeout=patience)
        except TimeoutError:
            if patience is None:
                raise
        else:
            break
    enter(page)


_BOX = """
() => {
  let e = document.activeElement;
  while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  const kind = [e.tagName, e.type, e.getAttribute('role'), e.getAttribute('kind'), e.dataset.testid,
    e.closest('[data-testid^="st"]')?.dataset.testid, e.className.split?.(' ')[0] === 'main'];
  // What is too small to be seen is shown by what it lies in.
  let seen = e;
  while (seen.parentElement && Math.min(seen.offsetWidth, seen.parentElement.offsetWidth) < 8)
    seen = seen.parentElement;
  const box = seen.getBoundingClientRect();
  return { kind: kind.join(' '), x: box.x, y: box.y, width: box.width, height: box.height };
}
"""

_CELL = re.compile(r"glide-cell-\d+-\d+|data-grid-canvas")
_PAINTED = """
() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(
  () => setTimeout(done, 100))))
"""

_CHANGED = """
async pictures => {
  const [a, b] = await Promise.all(pictures.map(async text => {
    const file = await fetch(`data:image/png;base64,${text}`);
    const image = await createImageBitmap(await file.blob());
    const sheet = new OffscreenCanvas(image.width, image.height).getContext('2d');
    sheet.drawImage(image, 0, 0);
    return sheet.getImageData(0, 0, image.width, image.height).data;
  }));
  const light = (d, i) => { const [r, g, b] = [d[i], d[i + 1], d[i + 2]].map(v => { v /= 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  let changed = 0;
  for (let i = 0; i < Math.min(a.length, b.length); i += 4) {
    const [x, y] = [light(a, i), light(b, i)];
    if ((Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05) >= 3) changed++;
  }
  return changed;
}
"""


@dataclass(frozen=True)
class Sighting:
    """How the focus shows on one kind of thing."""

    kind: str
    name: str
    pixels: int
    """Pixels that differ from the unfocused thing by a contrast of 3 : 1 or more."""


def sightings(page: Page, presses: int, known: set[str]) -> list[Sighting]:
    """Tab through the page and look at the first of each kind with and without the focus."""
    found = []
    for _ in range(presses):
        page.keyboard.press("Tab")
        if where(page).nowhere:
            continue
        box = page.evaluate(_BOX)
        # A grid hands the focus on from its canvas to its cells, which are of one kind.
        kind = _CELL.sub("grid", box.pop("kind"))
        if kind in known:
            continue
        known.add(kind)
        found.append(Sighting(kind, where(page).name, _difference(page, box, kind)))
    return found


def _difference(page: Page, box: dict[str, float], kind: str) -> int:
    size = page.viewport_size or {"width": 0, "height": 0}
    left, top = max(0, box["x"] - 8), max(0, box["y"] - 8)
    clip = {
        "x": left,
        "y": top,
        "width": max(1, min(size["width"], box["x"] + box["width"] + 8) - left),
        "height": max(1, min(size["height"], box["y"] + box["height"] + 8) - top),
    }

    def picture() -> str:
        # Grids paint what they show themselves, in a frame of their own.
        page.evaluate(_PAINTED)
        shot = page.screenshot(clip=clip, animations="disabled")  # type: ignore[arg-type]
        return base64.b64encode(shot).decode()

    focused = picture()
    if "grid" in kind:
        # The ring of a grid stays on its cell without the focus; it moves where an arrow key leads.
        page.keyboard.press("ArrowDown")
    else:
        page.evaluate(
            "() => { let e = document.activeElement; while (e.shadowRoot?.activeElement)"
            " e = e.shadowRoot.activeElement; e.blur(); }"
        )
    changed: int = page.evaluate(_CHANGED, [focused, picture()])
    return changed
