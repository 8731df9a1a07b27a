"""The difference attack: worked examples, all sets of groups, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.series.subtracting import (
    SHARES,
    Release,
    fallen_few,
    fallen_most,
    fallen_smallest,
    merged_until_safe,
    releases,
    rests,
    series_of,
    shares,
)
from tests.tables.attacks.tables import frame_of_case, target
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.release.attacks import Outcome
from unlinkable.tables.attacks.series.difference import Difference
from unlinkable.tables.attacks.series.series import Edition, Series

KS = st.integers(1, 4)


def who_fell(outcome: Outcome) -> set[int]:
    return {int(victim.who["person"]) - 1 for victim in outcome.victims}


def byun() -> Series:
    case = load("byun-ex1-difference-attack")["input"]
    names = case["row_owner_t2"]
    return Series(
        tuple(
            Edition(
                target(frame_of_case(case[f"released_{t}"]), case["QID"], case["sensitive"]),
                np.array([names.index(owner) for owner in case[f"row_owner_{t}"]]),
                t,
            )
            for t in ("t1", "t2")
        ),
        names,
    )


def test_alice_has_cancer() -> None:
    case = load("byun-ex1-difference-attack")
    outcome = Difference(k=case["input"]["k"], limit=case["input"]["c"]).run(byun())
    (victim,) = outcome.victims
    assert victim.who == {"person": case["expected"]["computed"]["violating_D"][0]}
    assert victim.learned == {"Diagnosis": case["expected"]["stated"]["inferred"]["Alice"]}
    assert (victim.confidence, victim.records) == (1.0, 1)
    assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (7, 1, 1.0)
    assert outcome.details == {
        "fallen_few_left": 1,
        "fallen_value": 1,
        "smallest_difference": 1,
        "pairs_with_channel": 1,
        "fallen_alone": 0,
        "highest_alone": 0.5,
    }
    assert outcome.found == (
        "1 of 7 people fall: whoever takes groups of one release away from another is left with "
        "fewer than 2 people, or is more than 0.5 sure of what they have. The most fall where t1 "
        "is taken away from t2."
    )


def test_hank_and_sal_are_left_as_two_and_are_so_in_their_groups_already() -> None:
    outcome = Difference(k=3, limit=1).run(byun())
    assert {victim.who["person"] for victim in outcome.victims} == {"Alice"}
    assert outcome.details["fallen_alone"] == 6


def test_the_inserted_record_of_the_book() -> None:
    case = load("book-ch10-ex10.1-insertion-difference")
    given, people = case["input"], {"T1": [0, 1, 2, 3], "T2": [0, 1, 4, 2, 3]}
    editions = tuple(
        Edition(
            target(frame_of_case(given[t]), given["QID"], given["sensitive"]),
            np.array(people[t]),
            t,
        )
        for t in ("T1", "T2")
    )
    outcome = Difference().run(Series(editions))
    (victim,) = outcome.victims
    assert victim.learned == {
        "Disease": case["expected"]["stated"]["candidates_after_comparison"][0]
    }
    assert who_fell(outcome) == {4}


def test_a_third_class_may_bridge_two_covers() -> None:
    """Observation 1 of the paper skips all that contains two classes with disjoint covers."""
    first = [(p, g, p) for p, g in enumerate([0, 0, 1, 1, 2, 2, 2, 2])]
    second = [(p, g, p) for p, g in enumerate([0, 0, 1, 1, 0, 0, 1, 1, 1])]
    small = [rest for rest in rests(first, second) if rest.size < 2]
    assert [rest.taken for rest in small] == [{0, 1, 2}]
    covers = {tuple(rest.taken): rest.cover for rest in rests(first, second)}
    assert not covers[0,] & covers[1,]
    assert who_fell(Difference(k=2, limit=1).run(series_of([first, second]))) == {8}


def test_nobody_falls_by_being_put_together_with_others() -> None:
    """Three newcomers have flu; four others, in another group, have nothing to do with them."""
    first = [(0, 0, 1), (1, 0, 2), (2, 0, 3), (3, 1, 1), (4, 1, 2)]
    alike, mixed = [(p, 0, 0) for p in (5, 6, 7)], [(8 + v, 1, v) for v in range(4)]
    second = [*first, *alike, *mixed]
    together = next(rest for rest in rests(first, second) if rest.taken == {0, 1})
    assert together.breaks(2, Fraction(1, 2))
    assert who_fell(Difference(k=2).run(series_of([first, second]))) == {5, 6, 7}


def test_whoever_is_known_better_by_his_own_group_does_not_fall() -> None:
    """Two and three are in a difference with much flu, and in a group with half of it."""
    first = [(0, 0, 1), (1, 0, 2), (2, 1, 0), (3, 1, 1)]
    second = [*((p, 0, v) for p, _, v in first), (4, 0, 0), (5, 0, 2), (6, 0, 0)]
    wide = next(rest for rest in rests(first, second) if rest.taken == {0})
    assert wide.people == {2, 3, 4, 5, 6}
    assert wide.breaks(2, Fraction(1, 2))
    assert who_fell(Difference(k=2).run(series_of([first, second]))) == {4, 5, 6}


def by_definition(found: list[Release], k: int, c: Fraction) -> tuple[set[int], set[int], Fraction]:
    few, told, sure = set(), set(), [share for release in found for share in shares(release)]
    for first, second in permutations(found, 2):
        few |= fallen_few(first, second, k)
        told |= fallen_smallest(first, second, c) | fallen_most(first, second, c)
        sure += [Fraction(max(r.counts.values()), r.size) for r in rests(first, second)]
    return few, told, max(sure, default=Fraction(0))


@given(releases(), KS, SHARES)
def test_says_what_the_definition_says(found: list[Release], k: int, c: Fraction) -> None:
    few, told, highest = by_definition(found, k, c)
    outcome = Difference(k=k, limit=c).run(series_of(found))
    assert who_fell(outcome) == few | told
    assert (outcome.details["fallen_few_left"], outcome.details["fallen_value"]) == (
        len(few),
        len(told),
    )
    assert outcome.highest == float(highest)
    assert outcome.n_attacked == len({p for release in found for p, _, _ in release if p >= 0})


@given(releases(3, 8), KS, SHARES)
def test_every_pair_of_three_counts(found: list[Release], k: int, c: Fraction) -> None:
    few, told, highest = by_definition(found, k, c)
    outcome = Difference(k=k, limit=c).run(series_of(found))
    assert (who_fell(outcome), outcome.highest) == (few | told, float(highest))


@given(releases(most=16, made_up=False), KS, SHARES)
def test_finds_a_channel_exactly_if_some_set_of_groups_opens_one(
    found: list[Release], k: int, c: Fraction
) -> None:
    """The paper's definition, for releases that keep k and c alone."""
    found = [merged_until_safe(release, k, c) for release in found]
    broken = [r for pair in permutations(found, 2) for r in rests(*pair) if r.breaks(k, c)]
    outcome = Difference(k=k, limit=c).run(series_of(found))
    assert outcome.succeeded == bool(broken)
    assert who_fell(outcome) <= {p for rest in broken for p in rest.people}
    assert outcome.details["fallen_alone"] == 0
    few = {p for rest in broken if rest.size < k for p in rest.people}
    assert outcome.details["fallen_few_left"] == len(few)


