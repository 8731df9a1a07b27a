"""Mask: zip codes and other codes, character by character."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.data.taxonomies import columns, upto
from unlinkable.errors import ParameterError, TaxonomyError
from unlinkable.tables.taxonomies import Kind, observe
from unlinkable.tables.taxonomies.builders import Mask, Observed
from unlinkable.tables.taxonomies.published_values import write_level


def by_definition(value: str, length: int, keep: int, left: bool) -> str:
    """Fill up on the masked side, then keep some characters of the other."""
    stars = "*" * (length - keep)
    if left:
        return stars + value.rjust(length)[length - keep :]
    return value.ljust(length)[:keep] + stars


def test_figure_20_2_keeps_5_3_2_1_and_0_digits() -> None:
    case = cases.load("aggarwal-zip-alternate-hierarchy")
    values = case["input"]["values"]
    rule = Mask(5, keep=case["input"]["level_prefix_lengths"])
    taxonomy = rule.build(observe("zip", values))
    assert taxonomy.domain.values.tolist() == values
    shown = [write_level(taxonomy, i, upto(4)).tolist() for i in range(taxonomy.height + 1)]
    for value, path in zip(values, zip(*shown, strict=True), strict=True):
        assert list(path) == [*case["expected"]["levels"][value][:-1], "*"]


def test_masks_one_character_after_the_other_if_not_told_otherwise() -> None:
    taxonomy = Mask(5).build(observe("zip", ["13053", "13068", "14850"]))
    assert [level.labels for level in taxonomy.levels[1:]] == [
        ("1305*", "1306*", "1485*"),
        ("130**", "148**"),
        ("13***", "14***"),
        ("1****",),
        ("*",),
    ]


def test_masks_from_the_left() -> None:
    taxonomy = Mask(3, left=True).build(observe("tail", ["123", "923", "100"]))
    assert taxonomy.domain.values.tolist() == ["100", "123", "923"]
    assert [level.labels for level in taxonomy.levels[1:-1]] == [("*00", "*23"), ("**0", "**3")]


def test_shorter_values_are_filled_up_with_blanks() -> None:
    taxonomy = Mask(5, keep=(4, 3)).build(observe("icd", ["J45", "J45.1", "J45.2", "J46"]))
    assert [level.labels for level in taxonomy.levels[1:-1]] == [
        ("J45 *", "J45.*", "J46 *"),
        ("J45**", "J46**"),
    ]


def test_whole_numbers_get_their_leading_zeros_back() -> None:
    taxonomy = Mask(5, keep=(3, 1)).build(observe("zip", [1234, 13053, 13068]))
    assert taxonomy.domain.kind is Kind.NUMBER
    assert [level.labels for level in taxonomy.levels[1:-1]] == [
        ("012**", "130**"),
        ("0****", "1****"),
    ]
    with_gaps = Mask(2).build(observe("zip", [12.0, 13.0, None]))
    assert with_gaps.levels[1].labels == ("1*", "")


@given(columns("code"), st.booleans())
def test_every_value_is_masked_as_defined(observed: Observed, left: bool) -> None:
    rule = Mask(5, left=left)
    taxonomy = rule.build(observed)
    n = taxonomy.domain.n_present
    for i, keep in enumerate(rule.lengths, start=1):
        expected = [by_definition(v, 5, keep, left) for v in taxonomy.domain.values.tolist()]
        assert write_level(taxonomy, i, upto(n)).tolist() == expected


def test_refuses_values_that_are_too_long() -> None:
    message = "values longer than 3 characters: '1234', '12345', '2345' and 1 more: mask 5, or"
    with pytest.raises(TaxonomyError, match=message):
        Mask(3).build(observe("zip", ["123", "1234", "12345", "2345", "9999"]))
    with pytest.raises(TaxonomyError, match="longer than 3 characters: '1234'"):
        Mask(3).build(observe("zip", [123, 1234]))


@pytest.mark.parametrize("values", [[-1, 5], [1.5, 2.0]])
def test_refuses_numbers_that_have_no_digits_to_mask(values: list[float]) -> None:
    with pytest.raises(TaxonomyError, match="column 'x' cannot be masked as numbers"):
        Mask(3).build(observe("x", values))


def test_refuses_numbers_of_too_many_digits() -> None:
    with pytest.raises(TaxonomyError, match="at most 18 digits"):
        Mask(19).build(observe("x", [5]))


def test_refuses_numbers_from_the_left_and_dates() -> None:
    with pytest.raises(TaxonomyError, match="holds numbers, which cannot be masked from the left"):
        Mask(3, left=True).build(observe("x", [123]))
    with pytest.raises(TaxonomyError, match="holds dates, which cannot be masked: use Dates"):
        Mask(10).build(observe("x", [date(2024, 1, 1)]))


def test_refuses_a_value_that_looks_masked_already() -> None:
    with pytest.raises(TaxonomyError, match=r"'130\*\*' means two things"):
        Mask(5).build(observe("zip", ["130**", "13053"]))


@pytest.mark.parametrize(
    ("keep", "message"),
    [
        ((3, 3), "keep must fall from level to level, got"),
        ((1, 3), "keep must fall"),
        ((6, 3), "from 0 to 5, got"),
        ((3, -1), "from 0 to 5, got"),
        ((3.5,), "from 0 to 5, got"),
    ],
)
def test_refuses_lengths_that_mean_nothing(keep: tuple[int, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Mask(5, keep=keep)


def test_refuses_to_mask_nothing() -> None:
    with pytest.raises(ParameterError, match="length must be at least 1, got 0"):
        Mask(0)
