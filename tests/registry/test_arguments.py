"""Arguments: what is written, what is meant, and there and back."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, StrEnum
from fractions import Fraction

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import ParameterError
from unlinkable.registry.arguments import (
    arguments_of,
    choices_of,
    plain,
    read_argument,
    type_text,
)


class Ground(StrEnum):
    """A choice by text."""

    EQUAL = "equal"
    ORDERED = "ordered"


class Depth(Enum):
    """A choice by number."""

    ONE = 1
    TWO = 2


Names = tuple[str, ...]

HINTS: list[tuple[object, str]] = [
    (int, "whole number"),
    (float, "number"),
    (Fraction, "number"),
    (bool, "true or false"),
    (str, "text"),
    (Ground, "text"),
    (Names, "list of text"),
    (Names | None, "list of text or none"),
    (str | Names | None, "text or list of text or none"),
    (frozenset[int], "list of whole number"),
    (float | Fraction, "number"),
]


@pytest.mark.parametrize(("hint", "words"), HINTS)
def test_a_type_is_told_in_words(hint: object, words: str) -> None:
    assert type_text(hint) == words


@pytest.mark.parametrize("hint", [Callable[[], int], object, dict[str, int]])
def test_a_type_that_cannot_be_written_is_a_defect_of_its_class(hint: object) -> None:
    with pytest.raises(TypeError, match="cannot be written down"):
        type_text(hint)


@pytest.mark.parametrize(
    ("hint", "written", "meant"),
    [
        (int, 5, 5),
        (float, 5, 5.0),
        (float, Fraction(1, 4), 0.25),
        (Fraction, 0.1, Fraction(1, 10)),
        (Fraction, "2/3", Fraction(2, 3)),
        (bool, True, True),
        (Ground, "ordered", Ground.ORDERED),
        (Ground, Ground.EQUAL, Ground.EQUAL),
        (Ground | None, "equal", Ground.EQUAL),
        (Depth, 2, Depth.TWO),
        (Names, ["a", "b"], ("a", "b")),
        (Names | None, "a", ("a",)),
        (Names | None, None, None),
        (frozenset[str], ["a", "a"], frozenset({"a"})),
        (tuple[int, str], [1, "a"], (1, "a")),
        (tuple[Ground, ...], ["equal"], (Ground.EQUAL,)),
        (str | Names, "a", "a"),
        (int | str, "a", "a"),
    ],
)
def test_what_is_written_is_read_as_what_is_meant(
    hint: object, written: object, meant: object
) -> None:
    read = read_argument("x", hint, written)
    assert read == meant
    assert type(read) is type(meant)


@pytest.mark.parametrize(
    ("hint", "written", "message"),
    [
        (int, 5.0, r"x must be a whole number, got 5\.0"),
        (int, True, "x must be a whole number, got True"),
        (int | None, "5", "x must be a whole number, got '5'"),
        (float, "0.5", r"x must be a number, got '0\.5'"),
        (float, float("nan"), "x must be a number, got nan"),
        (float, 10**400, "x is too large a number"),
        (Fraction, 10**300 + 1, "x must be a number of at most 300 digits, got a number of too"),
        (Fraction, Fraction(1, 10**300 + 1), "x must be a number of at most 300 digits, got"),
        (Fraction, 1.0000000000000002e300, r"x must be a number of at most 300 digits, got 1\.0"),
        (Fraction, 1e-301, "x must be a number of at most 300 digits, got 1e-301"),
        (Fraction, "much", "x must be a number or a fraction like 2/3, got 'much'"),
        (bool, 1, "x must be true or false, got 1"),
        (str, 1, "x must be text, got 1"),
        (Names, ["a", 1], "x must be text, got 1"),
        (tuple[int, int], [1], "x must be a list of 2, got 1"),
        (Ground, "orderd", r"no x 'orderd' among 2 \(did you mean 'ordered'\?\)"),
        (Depth, True, "no x 'True' among 2"),
        (int | str, [1], r"x must be a whole number or text, got \[1\]"),
        (str, None, "x must be text, got None"),
        (str, [{"name": "Ann"}], "x must be text, got a list$"),
    ],
)
def test_what_cannot_be_meant_is_refused(hint: object, written: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        read_argument("x", hint, written)


def test_choices_are_those_of_enums() -> None:
    assert choices_of(Ground | None) == ("equal", "ordered")
    assert choices_of(Names | None) == ()


WHOLE = st.integers(1, 10**300)
FLOATS = st.floats(-1e300, 1e300).filter(lambda x: x == 0 or abs(x) >= 1e-280)


@given(st.builds(Fraction, WHOLE | WHOLE.map(int.__neg__), WHOLE) | st.fractions() | FLOATS)
def test_exact_numbers_come_back(number: Fraction | float) -> None:
    meant = read_argument("x", Fraction, number)
    assert read_argument("x", Fraction, plain(meant)) == meant


@pytest.mark.parametrize("vast", [Fraction(10**300 - 3, 7), Fraction(1, 10**300 - 1)])
def test_a_fraction_that_no_float_is_is_written_as_text(vast: Fraction) -> None:
    assert isinstance(plain(vast), str)
    assert read_argument("x", Fraction, plain(vast)) == vast


def test_every_sort_of_value_is_written_plainly() -> None:
    assert plain((Ground.EQUAL, Depth.ONE, None, True)) == ["equal", 1, None, True]
    assert plain(frozenset({"b", "a"})) == ["a", "b"]
    assert plain(Fraction(4, 2)) == 2


def test_what_no_plan_can_hold_is_refused() -> None:
    with pytest.raises(ParameterError, match="complex is nothing that a plan can hold"):
        plain(1j)


def test_arguments_are_those_that_differ_from_their_defaults() -> None:
    @frozen
    class Thing:
        name = "thing"
        k: int
        l: int = 3  # noqa: E741
        _cache: int = field(default=0, alias="cache")

    assert arguments_of(Thing(5)) == {"k": 5}
    assert arguments_of(Thing(5, 4, 1)) == {"k": 5, "l": 4}
