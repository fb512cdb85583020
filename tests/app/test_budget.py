"""Budget: one ledger, its limit, its files, and who sees it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from compdp_core.accounting import (
    BudgetExceededError,
    KnownSpendError,
    Ledger,
    Neighbours,
    Person,
    Spend,
)
from compdp_core.tables import read
from pages.session import ledger as spending
from pages.session.ledger_store import LedgerStore, token
from pages.text.wording import literal
from tests.app.driving import Driven
from tests.app.test_statistic import PAGE as STATISTIC
from tests.app.test_statistic import RELEASE, TABLE, asked

PAGE = "pages/budget.py"
WHEN = datetime(2026, 5, 1, tzinfo=UTC)
LIMIT = "Limit for each table (empty: none)"


def spend(epsilon: str = "0.5", name: str = "a") -> Spend:
    what = f"mean of {name}"
    return Spend(what, "statistic", "file-1", [name], epsilon, id=name, when=WHEN)


def charged(book: Ledger) -> Ledger:
    return book.charge(spend())


# The books of all browsers


def seen(books: LedgerStore, name: str, own: Ledger | None = None) -> Ledger:
    """What a browser's ledger is, for a session that holds a copy of it or nothing."""
    return books.changed(name, own or Ledger(), lambda book: book, copy=own is not None)


def test_a_browser_finds_its_ledger_again_and_no_other_one_does() -> None:
    books = LedgerStore(most=1)
    own = books.changed("one", Ledger(), charged, copy=False)
    assert seen(books, "one").entries == (spend(),)
    assert seen(books, "two").entries == ()
    # A charge that is refused leaves it as it was.
    books.changed("two", Ledger(), lambda book: book.with_limit("0.4"), copy=False)
    with pytest.raises(BudgetExceededError):
        books.changed("two", Ledger(), charged, copy=False)
    assert seen(books, "two") == Ledger(limit="0.4")
    # One that had to go is taken up from the session.
    assert seen(books, "one", own).entries == (spend(),)


@pytest.mark.parametrize("first", ["one", "two"])
def test_a_session_that_gets_its_token_later_overwrites_nothing(first: str) -> None:
    """Both orders: whoever comes first, both sessions' releases are in the browser's ledger."""
    books = LedgerStore()
    sessions = {
        "one": Ledger(limit=3).charge(spend(name="own 1")),
        "two": Ledger(limit=2).charge(spend(name="own 2")),
    }
    second = "two" if first == "one" else "one"
    own = sessions[first]
    sessions[first] = books.changed("it", own, lambda book: book, copy=False)
    assert sessions[first] == own
    for each in (second, first):
        sessions[each] = books.changed("it", sessions[each], lambda book: book, copy=each == first)
        assert {entry.id for entry in sessions[each].entries} == {"own 1", "own 2"}
        assert sessions[each].limit == 2
    # From then on a copy brings back nothing: not the limit of before, nor a release twice.
    after = books.changed("it", sessions["one"], lambda book: book.with_limit(9), copy=True)
    assert seen(books, "it", sessions["two"]) == after
    assert len(after.entries) == 2


def test_copies_that_went_apart_are_both_taken_over() -> None:
    """The ledger had to go, and another window brought a copy that is older."""
    books = LedgerStore()
    older = books.changed("it", Ledger(), charged, copy=False)
    newer = older.charge(spend(name="b"))
    after = seen(LedgerStore(), "it", older)
    assert seen(books, "it", after).entries == (spend(),)
    both = seen(books, "it", newer)
    assert {each.id for each in both.entries} == {"a", "b"}


def test_ledgers_that_contradict_each_other_stay_two_and_stop_no_page() -> None:
    books = LedgerStore()
    books.changed("it", Ledger(), charged, copy=False)
    edited = Ledger().charge(spend("0.1"))
    after = books.changed("it", edited, lambda book: book.charge(spend(name="b")), copy=False)
    assert {str(each.epsilon) for each in after.entries} == {"1/10", "1/2"}
    assert seen(books, "it").entries == (spend(),)


