"""What is promised of a release is what an adversary meets: no attack gets past its promise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import polars as pl
from hypothesis import assume, given
from hypothesis import strategies as st

import unlinkable as ul
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of, taxonomy_of
from tests.witness.models import Row
from tests.witness.releases import frame_of, knowledge_of
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError
from unlinkable.tables import attacks
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

GENERALIZING = [
    "best",
    "datafly",
    "greedy-cell",
    "hdtds",
    "incognito",
    "k-optimize",
    "mondrian",
    "oka",
    "optimal",
    "samarati",
    "top-down-specialization",
]
GLOBAL = ["datafly", "incognito", "optimal", "samarati"]
WITH_OTHERS = [*GLOBAL, "hdtds", "mondrian", "top-down-specialization"]
"""Methods for promises that depend on what other groups show."""
SLACK = 1e-9

SPREAD = ("s00", "s01", "s02", "s03")


@st.composite
def people(draw: st.DrawFn, n_values: int = 4) -> RandomTable:
    """Draw a table whose sensitive values are about as frequent, so that promises can be kept."""
    table = draw(
        tables(
            min_records=8,
            max_records=11,
            max_qid=3,
            max_sensitive=1,
            max_leaves=4,
            missing=False,
            owner=False,
        )
    )
    n = len(table.rows)
    mixed = draw(st.permutations((SPREAD[:n_values] * n)[:n]))
    rows = [{**row, "s0": value} for row, value in zip(table.rows, mixed, strict=True)]
    flat = Tree({value: (value, "*") for value in SPREAD})
    return RandomTable(rows, table.qid, ("s0",), {**table.trees, "s0": flat}, None)


bounds = st.fractions(Fraction(1, 6), 1, max_denominator=6)
methods = st.sampled_from(GENERALIZING)


def published(
    table: RandomTable,
    privacy: GroupModel | Sequence[GroupModel],
    method: str,
    suppression: float = 0,
    side: Mapping[str, object] | None = None,
) -> Target:
    """Publish a table, and give it as an adversary sees it."""
    original = table_of(table)
    try:
        release = ul.anonymize(
            original, privacy=privacy, method=method, suppression=suppression, side=side, seed=1
        )
    except InfeasibleError:
        assume(False)
    assert release.holds
    frame = release.frame
    assert isinstance(frame, pl.DataFrame)
    assume(frame.height > 0)
    taxonomies = {name: original.taxonomy(name) for name in table.qid}
    return Target(frame, table.qid, table.sensitive, taxonomies=taxonomies)


def named(rows: Sequence[Row], qid: Sequence[str]) -> list[Row]:
    """Give people with their names and what they are known by."""
    return [{"name": f"p{i}", **{c: row[c] for c in qid}} for i, row in enumerate(rows)]


@given(methods, people(), st.integers(2, 4), st.sampled_from([0, 0.3]))
def test_nobody_is_linked_to_a_record_surer_than_one_in_k(
    method: str, table: RandomTable, k: int, suppression: float
) -> None:
    target = published(table, ul.KAnonymity(k), method, suppression)
    knowledge = knowledge_of(external=named(table.rows, table.qid))
    assert attacks.RecordLinkage().run(target, knowledge).highest <= 1 / k + SLACK


@given(methods, people(), st.sampled_from([Fraction(1, 2), Fraction(2, 3)]), st.integers(1, 3))
def test_nobody_is_linked_to_a_value_surer_than_alpha(
    method: str, table: RandomTable, alpha: Fraction, k: int
) -> None:
    target = published(table, ul.AlphaKAnonymity(alpha, k), method)
    found = attacks.AttributeLinkage(limit=alpha).run(target)
    assert found.highest <= alpha + SLACK
    assert found.n_fallen == 0


@given(
    st.sampled_from(WITH_OTHERS),
    people(),
    st.integers(1, 2),
    st.sampled_from([Fraction(1, 2), Fraction(3, 4)]),
)
def test_who_knows_l_columns_is_not_surer_than_c(
    method: str,
    table: RandomTable,
    l: int,  # noqa: E741
    c: Fraction,
) -> None:
    target = published(table, ul.LKCPrivacy(l, 2, c), method)
    assert attacks.AttributeLinkage(at_most=l, limit=c).run(target).n_fallen == 0


@given(methods, people(), st.sampled_from([Fraction(1, 10), Fraction(1, 4), Fraction(1, 2)]))
def test_nobody_gains_more_than_t(method: str, table: RandomTable, t: Fraction) -> None:
    target = published(table, ul.TCloseness(t), method)
    assert attacks.Skewness(limit=t).run(target).highest <= t + SLACK


@given(st.sampled_from(GLOBAL), people(), st.data())
def test_presence_is_within_delta(method: str, table: RandomTable, data: st.DataObject) -> None:
    inside = data.draw(st.lists(st.booleans(), min_size=len(table.rows), max_size=len(table.rows)))
    rows = [row for row, is_in in zip(table.rows, inside, strict=True) if is_in]
    assume(rows)
    low, high = Fraction(1, 5), Fraction(4, 5)
    sample = RandomTable(rows, table.qid, table.sensitive, table.trees, None)
    everybody = frame_of(named(table.rows, table.qid))
    promise = ul.DeltaPresence(low, high, population="population")
    target = published(sample, promise, method, side={"population": everybody})
    found = attacks.TableLinkage(limit=high).run(target, knowledge_of(population=everybody))
    assert found.n_fallen == 0
    assert found.highest <= high + SLACK


@given(
    methods, people(), st.sampled_from([Fraction(1), Fraction(2), Fraction(3)]), st.integers(2, 3)
)
def test_negations_are_bounded_by_recursive_diversity(
    method: str,
    table: RandomTable,
    c: Fraction,
    l: int,  # noqa: E741
) -> None:
    target = published(table, ul.RecursiveCLDiversity(c=c, l=l), method)
    bound = c / (c + 1)
    found = attacks.BackgroundKnowledge(negations=l - 2, limit=bound).run(target)
    assert found.highest < bound + SLACK
    assert found.n_fallen == 0


@given(methods, people(), st.integers(2, 3))
def test_who_rules_out_fewer_than_l_minus_one_values_is_not_certain(
    method: str,
    table: RandomTable,
    l: int,  # noqa: E741
) -> None:
    target = published(table, ul.DistinctLDiversity(l), method)
    assert attacks.BackgroundKnowledge(negations=l - 2).run(target).highest < 1 - SLACK


@given(methods, people(), st.sampled_from([Fraction(3, 2), Fraction(2)]))
def test_frequency_diversity_bounds_beliefs_from_a_list_as_well(
    method: str,
    table: RandomTable,
    l: Fraction,  # noqa: E741
) -> None:
    """Whoever matches several groups is believed to have the mean of what they hide."""
    target = published(table, ul.FrequencyLDiversity(l), method)
    knowledge = knowledge_of(external=named(table.rows, table.qid))
    assert attacks.AttributeLinkage().run(target).highest <= 1 / l + SLACK
    assert attacks.Classifier(limit=1 / l).run(target, knowledge).n_fallen == 0


@given(people(), st.integers(2, 3))
def test_buckets_of_anatomy_hold_beliefs_down(table: RandomTable, l: int) -> None:  # noqa: E741
    try:
        release = ul.anonymize(
            table_of(table), privacy=ul.FrequencyLDiversity(l), method="anatomize", seed=1
        )
    except InfeasibleError:
        assume(False)
    for name in ("attribute-linkage", "corruption(n=0)", "background-knowledge"):
        assert release.attack(name).highest <= 1 / l + SLACK


@given(st.just("optimal"), people(), st.integers(1, 3), st.integers(2, 3))
def test_windows_as_wide_as_epsilon_hold_one_in_m(
    method: str, table: RandomTable, epsilon: int, m: int
) -> None:
    paid = {value: 10 * i for i, value in enumerate(SPREAD)}
    rows = [{**row, "s0": paid[str(row["s0"])]} for row in table.rows]
    frame = frame_of(rows, [*table.qid, "s0"])
    taxonomies = {name: ReadyMade(taxonomy_of(table.trees[name])) for name in table.qid}
    original = ul.as_table(frame, quasi=table.qid, sensitive="s0", taxonomies=taxonomies)
    promise = ul.EpsilonMAnonymity(epsilon, m)
    try:
        release = ul.anonymize(original, privacy=promise, method=method, seed=1)
    except InfeasibleError:
        assume(False)
    shown = release.frame
    assert isinstance(shown, pl.DataFrame)
    found = attacks.Proximity(width=epsilon).run(Target(shown, table.qid, ("s0",)))
    assert found.highest <= 1 / m + SLACK
