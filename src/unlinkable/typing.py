"""Types that cross borders between modules: arrays, names of columns, progress callbacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BoolArray",
    "CodeArray",
    "Columns",
    "CountArray",
    "FloatArray",
    "Progress",
    "ValueText",
]

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

ValueText: TypeAlias = Annotated[str, "of a value"]
"""A value by its text; where it is written without quotation marks, it may read like a number."""

Progress: TypeAlias = Callable[[float, str], None]
"""Progress callback: gets the share of the work that is done, and a few words on it."""
