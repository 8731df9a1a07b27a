"""Tree: nested tables and lists."""

from __future__ import annotations

from datetime import date, datetime

import attrs
import pytest

from unlinkable.errors import TaxonomyError
from unlinkable.tables.taxonomies import Kind, Taxonomy, observe
from unlinkable.tables.taxonomies.builders import Tree


def shape(taxonomy: Taxonomy) -> list[list[str]]:
    """The values, and the labels of the levels above."""
    upper = [[label for label in level.labels or () if label] for level in taxonomy.levels[1:]]
    return [taxonomy.domain.values.tolist(), *upper]


def test_lists_hold_values_and_tables_hold_branches() -> None:
    tree = Tree({"Artist": ["Dancer", "Writer"], "Cook": ["Chef"]})
    assert shape(tree.build(observe("job", ["Chef"]))) == [
        ["Dancer", "Writer", "Chef"],
        ["Artist", "Cook"],
        ["*"],
    ]


def test_empty_tables_are_values() -> None:
    lists = Tree({"Artist": ["Dancer", "Writer"]}, pad=True)
    tables = Tree({"Artist": {"Dancer": {}, "Writer": {}}}, pad=True)
    assert lists == tables


@pytest.mark.parametrize("inside", [{"A": ["a"], "B": ["b"]}, [{"A": ["a"]}, {"B": ["b"]}]])
def test_a_single_label_on_top_is_the_root(inside: object) -> None:
    assert shape(Tree({"Any": inside}).build(observe("x", ["a"]))) == [
        ["a", "b"],
        ["A", "B"],
        ["Any"],
    ]


def test_a_single_value_is_no_root() -> None:
    assert shape(Tree({"a": {}}).build(observe("x", ["a"]))) == [["a"], ["*"]]


def test_a_list_alone_is_flat() -> None:
    assert shape(Tree(["b", "a"]).build(observe("x", ["a"]))) == [["b", "a"], ["*"]]


def test_values_that_are_less_deep_stand_for_themselves_when_padded() -> None:
    tree = Tree({"Health": {"Ward": ["Nurse"]}, "Office": ["Clerk"], "Cook": {}}, pad=True)
    assert shape(tree.build(observe("job", ["Cook"]))) == [
        ["Nurse", "Clerk", "Cook"],
        ["Ward", "Clerk", "Cook"],
        ["Health", "Office", "Cook"],
        ["*"],
    ]


def test_values_may_be_numbers_dates_and_truths() -> None:
    numbers = Tree({"low": [2, 1], "high": [10, 2.5]}).build(observe("x", [1.0, 10.0, 2.5]))
    assert numbers.domain.kind is Kind.NUMBER
    assert numbers.domain.values.tolist() == [1, 2, 2.5, 10]
    days = Tree({"a": [date(2024, 1, 2)], "b": [date(2024, 1, 1)]})
    assert days.build(observe("x", [date(2024, 1, 1)])).domain.text(0) == "2024-01-01"
    times = Tree([datetime(2024, 1, 2, 3)]).build(observe("x", [datetime(2024, 1, 2, 3)]))
    assert times.domain.n == 1
    truths = Tree([True, False]).build(observe("x", [True]))
    assert truths.domain.values.tolist() == ["true", "false"]


def test_a_column_of_nothing_but_missing_values_can_have_any_tree() -> None:
    taxonomy = Tree({"A": ["a", "b"]}).build(observe("x", [None, None]))
    assert taxonomy.domain.values.tolist() == ["a", "b"]
    assert taxonomy.n == 3


def test_trees_are_values_that_can_be_compared_and_copied() -> None:
    values: list[object] = ["a", {"B": ["b"]}]
    tree = Tree({"A": values, "c": {}}, pad=True)
    values.append("later")
    assert tree == Tree({"A": ["a", {"B": ["b"]}], "c": {}}, pad=True)
    assert attrs.evolve(tree, pad=False).nested == tree.nested
    assert len({tree, Tree({"A": ["a", {"B": ["b"]}], "c": {}}, pad=True)}) == 1


@pytest.mark.parametrize("nested", [{}, [], {"A": []}])
def test_refuses_an_empty_tree(nested: object) -> None:
    with pytest.raises(TaxonomyError, match="the tree of 'x' is empty"):
        Tree(nested).build(observe("x", ["a"]))


@pytest.mark.parametrize(
    ("nested", "message"),
    [
        ({"A": ["a"], "B": []}, "nothing is under 'B' in the tree of 'x'"),
        ({"A": ["a"], "b": {}}, r"'b' of 'x' has 0 labels above it and 'a' has 1 \(1 of 2 values"),
        ({"A": ["a"], "B": ["b", "a"]}, "'a' of column 'x' stands in two branches of the tree"),
        (
            {"A": ["a"], "B": ["b", "A"]},
            "the label 'A' of column 'x' stands for 1 values on level 0",
        ),
        (
            {"A": {"N": ["a"]}, "B": {"N": ["b"]}},
            "the label 'N' on level 1 .* two parents .* 'A' and",
        ),
        ({"A": ["a", "b"], "": ["c"]}, "a node on level 1 of the taxonomy of 'x' has no name"),
        ({"B": ["b"], "C": ["c"]}, "no value 'a' among 2 .* in the tree, and column 'x' has it"),
        ({"A": ["a", "b"], "{a, b}": ["c"]}, "'{a, b}' means two things"),
        (["a", "b", "{a, b}"], "the value '{a, b}' of column 'x' looks like the set of 'a', 'b'"),
    ],
)
def test_refuses_a_tree_that_does_not_fit(nested: object, message: str) -> None:
    with pytest.raises(TaxonomyError, match=message):
        Tree(nested).build(observe("x", ["a"]))


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("[1-3)", "'\\[1-3\\)' means two things in the taxonomy of 'x': a node on level 1 with 3"),
        ("<3", "an interval or a set of other values"),
        ("1", "the label '1' of column 'x' stands for 1 values on level 0"),
        ("1.0", "'1.0' means two things .* and a value: rename"),
    ],
)
def test_refuses_a_label_that_reads_like_other_numbers(label: str, message: str) -> None:
    with pytest.raises(TaxonomyError, match=message):
        Tree({label: [1, 2, 3], "B": [4]}).build(observe("x", [1, 4]))


@pytest.mark.parametrize("nested", ["abc", 7, {"A": "abc"}, {"A": None}])
def test_refuses_what_is_neither_table_nor_list(nested: object) -> None:
    with pytest.raises(
        TaxonomyError, match=r"a tree is made of tables .* and lists of values, got"
    ):
        Tree(nested)


@pytest.mark.parametrize("value", [None, ["b"], b"b"])
def test_refuses_what_is_no_value(value: object) -> None:
    with pytest.raises(TaxonomyError, match=r"a tree has texts, numbers and dates as values, got"):
        Tree(["a", value])
