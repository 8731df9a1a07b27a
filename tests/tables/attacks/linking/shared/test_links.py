"""Links: what looks hide, record by record and bucket by bucket."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.linking.shared.links import Hidden, link
from unlinkable.tables.attacks.shared.matching import match
from unlinkable.tables.data.side import SideTable

Rows = list[tuple[int, int, str | None]]
rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.sampled_from(["x", "y", None])),
    min_size=1,
    max_size=10,
)
PEOPLE = SideTable("list", pl.DataFrame({"a": [0, 1, 2, 3]}))


def release(told: Rows, *, has_buckets: bool) -> Target:
    types = {"a": pl.Int64, "g": pl.Int64, "s": pl.String}
    frame = pl.DataFrame(told, types, orient="row")
    return Target(frame, ("a",), ("s",), bucket="g" if has_buckets else None)


def by_definition(told: Rows, a: int, *, has_buckets: bool) -> dict[str, float]:
    """How many records of whoever shows ``a`` are to be expected to hide each value."""
    sums: Counter[str] = Counter()
    for shown, bucket, value in told:
        if shown == a and not has_buckets:
            sums[value or ""] += 1
        elif shown == a:
            inside = [v or "" for _, g, v in told if g == bucket]
            for one in inside:
                sums[one] += 1 / len(inside)  # type: ignore[assignment]
    return dict(sums)


@given(rows, st.booleans())
def test_looks_hide_what_their_records_or_buckets_hide(told: Rows, has_buckets: bool) -> None:
    target = release(told, has_buckets=has_buckets)
    matching = match(target, PEOPLE)
    hidden = Hidden.of(target, "s", matching)
    for look, record in enumerate(matching.first_look):
        expected = by_definition(told, told[record][0], has_buckets=has_buckets)
        assert hidden.among(np.array([look])) == pytest.approx(expected)
    links = link(target, PEOPLE, [matching], ("s",))
    for person in range(4):
        expected = by_definition(told, person, has_buckets=has_buckets)
        assert links.guesses["s"].amount[person] == pytest.approx(max(expected.values(), default=0))


def test_groups_with_as_many_people_as_records_have_known_owners() -> None:
    target = Target(pl.DataFrame({"a": [0, 0, 1, 9]}), ("a",), ())
    people = SideTable("list", pl.DataFrame({"a": [0, 0, 1, 1]}))
    links = link(target, people, [match(target, people)], ())
    assert links.n_owned == (1, 2)
    assert links.n_candidates.tolist() == [2, 2, 2, 0]
    assert links.n_alike.tolist() == [2, 2, 2, 2]
