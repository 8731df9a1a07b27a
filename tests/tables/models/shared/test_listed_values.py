"""Values by their texts: found in one column and in several, missing ones too."""

from __future__ import annotations

from collections.abc import Hashable

import pytest

from tests.tables.models.counting import counted
from unlinkable.errors import ParameterError
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models import XYAnonymity
from unlinkable.tables.models.shared.listed_values import (
    Values,
    absent,
    as_values,
    mark,
    refuse_invalid_values,
    unknown_values,
)

ROWS: list[dict[str, Hashable]] = [
    {"q": "x", "job": "cook", "age": 30},
    {"q": "x", "job": "cook", "age": 41},
    {"q": "x", "job": None, "age": 30},
]


def hidden(*columns: str) -> Histogram:
    promise = XYAnonymity(1, y=columns)
    return counted(ROWS, ["q"], promise).histograms[columns]


def texts(found: Histogram, values: Values | None) -> set[str]:
    return {found.text(int(code)) for code in mark(found, values).nonzero()[0]}


@pytest.mark.parametrize(
    ("given", "values"),
    [
        (None, None),
        ("HIV", ("HIV",)),
        (["HIV", "flu"], ("HIV", "flu")),
        ([["HIV"], ["flu"]], ("HIV", "flu")),
        ([["cook", "HIV"]], (("cook", "HIV"),)),
    ],
)
def test_one_value_or_several_become_a_tuple(given: list[str] | None, values: Values) -> None:
    assert as_values(given) == values


def test_values_are_found_by_their_texts() -> None:
    assert texts(hidden("job"), ("cook",)) == {"cook"}
    assert texts(hidden("job"), ("",)) == {""}
    assert texts(hidden("age"), ("30", "99")) == {"30"}
    assert texts(hidden("age"), ("",)) == set()
    assert texts(hidden("job"), None) == {"cook", ""}


def test_values_of_several_columns_are_found_together() -> None:
    both = hidden("job", "age")
    assert texts(both, (("cook", "30"), ("", "30"), ("", "41"))) == {"cook, 30", ", 30"}
    assert texts(both, (("clerk", "30"),)) == set()
    assert len(texts(both, None)) == 3


def test_names_the_values_that_no_record_has() -> None:
    assert absent(hidden("job"), ("cook", "clerk", "")) == ("clerk",)
    assert absent(hidden("job", "age"), (("cook", "30"), ("", "41"))) == (", 41",)
    assert absent(hidden("job"), None) == ()


def test_says_what_may_have_been_meant_by_a_value_that_nobody_has() -> None:
    assert unknown_values(hidden("job"), ("cook", "")) == ()
    assert unknown_values(hidden("job"), ("cok",)) == (
        "no value 'cok' among 1 (did you mean 'cook'?)",
    )
    (told,) = unknown_values(hidden("job", "age"), (("cook", "31"),))
    assert told.startswith("no value '31' among 2")
    assert unknown_values(hidden("job"), None) == ()


def test_numbers_are_values_by_their_texts() -> None:
    assert as_values([30, ["a", 3.0]]) == ("30", ("a", "3"))


def test_refuses_what_is_no_list_of_values() -> None:
    with pytest.raises(ParameterError, match="values must list at least one value; leave it out"):
        refuse_invalid_values(())
    with pytest.raises(ParameterError, match="values must be given by their texts, got None"):
        as_values([None])  # type: ignore[list-item]
    with pytest.raises(ParameterError, match="values must be given by their texts, got nan"):
        as_values([["a", float("nan")]])
    with pytest.raises(ParameterError, match=r"must be a text, got \('a', 'b'\)"):
        refuse_invalid_values((("a", "b"),))
    with pytest.raises(ParameterError, match="a list of 2 texts, one for every column, got 'a'"):
        refuse_invalid_values(("a",), 2)
    refuse_invalid_values(None)
    refuse_invalid_values(("a", ""))
    refuse_invalid_values((("a", "b"),), 2)
