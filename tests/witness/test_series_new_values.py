"""Values that come between those of published sets: what is out means what it meant.

Taxonomies are made from the records here. What a text means is read from the text alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from hypothesis import event, example, given, settings
from hypothesis import strategies as st

import unlinkable as ul
from tests.witness import series as witness
from tests.witness.matching import box
from tests.witness.snapshots import (
    Made,
    Person,
    Snapshot,
    coming_and_going,
    growing,
    published,
    shows_truth,
)
from tests.witness.test_series_every_attack import every_attack, fallen
from unlinkable.tables.data.linked_columns import ranges_together
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.methods import Incognito, Mondrian
from unlinkable.tables.models import KCAnonymity
from unlinkable.tables.series.continuous.continuous import Continuous
from unlinkable.tables.series.incremental.incremental import Incremental
from unlinkable.tables.series.invariance.m_invariance import MInvariance
from unlinkable.tables.series.policy import Policy
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder

FEW = settings(max_examples=max(settings().max_examples // 3, 1))
HALF = Fraction(1, 2)
MADE_FROM_RECORDS = st.sampled_from(
    [{}, {"age": ul.Auto(), "born": ul.Auto()}, {"age": ul.Flat(), "born": ul.Flat()}]
)


def misread(made: Sequence[Made]) -> list[tuple[str, str]]:
    """List the texts that are taken for other values than they stand for, in any release."""
    targets = [release.edition.target for release in made]
    found = []
    for name in ("age", "born"):
        values = sorted({getattr(p, name) for m in made for p in m.people.values()})
        raw = to_frame({name: values})[0]
        taxonomies = [target.taxonomies[name] for target in targets]
        *parts, (code, _) = ranges_together([*(t.frame for t in targets), raw], name, taxonomies)
        for target, (lo, hi) in zip(targets, parts, strict=True):
            for text, first, end in zip(target.frame[name].cast(str), lo, hi, strict=True):
                held = {v for v, c in zip(values, code, strict=True) if first <= c < end}
                if held != box(text, values):
                    found.append((name, text))
    return found


def news(made: Sequence[Made]) -> None:
    """Count how often somebody's country stands between those of a set that was out."""
    for n, release in enumerate(made[1:], 1):
        born = {person.born for person in release.people.values()}
        sets = {t for m in made[:n] for t in m.edition.target.frame["born"] if t.startswith("{")}
        if any(min(s[1:-1].split(", ")) < b < max(s[1:-1].split(", ")) for s in sets for b in born):
            event("a value between those of a published set")
            return


def coming_late(snapshots: list[Snapshot]) -> list[Snapshot]:
    """Let nobody of the first people be from a country between those of two others."""
    born = {"UK": "CA"}
    moved = {who: replace(p, born=born.get(p.born, p.born)) for who, p in snapshots[0].items()}
    return [{**snapshot, **moved} for snapshot in snapshots]


BORN = ["CA", "CA", "FR", "US", "UK", "UK", "FR", "UK"]
LATE = [Person(20 + i, born, "xyz"[i % 3]) for i, born in enumerate(BORN)]
SNAPSHOTS: list[Snapshot] = [dict(enumerate(LATE[:n])) for n in (4, 6, 8)]
"""Of the first people two are shown as {FR, US}; the next ones are from the UK."""


@example(SNAPSHOTS, Incremental(), Mondrian(), {})
@example(SNAPSHOTS, Incremental("merge"), Mondrian(), {"age": ul.Auto(), "born": ul.Auto()})
@example(SNAPSHOTS, Continuous(), Mondrian(), {"age": ul.Flat(), "born": ul.Auto()})
@given(
    growing(max_people=8).map(coming_late),
    st.sampled_from([Incremental(), Incremental("merge"), Continuous()]),
    st.sampled_from([Mondrian(), Incognito()]),
    MADE_FROM_RECORDS,
)
@FEW
def test_nobody_falls_to_releases_with_new_values(
    snapshots: list[Snapshot],
    policy: Policy,
    method: Mondrian,
    rules: dict[str, TaxonomyBuilder],
) -> None:
    asked = None if isinstance(policy, Continuous) else method
    promise = KCAnonymity(2, HALF, sensitive="ill")
    made = published(policy, snapshots, [promise], method=asked, taxonomies=rules)
    news(made)
    assert all(map(shows_truth, made))
    assert not misread(made)
    assert not fallen(made, every_attack(2, HALF))
    believed = witness.beliefs([release.records for release in made]) if made else {}
    assert all(share <= HALF for shares in believed.values() for share in shares.values())


@given(coming_and_going(lasting="wxyz"), st.integers(0, 9), MADE_FROM_RECORDS)
@FEW
def test_texts_of_invariant_releases_mean_what_they_meant(
    snapshots: list[Snapshot], seed: int, rules: dict[str, TaxonomyBuilder]
) -> None:
    made = published(MInvariance(2), snapshots, seed=seed, taxonomies=rules)
    news(made)
    assert all(map(shows_truth, made))
    assert not misread(made)
