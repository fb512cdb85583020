"""The order of the house: what each floor is made of, and that nothing reaches upward.

Arrows that only type checkers see count as well: whoever reads a module has to read those, too.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pages.shell.page_list import PAGES as LISTED
from pages.shell.page_list import Page
from tests.architecture.source import ROOT, circle, files, graph_of, module_name, name

# From the top down. What stands in one line knows nothing of each other.
CORE: tuple[tuple[str, ...], ...] = (
    ("__main__",),
    ("",),
    ("commands", "survey"),
    ("estimates", "engines"),
    ("report",),
    ("experiments", "auditing"),
    ("release",),
    ("mechanisms",),
    ("design", "statistics"),
    ("shapes", "accounting"),
    ("tables",),
    ("randomness", "intervals", "adjacency"),
    ("parameters",),
    ("validation",),
    ("numerics", "errors", "text"),
)
PAGES: tuple[tuple[str, ...], ...] = (
    ("scripts",),
    ("sections",),
    ("sections.shared",),
    ("shell",),
    ("inputs",),
    ("charts",),
    ("session",),
    ("rooms",),
    ("text",),
)
PACKAGES, LOOSE = 14, 9
COMPONENT = 150
"""Lines of a part of a page. What is longer wants a noun of its own."""


def core_room(module: str) -> str:
    """The package or loose module right under ``compdp_core``; empty for its front door."""
    return module.split(".")[1] if "." in module else ""


def page_room(module: str) -> str:
    """The floor of a module of the pages."""
    parts = module.split(".")
    if len(parts) < 3 and not (ROOT / "pages" / parts[-1]).is_dir():
        return "scripts"
    if parts[1] == "sections":
        return "sections.shared" if parts[2:3] == ["shared"] else "sections"
    return parts[1]


def upward(
    graph: dict[str, set[str]], order: Sequence[Iterable[str]], room: dict[str, str]
) -> list[str]:
    """Arrows that do not lead down, from one room into another."""
    floor = {each: height for height, line in enumerate(order) for each in line}
    return [
        f"{module} imports {below}"
        for module, belows in sorted(graph.items())
        for below in sorted(belows)
        if room[module] != room[below] and floor[room[below]] <= floor[room[module]]
    ]


def borrowed(graph: dict[str, set[str]]) -> list[str]:
    """Pages and their parts that import parts of another page."""
    key = {m: m.split(".")[2] for m in graph if m.startswith("pages.sections.")}
    key |= {m: m.split(".")[1] for m in graph if m.count(".") == 1}
    return [
        f"{module} imports {below}"
        for module, belows in graph.items()
        for below in belows
        if below.startswith("pages.sections.") and key.get(below) not in {"shared", key.get(module)}
    ]


def misnamed(rows: Iterable[Page], sections: set[str]) -> list[str]:
    """Keys of pages whose script or parts are called otherwise; the address is made of the key."""
    return [
        row.key for row in rows if row.key not in sections or not Path(ROOT, row.path).is_file()
    ]


def rooms(top: Path) -> tuple[int, int]:
    """How many packages, and how many loose modules, stand right in a folder."""
    packages = [path for path in top.iterdir() if (path / "__init__.py").exists()]
    loose = [path for path in top.glob("*.py") if path.name != "__init__.py"]
    return len(packages), len(loose)


def too_long(paths: Iterable[Path]) -> list[str]:
    return [
        path.name
        for path in paths
        if len(path.read_text(encoding="utf-8").splitlines()) > COMPONENT
    ]


@pytest.mark.parametrize(
    ("top", "order", "room_of"),
    [("compdp_core", CORE, core_room), ("pages", PAGES, page_room)],
    ids=["library", "pages"],
)
def test_all_is_built_downward_without_a_round_even_for_types(
    top: str, order: Sequence[Sequence[str]], room_of: Callable[[str], str]
) -> None:
    graph = graph_of(files(top, suffix=".py"))
    room = {module: room_of(module) for module in graph}
    assert set(room.values()) == {each for line in order for each in line}
    assert not upward(graph, order, room)
    assert not circle(graph), "circle of imports: " + " -> ".join(circle(graph))


def test_the_graph_is_the_real_one() -> None:
    graph = graph_of(files("compdp_core", suffix=".py"))
    assert graph["compdp_core.errors"] == set()
    assert sum("compdp_core.errors" in below for below in graph.values()) >= 3


def test_no_page_is_made_of_parts_of_another() -> None:
    assert not borrowed(graph_of(files("pages", suffix=".py")))


def test_script_parts_and_address_of_a_page_share_its_key() -> None:
    sections = {path.parent.name for path in files("pages/sections", suffix="__init__.py")}
    assert not misnamed(LISTED, sections)


def test_the_library_has_few_rooms() -> None:
    packages, loose = rooms(ROOT / "compdp_core")
    assert packages <= PACKAGES
    assert loose <= LOOSE


def test_parts_of_pages_are_short() -> None:
    assert not too_long(files("pages/sections", suffix=".py"))


def classes(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Every class that stands at the top of a module, with the modules it stands in."""
    found = defaultdict(list)
    for path in paths:
        for part in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(part, ast.ClassDef):
                found[part.name].append(name(path) if path.is_relative_to(ROOT) else path.name)
    return found


