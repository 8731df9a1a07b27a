"""Random tables through the front door, to be compared with what the definitions say."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import isclose

import polars as pl
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from unlinkable import check
from unlinkable.tables.models.base import GroupModel, Verdict

__all__ = ["agree", "bounds", "frame_of", "same", "small", "verdict_of"]

small = partial(tables, max_records=14, max_qid=3, max_leaves=4, max_height=2, max_sensitive=1)
bounds = st.fractions(Fraction(1, 10), 1, max_denominator=12)


def verdict_of(
    table: RandomTable, model: GroupModel, *, side: Mapping[str, object] | None = None
) -> Verdict:
    """Check one promise on a random table."""
    (verdict,) = check(table_of(table), model, side=side).verdicts
    return verdict


def frame_of(rows: Sequence[Mapping[str, Hashable]], columns: Sequence[str]) -> pl.DataFrame:
    """Write these columns of the rows as texts."""
    return pl.DataFrame({c: pl.Series([row[c] for row in rows], dtype=pl.String) for c in columns})


def same(level: float | None, expected: Fraction | float | None) -> bool:
    """Whether a level is the one of the definition, as far as floating point can tell."""
    if level is None or expected is None:
        return level is None and expected is None
    return level == expected or isclose(level, expected, rel_tol=1e-9, abs_tol=1e-9)


def agree(verdict: Verdict, expected: Fraction | float | None, *, holds: bool) -> None:
    """Assert that verdict and level are those of the definition."""
    assert verdict.holds is holds
    assert same(verdict.level, expected), (verdict.level, expected)
