"""Chosen columns: by name, or by role and kind."""

from __future__ import annotations

import pytest

from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import Role, as_table
from unlinkable.tables.operations.shared.columns import NUMERIC, chosen_columns, require_columns
from unlinkable.tables.taxonomies import Kind

STAFF = as_table(
    {"id": [1, 2], "age": [20, 30], "job": ["x", "y"], "pay": [1, 2]},
    identifiers="id",
    quasi=["age", "job"],
    sensitive="pay",
)


def test_names_go_before_roles() -> None:
    assert chosen_columns(STAFF, None, [Role.QUASI], NUMERIC, "noise") == ("age",)
    assert chosen_columns(STAFF, None, [Role.QUASI, Role.SENSITIVE], NUMERIC, "noise") == (
        "age",
        "pay",
    )
    assert chosen_columns(STAFF, ("job",), [Role.QUASI], list(Kind), "noise") == ("job",)


def test_refuses_what_is_not_meant() -> None:
    with pytest.raises(ParameterError, match="name at least one column for noise"):
        require_columns(STAFF.schema, (), "noise")
    with pytest.raises(SchemaError, match="no column 'jbo'"):
        require_columns(STAFF.schema, ("jbo",), "noise")
    with pytest.raises(SchemaError, match="'id' is identifier and is never published"):
        require_columns(STAFF.schema, ("id",), "noise")
    with pytest.raises(UnsupportedError, match="'job' holds categories, and noise needs numbers"):
        chosen_columns(STAFF, ("job",), [Role.QUASI], NUMERIC, "noise")
    with pytest.raises(SchemaError, match="no sensitive column holds categories for noise"):
        chosen_columns(STAFF, None, [Role.SENSITIVE], [Kind.CATEGORY], "noise")
