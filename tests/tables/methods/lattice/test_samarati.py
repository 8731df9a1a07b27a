"""Samarati: the lowest height with a release."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.cases import load
from tests.tables.methods.lattice.example import medical_table, run, thesis_table
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from tests.witness import methods as witness
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.methods import Samarati
from unlinkable.tables.models import EntropyLDiversity, KAnonymity, TCloseness


@pytest.mark.parametrize("limit", [0, 2])
def test_the_thesis_table(limit: int) -> None:
    expected = load("babu-improved-greedy-table2-1")["expected"][f"m={limit}"]["samarati"]
    found = run(Samarati(), thesis_table(), [KAnonymity(2)], limit=limit)
    assert [list(node.values()) for node in found.alternatives] == expected["nodes"]
    assert found.node is not None
    assert sum(found.node.values()) == expected["min_height"]
    assert found.optimal is None


def test_table_20_1_has_its_lowest_three_anonymous_releases_at_height_3() -> None:
    # Ten years and regions, as printed; or twenty years and states would leave classes of 2.
    found = run(Samarati(), medical_table(), [KAnonymity(3)])
    assert [dict(node) for node in found.alternatives] == [{"Age": 1, "ZIP Code": 2}]


def test_table_20_1_with_one_record_left_out() -> None:
    # Without the record of Nevada or of Massachusetts, pairs remain in New York and California.
    found = run(Samarati(), medical_table(), [KAnonymity(2)], limit=2)
    assert [dict(node) for node in found.alternatives] == [{"Age": 1, "ZIP Code": 1}]
    assert found.partition.n_suppressed == 2


def test_effort_on_the_thesis_table() -> None:
    found = run(Samarati(), thesis_table(), [KAnonymity(2)])
    # All of 5 nodes at height 2, the first at 4, the first three and then the rest of 5 at 3.
    # Below them are 4 nodes that were not checked, above them 3.
    assert found.effort == {
        "nodes": 18,
        "checked": 11,
        "pruned_below": 4,
        "unvisited": 3,
        "heights": 3,
        "groups": 66,
    }


def check(setting: Setting) -> None:
    height, nodes = witness.samarati(setting.problem)
    if height is None:
        with pytest.raises(InfeasibleError):
            setting.search(Samarati())
        return
    found = setting.search(Samarati())
    assert [dict(node) for node in found.alternatives] == nodes
    losses = {
        tuple(node.values()): setting.plain_metric(setting.problem.publish(node)) for node in nodes
    }
    assert losses[tuple(setting.node(found).values())] == min(losses.values())
    assert setting.is_published_as_expected(found)


@given(settings(kinds="kdert", suppression=False))
def test_finds_the_lowest_releases(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kd"))
def test_finds_the_lowest_releases_with_suppression(setting: Setting) -> None:
    check(setting)


@pytest.mark.parametrize(
    "model", [EntropyLDiversity(2, sensitive="Disease"), TCloseness(0.5, sensitive="Disease")]
)
def test_refuses_suppression_where_halving_would_not_work(
    model: EntropyLDiversity | TCloseness,
) -> None:
    with pytest.raises(
        UnsupportedError, match=r"samarati with suppression .* use the method optimal"
    ):
        run(Samarati(), medical_table(), [model], limit=1)


def test_refuses_a_promise_that_merging_breaks() -> None:
    with pytest.raises(UnsupportedError, match=r"samarati needs a promise that survives merging"):
        run(Samarati(), thesis_table(), [AtMost(2)])


def test_says_what_is_missing_if_there_is_no_release() -> None:
    with pytest.raises(InfeasibleError, match=r"k-anonymity\(k=8\) needs at least 8 records"):
        run(Samarati(), thesis_table(), [KAnonymity(8)])