def test_a_table_keeps_its_name_as_long_as_its_ledger() -> None:
    books = LedgerStore(most=1)
    books.call("one", {"f1": "never.csv"})
    assert books.names("one") == {}
    books.changed("one", Ledger(), charged, copy=False)
    books.call("one", {"f1": "class.csv"})
    assert books.names("one") == {"f1": "class.csv"}
    assert books.names("two") == {}
    books.changed("two", Ledger(), charged, copy=False)
    assert books.names("one") == {}


def test_the_token_is_the_same_under_every_mask_and_nonsense_is_none() -> None:
    secret = bytes(range(16))
    for mask in (b"\x00\x00\x00\x00", b"\x01\x80\xff\x10"):
        masked = bytes(each ^ mask[i % 4] for i, each in enumerate(secret))
        assert token(f"2|{mask.hex()}|{masked.hex()}|1700000000") == secret
    for cookie in ("", "2|", "2||00|0", "2|zz|00|0", "1|00|00|0", "2|00|00", "é"):
        assert token(cookie) is None


# The page


def hashes(table: bytes) -> list[str]:
    return [read(table).fingerprint[:16], hashlib.sha256(table).hexdigest()[:16]]


def again(app: Driven) -> Driven:
    """Open the same table in a session that has released nothing of it."""
    return (
        app.go(STATISTIC).upload("t.csv", TABLE).select("Of which column", 1).bounds(2, "0", "20")
    )


def as_first_saved(book: Ledger, table: bytes) -> bytes:
    """The ledger as the first version saved it, with the hash of the table in it."""
    document = json.loads(book.to_json())
    document["schema"] = "composite-dp/ledger/1"
    del document["keys"], document["about"]
    for entry in document["entries"]:
        entry["dataset"] = read(table).fingerprint
        del entry["person"], entry["persons_read_as"]
    return json.dumps(document).encode()


@pytest.mark.parametrize("first", [0, 1])
def test_two_sessions_whose_token_comes_late_share_one_ledger(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spending, "BOOKS", LedgerStore())
    monkeypatch.setattr(spending, "browser", lambda: None)
    sessions = [asked().press(RELEASE), asked().text("ε, exactly", "0.25").press(RELEASE)]
    for app in sessions:
        assert len(app.kept["ledger"].entries) == 1
    monkeypatch.setattr(spending, "browser", lambda: "it")
    one, two = sessions[first], sessions[1 - first]
    one.go(PAGE)
    two.go(PAGE)
    one.run()
    # Both had a key of their own for the table; it is one table, and has a name in both.
    for app in sessions:
        book = app.kept["ledger"]
        assert len(book.entries) == 2
        assert len(book.datasets) == 1
        assert app.spent == Fraction(5, 4)
        assert any("ε = 1.25" in text for text in app.messages("markdown"))
        assert not any("table " in text and "…" in text for text in app.messages("markdown"))
    # A third window of this browser begins with both.
    assert len(Driven(PAGE).kept["ledger"].entries) == 2


def test_both_pages_charge_one_ledger_and_no_hash_of_the_table_is_told_to_a_browser() -> None:
    def by_row() -> str:
        (text,) = [each for each in app.go(PAGE).messages("markdown") if "By row" in each]
        return text

    app = asked().press(RELEASE)
    assert "left unchanged" not in by_row()
    app.go("pages/privatize.py").choose("Columns to privatize", [1])
    (warning,) = [text for text in app.messages("warning") if "already spent" in text]
    assert "above" not in warning  # no file of a table is there yet
    app.press("Release").awaited()
    assert "the same in every column that a released file left unchanged" in by_row()
    assert [each.kind for each in app.kept["ledger"].entries] == ["statistic", "column"]
    assert any("ε = 2" in text for text in app.messages("markdown"))
    kept = app.kept["privatize.file"]
    for page in (PAGE, STATISTIC, "pages/privatize.py"):
        app.go(page)
        told = "\n".join(str(each.proto) for each in app.at.main) + str(app.at._tree)
        assert kept.name in told + str(app.kept)
        assert not [each for each in hashes(kept.data) if each in told]
    # The names under which the session keeps its settings do have it.
    assert any(hashes(kept.data)[0] in name for name in app.kept)


