"""Incognito: all releases, and the best of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from tests.cases import load
from tests.methods.lattice.example import medical_table, run, thesis_table
from tests.methods.lattice.setting import AtMost, Setting, settings
from tests.witness.methods import exhaustive_optimum, minimal_nodes
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.methods import Incognito, Optimal
from unlinkable.methods.lattice.incognito import join, prune
from unlinkable.privacy import EntropyLDiversity, KAnonymity, TCloseness


def levels(name: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d", name)))


def test_join_and_prune_of_figure_20_4() -> None:
    case = load("aggarwal-incognito-join-prune-fig20-4")
    given = {tuple(names.split(",")): nodes for names, nodes in case["input"]["F2"].items()}
    parts: dict[tuple[int, ...], set[tuple[int, ...]]] = {
        (0, 1): set(map(levels, given["Z", "P"])),
        (0, 2): set(map(levels, given["Z", "A"])),
        (1, 2): set(map(levels, given["P", "A"])),
    }
    joined = join(parts[0, 1], parts[0, 2])
    assert joined == set(map(levels, case["expected"]["candidates"]))
    kept = prune(joined, (0, 1, 2), parts)
    assert kept == set(map(levels, case["expected"]["after_pruning"]))
    assert joined - kept == set(map(levels, case["expected"]["pruned"]))


def test_all_minimal_releases_of_the_thesis_table() -> None:
    found = run(Incognito(), thesis_table(), [KAnonymity(2)])
    assert [tuple(node.values()) for node in found.alternatives] == [(1, 1, 1), (2, 0, 2)]
    assert found.node == {"Age": 1, "Gender": 1, "Zipcode": 1}
    assert found.optimal


def test_the_three_anonymous_release_of_table_20_3_is_minimal() -> None:
    case = load("aggarwal-table20-3-three-anonymous")
    found = run(Incognito(), medical_table(), [KAnonymity(3)])
    assert case["input"]["node"] in map(dict, found.alternatives)


def test_effort_on_the_thesis_table() -> None:
    found = run(Incognito(), thesis_table(), [KAnonymity(2)])
    assert found.effort == {
        "joined": 18,
        "pruned": 1,
        "implied": 11,
        "checked": 14,
        "releases": 5,
        "groups": 52,
    }


def check(setting: Setting) -> None:
    expected = minimal_nodes(setting.problem)
    if not expected:
        with pytest.raises(InfeasibleError):
            setting.search(Incognito())
        return
    found = setting.search(Incognito())
    assert [dict(node) for node in found.alternatives] == expected
    nodes, _ = exhaustive_optimum(setting.problem, setting.plain_metric)
    assert setting.node(found) in nodes
    assert found.node == setting.search(Optimal()).node
    assert found.effort["checked"] + found.effort["implied"] + found.effort["pruned"] == (
        found.effort["joined"] + sum(tree.height + 1 for tree in _trees(setting))
    )


def _trees(setting: Setting) -> list[Tree]:
    return [setting.random.trees[a] for a in setting.random.qid]


@given(settings(kinds="kdert", suppression=False))
def test_finds_all_minimal_releases_and_the_best(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kd"))
def test_finds_all_minimal_releases_with_suppression(setting: Setting) -> None:
    check(setting)


@pytest.mark.parametrize(
    "model", [EntropyLDiversity(2, sensitive="Disease"), TCloseness(0.5, sensitive="Disease")]
)
def test_refuses_suppression_where_it_would_not_find_all(
    model: EntropyLDiversity | TCloseness,
) -> None:
    with pytest.raises(
        UnsupportedError, match=r"incognito with suppression .* use the method optimal"
    ):
        run(Incognito(), medical_table(), [model], limit=1)


def test_refuses_a_promise_that_merging_breaks() -> None:
    with pytest.raises(UnsupportedError, match=r"incognito needs a promise that survives merging"):
        run(Incognito(), thesis_table(), [AtMost(2)])


def test_says_what_is_missing_if_there_is_no_release() -> None:
    with pytest.raises(InfeasibleError, match=r"k-anonymity\(k=8\) needs at least 8 records"):
        run(Incognito(), thesis_table(), [KAnonymity(8)])
