"""How golden tables are written: one row a line, so that a change shows as the lines it changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write(name: str, tables: dict[str, Any]) -> None:
    """The tables and what is said of them, beside this file."""
    parts = []
    for key, value in tables.items():
        text = json.dumps(value)
        if isinstance(value, list):
            text = "[\n" + ",\n".join("  " + json.dumps(row) for row in value) + "\n ]"
        parts.append(f" {json.dumps(key)}: {text}")
    text = "{\n" + ",\n".join(parts) + "\n}\n"
    (Path(__file__).parent / name).write_text(text, encoding="utf-8")
