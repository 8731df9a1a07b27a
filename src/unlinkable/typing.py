"""The kinds of arrays that cross borders between modules."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["BoolArray", "CodeArray", "Columns", "CountArray", "FloatArray"]

CodeArray: TypeAlias = NDArray[np.int32]
"""Codes of values, or labels of groups (-1: left out)."""

CountArray: TypeAlias = NDArray[np.int64]
"""Numbers of records."""

FloatArray: TypeAlias = NDArray[np.float64]
"""Measurements."""

BoolArray: TypeAlias = NDArray[np.bool_]
"""Masks."""

Columns: TypeAlias = tuple[str, ...]
"""Names of columns, in the order in which they are shown."""
