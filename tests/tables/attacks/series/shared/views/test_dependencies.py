"""Dependencies in written form, and what follows from them."""

from __future__ import annotations

import pytest

from unlinkable.errors import ParameterError
from unlinkable.tables.attacks.series.shared.views.dependencies import Dependency, closed, keys


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
