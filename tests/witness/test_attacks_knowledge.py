"""Attacks of whoever knows more than quasi-identifiers equal going through all worlds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.witness import knowers, learners
from tests.witness.adversaries import n_above
from tests.witness.releases import RandomRelease, releases, target_of
from tests.witness.skyline import skyline_confidence
from unlinkable.tables import attacks


@given(releases(max_people=5), st.integers(0, 3))
def test_corruption_by_any_others(release: RandomRelease, n: int) -> None:
    found = attacks.Corruption(n=n).run(target_of(release))
    worst = max(knowers.worst_after_corruption(values, n) for values in release.hidden())
    assert found.highest == pytest.approx(float(worst))


@given(releases(max_people=5), st.integers(0, 2), st.integers(0, 2))
def test_background_knowledge(release: RandomRelease, negations: int, others: int) -> None:
    attack = attacks.BackgroundKnowledge(negations=negations, others=others)
    found = attack.run(target_of(release))
    worst = max(
        knowers.worst_of_knowledge(values, negations=negations, others=others)
        for values in release.hidden()
    )
    assert found.highest == pytest.approx(float(worst))


@given(
    releases(max_people=5, values=("v", "w", "x")),
    st.integers(0, 1),
    st.integers(0, 1),
    st.integers(0, 2),
)
def test_background_knowledge_of_a_family(
    release: RandomRelease, negations: int, others: int, same: int
) -> None:
    attack = attacks.BackgroundKnowledge(negations=negations, others=others, same=same)
    found = attack.run(target_of(release))
    hidden = release.hidden()
    worst = max(
        skyline_confidence(hidden, value, l=negations, k=others, m=same, implied=True)
        for value in {v for values in hidden for v in values}
    )
    assert found.highest == pytest.approx(float(worst))


@given(releases(max_people=6, max_qid=2, shapes=["buckets"], values=("v", "w", "x")))
def test_definetti(release: RandomRelease) -> None:
    """Who learns each column by itself, as naive Bayes does, weighs all worlds by that."""
    assume(any(len({*values}) > 1 for values in release.hidden()))
    found = attacks.DeFinetti().run(target_of(release))
    beliefs = learners.definetti(release.rows, release.qid, "s", "b", naive=True)
    sure = [max(each.values()) for each in beliefs]
    assert found.highest == pytest.approx(float(max(sure)))
    assert found.n_fallen == n_above(sure, Fraction(1, 2))
    assert found.details["mean_confidence"] == pytest.approx(float(sum(sure) / len(sure)))
    assert found.interval is None


@given(releases(max_people=6, max_qid=1, shapes=["buckets"], values=("v", "w", "x")))
def test_one_column_is_learned_either_way_round(release: RandomRelease) -> None:
    naive, whole = (
        learners.definetti(release.rows, release.qid, "s", "b", naive=n) for n in (True, False)
    )
    assert naive == whole
