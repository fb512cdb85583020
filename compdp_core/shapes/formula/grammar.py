"""From the text of a formula to its operations: the grammar, and every refusal.

The text is first cut into the symbols of the tables below, and whatever is none of them is refused
with its place, as are symbols in a wrong order. What is left, written as Python writes it (``^`` as
``**``), goes through Python's own parser for the precedence, and out of its tree a whitelist of
nodes is taken as a flat list for a stack. Nothing is run as code, and no name, attribute, keyword
or look-alike letter that is not in the tables reaches the parser.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from compdp_core.errors import CompdpError

VARIABLE = "v"
CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e}

POINTWISE: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
    "negative": np.negative,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "sign": np.sign,
    "step": lambda x: np.heaviside(x, 1.0),
    "min": lambda *x: reduce(np.minimum, x),
    "max": lambda *x: reduce(np.maximum, x),
}
"""What each operation does to values."""

SEVERAL = ("min", "max")
FUNCTIONS: tuple[str, ...] = tuple(n for n in POINTWISE if n.isalpha() and n != "negative")

LONGEST = 500
"""Characters of a formula."""
DEEPEST = 50
"""Brackets within brackets."""
MOST_STEPS = 250
"""Numbers, operators and functions together: bounds the cost of one evaluation."""
LARGEST_EXPONENT = 1000.0
"""A constant exponent's size."""

ALLOWED = (
    f"numbers, {VARIABLE}, {', '.join(CONSTANTS)}, + - * / ^ ** ( ), "
    f"and the functions {', '.join(FUNCTIONS)}"
)

_SYMBOLS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**",
}  # fmt: skip
_TOKEN = re.compile(
    r"(?P<space>[ \t]+)"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<symbol>\*\*|[-+*/^(),])"
)
_INSTEAD = {
    "\u2212": "-", "\u2013": "-", "\u2014": "-", "\u00d7": "*", "\u00b7": "*", "\u22c5": "*",
    "\u00f7": "/", ":": "/", "\u03c0": "pi", "\u221a": "sqrt(...)", "\u00b2": "^2", "\u00b3": "^3",
    "|": "abs(...)", "[": "(", "]": ")", "{": "(", "}": ")", ";": ",",
}  # fmt: skip
_RENAMED = {"x": VARIABLE, "t": VARIABLE, "u": VARIABLE, "ln": "log", "pow": "^", "fabs": "abs"}


class FormulaError(CompdpError):
    """A formula cannot be read, or has no finite value somewhere on its domain.

    ``text`` is the formula, ``position`` the place in it (0 for the first character), ``reason``
    what is wrong there.
    """

    def __init__(self, text: str, position: int, reason: str) -> None:
        self.text = text
        self.position = position
        self.reason = reason
        start = max(0, position - 30)
        excerpt = "".join(c if c.isprintable() else "\ufffd" for c in text[start : position + 30])
        super().__init__(
            f"formula, character {position + 1}: {reason}\n"
            f"    {excerpt}\n    {' ' * (position - start)}^\n"
            f"Allowed are {ALLOWED}"
        )


class Operation(NamedTuple):
    """Puts a number or the variable on the stack, or replaces its arguments there by a result."""

    name: str
    """A key of :data:`POINTWISE`, ``"number"`` or ``"v"``."""
    position: int
    """Where in the text it stands."""
    arguments: int = 0
    """How many values it takes from the stack."""
    value: float = 0.0

    def on(self, v: Any, taken: list[Any]) -> Any:
        """Its result, for a value of the variable and what was taken from the stack.

        Meant to run inside ``np.errstate(all="ignore")``.
        """
        if self.name == "number":
            return np.float64(self.value)
        if self.name == VARIABLE:
            return v
        return POINTWISE[self.name](*taken)


class _Token(NamedTuple):
    kind: str
    """number, name or symbol."""
    text: str
    position: int


class _Bracket(NamedTuple):
    position: int
    function: str
    """Empty where no function stands in front."""
    commas: int = 0


def read(text: object) -> tuple[Operation, ...]:
    """The operations of a formula, in the order of evaluation. Raises :class:`FormulaError`."""
    if not isinstance(text, str):
        raise FormulaError("", 0, f"must be text, not {type(text).__name__}")
    tokens = list(_tokens(text))
    _check_order(text, tokens)
    python = ""
    places: list[int] = []
    for token in tokens:
        written = repr(float(token.text)) if token.kind == "number" else token.text
        python += f"{written.replace('^', '**')} "
        places += [token.position] * (len(python) - len(places))
    operations = []
    # Without recursion: a formula of signs alone is as deep as it is long.
    waiting: list[ast.expr] = [ast.parse(python, mode="eval").body]
    while waiting:
        node = waiting.pop()
        operation, inner = _operation(node, python)
        if operation is not None:
            operations.append(operation._replace(position=places[operation.position]))
        waiting += inner
    operations.reverse()
    with np.errstate(all="ignore"):
        _check_cost(text, operations)
    return tuple(operations)


def _tokens(text: str) -> Iterator[_Token]:
    if len(text) > LONGEST:
        raise FormulaError(text, LONGEST, f"is longer than {LONGEST} characters")
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise FormulaError(text, position, _refused(text[position]))
        if match.lastgroup != "space":
            yield _Token(str(match.lastgroup), match.group(), position)
        position = match.end()


