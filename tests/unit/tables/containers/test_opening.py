"""Files that are no text: what they hold, whatever they are called."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zlib
from typing import Any

import pandas as pd
import pyreadstat
import pytest

import compdp_core as cdp
from compdp_core.errors import TableError
from compdp_core.report import script_of_table
from compdp_core.report.layout_reading import layout_from
from compdp_core.tables import SeveralTablesError, errors, read
from compdp_core.tables.containers import open_file
from compdp_core.tables.containers.typed import FileColumn
from tests.unit.tables.containers.made import (
    CLOCKS,
    CLOCKS_TEXT,
    KINDS,
    MIDNIGHT,
    TEXT,
    WITH_CLOCKS,
    WITH_DATES,
    changed,
    file,
    workbook,
    zipped,
)  # fmt: skip

TWO = workbook({"Scores": [["name", "score"], ["Ada", 71]], "Notes": [["x"], [1]], "Empty": []})
CSV = b"a;b\n1;2,5\n"


def text_of(data: bytes, table: str | None = None) -> str:
    return open_file(data, table).content.decode()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_becomes_the_same_text(kind: str) -> None:
    wanted = TEXT
    if kind not in WITH_DATES:  # JSON knows no dates
        wanted = wanted.replace("2024-03-01", '"2024-03-01"').replace("1999-12-31", '"1999-12-31"')
    found = open_file(file(kind))
    assert found.content.decode() == wanted
    assert found.container.kind == kind
    table = read(file(kind), name="scores.csv")
    assert table.container == found.container
    assert (table.row_count, [c.label for c in table.columns]) == (
        3,
        TEXT.split("\n")[0].split(","),
    )
    assert any(n.code == "container" for n in table.notices)
    assert table.numbers(3).values.tolist()[:2] == [0.1, -71.0]


@pytest.mark.parametrize("kind", WITH_CLOCKS)
def test_times_moments_and_durations(kind: str) -> None:
    found = text_of(file(kind, CLOCKS))
    # OpenDocument has one type for both, and less than a day is read as a time.
    wanted = CLOCKS_TEXT.replace("0:00:01.5", "00:00:01.5") if kind == "ods" else CLOCKS_TEXT
    assert found == wanted


@pytest.mark.parametrize("kind", ["dta", "sav"])
def test_moments_of_programs_for_statistics(kind: str) -> None:
    column = FileColumn("when", "datetime", [MIDNIGHT, None])
    other = FileColumn("n", "int", [1, 2])
    assert text_of(file(kind, [column, other])) == "when,n\n2024-03-01T00:00:00,1\n,2\n"


def test_labels_of_values_are_texts(tmp_path: Any) -> None:
    frame = pd.DataFrame({"sex": [1.0, 2.0, 9.0], "y": [1.5, 2.0, 3.0]})
    labels: dict[int | float, str] = {1: "man", 2: "woman"}
    for kind, write in (("sav", pyreadstat.write_sav), ("dta", pyreadstat.write_dta)):
        path = tmp_path / f"t.{kind}"
        write(frame, path, variable_value_labels={"sex": labels})
        assert text_of(path.read_bytes()) == "sex,y\nman,1.5\nwoman,2\n9,3\n"


def test_a_single_of_four_bytes_has_the_digits_that_were_typed() -> None:
    frame, out = pd.DataFrame({"x": pd.array([0.1, 2.5], "float32")}), io.BytesIO()
    frame.to_parquet(out)
    assert text_of(out.getvalue()) == "x\n0.1\n2.5\n"
    out = io.BytesIO()
    frame.to_stata(out, write_index=False)
    assert text_of(out.getvalue()) == "x\n0.1\n2.5\n"


def test_the_sheet_is_chosen_where_there_are_several() -> None:
    with pytest.raises(SeveralTablesError, match="table='Scores'") as caught:
        read(TWO)
    assert caught.value.names == ("Scores", "Notes")  # the empty one is none
    table = cdp.read_csv(TWO, table="Scores")
    assert table.texts(0) == ["Ada"]
    assert table.format.options["table"] == table.format.table == "Scores"
    assert read(TWO, **table.format.options).fingerprint == table.fingerprint
    with pytest.raises(SeveralTablesError, match="without a table 'None'"):
        read(TWO, table="None")
    hidden = workbook({"Scores": [["a"], [1]], "Lists": [["b"], [2]]}, hidden="Lists")
    assert text_of(hidden) == "a\n1\n"
    assert text_of(hidden, "Lists") == "b\n2\n"
    assert read(CSV, table="of a spreadsheet").row_count == 1  # a text is one table


def test_settings_and_script_say_which_table() -> None:
    plan = cdp.ColumnPlan(inputs=(0, 100), epsilon=1)
    release = cdp.privatize(read(TWO, table="Scores"), {"score": plan})
    said = layout_from(json.loads(release.settings())["reading"], [])
    assert said["table"] == "Scores"
    assert read(TWO, **said).fingerprint == release.table.fingerprint
    assert "'table': 'Scores'" in script_of_table(release)


def test_cells_that_are_texts_stay_texts() -> None:
    table = read(workbook({"S": [["id", "n"], ["007", 7], ["1e5", 100000.0]]}))
    assert table.index.content == b'id,n\n"007",7\n"1e5",100000\n'


def test_a_date_with_a_clock_is_no_date_at_midnight_whatever_the_others_are() -> None:
    column = FileColumn("when", "datetime", [MIDNIGHT])
    assert text_of(file("xlsx", [column])) == "when\n2024-03-01T00:00:00\n"


def test_formulas_without_a_value_are_said_and_never_run() -> None:
    data = workbook({"S": [["n", "m"], [1, "=A2*2"], [2, 5]]})
    bare = changed(data, "xl/worksheets/sheet1.xml", b"<v>0</v></c>", b"<v></v></c>")
    table = read(bare)
    assert table.texts(1) == ["", "5"]
    assert "Blank here because their formula has no stored value: 1" in table.notices[1].text
    assert text_of(data) == "n,m\n1,0\n2,5\n"


def test_a_table_that_begins_further_down_and_right() -> None:
    data = workbook({"S": [[], ["", "", "n", "m"], ["", "", 1, None], ["", "", 2, 3]]})
    assert text_of(data) == "n,m\n1,\n2,3\n"
    titled = workbook({"S": [["Class 7b"], ["name", "score"], ["Ada", 71], ["Ben", 64]]})
    table = read(titled, skip_lines=1)
    assert (table.row_count, table.numbers(1).values.tolist()) == (2, [71, 64])


def test_archives_of_one_table() -> None:
    mac = {"__MACOSX/._t.csv": b"x", "folder/.DS_Store": b"x"}
    table = read(zipped({"folder/t.csv": CSV} | mac))
    assert (table.container.kind, table.container.table) == ("zip", "folder/t.csv")
    assert (table.format.separator, table.format.decimal) == (";", ",")
    with pytest.raises(SeveralTablesError) as caught:
        read(zipped({"a.csv": CSV, "b.csv": b"c\n3\n"}))
    assert caught.value.names == ("a.csv", "b.csv")
    assert read(zipped({"a.csv": CSV, "b.csv": b"c\n3\n"}), table="b.csv").texts(0) == ["3"]
    inside = read(zipped({"t.dat": file("parquet")}))
    assert (inside.container.kind, inside.container.table) == ("parquet", "t.dat")
    with pytest.raises(TableError, match="upload this file by itself"):
        read(zipped({"book.xlsx": TWO}))


def test_json_in_gzip_and_with_names_that_come_late() -> None:
    lines = b'\xef\xbb\xbf{"a": 1.0, "b": null}\n\n{"c": "x", "a": 12345678901234567890}\r\n'
    wanted = "a,b,c\n1,,\n12345678901234567890,,x\n"
    assert text_of(lines) == wanted
    assert text_of(gzip.compress(lines)) == wanted
    assert text_of(b'[{"id":1,"age":34},{"id":2,"age":27}]') == "id,age\n1,34\n2,27\n"
    assert text_of(b'{"a": NaN}\n{"a": -Infinity}\n{"a": true}') == 'a\n""\n""\nTRUE\n'


@pytest.mark.parametrize("table", ["[kg],[m]\n1,2\n", "{x},y\n1,2\n", '"{""a"":1}",b\n1,2\n'])
def test_a_table_may_begin_with_a_bracket(table: str) -> None:
    assert read(table.encode()).container.kind == "text"


def test_one_column_with_blanks_keeps_its_rows() -> None:
    column = [FileColumn("n", "float", [1.0, None, 3.0])]
    for kind in KINDS:
        assert read(file(kind, column)).row_count == 3, kind


def test_rows_keep_their_blank_cells_at_the_end() -> None:
    column = [FileColumn("a", "int", [1, 2]), FileColumn("b", "text", [None, None])]
    for kind in ("xlsx", "parquet", "sav"):
        table = read(file(kind, column))
        assert (len(table.columns), table.uneven) == (2, ())


# Two sheets with cells and an empty one, written by xlwt.
OLD_EXCEL = zlib.decompress(
    base64.b85decode(
        b"c-rk)O=uHA6#izD%^%ILsn7}~6l}G&P!ZHiyH;9zN{M>#2SL*&2dPa;nuGPA)taLqcv8Gn>cLCZi$BzZ"
        b"f(H*mMGt}?B=zV?P!MUezInT`X-%L38;I<;>^C!S-t4@c_vUB!-BK_=_qery4d{mrMcoZYnM}~_E)@cx"
        b"dR>><QtF~xx6n{<yU39a6^q`tPU%DG?*bG&vcDn*mgzo&NsOdZ$w(b>m~Ds)X+xiIQ0yrbk#~uGXkp7j"
        b"%wx>km>;tC3+6*Cxxw5=x_NOLOWH`+K{Jw1D(zh7BNlkdZ9cJNFPia2M)H-L!q8PQkU1Z}&|np9_9o1O"
        b"oI0FLB{Q<@$9;H!Q-q#qv}bTIk1#oW9zXO5@Vzv%Uq&o>edPiq|G8f7tRi=j6F16lDRy86`Z*zkIY&Xg"
        b"-)>Ci<74Seaw-QeeyLKT(nQW0f|%0~3{6aCr&rJkm5Ts1O~ogYl%0~TZNNYxPTbpjfFkUoNA3c=Y6RA;"
        b"8eX1BO~eWKIUnTt6d;pV9(;Qr9gS&cSu(>rg|VOPl%_++RoQ|X`?$u&EOon>_b^}Mr|#f<D|46(rnDp0"
        b"Y-Wzkvd(p`?Vx`4F+OOWW%*r{&wV}mtS$FN+fDg};licx!bfcm?X<rosJ*;q(Ji{go!b)6wNfg~b>}m4"
        b"%U^4dO9_~^>*l8E$Euulgdnp~lA|L`eNjPQu)ciaWyQnx1hJSl^py(w3hUcUeK`gp+<UE{UkTxftfUoj"
        b"4fXJ$_`{9rLs8L(@?CjUv2~-0s-wDwMjO@YV`jmE1q&7|Sg0?AdCs;O2Y>zmkY^UB`Cn(1?xOXZ<iEu+"
        b"r0L4i2jvh_lx8qpQ~Yd)DoW21n`~41Unp^cde2}Sqin}`&GAcTPEr0on{F8RcT=d={)@HPxyAke2FgJ#"
        b"(f"
    )
)


def test_excel_of_the_old_kind() -> None:
    table = read(OLD_EXCEL, table="Scores")
    assert table.container.kind == "xls"
    assert table.index.content == b'name,score\nAda,71.5\n"007",2024-03-01\n'
    with pytest.raises(SeveralTablesError, match="'Scores', 'Notes'"):
        read(OLD_EXCEL)
    with pytest.raises(errors.NotTextError, match=r"\(\.xls\) that cannot be read"):
        read(OLD_EXCEL[:512] + b"\xff" * 512 + OLD_EXCEL[1024:])


def test_sheets_of_open_document_are_found_by_name() -> None:
    end = b"</table:table>"
    more = b'<table:table table:name="Q &amp; A">' + b"<table:table-row/>" + end
    filled = b"<table:table-row><table:table-cell office:value-type='float' office:value='1'/>"
    two = changed(file("ods"), "content.xml", end, end + more)
    assert text_of(two) == TEXT  # the second one is empty
    row = filled + b"</table:table-row>"
    two = changed(
        file("ods"), "content.xml", end, end + more.replace(b"<table:table-row/>", 2 * row)
    )
    assert text_of(two, "Q & A") == "1\n1\n"
    with pytest.raises(SeveralTablesError, match="'Table', 'Q & A'"):
        read(two)
