"""Sets of records that look alike, and what may be done with them."""

from __future__ import annotations

from unlinkable.tables.groups.groups import Groups
from unlinkable.tables.groups.histogram import Histogram
from unlinkable.tables.groups.knowledge import Knowledge
from unlinkable.tables.groups.partition import Partition
from unlinkable.tables.groups.rows import RowNumbers, number_rows

__all__ = ["Groups", "Histogram", "Knowledge", "Partition", "RowNumbers", "number_rows"]