def test_a_table_is_known_again_from_the_owners_files_and_not_from_the_one_to_hand_on() -> None:
    before = asked().press(RELEASE)
    app = saved(Driven(PAGE), before.kept["ledger"].to_json().encode())
    assert app.messages("success") == ["1 release joined the ledger."]
    assert any("already spent" in text for text in again(app).messages("warning"))

    app = saved(Driven(PAGE), before.kept["ledger"].to_json_to_hand_on().encode())
    (news,) = app.messages("success")
    assert "without a key: 1 table of it cannot be known again" in news
    assert not again(app).messages("warning")

    # An old one opens, too.
    table = before.kept["privatize.file"].data
    old = as_first_saved(before.kept["ledger"], table)
    assert read(table).fingerprint.encode() in old
    app = saved(Driven(PAGE), old)
    (news,) = app.messages("success")
    assert "Save the ledger anew, and hand this file to nobody" in news
    book = app.kept["ledger"]
    for text in (book.to_json(), book.to_json_to_hand_on(), book.to_csv()):
        assert hashes(table)[0] not in text
    assert any("already spent" in text for text in again(app).messages("warning"))
    # Where it is at hand, too, it is one table.
    saved(before.go(PAGE), old)
    assert "All of it was known already." in before.messages("success")[0]
    assert len(before.kept["ledger"].datasets) == 1


