"""The pictures of README.md: one of each page, drawn by the script, there, and light."""

from __future__ import annotations

import re

from pages.shell.page_list import PAGES
from tests.browser.pictures import ASSETS, LARGEST, PICTURES, file_of

ROOT = ASSETS.parent
SHOWN = re.compile(r"!\[([^\]]*)\]\((assets/[^)]+)\)")


def test_readme_shows_what_the_script_draws() -> None:
    shown = SHOWN.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert {path for _, path in shown} == {
        file_of(name).relative_to(ROOT).as_posix() for name in PICTURES
    }
    assert all(len(words) > 20 for words, _ in shown)


def test_there_is_one_of_each_page() -> None:
    assert set(PICTURES) == {row.key for row in PAGES}


def test_every_picture_is_there_and_light() -> None:
    sizes = {name: file_of(name).stat().st_size for name in PICTURES}
    assert all(10_000 < size < LARGEST for size in sizes.values()), sizes
    drawn = {path.name for path in ASSETS.glob("*.webp")} | {p.name for p in ASSETS.glob("*.png")}
    assert drawn == {file_of(name).name for name in PICTURES}
