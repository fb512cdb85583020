"""Columns that seem to say whose each row is, and in which somebody has several rows.

A column counts by its name, where that is a word for a person or for a number of one, or by cells
that are codes or addresses. Categories are none: a name such as class or product rules a column
out, and so does a handful of values where the name says nothing about persons.

Owner only: that a column repeats is a fact about the data.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from compdp_core.tables.column import Column
from compdp_core.tables.contributions import persons_of
from compdp_core.tables.table import Table

_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PERSONS = frozenset({
    "athlete", "attendee", "child", "client", "customer", "employee", "individual", "learner",
    "member", "owner", "parent", "participant", "passenger", "patient", "person",
    "player", "proband", "pupil", "respondent", "runner", "student", "subject", "teacher", "user",
    "worker", "kunde", "kundin", "mitarbeiter", "nutzer", "patientin", "probandin",
    "schüler", "schülerin", "studierende", "teilnehmer", "teilnehmerin", "versuchsperson", "vp",
    "élève", "etudiant", "étudiant", "participante", "patiente", "personne", "utilisateur",
    "alumno", "alumna", "cliente", "estudiante", "paciente", "persona", "usuario", "utente",
    "paziente", "studente", "deelnemer", "leerling", "klant", "patiënt", "pacjent", "uczeń",
    "пациент", "ученик"
})  # fmt: skip
"""Words for a person. In the plural they head a number of them."""
_ALSO_ELSE = frozenset({"subject", "child", "parent", "owner", "individual"})
"""What these head may be a subject of a school or a yes and no, unless they head a number."""
_NUMBERS = frozenset({
    "id", "ids", "uid", "uuid", "guid", "pid", "key", "code", "nr", "no", "num", "number",
    "kennung", "nummer", "numéro", "número"
})  # fmt: skip
"""Words for what tells one thing from others; behind a word for a person it is that person's."""
_OWN = frozenset({
    "email", "mail", "username", "login", "ssn", "mrn", "pseudonym", "nickname", "matrikelnummer",
    "handle"
})  # fmt: skip
"""Words for what one person has alone."""
_NAMES = frozenset({
    "name", "fullname", "surname", "lastname", "nachname", "nom", "nombre", "naam", "cognome",
    "имя"
})  # fmt: skip
_THINGS = frozenset({
    "account", "area", "article", "batch", "booking", "branch", "brand", "building", "campus",
    "case", "category", "center", "centre", "city", "class", "clinic", "color", "colour",
    "company", "condition", "country", "county", "course", "cycle", "date", "day", "department",
    "device", "diagnosis", "district", "dose", "drug", "event", "exam", "file", "form", "grade",
    "group", "hospital", "hour", "house", "icd", "institution", "invoice", "item", "job",
    "klasse", "lab", "level", "line", "location", "lot", "machine", "model", "module", "month",
    "order", "ort", "page", "plan", "plate", "plz", "post", "postcode", "product", "program",
    "project", "province", "question", "region", "room", "round", "run", "sample", "school",
    "season", "section", "sensor", "series", "session", "set", "sex", "shift", "shop", "site",
    "sku", "species", "stadt", "state", "station", "store", "street", "study", "task", "team",
    "term", "test", "time", "topic", "treatment", "trial", "type", "unit", "version", "visit",
    "ward", "week", "well", "year", "zip", "zone"
})  # fmt: skip
"""Words for what many persons share, or for what one person has many of."""
_CODE = re.compile(r"[A-Za-z]{1,4}[-_]?\d{2,}|0\d{2,}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-\w{12}")
_DIGITS = re.compile(r"\d{3,}")
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.\w+")
_SAMPLE, _FEWEST, _FEWEST_CODES = 200, 3, 10
_EQUAL_NAMES = 0.1
"""Share of rows that bear a name for the second time, up to which two may just be called alike."""

Why = Literal["person", "name", "number", "code"]


@dataclass(frozen=True)
class RepeatedIdentifier:
    """A column by whose values somebody has several rows. Private."""

    position: int
    label: str
    values: int = field(repr=False)
    """How many different ones there are, blanks apart."""
    rows: int = field(repr=False)
    """How many rows have one."""


def repeated_identifiers(table: Table) -> tuple[RepeatedIdentifier, ...]:
    r"""Columns that seem to say whose each row is, where that is not another one in each row.

    >>> from compdp_core.tables.reading import read
    >>> table = read(b"patient,visit\nP1,1\nP1,2\nP2,1\nP3,1\n")
    >>> [each.label for each in repeated_identifiers(table)]
    ['patient']
    """
    found = ((column, _why(table, column)) for column in table.columns)
    looked = (_repeated(table, column, why) for column, why in found if why is not None)
    return tuple(each for each in looked if each is not None)


def _why(table: Table, column: Column) -> Why | None:
    """Why the column could say whose a row is, by its name and its first cells."""
    if column.numbers and (column.decimals or not column.whole):
        return None
    words = [word.lower() for word in _WORD.findall(_CAMEL.sub(" ", column.header))]
    words = [f"{words[i - 1]}{w}" if w == "mail" and i and words[i - 1] == "e" else w
             for i, w in enumerate(words)]  # fmt: skip
    last = words[-1] if words else ""
    before = [word for word in words if word not in _NUMBERS]
    person = bool(before) and before[-1] in _PERSONS
    bare = person and last == before[-1] and last not in _ALSO_ELSE
    if last in _OWN or bare or (person and last in _NUMBERS):
        return "person"
    if any(_singular(word) in _THINGS for word in words):
        return None
    if last in _NAMES:
        return "name"
    if last in _NUMBERS:
        return "number"
    return _by_cells(table.texts(column.position, 0, _SAMPLE))


def _by_cells(texts: Sequence[str]) -> Why | None:
    cells = [cell for text in texts if (cell := text.strip())]
    if cells and all(map(_ADDRESS.fullmatch, cells)):
        return "person"
    same = len({len(cell) for cell in cells}) == 1
    coded = [_CODE.fullmatch(cell) is not None for cell in cells]
    padded = any(coded) and all(map(_DIGITS.fullmatch, cells))
    return "code" if same and (all(coded) or padded) else None


def _repeated(table: Table, column: Column, why: Why) -> RepeatedIdentifier | None:
    persons = persons_of(table, [column.label])
    blank = dict(column.missing_spellings).get("", 0)
    values, rows = persons.count - (blank > 0), table.row_count - blank
    fewest = {
        "person": _FEWEST,
        "name": _FEWEST,
        "number": max(_FEWEST, math.sqrt(rows)),
        "code": max(_FEWEST_CODES, math.sqrt(rows)),
    }
    alike = _EQUAL_NAMES * rows if why == "name" else 0
    if values >= rows or values < fewest[why] or rows - values < alike:
        return None
    return RepeatedIdentifier(column.position, column.label, values, rows)


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 3 and not word.endswith("ss") else word
