"""Which columns are told: named ones, all targets, or the one sensitive column."""

from __future__ import annotations

import pytest

from unlinkable.errors import SchemaError
from unlinkable.tables.data import Schema
from unlinkable.tables.methods.shared.targets import class_column, target_columns

BOTH = Schema.of(quasi="a", target=["x", "y"], sensitive="s", owner="o")
ONE = Schema.of(quasi="a", target="x", sensitive=["s", "t"])
NONE = Schema.of(quasi="a", sensitive="s")


def test_all_targets_unless_some_are_named() -> None:
    assert target_columns(BOTH, None) == ("x", "y")
    assert target_columns(BOTH, ("y",)) == ("y",)
    assert target_columns(ONE, None) == ("x",)
    assert target_columns(NONE, None) == ("s",)


def test_any_column_that_tells_something_can_be_named() -> None:
    assert target_columns(BOTH, ("s", "a")) == ("s", "a")
    with pytest.raises(SchemaError, match="no target 'o' "):
        target_columns(BOTH, ("x", "o"))


def test_a_class_is_one_column() -> None:
    assert class_column(ONE, None) == "x"
    assert class_column(BOTH, "y") == "y"
    with pytest.raises(SchemaError, match="x, y could be it"):
        class_column(BOTH, None)


def test_refuses_to_choose_between_sensitive_columns() -> None:
    with pytest.raises(SchemaError, match="s, t could be it"):
        target_columns(Schema.of(quasi="a", sensitive=["s", "t"]), None)
