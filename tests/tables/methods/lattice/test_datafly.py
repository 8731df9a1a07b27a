"""Datafly: one step up after the other."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.cases import load
from tests.tables.methods.lattice.example import run, thesis_table
from tests.tables.methods.lattice.setting import Setting, settings
from tests.witness import methods as witness
from unlinkable.errors import InfeasibleError
from unlinkable.tables.methods import Datafly
from unlinkable.tables.models import KAnonymity


@pytest.mark.parametrize("limit", [0, 2])
def test_the_thesis_table(limit: int) -> None:
    expected = load("babu-improved-greedy-table2-1")["expected"][f"m={limit}"]["datafly"]
    found = run(Datafly(), thesis_table(), [KAnonymity(2)], limit=limit)
    assert found.node is not None
    assert list(found.node.values()) == expected["node"]
    assert found.effort["checked"] == len(expected["path"])
    assert found.partition.n_suppressed <= limit
    assert found.optimal is None


def test_checks_no_more_nodes_than_there_are_steps() -> None:
    # Theorem 3.2: one node for every height at most.
    found = run(Datafly(), thesis_table(), [KAnonymity(7)])
    assert found.effort == {"nodes": 18, "checked": 2 + 1 + 2 + 1, "unvisited": 12, "groups": 23}


@given(settings())
def test_goes_the_way_that_the_definition_goes(setting: Setting) -> None:
    path, is_found = witness.datafly(setting.problem)
    if not is_found:
        with pytest.raises(InfeasibleError):
            setting.search(Datafly())
        return
    found = setting.search(Datafly())
    assert setting.node(found) == path[-1]
    assert found.effort["checked"] == len(path)
    assert setting.is_published_as_expected(found)


def test_says_what_is_missing_if_there_is_no_release() -> None:
    with pytest.raises(InfeasibleError, match=r"k-anonymity\(k=8\) needs at least 8 records"):
        run(Datafly(), thesis_table(), [KAnonymity(8)])
