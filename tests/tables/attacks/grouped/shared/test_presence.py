"""How likely people are in a release that is taken from them.

In how many ways records can belong to people.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.attacks.tables import target
from tests.witness import adversaries
from tests.witness.models import Row
from tests.witness.releases import RandomRelease, knowledge_of, releases, target_of
from unlinkable.errors import DataError
from unlinkable.tables.attacks.grouped.shared import presence
from unlinkable.tables.attacks.grouped.shared.presence import (
    Presence,
    chances_of_none,
    find_presence,
    n_steps,
    together,
)
from unlinkable.tables.attacks.shared.matching import match
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Intervals

AGES = Intervals(10, 20).build(observe("age", list(range(40))))


def found(shown: list[str], ages: list[int]) -> tuple[Presence, list[int]]:
    """Find how likely people of these ages are among these records."""
    told = target({"age": shown, "s": ["x"] * len(shown)}, "age", "s", taxonomies={"age": AGES})
    matching = match(told, knowledge_of(people={"age": ages}).side.open("people"))
    return find_presence(matching), matching.kind.tolist()


@given(releases(max_people=5), st.integers(0, 2), st.data())
def test_presence_is_the_share_of_worlds(
    release: RandomRelease, n_others: int, data: st.DataObject
) -> None:
    assume(release.bucket is None)
    others: list[Row] = [
        {c: str(data.draw(st.sampled_from(release.trees[c].leaves))) for c in release.qid}
        for _ in range(n_others)
    ]
    everybody: list[Row] = [{c: p[c] for c in release.qid} for p in release.people] + others
    matching = match(target_of(release), knowledge_of(people=everybody).side.open("people"))
    chances = adversaries.presence_by_worlds(everybody, release.rows, release.qid, release.trees)
    assert chances is not None
    exact = find_presence(matching)
    assert exact.is_exact.all()
    assert exact.likely[matching.kind].tolist() == pytest.approx([float(c) for c in chances])
    for limit in {c for c in chances if c} | {c / 2 for c in chances if c}:
        above = exact.above(limit, absence=False)[matching.kind].tolist()
        assert above == [c > limit for c in chances]
        absent = exact.above(limit, absence=True)[matching.kind].tolist()
        assert absent == [1 - c > limit for c in chances]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(presence, "_STEPS", -1)
        roughly = find_presence(matching)
    # The bounds hold what is true, and what is sure is sure.
    assert (roughly.low - 1e-9 <= exact.likely).all()
    assert (exact.likely <= roughly.high + 1e-9).all()
    assert (roughly.low <= roughly.likely).all()
    assert (roughly.likely <= roughly.high).all()
    alone = roughly.is_exact
    assert roughly.likely[alone].tolist() == pytest.approx(exact.likely[alone].tolist())


def test_every_record_has_an_owner_on_average(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "_STEPS", 0)
    shown = ["[0-10)"] * 3 + ["[0-20)"] * 4 + ["[10-20)"] * 2 + ["*"] * 3
    ages = [1] * 6 + [12] * 5 + [25] * 4
    likely, kind = found(shown, ages)
    assert not likely.is_exact.any()
    assert likely.likely[kind].sum() == pytest.approx(len(shown))
    assert likely.n_off == pytest.approx(0, abs=1e-6)


def test_the_estimate_is_close_to_counting_if_many_are_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    off = []
    for times in (1, 8):
        shown = ["[0-10)", "[0-20)", "[10-20)"] * times
        ages = ([1] * 2 + [12] * 2) * times
        counted, _ = found(shown, ages)
        with monkeypatch.context() as patch:
            patch.setattr(presence, "_STEPS", 0)
            roughly, _ = found(shown, ages)
        off.append(float(np.abs(counted.likely - roughly.likely).max()))
    assert off[1] <= off[0] / 4 + 1e-9


def test_full_looks_take_their_people_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both of age 1 have the records of their own look; the other one is 12."""
    monkeypatch.setattr(presence, "_STEPS", 0)
    likely, kind = found(["[0-10)"] * 2 + ["[0-20)"], [1, 1, 12, 25])
    assert likely.likely[kind].tolist() == [1, 1, 1, 0]
    likely, kind = found(["[0-10)"] * 2 + ["[0-20)"], [1, 1, 12, 12])
    assert likely.likely[kind].tolist() == pytest.approx([1, 1, 0.5, 0.5])
    assert likely.n_rounds > 0


