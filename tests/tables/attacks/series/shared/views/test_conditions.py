"""Selections in written form."""

from __future__ import annotations

import pytest

from unlinkable.errors import ParameterError
from unlinkable.tables.attacks.series.shared.views.conditions import (
    Condition,
    Selection,
    as_texts_of,
)


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("", []),
        ("  ", []),
        ("age > 45", [("age", ">", "45")]),
        ("45 < age", [("age", ">", "45")]),
        ("40 < age <= 55", [("age", ">", "40"), ("age", "<=", "55")]),
        ("Zip Code = 25961", [("Zip Code", "=", "25961")]),
        ('job = "a and b" and age >= -1.5', [("job", "=", "a and b"), ("age", ">=", "-1.5")]),
        ('job != "a=b"', [("job", "!=", "a=b")]),
        ("born < 2001-02-03 AND sex = f", [("born", "<", "2001-02-03"), ("sex", "=", "f")]),
    ],
)  # fmt: skip
def test_selections_are_comparisons_joined_by_and(
    text: str, conditions: list[tuple[str, str, str]]
) -> None:
    found = Selection.read(text).conditions
    assert [(c.column, c.mark, c.value) for c in found] == conditions


@pytest.mark.parametrize(
    "text", ["age", "age >", "> 5", "1 < age > 5", "1 < 2 < 3", "a < b < c < d", "age > old"]
)
def test_what_is_no_comparison_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="write comparisons like"):
        Selection.read(text)


@pytest.mark.parametrize(
    ("mark", "value", "texts"),
    [
        (">=", "45", (">=45",)),
        ("<", "45", ("<45",)),
        (">", "45", (">=45.00000000000001",)),
        ("<=", "45", ("<45.00000000000001",)),
        (">", "2024-02-28", (">=2024-02-29",)),
        ("=", "45", ("45", ">=45.00000000000001")),
        ("!=", "cook", ("cook",)),
    ],
)
def test_comparisons_are_written_as_published_values(
    mark: str, value: str, texts: tuple[str, ...]
) -> None:
    assert Condition("x", mark, value).texts() == texts


def test_a_category_that_looks_like_a_number_is_a_category() -> None:
    assert Condition("x", "=", "45").texts(on_scale=False) == ("45",)


def test_one_text_is_a_list_of_one() -> None:
    assert (as_texts_of("x"), as_texts_of(None), as_texts_of(["x", "y"])) == (
        ("x",),
        (),
        ("x", "y"),
    )