def _check_order(text: str, tokens: list[_Token]) -> None:
    """Refuse symbols where they cannot stand, brackets without a partner and stray commas."""
    brackets: list[_Bracket] = []
    ended, function = False, ""  # whether a value has just ended, and a function to be opened
    for i, (kind, symbol, position) in enumerate(tokens):
        _check_neighbour(text, tokens[i], ended)
        if kind == "name" and symbol not in (VARIABLE, *CONSTANTS):
            if symbol not in FUNCTIONS:
                raise FormulaError(text, position, _unknown(symbol))
            if i + 1 == len(tokens) or tokens[i + 1].text != "(":
                raise FormulaError(text, position, f"{symbol} needs brackets: {symbol}(...)")
            function = symbol
            continue
        _check_bracket(text, tokens[i], brackets, function)
        ended, function = kind != "symbol" or symbol == ")", ""
    if not ended:
        reason = "a value is missing at the end" if tokens else "is empty"
        raise FormulaError(text, len(text), reason)
    if brackets:
        raise FormulaError(text, brackets[-1].position, "this bracket is never closed")


def _check_neighbour(text: str, token: _Token, ended: bool) -> None:
    """``ended``: whether a value has just ended in front of it."""
    kind, symbol, position = token
    begins = kind != "symbol" or symbol == "("
    if ended and begins:
        reason = "an operator is missing here: write * for a product"
        raise FormulaError(text, position, reason)
    if not ended and not begins and symbol not in "+-":
        raise FormulaError(text, position, f"a value is missing before {symbol}")
    if kind == "number" and not math.isfinite(float(symbol)):
        raise FormulaError(text, position, "this number is too large")


def _check_bracket(text: str, token: _Token, brackets: list[_Bracket], function: str) -> None:
    """``brackets``: those open in front of it, kept up to date."""
    _, symbol, position = token
    if symbol == "(":
        brackets.append(_Bracket(position, function))
        if len(brackets) > DEEPEST:
            reason = f"has more than {DEEPEST} brackets within brackets"
            raise FormulaError(text, position, reason)
    elif symbol == ",":
        if not brackets or brackets[-1].function not in SEVERAL:
            raise FormulaError(text, position, _COMMA)
        brackets[-1] = brackets[-1]._replace(commas=brackets[-1].commas + 1)
    elif symbol == ")":
        if not brackets:
            raise FormulaError(text, position, "this bracket was never opened")
        opened = brackets.pop()
        if opened.function in SEVERAL and not opened.commas:
            reason = f"{opened.function} takes two arguments or more"
            raise FormulaError(text, opened.position, reason)


def _operation(node: ast.expr, python: str) -> tuple[Operation | None, list[ast.expr]]:
    """What a node does and the nodes of its arguments; no other kind of node is known."""
    at = node.col_offset
    match node:
        case ast.Constant(value=float(value)):
            return Operation("number", at, value=value), []
        case ast.Name(id=name):
            if name == VARIABLE:
                return Operation(VARIABLE, at), []
            return Operation("number", at, value=CONSTANTS[name]), []
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return None, [inner]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return Operation("negative", at, 1), [inner]
        case ast.BinOp(left=left, op=op, right=right):
            symbol = _SYMBOLS[type(op)]
            # Between the left argument and the operator stand at most brackets.
            return Operation(symbol, python.index(symbol, left.end_col_offset), 2), [left, right]
        case ast.Call(func=ast.Name(id=name), args=inner) if name in FUNCTIONS:
            return Operation(name, at, len(inner)), inner
    raise AssertionError(f"{type(node).__name__} is no part of a formula")


def _check_cost(text: str, operations: list[Operation]) -> None:
    """Refuse too many operations and exponents without sense."""
    cost = 0
    known: list[Any] = []
    """For each value on the stack: the number it is, or None where it depends on ``v``."""
    for operation in operations:
        cost += max(1, operation.arguments - 1)
        if cost > MOST_STEPS:
            raise FormulaError(text, operation.position, f"takes more than {MOST_STEPS} steps")
        first = len(known) - operation.arguments
        taken, known[first:] = known[first:], []
        if operation.name == "**" and taken[1] is not None:
            if not abs(taken[1]) <= LARGEST_EXPONENT:
                reason = f"the exponent is larger than {LARGEST_EXPONENT:g}"
                raise FormulaError(text, operation.position, reason)
        known.append(None if None in taken else operation.on(None, taken))


_COMMA = "a comma only separates the arguments of min and max: decimals take a point"


def _refused(character: str) -> str:
    shown = repr(character) if character.isprintable() else f"U+{ord(character):04X}"
    if character in _INSTEAD:
        return f"{shown} is not read: write {_INSTEAD[character]}"
    if character == "=":
        return "'=' is not read: write only what stands to the right of it"
    if character in "\r\n":
        return "a formula is one line"
    return f"{shown} is not read"


def _unknown(name: str) -> str:
    lower = name.lower()
    if lower in (VARIABLE, *CONSTANTS, *FUNCTIONS):
        return f"{name} is unknown: write {lower}"
    if lower in _RENAMED:
        return f"{name} is unknown: write {_RENAMED[lower]}"
    return f"{name} is unknown"
