"""What may stand in the project's files, how long they are, and what lies at the top."""

from __future__ import annotations

import re

import pytest

from tests.architecture.source import ROOT, files, ignored, name

TOP = {
    "app.py", "pages", "compdp_core", "assets", "tests", "requirements.txt", "README.md",
    "pyproject.toml", ".streamlit", ".ci", ".github", "LICENSE", ".gitignore",
}  # fmt: skip
HARD_STOP = 400
TEXT = (
    ".py", ".md", ".toml", ".txt", ".css", ".html", ".json", ".csv", ".js", ".svg", "run",
    "LICENSE", ".gitignore",
)  # fmt: skip

# Written in pieces, so that this file obeys its own rule.
UNSAFE = "unsafe_allow" + "_html"
FORBIDDEN_WORDS = {
    "a path of one machine": r"(?<![\w.])/(?:wor" + r"k|tm" + r"p|roo" + r"t|hom" + r"e)/",
    "a word about how the project was made": (
        r"(?i)\b(?:hel" + r"pers?|age" + r"nts?|stu" + r"dio|clau" + r"de|anth" + r"ropic|"
        r"chat" + r"gpt|copi" + r"lot|\.libr" + r"ary)\b|\bissu" + r"e #?\d"
    ),
    "unfinished work": (
        r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b|(?i:lorem ips" + r"um)"
    ),
}


def test_top_level_is_the_agreed_one() -> None:
    assert {path.name for path in ROOT.iterdir() if not ignored(path)} == TOP


def test_every_kind_of_file_is_read_by_these_rules_or_is_a_picture() -> None:
    unread = [
        name(path)
        for path in files(*TOP)
        if not path.name.endswith((*TEXT, ".png", ".webp", ".typed"))
    ]
    assert not unread


def test_modules_stay_within_the_hard_stop() -> None:
    long = {
        name(path): lines
        for path in files("compdp_core", "pages", "assets", "app.py", suffix=".py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > HARD_STOP
    }
    assert not long


def lines_with(pattern: str, *folders: str) -> list[str]:
    expression = re.compile(pattern)
    return [
        f"{name(path)}:{number}: {line.strip()[:120]}"
        for path in files(*folders)
        if path.name.endswith(TEXT)
        for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1)
        if expression.search(line)
    ]


def test_no_html_from_text() -> None:
    assert not lines_with(UNSAFE, *TOP)


def test_every_part_drawn_by_itself_has_the_net() -> None:
    own = "pages/session/fragments.py"
    found = lines_with(r"st\.frag" + r"ment\b|import .*\bfrag" + r"ment\b", "app.py", "pages")
    allowed = (f"{own}:", "from pages.session.fragments import")
    assert not [line for line in found if not any(each in line for each in allowed)]


HASHES = {
    "compdp_core/accounting/identity.py": "under a key; and of a reading, to be put under one",
    "compdp_core/engines/text_stream.py": "the same fingerprint, of a file read in pieces",
    "compdp_core/engines/batch_content.py": "of a batch, for its noise; never leaves its process",
    "compdp_core/engines/known_columns.py": "of columns under a key that ends with its object",
    "compdp_core/engines/batch_plan.py": "of public weights, which a worker has to find again",
    "compdp_core/randomness.py": "of data under a key that is never written, for its noise",
    "compdp_core/tables/reading.py": "a table's fingerprint, of which a ledger makes a label",
    "pages/rooms/course.py": "of a participant's token, under a key that ends with the session",
    "pages/session/ledger_store.py": "of a browser's token, for the name of its ledger in memory",
    "pages/sections/shared/upload.py": "tells this upload from the last one in memory",
    "pages/sections/paper/run.py": "tells this column from the last one in memory",
}
"""Where a hash is made, and why nobody can test a guess by it. Look twice at a new one."""


def test_hashes_are_made_where_it_is_known_that_they_stay() -> None:
    found = lines_with(r"^(?:import|from) hash" + r"lib\b", "app.py", "compdp_core", "pages")
    assert {line.split(":")[0] for line in found} == set(HASHES)


def test_what_writes_files_knows_no_hash_of_a_table() -> None:
    writers = [
        "compdp_core/report", "compdp_core/accounting/ledger.py", "compdp_core/accounting/files.py",
        "pages/sections/statistic/files.py", "pages/sections/privatize/files.py",
        "pages/charts/export.py",
        "pages/shell/address.py", "pages/inputs/links.py", "pages/sections/budget/keeping.py",
    ]  # fmt: skip
    assert all((ROOT / each).exists() for each in writers)
    # A ledger is charged for a table by it; in the ledger itself it is in a docstring alone.
    charged = ("``Spend(", " dataset=table.fingerprint,")
    found = [
        line
        for line in lines_with(r"\.fingerprint\b", *writers)
        if not any(each in line for each in charged)
    ]
    assert not found


@pytest.mark.parametrize("kind", sorted(FORBIDDEN_WORDS))
def test_no_forbidden_words(kind: str) -> None:
    assert not lines_with(FORBIDDEN_WORDS[kind], *TOP)


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("a path of one machine", "open('/tm" + "p/x')", True),
        ("a path of one machine", "https://example.org/hom" + "e/", False),
        ("a word about how the project was made", "see issu" + "e 12", True),
        ("a word about how the project was made", "a hel" + "per for it", True),
        ("a word about how the project was made", "st.session_state, user_age" + "nt", False),
        ("unfinished work", "# TO" + "DO later", True),
        ("unfinished work", "todos", False),
    ],
)
def test_the_patterns_find_what_they_should(kind: str, text: str, found: bool) -> None:
    assert bool(re.search(FORBIDDEN_WORDS[kind], text)) == found