@pytest.mark.parametrize("steps", [2_000_000, 0])
def test_records_without_an_owner_are_refused(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "_STEPS", steps)
    with pytest.raises(
        DataError, match="at least 1 record of the release cannot belong to anybody"
    ):
        found(["[0-10)"] * 2, [1, 12])
    with pytest.raises(DataError, match="at least 2 records of the release cannot belong"):
        found(["[0-10)", "[20-30)"], [12])
    # Each look alone has enough people, and all together have not.
    with pytest.raises(DataError, match="at least 1 record of the release cannot belong"):
        found(["[0-10)"] * 2 + ["[0-20)"] * 2, [1, 1, 12])
    with pytest.raises(DataError, match=r"at least [12] records? of the release cannot belong"):
        found(["[0-10)"] * 2 + ["[0-20)"] * 2, [1, 1, 1])


def test_people_who_all_have_a_record_are_found_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three people match both looks, and these have three records."""
    monkeypatch.setattr(presence, "_STEPS", 0)
    likely, _ = found(["[0-20)"] * 2 + ["[0-10)"], [1, 1, 1])
    assert likely.likely.tolist() == pytest.approx([1], abs=0.01)
    assert 0 < likely.n_off < 0.01


def test_the_effort_is_golden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "_STEPS", 0)
    likely, _ = found(["[0-10)"] * 3 + ["[0-20)"] * 4, [1] * 6 + [12] * 5)
    assert likely.n_rounds == 27


LOOKS = st.sets(st.integers(0, 2), min_size=1, max_size=3).map(lambda s: tuple(sorted(s)))


@st.composite
def looks_of_people(draw: st.DrawFn) -> tuple[dict[int, int], dict[tuple[int, ...], int]]:
    """Draw how many people match which looks, and how many records these have."""
    kinds = draw(st.dictionaries(LOOKS, st.integers(1, 2), min_size=1, max_size=3))
    looks = sorted({look for looks in kinds for look in looks})
    return {look: draw(st.integers(0, 2)) for look in looks}, kinds


@given(looks_of_people())
def test_ways_by_definition(drawn: tuple[dict[int, int], dict[tuple[int, ...], int]]) -> None:
    """Try every way to give each record another owner."""
    records, kinds = drawn
    shown = [look for look, n in records.items() for _ in range(n)]
    people = [looks for looks, n in kinds.items() for _ in range(n)]
    ways, without = 0, Counter[int]()
    for owners in permutations(range(len(people)), len(shown)):
        if all(look in people[i] for look, i in zip(shown, owners, strict=True)):
            ways += 1
            without.update(i for i in range(len(people)) if i not in owners)
    found = chances_of_none(records, kinds)
    if not ways:
        assert found == {}
        return
    assert [found[looks] for looks in people] == [
        Fraction(without[i], ways) for i in range(len(people))
    ]
    assert n_steps(records, kinds) > 0


@given(st.lists(LOOKS.map(lambda looks: tuple(3 * look for look in looks)), max_size=4))
def test_looks_hang_together_through_people(kinds: list[tuple[int, ...]]) -> None:
    names = together(kinds)
    assert set(names) == {look for looks in kinds for look in looks}
    linked = {look: {look} for look in names}
    for _ in names:
        for looks in kinds:
            union = set().union(*(linked[look] for look in looks))
            for look in union:
                linked[look] |= union
    assert {look: min(linked[look]) for look in names} == names


def test_steps_are_counted_before_they_are_made() -> None:
    assert n_steps({0: 1, 1: 2}, {(0,): 4, (0, 1): 1}) == 4 * 6 + 2 + 1 * 6 * 2 + 6
