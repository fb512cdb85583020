"""Formulas in one variable, as a user types them: read and never run as code.

    number   2  0.5  1e-3            variable  v            constants  pi  e
    + - * /  and  ** or ^ (power)    brackets  ( )
    abs sqrt exp log sin cos tan tanh sign step             one argument
    min max                                                 two arguments or more

``log`` is natural; ``step(x)`` is 1 from ``x = 0`` on and 0 below; ``sign(0)`` is 0. Precedence is
that of Python and of mathematics: ``-v^2`` is ``-(v^2)``, ``2^3^2`` is ``2^(3^2)``.
"""

from __future__ import annotations

from compdp_core.shapes.formula.formula import Formula as Formula
from compdp_core.shapes.formula.grammar import ALLOWED as ALLOWED
from compdp_core.shapes.formula.grammar import CONSTANTS as CONSTANTS
from compdp_core.shapes.formula.grammar import FUNCTIONS as FUNCTIONS
from compdp_core.shapes.formula.grammar import LONGEST as LONGEST
from compdp_core.shapes.formula.grammar import VARIABLE as VARIABLE
from compdp_core.shapes.formula.grammar import FormulaError as FormulaError
