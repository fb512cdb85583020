"""A file as it was handed in, and what downloads are named after it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pages.sections.shared.samples import Sample

LONGEST_STEM = 80
ENDINGS = (
    ".gz", ".zip", ".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".xls", ".ods", ".parquet", ".feather",
    ".arrow", ".jsonl", ".ndjson", ".json", ".dta", ".sav", ".zsav",
)  # fmt: skip
"""Of names, for naming downloads; what a file is, its content says."""


@dataclass(frozen=True, eq=False)
class Upload:
    name: str
    data: bytes
    sample: Sample | None

    @property
    def stem(self) -> str:
        name = self.name
        for ending in ENDINGS:
            name = name[: -len(ending)] if name.lower().endswith(ending) else name
        return name or "table"

    @property
    def base_name(self) -> str:
        """The name without folders, which some browsers put in front."""
        return re.split(r"[\\/]", self.name)[-1]

    @property
    def file_stem(self) -> str:
        """The same as any file system takes it, for naming downloads."""
        base = re.split(r"[\\/]", self.stem)[-1]
        letters = ("_" if c in '<>:"|?*' else c for c in base if c.isprintable())
        return "".join(letters).strip(". ")[:LONGEST_STEM] or "table"
