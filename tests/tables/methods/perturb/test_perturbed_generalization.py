"""Perturbed generalization: one record of each group, chances, corruption, and refusals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import rows_of_case, table_of
from tests.tables.methods.perturb.masking import bound, run
from tests.tables.operations.chance import fits_counts
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb.perturbed_generalization import (
    PerturbedGeneralization,
    largest_belief,
    largest_growth,
)
from unlinkable.tables.metrics import ILoss, InformationGain
from unlinkable.tables.models import DifferentialPrivacy, DistinctLDiversity, KAnonymity, TCloseness
from unlinkable.tables.taxonomies.builders import Tree

ILLS = ["flu", "hiv", "cold", "ulcer"]


def ward(n: int = 3_000, **roles: Any) -> Table:
    rng = np.random.default_rng(3)
    return as_table(
        {"age": rng.integers(20, 80, n), "sex": rng.choice(["f", "m"], n), "ill": ["flu"] * n},
        quasi=["age", "sex"],
        sensitive="ill",
        taxonomies={"ill": Tree({"any": ILLS})},
        **roles,
    )


def test_a_corrupted_neighbour_does_not_give_the_victim_away() -> None:
    case = cases.load("book-ch05-ex5.3-corruption-attack")["input"]
    rows = rows_of_case(case["table"])
    people = as_table(
        {name: [row[name] for row in rows] for name in case["table"]["columns"]},
        quasi=case["qid"],
        sensitive=case["sensitive"],
    )
    method = PerturbedGeneralization("1/2")
    masked = run(method, people, KAnonymity(2))
    assert masked.frame["count"].to_list() == [2, 2]
    assert masked.frame.select("Job", "Sex").rows() == [("Engineer", "Male"), ("Lawyer", "Female")]
    # The attack of the example made sure of HIV, from one half: growth of one half.
    assert masked.told["growth"] == pytest.approx(largest_growth(0.5, 3, 2))
    assert largest_growth(0.5, 3, 2) < 0.5


@settings(max_examples=60, deadline=None)
@given(tables(owner=False, min_records=1, max_sensitive=1), st.integers(1, 4), st.integers(0, 9))
def test_every_group_publishes_one_record_for_all_its_people(
    random: RandomTable, k: int, seed: int
) -> None:
    people = table_of(random)
    assume(people.taxonomy("s0").n > 1)
    try:
        masked = run(PerturbedGeneralization(), people, KAnonymity(k), seed=seed)
    except InfeasibleError:
        assume(len(people) < k)
        return
    assert masked.counts == "count"
    counts = masked.frame["count"].to_list()
    assert sum(counts) == len(people)
    assert min(counts) >= k
    assert masked.told["smallest group"] == min(counts)
    assert masked.frame.columns == [*random.qid, "s0", "count"]
    shown = masked.frame.select(random.qid).rows()
    assert len({*shown}) == len(shown)
    assert masked.rows is None


def test_values_are_kept_and_replaced_as_often_as_they_should() -> None:
    """False alarm: one in a million; a retention 30 % off is noticed."""
    masked = run(PerturbedGeneralization("3/5"), ward(), KAnonymity(1))
    more = [run(PerturbedGeneralization("3/5"), ward(), KAnonymity(1), seed=i) for i in range(60)]
    seen = [ill for one in (masked, *more) for ill in one.frame["ill"]]
    assert len(seen) > 4_000
    counts = [seen.count(ill) for ill in ILLS]
    for p, expected in ((0.6, True), (0.78, False), (0.42, False)):
        other = (1 - p) / 4
        assert fits_counts(counts, [p + other, other, other, other]) == expected


def test_each_record_of_a_group_is_drawn_as_often() -> None:
    """False alarm: one in a million."""
    people = as_table({"age": [1] * 4, "ill": ILLS}, quasi="age", sensitive="ill")
    method = PerturbedGeneralization("99999/100000")
    seen = [run(method, people, KAnonymity(4), seed=i).frame["ill"][0] for i in range(1_200)]
    assert fits_counts([seen.count(ill) for ill in ILLS], [0.25] * 4)


def test_groups_do_not_depend_on_sensitive_values() -> None:
    people = ward(300)
    ills = np.random.default_rng(1).choice(ILLS, len(people))
    other = as_table(people.frame.with_columns(ill=ills), quasi=["age", "sex"], sensitive="ill")
    one, two = (run(PerturbedGeneralization(), t, KAnonymity(5)).frame for t in (people, other))
    assert one.select("age", "sex", "count").equals(two.select("age", "sex", "count"))


def test_the_order_of_rows_does_not_depend_on_the_order_of_the_source() -> None:
    people = ward(300)
    ordered = people.frame["age"].to_list() == sorted(people.frame["age"])
    assert not ordered
    shown = []
    for rows in (range(300), range(299, -1, -1), np.random.default_rng(5).permutation(300)):
        mixed = as_table(people.frame[list(rows)], quasi=["age", "sex"], sensitive="ill",
                         taxonomies={"ill": Tree({"any": ILLS})})  # fmt: skip
        frame = run(PerturbedGeneralization(), mixed, KAnonymity(5)).frame
        shown.append(frame.select("age", "sex", "count").rows())
    assert shown[0] == shown[1] == shown[2]
    assert [row[:2] for row in shown[0]] == sorted(row[:2] for row in shown[0])


def test_only_what_is_covered_by_the_bound_is_published() -> None:
    people = as_table(
        {"age": [1, 1], "ill": ["flu", "hiv"], "pay": [1, 2], "count": [7, 8]},
        quasi="age", sensitive=["ill", "pay"], insensitive="count",
    )  # fmt: skip
    masked = run(PerturbedGeneralization(sensitive="ill"), people, KAnonymity(2))
    assert masked.frame.columns == ["age", "ill", "count 2"]
    assert masked.counts == "count 2"


def test_the_bound_follows_from_what_is_published() -> None:
    masked = run(PerturbedGeneralization("1/2", skew="1/10"), ward(), KAnonymity(5))
    k = int(masked.told["smallest group"])
    assert masked.told == {
        "growth": largest_growth(0.5, 4, k, 0.1),
        "smallest group": k,
        "values": 4,
    }


def test_the_same_seed_gives_the_same_release() -> None:
    one, other = (run(PerturbedGeneralization(), ward(), KAnonymity(5), seed=2) for _ in range(2))
    assert one.frame.equals(other.frame)
    assert not one.frame.equals(run(PerturbedGeneralization(), ward(), KAnonymity(5), seed=3).frame)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (DifferentialPrivacy(1), "it is about noise"),
        (DistinctLDiversity(2), "one value is published for a whole group"),
        (TCloseness("1/5"), "one value is published for a whole group"),
    ],
    ids=str,
)
def test_refuses_what_it_cannot_promise(model: Any, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        run(PerturbedGeneralization(), ward(), model)


def test_refuses_tables_that_it_cannot_treat() -> None:
    with pytest.raises(UnsupportedError, match="give at least one"):
        run(PerturbedGeneralization(), ward())
    flat = as_table({"a": [1, 2], "s": ["x", "x"]}, quasi="a", sensitive="s")
    with pytest.raises(InfeasibleError, match="no other to hide it among"):
        run(PerturbedGeneralization(), flat, KAnonymity(2))
    several = as_table({"a": [1, 2], "s": ["x", "y"], "who": [1, 1]}, quasi="a", sensitive="s",
                       owner="who")  # fmt: skip
    with pytest.raises(UnsupportedError, match="people have several here"):
        run(PerturbedGeneralization(), several, KAnonymity(1))
    two = as_table({"a": [1], "s": [1], "t": [1]}, quasi="a", sensitive=["s", "t"])
    with pytest.raises(SchemaError, match="one sensitive column, and there are 2"):
        run(PerturbedGeneralization(), two, KAnonymity(1))
    with pytest.raises(SchemaError, match="no sensitive column 'b'"):
        run(PerturbedGeneralization(sensitive="b"), two, KAnonymity(1))
    with pytest.raises(ParameterError, match=r"retention must lie in \[0, 1\)"):
        PerturbedGeneralization(1)


def test_refuses_searches_and_metrics_that_look_at_sensitive_values() -> None:
    people = ward()
    guided = PerturbedGeneralization(generalization='infogain-mondrian(targets=["ill"])')
    with pytest.raises(UnsupportedError, match="looks at sensitive values"):
        run(guided, people, KAnonymity(2))
    task = Task(people.attributes, ILoss(), rng=secure_generator(1))
    task = evolve(task, metric=InformationGain("ill"))
    with pytest.raises(UnsupportedError, match="looks at sensitive values"):
        PerturbedGeneralization().mask(people, bound(people, KAnonymity(2)), task)


def posterior(prior: list[Fraction], others: list[int], p: Fraction, shown: int) -> list[Fraction]:
    """Give the belief in each value of a victim, where the values of all others are known.

    One of the people of the group was drawn, his value was kept with probability p, and else drawn
    evenly; this is what was shown.
    """
    m, k = len(prior), len(others) + 1
    weight = [Fraction(0)] * m
    for own, who in product(range(m), range(k)):
        true = own if who == 0 else others[who - 1]
        chance = (p if true == shown else 0) + (1 - p) / m
        weight[own] += prior[own] * Fraction(1, k) * chance
    return [w / sum(weight) for w in weight]


SHARES = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


@given(st.data(), st.integers(2, 4), st.integers(1, 5), SHARES)
def test_no_belief_grows_by_more_whatever_the_others_give_away(
    data: st.DataObject, m: int, k: int, p: Fraction
) -> None:
    weights = data.draw(st.lists(st.integers(1, 9), min_size=m, max_size=m))
    prior = [Fraction(w, sum(weights)) for w in weights]
    others = data.draw(st.lists(st.integers(0, m - 1), min_size=k - 1, max_size=k - 1))
    shown = data.draw(st.integers(0, m - 1))
    property_ = data.draw(st.sets(st.integers(0, m - 1), min_size=1))
    after = posterior(prior, others, p, shown)
    before = float(sum(prior[v] for v in property_))
    now = float(sum(after[v] for v in property_))
    skew = float(max(prior))
    assert now - before <= largest_growth(float(p), m, k, skew) + 1e-12
    assert now <= largest_belief(before, float(p), m, k, skew) + 1e-12


@pytest.mark.parametrize(("m", "k"), [(2, 2), (3, 4)])
def test_bounds_are_reached_where_no_other_has_the_value(m: int, k: int) -> None:
    p, steps = Fraction(1, 2), 400
    best = 0.0
    for i in range(1, steps):
        w = Fraction(i, steps)
        prior = [w, *[(1 - w) / (m - 1)] * (m - 1)]
        grown = posterior(prior, [1] * (k - 1), p, 0)[0] - w
        best = max(best, float(grown))
    assert best == pytest.approx(largest_growth(0.5, m, k), rel=1e-4)
    prior = [Fraction(1, 4), *[Fraction(3, 4) / (m - 1)] * (m - 1)]
    after = posterior(prior, [1] * (k - 1), p, 0)[0]
    assert float(after) == pytest.approx(largest_belief(0.25, 0.5, m, k))


def test_pure_chance_teaches_nothing_and_more_people_teach_less() -> None:
    assert largest_growth(0.0, 5, 3) == 0.0
    assert largest_belief(0.3, 0.0, 5, 3) == 0.3
    assert largest_belief(0.0, 0.5, 5, 3) == 0.0
    grown = [largest_growth(0.3, 50, k) for k in (2, 4, 8, 16)]
    assert grown == sorted(grown, reverse=True)
    assert largest_growth(0.3, 50, 6, 0.01) < largest_growth(0.3, 50, 6)
