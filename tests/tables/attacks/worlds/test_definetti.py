"""definetti: the book's example, all worlds one by one, what is planted and what is not."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.witness.learners import definetti
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.release.attacks import Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.worlds.definetti import DeFinetti
from unlinkable.tables.attacks.worlds.shared.learning import LearnedBeliefs
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side

Person = tuple[str, str, str, str]
"""Somebody's bucket, what he shows on two columns, and his value."""


def smokers() -> tuple[Target, dict[str, Any]]:
    case = cases.load("book-ch05-ex5.2-definetti-attack")
    people, values = case["input"]["QIT"]["rows"], case["input"]["ST"]["rows"]
    told = pl.DataFrame(
        {
            "Smoker?": [smokes for _, smokes, _ in people],
            "GroupID": [group for _, _, group in people],
            "Disease": [value for _, value in values],
        }
    )
    return Target(told, ("Smoker?",), ("Disease",), bucket="GroupID"), case["expected"]


def believed(learned: LearnedBeliefs) -> list[dict[str, float]]:
    """Give what is believed of everybody, in the order of the records."""
    people, start = learned.people, learned.people.row_start
    out: list[dict[str, float]] = [{} for _ in people.rows]
    group = np.repeat(np.arange(people.hidden.n_groups), np.diff(people.start))
    for i, row in enumerate(people.rows.tolist()):
        codes = people.hidden.values[slice(*people.hidden.indptr[group[i] : group[i] + 2])]
        texts = [people.hidden.text(int(code)) for code in codes]
        chances = learned.chance[start[i] : start[i + 1]].tolist()
        out[row] = dict(zip(texts, chances, strict=True))
    return out


def in_buckets(people: Sequence[Person]) -> Target:
    told = pl.DataFrame(people, schema=["b", "q0", "q1", "s"], orient="row")
    return Target(told, ("q0", "q1"), ("s",), bucket="b")


def test_example_5_2_believes_that_the_smoker_has_cancer() -> None:
    target, expected = smokers()
    outcome = DeFinetti().run(target)
    found = believed(DeFinetti().learned(target, AdversaryKnowledge()))
    wanted = expected["definetti"]
    assert found[10]["Cancer"] == pytest.approx(wanted["P(Rec11=Cancer,Rec12=No Disease)"])
    assert found[11]["Cancer"] == pytest.approx(wanted["P(Rec12=Cancer,Rec11=No Disease)"])
    assert found[11]["Cancer"] == pytest.approx(expected["printed"], abs=expected["tolerance"])
    assert outcome.highest == pytest.approx(0.84375)
    assert outcome.interval is None
    assert outcome.details["worlds"] == 64
    assert outcome.details["promised"] == expected["random_worlds"]["P(Rec11=Cancer)"]
    assert outcome.details["lift"] == pytest.approx(1.6875)
    assert outcome.victims[0].who["Smoker?"] in "YN"
    assert "GroupID" in outcome.victims[0].who


def test_example_5_2_is_sampled_to_the_same_within_its_error() -> None:
    target, _ = smokers()
    attack = DeFinetti(smoothing=1, exact_up_to=0, rounds=2000)
    learned = attack.learned(target, AdversaryKnowledge())
    exact = DeFinetti().learned(target, AdversaryKnowledge()).chance
    assert not learned.is_exact
    assert learned.r_hat == pytest.approx(1, abs=0.02)
    # 95 % of 24 chances, of which half are independent: more than 2 times the error is rare.
    assert (np.abs(learned.chance - exact) <= 2 * learned.error).all()
    assert learned.error.max() < 0.05
    outcome = attack.run(target)
    assert outcome.interval is not None
    assert outcome.interval[0] <= 0.84375 <= outcome.interval[1]


@st.composite
def wards(draw: st.DrawFn) -> list[Person]:
    """Draw people in up to three buckets, with two columns."""
    person = st.tuples(*map(st.sampled_from, ("123", "pq", "uvw", "xyz")))
    return draw(st.lists(person, min_size=2, max_size=7))


def witnessed(people: Sequence[Person]) -> list[dict[str, float]]:
    rows = [dict(zip(("b", "q0", "q1", "s"), person, strict=True)) for person in people]
    found = definetti(rows, ["q0", "q1"], "s", "b", naive=True)
    return [{str(value): float(p) for value, p in each.items()} for each in found]


@given(wards())
def test_all_worlds_are_weighed_as_they_are_defined(people: list[Person]) -> None:
    wanted = witnessed(people)
    for mine, theirs in zip(
        believed(DeFinetti().learned(in_buckets(people), AdversaryKnowledge())), wanted, strict=True
    ):
        assert mine == pytest.approx({value: theirs[value] for value in mine})
        assert sum(mine.values()) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(6))
