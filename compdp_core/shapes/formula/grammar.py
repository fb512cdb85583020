"""From the text of a formula to its steps: the grammar, and every refusal.

The reader is Dijkstra's shunting yard: each symbol is looked up in the tables below or refused, and
what comes out is a flat list of steps for a stack. Nothing in it can name an attribute, call
anything else or recurse. Python's own parser was the alternative and is not used: its ``^`` binds
more loosely than ``+``, it folds look-alike letters into Latin ones, and deep nesting can crash it.
Evaluators built on it (asteval, numexpr) had their sandboxes escaped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

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
    "min": np.minimum,
    "max": np.maximum,
}
"""What each step does to values; to intervals: :mod:`compdp_core.shapes.formula.enclosure`."""

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

_BINARY = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 4}
_SIGN = 3
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


@dataclass(frozen=True)
class Step:
    """One step on the stack: push a number or the variable, or replace arguments by a result."""

    operation: str
    """A key of :data:`POINTWISE`, ``"number"`` or ``"v"``."""
    position: int
    """Where in the text it stands."""
    value: float = 0.0
    """The number."""

    @property
    def arguments(self) -> int:
        """How many values it takes from the stack."""
        if self.operation in ("number", VARIABLE):
            return 0
        return 2 if self.operation in _BINARY or self.operation in SEVERAL else 1


class _Token(NamedTuple):
    kind: Literal["number", "name", "symbol"]
    text: str
    position: int


class _Waiting(NamedTuple):
    """An operator, function or bracket that waits for what follows it."""

    operation: str
    """A key of :data:`POINTWISE`, or ``"("``."""
    strength: int
    position: int
    function: str = ""
    """For a bracket: the function whose arguments it holds."""


class Reader:
    """One pass over the text; ``wants_value`` tells an operand's place from an operator's."""

    def __init__(self, text: object) -> None:
        if not isinstance(text, str):
            raise FormulaError("", 0, f"must be text, not {type(text).__name__}")
        self.text = text
        self.steps: list[Step] = []
        self.waiting: list[_Waiting] = []
        self.commas: list[int] = []
        self.known: list[float | None] = []
        """For each value on the stack: the number it is, or None where it depends on ``v``."""

    def error(self, position: int, reason: str) -> FormulaError:
        return FormulaError(self.text, position, reason)

    def tokens(self) -> Iterator[_Token]:
        if len(self.text) > LONGEST:
            raise self.error(LONGEST, f"is longer than {LONGEST} characters")
        position = 0
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise self.error(position, _refused(self.text[position]))
            if match.lastgroup != "space":
                yield _Token(match.lastgroup, match.group(), position)  # type: ignore[arg-type]
            position = match.end()

    def read(self) -> list[Step]:
        """The steps, in the order of evaluation."""
        wants_value = True
        tokens = list(self.tokens())
        for i, token in enumerate(tokens):
            opens = i + 1 < len(tokens) and tokens[i + 1].text == "("
            wants_value = (self.value if wants_value else self.operator)(token, opens)
        if wants_value:
            reason = "a value is missing at the end" if tokens else "is empty"
            raise self.error(len(self.text), reason)
        self.settle(0)
        if self.waiting:
            raise self.error(self.waiting[-1].position, "this bracket is never closed")
        return self.steps

    def value(self, token: _Token, opens: bool) -> bool:
        """Read where a value must begin; whether one must still begin afterwards."""
        kind, text, position = token
        if kind == "number":
            number = float(text)
            if not math.isfinite(number):
                raise self.error(position, "this number is too large")
            self.emit(Step("number", position, number))
            return False
        if kind == "name":
            return self.name(text, position, opens)
        if text == "(":
            # A function name just before it has put itself on top, waiting for its arguments.
            top = self.waiting[-1] if self.waiting else None
            belongs = top is not None and top.operation in FUNCTIONS
            self.open(position, top.operation if top is not None and belongs else "")
            return True
        if text in "+-":
            prefix = "negative" if text == "-" else "positive"
            self.waiting.append(_Waiting(prefix, _SIGN, position))
            return True
        raise self.error(position, f"a value is missing before {text}")

    def name(self, text: str, position: int, opens: bool) -> bool:
        if text == VARIABLE:
            self.emit(Step(VARIABLE, position))
        elif text in CONSTANTS:
            self.emit(Step("number", position, CONSTANTS[text]))
        elif text in FUNCTIONS:
            if not opens:
                raise self.error(position, f"{text} needs brackets: {text}(...)")
            self.waiting.append(_Waiting(text, _SIGN, position))
            return True
        else:
            raise self.error(position, _unknown(text))
        return False

    def open(self, position: int, function: str) -> None:
        self.waiting.append(_Waiting("(", 0, position, function))
        self.commas.append(0)
        if len(self.commas) > DEEPEST:
            raise self.error(position, f"has more than {DEEPEST} brackets within brackets")

    def operator(self, token: _Token, opens: bool) -> bool:
        """Read where a value has ended; whether the next one must begin."""
        kind, text, position = token
        symbol = "**" if text == "^" else text
        if kind != "symbol" or text == "(":
            raise self.error(position, "an operator is missing here: write * for a product")
        if symbol in _BINARY:
            # Powers group from the right, everything else from the left.
            self.settle(_BINARY[symbol] + (symbol == "**"))
            self.waiting.append(_Waiting(symbol, _BINARY[symbol], position))
            return True
        self.settle(0)
        if not self.waiting:
            wrong = "this bracket was never opened"
            raise self.error(position, wrong if text == ")" else _COMMA)
        bracket = self.waiting[-1]
        if text == ",":
            if bracket.function not in SEVERAL:
                raise self.error(position, _COMMA)
            self.commas[-1] += 1
            return True
        self.close(bracket)
        return False

    def close(self, bracket: _Waiting) -> None:
        self.waiting.pop()
        commas = self.commas.pop()
        if bracket.function in SEVERAL and not commas:
            raise self.error(bracket.position, f"{bracket.function} takes two arguments or more")
        if bracket.function:
            # min(a, b, c) is min(a, min(b, c)).
            name = self.waiting.pop()
            for _ in range(max(1, commas)):
                self.emit(Step(name.operation, name.position))

    def settle(self, strength: int) -> None:
        """Emit the operators that bind at least so strongly, down to the innermost bracket."""
        while self.waiting and self.waiting[-1].operation != "(":
            if self.waiting[-1].strength < strength:
                return
            done = self.waiting.pop()
            if done.operation != "positive":
                self.emit(Step(done.operation, done.position))

    def emit(self, step: Step) -> None:
        """Append a step and follow which values are constants."""
        if len(self.steps) >= MOST_STEPS:
            raise self.error(step.position, f"takes more than {MOST_STEPS} steps")
        first = len(self.known) - step.arguments
        taken, self.known[first:] = self.known[first:], []
        if step.operation == "**" and taken[1] is not None:
            if not abs(taken[1]) <= LARGEST_EXPONENT:
                raise self.error(step.position, f"the exponent is larger than {LARGEST_EXPONENT:g}")
        self.steps.append(step)
        if step.operation == "number":
            self.known.append(step.value)
        elif step.operation == VARIABLE or None in taken:
            self.known.append(None)
        else:
            with np.errstate(all="ignore"):
                self.known.append(float(POINTWISE[step.operation](*map(np.float64, taken))))


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
