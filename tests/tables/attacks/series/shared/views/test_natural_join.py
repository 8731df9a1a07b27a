"""The natural join of views."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.tables import frame_of_case
from unlinkable.tables.attacks.series.shared.views import natural_join as module
from unlinkable.tables.attacks.series.shared.views.natural_join import (
    figures,
    natural_join,
    of_view,
)

CASE = load("book-ch08-ex8.1-join-attack")


def test_example_8_1_of_the_book() -> None:
    given, told = CASE["input"], CASE["expected"]
    joined = natural_join([frame_of_case(given["T1"]), frame_of_case(given["T2"])])
    assert joined is not None
    assert len(joined) == told["stated"]["join_size"]
    stated = told["stated"]["join"]
    order = [stated["columns"].index(name) for name in joined.columns]
    rows = Counter(tuple(str(row[i]) for i in order) for row in stated["rows"])
    assert joined.named() == rows
    sizes = joined.on(tuple(given["X"])).named()
    assert sizes == {
        tuple(key.split("|")): n for key, n in told["computed"]["group_sizes_on_X_in_join"].items()
    }
    both = figures(joined, tuple(given["X"]), tuple(given["Y"]))
    assert both == module.Figures(told["computed"]["min_group_size_on_X"], Fraction(1))
    views = [of_view(frame_of_case(given[name])) for name in ("T1", "T2")]
    alone = [figures(view, tuple(given["X"]), ("Disease",)) for view in views]
    assert alone == [module.Figures(2, None), module.Figures(1, Fraction(1))]
    by_place = of_view(frame_of_case(given["T2"])).on(("Birthplace", "Disease")).named()
    us = {ill: n for (place, ill), n in by_place.items() if place == "US"}
    assert us["Cancer"] / sum(us.values()) == told["computed"]["conf_US->Cancer_in_T2_alone"]


TEXTS = st.sampled_from("xyz")


@given(
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6),
    st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6),
)
def test_joins_by_definition(first: list[tuple[str, str]], then: list[tuple[str, str]]) -> None:
    joined = natural_join(
        [
            pl.DataFrame(first, schema=["a", "b"], orient="row"),
            pl.DataFrame(then, schema=["b", "c"], orient="row"),
        ]
    )
    rows = Counter((a, b, c) for a, b in first for d, c in then if b == d)
    assert joined is not None
    assert joined.named() == rows
    found = figures(joined, ("a",), ("c",))
    if not rows:
        assert found is None
        return
    groups = Counter(a for a, _, _ in rows.elements())
    pairs = Counter((a, c) for a, _, c in rows.elements())
    shares = {Fraction(n, groups[a]) for (a, _), n in pairs.items()}
    assert found is not None
    assert (found.smallest, found.surest) == (min(groups.values()), max(shares))


def test_views_that_have_nothing_in_common_are_not_joined() -> None:
    views = [pl.DataFrame({name: ["x", "y"]}) for name in "abb"]
    assert natural_join(views[:2]) is None
    joined = natural_join(views[1:])
    assert joined is not None
    assert joined.columns == ("b",)


def test_a_join_that_is_too_large_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_ROWS", 1)
    views = [pl.DataFrame({"a": ["x", "x"], "b": [1, 2]}), pl.DataFrame({"a": ["x"], "c": [1]})]
    assert natural_join(views) is None
