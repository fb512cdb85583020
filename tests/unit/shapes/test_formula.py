"""Formulas: read as Python's own grammar reads them, and nothing but formulas."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from compdp_core.errors import CompdpError
from compdp_core.shapes.formula import CONSTANTS, FUNCTIONS, LONGEST, Formula, FormulaError
from compdp_core.shapes.formula.grammar import ALLOWED, DEEPEST, MOST_STEPS, POINTWISE

V = np.linspace(-1.0, 1.0, 41)


def attempt(text: str) -> Formula | FormulaError:
    try:
        return Formula(text)
    except FormulaError as error:
        return error


# --- reading -------------------------------------------------------------------------------------

READ: dict[str, Callable[[np.ndarray], Any]] = {
    "v": lambda v: v,
    "  2.5e-1 ": lambda v: 0.25 + 0 * v,
    ".5 + 1.": lambda v: 1.5 + 0 * v,
    "1 - abs(2*v - 1)**3": lambda v: 1 - np.abs(2 * v - 1) ** 3,
    "1-abs(2*v-1)^3": lambda v: 1 - np.abs(2 * v - 1) ** 3,
    "-v^2": lambda v: -(v**2),
    "2^-v^2": lambda v: 2.0 ** (-(v**2)),
    "2^3^2*v": lambda v: 512.0 * v,
    "1 - 2 - 3*v": lambda v: 1 - 2 - 3 * v,
    "8/4/2 + v": lambda v: 1 + v,
    "--+-v": lambda v: -v,
    "-2*v/-4": lambda v: v / 2,
    "sin(pi*v) + cos(e*v)": lambda v: np.sin(np.pi * v) + np.cos(np.e * v),
    "tan(v) - tanh(v)": lambda v: np.tan(v) - np.tanh(v),
    "exp(-v) * log(2 + v)": lambda v: np.exp(-v) * np.log(2 + v),
    "sqrt((1 + v)^2)": lambda v: np.sqrt((1 + v) ** 2),
    "min(v, 0.25) + max(-v, 0, v/2)": lambda v: (
        np.minimum(v, 0.25) + np.maximum(np.maximum(-v, 0), v / 2)
    ),
    "max(min(v, 1, 2), min(-v, 3))": lambda v: np.maximum(v, -v),
    "step(v) + sign(v)": lambda v: np.where(v >= 0, 1.0, 0.0) + np.sign(v),
    "((((v))))": lambda v: v,
}


@pytest.mark.parametrize("text", READ)
def test_formulas_mean_what_they_say(text: str) -> None:
    np.testing.assert_allclose(Formula(text)(V), READ[text](V), rtol=1e-15, atol=1e-15)


PYTHON: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.USub: "negative",
}  # fmt: skip


def by_python(text: str, v: np.ndarray) -> np.ndarray:
    """The second route: Python's parser, walked with the same operations on arrays."""

    def walk(node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=int() | float() as value):
                return np.float64(value)
            case ast.Name(id=name):
                return v if name == "v" else np.float64(CONSTANTS[name])
            case ast.UnaryOp(op=ast.UAdd(), operand=x):
                return walk(x)
            case ast.UnaryOp(op=op, operand=x):
                return POINTWISE[PYTHON[type(op)]](walk(x))
            case ast.BinOp(left=x, op=op, right=y):
                return POINTWISE[PYTHON[type(op)]](walk(x), walk(y))
            case ast.Call(func=ast.Name(id=name), args=[*args]):
                *rest, last = [walk(x) for x in args]
                for x in reversed(rest):
                    last = POINTWISE[name](x, last)
                return last if rest else POINTWISE[name](last)
        raise AssertionError(ast.dump(node))

    with np.errstate(all="ignore"):
        return np.broadcast_to(walk(ast.parse(text.strip(), mode="eval").body), v.shape)


def wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Any operation around formulas, with brackets or without, so that precedence matters."""
    space = st.sampled_from(["", " "])
    symbol = st.sampled_from(["+", "-", "*", "/", "**"])
    one = st.sampled_from([f for f in FUNCTIONS if f not in ("min", "max")])
    return st.one_of(
        st.builds(lambda a, s, o, b: f"{a}{s}{o}{s}{b}", inner, space, symbol, inner),
        st.builds(lambda s, a: f"{s}{a}", st.sampled_from(["-", "+", "- "]), inner),
        st.builds(lambda a: f"({a})", inner),
        st.builds(lambda f, a: f"{f}({a})", one, inner),
        st.builds(
            lambda f, a: f"{f}({', '.join(a)})",
            st.sampled_from(["min", "max"]),
            st.lists(inner, min_size=2, max_size=4),
        ),
    )


leaves = st.sampled_from(["v", "v", "v", "1", "2", "0.5", "3", "pi", "e", "1e-2", "10"])
formulas = st.recursive(leaves, wrapped, max_leaves=12)


@given(text=formulas)
def test_the_grammar_is_pythons(text: str) -> None:
    formula = attempt(text)
    if isinstance(formula, FormulaError):
        assert "exponent" in formula.reason  # the one limit these can reach
        return
    np.testing.assert_array_equal(formula(V), by_python(text, V))
    np.testing.assert_array_equal(Formula(text.replace("**", "^"))(V), formula(V))


def test_a_reader_with_another_precedence_would_be_seen() -> None:
    # What Python itself makes of ^ and of a sign before a power.
    assert not np.allclose(Formula("1 - v^2")(V), (1 - V) ** 2)
    assert not np.allclose(by_python("-v**2", V), (-V) ** 2)


def test_formulas_are_values() -> None:
    formula = Formula("sin(pi*v)")
    assert formula == Formula("sin(pi*v)") != Formula("sin(pi * v)")
    assert hash(formula) == hash(Formula("sin(pi*v)"))
    restored = pickle.loads(pickle.dumps(formula))  # noqa: S301 - our own bytes
    np.testing.assert_array_equal(restored(V), formula(V))
    with pytest.raises(AttributeError):
        formula.text = "v"  # type: ignore[misc]


# --- refusing ------------------------------------------------------------------------------------

REFUSED = {
    "": (0, "is empty"),
    "   ": (3, "is empty"),
    "1 +": (3, "missing at the end"),
    "* v": (0, "missing before *"),
    "1 + * v": (4, "missing before *"),
    "()": (1, "missing before )"),
    "2v": (1, "write * for a product"),
    "v v": (2, "write * for a product"),
    "v(1 - v)": (1, "write * for a product"),
    "(v)(v)": (3, "write * for a product"),
    "(v": (0, "never closed"),
    "1 + (2*(v + 1)": (4, "never closed"),
    "v)": (1, "never opened"),
    "sin v": (0, "sin needs brackets"),
    "sin": (0, "sin needs brackets"),
    "1 + sin(": (8, "missing at the end"),
    "sin(v, v)": (5, "comma"),
    "0,5*v": (1, "decimals take a point"),
    "(v, v)": (2, "comma"),
    "min(v)": (3, "two arguments"),
    "min(v,)": (6, "missing before )"),
    "x": (0, "write v"),
    "V": (0, "write v"),
    "Sin(v)": (0, "write sin"),
    "ln(v)": (0, "write log"),
    "erf(v)": (0, "erf is unknown"),
    "tau*v": (0, "tau is unknown"),
    "1 − v": (2, "write -"),
    "2×v": (1, "write *"),
    "v²": (1, "write ^2"),
    "π*v": (0, "write pi"),
    "|v|": (0, "write abs(...)"),
    "[v]": (0, "write ("),
    "h = v": (2, "only what stands to the right"),
    "v\n+ 1": (1, "one line"),
    "v < 1": (2, "'<' is not read"),
    "1e400": (0, "too large"),
    "v**1e9": (1, "exponent"),
    "9**9**9": (1, "exponent"),
    "v^(2^10)": (1, "exponent"),
    "v^-1001": (1, "exponent"),
    "v^(0/0)": (1, "exponent"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_refusals_mark_the_place_and_name_the_way_out(text: str) -> None:
    position, words = REFUSED[text]
    with pytest.raises(FormulaError) as caught:
        Formula(text)
    error = caught.value
    assert isinstance(error, CompdpError)
    assert (error.text, error.position) == (text, position)
    assert words in error.reason
    first, shown, marker, allowed = str(error).split("\n")
    assert first == f"formula, character {position + 1}: {error.reason}"
    assert ALLOWED in allowed
    # The marker stands under the character.
    assert marker.index("^") - 4 == position
    assert shown[4:].replace("\ufffd", "?") == text.replace("\n", "?")


NO_FORMULAS = [
    "__import__('os').system('true')", "__import__", "().__class__.__bases__[0].__subclasses__()",
    "v.__class__", "v.real", "abs.__globals__", "(1).real", "np.sin(v)", "lambda: 0", "lambda v: v",
    "[x for x in (1,)]", "{v: 1}", "v if v else 1", "v := 1", "v; import os", "import os",
    "eval('1')", "exec(v)", "open('f')", "print(v)", "getattr(v, 'real')", "globals()", "f'{v}'",
    "'a'*1000", '"v"', "b'v'", "`v`", "v@v", "v//2", "v%2", "v<<99", "~v", "not v", "v and 1",
    "v == v", "*v", "min(*v, 1)", "min(**v)", "sin(x=v)", "1_000*v", "0x10", "1j*v", "True", "None",
    "nan", "inf", "v\x00", "\x00", "v # comment", "v\\\n",
    "１ + v",  # full-width digit
    "ѵ",  # Cyrillic izhitsa
    "ｓin(v)",  # full-width s, which Python folds into s
    "s\u0131n(v)",  # dotless i
    "v\u200b+1", "v\u00a0+1",  # a space of no width, and one that does not break
    "\ufeffv", "\u202ev", "9**9**9**9", "v**(9**9)", "(" * 10_000, "-" * 10_000 + "v", "1" * 10_000,
    "v" + "**v" * 10_000, "🙂", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_FORMULAS)
def test_what_is_not_a_formula_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        Formula(text)


@pytest.mark.parametrize("value", [None, 1, 1.5, b"v", ["v"], V])
def test_only_text_is_a_formula(value: Any) -> None:
    with pytest.raises(FormulaError, match="must be text"):
        Formula(value)


def test_limits_are_where_they_say() -> None:
    assert Formula("v".ljust(LONGEST))(0.5) == 0.5
    assert Formula("(" * DEEPEST + "v" + ")" * DEEPEST)(0.5) == 0.5
    most = (MOST_STEPS + 1) // 2
    assert Formula("+".join(["v"] * most))(1.0) == most
    assert Formula("v^1000")(1.0) == 1.0
    for text, words in [
        ("v".ljust(LONGEST + 1), "longer than"),
        ("(" * (DEEPEST + 1) + "v" + ")" * (DEEPEST + 1), "brackets within brackets"),
        ("+".join(["v"] * (most + 1)), "steps"),
        ("v^1000.1", "exponent"),
    ]:
        with pytest.raises(FormulaError, match=words):
            Formula(text)


symbols = ["v", "1", "2.5", "e", "pi", "x", " ", "+", "-", "*", "/", "^", "**", "(", ")", ",", "."]
texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*symbols, *FUNCTIONS]), max_size=30).map("".join),
    formulas,
)


@given(text=texts)
@example(text="1/v")
@example(text="exp(exp(exp(9)))")
@settings(max_examples=300)
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    formula = attempt(text)
    if isinstance(formula, FormulaError):
        assert 0 <= formula.position <= len(text)
        assert ALLOWED in str(formula)
        return
    # Silent (warnings are errors here), of the right shape, and harmless where undefined.
    values = formula(V)
    assert values.shape == V.shape
    assert values.dtype == np.float64
    for v in V[~np.isfinite(values)][:1]:
        error = formula.fault(float(v))
        assert 0 <= error.position < len(text)
        assert "no finite value" in error.reason


@pytest.mark.parametrize(
    ("text", "v", "position"),
    [
        ("1 + 1/v", 0.0, 5),
        ("v + log(v)*2", 0.0, 4),
        ("sqrt(v - 1) + 1/v", 0.0, 0),
        ("2*tan(1/(v - v))", 0.3, 7),
        ("exp(1000*v)", 1.0, 0),
        ("(v - 2)^0.5", 1.0, 7),
        ("0*exp(1000*v)", 1.0, 2),
    ],
)
def test_a_missing_value_is_blamed_on_the_step_that_lost_it(
    text: str, v: float, position: int
) -> None:
    error = Formula(text).fault(v)
    assert (error.position, f"v = {v:g}" in error.reason) == (position, True)