@given(releases(), KS, SHARES)
def test_what_is_told_of_a_victim_is_the_share_in_a_difference(
    found: list[Release], k: int, c: Fraction
) -> None:
    outcome = Difference(k=k, limit=c).run(series_of(found))
    for victim in outcome.victims:
        person, value = int(victim.who["person"]) - 1, int(victim.learned["s"])
        assert any(
            person in rest.people
            and rest.size == victim.records
            and rest.counts[value] / rest.size == pytest.approx(victim.confidence)
            for pair in permutations(found, 2)
            for rest in rests(*pair)
        )


@given(releases(), KS, SHARES)
def test_a_stricter_adversary_finds_more(found: list[Release], k: int, c: Fraction) -> None:
    series = series_of(found)
    n = Difference(k=k, limit=c).run(series).details["fallen_few_left"]
    more = Difference(k=k + 1, limit=c).run(series).details["fallen_few_left"]
    assert isinstance(n, int)
    assert isinstance(more, int)
    assert n <= more


@given(releases(1, made_up=False), KS)
def test_the_same_release_twice_tells_nothing(found: list[Release], k: int) -> None:
    outcome = Difference(k=k, limit="1/4").run(series_of([found[0], found[0]]))
    assert outcome.n_fallen == 0
    assert outcome.found.startswith("Nobody of ")


def test_what_a_release_tells_alone_is_told_and_not_counted() -> None:
    same = [(0, 0, 1), (1, 0, 1)]
    outcome = Difference(k=3).run(series_of([same, same]))
    assert (outcome.n_fallen, outcome.highest, outcome.details["fallen_alone"]) == (0, 1.0, 2)
    assert outcome.found == (
        "Nobody of 2 people falls: whatever groups are taken away from another release, it leaves "
        "3 people or more, and no value more than 0.5 of them. Without taking anything away, 2 of "
        "them do."
    )


def test_each_sensitive_column_counts() -> None:
    first = pl.DataFrame({"g": ["a"] * 2, "ill": ["x", "y"], "pay": ["1", "2"]})
    then = pl.DataFrame({"g": ["a"] * 4, "ill": ["x", "y", "u", "v"], "pay": ["1", "2", "3", "3"]})
    editions = tuple(
        Edition(target(frame, "g", ("ill", "pay")), np.arange(len(frame)))
        for frame in (first, then)
    )
    outcome = Difference().run(Series(editions))
    assert [victim.learned for victim in outcome.victims] == [{"pay": "3"}] * 2
    assert Difference("ill").run(Series(editions)).n_fallen == 0


def test_refuses_releases_of_unknown_or_repeated_people() -> None:
    frame = pl.DataFrame({"g": ["a"] * 2, "s": ["x", "y"]})
    known = Edition(target(frame, "g", "s"), np.array([0, 1]), "the first")
    with pytest.raises(UnsupportedError, match="not known whose the records"):
        Difference().run(Series((known, Edition(target(frame, "g", "s")))))
    twice = Edition(target(frame, "g", "s"), np.array([1, 1]), "the second")
    with pytest.raises(UnsupportedError, match="somebody has several records in the second"):
        Difference().run(Series((known, twice)))
    with pytest.raises(UnsupportedError, match="give two or more"):
        Difference().run(Series((known,)))
    with pytest.raises(SchemaError, match="no sensitive column of all releases 'ill'"):
        Difference("ill").run(Series((known, known)))


def test_refuses_releases_between_which_values_have_changed() -> None:
    """What is there no longer was not somebody else's: nothing can be subtracted."""
    changed = series_of([[(0, 0, 1), (1, 0, 2)], [(0, 0, 1), (1, 0, 3), (2, 0, 2)]])
    with pytest.raises(UnsupportedError, match=r"1 person of .* has another value of"):
        Difference().run(changed)


def test_refuses_parameters_that_mean_nothing() -> None:
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        Difference(k=0)
    with pytest.raises(ParameterError, match="limit must lie in"):
        Difference(limit=2)


def test_is_written_as_it_is_called() -> None:
    assert str(Difference(k=3)) == "difference(k=3)"
