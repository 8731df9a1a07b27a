"""Selections in written form.

Dependencies in written form, and what follows from them.
"""

from __future__ import annotations

import pytest

from unlinkable.errors import ParameterError
from unlinkable.tables.attacks.series.shared.views.conditions import (
    Condition,
    Dependency,
    Selection,
    as_texts_of,
    closed,
    keys,
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


def test_dependencies_have_two_sides() -> None:
    assert Dependency.read("a , b->c") == Dependency(("a", "b"), ("c",))
    for text in ("a", "a ->", "-> b", "a -> b -> c", "a,, b -> c"):
        with pytest.raises(ParameterError, match="is no dependency"):
            Dependency.read(text)


def test_dependencies_tell_all_that_follows() -> None:
    chain = [Dependency.read(t) for t in ("c -> d", "b -> c", "a -> b", "a, d -> a")]
    assert [d.told for d in closed(chain)] == [("d",), ("c", "d"), ("b", "c", "d"), ("b", "c")]
    assert closed([Dependency(("a",), ("a",))]) == ()


def test_who_tells_what_is_known_tells_people_apart() -> None:
    chain = closed([Dependency.read(t) for t in ("c -> a", "d -> c", "a -> e")])
    assert keys(("a", "b"), chain) == (("a", "b"), ("b", "c"), ("b", "d"))
    assert keys(("a", "c"), chain) == (("a", "c"), ("c",), ("d",))
