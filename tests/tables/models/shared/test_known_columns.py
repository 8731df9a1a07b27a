"""Columns that a promise names: which of the quasi-identifier, and what if they are not there."""

from __future__ import annotations

import pytest

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.groups import Knowledge
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.shared.known_columns import is_about_all_of, knowing, refuse_none


def test_named_columns_come_in_the_order_of_the_quasi_identifier() -> None:
    model = KAnonymity(2)
    assert knowing(model, ("c", "a"), ("a", "b", "c")) == Knowledge(("a", "c"))
    assert knowing(model, None, ("a", "b")) == Knowledge(("a", "b"))


def test_no_named_columns_are_all_of_them() -> None:
    assert is_about_all_of(None, None)
    assert is_about_all_of(None, ("a",))
    assert is_about_all_of(("a", "b"), ("b",))
    assert not is_about_all_of(("a",), None)
    assert not is_about_all_of(("a",), ("a", "b"))


def test_refuses_columns_that_are_not_there_or_named_badly() -> None:
    with pytest.raises(SchemaError, match=r"no quasi-identifier 'z' among 1 \(there are 'a'\) for"):
        knowing(KAnonymity(2), ("z",), ("a",))
    with pytest.raises(ParameterError, match="x must name at least one column; leave it out"):
        refuse_none("x", ())
    refuse_none("x", None)
