"""What is found out about the layout of a file, and that it can be said otherwise."""

from __future__ import annotations

import pytest

from compdp_core.errors import ParameterError
from compdp_core.tables import NoRowsError, TableError, TooManyColumnsError, read
from compdp_core.tables.dialect import find_decimal, looks_like_header
from tests.unit.tables.files import wide


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a;b\n1,5;2,5\n3,5;4,5\n", ";"),
        ("1,5;2,5\n3,5;4,5\n", ";"),
        ("1,5|2,5\n3,5|4,5\n", "|"),
        ("id,genre,score\n1,Action|Comedy,5\n2,Drama|War,6\n", ","),
        ('id;remark\n1;"a, b"\n2;"c, d"\n', ";"),
        ("id\tremark\n1\ta, b; c\n2\td, e; f\n", "\t"),
        ("Results\nof 2025\nid,age,score\n1,2,3,4\n5,6,7\n", ","),
        ("name\nAda\nBen\n", ","),
        ("remark\nyes, no\nno\nwell, well, well\n", ";"),
        ("id;a\n1;2\n3\n4;5;6\n", ";"),
    ],
)
def test_separator(text: str, separator: str) -> None:
    assert read(text.encode()).format.separator == separator


@pytest.mark.parametrize(
    ("cells", "separator", "mark", "sure"),
    [
        (["1.5", "2.25"], ",", ".", True),
        (["1,5", "x"], ";", ",", True),
        (["1.234,5"], ";", ",", True),
        (["1,234.5"], "\t", ".", True),
        (["1,234"], ";", ",", False),
        (["1,234"], "\t", ".", False),
        (["1.234"], ";", ".", False),
        (["1.234"], ",", ".", True),
        (["0,125"], "\t", ",", True),
        (["1,5", "1.5", "2,5"], ";", ",", False),
        (["12", "x", ""], ";", ".", True),
    ],
)
def test_decimal_mark(cells: list[str], separator: str, mark: str, sure: bool) -> None:
    assert find_decimal(cells, separator) == (mark, sure)


@pytest.mark.parametrize(
    ("first", "below", "named"),
    [
        (("id", "score"), [("1", "2")], True),
        (("1", "2"), [("3", "4")], False),
        (("Ana", "14"), [("Bo", "15")], False),
        (("Ana", "NA"), [("Bo", "15")], True),
        (("NA", "14"), [("3", "15")], False),
        (("name", "town"), [("Bo", "Ulm")], True),
        (("country", "2019", "2020"), [("Norway", "1", "2")], True),
        (("Norway", "2019", "1", "7"), [("Sweden", "2020", "2", "8")], False),
        (("2019", "2020"), [("1", "2")], False),
        (("", "score"), [("0", "2")], True),
        (("14", "2"), [], False),
        (("name", "age"), [], True),
    ],
)
def test_header(first: tuple[str, ...], below: list[tuple[str, ...]], named: bool) -> None:
    assert looks_like_header(first, below, ".") == named


def test_decimal_far_down_is_seen() -> None:
    rows = ["id;x"] + [f"{i};{i}" for i in range(5000)] + ["5000;52,5"]
    assert read("\n".join(rows).encode()).format.decimal == ","


def test_doubt_about_the_decimal_mark_is_said() -> None:
    table = read(b"a;b\nx;1,234\ny;2,345\n")
    assert table.format.decimal == ","
    assert "decimal" in {notice.code for notice in table.notices}
    told = read(b"a;b\nx;1,234\ny;2,345\n", decimal=".")
    assert "decimal" not in {notice.code for notice in told.notices}
    assert told.columns[1].affix is not None


def test_wrong_decimal_mark_is_named_as_the_reason() -> None:
    column = read(b"a;b\n1;2,5\n2;3\n", decimal=".").columns[1]
    assert "decimal mark" in column.refusal


def test_everything_found_can_be_said_otherwise() -> None:
    data = b"sep=;\nx;y;z\na;b,5;1,5\n"
    table = read(
        data, encoding="latin-1", separator=",", decimal=",", header=False, skip_lines=1, quote=""
    )
    form = table.format
    assert (form.encoding, form.separator, form.decimal) == ("iso8859-1", ",", ",")
    assert (form.header, form.skip_lines, form.quote, form.sep_line) == (False, 1, "", True)
    assert not form.assumed
    assert table.texts(0) == ["a;b"]


@pytest.mark.parametrize(
    "option",
    [{"separator": ";;"}, {"separator": ""}, {"separator": '"'}, {"separator": "\n"},
     {"separator": "1"}, {"separator": "§"}, {"decimal": ";"}, {"quote": "`"},
     {"skip_lines": -1}, {"encoding": "no-such"}, {"encoding": "rot13"}, {"encoding": "utf-7"},
     {"missing": "NA"}],
    ids=str,
)  # fmt: skip
def test_options_out_of_their_domain(option: dict[str, object]) -> None:
    with pytest.raises(ParameterError) as caught:
        read(b"a,b\n1,2\n", **option)  # type: ignore[arg-type]
    assert caught.value.name in option


def test_only_bytes_are_read() -> None:
    with pytest.raises(ParameterError, match="bytes"):
        read("a,b\n1,2\n")  # type: ignore[arg-type]
    assert read(bytearray(b"a,b\n1,2\n")).row_count == 1


def test_more_columns_than_a_spreadsheet_has() -> None:
    with pytest.raises(TooManyColumnsError, match="separator"):
        read(wide(16_385, 1))


def test_skipping_everything() -> None:
    with pytest.raises(NoRowsError, match="Skip fewer lines"):
        read(b"a,b\n1,2\n", skip_lines=5)


def test_names_of_r_are_announced() -> None:
    # R writes row names without a name of their own: every name would stand one cell left.
    table = read(b'"age","score"\n"1",14,71\n"2",15,64\n')
    assert [column.label for column in table.columns] == ["age", "score", "(column 3)"]
    assert any(notice.code == "fewer_names" for notice in table.notices)


def test_invisible_characters_do_not_reach_the_labels() -> None:
    table = read("\ufeff\ufeffna\u200bme,\u202escore,a\tb,\u00a0 x\n1,2,3,4\n".encode())
    assert [column.label for column in table.columns] == ["name", "score", "a b", "x"]
    assert table.header[1] == "\u202escore"


def test_labels_are_unique_even_if_a_name_reads_like_one() -> None:
    table = read(b"a,a,a (column 2),column 4\n1,2,3,4\n")
    labels = [column.label for column in table.columns]
    assert len(set(labels)) == 4
    assert labels[2] == "a (column 2)"


def test_errors_are_table_errors() -> None:
    for error in (NoRowsError((), 0), TooManyColumnsError(3, 2)):
        assert isinstance(error, TableError)
        assert isinstance(error, ValueError)
