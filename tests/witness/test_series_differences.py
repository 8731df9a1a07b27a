"""Taking groups of releases away from each other: all sets of groups, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.witness import series as witness
from tests.witness.drawn_series import as_series, drawn_series, fallen
from tests.witness.series import Left, Record
from unlinkable.tables import attacks

LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(3, 4)])


def kept_alone(releases: Sequence[Sequence[Record]]) -> tuple[int, Fraction]:
    """Give the k and c that every release keeps by itself."""
    sizes = [len(g) for release in releases for g in witness.by_group(release).values()]
    return min(sizes), max(witness.highest_share(release) for release in releases)


def must_fall(found: Sequence[Left], k: int, c: Fraction) -> set[int]:
    """Say who falls whichever of several equally good differences is taken."""
    falls = {p for left in found if left.size < k for p in left.people}
    for person in {p for left in found for p in left.people}:
        mine = [left for left in found if person in left.people]
        smallest = [left for left in mine if left.size == min(m.size for m in mine)]
        if all(left.share() > c for left in smallest):
            falls.add(person)
    return falls


def in_every_worst(found: Sequence[Left], c: Fraction) -> set[int]:
    """Say who is in all differences in which some value exceeds its share by the most records."""
    falls: set[int] = set()
    for value in {s for left in found for s in left.values}:
        most = max(left.excess(value, c) for left in found)
        if most > 0:
            worst = [left.people for left in found if left.excess(value, c) == most]
            falls |= frozenset.intersection(*worst)
    return falls


@given(drawn_series(least=2, made_up=1), st.booleans())
def test_releases_that_are_safe_alone(releases: list[list[Record]], is_tight: bool) -> None:
    k, c = kept_alone(releases)
    c = c if is_tight else max(c, Fraction(2, 3))
    found = list(witness.differences(releases))
    violating = [left for left in found if left.violates(k, c)]
    outcome = attacks.Difference(k=k, limit=c).run(as_series(releases))
    victims = fallen(outcome)
    assert len(victims) == outcome.n_fallen
    assert outcome.succeeded == any(left.people for left in violating)
    assert victims <= {p for left in violating for p in left.people}
    for pair in ((a, b) for i, a in enumerate(releases) for b in releases[i + 1 :]):
        for one, other in (pair, pair[::-1]):
            directed = list(witness.directed_differences(one, other))
            assert must_fall(directed, k, c) <= victims
            assert in_every_worst(directed, c) <= victims


@given(drawn_series(made_up=1), st.integers(1, 3), LIMITS)
def test_releases_that_may_be_broken_alone(
    releases: list[list[Record]], k: int, c: Fraction
) -> None:
    found = list(witness.differences(releases))
    violating = [left for left in found if left.violates(k, c)]
    outcome = attacks.Difference(k=k, limit=c).run(as_series(releases))
    assert fallen(outcome) <= {p for left in violating for p in left.people}
    assert len(fallen(outcome)) == outcome.n_fallen
    shares = [left.share() for left in found] + [witness.highest_share(r) for r in releases]
    assert outcome.highest == pytest.approx(float(max(shares)))
