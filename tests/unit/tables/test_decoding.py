"""Encodings: found, given, refused, and written back."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.tables import EncodingError, NotTextError, decoding, read, write
from compdp_core.tables.decoding import decode

RUSSIAN = "имя,возраст,балл\nИван,14,71\nМария,15,64\nПётр,13,88\n"
GREEK = "όνομα,πόλη,βαθμός\nΓιάννης,Αθήνα,15\nΜαρία,Πάτρα,17\n"
JAPANESE = "名前,年齢,点数\n田中,14,71\n鈴木,15,64\n佐藤花子,13,88\n"
CHINESE = "姓名,年龄,分数\n王伟,14,71\n李娜,15,64\n"
KOREAN = "이름,나이,점수\n김철수,14,71\n이영희,15,64\n"
GERMAN = "Name;Größe\nJürgen;1,80\nMüller;1,75\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(RUSSIAN, "cp1251"), (GREEK, "cp1253"), (JAPANESE, "cp932"), (CHINESE, "gb18030"),
     (KOREAN, "cp949"), (GERMAN, "cp1252"), (GERMAN, "utf-8"), (JAPANESE, "utf-8"),
     (GERMAN, "utf-16-le"), (GERMAN, "utf-16-be"), (RUSSIAN, "utf-16-le"),
     (JAPANESE, "utf-16-be")],
)  # fmt: skip
def test_found_without_being_told(text: str, encoding: str) -> None:
    data = text.encode(encoding)
    table = read(data)
    assert table.format.encoding == encoding
    assert table.texts(0)[0] == text.splitlines()[1].split(table.format.separator)[0]
    assert write(table).data == data


def test_one_strange_letter_is_no_reason_for_japanese() -> None:
    lines = "\n".join(f"{i},{i * 7 % 31}" for i in range(200))
    assert read(f"id,price €\n{lines}".encode("cp1252")).format.encoding == "cp1252"


def test_one_broken_letter_is_no_reason_for_western() -> None:
    names = "name,n\n" + "Zoé,1\n" * 100
    data = names.encode() + b"Ren\xc3,2\n"
    table = read(data)
    assert table.format.encoding == "utf-8"
    assert table.cell(0, 0) == "Zoé"
    assert table.cell(100, 0) == "Ren\ufffd"
    assert {"damaged_characters", "encoding"} <= {notice.code for notice in table.notices}
    assert write(table).data == data
    # As many broken as whole ones: not UTF-8.
    assert read(b"name,n\nRen\xe9,2\nZo\xc3\xa9,1\n").format.encoding == "cp1252"


def test_given_encoding_is_obeyed_or_refused() -> None:
    data = "a,b\né,2\n".encode()
    assert read(data, encoding="latin-1").cell(0, 0) == "Ã©"
    with pytest.raises(EncodingError, match=r"Line 2 .* ascii"):
        read(data, encoding="ascii")
    with pytest.raises(EncodingError, match="Line 3"):
        read(b"a,b\n1,2\n\xe9,2\n", encoding="utf-8")
    with pytest.raises(EncodingError, match="zero byte"):
        read("a,b\n1,2\n".encode("utf-16-le"), encoding="utf-8")


@pytest.mark.parametrize("name", ["utf-16", "utf-16-le", "UTF16", "utf_16_le"])
def test_given_encoding_with_mark(name: str) -> None:
    data = codecs.BOM_UTF16_LE + "a,b\né,2\n".encode("utf-16-le")
    table = read(data, encoding=name)
    assert table.header == ("a", "b")
    assert table.format.bom
    assert write(table).data == data


def test_mark_is_no_part_of_a_name_in_the_encoding_that_is_given() -> None:
    table = read(b"\xef\xbb\xbfa,b\n1,2\n", encoding="utf-8")
    assert table.header == ("a", "b")
    assert read(b"\xef\xbb\xbfa,b\n1,2\n", encoding="utf-8-sig").header == ("a", "b")


def test_binary_data_is_refused() -> None:
    with pytest.raises(NotTextError, match="binary file"):
        read(bytes(range(256)) * 4)
    with pytest.raises(NotTextError, match="line 2 holds a zero byte"):
        read(b"a,b\n1,\x002\n")


def test_encoding_with_ambiguous_bytes_is_not_changed_unseen() -> None:
    # Two byte sequences of cp932 stand for one character; the rarer one would come back changed.
    ambiguous = b"\xfa\x54"
    assert ambiguous.decode("cp932").encode("cp932") != ambiguous
    with pytest.raises(EncodingError, match="unchanged"):
        read(b"a,b\n" + ambiguous + b",2\n", encoding="cp932")


def test_escape_that_means_nothing_is_not_dropped_unseen() -> None:
    data = b"a,b\n1,2\n\x1b(B"
    assert data.decode("iso2022_jp").encode("iso2022_jp") != data
    with pytest.raises(EncodingError, match="unchanged"):
        read(data, encoding="iso2022_jp")


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60),
    st.sampled_from(["utf-16-le", "utf-32-be", "gb18030"]),
    st.sampled_from([1, 3, 1 << 20]),
)
def test_transcoding_in_pieces(text: str, encoding: str, chunk: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoding, "_CHUNK", chunk)
        found = decode(text.encode(encoding), encoding)
    # A mark at the start is set aside and comes back when writing.
    assert found.bom.decode(encoding) + found.content.decode() == text
    assert found.bom + found.to_file(found.content) == text.encode(encoding)
