"""Columns of the same people, and what policies publish of them, some at a time."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
from hypothesis import currently_in_test_context, event
from hypothesis import strategies as st

import unlinkable as ul
from tests.witness.models import Row
from tests.witness.tree import Tree
from unlinkable.errors import ChannelError, InfeasibleError, UnsupportedError
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.series.next_release import Next, next_release
from unlinkable.tables.series.policy import Past, Policy, Request

__all__ = ["HIDDEN", "TREES", "Ask", "crowds", "kinds", "people_from", "published"]

NESTED: dict[str, Any] = {
    "a": {"*": {"A": {"a0": {}, "a1": {}}, "B": {"a2": {}, "a3": {}}}},
    "b": {"*": {"b0": {}, "b1": {}}},
    "c": {"*": {"C": {"c0": {}, "c1": {}}, "D": {"c2": {}, "c3": {}}}},
}
TREES = {name: Tree.nested(nested) for name, nested in NESTED.items()}
HIDDEN = {"s": "xyz", "t": "uv"}
LEAVES: dict[str, Sequence[Hashable]] = {**{n: t.leaves for n, t in TREES.items()}, **HIDDEN}

Ask = tuple[Policy, Sequence[str], tuple[GroupModel, ...], Method | None]
"""How to publish, a table of which columns, what to promise of it, and by which method."""


def kinds(columns: str, n_leaves: int = 4) -> st.SearchStrategy[Row]:
    """Draw what somebody has, out of the first values of each column."""
    return st.fixed_dictionaries({c: st.sampled_from(LEAVES[c][:n_leaves]) for c in columns})


@st.composite
def crowds(draw: st.DrawFn, columns: str, max_people: int) -> list[Row]:
    """Draw people of whom some are alike, and most of these hide different values of s."""
    rows: list[Row] = []
    for _ in range(draw(st.integers(2, 3))):
        alike = draw(kinds(columns, 3))
        hidden = draw(st.permutations("xyzx"))[: draw(st.integers(1, 3))]
        rows += [{**alike, "s": value} for value in hidden]
    return rows[:max_people]


def people_from(columns: str, *texts: str) -> list[Row]:
    """Read people from texts.

    >>> people_from("as", "a0 x", "a1 y")
    [{'a': 'a0', 's': 'x'}, {'a': 'a1', 's': 'y'}]
    """
    return [dict(zip(columns, text.split(), strict=True)) for text in texts]


def published(
    rows: Sequence[Row], asked: Sequence[Ask], *, stops: bool = False, forgets: bool = False
) -> Iterator[tuple[int, Next]]:
    """Publish tables of the same people, leaving out, or stopping at, what is refused.

    If it ``forgets``, every release is made as if it were the first.
    """
    past = Past()
    for i, (policy, columns, models, method) in enumerate(asked):
        quasi = [name for name in columns if name in TREES]
        table = ul.as_table(
            {name: [row[name] for row in rows] for name in columns},
            quasi=quasi,
            sensitive=[name for name in columns if name in HIDDEN],
            taxonomies={name: ul.Tree(NESTED[name]) for name in quasi},
        )
        request = Request(table, np.arange(len(rows)), models, method)
        try:
            made = next_release(policy, request, Past() if forgets else past)
        except (ChannelError, InfeasibleError, UnsupportedError) as refused:
            if currently_in_test_context():
                event(f"refused: {type(refused).__name__}")
            if stops:
                return
            continue
        past = Past((*past.editions, made.edition), made.memory, len(rows))
        yield i, made
