"""Generalization and suppression: what each scheme does, allows and counts."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.witness.tree import Tree as PlainTree
from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.operations import (
    CellGeneralization,
    CellSuppression,
    FullDomainGeneralization,
    MultidimensionalGeneralization,
    Recoding,
    RecordSuppression,
    Scheme,
    SiblingGeneralization,
    SubtreeGeneralization,
    TopBottomCoding,
    ValueSuppression,
    n_cuts,
    overlaps,
    recode,
)
from unlinkable.tables.operations.shared.nodes import n_generalizations, n_sibling_cuts
from unlinkable.tables.taxonomies.builders import Tree
from unlinkable.tables.taxonomies.published_values import write_ranges

JOBS = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
SCHEMES: dict[str, type[Scheme]] = {
    "full_domain": FullDomainGeneralization,
    "subtree": SubtreeGeneralization,
    "sibling": SiblingGeneralization,
    "cell": CellGeneralization,
    "multidimensional": MultidimensionalGeneralization,
}


def people(jobs: list[str], sexes: list[str] | None = None) -> Table:
    columns: dict[str, list[str]] = {"job": jobs}
    if sexes is not None:
        columns["sex"] = sexes
    return as_table(columns, quasi=list(columns), taxonomies={"job": JOBS})


def recoding_of_case(given_: dict[str, Any]) -> Recoding:
    if "map" in given_:
        pairs = list(given_["map"].items())
    elif "records" in given_:
        pairs = [(r["from"], r["to"]) for r in given_["records"]]
    else:
        before = [t["from"] for t in given_["tuples"]]
        after = [[v.replace("ANY_Sex", "*") for v in t["to"]] for t in given_["tuples"]]
        table = people([job for job, _ in before], [sex for _, sex in before])
        return Recoding.read(table, {"job": [a for a, _ in after], "sex": [b for _, b in after]})
    return Recoding.read(people([a for a, _ in pairs]), {"job": [b for _, b in pairs]})


@pytest.mark.parametrize("number", range(5))
def test_which_schemes_admit_which_recodings(number: int) -> None:
    case = cases.load("book-ch03-generalization-schemes-validity")
    given_ = case["input"]["recodings"][number]
    expected = case["expected"][given_["id"]]
    recoding = recoding_of_case(given_)
    found = {name: not scheme.flaws(recoding) for name, scheme in SCHEMES.items()}
    assert found == {name: expected[name] for name in SCHEMES}
    nested = overlaps(recoding)
    both = case["expected"]["value_and_its_ancestor_both_in_output"][given_["id"]]
    assert bool(nested) is both
    problem = case["expected"]["data_exploration_problem_per_text"][given_["id"]]
    assert any(overlap.is_ambiguous for overlap in nested) is problem


@pytest.mark.parametrize("which", ["full_domain", "global_only", "local"])
def test_local_global_and_full_domain_recoding_are_told_apart(which: str) -> None:
    case = cases.load("aggarwal-recoding-schemes")
    states = {"N.E. US": {"NY": ["10547", "10598"], "MA": ["02139"]}}
    states["W. US"] = {"CA": ["90210", "90345"], "NV": ["89119"]}
    table = as_table(
        {"zip": case["input"]["original"]}, quasi="zip", taxonomies={"zip": Tree(states)}
    )
    recoding = Recoding.read(table, {"zip": case["input"]["recodings"][which]})
    expected = case["expected"][which]
    assert (not FullDomainGeneralization.flaws(recoding)) is expected["full_domain"]
    assert recoding.is_function_of_value(0) is expected["global"]


def all_recodings(tree: PlainTree) -> Iterator[dict[Hashable, frozenset[Hashable]]]:
    """Every way of giving each value one of the nodes that cover it."""
    nodes = {}
    for leaf in tree.leaves:
        above = [tree.generalize(leaf, i) for i in range(tree.height + 1)]
        covered = [
            frozenset(x for x in tree.leaves if tree.generalize(x, i) == label)
            for i, label in enumerate(above)
        ]
        nodes[leaf] = list(dict.fromkeys(covered))
    for chosen in product(*nodes.values()):
        yield dict(zip(nodes, chosen, strict=True))


@given(tables(min_records=1, max_qid=1, max_leaves=4, max_height=3, missing=False, owner=False))
def test_schemes_count_what_they_allow(random: RandomTable) -> None:
    tree = random.trees["q0"]
    rows = [{"q0": leaf} for leaf in tree.leaves]
    table = table_of(RandomTable(rows, ("q0",), (), {"q0": tree}, None))
    recoding = Recoding.of(table)
    allowed: dict[type[Scheme], int] = {
        FullDomainGeneralization: 0,
        SubtreeGeneralization: 0,
        SiblingGeneralization: 0,
    }
    for way in all_recodings(tree):
        at = {leaf: i for i, leaf in enumerate(tree.leaves)}
        lo = np.array([min(at[x] for x in way[leaf]) for leaf in tree.leaves], np.int32)
        hi = np.array([max(at[x] for x in way[leaf]) + 1 for leaf in tree.leaves], np.int32)
        shown = recoding.show(0, lo, hi)
        assert not CellGeneralization.flaws(shown)
        for scheme in allowed:
            allowed[scheme] += not scheme.flaws(shown)
    for scheme, n in allowed.items():
        assert scheme.count(recoding) == n
    assert CellGeneralization.count(recoding) == sum(1 for _ in all_recodings(tree))


def test_cuts_of_the_book_s_trees() -> None:
    jobs = people(["Dancer"]).taxonomy("job")
    sexes = as_table({"sex": ["Male", "Female"]}, quasi="sex").taxonomy("sex")
    assert (n_cuts(jobs), n_cuts(sexes)) == (5, 2)
    assert n_sibling_cuts(sexes) == 4
    assert n_generalizations(jobs).tolist() == [3, 3, 3, 3]


@given(tables(min_records=1, max_qid=2), st.data())
def test_what_a_scheme_does_it_allows_and_keeps_true(
    random: RandomTable, data: st.DataObject
) -> None:
    table = table_of(random)
    taxonomy = table.taxonomy("q0")
    level = data.draw(st.integers(0, taxonomy.height))
    nodes = taxonomy.levels[level]
    records = data.draw(st.lists(st.integers(0, len(table) - 1), max_size=5))
    at = data.draw(st.integers(0, taxonomy.n - 1))
    lo, hi = nodes.lo[at], nodes.hi[at]
    text = write_ranges(taxonomy, np.array([lo]), np.array([hi]))[0]
    codes = Recoding.of(table).codes[:, 0]
    below = [i for i in records if lo <= codes[i] < hi]
    operations: list[Scheme] = [
        FullDomainGeneralization("q0", level),
        RecordSuppression(records),
        CellSuppression("q0", records),
    ]
    if text is not None:
        operations += [
            SubtreeGeneralization("q0", [text]),
            SiblingGeneralization("q0", [text]),
            ValueSuppression("q0", [text]),
            CellGeneralization("q0", text, below),
        ]
    for operation in operations:
        done = recode(table, [operation])
        assert operation.flaws(done) == []
        assert done.is_truthful
        assert type(operation).count(done) >= 1


def test_top_and_bottom_are_coded_and_told() -> None:
    table = as_table(
        {"age": [1, 17, 40, 91, 104, None], "sex": list("mfmfmf")}, quasi=["age", "sex"]
    )
    done = recode(table, [TopBottomCoding("age", bottom=17, top=91)])
    assert done.texts("age") == ["[1-18)", "[1-18)", "40", "[91-105)", "[91-105)", None]
    assert TopBottomCoding.flaws(done) == []
    assert TopBottomCoding.count(done) == 11
    middle = done.show(0, np.full(6, 2), np.full(6, 3))
    assert TopBottomCoding.flaws(middle) == [
        "'age' is generalized elsewhere than at its top and its bottom"
    ]
    for one in (TopBottomCoding("age", top=91), TopBottomCoding("age", bottom=17)):
        assert TopBottomCoding.flaws(recode(table, [one])) == []


def test_top_codes_are_counted_by_trying() -> None:
    table = as_table({"age": [1, 2, 3, 4]}, quasi="age")
    seen = set()
    for bottom, top in product([None, 1, 2, 3, 4], [None, 1, 2, 3, 4]):
        if (bottom is not None or top is not None) and (bottom or 0) < (top or 9):
            done = recode(table, [TopBottomCoding("age", bottom=bottom, top=top)])
            seen.add(tuple(done.texts("age")))
    assert TopBottomCoding.count(Recoding.of(table)) == len(seen)


def test_spaces_of_suppression() -> None:
    recoding = Recoding.of(people(["Engineer", "Engineer", "Dancer"], ["m", "f", "m"]))
    assert RecordSuppression.count(recoding) == 2**3
    assert CellSuppression.count(recoding) == 2**6
    assert ValueSuppression.count(recoding) == 2**4
    distinct = math.prod([3 * 2] * 3)
    assert MultidimensionalGeneralization.count(recoding) == distinct


def test_flaws_are_told_in_words() -> None:
    table = people(["Engineer", "Engineer", "Lawyer"])
    mixed = recode(table, [CellGeneralization("job", "Professional", [0])])
    assert SubtreeGeneralization.flaws(mixed) == [
        "records with the same value of 'job' show different ones",
        "'job' shows values below others that it shows",
    ]
    assert ValueSuppression.flaws(mixed)[0] == (
        "'job' shows values that are neither as they were nor hidden"
    )
    assert RecordSuppression.flaws(mixed) == [
        "records that are left show something else than their values"
    ]
    assert MultidimensionalGeneralization.flaws(mixed) == [
        "records with the same values show different ones"
    ]
    hidden = recode(table, [CellSuppression("job", [0])])
    assert ValueSuppression.flaws(hidden) == [
        "a value of 'job' is told in some records and hidden in others"
    ]
    odd = Recoding.of(table).show(0, np.array([0, 0, 1]), np.array([3, 3, 3]))
    assert "'job' shows ranges that are no nodes of its taxonomy" in CellGeneralization.flaws(odd)
    false = Recoding.read(table, {"job": ["Lawyer", "Engineer", "Lawyer"]})
    untrue = ["some records show ranges that do not hold their values"]
    assert CellGeneralization.flaws(false) == untrue
    assert MultidimensionalGeneralization.flaws(false)[:1] == untrue


def test_a_child_goes_up_whole_or_not_at_all() -> None:
    deep = Tree({"A": {"B": ["x", "y"], "C": ["z"]}})
    table = as_table({"v": ["x", "y", "z"]}, quasi="v", taxonomies={"v": deep})
    torn = Recoding.read(table, {"v": ["A", "y", "A"]})
    assert SiblingGeneralization.flaws(torn) == [
        "'v' shows some values below a child of a node, and others not"
    ]
    assert SiblingGeneralization.flaws(Recoding.read(table, {"v": ["x", "y", "A"]})) == []


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (FullDomainGeneralization("job", 3), "levels 0 to 2, not 3"),
        (SubtreeGeneralization("job", []), "no node of 'job' is chosen"),
        (SubtreeGeneralization("job", ["Professional", "Lawyer"]), "one lies below another"),
        (SubtreeGeneralization("job", ["{Lawyer, Dancer}"]), "is no node of the taxonomy"),
        (CellGeneralization("job", "Artist", [0]), "1 of the chosen records have a value"),
        (CellGeneralization("job", "Artist", [7]), "no record 7 among 2"),
        (RecordSuppression([0, 1], limit=0.5), "2 of 2 records would be left out, and 1 may be"),
        (MultidimensionalGeneralization(["job"], [["Artist"]]), "1 records lie in none"),
    ],
)
def test_what_cannot_be_done_is_refused(operation: Scheme, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        recode(people(["Engineer", "Dancer"]), [operation])


def test_parameters_that_mean_nothing_are_refused() -> None:
    with pytest.raises(ParameterError, match="give a bottom, a top, or both"):
        TopBottomCoding("age")
    with pytest.raises(ParameterError, match="bottom must be less than top"):
        TopBottomCoding("age", bottom=3, top=3)
    with pytest.raises(ParameterError, match="a region has 1 values, and there are 2 columns"):
        MultidimensionalGeneralization(["job", "sex"], [["Artist"]])


def test_columns_and_records_must_be_there() -> None:
    table = people(["Engineer"])
    with pytest.raises(SchemaError, match=r"no quasi-identifier 'jobb' among 1"):
        recode(table, [CellSuppression("jobb", [])])
    with pytest.raises(SchemaError, match="only numbers are coded"):
        recode(table, [TopBottomCoding("job", top=3)])
    with pytest.raises(DataError, match="2 records are shown, and the table has 1"):
        Recoding.read(table, {"job": ["Engineer", "Engineer"]})


def test_nothing_overlaps_where_nothing_is_shown_twice() -> None:
    assert overlaps(Recoding.of(people(["Engineer"]))) == ()
    several = recode(
        people(["Engineer", "Lawyer", "Dancer", "Writer"]), [CellSuppression("job", [0])]
    )
    assert [(o.value, o.covered_by, o.is_ambiguous) for o in overlaps(several)] == [
        ("Lawyer", "*", False),
        ("Dancer", "*", False),
        ("Writer", "*", False),
    ]
