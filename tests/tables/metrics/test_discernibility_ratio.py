"""Discernibility ratio: Table 6.2 of the book, the definition, and its bounds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.groups.plain import rows_of_case
from tests.tables.metrics.releases import shown_sizes
from unlinkable import checks
from unlinkable.errors import ParameterError
from unlinkable.tables.metrics import Charge, Discernibility, DiscernibilityRatio

SIZES = st.lists(st.integers(1, 9), max_size=8)


def test_table_6_2_has_29_of_121_pairs() -> None:
    expected = cases.load("book-ch06-table6.2-apply-cut")["expected"]["table"]
    shown = [(row["Job"], row["Sex"], row["Age"]) for row in rows_of_case(expected)]
    sizes = list(Counter(shown).values())
    assert DiscernibilityRatio().value(shown_sizes(sizes, 0)) == 29 / 121


def by_definition(sizes: list[int], n_suppressed: int, charge: Charge) -> Fraction:
    """Count the pairs of records that look alike, record by record."""
    n = sum(sizes) + n_suppressed
    each = {Charge.TABLE: n, Charge.ALIKE: n_suppressed, Charge.NOTHING: 0}[charge]
    pairs = sum(size for size in sizes for _ in range(size)) + each * n_suppressed
    return Fraction(pairs, n * n) if n else Fraction(0)


@given(SIZES, st.integers(0, 9), st.sampled_from(list(Charge)))
def test_says_what_the_definition_says(sizes: list[int], n_suppressed: int, charge: Charge) -> None:
    ratio = DiscernibilityRatio(charge).value(shown_sizes(sizes, n_suppressed))
    assert ratio == float(by_definition(sizes, n_suppressed, charge))


@given(SIZES, st.integers(0, 9), st.sampled_from(list(Charge)))
def test_is_discernibility_out_of_all_pairs(
    sizes: list[int], n_suppressed: int, charge: Charge
) -> None:
    shown = shown_sizes(sizes, n_suppressed)
    n = shown.n_records or 1
    ratio = DiscernibilityRatio(charge).value(shown)
    assert ratio == Discernibility(charge).value(shown) / n**2 <= 1


def test_all_different_all_alike_and_all_gone() -> None:
    ratio = DiscernibilityRatio().value
    assert ratio(shown_sizes([1] * 8, 0)) == 1 / 8
    assert ratio(shown_sizes([8], 0)) == ratio(shown_sizes([], 8)) == 1
    assert DiscernibilityRatio("nothing").value(shown_sizes([], 8)) == 0


@pytest.mark.parametrize("charge", list(Charge))
@given(
    groups=st.lists(st.tuples(st.integers(1, 9), st.integers(-1, 3)), max_size=8),
    before=st.integers(0, 3),
    spare=st.integers(0, 5),
)
def test_no_coarser_release_is_below_the_floor(
    charge: Charge, groups: list[tuple[int, int]], before: int, spare: int
) -> None:
    sizes = np.array([n for n, _ in groups], np.int64)
    parent = np.array([p for _, p in groups], np.int32)
    may_suppress = int(sizes[parent < 0].sum()) + spare
    checks.check_floor(DiscernibilityRatio(charge), sizes, parent, before, may_suppress)


def test_refuses_a_charge_that_it_does_not_know() -> None:
    with pytest.raises(ParameterError, match="no charge '3' among 3"):
        DiscernibilityRatio(3)  # type: ignore[arg-type]
