r"""Tables: read a CSV without losing a byte, know its columns, write it back.

The bytes of the file are kept, with an array of the places of all cells. A column is read, judged
or replaced through these places, so whatever is not replaced comes back byte for byte.

>>> from compdp_core.table import format_cells, read, write
>>> uploaded = b'id,score\r\n"007",71.5\r\n'
>>> table = read(uploaded)
>>> write(table).data == uploaded
True
>>> write(table, {1: format_cells([68.25], decimals=2)}).data
b'id,score\r\n"007",68.25\r\n'
"""

from __future__ import annotations

from compdp_core.errors import TableError
from compdp_core.table.affix import Affix, Mixture
from compdp_core.table.alignment import Alignment, Uneven
from compdp_core.table.columns import Cell, Column
from compdp_core.table.dialect import Format
from compdp_core.table.errors import (
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
from compdp_core.table.formatting import CellTexts, format_cells
from compdp_core.table.missing import DEFAULT_MISSING
from compdp_core.table.notices import Notice
from compdp_core.table.opening import MAX_BYTES
from compdp_core.table.reading import read
from compdp_core.table.table import Numbers, Table
from compdp_core.table.writing import Written, write

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
