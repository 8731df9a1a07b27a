"""What must be true of attacks whatever they look like inside.

Who knows more is not less sure, and who is shown less is not surer.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.witness import adversaries
from tests.witness.models import Row
from tests.witness.releases import RandomRelease, knowledge_of, releases, target_of
from unlinkable.tables import attacks

SLACK = 1e-9
bounds = st.fractions(Fraction(1, 6), 1, max_denominator=6)


def named(rows: Sequence[Row], qid: Sequence[str]) -> list[Row]:
    """Give people with their names and what they are known by."""
    return [{"name": f"p{i}", **{c: row[c] for c in qid}} for i, row in enumerate(rows)]


@given(releases())
def test_who_knows_more_columns_is_surer(release: RandomRelease) -> None:
    target = target_of(release)
    found = [
        attacks.AttributeLinkage(at_most=n).run(target).highest
        for n in range(1, len(release.qid) + 1)
    ]
    assert found == sorted(found)
    assert found[-1] >= attacks.AttributeLinkage().run(target).highest - SLACK


@given(releases())
def test_who_knows_more_people_is_surer(release: RandomRelease) -> None:
    target = target_of(release)
    found = [attacks.Corruption(n=n).run(target).highest for n in range(3)]
    assert found == sorted(found)
    assert found[0] >= attacks.AttributeLinkage().run(target).highest - SLACK


@given(releases())
def test_who_rules_out_more_values_is_surer(release: RandomRelease) -> None:
    target = target_of(release)
    found = [attacks.BackgroundKnowledge(negations=n).run(target).highest for n in range(3)]
    assert found == sorted(found)
    others = [
        attacks.BackgroundKnowledge(negations=1, others=n).run(target).highest for n in range(4)
    ]
    assert others == sorted(others)
    assert others[0] == pytest.approx(found[1])


@given(releases(shapes=["raw", "full-domain"]), st.data())
def test_merging_groups_makes_nobody_surer(release: RandomRelease, data: st.DataObject) -> None:
    before = attacks.AttributeLinkage().run(target_of(release)).highest
    column = data.draw(st.sampled_from(release.qid))
    coarser = [{**row, column: "*"} for row in release.rows]
    after = attacks.AttributeLinkage().run(target_of(release, coarser)).highest
    assert after <= before + SLACK


@given(releases(), bounds, bounds)
def test_fewer_fall_to_a_higher_limit(
    release: RandomRelease, one: Fraction, other: Fraction
) -> None:
    target = target_of(release)
    knowledge = knowledge_of(external=named(release.people, release.qid))
    for attack in (attacks.AttributeLinkage, attacks.RecordLinkage, attacks.Skewness):
        strict, loose = (attack(limit=n).run(target, knowledge) for n in sorted((one, other)))
        assert strict.n_fallen >= loose.n_fallen
        assert strict.highest == loose.highest
        assert strict.succeeded is (strict.highest > float(strict.attack.limit))


@given(releases(values=(1, 2, 4, 8, 9)), st.integers(0, 4), st.integers(0, 4))
def test_a_wider_window_holds_more(release: RandomRelease, one: int, other: int) -> None:
    target = target_of(release)
    narrow, wide = (attacks.Proximity(width=w).run(target).highest for w in sorted((one, other)))
    assert narrow <= wide + SLACK
    sure = attacks.AttributeLinkage().run(target).highest
    assert attacks.Proximity(width=0).run(target).highest == pytest.approx(sure)


@given(releases(shapes=["raw", "full-domain", "cell"]))
def test_the_release_itself_as_a_list_of_people(release: RandomRelease) -> None:
    """Whoever is known by what is published of him is linked as the definition says."""
    knowledge = knowledge_of(external=named(release.rows, release.qid))
    found = attacks.RecordLinkage().run(target_of(release), knowledge)
    listed = named(release.rows, release.qid)
    chances = adversaries.linkage(listed, release.rows, release.qid, release.trees)
    assert found.highest == pytest.approx(float(max(chances)))
