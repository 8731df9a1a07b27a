from .files import read_frame as read_frame
from .files import sheet_names as sheet_names
from .frames import Origin as Origin
from .frames import to_frame as to_frame
from .options import ColumnType as ColumnType
from .options import ReadOptions as ReadOptions
