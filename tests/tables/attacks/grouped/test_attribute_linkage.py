"""Attribute linkage: what those have in common who look alike."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations

import polars as pl
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.strategies import RandomTable, tables
from tests.tables.attacks.tables import frame_of_case, target
from tests.tables.groups.plain import taxonomy_of
from tests.witness.releases import BUCKETS, RandomRelease, releases, target_of
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.release.attacks import MOST_SHOWN
from unlinkable.tables.attacks import AttributeLinkage
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.taxonomies.builders import Tree
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), Fraction(1)])


def test_emily_has_hiv_with_75_percent() -> None:
    case = load("book-ch02-ex2.6-attribute-linkage")
    told = frame_of_case(case["input"]["published"])
    outcome = AttributeLinkage("Disease").run(target(told, case["input"]["qid"], "Disease"))
    group = dict(zip(case["input"]["qid"], case["expected"]["matched_group"], strict=True))
    victim = outcome.victims[0]
    assert victim.who == group
    assert victim.learned == {"Disease": "HIV"}
    assert victim.confidence == outcome.highest == case["expected"]["confidence"]["HIV"]
    assert victim.people == victim.records == case["expected"]["group_size"]
    assert (outcome.n_attacked, outcome.n_fallen) == (7, 7)
    assert (
        AttributeLinkage(limit="2/3").run(target(told, case["input"]["qid"], "Disease")).n_fallen
        == 4
    )


def test_partial_knowledge_of_the_patients() -> None:
    case = load("book-ch06-ex6.1-linkage-attacks")
    told = frame_of_case(case["input"]["table"])
    release = target(told, case["input"]["qid_attributes"], "Surgery")
    for expected in case["expected"]["results"]:
        query = {name: str(value) for name, value in expected["query"].items()}
        attack = AttributeLinkage(qid=tuple(query), values="Transgender")
        (victim,) = [v for v in attack.run(release).victims if v.who == query]
        assert victim.confidence == expected["confidence"]["Transgender"]
        assert victim.records == expected["size"]
    # Both people with the surgery fall to somebody who knows any two values.
    outcome = AttributeLinkage(at_most=2, values="Transgender").run(release)
    assert (outcome.n_fallen, outcome.highest) == (2, 1.0)
    assert AttributeLinkage(at_most=1, values="Transgender").run(release).n_fallen == 2
    assert AttributeLinkage(at_most=1, values="Transgender", qid="Job").run(release).n_fallen == 0


def test_a_class_of_one_disease_is_certain() -> None:
    case = load("babu-table2-4-homogeneity")
    told = frame_of_case(case["input"]["anonymized"])
    release = target(told, case["input"]["quasi_identifier"], "Disease")
    outcome = AttributeLinkage().run(release)
    (rows,) = case["expected"]["homogeneous_classes"]
    assert outcome.details["certain"] == outcome.n_fallen == len(rows)
    assert outcome.victims[0].learned == {"Disease": "Cancer"}
    assert outcome.found == (
        "4 of 12 people fall: whoever knows what they show is more than 0.5 sure of a sensitive "
        "value. 4 people can be told for sure: all who look alike have the same value."
    )


def test_three_anonymous_patients_with_hiv() -> None:
    case = load("aggarwal-table20-3-three-anonymous")
    told = frame_of_case(case["expected"]["table"])
    outcome = AttributeLinkage().run(target(told, ("Age", "ZIP Code"), "Disease"))
    assert outcome.details["certain"] == 3
    assert outcome.victims[0].learned == {"Disease": "HIV"}


def test_three_diseases_of_the_stomach_are_one_kind() -> None:
    case = load("babu-table2-6-three-diverse")
    told = frame_of_case(case["input"]["anonymized"])
    kinds = Tree(case["input"]["semantic_groups"])
    release = target(
        told, case["input"]["quasi_identifier"], "Disease", builders={"Disease": kinds}
    )
    assert AttributeLinkage().run(release).n_fallen == 0
    outcome = AttributeLinkage(similar=True, limit="0.7").run(release)
    (victim,) = [v for v in outcome.victims if v.confidence > 0.7]
    assert victim.learned == {"Disease": "stomach"}
    assert victim.who == {"Zipcode": "476**", "Age": "2*"}
    assert (outcome.n_fallen, outcome.highest) == (3, 1.0)
    assert (outcome.details["certain"], outcome.details["certain_on_level_1"]) == (0, 3)
    lungs = AttributeLinkage(similar=True, values="respiratory").run(release)
    assert lungs.highest == pytest.approx(2 / 3)
    assert lungs.victims[0].learned == {"Disease": "respiratory"}


@given(tables(min_records=1, max_records=12, max_leaves=3, owner=False), LIMITS, st.integers(0, 2))
def test_whoever_knows_sensitive_values_uses_them(
    random: RandomTable, limit: Fraction, n: int
) -> None:
    """Every record is looked for by all columns and any so many other sensitive ones."""
    rows, about = random.rows, random.sensitive
    if len(about) < 2:
        return
    frame = pl.DataFrame(
        {c: pl.Series([row[c] for row in rows], dtype=pl.String) for c in (*random.qid, *about)}
    )
    attack = AttributeLinkage(limit=limit, knows_sensitive=n)
    outcome = attack.run(Target(frame, random.qid, about))
    sure, unique = [Fraction(0)] * len(rows), {j: [False] * len(rows) for j in range(n + 1)}
    for j in range(min(n, len(about) - 1) + 1):
        for also in combinations(about, j):
            known = (*random.qid, *also)
            for i, row in enumerate(rows):
                alike = [r for r in rows if all(r[c] == row[c] for c in known)]
                unique[j][i] |= len(alike) == 1
                for name in set(about) - set(also):
                    peak = max(Counter(r[name] for r in alike).values())
                    sure[i] = max(sure[i], Fraction(peak, len(alike)))
    assert outcome.highest == pytest.approx(float(max(sure)))
    assert outcome.n_fallen == sum(s > limit for s in sure)
    if n:
        found = [outcome.details.get(f"unique_knowing_{j}") for j in range(min(n, 1) + 1)]
        assert found == [sum(unique[j]) for j in range(min(n, 1) + 1)]


@given(tables(min_records=1, max_records=14, max_sensitive=1, owner=False), LIMITS)
def test_nodes_of_a_taxonomy_are_guessed_by_definition(
    random: RandomTable, limit: Fraction
) -> None:
    (name,), tree = random.sensitive, random.trees[random.sensitive[0]]
    if tree.height < 2:
        return
    columns = {
        c: pl.Series([row[c] for row in random.rows], dtype=pl.String) for c in (*random.qid, name)
    }
    release = target(columns, random.qid, name, builders={name: ReadyMade(taxonomy_of(tree))})
    outcome = AttributeLinkage(similar=True, limit=limit).run(release)
    sure = []
    for row in random.rows:
        alike = [r[name] for r in random.rows if all(r[c] == row[c] for c in random.qid)]
        counts = [
            n
            for level in range(tree.height)
            for n in Counter(tree.generalize(v, level) for v in alike).values()
        ]
        sure.append(Fraction(max(counts), len(alike)))
    assert outcome.highest == pytest.approx(float(max(sure)))
    assert outcome.n_fallen == sum(s > limit for s in sure)


@given(releases(), LIMITS)
def test_whoever_knows_more_columns_is_surer_of_more_people(
    release: RandomRelease, limit: Fraction
) -> None:
    told = target_of(release)
    tried = [
        AttributeLinkage(limit=limit, at_most=n).run(told) for n in range(1, len(release.qid) + 1)
    ]
    everything = AttributeLinkage(limit=limit).run(told)
    fallen = [outcome.n_fallen for outcome in tried]
    assert fallen == sorted(fallen)
    assert fallen[-1] >= everything.n_fallen
    highest = [outcome.highest for outcome in tried]
    assert highest == sorted(highest)
    assert highest[-1] == pytest.approx(everything.highest)


@given(releases(shapes=[BUCKETS]))
def test_nobody_is_surer_than_the_worst_bucket(release: RandomRelease) -> None:
    hidden = release.hidden()
    worst = max(max(Counter(values).values()) / len(values) for values in hidden)
    assert AttributeLinkage().run(target_of(release)).highest <= worst + 1e-12


def test_k_anonymity_allows_certainty() -> None:
    told = target({"job": ["cook"] * 50, "ill": ["hiv"] * 50}, "job", "ill")
    outcome = AttributeLinkage().run(told)
    assert (outcome.n_fallen, outcome.highest, outcome.succeeded) == (50, 1.0, True)
    assert outcome.interval is None


def test_a_limit_that_is_met_is_not_passed() -> None:
    told = target({"job": ["cook"] * 3, "ill": ["flu", "flu", "hiv"]}, "job", "ill")
    assert AttributeLinkage(limit="2/3").run(told).n_fallen == 0
    outcome = AttributeLinkage(limit="0.6666").run(told)
    assert outcome.n_fallen == 3
    assert "Nobody falls: whoever knows what a person shows is at most 0.667 sure" in (
        AttributeLinkage("ill", limit="2/3").run(told).found
    )


def test_the_worst_of_several_columns_counts_for_each_person() -> None:
    columns = {"job": ["a", "a", "b", "b"], "ill": ["x", "x", "x", "y"], "pay": [1, 2, 3, 3]}
    told = target(columns, "job", ("ill", "pay"))
    assert AttributeLinkage().run(told).n_fallen == 4
    assert AttributeLinkage("ill").run(told).n_fallen == 2
    learned = [victim.learned for victim in AttributeLinkage().run(told).victims[:2]]
    assert learned == [{"ill": "x"}, {"pay": "3"}]


def test_only_so_many_victims_are_told() -> None:
    told = target({"age": list(range(500)), "ill": ["x"] * 500}, "age", "ill")
    outcome = AttributeLinkage().run(told)
    assert len(outcome.victims) == MOST_SHOWN
    assert [v.who["age"] for v in outcome.victims[:3]] == ["0", "1", "2"]
    assert outcome.n_fallen == 500


def test_an_empty_release_has_no_victims() -> None:
    none = target({"age": [], "ill": []}, "age", "ill")
    outcome = AttributeLinkage().run(none)
    assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (0, 0, 0.0)


ONE = target({"job": ["a", "b"], "ill": ["x", "y"], "b": [1, 1]}, "job", "ill")


@pytest.mark.parametrize(
    ("attack", "release", "why"),
    [
        (AttributeLinkage(), evolve(ONE, sensitive=()), "no column is sensitive"),
        (
            AttributeLinkage(),
            evolve(ONE, is_truthful=False, is_grouped=False),
            "values were replaced",
        ),
        (AttributeLinkage(knows_sensitive=1), ONE, "there is one sensitive column"),
        (
            AttributeLinkage(knows_sensitive=1),
            evolve(ONE, sensitive=("ill", "job"), bucket="b"),
            "in buckets nobody can tell which of the known values",
        ),
        (AttributeLinkage(similar=True), ONE, "no sensitive column has a taxonomy"),
    ],
    ids=["no sensitive", "replaced", "one sensitive", "buckets", "no taxonomy"],
)
def test_misfits(attack: AttributeLinkage, release: Target, why: str) -> None:
    with pytest.raises(UnsupportedError, match=f"attribute-linkage cannot be tried here: {why}"):
        attack.run(release)


def test_refusals() -> None:
    with pytest.raises(SchemaError, match="no sensitive column 'pay' among 1"):
        AttributeLinkage("pay").run(ONE)
    with pytest.raises(SchemaError, match="no published quasi-identifier 'age'"):
        AttributeLinkage(qid="age").run(ONE)
    with pytest.raises(DataError, match="no record has 'z' in 'ill': check how it is written"):
        AttributeLinkage(values=["x", "z"]).run(ONE)
    with pytest.raises(ParameterError, match="qid must name at least one column"):
        AttributeLinkage(qid=())
    with pytest.raises(ParameterError, match="'job' is named twice: name each once"):
        AttributeLinkage(qid=("job", "job"))
    with pytest.raises(ParameterError, match="at_most must be at least 1"):
        AttributeLinkage(at_most=0)
    with pytest.raises(ParameterError, match="values must list at least one value"):
        AttributeLinkage(values=())
    with pytest.raises(ParameterError, match="similar must be true or false"):
        AttributeLinkage(similar="yes")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="knows_sensitive must be at least 0"):
        AttributeLinkage(knows_sensitive=-1)
    with pytest.raises(ParameterError, match=r"limit must lie in \(0, 1\]"):
        AttributeLinkage(limit=0)


def test_sensitive_values_alone_can_be_enough() -> None:
    ratings = {"a": [1, 1, 2], "b": [5, 4, 5], "c": [3, 2, 1], "q": ["x", "x", "x"]}
    told = target(ratings, "q", ("a", "b", "c"))
    outcome = AttributeLinkage(qid=(), knows_sensitive=2).run(told)
    assert [outcome.details[f"unique_knowing_{n}"] for n in range(3)] == [0, 3, 3]
    assert (outcome.n_fallen, outcome.highest) == (3, 1.0)


def test_it_is_written_as_it_is_read() -> None:
    attack = AttributeLinkage("ill", at_most=2, values=["hiv"], limit=0.25)
    expected = 'attribute-linkage(sensitive="ill", at_most=2, values=["hiv"], limit=0.25)'
    assert str(attack) == expected


@pytest.mark.parametrize(("knows", "n_sets"), [(0, 6), (1, 18)])
def test_it_tells_how_far_it_is_set_by_set(knows: int, n_sets: int) -> None:
    columns = {name: [1, 2, 1, 2] for name in ("a", "b", "c")}
    told = target({**columns, "x": [1, 2, 3, 4], "y": [1, 1, 2, 2]}, ("a", "b", "c"), ("x", "y"))
    shares: list[float] = []
    knowledge = AdversaryKnowledge(progress=lambda share, words: shares.append(share))
    AttributeLinkage(at_most=2, knows_sensitive=knows).run(told, knowledge)
    assert shares == pytest.approx([(i + 1) / n_sets for i in range(n_sets)])