def test_no_class_name_means_two_things() -> None:
    found = classes(files("compdp_core", "pages", suffix=".py"))
    assert len(found) > 200
    assert not {each: where for each, where in found.items() if len(where) > 1}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from made_up.high import top", True),
        ("if TYPE_CHECKING:\n    from made_up.high import top", True),
        ("def late():\n    import made_up.high", True),
        ("from made_up import high", True),
        ("from .high import top", True),
        ("if not TYPE_CHECKING:\n    def __getattr__(n):\n        from made_up import high", True),
        ("if TYPE_CHECKING:\n    import csv\nelse:\n    from made_up import high", True),
        ("if TYPE_CHECKING:\n    import csv\nelif late:\n    from made_up import high", True),
        ("import csv", False),
    ],
)
def test_a_way_up_is_found(text: str, found: bool, tmp_path: Path) -> None:
    package = tmp_path / "made_up"
    package.mkdir()
    modules = {"__init__": "", "high": "from made_up.low import x\ntop = x", "low": text}
    for each, content in modules.items():
        (package / f"{each}.py").write_text(content, encoding="utf-8")
    paths = sorted(package.glob("*.py"))
    graph = graph_of(paths, tmp_path)
    room = {module_name(path, tmp_path): path.stem.strip("_") for path in paths}
    order = (("init",), ("high",), ("low",))
    assert upward(graph, order, room) == (["made_up.low imports made_up.high"] if found else [])
    assert bool(circle(graph)) == found


def test_what_breaks_the_order_is_found(tmp_path: Path) -> None:
    """Twins of the tests above: two meanings of a class, one room and one line too many."""
    for each in ("one", "two"):
        (tmp_path / f"{each}.py").write_text("class Plan:\n    pass\n", encoding="utf-8")
    assert classes(sorted(tmp_path.glob("*.py"))) == {"Plan": ["one.py", "two.py"]}
    assert rooms(tmp_path) == (0, 2)
    (tmp_path / "three").mkdir()
    assert rooms(tmp_path) == (0, 2)
    (tmp_path / "three" / "__init__.py").touch()
    assert rooms(tmp_path) == (1, 2)
    for lines in (COMPONENT, COMPONENT + 1):
        (tmp_path / "two.py").write_text("x = 1\n" * lines, encoding="utf-8")
        assert too_long(tmp_path.glob("*.py")) == ["two.py"] * (lines > COMPONENT)


@pytest.mark.parametrize(
    ("module", "below", "found"),
    [
        ("pages.sections.learn.lesson", "pages.sections.audit.draws", True),
        ("pages.learn", "pages.sections.audit.draws", True),
        ("pages.sections.shared.table", "pages.sections.audit.draws", True),
        ("pages.sections.learn.lesson", "pages.sections.learn.course", False),
        ("pages.learn", "pages.sections.learn.course", False),
        ("pages.sections.learn.lesson", "pages.sections.shared.table", False),
    ],
)
def test_a_borrowed_part_is_found(module: str, below: str, found: bool) -> None:
    assert borrowed({module: {below}, below: set()}) == [f"{module} imports {below}"] * found


def test_a_page_under_two_names_is_found() -> None:
    (page,) = (each for each in LISTED if each.key == "learn")
    assert misnamed([page], {"learn", "exam"}) == []
    assert misnamed([page], {"exam"}) == ["learn"]
    assert misnamed([replace(page, key="exam")], {"learn", "exam"}) == ["exam"]