def test_a_charge_that_is_repeated_only_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that ended after it had charged leaves the next one with the same spends."""
    app = asked().press(RELEASE)
    everything = dict(app.kept)
    monkeypatch.setattr(spending, "kept", lambda: everything)
    monkeypatch.setattr(spending, "browser", lambda: None)
    (entry,) = everything["ledger"].entries
    spending.charge(entry, keeping={"answers": "there"})
    assert everything["ledger"].entries == (entry,)
    assert everything["answers"] == "there"
    with pytest.raises(KnownSpendError):
        spending.charge(entry, spend())
    assert everything["ledger"].entries == (entry,)


def test_every_release_is_listed_and_totals_are_exact() -> None:
    app = asked("sum").text("ε, exactly", "0.1")
    for _ in range(3):
        label = next(each for each in app.labels("button") if each.startswith("Release "))
        app.press(label)
    app.go(PAGE)
    listed = next(f.value for f in app.at.dataframe if "neighbours" in f.value)
    assert list(listed["ε"]) == ["0.1"] * 3
    assert any("ε = 0.3" in text for text in app.messages("markdown"))
    columns = next(f.value for f in app.at.dataframe if list(f.value) == ["column", "ε"])
    assert list(columns.itertuples(index=False, name=None)) == [("age (years)", "0.3")]


def test_a_release_that_broke_off_is_told_and_counted_in_full() -> None:
    app = of_the_page(spend("0.5", "a").begun, spend("0.25", "b"))
    listed = next(f.value for f in app.at.dataframe if "neighbours" in f.value)
    assert list(listed["state"]) == ["unfinished", "all out"]
    assert next(iter(listed)) == "state"  # in sight, also where the list is wider than the window
    assert any("1 release in the list is unfinished" in text for text in app.messages("warning"))
    assert any("ε = 0.75" in text for text in app.messages("markdown"))
    app = of_the_page(spend())
    assert not any("state" in f.value for f in app.at.dataframe)
    assert not any("unfinished" in text for text in app.messages("warning"))


def for_patients(epsilon: str, name: str, *by: str, at_most: int = 3, **more: Any) -> Spend:
    return replace(spend(epsilon, name), person=Person(by or ("patient *id*",), at_most), **more)


def of_the_page(*spends: Spend) -> Driven:
    return saved(Driven(PAGE), Ledger(spends, limit=9).to_json().encode())


def test_the_page_says_whose_cost_it_is() -> None:
    app = of_the_page(spend("1", "a"), for_patients("0.5", "b"))
    listed = next(f.value for f in app.at.dataframe if "neighbours" in f.value)
    assert list(listed["for"]) == [
        "one row",
        "one person with at most 3 rows of the same patient *id*",
    ]
    (text,) = [each for each in app.messages("markdown") if "**By person:**" in each]
    assert "**ε = 3.5** for any one person with at most 3 rows of the same patient" in text
    assert any(literal("same patient *id*") in str(each.value) for each in app.every("markdown"))
    assert "one person is replaced by another, with all rows. Whoever has more rows" in text
    (metric, *_) = app.every("metric")
    assert (metric.label, metric.value) == ("Spent on every person", "ε = 3.5")
    assert any("Counted for one person with at most 3 rows" in t for t in app.messages("caption"))
    # Where all is for persons, those with more rows are protected as well.
    app = of_the_page(for_patients("0.5", "b"))
    (text,) = [each for each in app.messages("markdown") if "**By person:**" in each]
    assert "**ε = 0.5**" in text
    assert "Whoever" not in text
    app = of_the_page(spend())
    (text,) = [each for each in app.messages("markdown") if "**By row:**" in each]
    assert "for any one row; tables are neighbours where one row is replaced" in text
    assert app.every("metric")[0].label == "Spent on every row"


ROW, REMOVED = spend("1", "a"), Neighbours.ADD_OR_REMOVE_ONE


@pytest.mark.parametrize(
    ("before", "new", "totals", "why"),
    [
        ([ROW], spend("1", "b"), (1, 2), []),
        ([ROW], for_patients("1", "b"), (1, 4), ["each of the 3 rows that a person may have"]),
        ([for_patients("1", "b")], ROW, (1, 4), ["each of the 3 rows that a person may have"]),
        ([for_patients("1", "b")], for_patients("1", "c", at_most=5), (1, 2), []),
        (
            [for_patients("1", "b")], for_patients("1", "c", "ward", at_most=1), (1, 7),
            ["of another reading of the file, counts twice for each row"],
        ),
        (
            [for_patients("1", "b")], for_patients("1", "c", persons_read_as="another"), (1, 7),
            ["of another reading of the file, counts twice for each row"],
        ),
        (
            [ROW], for_patients("1", "b", at_most=1, neighbours=REMOVED), (1, 3),
            ["adding or removing a person counts twice"],
        ),
        ([ROW], replace(ROW, id="b", neighbours=REMOVED), (1, 3),
         ["adding or removing a row counts twice"]),
        (
            [ROW], for_patients("1", "b", neighbours=REMOVED), (1, 5),
            ["adding or removing a person counts twice", "each of the 3 rows"],
        ),
    ],
)  # fmt: skip
def test_a_release_says_why_it_adds_more_than_it_costs(
    before: list[Spend],
    new: Spend,
    totals: tuple[int, int],
    why: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spending, "ledger", lambda: Ledger(before))
    *costs, said = spending.together(new)
    assert costs == [*totals]
    assert [reason for reason in why if reason in said] == why
    assert bool(said) == bool(why)
    assert said.count("count") == len(why)


def test_a_limit_that_is_none_is_refused_and_the_old_one_stays() -> None:
    app = Driven(PAGE)
    for text in ("0", "-1", "abc", "nan", "1e99"):
        assert not app.text(LIMIT, "2").messages("error")
        (said,) = app.text(LIMIT, text).messages("error")
        assert said.endswith(". Until then 2 stays in force.")
        assert "Decimal" not in said
        assert app.kept["ledger"].limit == 2
    assert app.text(LIMIT, "").kept["ledger"].limit is None


def test_a_limit_below_what_is_spent_stops_every_release() -> None:
    app = asked().press(RELEASE).go(PAGE).text(LIMIT, "0.5")
    assert any("lowered later" in text for text in app.messages("warning"))
    app.go(STATISTIC)
    assert "nothing is left" in app.messages("error")[0]
    app.go("pages/privatize.py").choose("Columns to privatize", [1])
    assert "nothing is left" in app.messages("error")[0]
    assert "Release" not in app.labels("button")


def test_it_says_what_is_remembered_and_a_limit_without_a_decimal_is_kept_exactly() -> None:
    app = Driven(PAGE)
    (text,) = [text for text in app.messages("markdown") if "Not remembered" in text]
    assert "this session only" in text
    app.at.session_state["kept"]["ledger"] = Ledger(limit="1/3")
    app.run().run()
    assert app.written(LIMIT).startswith("0.33333")
    assert app.kept["ledger"].limit == Fraction(1, 3)


def saved(app: Driven, data: bytes) -> Driven:
    app.every("file_uploader")[0].set_value(("budget.json", data, "application/json"))
    return app.run()


def test_a_saved_ledger_joins_once_and_keeps_the_stricter_limit() -> None:
    file = charged(Ledger(limit=3)).to_json().encode()
    app = saved(Driven(PAGE).text(LIMIT, "2"), file)
    assert any("1 release joined" in text for text in app.messages("success"))
    saved(app, file)
    assert any("known already" in text for text in app.messages("success"))
    assert app.kept["ledger"] == Ledger([spend()], limit=2)


def test_a_file_that_lowers_the_limit_says_so() -> None:
    app = saved(Driven(PAGE).text(LIMIT, "2"), Ledger(limit="0.2").to_json().encode())
    (news,) = app.messages("success")
    assert "the file's limit is stricter and holds from now on: ε = 0.2." in news.lower()
    assert app.kept["ledger"].limit == Fraction(1, 5)
    saved(app, Ledger(limit=9).to_json().encode())
    assert app.messages("success") == ["All of it was known already."]


def test_tables_that_begin_alike_are_told_apart() -> None:
    alike = [Spend("x", "statistic", "a" * 9 + end, ["c"], 1) for end in ("1", "2")]
    app = saved(Driven(PAGE), Ledger(alike).to_json().encode())
    (select,) = [each for each in app.at.selectbox if each.label == "Table"]
    assert len(set(select.options)) == 2


def test_all_of_a_limit_is_spent_only_where_nothing_is_left() -> None:
    app = Driven(PAGE)
    app.at.session_state["kept"]["ledger"] = Ledger([spend("0.999")], limit=1)
    app.run()
    (bar,) = app.every("progress")
    assert bar.proto.text == "99 % of the limit is spent"


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"schema": "x"}', b"\xff\xfe", b"nonsense"])
def test_what_is_no_ledger_is_refused_and_changes_nothing(data: bytes) -> None:
    app = saved(Driven(PAGE).text(LIMIT, "2"), data)
    assert "Not a budget file" in app.messages("error")[0]
    assert app.kept["ledger"] == Ledger(limit=2)


@pytest.mark.parametrize(
    ("field", "value"),
    [("what", "\ud800"), ("dataset", "\ud800"), ("when", "9999-12-31T23:59:59-23:59")],
)
def test_what_no_file_can_hold_is_refused_and_stops_no_page(field: str, value: str) -> None:
    document = json.loads(charged(Ledger()).to_json())
    document["entries"][0][field] = value
    app = saved(Driven(PAGE), json.dumps(document).encode())
    assert "entry 1 cannot be read" in app.messages("error")[0]
    assert app.kept["ledger"] == Ledger()
    assert not app.go(STATISTIC).go(PAGE).messages("error")


def test_a_ledger_that_was_altered_is_refused() -> None:
    app = saved(Driven(PAGE), charged(Ledger()).to_json().encode())
    altered = Ledger().charge(spend("0.1")).to_json().encode()
    saved(app, altered)
    assert "recorded twice with different content" in app.messages("error")[0]
    assert app.kept["ledger"].entries == (spend(),)
    app.go(STATISTIC).go(PAGE)
    assert not app.messages("error")
