"""Every exported thing is what it claims to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables, trees
from tests.tables.groups.plain import finest_of, taxonomy_of
from tests.tables.models.samples import ARE_NOT_SAFE, COUNTED, DO_NOT_ABSORB, MODELS
from tests.witness.tree import Tree
from unlinkable import checks
from unlinkable.registry.entry import Entry
from unlinkable.registry.lookup import entries
from unlinkable.tables.groups import Groups, number_rows
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.methods.shared.suppression import kept
from unlinkable.tables.metrics import (
    IGPL,
    AverageClassSize,
    ClassificationError,
    ClassificationMetric,
    ClusterFMeasure,
    Discernibility,
    KLDivergence,
    NormalizedCertaintyPenalty,
    PrivacyPercentage,
    QueryError,
    ReconstructionError,
    Stress,
)
from unlinkable.tables.metrics.base import CellMetric, Metric, SizeMetric
from unlinkable.tables.models import KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import All, GroupModel, Merging
from unlinkable.tables.operations import (
    AdditiveNoise,
    Anatomization,
    CellGeneralization,
    CellSuppression,
    DataSwapping,
    FullDomainGeneralization,
    Microaggregation,
    MultidimensionalGeneralization,
    Operation,
    Permutation,
    PostRandomization,
    Pseudonymization,
    RecordSuppression,
    SiblingGeneralization,
    SubtreeGeneralization,
    SyntheticData,
    TopBottomCoding,
    ValueSuppression,
)

METRICS: list[Metric] = [
    *(entry.make() for entry in entries("metric")),
    AverageClassSize(k=5),
    ClassificationError(target="y", classifier="naive-bayes", folds=5, seed=3),
    ClassificationMetric("y"),
    ClusterFMeasure(3, "gaussian-mixture", clusters="c", columns="a", seed=2),
    Discernibility("alike"),
    Discernibility("nothing"),
    Discernibility(3),
    IGPL(target="y", gain="distortion", counts_privacy=False),
    KLDivergence(joint=True),
    NormalizedCertaintyPenalty("length"),
    PrivacyPercentage("records"),
    QueryError(queries=10, selectivity="1/3", dimension=3, sum="pay"),
    ReconstructionError(sensitive="s", unit="nats"),
    Stress(projected="p", scale=1.5, denominator="released"),
]
OPERATIONS: list[Operation] = [
    Pseudonymization(),
    Pseudonymization(length=20),
    FullDomainGeneralization("age", 2),
    SubtreeGeneralization("job", ["Professional", "Artist"]),
    SiblingGeneralization("job", ["Professional"], keep=["Lawyer"]),
    CellGeneralization("job", "Artist", [0, 3]),
    MultidimensionalGeneralization(["age", "sex"], [["[20-30)", "*"], ["*", "f"]]),
    RecordSuppression([1, 2], limit="1/3"),
    ValueSuppression("job", ['a "quoted" name']),
    CellSuppression("job", []),
    TopBottomCoding("age", top=90),
    TopBottomCoding("age", bottom=1.5, top=90),
    AdditiveNoise("1/2"),
    AdditiveNoise(3, distribution="laplace", columns=["age"], bounds=[["age", 0, 100]]),
    Anatomization(),
    Anatomization(["ill", "pay"]),
    DataSwapping(),
    DataSwapping("1/10", columns="job", within=["sex"], separately=True),
    Microaggregation(),
    Microaggregation("age", numbers="median", categories="median"),
    Permutation(),
    PostRandomization("9/10", change="invariant", columns="job"),
    PostRandomization(matrix=[["cook", "clerk", "1/10"]], columns="job"),
    SyntheticData(),
    SyntheticData(n=10, common=3, leaf=7),
]
METHODS: list[object] = [*(entry.make() for entry in entries("method")), Mondrian(strict=False)]
OTHERS: list[object] = [*METHODS, *OPERATIONS]


def is_ready(model: GroupModel) -> bool:
    """Whether a model can be tried on any random table, a group at a time."""
    wanted = {name for names in model.needs() for name in names}
    return model.local and wanted <= ({"s0", "q0"} if type(model) in COUNTED else {"s0"})


def counted(
    models: Sequence[GroupModel], random: RandomTable
) -> Iterator[tuple[GroupModel, Groups]]:
    """Count a random table as each model needs it.

    Every model is tried on every table: drawing a table takes longer than judging it.
    """
    ways = dict.fromkeys(COUNTED.get(type(model), finest_of) for model in models)
    groups = {way: way(random) for way in ways}
    for model in models:
        yield model, groups[COUNTED.get(type(model), finest_of)]


def written(thing: object) -> str:
    """Name a case by its model: groups have no name that is the same in every process."""
    return str(thing) if isinstance(thing, GroupModel) else ""


def is_bound(model: GroupModel) -> bool:
    return getattr(model, "sensitive", "s0") is not None


JUDGED = [m for m in MODELS if is_bound(m) and is_ready(m)]


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_everything_is_called_by_its_one_name(entry: Entry) -> None:
    checks.check_name(entry)


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_everything_explains_itself(entry: Entry) -> None:
    checks.check_docstring(entry)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_every_model_says_what_it_promises_and_what_not(model: GroupModel) -> None:
    checks.check_words(model)


@pytest.mark.parametrize("thing", [*MODELS, *METRICS, *OTHERS], ids=str)
def test_everything_is_read_back_as_it_is_written(thing: object) -> None:
    (entry,) = (entry for entry in entries() if entry.make is type(thing))
    checks.check_written_form(entry, thing)


@pytest.mark.parametrize(("kind", "tried"), [("model", MODELS), ("operation", OPERATIONS)])
def test_nothing_that_is_exported_is_left_out_here(kind: str, tried: list[object]) -> None:
    assert {entry.make for entry in entries(kind)} == {type(thing) for thing in tried}


def test_every_claim_is_tried() -> None:
    ready = {type(m) for m in MODELS if m.local and not m.sources and m.unsearchable is None}
    assert ready <= {type(model) for model in JUDGED}
    alone = [m for m in MODELS if m.unsearchable is None and not m.collective]
    shy = {type(m) for m in alone if m.merging < Merging.ABSORBS}
    shown = {type(model) for model, _ in [*DO_NOT_ABSORB, *ARE_NOT_SAFE]}
    assert shy <= shown
    bold = {type(m) for m in alone if m.merging is Merging.UNSAFE}
    assert bold <= {type(model) for model, _ in ARE_NOT_SAFE}


@given(random=tables(max_qid=2), picked=st.lists(st.integers(0, 24), min_size=1, max_size=6))
def test_merging_does_what_is_claimed(random: RandomTable, picked: list[int]) -> None:
    for model, groups in counted(JUDGED, random):
        if not len(groups):
            continue
        pool = list(range(len(groups)))
        if model.merging is Merging.SAFE:
            pool = np.flatnonzero(model.judge(groups)).tolist() or pool
        checks.check_merging(model, groups, [pool[i % len(pool)] for i in picked])


OF_SOME_COLUMNS: list[GroupModel] = [
    KAnonymity(2, qid=("q0",)),
    KAnonymity(3, qid=("q1", "q0")),
    LKCPrivacy(1, 2, "0.6", sensitive="s0"),
    LKCPrivacy(2, 2, "0.5", sensitive="s0"),
    LKCPrivacy(3, 3, 1),
]


@given(random=tables(min_qid=2, max_qid=4), picked=st.sets(st.integers(0, 6), min_size=1))
def test_a_promise_survives_a_split_if_it_holds_after_it(
    random: RandomTable, picked: set[int]
) -> None:
    for model, after in counted([*JUDGED, *OF_SOME_COLUMNS], random):
        if not len(after):
            continue
        codes = sorted(set(after.keys[:, 0].tolist()))
        split = {codes[i % len(codes)] for i in picked}
        is_part = np.isin(after.keys[:, 0], sorted(split))
        keys = after.keys.copy()
        keys[is_part, 0] = min(split)
        parent, first = number_rows(keys)
        before = after.merge(parent, first.size, after.columns, keys[first])
        if model.holds(before):
            assert model.survives(after, is_part, "q0") == model.holds(after), model


@pytest.mark.parametrize(("model", "groups"), DO_NOT_ABSORB, ids=written)
def test_what_does_not_claim_to_absorb_does_not(model: GroupModel, groups: Groups) -> None:
    assert model.merging < Merging.ABSORBS
    checks.check_does_not_absorb(model, groups)


@pytest.mark.parametrize(("model", "groups"), ARE_NOT_SAFE, ids=written)
def test_what_does_not_claim_to_be_safe_is_not(model: GroupModel, groups: Groups) -> None:
    assert model.merging is Merging.UNSAFE
    checks.check_is_not_safe(model, groups)


@given(random=tables(max_qid=3), shuffled=st.permutations(range(25)))
def test_verdicts_agree_with_levels_sizes_and_claims_in_any_order(
    random: RandomTable, shuffled: list[int]
) -> None:
    for model, groups in counted(JUDGED, random):
        checks.check_level(model, groups)
        checks.check_sizes(model, groups)
        checks.check_about_values(model, groups)
        order = np.array([i for i in shuffled if i < len(groups)], np.int64)
        checks.check_order(model, groups, order)


@given(
    random=tables(min_records=1, max_qid=2),
    spare=st.integers(0, 5),
    coarser=st.lists(st.integers(0, 2), min_size=25, max_size=25),
)
def test_no_finer_release_leaves_out_less_than_coarser_groups_say(
    random: RandomTable, spare: int, coarser: list[int]
) -> None:
    for model, finer in counted(JUDGED, random):
        drawn = np.array(coarser[: len(finer)])
        parent = np.unique(drawn, return_inverse=True)[1].astype(np.int32)
        n_gone = int(finer.sizes[~kept(finer, All([model]))].sum())
        checks.check_least_suppressed(model, finer, parent, n_gone + spare)


@pytest.mark.parametrize("metric", [m for m in METRICS if isinstance(m, CellMetric)], ids=str)
@given(tree=trees(max_leaves=8, max_height=4))
def test_wider_cells_lose_no_less_and_suppressed_ones_most(metric: CellMetric, tree: Tree) -> None:
    checks.check_cells(metric, taxonomy_of(tree))
    checks.check_suppressed(metric, taxonomy_of(tree))


@pytest.mark.parametrize("metric", [m for m in METRICS if isinstance(m, SizeMetric)], ids=str)
@given(
    groups=st.lists(st.tuples(st.integers(1, 9), st.integers(-1, 3)), max_size=8),
    before=st.integers(0, 3),
    spare=st.integers(0, 5),
)
def test_no_coarser_release_is_below_the_floor(
    metric: SizeMetric, groups: list[tuple[int, int]], before: int, spare: int
) -> None:
    sizes = np.array([n for n, _ in groups], np.int64)
    parent = np.array([p for _, p in groups], np.int32)
    may_suppress = int(sizes[parent < 0].sum()) + spare
    checks.check_floor(metric, sizes, parent, before, may_suppress)
