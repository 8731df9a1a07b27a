"""Attacks at the corners: missing values, several hidden columns, victims one by one."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction

import polars as pl
import pytest
from attrs import evolve
from hypothesis import assume, example, given
from hypothesis import strategies as st

import unlinkable as ul
from tests.witness import adversaries, knowers
from tests.witness.models import Row, groups
from tests.witness.releases import RandomRelease, frame_of, knowledge_of, releases, target_of
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError
from unlinkable.tables import attacks

HALF = Fraction(1, 2)


def peaks(release: RandomRelease, known: tuple[str, ...] | None = None) -> list[Fraction]:
    found = adversaries.beliefs_of_records(release.rows, known or release.qid, "s", release.bucket)
    return [adversaries.peak(each) for each in found]


@given(releases())
def test_victims_are_told_as_they_are(release: RandomRelease) -> None:
    """Each is known by what he shows; the value is one of the likeliest, and all are there."""
    found = attacks.AttributeLinkage().run(target_of(release))
    n_people = 0
    for victim in found.victims:
        alike = [
            i
            for i, row in enumerate(release.rows)
            if all(str(row[c]) == text for c, text in victim.who.items())
        ]
        here = adversaries.belief(alike, release.rows, "s", release.bucket)
        assert victim.confidence == pytest.approx(float(adversaries.peak(here)))
        assert here[victim.learned["s"]] == adversaries.peak(here)
        n_people += victim.people
    sure = [victim.confidence for victim in found.victims]
    assert sure == sorted(sure, reverse=True)
    assert n_people >= found.n_fallen


@given(releases())
@example(
    RandomRelease(
        people=[],
        rows=[{"q0": q, "s": "v", "b": b} for q, b in ("a0", "a0", "a1", "c0")],
        qid=("q0",),
        trees={"q0": Tree({"a": ("a", "*"), "c": ("c", "*")})},
        bucket="b",
        shape="buckets",
    )
)
def test_as_many_people_are_meant_as_show_what_is_told(release: RandomRelease) -> None:
    for victim in attacks.AttributeLinkage().run(target_of(release)).victims:
        alike = [
            row
            for row in release.rows
            if all(str(row[c]) == text for c, text in victim.who.items())
        ]
        assert victim.people == len(alike)


@given(releases(min_qid=2), st.data())
def test_who_knows_some_columns_only(release: RandomRelease, data: st.DataObject) -> None:
    known = tuple(data.draw(st.lists(st.sampled_from(release.qid), min_size=1, unique=True)))
    found = attacks.AttributeLinkage(qid=known).run(target_of(release))
    assert found.highest == pytest.approx(float(max(peaks(release, known))))
    assert found.n_fallen == adversaries.n_above(peaks(release, known), HALF)


@given(releases(shapes=["raw", "full-domain", "cell"]), st.data())
def test_a_missing_value_is_a_value(release: RandomRelease, data: st.DataObject) -> None:
    rows = [dict(row) for row in release.rows]
    for row in rows:
        for name in (*release.qid, "s"):
            if data.draw(st.integers(0, 4)) == 0:
                row[name] = None
    frame = frame_of(rows)
    target = evolve(target_of(release), frame=frame, taxonomies={})
    holey = replace(release, rows=rows)
    found = attacks.AttributeLinkage().run(target)
    assert found.highest == pytest.approx(float(max(peaks(holey))))
    gains = adversaries.skewness_gain(rows, release.qid, "s")
    assert attacks.Skewness().run(target).highest == pytest.approx(float(max(gains)))


@given(releases(shapes=["raw", "full-domain", "cell"]), st.data())
def test_the_worst_of_two_hidden_columns(release: RandomRelease, data: st.DataObject) -> None:
    rows = [{**row, "t": data.draw(st.sampled_from("gh"))} for row in release.rows]
    target = evolve(target_of(release), frame=frame_of(rows), sensitive=("s", "t"))
    each = [
        [adversaries.peak(b) for b in adversaries.beliefs_of_records(rows, release.qid, column)]
        for column in "st"
    ]
    both = [max(pair) for pair in zip(*each, strict=True)]
    found = attacks.AttributeLinkage().run(target)
    assert found.highest == pytest.approx(float(max(both)))
    assert found.n_fallen == adversaries.n_above(both, HALF)
    for column, sure in zip("st", each, strict=True):
        alone = attacks.AttributeLinkage(sensitive=column).run(target)
        assert alone.highest == pytest.approx(float(max(sure)))
        assert alone.n_fallen == adversaries.n_above(sure, HALF)


@given(releases(max_people=5), st.integers(0, 2), st.integers(0, 2))
def test_how_many_fall_to_knowledge(release: RandomRelease, negations: int, others: int) -> None:
    """Whoever is in a group in which some member may fall may be that member."""
    fall_to_knowledge = fall_to_corruption = 0
    for values in release.hidden():
        worst = knowers.worst_of_knowledge(values, negations=negations, others=others)
        fall_to_knowledge += len(values) * (worst > HALF)
        fall_to_corruption += len(values) * (knowers.worst_after_corruption(values, others) > HALF)
    attack = attacks.BackgroundKnowledge(negations=negations, others=others)
    assert attack.run(target_of(release)).n_fallen == fall_to_knowledge
    assert attacks.Corruption(n=others).run(target_of(release)).n_fallen == fall_to_corruption


@given(releases(max_people=5, shapes=["buckets"]), st.data())
def test_corruption_in_buckets(release: RandomRelease, data: st.DataObject) -> None:
    """Those who tell are found by what they show, if that leads to one bucket only."""
    looks = groups(release.rows, release.qid).values()
    assume(all(len({row["b"] for row in look}) == 1 for look in looks))
    numbered = [{**row, "i": i} for i, row in enumerate(release.rows)]
    n = data.draw(st.integers(1, len(numbered) - 1))
    told: list[Row] = [
        {"name": f"p{row['i']}", **{c: row[c] for c in release.qid}, "s": row["s"]}
        for row in numbered[:n]
    ]
    highest = Fraction(0)
    for group in groups(numbered, ["b"]).values():
        values: list[Hashable] = [row["s"] for row in group]
        known = [(j, row["s"]) for j, row in enumerate(group) if int(str(row["i"])) < n]
        beliefs = knowers.after_corruption(values, known)
        assert beliefs is not None
        for j, each in enumerate(beliefs):
            if j not in {place for place, _ in known}:
                highest = max(highest, *each.values())
    found = attacks.Corruption().run(target_of(release), knowledge_of(known=told))
    assert found.highest == pytest.approx(float(highest))


@given(st.lists(st.tuples(st.integers(20, 30), st.sampled_from("vwx")), min_size=6, max_size=12))
def test_a_release_attacks_itself_alike(told: list[tuple[int, str]]) -> None:
    frame = pl.DataFrame({"age": [age for age, _ in told], "ill": [ill for _, ill in told]})
    table = ul.as_table(frame, quasi="age", sensitive="ill")
    try:
        release = ul.anonymize(table, privacy=ul.KAnonymity(2), method="mondrian", seed=1)
    except InfeasibleError:
        assume(False)
    shown = release.frame
    assert isinstance(shown, pl.DataFrame)
    rows = shown.to_dicts()
    beliefs = adversaries.beliefs_of_records(rows, ["age"], "ill")
    found = release.attack("attribute-linkage")
    assert found.highest == pytest.approx(float(max(map(adversaries.peak, beliefs))))
    names = frame.select(pl.int_range(pl.len()).cast(pl.String).alias("name"), "age")
    sizes = groups(rows, ["age"]).values()
    linked = release.attack("record-linkage", external=names)
    assert linked.highest <= 1 / min(len(group) for group in sizes) + 1e-9
