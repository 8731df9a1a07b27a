"""What several releases tell of a person, compared with going through all that is possible."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.witness import series as witness
from tests.witness.drawn_series import as_series, drawn_series, fallen
from tests.witness.series import Record
from unlinkable.errors import UnsupportedError
from unlinkable.tables import attacks

LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(3, 4)])


def times(releases: list[list[Record]]) -> Counter[int]:
    """Count the releases that everybody is in."""
    return Counter(r.owner for release in releases for r in release if r.owner is not None)


@given(drawn_series(made_up=2, passing=("y", "z")), LIMITS)
def test_intersection(releases: list[list[Record]], limit: Fraction) -> None:
    outcome = attacks.Intersection(limit=limit).run(as_series(releases))
    often = [person for person, n in times(releases).items() if n > 1]
    left = {person: witness.common(releases, person) for person in often}
    assert outcome.n_attacked == len(often)
    shares = {person: witness.peak(values) for person, values in left.items()}
    surer = {person for person, share in shares.items() if share > limit}
    assert outcome.n_fallen == len(surer)
    assert fallen(outcome, limit) == surer
    assert outcome.highest == pytest.approx(float(max(shares.values(), default=0)))
    assert outcome.details["contradicted"] == sum(not values for values in left.values())
    before = {
        person
        for person in often
        if any(
            witness.peak(witness.common([release], person)) > limit
            for release in releases
            if any(r.owner == person for r in release)
        )
    }
    assert outcome.details["fallen_before"] == len(before)


@given(drawn_series(max_people=6, made_up=1), st.integers(1, 3), LIMITS)
def test_record_tracing(releases: list[list[Record]], k: int, limit: Fraction) -> None:
    outcome = attacks.RecordTracing(k=k, limit=limit).run(as_series(releases))
    exposed = witness.owners_exposed(releases, k, limit)
    assert outcome.n_fallen == len(exposed)
    found = witness.candidates(releases)
    fewest = min(len(people) for each in found for people in each.values())
    assert outcome.details["fewest_candidates"] == fewest


@given(drawn_series(made_up=2), st.integers(1, 3), LIMITS)
def test_record_tracing_along_all_edges(
    releases: list[list[Record]], k: int, limit: Fraction
) -> None:
    outcome = attacks.RecordTracing(k=k, limit=limit, edges="all").run(as_series(releases))
    assert outcome.n_fallen == len(witness.owners_exposed(releases, k, limit, feasible=False))
    found = witness.candidates(releases, feasible=False)
    fewest = min(len(people) for each in found for people in each.values())
    assert outcome.details["fewest_candidates"] == fewest


@given(drawn_series(max_people=6, made_up=1), LIMITS)
def test_absence_where_no_value_changes(releases: list[list[Record]], limit: Fraction) -> None:
    found = witness.beliefs(releases)
    outcome = attacks.CriticalAbsence(limit=limit).run(as_series(releases))
    surest = {person: max(shares.values()) for person, shares in found.items()}
    assert outcome.details["uncounted"] == 0
    assert outcome.highest == pytest.approx(float(max(surest.values())))
    assert outcome.n_attacked == len(surest)
    assert outcome.n_fallen == sum(share > limit for share in surest.values())
    assert outcome.details["certain"] == sum(share == 1 for share in surest.values())
    told = {int(v.who["person"]) - 1: v for v in outcome.victims}
    for person, victim in told.items():
        assert victim.confidence == pytest.approx(float(surest[person]))
        assert found[person][victim.learned["s"]] == surest[person]


@given(
    drawn_series(max_people=6, made_up=1, passing=("y", "z")),
    st.sampled_from([["x"], ["w", "x"]]),
    LIMITS,
)
def test_absence_of_permanent_values(
    releases: list[list[Record]], permanent: list[str], limit: Fraction
) -> None:
    found = witness.beliefs(releases, permanent)
    attack = attacks.CriticalAbsence(permanent=permanent, limit=limit)
    outcome = attack.run(as_series(releases))
    surest = [max(shares.values()) for shares in found.values()]
    assert outcome.highest == pytest.approx(float(max(surest, default=0)))
    assert outcome.n_fallen == sum(share > limit for share in surest)
    assert outcome.details["certain"] == sum(share == 1 for share in surest)


@given(drawn_series(max_people=5, passing=("x", "y", "z")))
def test_worlds_that_are_impossible_are_refused(releases: list[list[Record]]) -> None:
    assume(witness.n_worlds(releases) == 0)
    with pytest.raises(UnsupportedError, match="chang"):
        attacks.CriticalAbsence().run(as_series(releases))
