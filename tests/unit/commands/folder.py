"""A folder with a table, settings and a ledger, in which commands are run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
ROWS = 300
SECRET = "Zaphod"
DATA = f"name,bmi,ward\r\n{SECRET},33.25,A\r\n" + "".join(
    f"P{row},{20 + row % 20}.5,{'AB'[row % 2]}\r\n" for row in range(ROWS - 1)
)
Say = Callable[..., tuple[int, str, str]]
PRIVATIZE = ("privatize", "in.csv", "out.csv", "--settings", "s.json")
LEDGER = ("--ledger", "l.json")


def everything() -> dict[str, bytes]:
    """Each file of the folder but the lock, with its bytes."""
    names = (each for each in os.listdir() if not each.endswith(".lock"))
    return {each: Path(each).read_bytes() for each in names if Path(each).is_file()}


def edited(change: Callable[[dict[str, Any]], object], name: str = "s.json") -> None:
    data = json.loads(Path(name).read_text(encoding="utf-8"))
    change(data)
    Path(name).write_text(json.dumps(data), encoding="utf-8")
