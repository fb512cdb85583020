"""What is said about the layout of a file when it is read, checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from compdp_core.errors import ParameterError
from compdp_core.parameters import count
from compdp_core.tables import dialect
from compdp_core.tables.alignment import Alignment
from compdp_core.tables.containers.base import Container
from compdp_core.tables.records import MAX_COLUMNS
from compdp_core.validation import flag, is_one_of, one_of

_SKIP_LINES = count("skip_lines")
_HEADER_ROWS = count("header_rows", lower=1, upper=dialect.MOST_HEADER_ROWS)
_COLUMNS = count("columns", lower=1, upper=MAX_COLUMNS)


@dataclass(frozen=True, kw_only=True)
class Wish:
    """Arguments of ``read`` by their names; None where it is to be found."""

    encoding: str | None
    separator: str | None
    decimal: str | None
    quote: str
    escape: str
    runs: bool | None
    header: bool | None
    header_rows: int | None
    skip_lines: int | None
    missing: tuple[str, ...]
    columns: int | None
    comment_mark: str | None
    alignment: Alignment

    def checked(self) -> Wish:
        """The same in the types declared above. Raises ParameterError for what makes no sense."""
        _check_options(self.separator, self.decimal, self.quote, self.escape)
        header = None if self.header is None else flag("header", self.header)
        rows = None if self.header_rows is None else int(_HEADER_ROWS.check(self.header_rows))
        if rows is not None and header is False:
            raise ParameterError("header_rows", rows, "must be left out where header is False")
        runs = None if self.runs is None else flag("runs", self.runs)
        if runs and self.separator != " ":
            raise ParameterError("runs", runs, "needs a space as separator")
        skipped = None if self.skip_lines is None else int(_SKIP_LINES.check(self.skip_lines))
        return replace(
            self,
            header=header,
            header_rows=rows,
            runs=runs,
            skip_lines=skipped,
            missing=_texts(self.missing),
            columns=None if self.columns is None else int(_COLUMNS.check(self.columns)),
        )

    def within(self, container: Container) -> Wish:
        """The same for the text of a file that is none, of which more is known."""
        known: dict[str, Any] = {}
        if container.typed:
            known |= {"encoding": "utf-8", "separator": ",", "quote": '"', "escape": "",
                      "runs": None, "decimal": self.decimal or ".",
                      "columns": container.width}  # fmt: skip
        if container.named:
            known |= {"header": True, "header_rows": 1, "skip_lines": 0}
        if container.types:
            choices = replace(self.alignment, comment_rows="row")
            if len(container.types) == 1:
                choices = replace(choices, blank_lines="missing")
            known |= {"alignment": choices}
        return replace(self, **known)

    @property
    def finds_mark(self) -> bool:
        """Whether what comments begin with is looked for: nothing was said of them."""
        return self.comment_mark is None and self.alignment.comment_rows is None


def _check_options(separator: object, decimal: object, quote: object, escape: object) -> None:
    one_mark = isinstance(separator, str) and dialect.can_separate(separator)
    if separator is not None and not one_mark:
        requirement = "must be one ASCII character that is part of neither numbers nor line ends"
        raise ParameterError("separator", separator, requirement)
    if not is_one_of(quote, dialect.QUOTES):
        requirement = "must be a double or single quote, or empty for none"
        raise ParameterError("quote", quote, requirement)
    if quote and quote == separator:
        raise ParameterError("separator", separator, "must be another mark than quote")
    if not is_one_of(escape, dialect.ESCAPES):
        raise ParameterError("escape", escape, "must be a backslash, or empty for none")
    if escape and escape == separator:
        raise ParameterError("separator", separator, "must be another mark than escape")
    one_of("decimal", decimal, (".", ",", None))


def _texts(missing: Any) -> tuple[str, ...]:
    """The spellings, which may come one by one."""
    try:
        given = (None,) if isinstance(missing, str) else tuple(missing)
    except TypeError:
        given = (None,)
    if not all(isinstance(each, str) for each in given):
        raise ParameterError("missing", missing, "must be several spellings, as in ('', 'n/a')")
    return given
