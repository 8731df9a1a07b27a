"""Auto: trees made from frequencies, or from what values hide."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.data.taxonomies import upto
from unlinkable.errors import ParameterError, TaxonomyError
from unlinkable.tables.data import Schema, Table
from unlinkable.tables.taxonomies import Domain, Kind, observe
from unlinkable.tables.taxonomies.builders import Auto, Observed
from unlinkable.tables.taxonomies.published_values import write_level


def numbers(counts: list[int]) -> Observed:
    domain = Domain(Kind.NUMBER, np.arange(len(counts)))
    return Observed("x", domain, np.array(counts, np.int64))


def categories(counts: list[int], hidden: list[list[float]] | None = None) -> Observed:
    values = np.array([chr(97 + i) for i in range(len(counts))], dtype=object)
    shares = None if hidden is None else np.array(hidden, float)
    return Observed("x", Domain(Kind.CATEGORY, values), np.array(counts, np.int64), shares)


def large(counts: list[int]) -> Observed:
    values = np.array([f"v{i}" for i in range(len(counts))], dtype=object)
    return Observed("x", Domain(Kind.CATEGORY, values), np.array(counts, np.int64))


def starts(observed: Observed, groups: int = 2) -> list[list[int]]:
    taxonomy = Auto(groups).build(observed)
    return [level.starts[:-1].tolist() for level in taxonomy.levels[1:-1]]


counted = st.lists(st.integers(1, 50) | st.integers(1, 10**6), min_size=1, max_size=60)


def test_equal_counts_are_halved_again_and_again() -> None:
    assert starts(numbers([1] * 8)) == [[0, 2, 4, 6], [0, 4]]


def test_nodes_are_cut_where_their_records_are_halved() -> None:
    assert starts(numbers([5, 1, 1, 1, 1, 1])) == [[0, 1, 2, 3, 4], [0, 1, 3], [0, 1]]


def test_nodes_can_be_cut_into_more_parts() -> None:
    assert starts(numbers([1] * 9), groups=3) == [[0, 3, 6]]
    assert starts(numbers([4, 1, 1, 1, 1, 4]), groups=3) == [[0, 1, 2, 4, 5], [0, 1, 5]]


@given(counted)
def test_the_first_cut_is_the_most_even_there_is(counts: list[int]) -> None:
    levels = starts(numbers(counts))
    if not levels:
        assert len(counts) <= 2
        return
    cut = levels[-1][1]
    gaps = [abs(sum(counts[:i]) - sum(counts[i:])) for i in range(1, len(counts))]
    assert gaps[cut - 1] == min(gaps)


@given(counted, st.integers(2, 5))
def test_the_tree_is_nested_narrow_and_not_deep(counts: list[int], groups: int) -> None:
    levels = [[*range(len(counts))], *starts(numbers(counts), groups), [0]]
    for below, above in pairwise(levels):
        assert set(above) < set(below) or below == above == [0]
        parent = np.searchsorted(above, below, side="right")
        assert np.bincount(parent).max() <= groups
    deepest = next(h for h in range(100) if groups**h >= len(counts))
    assert len(levels) - 1 <= deepest + 1


def test_dates_are_numbers_too() -> None:
    days = observe("day", [date(2024, 1, d) for d in (1, 2, 3, 4)])
    taxonomy = Auto().build(days)
    texts = write_level(taxonomy, 1, upto(4)).tolist()
    assert texts == ["[2024-01-01-2024-01-03)"] * 2 + ["[2024-01-03-2024-01-05)"] * 2


def test_levels_with_thousands_of_nodes_are_left_out() -> None:
    sizes = [level.n_nodes for level in Auto().build(numbers([1] * 10_000)).levels]
    assert sizes[:3] == [10_000, 4096, 2048]
    sizes = [level.n_nodes for level in Auto().build(large([1] * 10_000)).levels]
    assert sizes[:3] == [10_000, 2500, 1250]


def test_the_rarest_categories_are_merged_first() -> None:
    taxonomy = Auto().build(categories([1, 50, 2, 9, 30]))
    assert write_level(taxonomy, 1, upto(5)).tolist() == [
        *["{a, c}"] * 2,
        *["{d, e}"] * 2,
        "b",
    ]
    assert write_level(taxonomy, 2, upto(5)).tolist() == [*["{a, c, d, e}"] * 4, "b"]


@given(counted, st.integers(2, 4))
def test_merging_by_frequency_joins_the_rarest(counts: list[int], groups: int) -> None:
    taxonomy = Auto(groups).build(large(counts))
    if taxonomy.height < 2:
        assert len(counts) <= groups
        return
    by_value = dict(zip((f"v{i}" for i in range(len(counts))), counts, strict=True))
    nodes: dict[int, list[int]] = {}
    for value, node in zip(taxonomy.domain.values, taxonomy.levels[1].blocks, strict=True):
        nodes.setdefault(int(node), []).append(by_value[value])
    ordered = sorted(nodes.values(), key=lambda node: (min(node), max(node)))
    assert [c for node in ordered for c in sorted(node)] == sorted(counts)
    assert sorted(map(len, ordered))[1:] == [groups] * (len(ordered) - 1)


def test_categories_with_the_same_hidden_values_are_merged_first() -> None:
    alike = [[1.0, 0.0], [0.0, 1.0], [0.9, 0.1], [0.2, 0.8]]
    taxonomy = Auto(by_hidden=True).build(categories([5, 5, 5, 5], alike))
    assert write_level(taxonomy, 1, upto(4)).tolist() == [*["{a, c}"] * 2, *["{b, d}"] * 2]


def test_the_same_distance_costs_more_between_frequent_categories() -> None:
    shares = [[1.0, 0.0], [0.8, 0.2], [0.7, 0.3], [0.5, 0.5]]
    alike = Auto(by_hidden=True).build(categories([9, 9, 9, 9], shares))
    assert write_level(alike, 1, upto(4)).tolist() == [*["{a, d}"] * 2, *["{b, c}"] * 2]
    skewed = Auto(by_hidden=True).build(categories([1, 1000, 1000, 1], shares))
    assert write_level(skewed, 1, upto(4)).tolist() == [*["{a, b}"] * 2, *["{c, d}"] * 2]


def test_nodes_hold_no_more_than_the_groups_asked_for() -> None:
    shares = np.eye(7).tolist()
    taxonomy = Auto(3, by_hidden=True).build(categories([1] * 7, shares))
    assert np.bincount(taxonomy.levels[1].blocks).max() <= 3
    assert taxonomy.levels[-2].n_nodes <= 3


def test_a_table_lends_its_sensitive_columns() -> None:
    frame = pl.DataFrame({"job": list("abcd") * 2, "ill": ["x", "y", "x", "y"] * 2})
    schema = Schema.of(quasi="job", sensitive="ill", taxonomies={"job": Auto(by_hidden=True)})
    taxonomy = Table(frame, schema).taxonomy("job")
    assert taxonomy.domain.values.tolist() == ["a", "c", "b", "d"]


@pytest.mark.parametrize("values", [["a"], ["a", None], [None], [7], [7, None]])
def test_a_column_with_one_value_or_none_is_flat(values: list[object]) -> None:
    assert Auto().build(observe("x", values)).height == 1


def test_refuses_to_follow_sensitive_values_where_there_are_none() -> None:
    with pytest.raises(
        TaxonomyError, match="taxonomy of 'x' is to follow the sensitive values, and"
    ):
        Auto(by_hidden=True).build(categories([1, 2]))


def test_refuses_to_follow_sensitive_values_with_numbers() -> None:
    with pytest.raises(TaxonomyError, match="column 'x' holds numbers, which are kept in order"):
        Auto(by_hidden=True).build(numbers([1, 2]))


def test_refuses_to_compare_thousands_of_categories() -> None:
    observed = large([1] * 2049)
    shares = np.ones((2049, 1))
    with pytest.raises(
        TaxonomyError, match=r"2049 values, too many to compare .* \(at most 2048\)"
    ):
        Auto(by_hidden=True).build(Observed("x", observed.domain, observed.counts, shares))


def test_refuses_one_group() -> None:
    with pytest.raises(ParameterError, match="groups must be at least 2, got 1"):
        Auto(1)
