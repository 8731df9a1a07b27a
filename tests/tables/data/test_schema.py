"""Schemas: every column has one role, and what it cannot mean is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.data import ColumnPlan, IdentifierTreatment, Role, Schema
from unlinkable.tables.taxonomies.builders import Flat


def test_columns_are_found_by_role() -> None:
    schema = Schema.of(
        quasi=["age", "zip"],
        sensitive="ill",
        identifiers="name",
        target="back",
        insensitive=["ward"],
        owner="person",
        weight="share",
        taxonomies={"zip": Flat()},
        importance={"age": 2.0},
    )
    assert schema.quasi == ("age", "zip")
    assert schema.sensitive == ("ill",)
    assert (schema.owner, schema.weight) == ("person", "share")
    assert schema.with_role(Role.TARGET, Role.INSENSITIVE) == ("back", "ward")
    assert schema["zip"] == ColumnPlan("zip", Role.QUASI, Flat())
    assert schema["age"].importance == 2.0
    schema.check(["age", "zip", "ill", "name", "back", "ward", "person", "share"])


def test_without_such_columns_there_are_none() -> None:
    schema = Schema.of(quasi="age")
    assert (schema.owner, schema.weight, schema.sensitive) == (None, None, ())


def test_identifiers_are_dropped_unless_something_else_is_asked() -> None:
    assert ColumnPlan("name", Role.IDENTIFIER).treatment is IdentifierTreatment.DROP
    masked = ColumnPlan("name", Role.IDENTIFIER, treatment=IdentifierTreatment("mask"))
    assert masked.treatment is IdentifierTreatment.MASK


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.IDENTIFIER])
def test_only_identifiers_are_treated(role: Role) -> None:
    ColumnPlan("name", role, treatment=IdentifierTreatment.DROP)
    with pytest.raises(SchemaError, match=f"column 'name' is {role.value}, and only identifiers"):
        ColumnPlan("name", role, treatment=IdentifierTreatment.PSEUDONYM)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Schema.of(quasi="a", sensitive="a"), r"column 'a' has 2 roles \(quasi-ident"),
        (
            lambda: Schema((ColumnPlan("a", Role.OWNER), ColumnPlan("b", Role.OWNER))),
            "there can be one owner column",
        ),
        (
            lambda: Schema((ColumnPlan("a", Role.WEIGHT), ColumnPlan("b", Role.WEIGHT))),
            "there can be one weight column",
        ),
        (lambda: Schema.of(quasi="a", importance={"b": 1}), "no column 'b' .* taxonomy or weight"),
        (lambda: Schema.of(quasi="a")["b"], "no column 'b' among 1"),
        (lambda: Schema.of(quasi="a").check(["b"]), "no column 'a' among 1 .* in the table"),
        (lambda: Schema.of(quasi="a").check(["a", "b", "c"]), "no role for 'b', 'c': say what"),
    ],
)
def test_what_a_schema_cannot_mean_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        make()


def test_what_a_column_cannot_mean_is_refused() -> None:
    with pytest.raises(ParameterError, match="importance must be greater than 0, got 0"):
        ColumnPlan("a", Role.QUASI, importance=0)
    with pytest.raises(ParameterError, match="no treatment 'hash' among 3"):
        IdentifierTreatment("hash")
