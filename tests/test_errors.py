"""Errors: who can put them right, and which name may be meant."""

from __future__ import annotations

import pytest

from unlinkable import errors
from unlinkable.errors import UnlinkableError, unknown


@pytest.mark.parametrize("name", [n for n in errors.__all__ if n.endswith("Error")])
def test_every_error_is_one_of_the_library_and_says_what_it_is(name: str) -> None:
    error = getattr(errors, name)
    assert issubclass(error, UnlinkableError)
    assert error.__doc__


@pytest.mark.parametrize("name", ["ParameterError", "DataError", "SchemaError", "TaxonomyError"])
def test_wrong_input_is_also_a_value_error(name: str) -> None:
    assert issubclass(getattr(errors, name), ValueError)


@pytest.mark.parametrize(
    ("name", "known", "text"),
    [
        ("HVI", ["HIV", "Flu"], "no value 'HVI' among 2 (did you mean 'HIV'?)"),
        ("x", ["HIV", "Flu"], "no value 'x' among 2 (there are 'HIV', 'Flu')"),
        ("x", [], "no value 'x' among 0"),
        ("x", map(str, range(100, 120)), "no value 'x' among 20"),
        (7, [70, 71], "no value '7' among 2 (did you mean '71'?)"),
    ],
)
def test_a_name_that_is_not_known_comes_with_the_one_that_may_be_meant(
    name: object, known: list[object], text: str
) -> None:
    assert unknown("value", name, known) == text