def test_chains_tell_what_all_worlds_tell_within_their_error(seed: int) -> None:
    rng = np.random.default_rng(seed)
    people = [
        (str(i // 3), "pq"[rng.integers(2)], "uvw"[rng.integers(3)], "xyz"[rng.integers(3)])
        for i in range(12)
    ]
    attack = DeFinetti(smoothing=1, exact_up_to=0, rounds=1200)
    learned = attack.learned(in_buckets(people), AdversaryKnowledge(rng=rng))
    exact = DeFinetti().learned(in_buckets(people), AdversaryKnowledge())
    # Errors are meant for 95 of 100 chances, and some are bound to be further off.
    off = np.abs(learned.chance - exact.chance)
    assert (off <= 2 * learned.error + 1e-12).all()
    assert (off <= learned.error + 1e-12).mean() > 0.8


@given(wards(), st.randoms(use_true_random=False))
def test_the_order_of_values_in_a_bucket_tells_nothing(people: list[Person], random: Any) -> None:
    values = {b: [p[3] for p in people if p[0] == b] for b in "123"}
    for each in values.values():
        random.shuffle(each)
    mixed = [(b, q0, q1, values[b].pop()) for b, q0, q1, _ in people]
    one, other = (
        believed(DeFinetti().learned(in_buckets(p), AdversaryKnowledge())) for p in (people, mixed)
    )
    for mine, theirs in zip(one, other, strict=True):
        assert mine == pytest.approx(theirs)


def planted(strength: float, n: int = 6000) -> tuple[Target, Truth]:
    """Publish people in buckets of four different values, and who show what goes with these."""
    rng = np.random.default_rng(1)
    n_values, n_shown, n_columns, size = 8, 6, 5, 4
    own = rng.dirichlet(np.ones(n_shown), size=(n_columns, n_values))
    everybody = rng.dirichlet(np.full(n_shown, 5.0), size=(n_columns, 1))
    ways = (1 - strength) * everybody + strength * own
    values = np.argsort(rng.random((n // size, n_values)), axis=1)[:, :size].ravel()
    shown = {
        f"q{j}": (rng.random(n)[:, None] > ways[j].cumsum(axis=1)[values]).sum(axis=1)
        for j in range(n_columns)
    }
    bucket = np.repeat(np.arange(n // size), size)
    # What is published of a bucket stands beside its people in any order.
    mixed = values[np.lexsort((rng.random(n), bucket))]
    told = pl.DataFrame({**shown, "b": bucket, "s": mixed})
    truth = Truth(as_table({**shown, "s": values}, quasi=[*shown], sensitive="s"), np.arange(n))
    return Target(told, tuple(shown), ("s",), bucket="b"), truth


@lru_cache
def run_planted(strength: float) -> Outcome:
    target, truth = planted(strength)
    return DeFinetti().run(target, AdversaryKnowledge(truth=truth, rng=np.random.default_rng(0)))


def number(outcome: Outcome, name: str) -> float:
    found = outcome.details[name]
    assert isinstance(found, int | float)
    return found


def test_what_was_planted_is_found() -> None:
    outcome = run_planted(0.9)
    assert number(outcome, "promised") == 0.25
    assert number(outcome, "lift") > 3.5
    assert number(outcome, "mean_lift") > 2
    assert outcome.n_fallen > 2000
    assert number(outcome, "right_low") > 0.6
    assert number(outcome, "right_by_shares") == 0.25
    # He is about as sure as he is right.
    assert number(outcome, "mean_confidence") == pytest.approx(number(outcome, "right"), abs=0.05)
    assert number(outcome, "r_hat") < 1.1
    assert "of all guesses are right" in outcome.found
    assert outcome.interval is not None
    assert outcome.interval[0] <= outcome.highest <= outcome.interval[1]


def test_nothing_is_found_where_nothing_is() -> None:
    outcome = run_planted(0.0)
    assert outcome.n_fallen == 0
    assert outcome.interval is not None
    assert outcome.interval[0] == 0.25, "the promised share is within the error"
    assert number(outcome, "lift") < 1.3
    assert number(outcome, "mean_lift") == pytest.approx(1, abs=0.03)
    assert number(outcome, "right_low") <= 0.25 <= number(outcome, "right_high")


def test_taking_everything_for_as_likely_finds_what_is_not_there() -> None:
    target, truth = planted(0.0)
    outcome = DeFinetti(smoothing=1).run(target, AdversaryKnowledge(truth=truth))
    # That is why smoothing is learned if it is not given.
    assert number(outcome, "mean_lift") > 1.2
    assert number(outcome, "right_low") <= 0.25 <= number(outcome, "right_high")


def test_the_same_seed_tells_the_same() -> None:
    target, _ = planted(0.9, n=400)
    attack = DeFinetti(rounds=20)
    one, other, third = (
        attack.run(target, AdversaryKnowledge(rng=np.random.default_rng(seed))).highest
        for seed in (1, 1, 2)
    )
    assert one == other
    assert one != third


@pytest.mark.parametrize("seed", range(4))
def test_who_can_explain_everything_in_two_ways_believes_in_neither(seed: int) -> None:
    told = pl.DataFrame(
        {"q": ["p", "r"] * 60, "b": [i // 2 for i in range(120)], "s": ["x", "y"] * 60}
    )
    target = Target(told, ("q",), ("s",), bucket="b")
    attack = DeFinetti(smoothing=1, rounds=200)
    outcome = attack.run(target, AdversaryKnowledge(rng=np.random.default_rng(seed)))
    assert outcome.n_fallen == 0
    assert outcome.interval is not None
    assert outcome.interval[0] == 0.5
    assert outcome.highest == pytest.approx(0.5, abs=0.1)


def test_chains_that_do_not_agree_are_told() -> None:
    target, _ = planted(0.6, n=2000)
    outcome = DeFinetti(rounds=8).run(target)
    assert number(outcome, "r_hat") > 1.1
    assert "The chains do not agree yet" in outcome.found


def test_progress_is_told() -> None:
    target, _ = planted(0.9, n=200)
    told: list[float] = []
    DeFinetti(rounds=10).run(
        target, AdversaryKnowledge(progress=lambda share, words: told.append(share))
    )
    assert told[:4] == [0.05, 0.1, 0.15, 0.2]


def test_the_time_ends_it_and_the_finding_says_so() -> None:
    target, _ = planted(0.6, n=400)
    rounds: list[str] = []
    knowledge = AdversaryKnowledge(progress=lambda share, words: rounds.append(words))
    outcome = DeFinetti(rounds=1_000_000, seconds="1/1000000").run(target, knowledge)
    assert rounds == ["round 1 of 500000 in 4 chains"] * 2
    assert "The time was up before all rounds were done" in outcome.found
    assert "The time was up" not in DeFinetti(rounds=8).run(target).found


def test_progress_never_goes_back() -> None:
    """Two columns are learned one after the other."""
    target, _ = planted(0.9, n=200)
    (about,) = target.sensitive
    twice = target.frame.with_columns(pl.col(about).alias("again"))
    both = evolve(target, frame=twice, sensitive=(about, "again"))
    told: list[float] = []
    DeFinetti(rounds=10).run(
        both, AdversaryKnowledge(progress=lambda share, words: told.append(share))
    )
    assert told == sorted(told)
    assert 0.5 in told


def test_a_list_opens_generalized_groups() -> None:
    target, expected = smokers()
    rows = target.frame.rows()
    told = pl.DataFrame(
        {
            "smokes": ["*"] * 12,
            "zip": [str(group) for _, group, _ in rows],
            "ill": [value for _, _, value in rows],
        }
    )
    listed = {
        "name": [f"P{i}" for i in range(12)],
        "smokes": [smokes for smokes, _, _ in rows],
        "zip": [str(group) for _, group, _ in rows],
    }
    general = Target(told, ("smokes", "zip"), ("ill",))
    outcome = DeFinetti(external="people").run(
        general, AdversaryKnowledge(Side.of({"people": listed}))
    )
    # The zip code is the group itself: it tells nothing more.
    wanted = expected["definetti"]["P(Rec11=Cancer,Rec12=No Disease)"]
    assert outcome.highest >= wanted - 1e-9
    assert set(outcome.victims[0].who) == {"name"}
    assert outcome.details["groups_left_out"] == 0


def test_of_several_columns_the_worst_is_told() -> None:
    target, _ = smokers()
    told = target.frame.with_columns(pl.Series("dull", ["a"] * 12))
    both = Target(told, ("Smoker?",), ("dull", "Disease"), bucket="GroupID")
    assert DeFinetti().run(both).details["column"] == "Disease"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"smoothing": 0}, "smoothing must be greater than 0, got 0"),
        ({"smoothing": "much"}, "expected a number"),
        ({"exact_up_to": -1}, "exact_up_to must be at least 0, got -1"),
        ({"chains": 1}, "chains must be at least 2, got 1"),
        ({"chains": 1001}, "chains must be at most 1000, got 1001"),
        ({"chains": 10**23}, "chains must be at most"),
        ({"rounds": 7}, "rounds must be at least 8, got 7"),
        ({"limit": 2}, r"limit must lie in \(0, 1\], got 2"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        DeFinetti(**parameters)


def test_refuses_a_release_in_which_nobody_can_be_told_apart() -> None:
    target, _ = smokers()
    plain = Target(target.frame, ("Smoker?",), ("Disease",))
    with pytest.raises(UnsupportedError, match="nobody can be told apart: it is for buckets"):
        DeFinetti().run(plain)
    dull = target.frame.with_columns(pl.lit("a").alias("s"))
    single = Target(dull, ("Smoker?",), ("s",), bucket="GroupID")
    with pytest.raises(UnsupportedError, match="every group hides a single value"):
        DeFinetti().run(single)
    with pytest.raises(SchemaError, match="sensitive column"):
        DeFinetti(sensitive="no").run(target)
    stranger = AdversaryKnowledge(Side.of({"external": {"name": ["Ann"], "Smoker?": ["Y"]}}))
    with pytest.raises(UnsupportedError, match="It must have everybody who is in the release"):
        DeFinetti().run(plain, stranger)
