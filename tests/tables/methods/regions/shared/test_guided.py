"""Cutting for the sake of targets: which columns these are, and who is refused."""

from __future__ import annotations

from typing import Any

import pytest

from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.regions import Combine, InfoGainMondrian, LSDMondrian
from unlinkable.tables.methods.regions.shared.guided import GuidedMethod
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import AverageRisk, KAnonymity
from unlinkable.tables.models.base import All

METHODS: list[type[GuidedMethod]] = [InfoGainMondrian, LSDMondrian]

each_method = pytest.mark.parametrize("kind", METHODS, ids=lambda kind: kind.name)


def people(**roles: Any) -> Table:
    data = {"a": [1, 2, 3, 4], "x": [1, 1, 2, 2], "y": [5, 6, 7, 8]}
    return as_table(data, **{"quasi": "a", **roles})


@each_method
def test_all_targets_are_told_if_none_is_named(kind: type[GuidedMethod]) -> None:
    both = people(target=["x", "y"])
    bound = kind().bind(both.schema)
    assert bound.targets == ("x", "y")
    assert kind().needs(both.schema) == {("x",), ("y",)}
    assert kind("y").bind(both.schema).targets == ("y",)  # type: ignore[call-arg]
    assert bound.bind(both.schema) == bound


@each_method
def test_without_a_target_the_sensitive_column_is_told(kind: type[GuidedMethod]) -> None:
    table = people(sensitive="x", insensitive="y")
    assert kind().bind(table.schema).targets == ("x",)


def test_a_product_is_counted_together() -> None:
    method = InfoGainMondrian(combine=Combine.PRODUCT)
    assert method.needs(people(target=["x", "y"]).schema) == {("x", "y")}


@each_method
def test_refuses_a_table_without_targets(kind: type[GuidedMethod]) -> None:
    with pytest.raises(SchemaError, match="no column has the role target"):
        kind().bind(people(insensitive=["x", "y"]).schema)


@each_method
def test_refuses_columns_that_tell_nothing(kind: type[GuidedMethod]) -> None:
    table = people(target="x", identifiers="y")
    for name in ("y", "z"):
        with pytest.raises(SchemaError, match=f"no target '{name}' .*to be told"):
            kind(name).bind(table.schema)  # type: ignore[call-arg]


@each_method
def test_refuses_to_search_without_a_target(kind: type[GuidedMethod]) -> None:
    table = people(target="x", insensitive="y")
    task = Task(table.attributes, ILoss())
    with pytest.raises(SchemaError, match="does not know what is to be told: name the columns"):
        kind().search(count(table).finest, All([KAnonymity(1)]), task)


@each_method
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"targets": []}, "targets must name a column"),
        ({"targets": ["x", "x"]}, "'x' is named twice"),
        ({"combine": "all"}, "combine must be one of 'sum', 'shares', 'product', got 'all'"),
        ({"along": "tree"}, "along must be one of 'labels', 'order', 'taxonomy', got 'tree'"),
        ({"labels": "nodes"}, "labels must be one of 'intervals', 'taxonomy', got 'nodes'"),
        ({"strict": "yes"}, "strict must be true or false, got 'yes'"),
    ],
)
def test_refuses_options_that_mean_nothing(
    kind: type[GuidedMethod], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ParameterError, match=message):
        kind(**options)


@each_method
def test_refuses_a_promise_about_all_groups_together(kind: type[GuidedMethod]) -> None:
    privacy = All([AverageRisk("1/3")])
    assert privacy.models[0].collective
    with pytest.raises(UnsupportedError, match=r"compares halves one by one.*default split"):
        kind("x").require(privacy, may_suppress=False)  # type: ignore[call-arg]
