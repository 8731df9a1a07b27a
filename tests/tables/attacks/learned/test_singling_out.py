"""Singling-out: descriptions made of a release that fit one person."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.tables.attacks.details import numbers
from unlinkable.errors import SchemaError, UnsupportedError
from unlinkable.release.attacks import Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.learned.singling_out import SinglingOut
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side

QUASI = ("age", "zip", "job")


def random_people(n: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    return pl.DataFrame(
        {"age": age, "zip": rng.integers(0, 300, n) + 10 * age, "job": rng.choice([*"abcde"], n)}
    )


PEOPLE, OTHERS = random_people(600, 1), random_people(600, 2)


def attack(
    published: pl.DataFrame,
    how: SinglingOut | None = None,
    *,
    people: pl.DataFrame = PEOPLE,
    control: pl.DataFrame | None = None,
    seed: int = 0,
    is_truthful: bool = True,
) -> Outcome:
    side = Side.of({} if control is None else {"control": control})
    truth = Truth(as_table(people, quasi=QUASI))
    target = Target(published, QUASI, (), is_truthful=is_truthful)
    return (how or SinglingOut()).run(
        target, AdversaryKnowledge(side, truth, rng=np.random.default_rng(seed))
    )


def in_groups(people: pl.DataFrame, k: int) -> pl.DataFrame:
    """Publish ranges around groups of k people or more, as texts."""
    n_groups = people.height // k
    order = people.sort("age", "zip").with_row_index("i")
    order = order.with_columns(pl.col("i").clip(0, n_groups * k - 1) // k)
    spans = [
        pl.format("[{}-{})", pl.col(c).min().over("i"), pl.col(c).max().over("i") + 1).alias(c)
        for c in ("age", "zip")
    ]
    return order.with_columns(*spans, job=pl.lit("*")).drop("i")


def test_a_table_published_as_it_is_singles_out_who_is_unique() -> None:
    outcome = attack(PEOPLE)
    assert outcome.details["rate"] == 1.0
    assert (outcome.highest, outcome.n_attacked) == (1.0, 600)
    assert outcome.n_fallen == numbers(outcome)["people singled out"] > 300
    assert outcome.interval is not None
    assert outcome.interval[0] > 0.9
    assert outcome.details["chance from"] == "the bound for any guess"
    assert len(outcome.victims) == 100
    assert {victim.records for victim in outcome.victims} == {1}


def test_every_victim_is_described_so_that_one_record_fits() -> None:
    outcome = attack(PEOPLE, SinglingOut(n_guesses=100))
    for victim in outcome.victims:
        fitting = PEOPLE
        for name, text in victim.who.items():
            if text.startswith("<"):
                fitting = fitting.filter(pl.col(name) < int(text[1:]))
            elif text.startswith(">="):
                fitting = fitting.filter(pl.col(name) >= int(text[2:]))
            else:
                fitting = fitting.filter(pl.col(name).cast(pl.String) == text)
        assert fitting.height == 1


@pytest.mark.parametrize("k", [2, 5])
def test_descriptions_made_of_groups_of_k_fit_k_people(k: int) -> None:
    for control in (None, OTHERS):
        outcome = attack(in_groups(PEOPLE, k), control=control)
        assert outcome.details["people singled out"] == 0
        assert (outcome.highest, outcome.n_fallen, outcome.victims) == (0.0, 0, ())
        assert outcome.interval == (0.0, 0.0) or control is not None


@given(st.integers(2, 4), st.integers(8, 30), st.integers(0, 1000))
def test_no_group_of_k_is_ever_singled_out(k: int, n: int, seed: int) -> None:
    people = random_people(n, seed)
    how = SinglingOut(n_guesses=40)
    outcome = attack(in_groups(people, k), how, people=people, seed=seed)
    assert outcome.details["people singled out"] == 0


def test_what_singles_out_strangers_as_often_is_no_leak() -> None:
    """People who were drawn anew from the same population, as if by a perfect synthesizer."""
    outcome = attack(random_people(600, 3), control=OTHERS, is_truthful=False)
    assert outcome.details["chance from"] == "control people"
    assert numbers(outcome)["rate"] > 0.05
    assert outcome.interval is not None
    assert outcome.interval[0] == 0.0
    assert outcome.n_fallen == 0


def test_chance_is_seldom_taken_for_a_leak() -> None:
    """The lower end of the interval is above 0 in 5 % of tables with other people, at most.

    If so, this fails once in a million runs.
    """
    how = SinglingOut(n_guesses=60, limit="1/1000000")
    n_runs = 100
    fallen = 0
    for run in range(n_runs):
        people, others, made_up = (random_people(100, 1000 * part + run) for part in (1, 2, 3))
        outcome = attack(made_up, how, people=people, control=others, seed=run, is_truthful=False)
        fallen += outcome.n_fallen > 0
    assert fallen <= stats.binom.ppf(1 - 1e-6, n_runs, 0.05)


def test_copies_among_made_up_records_are_found_with_control_people() -> None:
    copied = pl.concat([random_people(600, 3), PEOPLE])
    outcome = attack(copied, SinglingOut(at_most=3), control=OTHERS)
    without = attack(random_people(600, 3), SinglingOut(at_most=3), control=OTHERS)
    assert outcome.n_fallen > 0
    assert outcome.highest > 0.3 > without.highest


def test_fewer_control_people_than_records_do_not_tell_chance() -> None:
    assert attack(PEOPLE, control=OTHERS[:599]).details["chance from"] == "the bound for any guess"
    more = pl.concat([OTHERS, random_people(600, 4)])
    outcome = attack(PEOPLE, control=more)
    assert outcome.details["chance from"] == "control people"
    # Twice as many people: the mean over all samples of as many as there are records.
    assert outcome.details["rate by chance"] == pytest.approx(
        attack(PEOPLE, control=OTHERS).details["rate by chance"], abs=0.06
    )


def test_the_bound_is_the_best_that_a_guess_without_knowledge_reaches() -> None:
    """A predicate with weight 1/n on 600 people who were drawn after it was made."""
    bound = attack(PEOPLE).details["rate by chance"]
    weights = np.linspace(0, 0.02, 20_001)
    best = (600 * weights * (1 - weights) ** 599).max()
    assert bound == pytest.approx(best, abs=1e-6)


def test_at_most_so_many_columns_are_described() -> None:
    outcome = attack(PEOPLE, SinglingOut(at_most=1))
    assert outcome.details["descriptions tried"] == outcome.details["descriptions on one column"]
    # Hardly any age is rare, and all three together are.
    people = PEOPLE.with_columns(zip=pl.col("zip") % 7)
    for at_most in (2, 3):
        found = attack(people, SinglingOut(at_most=at_most, n_guesses=60), people=people)
        assert max(len(victim.who) for victim in found.victims) == at_most


def test_only_the_columns_asked_for_are_described() -> None:
    outcome = attack(PEOPLE, SinglingOut(qid=("age", "zip")))
    assert {name for victim in outcome.victims for name in victim.who} <= {"age", "zip"}


def test_the_same_seed_gives_the_same_outcome() -> None:
    one, same, other = (
        attack(PEOPLE, SinglingOut(n_guesses=50), seed=seed).to_json() for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_the_effort_on_fixed_people_is_known() -> None:
    details = attack(PEOPLE, control=OTHERS).details
    golden = ("descriptions tried", "descriptions on one column", "people singled out")
    assert [details[name] for name in golden] == [1000, 167, 523]


def test_a_limit_that_is_not_passed_fells_nobody() -> None:
    outcome = attack(PEOPLE, SinglingOut(limit=1))
    assert (outcome.highest, outcome.n_fallen) == (1.0, 0)
    assert outcome.found.endswith("the limit allows.")


def test_one_record_is_singled_out_by_anything() -> None:
    """Chance does that as well: nobody falls."""
    outcome = attack(PEOPLE[:1], people=PEOPLE[:1])
    assert (outcome.highest, outcome.n_fallen) == (0.0, 0)


def test_what_is_asked_is_checked() -> None:
    target, truth = Target(PEOPLE, QUASI, ()), Truth(as_table(PEOPLE, quasi=QUASI))
    with pytest.raises(UnsupportedError, match="only the original records can say whom"):
        SinglingOut().run(target)
    with pytest.raises(UnsupportedError, match="there are no records"):
        SinglingOut().run(Target(PEOPLE[:0], QUASI, ()), AdversaryKnowledge(truth=truth))
    with pytest.raises(UnsupportedError, match="no column is known to others: say which with qid"):
        SinglingOut().run(Target(PEOPLE, (), ()), AdversaryKnowledge(truth=truth))
    with pytest.raises(SchemaError, match=r"no column 'sex' among 3 .* in the release"):
        attack(PEOPLE, SinglingOut(qid="sex"))
    with pytest.raises(SchemaError, match=r"no column 'job' among 2 .* in 'control'"):
        attack(PEOPLE, control=OTHERS.drop("job"))


def test_parameters_are_checked() -> None:
    assert SinglingOut().limit == Fraction(1, 10)
    with pytest.raises(ValueError, match="at_most must be at least 1"):
        SinglingOut(at_most=0)
    with pytest.raises(ValueError, match="n_guesses must be at least 1"):
        SinglingOut(n_guesses=0)
    with pytest.raises(ValueError, match="n_guesses must be at most 1000000, got 1000001"):
        SinglingOut(n_guesses=10**6 + 1)
    with pytest.raises(ValueError, match="n_guesses must be at most"):
        SinglingOut(n_guesses=10**23)


def test_a_risk_that_is_nothing_but_rounding_is_told_as_0() -> None:
    """Nothing is singled out, and nearly nothing by chance."""
    hidden = PEOPLE.with_columns(age=pl.lit("*"), zip=pl.lit("*"), job=pl.lit("*"))
    crowded = pl.concat([OTHERS] * 20)
    risk = numbers(attack(in_groups(PEOPLE, 100), control=crowded))["risk before clipping"]
    assert risk == round(risk, 9)
    assert numbers(attack(hidden, control=OTHERS))["risk before clipping"] == 0.0


def test_one_person_is_told_as_one() -> None:
    people = pl.concat([pl.DataFrame({"age": [99], "zip": [1], "job": ["a"]})] + [PEOPLE[:1]] * 99)
    outcome = attack(people, SinglingOut(limit="1/1000"), people=people)
    assert outcome.n_fallen == 1
    assert "About 1 person is singled out" in outcome.found
