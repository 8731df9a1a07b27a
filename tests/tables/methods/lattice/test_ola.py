"""OLA: the printed search, all minimal releases, and the best of them."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.cases import load
from tests.tables.methods.lattice.by_definition import Kmin
from tests.tables.methods.lattice.example import medical_table, run, thesis_table
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from tests.witness.methods import minimal_nodes
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.methods.lattice.ola import OLA
from unlinkable.tables.methods.lattice.optimal import Optimal
from unlinkable.tables.metrics import Discernibility
from unlinkable.tables.models import EntropyLDiversity, KAnonymity, TCloseness


def test_all_minimal_releases_of_the_thesis_table() -> None:
    found = run(OLA(), thesis_table(), [KAnonymity(2)])
    assert [tuple(node.values()) for node in found.alternatives] == [(1, 1, 1), (2, 0, 2)]
    assert found.node == {"Age": 1, "Gender": 1, "Zipcode": 1}
    assert found.optimal


def test_the_minimal_releases_of_the_thesis_table_with_two_records_left_out() -> None:
    expected = load("babu-improved-greedy-table2-1")["expected"]["m=2"]["samarati"]
    found = run(OLA(), thesis_table(), [KAnonymity(2)], limit=2)
    nodes = [list(node.values()) for node in found.alternatives]
    lowest = [node for node in nodes if sum(node) == expected["min_height"]]
    assert lowest == expected["nodes"]


def test_the_three_anonymous_release_of_table_20_3_is_minimal() -> None:
    case = load("aggarwal-table20-3-three-anonymous")
    found = run(OLA(), medical_table(), [KAnonymity(3)])
    assert case["input"]["node"] in map(dict, found.alternatives)


def test_effort_on_the_thesis_table() -> None:
    found = run(OLA(), thesis_table(), [KAnonymity(2)])
    assert found.effort == {
        "nodes": 18,
        "checked": 10,
        "implied_above": 1,
        "pruned_below": 7,
        "groups": 62,
    }


def check(setting: Setting) -> None:
    problem = setting.problem
    expected = minimal_nodes(problem)
    if not expected:
        with pytest.raises(InfeasibleError):
            setting.search(OLA())
        return
    found = setting.search(OLA())
    assert [dict(node) for node in found.alternatives] == expected
    literal = Kmin(problem)
    minimal = literal.run((0,) * len(literal.heights), literal.heights)
    assert sorted(minimal) == [tuple(node.values()) for node in expected]
    # The print takes for granted that the top is a release.
    assert found.effort["checked"] == len(literal.checked) + 1
    assert setting.is_published_as_expected(found)
    if setting.limit == 0:
        assert found.optimal
        assert found.node == setting.search(Optimal()).node


@given(settings(kinds="kdert", suppression=False))
def test_checks_what_the_printed_search_checks(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kd"))
def test_checks_what_the_printed_search_checks_with_suppression(setting: Setting) -> None:
    check(setting)


@pytest.mark.parametrize(
    "model", [EntropyLDiversity(2, sensitive="Disease"), TCloseness(0.5, sensitive="Disease")]
)
def test_refuses_suppression_where_tags_would_be_wrong(
    model: EntropyLDiversity | TCloseness,
) -> None:
    with pytest.raises(UnsupportedError, match=r"ola with suppression .* use the method optimal"):
        run(OLA(), medical_table(), [model], limit=1)


def test_refuses_a_promise_that_merging_breaks() -> None:
    with pytest.raises(UnsupportedError, match=r"ola needs a promise that survives merging"):
        run(OLA(), thesis_table(), [AtMost(2)])


def test_says_what_is_missing_if_there_is_no_release() -> None:
    with pytest.raises(InfeasibleError, match=r"k-anonymity\(k=8\) needs at least 8 records"):
        run(OLA(), thesis_table(), [KAnonymity(8)], metric=Discernibility())
