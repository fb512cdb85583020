"""The case files as bytes. Every one shows a fault that tables from the field have."""

from __future__ import annotations

import gzip
import io
import zipfile

from xlsxwriter import Workbook

from compdp_core.tables.containers import open_file


def _xlsx() -> bytes:
    out = io.BytesIO()
    with Workbook(out, {"in_memory": True}) as book:
        sheet = book.add_worksheet("Scores")
        for row, cells in enumerate([("name", "score"), ("Ana", 71), ("Bo", 64)]):
            sheet.write_row(row, 0, cells)
    return out.getvalue()


def _zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("scores.csv", "a,b\n1,2\n")
    return out.getvalue()


def wide(columns: int = 1200, rows: int = 5) -> bytes:
    lines = [",".join(f"q{i + 1}" for i in range(columns))]
    lines += [",".join(str((i * r) % 5 + 1) for i in range(columns)) for r in range(1, rows + 1)]
    return ("\n".join(lines) + "\n").encode()


FILES: dict[str, bytes] = {
    # A byte order mark and quotes around the first name.
    "A01": b'\xef\xbb\xbf"student","age","score"\r\n"Ana Test","14","71.5"\r\n'
    b'"Bo Sample","15","64"\r\n"Cy Demo","13","88.25"\r\n',
    # Excel's "Unicode text", and UTF-16 without a byte order mark.
    "A02": "\ufeffnaam\tleeftijd\tcijfer\r\nZoë\t14\t7.5\r\nJürg\t15\t6.0\r\nŁucja\t13\t8.2\r\n"
    "".encode("utf-16-le"),
    "A02_nobom": "name,score\r\nZoe,7.5\r\nJurg,6.0\r\n".encode("utf-16-le"),
    "A03": "name,price €,note\r\nJosé,12.50,it’s fine\r\nBjörn,9.00,5 – 6 weeks\r\n".encode(
        "cp1252"
    ),
    "A04": b"Name;Alter;Gewicht\r\nAda;14;52,5\r\nBen;15;61,25\r\nCleo;13;48,0\r\n",
    "A04_onecol": b"Gewicht\r\n52,5\r\n61,25\r\n48,0\r\n",
    "A06": 'id,salary,bonus_pct,height,balance\n1,"$1,234.50",12%,172 cm,(35.00)\n'
    '2,"$987.00",7.5 %,1.68 m,20.00\n3,"€2,100.00",n/a,181cm,-5.25\n'.encode(),
    "A08": b"id,age,score\n101,14,71,\n102,15,64,\n103,13,88,\n",
    "A08_firstrow": b"id,age,score\n101,14,71,\n102,15,64\n103,13,88\n",
    "A09": b"id,score,score,,score.1\n1,10,90,5,7\n2,20,80,6,8\n3,30,70,4,9\n",
    "A10": b"student_id,opened_at,score\n1582218195625938945,20230301181139587,10\n"
    b",20230301181139588,20\n1582218195625938947,20230301181139589,30\n",
    "A10_21digit": b"n\n1\n2\n123456789012345678901\n",
    "A11": b"country,region_code,score\nNamibia,NA,51\nNorway,NO,NA\nNauru,NR,n.a.\nNepal,NP,-\n"
    b"Niger,NE,missing\nNigeria,NG,62\nNull Island,None,#N/A\nNorthland,null,\n",
    "A12": b"pupil_id,zip,score\n007,02138,55\n042,06520,61\n100,90210,70\n",
    "A13_empty": b"",
    "A13_header_only": b"name,age,score\n",
    "A13_blank_lines": b"\n\n   \n",
    "A13_no_header": b"14,71.5\n15,64\n13,88.25\n",
    "A14_gzip": gzip.compress(b"name,score\nAna,71\nBo,64\n", mtime=0),
    "A14_xlsx": _xlsx(),
    "A14_zip": _zip(),
    "A15_swallow": b'id,remark,score\n1,ok,71\n2,"late,64\n3,ok,88\n4,ok",52\n5,ok,60\n',
    "A15_open": b"id,height,score\n1,170,71\n2,\"5'11,64\n3,165,88\n4,180,52\n",
    "A16_sep": b"sep=;\nid;age;score\n1;14;71,5\n2;15;64\n",
    "A16_title": b"Class results 2025,,\nexported 2025-01-31,,\nid,age,score\n1,14,71\n2,15,64\n"
    b"Total,,135\n",
    "A16_ragged": b"id,age,score\n1,14,71\n2,15\n3,13,88,late\n4,16,52\n",
    "A20": b"id,score\n1,10.5\n2,inf\n3,-Infinity\n4,1e400\n5,12.0\n6,NaN\n7,0x1A\n",
    "A20_inf_only": b"id,score\n1,10.5\n2,inf\n3,-inf\n4,1e400\n5,12.0\n",
    "A21": b'name,note,score,=2+5\n"=HYPERLINK(""http://example.invalid/?""&C2,""see"")",'
    b'@SUM(1+1),-12.5,1\nAna,+44 20 0000 0000,7.0,2\nBo,"-2+3",-0.5,3\n"\t=1+1","\r=1+1",3.25,4\n',
    "A23": "prénom,ville,note\nZoé,Besançon,14.5\nÉlodie,Orléans,12\nFrançois,Nîmes,16\n".encode(),
    "A25_wide": wide(),
    "B06": b"id,score,only_missing\n1,50,\n2,50,\n3,50,\n",
    "B06_onerow": b"id,score\n1,50\n",
    "B09": b'"cost $USD to $EUR","*score*",":red[grade]","<img src=x onerror=alert(1)>","a|b",'
    b'"`code`","[link](http://example.invalid)"\n1,2,3,4,5,6,7\n8,9,10,11,12,13,14\n',
    "C01": b"id,age,income\n1,14,1000\n2,,2500\n3,15,\n4,200,900\n5,13,1800\n",
    "C01_allmissing": b"id,age\n1,\n2,\n3,\n",
    "C10": b"id,age\n1,0\n2,3\n3,101\n4,57\n",
}

