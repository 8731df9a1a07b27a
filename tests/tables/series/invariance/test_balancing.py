"""Balancing: every value of a signature equally often, and rows of different values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import InfeasibleError
from unlinkable.tables.series.invariance.balancing import balance, deal
from unlinkable.tables.series.invariance.signatures import Signatures


@st.composite
def owed(draw: st.DrawFn) -> tuple[Signatures, int]:
    """Draw records, some of which must get one of two signatures that have their value."""
    m, n_values = draw(st.integers(2, 3)), draw(st.integers(3, 5))
    sets = np.zeros((2, n_values), bool)
    for row in sets:
        row[sorted(draw(st.sets(st.integers(0, n_values - 1), min_size=m)))] = True
    values = draw(st.lists(st.integers(0, n_values - 1), min_size=1, max_size=20))
    must = [draw(st.sampled_from([-1, *np.flatnonzero(sets[:, v]).tolist()])) for v in values]
    texts = tuple("abcde"[:n_values])
    return Signatures(texts, np.array(values, np.int32), np.array(must, np.int64), sets), m


@given(owed(), st.integers(0, 5))
def test_everybody_gets_a_signature_with_every_value_equally_often(
    drawn: tuple[Signatures, int], seed: int
) -> None:
    known, m = drawn
    made = balance(known, m, np.random.default_rng(seed))
    assert sorted(made.record[made.record >= 0].tolist()) == list(range(known.values.size))
    for entry, bucket, value in zip(made.record, made.bucket, made.value, strict=True):
        assert made.sets[bucket, value]
        if entry >= 0:
            assert value == known.values[entry]
            if known.owed[entry] >= 0:
                assert (made.sets[bucket] == known.sets[known.owed[entry]]).all()
    for b in np.unique(made.bucket):
        counts = np.bincount(made.value[made.bucket == b], minlength=len(known.texts))
        assert len(set(counts[made.sets[b]].tolist())) == 1
        assert made.sets[b].sum() >= m
    assert made.n_counterfeits == (made.record < 0).sum()


@given(st.lists(st.integers(0, 4), max_size=30), st.integers(1, 5))
def test_rows_have_different_values_and_enough_of_them(values: list[int], m: int) -> None:
    row, pad_row, pad_value = deal(np.array(values, np.int32), 5, m)
    rows: dict[int, list[int]] = {}
    for r, v in [*zip(row.tolist(), values, strict=True), *zip(pad_row, pad_value, strict=True)]:
        rows.setdefault(int(r), []).append(int(v))
    assert all(len(set(own)) == len(own) >= m for own in rows.values())
    most = max((values.count(v) for v in values), default=0)
    assert pad_row.size == max(0, m * most - len(values))


def test_refuses_a_column_with_too_few_values() -> None:
    known = Signatures(("a",), np.zeros(2, np.int32), np.full(2, -1), np.zeros((0, 1), bool))
    with pytest.raises(InfeasibleError, match="has 1 different value, and groups must have 2"):
        balance(known, 2, np.random.default_rng(0))
