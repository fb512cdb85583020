"""What only the owner of the data can say, in the owner's own words."""

from __future__ import annotations

from dataclasses import dataclass

from compdp_core.errors import ParameterError
from compdp_core.validation import flag

LONGEST = 500
"""Characters of each text."""


@dataclass(frozen=True)
class Statement:
    """Public words about one column. They are shown as written and never checked."""

    source: str = ""
    """Where the bounds or the list come from: a definition, an instrument, a law."""
    unit: str = ""
    """Unit of the values."""
    from_data: bool = False
    """Whether bounds or list were taken from the data, which tells something of them."""

    def __post_init__(self) -> None:
        for name in ("source", "unit"):
            text = getattr(self, name)
            if not isinstance(text, str) or len(text) > LONGEST:
                raise ParameterError(name, text, f"must be text of at most {LONGEST} characters")
        flag("from_data", self.from_data)
