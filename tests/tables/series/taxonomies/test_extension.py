"""Grown taxonomies: all that was published with the old one means what it meant."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.series.taxonomies.extension import extended
from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Auto, Flat
from unlinkable.tables.taxonomies.domain import Kind
from unlinkable.tables.taxonomies.published_values import read_ranges, write_level, write_ranges

BUILDERS = st.sampled_from([Auto(), Auto(groups=3), Flat()])
VALUES: st.SearchStrategy[st.SearchStrategy[object]] = st.sampled_from(
    [
        st.integers(0, 12),
        st.integers(0, 24).map(lambda n: n / 2),
        st.sampled_from("abcdefghijkl"),
        st.integers(0, 12).map(lambda n: date(2024, 1, 1) + timedelta(days=n)),
    ]
)


@st.composite
def growing(draw: st.DrawFn) -> list[list[object]]:
    """Draw the values of three releases, some of them missing; the first has one at least."""
    values = draw(VALUES)
    first = draw(st.lists(values, min_size=1, max_size=14))
    more = [draw(st.lists(st.none() | values, max_size=14)) for _ in range(2)]
    return [first, *more]


def series(builder: Auto | Flat, releases: Sequence[Sequence[object]]) -> list[Taxonomy]:
    taxonomies = [builder.build(observe("column", releases[0]))]
    for values in releases[1:]:
        # A column without any value has no kind, and so nothing to go on with.
        if any(value is not None for value in values):
            taxonomies.append(extended(taxonomies[-1], builder, observe("column", values)))
    return taxonomies


def node_ranges(taxonomy: Taxonomy) -> set[tuple[int, int]]:
    starts = [level.starts.tolist() for level in taxonomy.levels]
    return {pair for level in starts for pair in pairwise(level)}


@given(growing(), BUILDERS)
def test_every_range_that_could_be_published_keeps_its_values(
    releases: list[list[object]], builder: Auto | Flat
) -> None:
    taxonomies = series(builder, releases)
    for old, new in combinations(taxonomies, 2):
        n = old.domain.n_present
        for lo, hi in combinations(range(n + 1), 2):
            (text,) = write_ranges(old, np.array([lo]), np.array([hi]))
            if text == old.root:
                continue
            (start,), (end,) = read_ranges(new, [text])
            held = new.domain.values[start:end].tolist()
            listed = old.domain.values[lo:hi].tolist()
            assert [v for v in held if v in old.domain.values.tolist()] == listed
            if old.domain.kind is Kind.CATEGORY:
                assert held == listed
            else:
                assert {v for v in new.domain.values.tolist() if listed[0] <= v <= listed[-1]} <= {
                    *held
                }


@given(growing(), BUILDERS)
def test_every_node_goes_on_with_all_that_it_had(
    releases: list[list[object]], builder: Auto | Flat
) -> None:
    *_, before, last = series(builder, [releases[0], *releases])
    code = last.domain.find(before.domain)
    nodes = {tuple(code[lo:hi]) for lo, hi in node_ranges(before)}
    found = node_ranges(last)
    assert nodes <= {tuple(c for c in code if lo <= c < hi) for lo, hi in found}
    steps = [level.n_nodes for level in last.levels]
    assert steps == sorted(steps, reverse=True)


@given(growing(), BUILDERS)
def test_all_that_is_there_has_a_place(releases: list[list[object]], builder: Auto | Flat) -> None:
    taxonomies = series(builder, releases)
    seen = [v for values in releases[: len(taxonomies)] for v in values]
    there = {*taxonomies[-1].domain.values.tolist()}
    if len(taxonomies) == len(releases):
        assert there == {v for v in seen if v is not None}
        assert taxonomies[-1].domain.has_missing == (None in seen)


def test_nothing_changes_if_nothing_is_new() -> None:
    old = Auto().build(observe("age", [20, 25, 31, 38, 44, 50]))
    same = extended(old, Auto(), observe("age", [25, 25, 50]))
    assert same.domain.values.tolist() == old.domain.values.tolist()
    assert [level.blocks.tolist() for level in same.levels] == [
        level.blocks.tolist() for level in old.levels
    ]


def test_days_that_follow_those_of_earlier_releases_get_nodes_of_their_own() -> None:
    days = [date(2024, 1, 1) + timedelta(days=n) for n in range(24)]
    old = Auto().build(observe("came", days[:8]))
    new = extended(old, Auto(), observe("came", days))
    assert [level.n_nodes for level in old.levels] == [8, 4, 2, 1]
    assert [level.n_nodes for level in new.levels] == [24, 12, 6, 3, 2, 1]


def test_a_few_newcomers_get_no_node_of_their_own() -> None:
    old = Auto().build(observe("job", [*"aaabbbcccddd"]))
    new = extended(old, Auto(), observe("job", [*"aaabbbcccddd", "e"]))
    assert (
        write_level(new, 1, np.arange(5, dtype=np.int32)).tolist()
        == ["{a, b}"] * 2 + ["{c, d, e}"] * 3
    )


def test_numbers_in_between_part_nodes_that_hold_many() -> None:
    old = Auto().build(observe("age", [20, 40, 60, 80]))
    new = extended(old, Auto(), observe("age", range(20, 81)))
    assert [level.n_nodes for level in old.levels] == [4, 2, 1]
    assert new.height > old.height + 1
    assert (
        write_level(new, new.height - 1, np.arange(61, dtype=np.int32)).tolist()[:40]
        == ["[20-60)"] * 40
    )


def test_values_that_follow_what_is_hidden_do_so_among_themselves() -> None:
    with pytest.raises(ValueError, match="sensitive"):
        extended(
            Flat().build(observe("job", "ab")), Auto(by_hidden=True), observe("job", [*"abcdefgh"])
        )
