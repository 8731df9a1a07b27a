"""What others know: columns that x lacks and that match, columns of x that stay as they are."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.tables.attacks.series.joining import Plain, join, told
from tests.tables.series.sequential.small_series import plain_of, publish, raw_edition
from unlinkable.errors import UnsupportedError
from unlinkable.tables.series.policy import Past
from unlinkable.tables.series.sequential.sequential import Sequential


def test_telling_more_can_make_the_join_tell_less_if_x_lacks_a_column_that_is_matched() -> None:
    # Lemma 9.2 as it is printed: all records match, and y is told by one release only.
    first = [{"a": "a0", "b": "b0", "d": "d0"}, {"a": "a2", "b": "b0", "d": "d1"}]
    first += [{"a": "a2", "b": "b1", "d": "d1"}] * 10
    then = [{"a": "a0", "b": "b0", "y": "y0"}, {"a": "a2", "b": "b0", "y": "y1"}]
    then += [{"a": "a2", "b": "b1", "y": "y0"}] * 3
    top = [{**row, "a": "*"} for row in then]
    for rows in (then, top):
        pairs = join([Plain(first), Plain(rows)])
        assert {i for i, _ in pairs} == {*range(12)}
        assert {j for _, j in pairs} == {*range(5)}
    x, limit = ("a", "d"), Fraction(1, 4)
    assert told([Plain(first), Plain(top)], x, "y", limit, value="y1").highest == Fraction(1, 2)
    assert told([Plain(first), Plain(then)], x, "y", limit, value="y1").highest == Fraction(1, 31)
    # So the most general release proves nothing, and the policy does not say that it does.
    past = Past((raw_edition(first, range(12), "release 1"),), {}, 100)
    with pytest.raises(UnsupportedError, match="Another release might keep that"):
        publish(Sequential(x=x, y="y=y1", h=limit), past, then, range(5))
    # With the column in x it is a matter of the release alone.
    shares_of = [
        told([Plain(first), Plain(rows)], ("a", "b", "d"), "y", limit, value="y1").highest
        for rows in (top, then)
    ]
    assert shares_of == [Fraction(1, 2), Fraction(1, 1)]


FIRST = [
    {"b": "b0", "c": "c0", "d": "d0"},
    {"b": "b0", "c": "c1", "d": "d1"},
    {"b": "b1", "c": "c1", "d": "d1"},
]
THEN = [
    {"a": "a0", "b": "b0", "c": "c1", "y": "y0"},
    {"a": "a2", "b": "b0", "c": "c0", "y": "y0"},
    {"a": "a2", "b": "b0", "c": "c0", "y": "y1"},
    {"a": "a0", "b": "b1", "c": "c1", "y": "y2"},
]


def test_telling_more_can_leave_more_values_if_x_lacks_a_column_that_is_matched() -> None:
    # Lemma 9.1 as it is printed: all records match before and after.
    fewest = []
    for rows in ([{**row, "c": "*"} for row in THEN], THEN):
        pairs = join([Plain(FIRST), Plain(rows)])
        assert ({i for i, _ in pairs}, {j for _, j in pairs}) == ({0, 1, 2}, {0, 1, 2, 3})
        fewest.append(told([Plain(FIRST), Plain(rows)], ("a", "c", "d"), "y", Fraction(1)).fewest)
    assert fewest == [1, 2]


def test_a_step_that_failed_is_tried_again_where_it_may_be_possible_later() -> None:
    past = Past((raw_edition(FIRST, range(3), "release 1"),), {}, 100)
    policy = Sequential(x=("a", "c", "d"), y="y", h=Fraction(2, 3), priced=False)
    following = publish(policy, past, THEN, range(4))
    # Telling a first makes certain of y0; once c is told it does not.
    shown = following.edition.target.frame.select("a", "c").rows()
    assert sorted(shown) == [("a0", "c1"), ("a0", "c1"), ("a2", "c0"), ("a2", "c0")]
    solution = following.release.solution  # type: ignore[attr-defined]
    assert solution.effort["given_up"] > 0
    assert [step.column for step in solution.trace][:3] == ["b", "c", "a"]


def test_columns_of_x_that_are_no_quasi_identifiers_are_known_and_stay_as_they_are() -> None:
    first = [{"b": "b0", "y": "y0"}, {"b": "b0", "y": "y1"}] * 4
    then = [{"a": f"a{i % 2}", "b": "b0", "z": f"z{i // 4}"} for i in range(8)]
    past = Past((raw_edition(first, range(8), "release 1"),), {}, 100)
    policy = Sequential(x=("a", "b", "z"), y="y", h=Fraction(1, 2))
    shown = plain_of(publish(policy, past, then, range(8)).edition)
    assert {row["a"] for row in shown.rows} == {"a0", "a1"}  # tells nothing of y
    assert {row["z"] for row in shown.rows} == {"z0", "z1"}
