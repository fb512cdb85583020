r"""Tables: read a CSV without losing a byte, know its columns, write it back.

The bytes of the file are kept, with an array of the places of all cells. A column is read, judged
or replaced through these places, so whatever is not replaced comes back byte for byte.

>>> from compdp_core.tables import format_cells, read, write
>>> uploaded = b'id,score\r\n"007",71.5\r\n'
>>> table = read(uploaded)
>>> write(table).data == uploaded
True
>>> write(table, {1: format_cells([68.25], decimals=2)}).data
b'id,score\r\n"007",68.25\r\n'
"""

from __future__ import annotations

from compdp_core.errors import TableError
from compdp_core.tables.affix import Affix, Mixture
from compdp_core.tables.alignment import Alignment, Uneven
from compdp_core.tables.column import Cell, Column
from compdp_core.tables.dialect import Format
from compdp_core.tables.errors import (
    CellError,
    EmptyFileError,
    EncodingError,
    FileTooLargeError,
    NonFiniteError,
    NoRowsError,
    NotNumericError,
    NotTextError,
    NoValuesError,
    PrecisionError,
    ReplacementError,
    TooManyColumnsError,
    UnclosedQuoteError,
    UnevenRowsError,
)
from compdp_core.tables.file_types import MAX_BYTES
from compdp_core.tables.formatting import CellTexts, format_cells
from compdp_core.tables.missing import DEFAULT_MISSING
from compdp_core.tables.notices import Notice
from compdp_core.tables.reading import read
from compdp_core.tables.table import Numbers, Table
from compdp_core.tables.writing import Written, write

__all__ = [
    "DEFAULT_MISSING",
    "MAX_BYTES",
    "Affix",
    "Alignment",
    "Cell",
    "CellError",
    "CellTexts",
    "Column",
    "EmptyFileError",
    "EncodingError",
    "FileTooLargeError",
    "Format",
    "Mixture",
    "NoRowsError",
    "NoValuesError",
    "NonFiniteError",
    "NotNumericError",
    "NotTextError",
    "Notice",
    "Numbers",
    "PrecisionError",
    "ReplacementError",
    "Table",
    "TableError",
    "TooManyColumnsError",
    "UnclosedQuoteError",
    "Uneven",
    "UnevenRowsError",
    "Written",
    "format_cells",
    "read",
    "write",
]
