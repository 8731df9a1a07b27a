"""Parameters: exact numbers, refusals in one wording, and bounds that can be told."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from attrs import field, fields, frozen, has
from attrs.validators import and_, optional
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from unlinkable.errors import ParameterError
from unlinkable.params import (
    Between,
    as_columns,
    at_least,
    at_most,
    bounds_of,
    exact,
    is_share,
    one_of,
    positive,
)
from unlinkable.registry.lookup import entries
from unlinkable.tables.models.base import GroupModel


@frozen(kw_only=True)
class Knobs:
    """One of each."""

    k: int = field(default=2, validator=at_least(2))
    l: float = field(default=1.5, validator=at_least(1))  # noqa: E741
    weight: float = field(default=1.0, validator=positive)
    share: Fraction = field(default=Fraction(1), converter=exact, validator=is_share)
    t: Fraction = field(default=Fraction(1), converter=exact, validator=at_most(1))
    way: str = field(default="up", validator=one_of("up", "down"))


@given(st.integers(-(10**6), 10**6), st.integers(0, 6))
def test_a_float_is_the_decimal_that_its_author_wrote(digits: int, places: int) -> None:
    text = f"{digits}e-{places}"
    assert exact(float(text)) == Fraction(text)


def test_numbers_of_every_sort_are_read_exactly() -> None:
    assert exact("2/3") == Fraction(2, 3)
    assert exact(Decimal("0.1")) == exact(np.float64(0.1)) == Fraction(1, 10)
    assert exact(3) == 3


@pytest.mark.parametrize(
    "value", [True, "many", "1/0", "", "1e99999", "1e-9999999999", float("inf"), float("nan"), None]
)
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ParameterError, match="expected a number"):
        exact(value)


def test_an_infinite_decimal_is_refused() -> None:
    with pytest.raises(ParameterError, match="expected a number or a fraction"):
        exact(Decimal("Infinity"))


def test_columns_are_one_name_or_several() -> None:
    assert as_columns("age") == ("age",)
    assert as_columns(["age", "zip"]) == ("age", "zip")
    assert as_columns(None) is None


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": 1}, "^k must be at least 2, got 1$"),
        ({"k": 2.5}, r"^k must be a whole number, got 2\.5$"),
        ({"k": True}, "^k must be a whole number, got True$"),
        ({"l": 0.5}, r"^l must be at least 1, got 0\.5$"),
        ({"weight": 0}, "^weight must be greater than 0, got 0$"),
        ({"share": 0}, r"^share must lie in \(0, 1\], got 0$"),
        ({"share": "3/2"}, r"^share must lie in \(0, 1\], got 3/2$"),
        ({"t": "1.01"}, "^t must be at most 1, got 101/100$"),
        ({"way": "left"}, r"^way must be one of \('up', 'down'\), got 'left'$"),
    ],
)
def test_refusals_have_one_wording(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Knobs(**parameters)


def test_what_is_at_the_bound_is_allowed() -> None:
    Knobs(k=2, l=1, share=1, t=1, way="down")


@pytest.mark.parametrize(
    ("validator", "words"),
    [
        (at_least(2), "at least 2"),
        (at_most(1), "at most 1"),
        (positive, "greater than 0"),
        (is_share, "in (0, 1]"),
        (one_of("up", "down"), "one of up, down"),
        (optional(at_least(2)), "at least 2"),
        (and_(positive, is_share), "greater than 0 and in (0, 1]"),
        (optional(and_(positive, at_least(3))), "greater than 0 and at least 3"),
        (lambda instance, attribute, value: None, None),
        (None, None),
    ],
)
def test_a_validator_tells_its_bounds(validator: object, words: str | None) -> None:
    assert bounds_of(validator) == words


def test_no_parameter_of_anything_takes_a_name_twice() -> None:
    """Whatever has a name and a list of columns or values, an attack and a method too."""
    seen = 0
    for entry in entries():
        if not has(entry.make):
            continue
        for parameter in fields(entry.make):
            if "Columns" in str(parameter.type) and not parameter.name.startswith("_"):
                is_nested = "tuple[Columns" in str(parameter.type)
                doubled: object = ["age", "sex", "age"]
                with pytest.raises(ParameterError, match="'age' is named twice: name each once"):
                    parameter.converter([doubled] if is_nested else doubled)
                seen += 1
    assert seen > 40


@pytest.mark.parametrize(
    "written",
    [
        "k-anonymity(k=2, qid=[age, age])",
        "lkc-privacy(l=1, k=2, c=0.5, values=[hiv, hiv])",
        "ff-anonymity(h=0.5, columns=[age, age])",
    ],
)
def test_a_written_promise_that_names_something_twice_is_refused(written: str) -> None:
    with pytest.raises(ParameterError, match="is named twice: name each once"):
        GroupModel.read(written)


@pytest.mark.parametrize("number", [exact, lambda frame: ul.KAnonymity(frame)])
def test_a_table_in_place_of_a_number_is_not_shown(number: Callable[[Any], object]) -> None:
    with pytest.raises(ParameterError, match=r"got a DataFrame$"):
        number(pl.DataFrame({"name": ["Ann"]}))


def test_a_table_in_place_of_its_name_is_not_shown() -> None:
    people: Any = pl.DataFrame({"name": ["Ann"]})
    patients = ul.as_table({"job": ["cook"]}, quasi="job")
    with pytest.raises(ParameterError, match=r"'people': ...}: got a DataFrame for the name"):
        ul.check(patients, ul.KMap(3, population=people))


@frozen
class Thing:
    """Something with two intervals."""

    half: float = field(default=0.5, validator=Between(0, 1, has_lowest=True))
    whole: float = field(default=0.5, validator=Between(0, 1, has_highest=True))


def test_ends_belong_or_not() -> None:
    assert Thing(half=0, whole=1) == Thing(half=0, whole=1)
    with pytest.raises(ParameterError, match=r"half must lie in \[0, 1\), got 1"):
        Thing(half=1)
    with pytest.raises(ParameterError, match=r"half must lie in \[0, 1\), got -1"):
        Thing(half=-1)
    with pytest.raises(ParameterError, match=r"whole must lie in \(0, 1\], got 0"):
        Thing(whole=0)
    with pytest.raises(ParameterError, match=r"whole must lie in \(0, 1\], got 2"):
        Thing(whole=2)


def test_bounds_are_told_in_help_texts() -> None:
    assert bounds_of(Between(0, 100, has_highest=True)) == "in (0, 100]"
