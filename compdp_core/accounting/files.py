"""The ledger as text: JSON to keep and reload, CSV to read."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, fields
from datetime import datetime
from fractions import Fraction
from typing import Any

from compdp_core.accounting import composition
from compdp_core.accounting.amounts import exact, exact_text
from compdp_core.accounting.identity import KEY_BYTES, MOST_KEYS, Keys, is_hash
from compdp_core.accounting.spend import Group, Spend, by_name
from compdp_core.adjacency import Neighbours, Person
from compdp_core.errors import CompdpError

SCHEMA = "composite-dp/ledger/4"
FINISHED_SCHEMA = "composite-dp/ledger/3"
"""Knows no run that broke off: each of its releases is all out. Written where that is so, and so
opened by earlier versions as long as nothing is lost to them."""
ROWS_SCHEMA = "composite-dp/ledger/2"
"""Knows no persons: each of its releases is about rows."""
FIRST_SCHEMA = "composite-dp/ledger/1"
"""Has no keys either: it named tables by hashes of their content."""
OWN = (
    "The owner's own ledger: keep it to yourself. Whoever has its keys and nearly all of a table "
    "can try out what the rest of the table is."
)
TO_HAND_ON = "May be handed on: nothing in it tells, or tests a guess of, what is in a table."
_KEY = re.compile(f"[0-9a-f]{{{2 * KEY_BYTES}}}")
_ENTRY = (
    "id", "when", "what", "kind", "dataset", "columns", "group", "neighbours", "epsilon",
    "person", "persons_read_as", "unfinished",
)  # fmt: skip
UNFINISHED = "running, or broke off: counted in full"
"""What is said of a release with that mark."""
_CSV_HEADER = (
    "when", "what", "kind", "epsilon", "total_for_dataset", "columns", "grouping", "group",
    "neighbours", "dataset", "id", "read_as", "draw", "person", "rows_of_a_person", "beyond",
    "groups_of_a_person", "persons_read_as", "state",
)  # fmt: skip


class LedgerFormatError(CompdpError):
    """A text is not a ledger of this program. ``where`` names the place, ``reason`` the fault."""

    def __init__(self, where: str, reason: str) -> None:
        self.where = where
        self.reason = reason
        super().__init__(
            f"not a budget file of this program: {where} {reason}. Open a JSON file that was saved "
            "from the Budget page"
        )


def to_json(entries: Iterable[Spend], limit: Fraction | None, keys: Keys) -> str:
    """JSON text of schema :data:`SCHEMA`, or of :data:`FINISHED_SCHEMA` where no run broke off;
    amounts are exact texts, ``"0.1"`` or ``"1/9"``.
    """
    entries = tuple(entries)
    marked = any(spend.unfinished for spend in entries)
    names = _names(SCHEMA if marked else FINISHED_SCHEMA)
    document = {
        "schema": SCHEMA if marked else FINISHED_SCHEMA,
        "about": OWN if keys.secrets else TO_HAND_ON,
        "keys": [key.hex() for key in keys.secrets],
        "limit": None if limit is None else exact_text(limit),
        "entries": [_entry_to_json(spend, names) for spend in entries],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _names(schema: str) -> list[str]:
    """What an entry of that schema holds."""
    without: dict[str, set[str]] = {SCHEMA: set(), FINISHED_SCHEMA: {"unfinished"}}
    of_rows = {"unfinished", "person", "persons_read_as"}
    return [name for name in _ENTRY if name not in without.get(schema, of_rows)]


def _entry_to_json(spend: Spend, names: Iterable[str]) -> dict[str, Any]:
    texts = {
        "when": spend.when.isoformat(),
        "group": None if spend.group is None else asdict(spend.group),
        "neighbours": spend.neighbours.value,
        "epsilon": exact_text(spend.epsilon),
        "person": None if spend.person is None else asdict(spend.person),
    }
    return {name: texts[name] if name in texts else getattr(spend, name) for name in names}


def from_json(text: str | bytes) -> tuple[tuple[Spend, ...], Fraction | None, Keys]:
    """Entries, limit and keys of a text that :func:`to_json` wrote, also in earlier versions.

    Raises :class:`LedgerFormatError` naming the first place that does not fit.
    """
    if not isinstance(text, str | bytes | bytearray):
        raise LedgerFormatError("the text", f"is of type {type(text).__name__}")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LedgerFormatError("the text", f"is not JSON ({error})") from None
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema not in (SCHEMA, FINISHED_SCHEMA, ROWS_SCHEMA, FIRST_SCHEMA):
        raise LedgerFormatError("schema", f"is not {SCHEMA!r}")
    first = {"schema", "limit", "entries"}
    if set(document) != (first if schema == FIRST_SCHEMA else first | {"about", "keys"}):
        raise LedgerFormatError(
            "the file", "must hold schema, about, keys, limit and entries, nothing else"
        )
    if not isinstance(document["entries"], list):
        raise LedgerFormatError("entries", "is not a list")
    limit = None if document["limit"] is None else _amount(document["limit"], "limit")
    entries = [
        _entry_from_json(entry, f"entry {number}", schema)
        for number, entry in enumerate(document["entries"], start=1)
    ]
    return tuple(entries), limit, _keys(document.get("keys", []))


def holds_hashes(text: str | bytes) -> bool:
    """Whether a text that :func:`from_json` reads names a table by a hash of its content, as the
    first version did.
    """
    entries = json.loads(text)["entries"]
    return any(is_hash(str(entry["dataset"])) for entry in entries)


def _keys(keys: object) -> Keys:
    if not isinstance(keys, list) or len(keys) > MOST_KEYS:
        raise LedgerFormatError("keys", f"is not a list of at most {MOST_KEYS}")
    if not all(isinstance(key, str) and _KEY.fullmatch(key) for key in keys):
        raise LedgerFormatError("keys", f"must be texts of {2 * KEY_BYTES} hexadecimal digits")
    return Keys(tuple(dict.fromkeys(bytes.fromhex(key) for key in keys)))


def _amount(value: object, where: str) -> Fraction:
    if not isinstance(value, str):
        raise LedgerFormatError(where, "is not an exact amount in quotes")
    try:
        return exact(value)
    except CompdpError as error:
        raise LedgerFormatError(where, f"is no budget ({error})") from None


def _entry_from_json(entry: object, where: str, schema: str) -> Spend:
    names = set(_names(schema))
    if not isinstance(entry, dict) or set(entry) != names:
        raise LedgerFormatError(where, f"must hold {', '.join(sorted(names))}, nothing else")
    epsilon = _amount(entry["epsilon"], f"epsilon of {where}")
    if not isinstance(entry["columns"], list):
        raise LedgerFormatError(f"columns of {where}", "is not a list")
    if not isinstance(entry["id"], str):
        raise LedgerFormatError(f"id of {where}", "is not text")
    if not isinstance(entry.get("unfinished", False), bool):
        raise LedgerFormatError(f"unfinished of {where}", "is not true or false")
    try:
        read = {
            "when": datetime.fromisoformat(entry["when"]),
            "neighbours": Neighbours(entry["neighbours"]),
            "group": _group_from_json(entry["group"], where, persons="person" in names),
            "epsilon": epsilon,
            "person": _person_from_json(entry.get("person"), where),
        }
        return Spend(**{**entry, **read})
    except LedgerFormatError:
        raise
    except (ValueError, TypeError) as error:
        raise LedgerFormatError(where, f"cannot be read ({error})") from None


def _group_from_json(group: object, where: str, *, persons: bool) -> Group | None:
    if group is None:
        return None
    names, more = {"by", "value", "read_as"}, set()
    if persons:
        names.add("draw")
    else:  # The first schema had no more than by and value.
        more.add("read_as")
    if not isinstance(group, Mapping) or set(group) | more != names:
        raise LedgerFormatError(
            f"group of {where}", f"must hold {', '.join(sorted(names))}, nothing else"
        )
    return Group(**group)


def _person_from_json(person: object, where: str) -> Person | None:
    if person is None:
        return None
    names = {each.name for each in fields(Person)}
    if not isinstance(person, Mapping) or set(person) != names:
        raise LedgerFormatError(
            f"person of {where}", f"must hold {', '.join(sorted(names))}, nothing else"
        )
    if not isinstance(person["by"], list):
        raise LedgerFormatError(f"person of {where}", "does not list the columns in by")
    for name in ("at_most", "groups"):
        if type(person[name]) is not int:
            raise LedgerFormatError(f"person of {where}", f"has no whole number in {name}")
    return Person(**person)


def to_csv(entries: Sequence[Spend]) -> str:
    """One line a release, oldest first; amounts exact, text safe to open in a spreadsheet.

    The running total is that of the releases of the same label: it tells no more than they do.
    """
    of_each = by_name(entries)
    totals = {label: iter(composition.running(spends)) for label, spends in of_each.items()}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(_CSV_HEADER)
    for spend in entries:
        by, group, rows, draw = ("",) * 4 if spend.group is None else astuple(spend.group)
        person = spend.person
        of_person = ("",) * 4 if person is None else ("; ".join(person.by), *astuple(person)[1:])
        total = exact_text(next(totals[spend.dataset]))
        texts = (
            spend.when.isoformat(), spend.what, spend.kind, exact_text(spend.epsilon), total,
            "; ".join(spend.columns), by, group, spend.neighbours.value, spend.dataset,
            spend.id, rows, draw, *map(str, of_person), spend.persons_read_as,
            UNFINISHED if spend.unfinished else "",
        )  # fmt: skip
        writer.writerow([not_a_formula(text) for text in texts])
    return out.getvalue()


def not_a_formula(text: str) -> str:
    """A leading apostrophe stops spreadsheets from running a cell that starts like a formula."""
    return "'" + text if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