# Habits of the bytes that must survive: none of these is named in the cases above.
ODDITIES: dict[str, bytes] = {
    "no final line end": b"a,b\n1,2\n3,4",
    "carriage returns": b"a,b\r1,2\r3,4\r",
    "mixed line ends": b"a,b\r\n1,2\n3,4\r5,6\r\n",
    "doubled line ends": b"a,b\r\r\n1,2\r\r\n3,4\r\r\n",
    "blank lines": b"\n\na,b\n\n1,2\n  \n3,4\n\n\n",
    "quoted line ends": b'a,b\n"x\ny\r\nz",2\n"",4\n',
    "doubled quotes": b'a,b\n"say ""hi"", he said",2\n"""",4\n',
    "stray quotes": b'a,b\nfive "feet,2\n6\'1",4\n"x"y"z,5\n',
    "spaces": b"a , b\n 1 ,2 \n\t3\t,  4\n",
    "last cell empty": b"a,b\n1,\n2,",
    "end of file mark": b"a,b\r\n1,2\r\n\x1a",
    "one column": b"a\n1\n\n2\n3",
    "gzip twice": gzip.compress(b"a,b\n1,2\n", mtime=0) + gzip.compress(b"3,4\n", mtime=0),
    "byte order mark and sep": b"\xef\xbb\xbfsep=;\r\na;b\r\n1;2\r\n",
    "title with a quote": b'Height of 5" and more\nid,age,score\n1,2,3\n4,5,6\n',
    "utf-16 big endian": "\ufeffa,b\nä,2\nö,4\n".encode("utf-16-be"),
    "utf-32": "\ufeffa,b\nä,2\nö,4\n".encode("utf-32-le"),
    "latin letters": "a;b\nä;1,5\nö;2,5\n".encode("latin-1"),
    "undefined in cp1252": b"a,b\n\x81\x8d,2\nx,4\n",
}


def unpacked(data: bytes) -> bytes:
    """The text of the table in a file that may be packed."""
    if data.startswith(b"\x1f\x8b"):
        return gzip.decompress(data)
    return open_file(data).content if data.startswith(b"PK\x03\x04") else data
