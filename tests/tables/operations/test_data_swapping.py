"""Data swapping: counts that stay exact, pairs, seeds and refusals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.witness.swapping import marginal, marginals_kept
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.noise import secure_generator
from unlinkable.tables.data import as_table
from unlinkable.tables.operations.data_swapping import DataSwapping, swap_pairs

SHARES = st.fractions(Fraction(1, 50), 1, max_denominator=50)


@given(tables(owner=False, min_records=1), SHARES, st.integers(0, 99), st.data())
def test_counts_within_groups_and_of_all_columns_stay_exact(
    random: RandomTable, share: Fraction, seed: int, data: st.DataObject
) -> None:
    within = data.draw(st.sets(st.sampled_from(random.qid)))
    operation = DataSwapping(share, within=sorted(within))
    before = table_of(random)
    after = operation.apply(before, secure_generator(seed)).to_dicts()
    kept = before.frame.to_dicts()
    together = [*sorted(within), *random.sensitive]
    assert marginal(kept, together) == marginal(after, together)
    assert marginal(kept, random.qid) == marginal(after, random.qid)
    assert marginals_kept(kept, after, [*random.qid, *random.sensitive], 1)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40), SHARES, st.integers(0, 99))
def test_records_are_paired_once_within_their_stratum(
    strata: list[int], share: Fraction, seed: int
) -> None:
    labels = np.unique(strata, return_inverse=True)[1].astype(np.int32)
    partner = swap_pairs(labels, share, np.random.default_rng(seed))
    assert (partner[partner] == np.arange(labels.size)).all()
    assert (labels[partner] == labels).all()
    swapped = np.bincount(labels[partner != np.arange(labels.size)], minlength=labels.max() + 1)
    expected = [int(share * n / 2) * 2 for n in np.bincount(labels).tolist()]
    assert swapped.tolist() == expected


def test_partners_are_drawn_evenly() -> None:
    """Each of the other three is the partner of the first record a third of the time.

    The chance of a false alarm is 1e-6 by a bound of five standard deviations.
    """
    rng = np.random.default_rng(3)
    runs = [int(swap_pairs(np.zeros(4, np.int32), Fraction(1), rng)[0]) for _ in range(3_000)]
    counts = np.bincount(runs, minlength=4)
    assert counts[0] == 0
    assert (np.abs(counts[1:] - 1_000) < 5 * np.sqrt(3_000 * 2 / 9)).all()


def test_columns_move_together_unless_they_are_to_move_separately() -> None:
    n = 40
    people = as_table({"a": range(n), "b": range(n)}, sensitive=["a", "b"])
    together = DataSwapping().apply(people, secure_generator(1))
    assert (together["a"] == together["b"]).all()
    apart = DataSwapping(separately=True).apply(people, secure_generator(1))
    assert not (apart["a"] == apart["b"]).all()
    assert sorted(apart["b"]) == list(range(n))


def test_the_same_seed_swaps_the_same_pairs() -> None:
    people = as_table({"a": range(30)}, sensitive="a")
    first, second = (DataSwapping("1/2").apply(people, secure_generator(7)) for _ in range(2))
    assert first.equals(second)
    assert int((first["a"] != people.frame["a"]).sum()) == 14


def test_a_share_of_many_digits_is_no_matter() -> None:
    share, n = Fraction(0.1234567890123456789), 1_000
    partner = swap_pairs(np.zeros(n, np.int32), share, np.random.default_rng(1))
    assert int((partner != np.arange(n)).sum()) == 122


def test_refuses_to_swap_what_is_to_be_kept() -> None:
    people = as_table({"a": [1, 2], "b": [1, 2]}, quasi="a", sensitive="b")
    with pytest.raises(ParameterError, match="'b' is to be swapped, and to be the same"):
        DataSwapping(within="b").bind(people.schema)
    with pytest.raises(ParameterError, match=r"share must lie in \(0, 1\]"):
        DataSwapping(0)
    with pytest.raises(SchemaError, match="no column 'c'"):
        DataSwapping(columns="c").bind(people.schema)
    with pytest.raises(SchemaError, match="no column 'c'"):
        DataSwapping(within="c").bind(people.schema)
    with pytest.raises(SchemaError, match="name the columns that are meant"):
        DataSwapping().apply(as_table({"a": [1, 2]}, quasi="a"), secure_generator(1))
