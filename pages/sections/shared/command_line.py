"""A table that is too large for a page, on the command line: the words that are typed there."""

from __future__ import annotations

import re
import shlex
from typing import Literal

from pages.sections.shared.uploaded_file import Upload

Command = Literal["privatize", "answer"]
"""What the page's own work is called there."""
LEDGER = "ledger.json"
_QUOTES = re.compile("[\u2018-\u201f]")
"""Some shells heed them like plain quotes, between plain quotes, too."""


def shell_word(name: str) -> str:
    r"""The name of a file as one word of a shell that is no option.

    What cannot be seen, and quotes that only some shells heed, are replaced.

    >>> print(shell_word("ages.csv"), shell_word("a'; rm b.csv"), shell_word("-rf\n.csv"))
    ages.csv 'a'"'"'; rm b.csv' ./-rf_.csv
    """
    seen = "".join(c if c.isprintable() else "_" for c in _QUOTES.sub("_", name))
    return shlex.quote(f"./{seen}" if seen.startswith("-") else seen)


def command_line(command: Command, source: str, settings: str) -> str:
    """The command for a file of that name or path; what it writes lies where it is called.

    >>> print(command_line("privatize", "in/a.csv", "head_settings.json"))
    compdp privatize in/a.csv a_privatized.csv --settings head_settings.json --ledger ledger.json \
--card a_card.html
    """
    stem = Upload(source, b"", None).file_stem
    files = [source, f"{stem}_privatized.csv"] if command == "privatize" else [source]
    options = {"settings": settings, "ledger": LEDGER, "card": f"{stem}_card.html"}
    words = [shell_word(each) for each in files]
    words += [f"--{name} {shell_word(each)}" for name, each in options.items()]
    return " ".join(["compdp", command, *words])


def first_rows(source: str, head: str, lines: int) -> str:
    """The command that copies the first lines of a file, packed or not, into one of their own.

    >>> first_rows("large.csv", "head.csv", 1001)
    'head -n 1001 large.csv > head.csv'
    >>> first_rows("large.csv.gz", "head.csv", 1001)
    'gzip -dc large.csv.gz | head -n 1001 > head.csv'
    """
    file, copy = shell_word(source), shell_word(head)
    if source.lower().endswith(".gz"):
        return f"gzip -dc {file} | head -n {lines} > {copy}"
    return f"head -n {lines} {file} > {copy}"
