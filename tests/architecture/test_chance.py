"""A test whose verdict depends on chance states how often it fails without a fault.

Such a test is recognised by what it does: in one test function, with the functions and fixtures
of its module that it uses, random values are drawn **and** condensed to a statistic. Its module
must then say "false alarm" next to a rate of at most 1e-9.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.architecture.source import files, name

LARGEST_RATE = 1e-9
DRAWS = {"release", "simulate", "default_rng", "Generator", "SystemSource", "SeededSource"}
STATISTICS = {
    "mean", "average", "var", "std", "median", "quantile", "percentile", "bincount", "histogram",
    "kstest", "ks_1samp", "ks_2samp", "chisquare", "power_divergence", "binomtest", "ttest_1samp",
    "fmean", "variance_of", "pvariance", "count_nonzero",
}  # fmt: skip
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
NEAR = 160


def _words(node: ast.AST) -> tuple[set[str], set[str]]:
    """Names called in a function, and all names it mentions, its parameters (fixtures) too."""
    called: set[str] = set()
    mentioned: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            if isinstance(part.func, ast.Attribute):
                called.add(part.func.attr)
            elif isinstance(part.func, ast.Name):
                called.add(part.func.id)
        elif isinstance(part, ast.Name):
            mentioned.add(part.id)
        elif isinstance(part, ast.arg):
            mentioned.add(part.arg)
    return called, called | mentioned


def chance_tests(source: str) -> set[str]:
    """Names of the test functions that draw and condense what they drew."""
    functions = {
        node.name: _words(node)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef)
    }
    found = set()
    for test in functions:
        reached, waiting = set[str](), [test]
        while waiting:
            function = waiting.pop()
            reached.add(function)
            waiting += [
                used for used in functions[function][1] if used in functions and used not in reached
            ]
        called = set().union(*(functions[function][0] for function in reached))
        if test.startswith("test_") and called & DRAWS and called & STATISTICS:
            found.add(test)
    return found


def stated_rates(source: str) -> list[float]:
    """Powers of ten written near the words "false alarm", on either side of them."""
    rates = []
    plain = re.sub(r"(?<=10)([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", r"^\1", source).translate(SUPERSCRIPTS)
    for words in re.finditer(r"(?i)false[-_\s]+(?:#\s*)?alarm", plain):
        around = plain[max(0, words.start() - NEAR) : words.end() + NEAR]
        for power in re.finditer(
            r"(?P<digits>\d+(?:\.\d+)?)e-(?P<e>\d+)|10(?:\^|\*\*)\{?-(?P<ten>\d+)", around
        ):
            exponent = int(power["e"] or power["ten"])
            rates.append(float(power["digits"] or 1) * 10.0**-exponent)
    return rates


def fault(source: str) -> str | None:
    """What is wrong with a test module under this rule, or None."""
    tests = chance_tests(source)
    if not tests:
        return None
    rates = stated_rates(source)
    if not rates:
        return f"states no false-alarm rate for {sorted(tests)}"
    # A relative tolerance may stand nearby too, so one good rate is asked for, not all.
    if min(rates) > LARGEST_RATE * 1.000001:
        return f"states false alarms of {min(rates):g}, more than {LARGEST_RATE:g}"
    return None


def modules() -> list[Path]:
    return [path for path in files("tests", suffix=".py") if path.name.startswith("test_")]


@pytest.mark.parametrize("path", modules(), ids=name)
def test_a_module_with_chance_tests_states_its_false_alarms(path: Path) -> None:
    if path == Path(__file__):
        return
    assert fault(path.read_text(encoding="utf-8")) is None


def test_the_project_has_such_modules() -> None:
    assert any(
        chance_tests(path.read_text(encoding="utf-8"))
        for path in modules()
        if path != Path(__file__)
    )


DRAWING = """
import numpy as np
from compdp_core import CompositeMechanism

def draw(m):
    return m.simulate(np.full(1000, 3.0), seed=1)

def test_mean():
    assert abs(np.mean(draw(CompositeMechanism(1.0, (0, 10)))) - 3) < 0.5
"""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (DRAWING, "states no false-alarm rate for ['test_mean']"),
        ("'''False alarm: 1e-3.'''" + DRAWING, "more than 1e-09"),
        ("'''False-alarm rate 1e-9 per test.'''" + DRAWING, None),
        ("# at most 2·10⁻¹⁰ false alarms" + DRAWING, None),
        ("FALSE_ALARM = 1e-12" + DRAWING, None),
        ("'''1e-12'''" + DRAWING, "states no false-alarm rate"),
        ("def test_inside(m):\n    assert max(m.release([1.0])) <= m.outputs[1]", None),
        ("def test_sum():\n    assert np.mean([1, 3]) == 2", None),
    ],
)
def test_the_rule_tells_good_modules_from_bad(source: str, expected: str | None) -> None:
    answer = fault(source)
    if expected is None:
        assert answer is None
    else:
        assert answer is not None
        assert expected in answer
