"""Optimal: nothing loses less, whatever is promised and however loss is measured."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.methods.lattice.setting import Setting, settings
from tests.witness.methods import exhaustive_optimum
from unlinkable.errors import InfeasibleError
from unlinkable.methods import MinGen, Optimal
from unlinkable.utility import AverageClassSize
from unlinkable.utility.base import Shown


def check(setting: Setting) -> None:
    nodes, least = exhaustive_optimum(setting.problem, setting.plain_metric)
    if least is None:
        with pytest.raises(InfeasibleError):
            setting.search(Optimal())
        with pytest.raises(InfeasibleError):
            setting.search(MinGen())
        return
    found = setting.search(Optimal())
    assert found.optimal
    node = setting.node(found)
    assert node in nodes
    problem = setting.problem
    rank = {id(n): (problem.n_suppressed(n), sum(n.values()), tuple(n.values())) for n in nodes}
    assert node == min(nodes, key=lambda n: rank[id(n)])
    assert setting.is_published_as_expected(found)
    shown = Shown.of(found.partition, setting.task.attributes)
    assert setting.metric.measure(shown) == pytest.approx(float(least), rel=1e-12)
    effort = found.effort
    assert effort["checked"] + effort["bounded"] + effort["implied"] == effort["nodes"]
    witness = setting.search(MinGen())
    assert setting.node(witness) == node


@given(settings())
def test_equals_exhaustive_search(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="k"))
def test_equals_exhaustive_search_for_k_anonymity(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kt"))
def test_equals_exhaustive_search_where_groups_are_compared_with_the_rest(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kd", metric=[AverageClassSize(k=2)]))
def test_equals_exhaustive_search_for_a_metric_that_suppression_improves(setting: Setting) -> None:
    check(setting)
