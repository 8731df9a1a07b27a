"""Attacks of whoever knows quasi-identifiers find what counting record by record finds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.witness import adversaries
from tests.witness.matching import matching
from tests.witness.models import Row
from tests.witness.releases import SHAPES, RandomRelease, knowledge_of, releases, target_of
from unlinkable.release.attacks import Outcome
from unlinkable.tables import attacks

every_shape = pytest.mark.parametrize("shape", SHAPES[1:])
limits = st.sampled_from([Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(3, 4)])


def agrees(found: Outcome, confidences: Sequence[Fraction], limit: Fraction) -> None:
    """Compare how sure an adversary is of each person with what he must be."""
    assert found.n_attacked == len(confidences)
    assert found.highest == pytest.approx(float(max(confidences)), abs=1e-12)
    assert found.n_fallen == adversaries.n_above(confidences, limit)
    assert found.interval is None


@st.composite
def lists(draw: st.DrawFn, release: RandomRelease, columns: Sequence[str]) -> list[Row]:
    """Draw a list of people, some of them in the release, known precisely or roughly."""
    listed: list[Row] = []
    for i in range(draw(st.integers(1, 6))):
        person = {"name": f"n{i}"}
        for c in columns:
            tree = release.trees[c]
            leaf = draw(st.sampled_from(tree.leaves))
            level = draw(st.sampled_from([0, 0, 0, *range(tree.height + 1)]))
            shown = draw(st.sampled_from([tree.generalize(leaf, level)] * 6 + ["unheard of"]))
            person[c] = str(shown)
        listed.append(person)
    return listed


@given(releases(), limits, st.data())
def test_record_linkage(release: RandomRelease, limit: Fraction, data: st.DataObject) -> None:
    columns = release.qid[: data.draw(st.integers(1, len(release.qid)))]
    listed = data.draw(lists(release, columns))
    found = attacks.RecordLinkage(limit=limit).run(
        target_of(release), knowledge_of(external=listed)
    )
    chances = adversaries.linkage(listed, release.rows, columns, release.trees)
    records = matching(listed, release.rows, columns, release.trees)
    # Nobody shares a record: of a longer list no more people are in the table than it has records.
    assert found.n_attacked == min(len(listed), len(release.rows))
    assert found.n_fallen == min(
        adversaries.n_above(chances, limit), len({i for each in records for i in each})
    )
    assert found.highest == pytest.approx(float(max(chances)), abs=1e-12)
    assert found.interval is None
    told = {victim.who["name"]: victim for victim in found.victims}
    for i, person in enumerate(listed):
        if person["name"] in told:
            victim = told[str(person["name"])]
            assert victim.confidence == pytest.approx(float(chances[i]))
            assert victim.records == len(records[i])


@every_shape
@given(st.data(), limits)
def test_attribute_linkage(shape: str, data: st.DataObject, limit: Fraction) -> None:
    release = data.draw(releases(shapes=[shape]))
    found = attacks.AttributeLinkage(limit=limit).run(target_of(release))
    beliefs = adversaries.beliefs_of_records(
        release.rows, release.qid, release.sensitive, release.bucket
    )
    agrees(found, [adversaries.peak(each) for each in beliefs], limit)


@every_shape
@given(st.data(), limits, st.integers(1, 3))
def test_attribute_linkage_by_any_columns(
    shape: str, data: st.DataObject, limit: Fraction, at_most: int
) -> None:
    release = data.draw(releases(shapes=[shape], min_qid=2))
    found = attacks.AttributeLinkage(limit=limit, at_most=at_most).run(target_of(release))
    sure = [Fraction(0)] * len(release.rows)
    for known in adversaries.any_columns(release.qid, at_most):
        beliefs = adversaries.beliefs_of_records(
            release.rows, known, release.sensitive, release.bucket
        )
        sure = [max(p, adversaries.peak(b)) for p, b in zip(sure, beliefs, strict=True)]
    agrees(found, sure, limit)


@every_shape
@given(st.data(), limits)
def test_skewness(shape: str, data: st.DataObject, limit: Fraction) -> None:
    release = data.draw(releases(shapes=[shape]))
    found = attacks.Skewness(limit=limit).run(target_of(release))
    gains = adversaries.skewness_gain(release.rows, release.qid, release.sensitive, release.bucket)
    agrees(found, gains, limit)


@given(releases(values=(1, 2, 3, 5, 8, 13)), limits, st.integers(0, 6))
def test_proximity(release: RandomRelease, limit: Fraction, width: int) -> None:
    found = attacks.Proximity(limit=limit, width=width).run(target_of(release))
    beliefs = adversaries.beliefs_of_records(
        release.rows, release.qid, release.sensitive, release.bucket
    )
    agrees(found, [adversaries.windows(each, Fraction(width)) for each in beliefs], limit)


@given(releases(max_people=5, shapes=["raw", "full-domain"]), limits, st.data())
def test_table_linkage(release: RandomRelease, limit: Fraction, data: st.DataObject) -> None:
    others = data.draw(lists(release, release.qid))[:2]
    assume(all("unheard of" not in person.values() for person in others))
    everybody: list[Row] = [
        *({k: v for k, v in person.items() if k != release.sensitive} for person in release.people),
        *({**person, "name": f"other {i}"} for i, person in enumerate(others)),
    ]
    presence = adversaries.presence_by_worlds(everybody, release.rows, release.qid, release.trees)
    assert presence is not None
    found = attacks.TableLinkage(limit=limit).run(
        target_of(release), knowledge_of(population=everybody)
    )
    agrees(found, presence, limit)
