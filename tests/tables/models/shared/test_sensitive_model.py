"""Promises about a sensitive column: which column, and what if it is not there."""

from __future__ import annotations

import pytest

from tests.tables.groups.plain import groups_of
from unlinkable.errors import SchemaError
from unlinkable.tables.models import (
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveCLDiversity,
    TCloseness,
)
from unlinkable.tables.models.base import BindingContext
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel

MODELS: list[SensitiveModel] = [
    DistinctLDiversity(2),
    EntropyLDiversity(1.5),
    RecursiveCLDiversity(c=3, l=2, strict=False),
    TCloseness(0.2, distance="ordered"),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_binding_changes_nothing_but_the_column(model: SensitiveModel) -> None:
    (bound,) = model.bind(BindingContext(sensitive=("disease",)))
    assert bound.sensitive == "disease"
    assert bound.needs() == {("disease",)}
    assert str(bound).replace(', sensitive="disease"', "") == str(model)
    assert bound.bind(BindingContext(sensitive=("salary", "disease"))) == (bound,)


def test_becomes_one_promise_for_every_sensitive_column() -> None:
    assert DistinctLDiversity(2).bind(BindingContext(sensitive=("a", "b"))) == (
        DistinctLDiversity(2, sensitive="a"),
        DistinctLDiversity(2, sensitive="b"),
    )
    assert DistinctLDiversity(2, sensitive="b").bind(BindingContext(sensitive=("a", "b"))) == (
        DistinctLDiversity(2, sensitive="b"),
    )


def test_refuses_columns_that_are_not_there() -> None:
    with pytest.raises(
        SchemaError, match=r"no sensitive column 'ilness' among 1 \(did you mean 'illness'\?\)"
    ):
        DistinctLDiversity(2, sensitive="ilness").bind(BindingContext(sensitive=("illness",)))
    with pytest.raises(
        SchemaError,
        match=r"distinct-l-diversity\(l=2\) is about a sensitive column, "
        "and the table has none",
    ):
        DistinctLDiversity(2).bind(BindingContext(sensitive=()))
    with pytest.raises(SchemaError, match="does not say which sensitive column"):
        DistinctLDiversity(2).judge(groups_of([[1, 1]]))
    with pytest.raises(SchemaError, match="needs the values of 'z', which were not counted"):
        DistinctLDiversity(2, sensitive="z").judge(groups_of([[1, 1]]))
