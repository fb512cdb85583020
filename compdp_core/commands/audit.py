"""``compdp audit``: whether draws refute the ε that a mechanism claims."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from textwrap import fill

from compdp_core.auditing.attacks import FAULTY
from compdp_core.auditing.lower_bound import Audit, audit
from compdp_core.commands.given import GivenError
from compdp_core.commands.output import say
from compdp_core.experiments.mechanism_list import KEYS, roster
from compdp_core.text import number, percent

HELP = "put the epsilon that a mechanism claims to the test"
BROKEN = "broken-"
DESCRIPTION = """\
Draw from a mechanism for two neighbouring true values and find what the draws prove about its
epsilon: at least so much, with the stated confidence. Above the claim, the claim is refuted. Draws
can convict, but not acquit: that a mechanism keeps its epsilon is proved by its certificate.
"""
EXAMPLES = f"""\
examples:
  compdp audit A1B1 --epsilon 1 --bounds 0 100
  compdp audit broken-half

{fill("mechanisms: " + ", ".join(KEYS), 80, break_on_hyphens=False)}
{fill("broken on purpose: " + ", ".join(BROKEN + key for key in FAULTY), 80)}

public: no data is read, and nothing is released.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said."""
    parser.add_argument("mechanism", metavar="MECHANISM", help="by its name, as below")
    parser.add_argument("--epsilon", type=float, default=1.0, help="what it claims (default: 1)")
    parser.add_argument(
        "--bounds", type=float, nargs=2, default=(0.0, 100.0), metavar=("A", "B"),
        help="bounds of true values, which are the two neighbours, too (default: 0 100)",
    )  # fmt: skip
    parser.add_argument("--draws", type=int, default=400_000, help="how many (default: 400000)")
    parser.add_argument("--confidence", type=float, default=0.999, help="default: 0.999")
    parser.add_argument("--seed", type=int, default=1, help="of the draws (default: 1)")
    parser.add_argument("--json", action="store_true", help="the result as JSON")


def run(asked: argparse.Namespace) -> int:
    """Draw and say; a claim that is refuted is a result and no failure."""
    found = _audit(asked)
    if asked.json:
        say(json.dumps({**asdict(found), "refuted": found.refuted}, indent=2))
        return 0
    proved = (
        f"the claim of epsilon {number(found.claimed, 4)} "
        f"{'is REFUTED' if found.refuted else 'is not refuted'}: {found.draws:,} draws prove "
        f"epsilon at least {number(found.lower_bound, 4)} with confidence "
        f"{percent(found.confidence, 6)}"
    )
    say(proved)
    return 0


def _audit(asked: argparse.Namespace) -> Audit:
    said = {"draws": asked.draws, "seed": asked.seed, "confidence": asked.confidence}
    key = asked.mechanism
    if key.startswith(BROKEN) and key.removeprefix(BROKEN) in FAULTY:
        faulty = FAULTY[key.removeprefix(BROKEN)]()
        return audit(faulty.simulate, faulty.claimed, faulty.neighbours, **said)
    if key not in KEYS:
        known = ", ".join((*KEYS, *(BROKEN + each for each in FAULTY)))
        raise GivenError(f"no mechanism is called {key!r}: choose one of {known}")
    (made,) = roster(asked.epsilon, tuple(asked.bounds), keys=[key]).values()
    return audit(
        lambda values, seed: made.simulate(values, seed=seed),
        made.epsilon,
        made.inputs,
        delta=made.delta,
        **said,
    )
