"""Reads the project's own files: which there are, what they import, what they call."""

from __future__ import annotations

import ast
import fnmatch
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
_GITIGNORE = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
IGNORED = (".git", *(line for line in _GITIGNORE if line and not line.startswith("#")))


def ignored(path: Path) -> bool:
    """Whether a path of the project has a part that .gitignore names."""
    parts = path.relative_to(ROOT).parts
    return any(fnmatch.fnmatch(part, pattern) for part in parts for pattern in IGNORED)


def files(*folders: str, suffix: str = "") -> list[Path]:
    """The project's files below these folders or files, sorted, without the ignored ones."""
    found: list[Path] = []
    for folder in folders:
        start = ROOT / folder
        candidates = start.rglob("*") if start.is_dir() else [start]
        found += [path for path in candidates if path.is_file() and path.name.endswith(suffix)]
    return sorted(path for path in found if not ignored(path))


def name(path: Path) -> str:
    """The path inside the project, for messages."""
    return path.relative_to(ROOT).as_posix()


def module_name(path: Path, root: Path = ROOT) -> str:
    """``compdp_core/design/optimize/exact.py`` is ``compdp_core.design.optimize.exact``."""
    parts = list(path.relative_to(root).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.AST, package: str = "") -> Iterator[str]:
    """Dotted names that a module imports, at any depth of nesting, for type checkers alone too.

    ``from a import b`` gives ``a.b``: whether b is a module or a name is the caller's to know.
    ``package`` resolves relative imports.
    """
    for part in ast.walk(tree):
        if isinstance(part, ast.Import):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            base = part.module or ""
            if part.level:
                above = package.split(".")[: len(package.split(".")) - part.level + 1]
                base = ".".join([*above, base]).strip(".")
            yield from (f"{base}.{alias.name}" for alias in part.names)


@cache
def imports_of(path: Path, root: Path = ROOT) -> set[str]:
    """What the module in this file imports."""
    module = module_name(path, root)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    return set(imports(ast.parse(path.read_text(encoding="utf-8")), package))


def graph_of(paths: list[Path], root: Path = ROOT) -> dict[str, set[str]]:
    """Which of these modules each of them imports."""
    modules = {module_name(path, root): path for path in paths}
    graph: dict[str, set[str]] = {module: set() for module in modules}
    for module, path in modules.items():
        for imported in imports_of(path, root):
            # `from package import name`: a module if there is one of that name, else the package.
            target = imported if imported in modules else imported.rpartition(".")[0]
            if target in modules and target != module:
                graph[module].add(target)
    return graph


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a round, the first again at the end; empty if none do."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []
