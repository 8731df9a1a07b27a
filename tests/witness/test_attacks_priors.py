"""An adversary with beliefs of his own ends where weighing all worlds by them ends."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.witness import knowers
from tests.witness.adversaries import Belief
from tests.witness.models import Row, groups
from tests.witness.releases import RandomRelease, knowledge_of, releases, target_of
from unlinkable.tables import attacks

Chances = dict[tuple[Hashable, Hashable], Fraction]


@st.composite
def chances(draw: st.DrawFn, release: RandomRelease) -> Chances:
    """Draw how likely each value is for people with each value of the first column."""
    found: Chances = {}
    values = sorted({str(row["s"]) for row in release.rows})
    for kind in release.trees["q0"].leaves:
        weights = [draw(st.integers(1, 5)) for _ in values]
        for value, weight in zip(values, weights, strict=True):
            found[kind, value] = Fraction(weight, sum(weights))
    return found


def as_prior(chance: Chances) -> list[Row]:
    return [{"q0": kind, "value": value, "p": str(float(p))} for (kind, value), p in chance.items()]


def beliefs_in(group: Sequence[Row], chance: Chances, *, joint: bool) -> list[Belief]:
    return knowers.posteriors(group, "s", lambda row, value: chance[row["q0"], value], joint=joint)


@given(releases(max_people=6, shapes=["buckets"]), st.booleans(), st.data())
def test_beliefs_about_people_in_buckets(
    release: RandomRelease, joint: bool, data: st.DataObject
) -> None:
    """The owners of the records of a bucket are known: beliefs are about records, not looks."""
    chance = data.draw(chances(release))
    highest = max(
        max(b.values())
        for group in groups(release.rows, ["b"]).values()
        for b in beliefs_in(group, chance, joint=joint)
    )
    attack = attacks.BackgroundKnowledge(prior="prior", joint=joint)
    found = attack.run(target_of(release), knowledge_of(prior=as_prior(chance)))
    assert found.highest == pytest.approx(float(highest), abs=1e-6)


@given(releases(max_people=6, shapes=["full-domain"]), st.booleans(), st.data())
def test_beliefs_about_people_of_a_list_that_is_complete(
    release: RandomRelease, joint: bool, data: st.DataObject
) -> None:
    """Whoever knows exactly the people behind a generalized group knows their precise values."""
    chance = data.draw(chances(release))
    both = [
        {**person, "look": tuple(row[c] for c in release.qid)}
        for person, row in zip(release.people, release.rows, strict=True)
    ]
    sure = {}
    for group in groups(both, ["look"]).values():
        for person, b in zip(group, beliefs_in(group, chance, joint=joint), strict=True):
            sure[person["name"]] = max(b.values())
    listed = [{k: v for k, v in p.items() if k != "s"} for p in release.people]
    attack = attacks.BackgroundKnowledge(prior="prior", joint=joint)
    knowledge = knowledge_of(prior=as_prior(chance), external=listed)
    found = attack.run(target_of(release), knowledge)
    assert found.highest == pytest.approx(float(max(sure.values())), abs=1e-6)
    for victim in found.victims:
        if "name" in victim.who and victim.people == 1:
            expected = float(sure[victim.who["name"]])
            assert victim.confidence == pytest.approx(expected, abs=1e-6)
