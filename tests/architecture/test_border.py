"""Who turns arguments into arrays of numbers: one module, and what lies behind it.

This finds a direct conversion of an argument, in the way it is written here; not one of a copy.
What takers answer is looked at in ``tests/unit/test_validation.py``.
"""

from __future__ import annotations

import ast

from tests.architecture.source import files, name

CONVERSIONS = {"array", "asarray", "asanyarray", "ascontiguousarray", "atleast_1d", "fromiter"}

BEHIND_THE_BORDER = {
    "compdp_core/validation.py": "the border",
    "compdp_core/shapes/kinds.py": "heights in the searches: places of their own",
    "compdp_core/shapes/custom/curve.py": "the same of own shapes",
    "compdp_core/mechanisms/lattice/lattice.py": "places and values that a mechanism has let in",
    "compdp_core/mechanisms/baselines/whole_gaussian.py": "the same",
    "compdp_core/mechanisms/measurement.py": "numbers that OpenDP's domain has let in",
    "compdp_core/auditing/output_distribution.py": "two settings that were checked",
    "compdp_core/experiments/paper/bias_rates.py": "figures that were computed before",
    "compdp_core/report/frames_of_arrow.py": "noisy numbers, and which rows stay",
    "compdp_core/statistics/conditions.py": "cells of a condition, of any kind",
    "compdp_core/tables/columns.py": "positions of columns",
    "compdp_core/tables/writing.py": "positions of rows",
    "compdp_core/tables/value_formats/marks.py": "texts of cells",
    "compdp_core/tables/formatting.py": "noisy numbers and texts of cells",
}


def conversions(source: str) -> list[str]:
    """Calls that turn an argument of the function around them into an array."""
    return [
        ast.unparse(call)
        for function in ast.walk(ast.parse(source))
        if isinstance(function, ast.FunctionDef | ast.Lambda)
        for call in ast.walk(function)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in CONVERSIONS
        and call.args
        and isinstance(call.args[0], ast.Name)
        and call.args[0].id in _arguments(function.args)
    ]


def _arguments(of: ast.arguments) -> set[str]:
    several = [each for each in (of.vararg, of.kwarg) if each is not None]
    return {each.arg for each in (*of.posonlyargs, *of.args, *of.kwonlyargs, *several)}


def test_arguments_become_numbers_at_the_border_only() -> None:
    converting = {
        name(path)
        for path in files("compdp_core", suffix=".py")
        if conversions(path.read_text(encoding="utf-8"))
    }
    assert converting <= set(BEHIND_THE_BORDER)


def test_a_taker_that_converts_on_its_own_is_seen() -> None:
    assert conversions("def mean(values): return np.asarray(values, dtype=float).mean()")
    assert conversions("class A:\n def ask(self, *, x):\n  if x: return numpy.array(x)")
    assert not conversions("def mean(values): return floats('values', values).mean()")
