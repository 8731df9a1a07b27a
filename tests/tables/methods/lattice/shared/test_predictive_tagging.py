"""Tags: what checked nodes say of the others is true, and counted."""

from __future__ import annotations

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.tables.groups.plain import finest_of
from tests.tables.methods.lattice.example import run, table_with, thesis_table
from tests.tables.methods.lattice.setting import Setting, settings
from tests.tables.methods.lattice.test_optimal import Opaque
from tests.witness.methods import exhaustive_optimum, minimal_nodes
from tests.witness.tree import Tree
from unlinkable.errors import UnsupportedError
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Search, Task
from unlinkable.tables.methods.lattice.flash import Flash
from unlinkable.tables.methods.lattice.ola import OLA
from unlinkable.tables.methods.lattice.optimal import Optimal
from unlinkable.tables.methods.lattice.shared import predictive_tagging
from unlinkable.tables.methods.lattice.shared.predictive_tagging import Tags, best_minimal
from unlinkable.tables.methods.lattice.shared.survey import Survey
from unlinkable.tables.methods.lattice.spalm import SPALM
from unlinkable.tables.metrics import (
    AverageClassSize,
    Discernibility,
    ILoss,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All


def tags_of(setting: Setting) -> Tags:
    return Tags(Survey.of(finest_of(setting.random), setting.privacy, setting.task), OLA())


@given(settings(kinds="kd"), st.data())
def test_what_is_known_of_nodes_is_what_a_check_would_find(
    setting: Setting, data: st.DataObject
) -> None:
    tags = tags_of(setting)
    survey = tags.survey
    nodes = list(survey.lattice.nodes())
    is_release = {node: survey.look(node)[1].is_release for node in nodes}
    for node in data.draw(st.lists(st.sampled_from(nodes), unique=True)):
        if not tags.is_known(node):
            assert tags.check(node)[1].is_release == is_release[node]
    known = [node for node in nodes if tags.is_known(node)]
    assert [node for node in known if tags.is_ruled_out(node)] == [
        node for node in known if not is_release[node]
    ]
    n_known = tags.n_checked + tags.n_implied_above + tags.n_pruned_below
    assert n_known == len(known)
    assert tags.is_settled(survey.lattice.bottom, survey.lattice.top) == (known == nodes)
    low, high = (data.draw(st.sampled_from(nodes)) for _ in range(2))
    inside = [v for v in nodes if all(a <= x <= b for a, x, b in zip(low, v, high, strict=True))]
    assert tags.is_settled(low, high) == all(tags.is_known(v) for v in inside)


@given(settings(kinds="kd"))
def test_minimal_releases_have_none_below(setting: Setting) -> None:
    tags = tags_of(setting)
    lattice = tags.survey.lattice
    good = {node for node in lattice.nodes() if tags.is_release(node)}
    below = lattice.specializations
    assert tags.minimal() == [v for v in sorted(good) if good.isdisjoint(below(v))]
    assert sum(tags.effort()[why] for why in ("checked", "implied_above", "pruned_below")) == (
        lattice.n_nodes
    )


def test_a_node_that_is_known_is_not_checked_again() -> None:
    table = thesis_table()
    survey = Survey.of(count(table).finest, All([KAnonymity(2)]), Task(table.attributes, ILoss()))
    tags = Tags(survey, OLA())
    assert tags.is_release((1, 1, 1))
    assert tags.is_release((2, 1, 1))
    assert not tags.is_release((1, 0, 2))
    assert not tags.is_release((0, 0, 2))
    assert (tags.n_checked, tags.n_implied_above, tags.n_pruned_below) == (2, 3, 5)


@pytest.mark.parametrize("method", [OLA(), Flash(), SPALM()], ids=str)
def test_tells_its_progress(method: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predictive_tagging, "_OFTEN", -1.0)
    table, told = thesis_table(), []
    task = Task(
        table.attributes, ILoss(), progress=lambda share, words: told.append((share, words))
    )
    found = method.search(count(table).finest, All([KAnonymity(2)]), task)
    assert [words for _, words in told] == [
        f"{i + 1} of 18 nodes checked" for i in range(found.effort["checked"])
    ]
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1


@pytest.mark.parametrize("method", [OLA(), Flash(), SPALM()], ids=str)
def test_refuses_a_lattice_that_is_too_large_for_tags(
    method: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictive_tagging, "_MOST_NODES", 17)
    with pytest.raises(UnsupportedError, match=r"a tag of every node, and there are 18: use the"):
        run(method, thesis_table(), [KAnonymity(2)])


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
