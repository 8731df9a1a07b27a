"""Random small tables, as plain Python objects."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.witness.tree import Tree

__all__ = ["RandomTable", "tables", "trees"]


@dataclass(frozen=True)
class RandomTable:
    """A table and what is known of its columns.

    Attributes
    ----------
    rows
        The records: column to value, None for a missing value.
    qid, sensitive
        The quasi-identifying columns ``q0``, ``q1``, ... and the sensitive ones ``s0``, ...
    trees
        A taxonomy for each of them, sensitive ones included. It may have leaves that no record
        has. Where values are missing, None is its last leaf, a branch of its own below the root.
    owner
        The column with the owner of each record, if there is one. Its values never miss.
    """

    rows: list[dict[str, Hashable]]
    qid: tuple[str, ...]
    sensitive: tuple[str, ...]
    trees: dict[str, Tree]
    owner: str | None


@st.composite
def trees(draw: st.DrawFn, name: str = "v", max_leaves: int = 6, max_height: int = 3) -> Tree:
    """Draw a taxonomy over ``name0``, ``name1``, ... whose nodes cover neighbouring leaves."""
    n_leaves = draw(st.integers(1, max_leaves))
    height = draw(st.integers(1, max_height))
    node_of = list(range(n_leaves))  # by leaf, its node on the current level
    levels: list[list[Hashable]] = [[f"{name}{i}" for i in node_of]]
    for level in range(1, height):
        ends = draw(st.lists(st.booleans(), min_size=max(node_of), max_size=max(node_of)))
        node_of = [sum(ends[:node]) for node in node_of]
        levels.append([f"{name}^{level}.{node}" for node in node_of])
    levels.append(["*"] * n_leaves)
    return Tree({path[0]: path for path in zip(*levels, strict=True)})


@st.composite
def tables(
    draw: st.DrawFn,
    *,
    min_records: int = 0,
    max_records: int = 25,
    min_qid: int = 1,
    max_qid: int = 4,
    max_sensitive: int = 2,
    max_leaves: int = 6,
    max_height: int = 3,
    missing: bool = True,
    owner: bool = True,
) -> RandomTable:
    """Draw a table; ``missing`` and ``owner`` say whether these may occur, not that they do."""
    qid = tuple(f"q{i}" for i in range(draw(st.integers(min_qid, max_qid))))
    sensitive = tuple(f"s{i}" for i in range(draw(st.integers(1, max_sensitive))))
    n = draw(st.integers(min_records, max_records))
    known: dict[str, Tree] = {}
    columns: dict[str, list[Hashable]] = {}
    for name in (*qid, *sensitive):
        tree = draw(trees(name, max_leaves, max_height))
        values = draw(_column(tree.leaves, n, skewed=name in sensitive, missing=missing))
        known[name] = _with_missing(tree) if None in values else tree
        columns[name] = values
    has_owner = owner and draw(st.booleans())
    if has_owner:
        people = st.integers(0, draw(st.integers(0, max(n - 1, 0))))
        columns["owner"] = draw(st.lists(people.map(_person), min_size=n, max_size=n))
    rows = [{name: values[i] for name, values in columns.items()} for i in range(n)]
    return RandomTable(rows, qid, sensitive, known, "owner" if has_owner else None)


@st.composite
def _column(
    draw: st.DrawFn, leaves: list[Hashable], n: int, *, skewed: bool, missing: bool
) -> list[Hashable]:
    order = draw(st.permutations(leaves))
    # Each value comes twice as often as the next one in this order.
    pool = [v for i, v in enumerate(reversed(order)) for _ in range(2**i)] if skewed else leaves
    value = st.sampled_from(pool)
    if missing and draw(st.integers(0, 3)) == 0:
        value = st.sampled_from([*pool, *[None] * max(len(pool) // 4, 1)])
    return draw(st.lists(value, min_size=n, max_size=n))


def _with_missing(tree: Tree) -> Tree:
    return Tree({**tree.paths, None: (None,) * tree.height + ("*",)})


def _person(number: int) -> Hashable:
    return f"p{number}"
