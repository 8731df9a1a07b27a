"""Border: the best minimal release, and the proof that nothing above loses less."""

from __future__ import annotations

import pytest
from hypothesis import event, given

from tests.tables.groups.plain import finest_of
from tests.tables.methods.lattice.example import run, table_with, thesis_table
from tests.tables.methods.lattice.setting import Setting, settings
from tests.tables.methods.lattice.test_optimal import Opaque
from tests.witness.methods import exhaustive_optimum, minimal_nodes
from tests.witness.tree import Tree
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.lattice.ola import OLA
from unlinkable.tables.methods.lattice.optimal import Optimal
from unlinkable.tables.methods.lattice.shared.border import best_minimal
from unlinkable.tables.methods.lattice.shared.survey import Survey
from unlinkable.tables.metrics import (
    AverageClassSize,
    Discernibility,
    ILoss,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All

METRICS = [ILoss(), NormalizedCertaintyPenalty(), Discernibility(), AverageClassSize(k=2)]


@given(settings(kinds="kd", metric=METRICS))
def test_is_the_best_of_the_minimal_ones_and_the_best_of_all_if_proven(setting: Setting) -> None:
    plain = minimal_nodes(setting.problem)
    if not plain:
        return
    survey = Survey.of(finest_of(setting.random), setting.privacy, setting.task)
    minimal = [tuple(node.values()) for node in plain]
    found, is_proven = best_minimal(survey, minimal)
    problem, metric = setting.problem, setting.plain_metric
    losses = {v: metric(problem.publish(node)) for v, node in zip(minimal, plain, strict=True)}
    best = min(minimal, key=lambda v: losses[v])
    assert losses[found] == losses[best]
    optima, least = exhaustive_optimum(problem, metric)
    event(f"proven: {is_proven}, optimal: {losses[found] == least}")
    if is_proven:
        assert losses[found] == least
    if setting.limit == 0:
        assert is_proven
        assert dict(zip(setting.random.qid, found, strict=True)) in optima


def test_with_suppression_the_optimum_may_be_above_the_minimal_releases() -> None:
    # One of nine records stands out. Leaving it out takes 36 + 4 + 9 pairs, and showing it as one
    # of three takes 36 + 9; but three cells that show two of three values cost more than one cell.
    tree = Tree({"1": ("1", "1", "*"), "2": ("2", "2-3", "*"), "3": ("3", "2-3", "*")})
    table = table_with([{"a": value} for value in "111111223"], {"a": tree})
    for metric, level in ((NormalizedCertaintyPenalty(), 0), (Discernibility(), 1)):
        found = run(OLA(), table, [KAnonymity(2)], limit=1, metric=metric)
        assert found.node == {"a": 0}
        assert found.partition.n_suppressed == 1
        assert run(Optimal(), table, [KAnonymity(2)], limit=1, metric=metric).node == {"a": level}
        assert found.optimal is (level == 0)


def test_a_metric_of_which_nothing_is_known_proves_nothing() -> None:
    assert run(OLA(), thesis_table(), [KAnonymity(2)], metric=Opaque()).optimal is False


@pytest.mark.parametrize(("order", "node"), [(None, (0, 1)), ([0, 1], (0, 1)), ([1, 0], (1, 0))])
def test_equal_releases_are_compared_in_the_order_of_levels_that_is_told(
    order: list[int] | None, node: tuple[int, int]
) -> None:
    tree = Tree({v: (v, "*") for v in "xy"})
    rows = [{"a": a, "b": b} for a in "xy" for b in "xy"]
    table = table_with(rows, {"a": tree, "b": tree})
    survey = Survey.of(count(table).finest, All([KAnonymity(2)]), Task(table.attributes, ILoss()))
    assert best_minimal(survey, [(0, 1), (1, 0)], order) == (node, True)
