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

from compdp_core.errors import TableError as TableError
from compdp_core.tables.affix import Affix as Affix
from compdp_core.tables.affix import Mixture as Mixture
from compdp_core.tables.alignment import Alignment as Alignment
from compdp_core.tables.alignment import Uneven as Uneven
from compdp_core.tables.column import Cell as Cell
from compdp_core.tables.column import Column as Column
from compdp_core.tables.containers.base import Container as Container
from compdp_core.tables.containers.base import SeveralTablesError as SeveralTablesError
from compdp_core.tables.dialect import Format as Format
from compdp_core.tables.errors import CellError as CellError
from compdp_core.tables.errors import EmptyFileError as EmptyFileError
from compdp_core.tables.errors import EncodingError as EncodingError
from compdp_core.tables.errors import FileTooLargeError as FileTooLargeError
from compdp_core.tables.errors import NonFiniteError as NonFiniteError
from compdp_core.tables.errors import NoRowsError as NoRowsError
from compdp_core.tables.errors import NotNumericError as NotNumericError
from compdp_core.tables.errors import NotTextError as NotTextError
from compdp_core.tables.errors import NoValuesError as NoValuesError
from compdp_core.tables.errors import PrecisionError as PrecisionError
from compdp_core.tables.errors import ReplacementError as ReplacementError
from compdp_core.tables.errors import TooManyColumnsError as TooManyColumnsError
from compdp_core.tables.errors import UnclosedQuoteError as UnclosedQuoteError
from compdp_core.tables.errors import UnevenRowsError as UnevenRowsError
from compdp_core.tables.file_types import MAX_BYTES as MAX_BYTES
from compdp_core.tables.formatting import CellTexts as CellTexts
from compdp_core.tables.formatting import format_cells as format_cells
from compdp_core.tables.missing import DEFAULT_MISSING as DEFAULT_MISSING
from compdp_core.tables.notices import Notice as Notice
from compdp_core.tables.reading import read as read
from compdp_core.tables.table import Numbers as Numbers
from compdp_core.tables.table import Table as Table
from compdp_core.tables.writing import Written as Written
from compdp_core.tables.writing import write as write
