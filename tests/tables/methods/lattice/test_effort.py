"""What all searches on a lattice say of their effort: every node is accounted for once."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from tests.tables.methods.lattice.setting import Setting, settings
from unlinkable.errors import InfeasibleError
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.methods.lattice import (
    OLA,
    SPALM,
    Datafly,
    Flash,
    ImprovedGreedy,
    Incognito,
    MinGen,
    Optimal,
    Samarati,
)

WHYS = {"implied_above", "pruned_below", "pruned_parts", "bounded", "unvisited"}
METHODS: list[tuple[Search, set[str]]] = [
    (Datafly(), {"unvisited"}),
    (Flash(), {"implied_above", "pruned_below"}),
    (ImprovedGreedy(), {"unvisited"}),
    (Incognito(), {"implied_above", "pruned_parts"}),
    (MinGen(), set()),
    (OLA(), {"implied_above", "pruned_below"}),
    (Optimal(), {"bounded", "pruned_below"}),
    (SPALM(), {"bounded", "pruned_below"}),
    (Samarati(), {"pruned_below", "unvisited"}),
]


@pytest.mark.parametrize(("method", "whys"), METHODS, ids=[str(m) for m, _ in METHODS])
@given(setting=settings(kinds="kd"))
def test_nodes_are_checked_or_it_is_said_why_not(
    method: Search, whys: set[str], setting: Setting
) -> None:
    try:
        effort = setting.search(method).effort
    except InfeasibleError:
        return
    heights = [setting.random.trees[a].height for a in setting.random.qid]
    n_nodes = math.prod(h + 1 for h in heights)
    if isinstance(method, Incognito):
        n_nodes = math.prod(h + 2 for h in heights) - 1
    assert effort["nodes"] == n_nodes
    assert WHYS & set(effort) == whys
    assert effort["checked"] + sum(effort[why] for why in whys) == n_nodes
    assert all(n >= 0 for n in effort.values())
    assert effort["groups"] >= 0
