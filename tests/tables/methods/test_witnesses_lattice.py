"""Searches over the lattice, compared with a look at all nodes, one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import unlinkable as ul
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import taxonomy_of
from tests.tables.methods.lattice.setting import Setting, settings
from tests.witness.ascents import anonymity_within, improved_greedy
from tests.witness.methods import Node, Problem, exhaustive_optimum, minimal_nodes
from tests.witness.metrics import discernibility, iloss
from tests.witness.models import Row
from tests.witness.population import is_present_within
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.methods.lattice.flash import Flash
from unlinkable.tables.methods.lattice.improved_greedy import ImprovedGreedy
from unlinkable.tables.methods.lattice.ola import OLA
from unlinkable.tables.methods.lattice.spalm import SPALM
from unlinkable.tables.metrics import Discernibility, ILoss
from unlinkable.tables.models import DeltaPresence
from unlinkable.tables.models.base import Merging
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

MINIMAL: list[Search] = [OLA(), Flash()]


def is_monotone(setting: Setting) -> bool:
    """Whether all nodes above a release are releases, as far as the models say."""
    models = setting.privacy.models
    if setting.limit:
        return all(m.merging is Merging.ABSORBS and not m.relative for m in models)
    return all(m.merging is not Merging.UNSAFE for m in models)


@pytest.mark.parametrize("method", MINIMAL, ids=str)
@given(setting=settings())
def test_all_minimal_nodes_are_found_and_the_best_is_taken(
    method: Search, setting: Setting
) -> None:
    try:
        method.require(setting.privacy, may_suppress=setting.limit > 0)
    except UnsupportedError:
        assert not is_monotone(setting)
        return
    problem, measure = setting.problem, setting.plain_metric
    minimal = minimal_nodes(problem)
    if not minimal:
        with pytest.raises(InfeasibleError):
            setting.search(method)
        return
    found = setting.search(method)
    node = setting.node(found)
    listed = sorted(tuple(dict(n).items()) for n in found.alternatives)
    assert listed == sorted(tuple(n.items()) for n in minimal)
    assert node in minimal
    assert measure(problem.publish(node)) == min(measure(problem.publish(n)) for n in minimal)
    assert setting.is_published_as_expected(found)
    best, _ = exhaustive_optimum(problem, measure)
    if found.optimal:
        assert node in best
    if not setting.limit and setting.metric.monotone:
        assert found.optimal
    effort = found.effort
    assert effort["nodes"] == len(problem.nodes())
    assert effort["checked"] <= effort["nodes"]


@given(settings())
def test_spalm_takes_the_best_of_all_nodes(setting: Setting) -> None:
    try:
        SPALM().require(setting.privacy, may_suppress=setting.limit > 0)
    except UnsupportedError:
        assert not is_monotone(setting)
        return
    problem = setting.problem
    best, least = exhaustive_optimum(problem, setting.plain_metric)
    if least is None:
        with pytest.raises(InfeasibleError):
            setting.search(SPALM())
        return
    found = setting.search(SPALM())
    assert found.optimal
    assert setting.node(found) == min(
        best, key=lambda n: (problem.n_suppressed(n), sum(n.values()), tuple(n.values()))
    )
    assert setting.is_published_as_expected(found)


@dataclass(frozen=True)
class Presence(Problem):
    """Everybody of a population is in the table with a probability between two bounds."""

    people: Sequence[Row] = ()
    bounds: tuple[Fraction, Fraction] = (Fraction(0), Fraction(1))

    def is_feasible(self, node: Node) -> bool:
        """Whether presence is bounded if table and population are generalized alike."""
        crowd = Problem(self.people, self.qid, self.trees, []).generalize(node)
        return is_present_within(self.generalize(node), crowd, self.qid, *self.bounds)

    def kept(self, node: Node) -> list[int]:
        """Nobody is left out."""
        return list(range(len(self.rows)))


@given(tables(min_records=2, max_records=14, max_qid=2, owner=False), st.data())
def test_spalm_hides_who_is_there_at_the_least_loss(
    random: RandomTable, data: st.DataObject
) -> None:
    n = data.draw(st.integers(1, len(random.rows)))
    bounds = sorted(data.draw(st.fractions(0, 1, max_denominator=6)) for _ in range(2))
    low, high = bounds
    assume(high > 0)
    inside = random.rows[:n]
    presence = Presence(
        inside, random.qid, random.trees, [], people=random.rows, bounds=(low, high)
    )
    metric = data.draw(st.sampled_from([ILoss(), Discernibility()]))

    def frame(rows: Sequence[Row]) -> pl.DataFrame:
        return pl.DataFrame(
            {a: pl.Series([row[a] for row in rows], dtype=pl.String) for a in random.qid}
        )

    table = ul.as_table(
        frame(inside),
        quasi=random.qid,
        taxonomies={a: ReadyMade(taxonomy_of(random.trees[a])) for a in random.qid},
    )
    best, least = exhaustive_optimum(
        presence,
        lambda release: (
            discernibility(release, random.qid)
            if isinstance(metric, Discernibility)
            else iloss(release, random.trees, random.qid)
        ),
    )
    asked = {
        "privacy": DeltaPresence(low, high, population="people"),
        "method": SPALM(),
        "metric": metric,
        "side": {"people": frame(random.rows)},
    }
    if least is None:
        with pytest.raises(InfeasibleError):
            ul.anonymize(table, **asked)  # type: ignore[call-overload]
        return
    release = ul.anonymize(table, **asked)  # type: ignore[call-overload]
    assert release.solution.optimal
    assert dict(release.solution.node or {}) in best


@given(settings(kinds="k", several_qids=False))
def test_improved_greedy_goes_the_way_of_algorithm_3_1(setting: Setting) -> None:
    assume(setting.random.owner is None and setting.limit < len(setting.random.rows))
    ((_, model),) = setting.promised
    k = model.k  # type: ignore[attr-defined]
    problem = setting.problem
    path, reaches = improved_greedy(problem, k)
    if not reaches:
        with pytest.raises(InfeasibleError):
            setting.search(ImprovedGreedy())
        return
    found = setting.search(ImprovedGreedy())
    assert setting.node(found) == path[-1]
    raised = [
        next(a for a in problem.qid if after[a] > before[a]) for before, after in pairwise(path)
    ]
    assert [step.column for step in found.trace] == raised
    assert [step.score for step in found.trace] == [anonymity_within(problem, n) for n in path[1:]]
    assert setting.is_published_as_expected(found)
    r, h = len(problem.qid), sum(problem.trees[a].height for a in problem.qid)
    assert found.effort["checked"] <= r * h + 1  # theorem 3.2, and the bottom
