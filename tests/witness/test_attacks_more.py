"""Further questions that attacks answer, compared with going through all that is possible."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.witness import adversaries, knowers, learners
from tests.witness.models import Row, groups
from tests.witness.releases import RandomRelease, knowledge_of, releases, target_of
from unlinkable.tables import attacks

NUMBERS = (1, 2, 3, 5, 8, 13)


def known_people(release: RandomRelease) -> list[Row]:
    return [{k: v for k, v in person.items() if k != "s"} for person in release.people]


@given(releases(values=NUMBERS), st.fractions(Fraction(1, 20), 1, max_denominator=20))
def test_proximity_relative_to_a_value(release: RandomRelease, epsilon: Fraction) -> None:
    found = attacks.Proximity(epsilon=epsilon).run(target_of(release))
    beliefs = adversaries.beliefs_of_records(release.rows, release.qid, "s", release.bucket)
    highest = max(
        adversaries.in_window(each, s * (1 - epsilon), s * (1 + epsilon))
        for each in beliefs
        for s in (Fraction(str(value)) for value in each)
    )
    assert found.highest == pytest.approx(float(highest))


@given(releases(values=NUMBERS), st.integers(0, 8), st.integers(0, 8))
def test_proximity_in_an_interval(release: RandomRelease, low: int, width: int) -> None:
    found = attacks.Proximity(low=low, high=low + width).run(target_of(release))
    beliefs = adversaries.beliefs_of_records(release.rows, release.qid, "s", release.bucket)
    inside = [adversaries.in_window(b, Fraction(low), Fraction(low + width)) for b in beliefs]
    assert found.highest == pytest.approx(float(max(inside)))


@given(releases(), st.sampled_from("vwxy"))
def test_attribute_linkage_to_one_value(release: RandomRelease, value: str) -> None:
    assume(any(row["s"] == value for row in release.rows))
    found = attacks.AttributeLinkage(values=value).run(target_of(release))
    beliefs = adversaries.beliefs_of_records(release.rows, release.qid, "s", release.bucket)
    highest = max(b.get(value, Fraction(0)) for b in beliefs)
    assert found.highest == pytest.approx(float(highest))


@given(releases(max_people=5, shapes=["raw", "full-domain"]))
def test_absence(release: RandomRelease) -> None:
    listed = known_people(release)
    extra: list[Row] = [{**person, "name": f"twin of {person['name']}"} for person in listed[:2]]
    presence = adversaries.presence_by_worlds(
        [*listed, *extra], release.rows, release.qid, release.trees
    )
    assert presence is not None
    attack = attacks.TableLinkage(absence=True)
    found = attack.run(target_of(release), knowledge_of(population=[*listed, *extra]))
    sure = adversaries.absence(presence)
    assert found.highest == pytest.approx(float(max(sure)))
    assert found.n_fallen == adversaries.n_above(sure, Fraction(1, 2))


@given(releases(max_people=5, shapes=["cell"]), st.integers(0, 2))
def test_presence_where_looks_overlap(release: RandomRelease, n_twins: int) -> None:
    listed = known_people(release)
    extra: list[Row] = [
        {**person, "name": f"twin of {person['name']}"} for person in listed[:n_twins]
    ]
    everybody = [*listed, *extra]
    presence = adversaries.presence_by_worlds(everybody, release.rows, release.qid, release.trees)
    assert presence is not None
    found = attacks.TableLinkage().run(target_of(release), knowledge_of(population=everybody))
    highest = float(max(presence))
    if found.interval is None:
        assert found.highest == pytest.approx(highest)
    else:
        assert found.interval[0] - 1e-9 <= highest <= found.interval[1] + 1e-9


@given(releases(max_people=6, shapes=["raw", "full-domain"]), st.data())
def test_corruption_by_people_who_are_known(release: RandomRelease, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, len(release.people) - 1))
    told = release.people[:n]
    highest, numbered = Fraction(0), [{**row, "i": i} for i, row in enumerate(release.rows)]
    for group in groups(numbered, release.qid).values():
        values: list[Hashable] = [row["s"] for row in group]
        known = [(j, row["s"]) for j, row in enumerate(group) if int(str(row["i"])) < n]
        found = knowers.after_corruption(values, known)
        assert found is not None
        corrupted = {j for j, _ in known}
        for j, each in enumerate(found):
            if j not in corrupted:
                highest = max(highest, *each.values())
    outcome = attacks.Corruption().run(target_of(release), knowledge_of(known=told))
    assert outcome.highest == pytest.approx(float(highest))


@given(releases(shapes=["raw", "full-domain"]))
def test_rules_of_a_classifier(release: RandomRelease) -> None:
    listed = known_people(release)
    found = attacks.Classifier().run(target_of(release), knowledge_of(external=listed))
    highest = max(share for _, share, _ in learners.rules(release.rows, release.qid, "s").values())
    assert found.highest == pytest.approx(float(highest))


@given(releases(shapes=["raw", "full-domain", "cell"]), st.integers(1, 3))
def test_record_linkage_by_any_columns(release: RandomRelease, at_most: int) -> None:
    listed = known_people(release)
    best = [Fraction(0)] * len(listed)
    for known in adversaries.any_columns(release.qid, at_most):
        chances = adversaries.linkage(listed, release.rows, known, release.trees)
        best = [max(p, q) for p, q in zip(best, chances, strict=True)]
    attack = attacks.RecordLinkage(at_most=at_most)
    found = attack.run(target_of(release), knowledge_of(external=listed))
    assert found.highest == pytest.approx(float(max(best)))
    assert found.n_fallen == adversaries.n_above(best, Fraction(1, 2))
