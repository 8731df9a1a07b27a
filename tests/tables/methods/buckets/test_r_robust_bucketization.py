"""r-robust bucketization: Wong's example, all possible worlds of every bucket, and refusals."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.methods.buckets.setting import bound, buckets_of, holds, masked
from tests.tables.models.people import Scenario, frame_of, prior_of, scenarios
from tests.witness.buckets import is_robust_bucket, robust_posteriors, set_partitions
from tests.witness.models import Row
from tests.witness.worlds import Prior
from unlinkable.errors import InfeasibleError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.methods.buckets import RRobustBucketization
from unlinkable.tables.methods.buckets.r_robust_bucketization import PeopleByPrior
from unlinkable.tables.models import (
    DeltaBounding,
    DistinctLDiversity,
    FrequencyLDiversity,
    KAnonymity,
    RRobustness,
)

R = st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(3)])


def table_of(rows: list[Row]) -> Table:
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    shown = [name for name in columns if name != "s"]
    return as_table(columns, quasi=shown, sensitive="s")


def cancer(men: float, women: float) -> Side:
    return Side.of({"us": {"sex": ["m", "f"], "value": ["cancer"] * 2, "p": [men, women]}})


def test_alan_and_betty_of_example_1_do_not_share_a_bucket() -> None:
    case = cases.load("wong-example1-distribution-attack")["input"]
    prior = case["distribution"]
    side = Side.of(
        {
            "us": {
                "Gender": [entry["signature"]["Gender"] for entry in prior["entries"]],
                "value": [prior["value"]] * 2,
                "p": [entry["p"] for entry in prior["entries"]],
            }
        }
    )
    # Two couples, of whom one has lung cancer each: men with men, and women with women.
    table = as_table(
        {
            "Gender": ["Male", "Female", "Male", "Female"],
            "Disease": ["Lung Cancer", "Hypertension", "Flu", "Lung Cancer"],
        },
        quasi="Gender",
        sensitive="Disease",
    )
    model = RRobustness(case["r"], prior="us", values=prior["value"])
    found = masked(RRobustBucketization(), table, model, side=side)
    assert sorted(map(sorted, buckets_of(found))) == [[0, 2], [1, 3]]
    assert holds(table, found, model, side=side)
    # With nobody of her own kind, no bucket is large enough for Betty's neighbour.
    alone = as_table(
        {"Gender": ["Male", "Female"], "Disease": ["Lung Cancer", "Flu"]},
        quasi="Gender",
        sensitive="Disease",
    )
    with pytest.raises(InfeasibleError, match="found no buckets for 1 of 2 records"):
        masked(RRobustBucketization(), alone, model, side=side)


@given(scenarios(max_people=14), scenarios(), R)
def test_every_bucket_keeps_the_condition_for_every_prior(
    scenario: Scenario, other: Scenario, r: Fraction
) -> None:
    rows, believed = scenario
    of_groups: dict[tuple[Hashable, ...], dict[Hashable, Fraction]] = {
        ("g",): other[1]["a0",],
        ("h",): other[1]["a1",],
    }
    side = Side.of({"a": frame_of(believed, "a"), "g": frame_of(of_groups, "g")})
    priors = [prior_of(believed, "a"), prior_of(of_groups, "g")]
    table, model = table_of(rows), DeltaBounding(r, prior=["a", "g"])
    try:
        found = masked(RRobustBucketization(), table, model, side=side, suppression="1/2")
    except InfeasibleError:
        return
    assert holds(table, found, model, side=side)
    assert holds(table, found, RRobustness(r, prior=["a", "g"]), side=side)
    for bucket in buckets_of(found):
        group = [rows[i] for i in bucket]
        assert is_robust_bucket(group, "s", priors, r)
        assert max(robust_posteriors(group, "s", priors).values()) <= 1 / r
    assert found.n_suppressed * 2 <= len(rows)


@given(scenarios(whole=True, max_people=14), st.sampled_from([Fraction(3, 2), Fraction(2)]))
def test_keeps_the_promise_against_those_who_weigh_all_values_at_once(
    scenario: Scenario, r: Fraction
) -> None:
    rows, believed = scenario
    side, model = (
        Side.of({"a": frame_of(believed, "a")}),
        RRobustness(r, prior="a", reading="joint"),
    )
    try:
        found = masked(RRobustBucketization(), table_of(rows), model, side=side, suppression="1/2")
    except InfeasibleError:
        return
    assert holds(table_of(rows), found, model, side=side)


@given(st.lists(st.sampled_from("xyzuv"), min_size=1, max_size=30), st.integers(2, 4))
def test_people_believed_alike_need_what_anatomize_needs(values: list[str], r: int) -> None:
    table = as_table({"a": ["o"] * len(values), "s": values}, quasi="a", sensitive="s")
    side = Side.of({"p": {"a": ["o"] * 5, "value": list("xyzuv"), "p": [0.1] * 5}})
    model = DeltaBounding(r, prior="p")
    if max(map(values.count, values)) * r > len(values):
        with pytest.raises(InfeasibleError, match="one of the guarded values has"):
            masked(RRobustBucketization(), table, model, side=side)
        return
    found = masked(RRobustBucketization(), table, model, side=side)
    assert dict(found.effort) == {"buckets": len(values) // r, "kinds": 1, "rounds": 8}


def test_who_is_left_joins_the_most_alike() -> None:
    # Three men with cancer and three without make three buckets; the fourth cancer is a boy's, of
    # whom nearly the same is believed as of girls, and not at all as of men.
    side = Side.of(
        {"us": {"who": ["man", "boy", "girl"], "value": ["cancer"] * 3, "p": [0.2, 0.011, 0.01]}}
    )
    table = as_table(
        {
            "who": ["man"] * 6 + ["boy"] + ["girl"] * 4,
            "ill": ["cancer", "flu"] * 3 + ["cancer"] + ["flu", "cold"] * 2,
        },
        quasi="who",
        sensitive="ill",
    )
    model = RRobustness(2, prior="us", values="cancer")
    found = masked(RRobustBucketization(), table, model, side=side)
    with_boy = next(bucket for bucket in buckets_of(found) if 6 in bucket)
    assert all(i > 6 for i in with_boy if i != 6)
    assert len(with_boy) == 3
    assert dict(found.effort) == {"buckets": 5, "kinds": 3, "rounds": 8}


def test_kinds_that_are_too_few_are_merged() -> None:
    # Ten kinds of one person each: no kind has a bucket of its own.
    ages = [str(age) for age in range(10)]
    side = Side.of(
        {"us": {"age": ages, "value": ["x"] * 10, "p": [0.1 + i / 1000 for i in range(10)]}}
    )
    table = as_table({"age": ages, "ill": list("xyyyxyyyxy")}, quasi="age", sensitive="ill")
    model = DeltaBounding(2, prior="us", values="x")
    found = masked(RRobustBucketization(), table, model, side=side)
    assert holds(table, found, model, side=side)
    assert found.n_suppressed == 0
    assert dict(found.effort) == {"buckets": 3, "kinds": 10, "rounds": 17}


def test_leaves_out_what_is_too_frequent_if_it_may() -> None:
    table = as_table({"sex": ["m"] * 6, "ill": ["cancer"] * 4 + ["flu"] * 2}, quasi="sex",
        sensitive="ill")  # fmt: skip
    model, side = RRobustness(2, prior="us", values="cancer"), cancer(0.1, 0.003)
    found = masked(RRobustBucketization(), table, model, side=side, suppression="1/3")
    assert found.n_suppressed == 2
    assert holds(table, found, model, side=side)
    said = "guarded values has 4 of them.* Ask for r of at most 1.5, or let 2 records be left out"
    with pytest.raises(InfeasibleError, match=said):
        masked(RRobustBucketization(), table, model, side=side)


def test_other_promises_are_kept_with_it() -> None:
    table = as_table({"sex": ["m"] * 8, "ill": list("xyzuxyzu")}, quasi="sex", sensitive="ill")
    side = Side.of({"us": {"sex": ["m"], "value": ["x"], "p": [0.1]}})
    models = [RRobustness(2, prior="us", values="x"), DistinctLDiversity(4)]
    found = masked(RRobustBucketization(), table, *models, side=side)
    assert found.effort["buckets"] == 2
    assert holds(table, found, RRobustness(2, prior="us", values="x"), side=side)


def test_the_seed_decides() -> None:
    table = as_table({"sex": list("mf") * 8, "ill": list("xyzu") * 4}, quasi="sex", sensitive="ill")
    side = Side.of({"us": {"sex": ["m", "f"], "value": ["x", "x"], "p": [0.1, 0.2]}})
    model = RRobustness(2, prior="us", values="x")
    one, same, other = (
        masked(RRobustBucketization(), table, model, side=side, seed=s) for s in (1, 1, 2)
    )
    assert one.frame.equals(same.frame)
    assert one.rows is not None
    assert other.rows is not None
    assert one.rows.tolist() != other.rows.tolist()


def most_buckets(rows: list[Row], prior: Prior, r: Fraction) -> int:
    """Try every partition; 0 if none will do."""

    @cache
    def is_good(part: tuple[int, ...]) -> bool:
        return is_robust_bucket([rows[i] for i in part], "s", [prior], r)

    ways = set_partitions(len(rows))
    return max((len(w) for w in ways if all(is_good(tuple(p)) for p in w)), default=0)


def test_finds_buckets_for_small_tables_that_have_any() -> None:
    chance, found, best = random.Random(1), [], []
    for _ in range(60):
        n, top = chance.randint(4, 7), chance.choice([8, 12, 16])
        rows: list[Row] = [
            {"a": chance.choice("abc"), "s": chance.choice("xyzuvw")} for _ in range(n)
        ]
        believed: dict[tuple[Hashable, ...], dict[Hashable, Fraction]] = {
            (kind,): {value: Fraction(chance.randint(5, top), 100) for value in "xyzuvw"}
            for kind in "abc"
        }
        r = chance.choice([Fraction(3, 2), Fraction(2), Fraction(3)])
        if most := most_buckets(rows, prior_of(believed, "a"), r):
            best.append(most)
            side = Side.of({"us": frame_of(believed, "a")})
            with suppress(InfeasibleError):
                model = DeltaBounding(r, prior="us")
                done = masked(RRobustBucketization(), table_of(rows), model, side=side)
                found.append(most - done.effort["buckets"])
    assert (len(best), len(found), found.count(0)) == (26, 26, 24)


def test_refuses_promises_that_it_cannot_work_towards() -> None:
    table = as_table({"sex": ["m", "f"], "ill": ["a", "b"]}, quasi="sex", sensitive="ill")
    with pytest.raises(UnsupportedError, match="use anatomize for others"):
        masked(RRobustBucketization(), table, FrequencyLDiversity(2))
    with pytest.raises(UnsupportedError, match=r"cannot keep k-anonymity.*show all that they did"):
        masked(RRobustBucketization(), table, KAnonymity(2))
    model, side = RRobustness(2, prior="us", values="cancer"), cancer(0.1, 0.1)
    two = as_table(
        {"sex": ["m"], "ill": ["cancer"], "had": ["cancer"]}, quasi="sex", sensitive=["ill", "had"]
    )
    with pytest.raises(UnsupportedError, match="these are about 'had', 'ill': promise it for one"):
        masked(RRobustBucketization(), two, model, side=side)
    owned = as_table({"who": [1], "sex": ["m"], "ill": ["a"]}, owner="who", quasi="sex",
        sensitive="ill")  # fmt: skip
    with pytest.raises(UnsupportedError, match="by 'who' one person may have several"):
        masked(RRobustBucketization(), owned, model, side=side)
    nothing = as_table({"sex": ["m"]}, quasi="sex")
    with pytest.raises(SchemaError, match="the table has none"):
        masked(RRobustBucketization(), nothing, model, side=side)


CHANCES = {"old": 0.3, "young": 0.1, "middle": 0.2, "teen": 0.1}


def crowd(who: list[str], ill: list[str], values: str | None = "x") -> tuple[Table, PeopleByPrior]:
    side = Side.of({"us": {"who": list(CHANCES), "value": ["x"] * 4, "p": list(CHANCES.values())}})
    table = as_table({"who": who, "ill": ill}, quasi="who", sensitive="ill")
    return table, PeopleByPrior.of(
        table, bound(table, [DeltaBounding(2, prior="us", values=values)], side)
    )


def test_kinds_are_people_of_whom_the_same_is_believed_in_an_order_that_neighbours_share() -> None:
    who = ["old", "young", "middle", "teen", "old"]
    _, found = crowd(who, ["x", "y", "x", "y", "z"])
    assert found.n_kinds == 3
    odds = [math.exp(o) / (1 + math.exp(o)) for o in found.odds[found.kinds, 0]]
    assert odds == pytest.approx([CHANCES[w] for w in who])
    line = found.odds[:, 0].tolist()
    assert line in (sorted(line), sorted(line, reverse=True))
    assert found.values.tolist() == [0, -1, 0, -1, -1]
    assert found.n_values == 1


@pytest.mark.parametrize("joined", [0.0, 0.5, 1.0])
def test_buckets_have_a_guarded_value_once_and_enough_people(joined: float) -> None:
    rng = np.random.default_rng(1)
    who = rng.choice(list(CHANCES), 200).tolist()
    ill = rng.choice(["x", "y", "z"], 200, p=[0.2, 0.5, 0.3]).tolist()
    _, found = crowd(who, ill)
    buckets, _ = found.bucketed(2.0, rng, joined)
    assert (buckets >= 0).all() or joined == 1
    for g in np.unique(buckets[buckets >= 0]):
        inside = np.flatnonzero(buckets == g)
        own = Counter(ill[i] for i in inside)
        assert own["x"] <= 1
        if own["x"]:
            odds = found.odds[found.kinds[inside], 0]
            assert inside.size >= 1 + math.exp(odds.max() - odds.min())


def test_values_that_nobody_guards_are_spread_as_well() -> None:
    _, found = crowd(["old"] * 8, list("xyzuxyzu"))
    buckets, rounds = found.bucketed(4.0, np.random.default_rng(0))
    ill = np.array(list("xyzuxyzu"))
    assert [sorted(ill[buckets == g]) for g in (0, 1)] == [list("uxyz")] * 2
    assert rounds == 1


def test_excess_is_what_no_buckets_could_take() -> None:
    _, found = crowd(["old"] * 7, list("xxxxxyz"))
    assert found.n_excess(2.0) == 3
    assert found.n_excess(1.0) == 0
