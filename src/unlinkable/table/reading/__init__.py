"""Reading tables (being written)."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray


class Origin(Protocol):
    """What the records came in."""

    def give_back(self, frame: pl.DataFrame, rows: NDArray[np.int64] | None) -> object:
        """Give a release in kind."""


def to_frame(data: object) -> tuple[pl.DataFrame, Origin | None]:
    """Take a frame of any kind."""
    return (data if isinstance(data, pl.DataFrame) else pl.DataFrame(data)), None  # type: ignore[arg-type]
