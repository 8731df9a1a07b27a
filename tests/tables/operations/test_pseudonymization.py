"""What becomes of identifiers: every treatment, and none by accident."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from unlinkable.errors import ParameterError
from unlinkable.tables.data import IdentifierTreatment
from unlinkable.tables.operations import (
    Operation,
    Pseudonymization,
    mask,
    new_key,
    pseudonyms,
)

NAMES = ["Ada", "Alan", None]
KEY = bytes(range(32))


def test_identifiers_are_dropped_unless_something_else_is_asked() -> None:
    assert Pseudonymization().treatment is IdentifierTreatment.DROP
    assert Pseudonymization().apply(NAMES) is None
    assert Pseudonymization().apply(NAMES, KEY) is None


def test_pseudonyms_are_those_of_the_function() -> None:
    operation = Pseudonymization(treatment=IdentifierTreatment.PSEUDONYM, length=20, prefix="P-")
    assert operation.apply(NAMES, KEY) == pseudonyms(NAMES, KEY, length=20, prefix="P-")


def test_masks_are_those_of_the_function() -> None:
    operation = Pseudonymization(
        treatment=IdentifierTreatment.MASK, keep_left=1, keep_right=1, fill="#"
    )
    assert operation.apply(NAMES) == mask(NAMES, keep_left=1, keep_right=1, fill="#")
    assert operation.apply(NAMES) == ["A#a", "A##n", None]


@pytest.mark.parametrize("treatment", IdentifierTreatment)
def test_a_treatment_is_also_known_by_its_name(treatment: IdentifierTreatment) -> None:
    assert Pseudonymization(treatment=IdentifierTreatment(treatment.value)).treatment is treatment


@pytest.mark.parametrize("treatment", IdentifierTreatment)
def test_no_identifier_comes_out(treatment: IdentifierTreatment) -> None:
    published = Pseudonymization(treatment=treatment).apply(["Ada", "Alan"], new_key())
    assert not {"Ada", "Alan"} & set(published or [])


def test_it_is_a_frozen_value_without_secrets() -> None:
    operation = Pseudonymization(treatment=IdentifierTreatment.PSEUDONYM)
    assert isinstance(operation, Operation)
    assert operation == Pseudonymization(treatment=IdentifierTreatment.PSEUDONYM)
    assert "key" not in attrs.fields_dict(Pseudonymization)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        operation.length = 20  # type: ignore[misc]


def test_it_is_written_in_the_form_of_the_registry() -> None:
    assert str(Pseudonymization()) == "pseudonymization"
    masks = Pseudonymization(treatment=IdentifierTreatment.MASK, keep_left=2)
    assert str(masks) == 'pseudonymization(treatment="mask", keep_left=2)'
    assert Pseudonymization.truthful


def test_refuses_pseudonyms_without_a_key() -> None:
    with pytest.raises(ParameterError, match="pseudonyms need a key: name a key file"):
        Pseudonymization(treatment=IdentifierTreatment.PSEUDONYM).apply(NAMES)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"treatment": "hash"}, "no treatment 'hash' among 3"),
        ({"treatment": "pseudonyms"}, "did you mean 'pseudonym'"),
        ({"length": 7}, r"length must lie in \[8, 48\], got 7"),
        ({"length": 16.5}, "length must be a whole number"),
        ({"keep_left": -1}, "keep_left must be at least 0, got -1"),
        ({"keep_right": 1.5}, "keep_right must be a whole number, got 1.5"),
        ({"fill": "ab"}, "fill must be one printable character, got 'ab'"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Pseudonymization(**parameters)
