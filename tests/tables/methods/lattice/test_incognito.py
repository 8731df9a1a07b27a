"""Incognito: all releases, and the best of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from tests.cases import load
from tests.tables.methods.lattice.example import medical_table, run, thesis_table
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from tests.witness.methods import exhaustive_optimum, minimal_nodes
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.methods import Incognito, Optimal
from unlinkable.tables.methods.lattice.incognito import join, prune
from unlinkable.tables.methods.lattice.shared.lattice import Lattice
from unlinkable.tables.models import (
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
)
from unlinkable.tables.models.base import All, GroupModel


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
    # 8 nodes of single attributes, 21 of pairs, 18 of all three; one of 18 that were joined of
    # parts lacks a third part.
    assert found.effort == {
        "nodes": 47,
        "checked": 14,
        "implied_above": 11,
        "pruned_parts": 22,
        "joined": 18,
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
    effort = found.effort
    n_single = sum(setting.random.trees[a].height + 1 for a in setting.random.qid)
    assert effort["checked"] + effort["implied_above"] <= effort["joined"] + n_single


@given(settings(kinds="kdert", suppression=False))
def test_finds_all_minimal_releases_and_the_best(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kd"))
def test_finds_all_minimal_releases_with_suppression(setting: Setting) -> None:
    check(setting)


@pytest.mark.parametrize(
    "model",
    [
        DistinctLDiversity(2, sensitive="Disease"),
        EntropyLDiversity(2, sensitive="Disease"),
        RecursiveCLDiversity(c=2, l=2, sensitive="Disease"),
        TCloseness("0.4", sensitive="Disease"),
    ],
    ids=str,
)
def test_is_l_diversity_and_t_closeness_incognito_with_another_model(model: GroupModel) -> None:
    table = medical_table()
    privacy = All([model])
    finest = count(table, privacy.needs()).finest
    good = set()
    for node in Lattice.of(table.attributes).nodes():
        partition = Partition.at_levels(finest, table.attributes, node)
        if privacy.holds(partition.groups()):
            good.add(node)
    lattice = Lattice.of(table.attributes)
    minimal = [v for v in sorted(good) if good.isdisjoint(lattice.specializations(v))]
    found = run(Incognito(), table, [model])
    assert [tuple(node.values()) for node in found.alternatives] == minimal
    assert 0 < len(good) < lattice.n_nodes
    assert found.effort["releases"] == len(good)


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
