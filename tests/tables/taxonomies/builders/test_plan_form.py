"""Taxonomies in plan files: every rule can be written and read again."""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path

import pytest
import tomli_w
from hypothesis import given

from tests.tables.data.taxonomies import built
from unlinkable.errors import ParameterError, PlanError, TaxonomyError
from unlinkable.examples import hospital, hospital_taxonomies
from unlinkable.tables.taxonomies import Taxonomy, observe
from unlinkable.tables.taxonomies.builders import (
    Auto,
    Csv,
    Dates,
    Flat,
    Intervals,
    Mask,
    Observed,
    TaxonomyBuilder,
    Tree,
    builder_from_plan,
    to_plan,
)
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

HERE = Path("plans")


def read(toml: str) -> TaxonomyBuilder:
    return builder_from_plan(tomllib.loads(f"taxonomy = {toml}")["taxonomy"], HERE)


@pytest.mark.parametrize(
    ("toml", "builder"),
    [
        ("{ intervals = [5, 10, 20] }", Intervals(5, 10, 20)),
        ("{ intervals = [0.5, 1], start = 0.25, low = 2, high = 9 }",
         Intervals(Decimal("0.5"), 1, start=Decimal("0.25"), low=2, high=9)),
        ("{ mask = 5 }", Mask(5)),
        ("{ mask = 5, left = true, keep = [3, 1] }", Mask(5, left=True, keep=(3, 1))),
        ('{ csv = "age.csv" }', Csv("plans/age.csv")),
        ('{ csv = "age.csv", separator = ",", pad = true }', Csv("plans/age.csv", ",", pad=True)),
        ('{ csv = "/data/age.csv" }', Csv("/data/age.csv")),
        ('{ tree = { A = ["a"], B = { b = {} } } }', Tree({"A": ["a"], "B": ["b"]})),
        ('{ tree = ["a", "b"], pad = true }', Tree(["a", "b"], pad=True)),
        ('{ dates = ["month", "year"] }', Dates("month", "year")),
        ("{ flat = true }", Flat()),
        ("{ auto = true }", Auto()),
        ("{ auto = true, groups = 3, by_hidden = true }", Auto(3, by_hidden=True)),
    ],
)  # fmt: skip
def test_every_form_is_read_and_written_again(toml: str, builder: TaxonomyBuilder) -> None:
    assert read(toml) == builder
    written = tomli_w.dumps(to_plan(builder, HERE))
    assert builder_from_plan(tomllib.loads(written), HERE) == builder


@given(built())
def test_every_rule_survives_a_plan_file(case: tuple[Observed, TaxonomyBuilder, Taxonomy]) -> None:
    builder = case[1]
    written = tomli_w.dumps(to_plan(builder))
    assert builder_from_plan(tomllib.loads(written), HERE) == builder


def test_files_are_written_relative_to_the_plan() -> None:
    assert to_plan(Csv("plans/trees/age.csv"), HERE) == {"csv": "trees/age.csv"}
    assert to_plan(Csv("elsewhere/age.csv"), HERE) == {"csv": "elsewhere/age.csv"}
    assert to_plan(Csv("plans/age.csv")) == {"csv": "plans/age.csv"}


def test_two_branches_of_the_same_name_are_both_written() -> None:
    tree = Tree([{"A": ["a"]}, {"A": ["b"]}, {"B": ["c"]}])
    assert builder_from_plan(to_plan(tree), HERE) == tree


def test_the_taxonomies_of_the_hospital_can_be_built() -> None:
    frame = hospital(2_000)
    for name, spec in hospital_taxonomies().items():
        assert isinstance(spec, dict)
        builder = builder_from_plan(spec, HERE)
        taxonomy = builder.build(observe(name, frame[name].to_list()))
        assert taxonomy.height >= 1


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("{}", "one of intervals, mask, csv, tree, dates, flat, auto: got nothing"),
        ("{ interval = [5] }", "a taxonomy is made by one of .*: got 'interval'"),
        ("{ mask = 5, flat = true }", "got 'mask', 'flat'"),
        (
            "{ mask = 5, lft = true }",
            r"no key 'lft' among 3 \(did you mean 'left'\?\) .* by 'mask'",
        ),
        ("{ flat = true, pad = true }", "no key 'pad' among 1"),
        ("{ flat = false }", "'flat' of a taxonomy must be true"),
        ("{ auto = false }", "'auto' of a taxonomy must be true"),
        ("{ auto = 1 }", "'auto' of a taxonomy must be true or false, got 1"),
        ("{ auto = true, groups = true }", "'groups' of a taxonomy must be a number of parts"),
        ("{ mask = true }", "'mask' of a taxonomy must be a number of characters, got True"),
        ('{ mask = "5" }', "'mask' of a taxonomy must be a number of characters, got '5'"),
        ("{ mask = 5, keep = 3 }", "'keep' of a taxonomy must be a list of numbers, got 3"),
        ("{ intervals = 5 }", "'intervals' of a taxonomy must be a list of widths, got 5"),
        ("{ intervals = [5], low = true }", "'low' of a taxonomy must be a number, got True"),
        ("{ csv = 5 }", "'csv' of a taxonomy must be the path of a file, got 5"),
        ('{ tree = "a" }', "'tree' of a taxonomy must be a table of labels or a list of values"),
        ('{ dates = "month" }', "'dates' of a taxonomy must be a list of parts"),
    ],
)
def test_refuses_a_form_that_is_none(toml: str, message: str) -> None:
    with pytest.raises(PlanError, match=message):
        read(toml)


def test_refuses_a_rule_without_its_value() -> None:
    with pytest.raises(PlanError, match=r"'mask' of a taxonomy must be .*, got nothing"):
        builder_from_plan({"mask": None}, HERE)


def test_refuses_values_that_the_rule_refuses() -> None:
    with pytest.raises(ParameterError, match="multiple of the one before"):
        read("{ intervals = [5, 12] }")
    with pytest.raises(ParameterError, match="weeks do not nest"):
        read('{ dates = ["week", "month"] }')
    with pytest.raises(TaxonomyError, match="a list within a list"):
        read('{ tree = [["a"]] }')


def test_refuses_to_write_a_rule_that_has_no_form() -> None:
    taxonomy = Flat().build(observe("x", ["a"]))
    with pytest.raises(PlanError, match="a taxonomy made by ReadyMade cannot stand in a plan"):
        to_plan(ReadyMade(taxonomy))
