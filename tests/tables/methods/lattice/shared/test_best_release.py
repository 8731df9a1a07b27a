"""Best: which of two releases is better, and what may still be."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.methods.lattice.shared.best_release import Best

nodes = st.tuples(st.integers(0, 2), st.integers(0, 2))
offers = st.tuples(st.sampled_from([0.0, 0.1, 0.5]), st.integers(0, 2), nodes)


def rank(offer: tuple[float, int, tuple[int, int]]) -> tuple[float, int, int, tuple[int, int]]:
    loss, n_suppressed, node = offer
    return loss, n_suppressed, sum(node), node


@given(st.lists(offers, min_size=1))
def test_takes_the_least_loss_then_the_fewest_suppressed_then_the_lowest(
    given: list[tuple[float, int, tuple[int, int]]],
) -> None:
    best = Best()
    for offer in given:
        best.offer(*offer)
    assert (best.loss, best.node) == (min(given, key=rank)[0], min(given, key=rank)[2])


@given(st.lists(offers, min_size=1), offers)
def test_what_it_would_take_may_beat_it(
    given: list[tuple[float, int, tuple[int, int]]], other: tuple[float, int, tuple[int, int]]
) -> None:
    best = Best()
    for offer in given:
        best.offer(*offer)
    assert best.may_be_beaten(*other) == (rank(other) < min(map(rank, given)))
    assert best.may_lose_less(other[0]) == (other[0] < best.loss)


def test_losses_that_differ_by_rounding_are_equal() -> None:
    best = Best()
    best.offer(0.1 + 0.2, 5, (0, 1))
    best.offer(0.3, 4, (1, 1))
    assert best.node == (1, 1)
    best.offer(0.1 + 0.2, 5, (0, 0))
    assert best.node == (1, 1)
    best.offer(0.3 * (1 - 1e-11), 9, (2, 2))
    assert best.node == (2, 2)


def test_anything_beats_nothing() -> None:
    assert Best().may_be_beaten(float("inf"), 10, (3, 3))
    best = Best()
    best.offer(float("inf"), 0, (3, 3))
    assert best.node == (3, 3)
