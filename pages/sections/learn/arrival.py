"""After Back or Next the new step begins at the top."""

from __future__ import annotations

import time

from pages.inputs import links
from pages.sections.learn import settings as to
from pages.session.state import keep, recall
from pages.shell.arrival import arrive

TURNED = f"{to.PAGE}.turned"


def turn_to(key: str) -> None:
    """Callback of the buttons to other steps."""
    links.put(to.STEP.name, key)
    keep(TURNED, time.time())


def arrival() -> None:
    """Draw what watches for a turn, which shows nothing itself."""
    arrive(to.PAGE, '[class*="st-key-step-"] h2', recall(TURNED, 0.0))
