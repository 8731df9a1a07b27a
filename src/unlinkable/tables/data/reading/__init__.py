"""Reading: frames from files, databases and other frames."""

from __future__ import annotations

from unlinkable.tables.data.reading.files import read_frame as read_frame
from unlinkable.tables.data.reading.files import sheet_names as sheet_names
from unlinkable.tables.data.reading.options import ColumnType as ColumnType
from unlinkable.tables.data.reading.options import ReadOptions as ReadOptions
from unlinkable.tables.data.reading.origins import Origin as Origin
from unlinkable.tables.data.reading.frames import to_frame as to_frame
