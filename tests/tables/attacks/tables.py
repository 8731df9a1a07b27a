"""Small releases, written down or taken from worked examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from unlinkable.tables.attacks.base.target import Target

__all__ = ["frame_of_case", "target"]


def frame_of_case(given: Mapping[str, Sequence[Any]]) -> pl.DataFrame:
    """Read the columns and rows of a worked example."""
    return pl.DataFrame(given["rows"], schema=list(given["columns"]), orient="row")


def target(
    columns: Mapping[str, Any] | pl.DataFrame,
    quasi: str | Sequence[str],
    sensitive: str | Sequence[str],
    **more: Any,
) -> Target:
    """Publish columns as they are."""
    names = [(name,) if isinstance(name, str) else tuple(name) for name in (quasi, sensitive)]
    return Target(pl.DataFrame(columns), names[0], names[1], **more)
