"""Files that hold a table and are no text: spreadsheets, zip archives, Parquet and the like.

Each becomes the text of a CSV file by one public rule (:mod:`.csv_text`), which is read like any
other, so that whatever holds of the bytes of a file holds of it from there on. A kind of file is
recognised by what it holds, never by its name.
"""

from __future__ import annotations

from compdp_core.tables.containers.base import Container as Container
from compdp_core.tables.containers.opening import open_file as open_file
