"""Series of published tables, written down or taken from worked examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from tests.tables.attacks.tables import frame_of_case, target
from unlinkable.tables.attacks.series.series import Edition, Series, Sheet
from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Tree

__all__ = ["byun_series", "series_of_sheets"]

GENDER = {"Person": ["Male", "Female"]}


def series_of_sheets(sheets: Sequence[Sheet], names: Sequence[str] | None = None) -> Series:
    """Publish sheets: records show the number of their group, and hide their value."""
    editions = [
        Edition(
            target(
                {"shown": [f"g{g}" for g in s.groups], "s": [f"v{v}" for v in s.values]},
                "shown",
                "s",
            ),
            s.people,
            f"release {i + 1}",
        )
        for i, s in enumerate(sheets)
    ]
    return Series(tuple(editions), names)


def byun_series(case: dict[str, Any], releases: tuple[str, ...] = ("t1", "t2")) -> Series:
    """Publish Figures 2 and 4 of the paper; ages as intervals that are closed below only."""
    names = [row[0] for row in case["patients_t2"]["rows"]]
    editions = []
    for name in releases:
        frame = frame_of_case(case[f"released_{name}"])
        ages = [_half_open(text) for text in frame["AGE"].to_list()]
        told = target(
            frame.with_columns(pl.Series("AGE", ages)),
            case["QID"],
            case["sensitive"],
            taxonomies={"Gender": gender()},
        )
        people = np.array([names.index(owner) for owner in case[f"row_owner_{name}"]])
        editions.append(Edition(told, people, name))
    return Series(tuple(editions), names)


def gender() -> Taxonomy:
    """Give what Person stands for."""
    return Tree(GENDER).build(observe("Gender", ["Male", "Female"]))


def _half_open(text: str) -> str:
    low, high = text.strip("[]").split(" - ")
    return f"[{low}-{int(high) + 1})"
