"""Step 5: attacks to try, one at a time, each with the fix beside it."""

from __future__ import annotations

from pages.inputs.options import segments
from pages.sections.audit import settings as to
from pages.sections.audit.attack_bits import bits
from pages.sections.audit.attack_bounds import bounds
from pages.sections.audit.attack_outside import outside
from pages.sections.audit.attack_repeats import repeats
from pages.session.fragments import fragment
from pages.shell.panels import step

_TRY = {"bounds": bounds, "repeats": repeats, "bits": bits, "outside": outside}


@fragment
def attacks() -> None:
    with step(
        5, "Attacks to try", "No proof is broken here: each attack uses a mistake around it."
    ):
        chosen = segments("Attack", to.ATTACKS, to.ATTACK.name, to.ATTACK.default)
        _TRY[chosen]()
