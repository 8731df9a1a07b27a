"""Sets of records that look alike, and what may be done with them."""

from __future__ import annotations

from unlinkable.groups.groups import Groups
from unlinkable.groups.histogram import Histogram
from unlinkable.groups.knowledge import Knowledge
from unlinkable.groups.partition import Partition
from unlinkable.groups.rows import RowNumbers, number_rows

__all__ = ["Groups", "Histogram", "Knowledge", "Partition", "RowNumbers", "number_rows"]
