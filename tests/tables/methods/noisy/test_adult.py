"""Noisy releases of UCI Adult: near the truth, and quick."""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np
import polars as pl
import pytest

from tests.adult import SEVEN, needs_adult, records, trees
from tests.tables.methods.noisy.setting import epsilon, run
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.noisy import DPHistogram, DPSynthetic

pytestmark = needs_adult

QUASI = [*SEVEN, "salary-class"]


@pytest.fixture(scope="module")
def adult() -> Table:
    return as_table(records(*QUASI), quasi=QUASI, taxonomies=trees(QUASI))


def shares(frame: pl.DataFrame, pair: tuple[str, ...], count: str | None) -> pl.DataFrame:
    weight = pl.len() if count is None else pl.col(count).sum()
    texts = frame.with_columns(pl.col(name).cast(pl.String) for name in pair)
    counted = texts.group_by(pair).agg(weight.alias("n"))
    return counted.with_columns(pl.col("n") / pl.col("n").sum())


def error(adult: Table, told: pl.DataFrame, count: str | None) -> float:
    """Give the mean over all pairs of attributes of the distance in L1 to the true shares."""
    found = []
    for pair in combinations(QUASI, 2):
        if count is None:
            of_pair = told
        else:
            others = [name for name in QUASI if name not in pair]
            is_any = pl.all_horizontal(pl.col(name) == "*" for name in others)
            of_pair = told.filter(is_any)
        both = shares(adult.frame, pair, None).join(
            shares(of_pair, pair, count), on=pair, how="full", suffix=" told"
        )
        gap = both["n"].fill_null(0) - both["n told"].fill_null(0)
        found.append(float(gap.abs().sum()))
    return float(np.mean(found))


@pytest.mark.statistical
def test_marginals_of_eight_attributes(adult: Table) -> None:
    # Over runs the error varies by about 0.002: five times that is to spare.
    run(DPHistogram(), adult, epsilon(1))  # Compiles.
    before = time.process_time()
    masked = run(DPHistogram(), adult, epsilon(1))
    assert time.process_time() - before < 5
    assert masked.frame.height == 10_339
    assert error(adult, masked.frame, "count") < 0.12
    raw = run(DPHistogram(consistent="none"), adult, epsilon(1))
    assert error(adult, raw.frame.with_columns(pl.col("count").clip(0)), "count") > 0.15


@pytest.mark.statistical
def test_synthetic_records_are_nearer_than_independent_columns(adult: Table) -> None:
    # Columns drawn independently, without any noise, are off by 0.138. Over runs the error varies
    # by about 0.001.
    run(DPSynthetic(), adult, epsilon(1, 1e-6))  # Compiles.
    before = time.process_time()
    masked = run(DPSynthetic(), adult, epsilon(1, 1e-6))
    assert time.process_time() - before < 5
    assert abs(masked.frame.height - 30_162) < 500
    assert error(adult, masked.frame, None) < 0.09
