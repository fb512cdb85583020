"""Names of test cases: the same in every process, as tests on several cores need them."""

from __future__ import annotations

import re
from typing import Any


def shown(value: Any) -> str:
    """The value as Python writes it, without its place in memory, cut to a readable length."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))[:40]
