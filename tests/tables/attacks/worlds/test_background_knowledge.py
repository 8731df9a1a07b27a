"""background-knowledge: the paper's examples, all worlds one by one, claims and refusals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.witness.knowers import posteriors, worst_of_knowledge
from tests.witness.skyline import skyline_confidence
from tests.witness.worlds import ImpossibleError
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.attack import Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.worlds.background_knowledge import BackgroundKnowledge
from unlinkable.tables.data.side import Side

CHANCES = st.integers(0, 4)


def published(
    buckets: Sequence[str], values: Sequence[str], *, kinds: Sequence[str] | None = None
) -> Target:
    """Publish people in buckets."""
    told = pl.DataFrame({"b": list(buckets), "kind": list(kinds or buckets), "ill": list(values)})
    return Target(told, ("kind",), ("ill",), bucket="b")


def knowing(chances: Mapping[tuple[str, str], object], **more: Any) -> AdversaryKnowledge:
    """Know how likely a kind of people has a value."""
    prior = {
        "kind": [kind for kind, _ in chances],
        "value": [value for _, value in chances],
        "p": [str(p) for p in chances.values()],
    }
    return AdversaryKnowledge(Side.of({"prior": prior, **more}))


def example_1() -> tuple[Target, AdversaryKnowledge, dict[str, Any]]:
    case = cases.load("wong-example1-distribution-attack")
    given = case["input"]
    people, hidden = given["qi_table"], given["sensitive_table"]
    told = pl.DataFrame(people["rows"], schema=people["columns"], orient="row")
    told = told.with_columns(pl.Series("Disease", [value for _, value in hidden["rows"]]))
    entries, value = given["distribution"]["entries"], given["distribution"]["value"]
    prior = {
        "Gender": [entry["signature"]["Gender"] for entry in entries],
        "value": [value] * len(entries),
        "p": [entry["p"] for entry in entries],
    }
    voters = given["external_table"]
    listed = pl.DataFrame(voters["rows"], schema=voters["columns"], orient="row")
    target = Target(told, ("Gender", "Age"), ("Disease",), bucket="GID")
    return (
        target,
        AdversaryKnowledge(Side.of({"statistics": prior, "voters": listed})),
        case["expected"],
    )


def test_example_1_links_alan_to_lung_cancer() -> None:
    target, knowledge, expected = example_1()
    attack = BackgroundKnowledge(prior="statistics", external="voters")
    outcome = attack.run(target, knowledge)
    alan = outcome.victims[0]
    assert alan.who == {"Name": "Alan"}
    assert alan.learned == {"Disease": "Lung Cancer"}
    assert alan.confidence == pytest.approx(expected["posterior"]["Alan"]["Lung Cancer"])
    assert outcome.n_fallen == 1
    assert outcome.interval is None
    assert outcome.details["highest_share"] == 0.5
    assert outcome.details["groups_counted"] == 2
    found = attack.posteriors(target, knowledge, joint=False).by_text(0)
    assert found["Female"]["Lung Cancer"] == pytest.approx(
        expected["posterior"]["Betty"]["Lung Cancer"]
    )


def test_table_3_is_as_good_as_the_shares_of_its_groups_without_knowledge() -> None:
    case = cases.load("wong-table3-bucketization")
    people, hidden = case["expected"]["qi_table"], case["expected"]["sensitive_table"]
    told = pl.DataFrame(people["rows"], schema=people["columns"], orient="row")
    told = told.with_columns(pl.Series("Disease", [value for _, value in hidden["rows"]]))
    target = Target(told, ("Gender", "Age"), ("Disease",), bucket="GID")
    naive = case["expected"]["naive_link_probability"]["Alan"]["Lung Cancer"]
    assert BackgroundKnowledge().run(target).highest == naive
    assert not BackgroundKnowledge().run(target).succeeded
    assert BackgroundKnowledge(negations=1).run(target).n_fallen == 4


def test_example_2_gives_the_computed_chances() -> None:
    case = cases.load("wong-example2-delta-bounding")
    kinds = ["t1", "t2", "t3"]
    target = published("LLL", "xyz", kinds=kinds)
    chances = dict(zip(((kind, "x") for kind in kinds), case["input"]["f"], strict=True))
    attack, knowledge = BackgroundKnowledge(prior="prior"), knowing(chances)
    found = attack.posteriors(target, knowledge, joint=False).by_text(0)
    assert [found[kind]["x"] for kind in kinds] == pytest.approx(case["expected"]["posterior_x"])
    assert attack.run(target, knowledge).highest <= case["expected"]["all_posteriors_at_most"]


def test_a_generalized_group_is_as_open_as_a_bucket_to_who_has_the_list() -> None:
    case = cases.load("wong-generalized-group-linkage")["input"]
    voters = case["external_table"]
    listed = pl.DataFrame(voters["rows"], schema=voters["columns"], orient="row")
    told = pl.DataFrame(
        {
            "Gender": ["*", "*", "Female", "Female"],
            "Age": ["[40-50)", "[40-50)", "[60-70)", "[60-70)"],
            "Disease": ["Lung Cancer", "Hypertension", "Flu", "HIV"],
        }
    )
    prior = {"Gender": ["Male", "Female"], "value": ["Lung Cancer"] * 2, "p": [0.1, 0.003]}
    target = Target(told, ("Gender", "Age"), ("Disease",))
    knowledge = AdversaryKnowledge(Side.of({"external": listed, "prior": prior}))
    outcome = BackgroundKnowledge(prior="prior").run(target, knowledge)
    assert outcome.victims[0].who == {"Name": "Alan"}
    assert outcome.highest == pytest.approx(0.0997 / 0.1024)
    assert outcome.details["groups_left_out"] == 0
    # With one more man of that age in the list, nobody knows who of them is in the group.
    more = pl.concat([listed, pl.DataFrame({"Name": ["Ed"], "Gender": ["Male"], "Age": [45]})])
    knowledge = AdversaryKnowledge(Side.of({"external": more, "prior": prior}))
    outcome = BackgroundKnowledge(prior="prior").run(target, knowledge)
    assert outcome.details["groups_left_out"] == 1
    assert outcome.n_attacked == 2
    assert "1 of 2 groups" in outcome.found


def test_a_release_that_is_robust_for_each_value_may_not_be_for_all_at_once() -> None:
    """The scope of theorem 1: three people, three values, and r = 2."""
    rows = {"t1": (30, 18, 18), "t2": (18, 30, 30), "t3": (18, 30, 30)}
    # What is left of 1 is for a value that nobody here has.
    chances = {
        (kind, value): Fraction(p, 100)
        for kind, row in rows.items()
        for value, p in zip("xyzo", (*row, 100 - sum(row)), strict=True)
    }
    target, knowledge = published("LLL", "xyz", kinds=[*rows]), knowing(chances)
    outcome = BackgroundKnowledge(prior="prior").run(target, knowledge)
    assert outcome.highest == pytest.approx(0.581, abs=5e-4)
    assert outcome.n_fallen == outcome.details["fallen_by_joint"] == 1
    assert outcome.victims[0].learned == {"ill": "x"}
    assert outcome.details["fallen_by_value"] == 0
    assert outcome.details["reading"] == "joint"
    assert "Taken one value at a time, nobody falls" in outcome.found
    single = BackgroundKnowledge(prior="prior", joint=False).run(target, knowledge)
    assert single.highest == outcome.details["highest_by_value"]
    assert single.highest <= 0.5
    assert single.details["reading"] == "value"
    assert not single.succeeded


def test_who_takes_one_value_at_a_time_may_be_surer() -> None:
    rows = {"t1": "1/8 1/40 2/5 9/20", "t2": "1/35 2/35 3/7 17/35", "t3": "18/43 8/43 8/43 9/43"}
    chances = {
        (kind, value): p
        for kind, row in rows.items()
        for value, p in zip("xyzo", row.split(), strict=True)
    }
    target = published("LLL", "xyz", kinds=[*rows])
    outcome = BackgroundKnowledge(prior="prior", limit="3/5").run(target, knowing(chances))
    assert outcome.highest == pytest.approx(0.5235, abs=1e-4)
    assert outcome.details["highest_by_value"] == pytest.approx(0.8069, abs=1e-4)
    assert not outcome.succeeded
    assert "Who takes one value at a time is surer than that of 1 (up to 0.8069)" in outcome.found


@st.composite
def wards(draw: st.DrawFn) -> tuple[list[tuple[str, str, str]], dict[tuple[str, str], Fraction]]:
    """Draw people in buckets (bucket, kind, value), and a prior that may rule things out."""
    n = draw(st.integers(1, 7))
    person = st.tuples(st.sampled_from("AB"), st.sampled_from("mfd"), st.sampled_from("xyz"))
    people = draw(st.lists(person, min_size=n, max_size=n))
    chances: dict[tuple[str, str], Fraction] = {}
    for kind in "mfd":
        row = draw(st.lists(CHANCES, min_size=3, max_size=3).filter(any))
        chances |= {(kind, v): Fraction(p, sum(row)) for v, p in zip("xyz", row, strict=True)}
    return people, chances


@pytest.mark.parametrize("joint", [True, False])
@given(ward=wards())
def test_posteriors_are_those_of_all_worlds(
    ward: tuple[list[tuple[str, str, str]], dict[tuple[str, str], Fraction]], joint: bool
) -> None:
    people, chances = ward
    buckets, kinds, values = zip(*people, strict=True)
    target, knowledge = published(buckets, values, kinds=kinds), knowing(chances)
    rows = [{"b": b, "kind": k, "ill": v} for b, k, v in people]
    groups = [[row for row in rows if row["b"] == b] for b in dict.fromkeys(buckets)]
    attack = BackgroundKnowledge(prior="prior", joint=joint)
    try:
        wanted = [
            posteriors(
                group,
                "ill",
                lambda row, value: chances[str(row["kind"]), str(value)],
                joint=joint,
            )
            for group in groups
        ]
    except ImpossibleError:
        with pytest.raises(DataError, match=r"prior 'prior' leaves no possible world for \d of"):
            attack.posteriors(target, knowledge, joint=joint)
        return
    found = attack.posteriors(target, knowledge, joint=joint)
    for g, group in enumerate(groups):
        told = found.by_text(g)
        for row, belief in zip(group, wanted[g], strict=True):
            mine = told[str(row["kind"])]
            assert mine == pytest.approx({v: float(belief[v]) for v in mine}, rel=1e-9, abs=1e-12)


BUCKETS = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4), min_size=1, max_size=2)


def of_buckets(buckets: list[list[str]], **known: Any) -> Outcome:
    names = [str(i) for i, bucket in enumerate(buckets) for _ in bucket]
    values = [value for bucket in buckets for value in bucket]
    return BackgroundKnowledge(**known).run(published(names, values))


@given(BUCKETS, st.integers(0, 2), st.integers(0, 2))
def test_facts_make_as_sure_as_the_worst_of_them(
    buckets: list[list[str]], negations: int, others: int
) -> None:
    outcome = of_buckets(buckets, negations=negations, others=others)
    worst = [worst_of_knowledge(b, negations=negations, others=others) for b in buckets]
    assert outcome.highest == pytest.approx(float(max(worst)))
    fallen = sum(len(b) for b, w in zip(buckets, worst, strict=True) if w > Fraction(1, 2))
    assert outcome.n_fallen == fallen
    assert outcome.n_attacked == sum(map(len, buckets))


@given(
    st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3), min_size=1, max_size=2),
    st.integers(0, 1),
    st.integers(0, 1),
    st.integers(0, 2),
)
def test_a_family_makes_as_sure_as_the_skyline_says(
    buckets: list[list[str]], negations: int, others: int, same: int
) -> None:
    outcome = of_buckets(buckets, negations=negations, others=others, same=same)
    values = {value for bucket in buckets for value in bucket}
    worst = max(
        skyline_confidence(buckets, value, l=negations, k=others, m=same, implied=True)
        for value in values
    )
    assert outcome.highest == pytest.approx(float(worst))


@given(BUCKETS, st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))
def test_who_knows_more_is_no_less_sure(buckets: list[list[str]], l: int, k: int, m: int) -> None:  # noqa: E741
    less = of_buckets(buckets, negations=l, others=k, same=m)
    for more in ((l + 1, k, m), (l, k + 1, m), (l, k, m + 1)):
        known = dict(zip(("negations", "others", "same"), more, strict=True))
        assert of_buckets(buckets, **known).highest >= less.highest - 1e-12


@given(ward=wards(), l=st.integers(1, 2))
def test_values_are_ruled_out_of_what_is_believed(
    ward: tuple[list[tuple[str, str, str]], dict[tuple[str, str], Fraction]],
    l: int,  # noqa: E741
) -> None:
    people, chances = ward
    smooth = {key: (p + 1) / 4 for key, p in chances.items()}
    buckets, kinds, values = zip(*people, strict=True)
    target, knowledge = published(buckets, values, kinds=kinds), knowing(smooth)
    found = BackgroundKnowledge(prior="prior").posteriors(target, knowledge)
    best = 0.0
    for g in range(len({*buckets})):
        for row in found.by_text(g).values():
            for value, p in row.items():
                rest = sorted((q for other, q in row.items() if other != value), reverse=True)[l:]
                best = max(best, p / (p + sum(rest)) if p else 0.0)
    outcome = BackgroundKnowledge(prior="prior", negations=l).run(target, knowledge)
    assert outcome.highest == pytest.approx(best)
    assert outcome.details["reading"] == "joint"


def test_large_groups_are_estimated_with_an_interval_that_holds() -> None:
    rng = np.random.default_rng(3)
    n, kinds, values = 240, "abcdefgh", "stuvwxyz"
    who = [kinds[i] for i in rng.integers(0, 8, n)]
    ill = [values[i] for i in rng.integers(0, 8, n)]
    weights = rng.integers(1, 20, (8, 8))
    chances = {
        (k, v): Fraction(int(weights[i, j]), int(weights[i].sum()))
        for i, k in enumerate(kinds)
        for j, v in enumerate(values)
    }
    target = published(["1"] * n, ill, kinds=who)
    attack = BackgroundKnowledge(prior="prior")
    found = attack.posteriors(target, knowing(chances))
    assert not found.is_counted.any()
    told = found.by_text(0)
    # What is expected of all people together is what there is of each value.
    for value in values:
        expected = sum(told[kind][value] for kind in who)
        assert expected == pytest.approx(ill.count(value), abs=0.5)
    # In large groups it is what balanced weights are.
    table = np.array([[float(chances[k, v]) for v in values] for k in kinds])
    for _ in range(500):
        table *= np.array([ill.count(v) for v in values]) / (
            np.array([who.count(k) for k in kinds]) @ table
        )
        table /= table.sum(axis=1, keepdims=True)
    wanted = {k: dict(zip(values, row, strict=True)) for k, row in zip(kinds, table, strict=True)}
    for kind in kinds:
        assert told[kind] == pytest.approx(wanted[kind], abs=0.02)
    outcome = attack.run(target, knowing(chances))
    assert outcome.interval is not None
    assert outcome.interval[0] <= outcome.highest <= outcome.interval[1]
    assert outcome.interval[0] <= table.max() + 0.005
    assert outcome.interval[1] >= table.max() - 0.005
    assert outcome.details["groups_estimated"] == 1
    assert "an estimate" in outcome.sureness
    assert attack.run(target, knowing(chances)).highest == outcome.highest, "the seed is the same"


def test_what_cannot_be_swapped_is_bounded() -> None:
    rng = np.random.default_rng(4)
    n, kinds, values = 240, "abcdefgh", "stuvwxyz"
    who = [kinds[i] for i in rng.integers(0, 8, n)]
    ill = [values[i] for i in rng.integers(0, 8, n)]
    chances = {
        (k, v): Fraction(0 if (i, j) == (0, 0) else 1 + (i * j) % 3)
        for i, k in enumerate(kinds)
        for j, v in enumerate(values)
    }
    sums = {k: sum(p for (kind, _), p in chances.items() if kind == k) for k in kinds}
    chances = {(k, v): p / sums[k] for (k, v), p in chances.items()}
    target, knowledge = published(["1"] * n, ill, kinds=who), knowing(chances)
    outcome = BackgroundKnowledge(prior="prior").run(target, knowledge)
    assert outcome.interval is not None
    low, high = outcome.interval
    share = max(map(ill.count, values)) / n
    assert low == pytest.approx(share)
    assert high > outcome.highest
    assert outcome.n_fallen == 0


def test_of_several_columns_the_worst_is_told() -> None:
    told = pl.DataFrame({"b": ["1"] * 4, "a": list("wxyz"), "c": list("wwwz")})
    target = Target(told, ("b",), ("a", "c"))
    outcome = BackgroundKnowledge(negations=0).run(target)
    assert outcome.details["column"] == "c"
    assert outcome.highest == 0.75
    assert BackgroundKnowledge(sensitive="a").run(target).highest == 0.25


def test_a_prior_is_about_the_column_whose_values_it_has() -> None:
    told = pl.DataFrame({"b": [1, 1], "kind": ["m", "f"], "a": ["p", "q"], "c": ["x", "y"]})
    target = Target(told, ("kind",), ("a", "c"), bucket="b")
    outcome = BackgroundKnowledge(prior="prior").run(
        target, knowing({("m", "x"): "1/10", ("f", "x"): "1/100"})
    )
    assert outcome.details["column"] == "c"
    assert outcome.details["reading"] == "value"


def test_victims_are_told_by_what_they_show_without_a_list() -> None:
    target, knowledge, _ = example_1()
    outcome = BackgroundKnowledge(prior="statistics").run(target, knowledge)
    assert outcome.victims[0].who == {"GID": "L1", "Gender": "Male"}
    assert outcome.victims[0].records == 2
    assert outcome.victims[0].people == 1


def test_published_columns_that_nobody_is_known_by_may_tell_people_apart() -> None:
    told = pl.DataFrame({"zip": ["1", "1"], "sex": ["m", "f"], "ill": ["x", "y"]})
    knowledge = AdversaryKnowledge(
        Side.of({"p": {"sex": ["m", "f"], "value": ["x", "x"], "p": ["1/10", "3/1000"]}})
    )
    outcome = BackgroundKnowledge(prior="p").run(Target(told, ("zip",), ("ill",)), knowledge)
    assert outcome.highest == pytest.approx(0.0997 / 0.1024)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"negations": -1}, "negations must be at least 0, got -1"),
        ({"others": 0.5}, "others must be a whole number, got 0.5"),
        ({"same": -1}, "same must be at least 0"),
        ({"joint": 1}, "joint must be true or false"),
        ({"limit": 0}, r"limit must lie in \(0, 1\], got 0"),
        ({"prior": "p", "others": 1}, "who has a prior cannot know others and same as well"),
        ({"prior": "p", "same": 1}, "who has a prior cannot know others and same as well"),
        ({"prior": "p", "negations": 1, "joint": False}, "negations and a prior need joint"),
    ],
)
def test_refuses_what_cannot_be_known(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        BackgroundKnowledge(**parameters)


def test_refuses_a_release_or_a_prior_that_does_not_fit() -> None:
    target = published("11", "xy", kinds="mf")
    good = {("m", "x"): "1/2", ("f", "x"): "1/2"}
    attack = BackgroundKnowledge(prior="prior")
    with pytest.raises(UnsupportedError, match="there is no prior 'prior'"):
        attack.run(target)
    with pytest.raises(DataError, match="speaks of no value that occurs in 'ill'"):
        attack.run(target, knowing({("m", "o"): "1/2", ("f", "o"): "1/2"}))
    with pytest.raises(DataError, match="says nothing of 1 of 2 combinations of 'kind'"):
        attack.run(target, knowing({("m", "x"): "1/2"}))
    with pytest.raises(DataError, match="add up to less than 1"):
        BackgroundKnowledge(prior="prior", negations=1).run(target, knowing(good))
    with pytest.raises(DataError, match="add up to less than 1"):
        attack.posteriors(target, knowing(good))
    with pytest.raises(ParameterError, match="prior must name a side table"):
        BackgroundKnowledge().posteriors(target, AdversaryKnowledge())
    about = {"ill": ["x"], "value": ["x"], "p": ["1/2"]}
    with pytest.raises(SchemaError, match="has a column 'ill', which is what the attack is about"):
        attack.run(target, AdversaryKnowledge(Side.of({"prior": about})))
    with pytest.raises(SchemaError, match="to look at"):
        attack.run(
            target,
            AdversaryKnowledge(Side.of({"prior": {"sex": ["m"], "value": ["x"], "p": ["1"]}})),
        )
    masked = Target(target.frame, ("kind",), ("ill",), is_truthful=False, is_grouped=False)
    with pytest.raises(UnsupportedError, match="values were replaced"):
        BackgroundKnowledge().run(masked)


def test_refuses_generalized_people_without_a_list() -> None:
    told = pl.DataFrame({"kind": ["*", "*"], "ill": ["x", "y"]})
    target = Target(told, ("kind",), ("ill",))
    attack, chances = BackgroundKnowledge(prior="prior"), {("m", "x"): "1/2", ("f", "x"): "1/3"}
    with pytest.raises(UnsupportedError, match="give a list of people with external="):
        attack.run(target, knowing(chances))
    nameless = knowing(chances, external={"name": ["Ann"], "age": [3]})
    with pytest.raises(SchemaError, match=r"no column 'kind' .*in 'external'"):
        attack.run(target, nameless)
    listed = knowing(chances, external={"name": ["Ann", "Bob"], "kind": ["m", "f"]})
    with pytest.raises(SchemaError, match=r"no column 'id' .*in 'external'"):
        BackgroundKnowledge(prior="prior", identity="id").run(target, listed)
