"""Trees that fit earlier releases."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.linked_columns import ranges_together
from unlinkable.tables.methods.cuts.shared.guides import Numbers
from unlinkable.tables.methods.cuts.shared.node_tree import Tree as Nodes
from unlinkable.tables.series.continuous.nested_trees import PublishedRanges, nested_tree
from unlinkable.tables.taxonomies.builders import Tree
from unlinkable.tables.taxonomies.published_values import write_ranges
from unlinkable.typing import CodeArray

Range = tuple[int, int]


@st.composite
def laminar(draw: st.DrawFn, lo: int, hi: int, n: int) -> list[list[Range]]:
    """Draw cuts of a stretch of numbers whose ranges are nested in each other."""
    if hi - lo < 2:
        return [[(lo, hi)] for _ in range(n)]
    middle = draw(st.integers(lo + 1, hi - 1))
    halves = draw(laminar(lo, middle, n)), draw(laminar(middle, hi, n))
    return [[(lo, hi)] if draw(st.booleans()) else [*halves[0][i], *halves[1][i]] for i in range(n)]


def text(part: Range) -> str:
    return str(part[0]) if part[1] - part[0] == 1 else f"[{part[0]}-{part[1]})"


def earlier_of(table: Table, frames: list[pl.DataFrame]) -> PublishedRanges:
    """Take what releases show on the column q of a table."""
    taxonomy, codes = table.taxonomy("q"), table.codes("q")
    every = [*frames, table.frame.select("q")]
    *shown, (lo, _) = ranges_together(every, "q", [taxonomy])
    starts = []
    for theirs_lo, theirs_hi in shown:
        start = np.full(taxonomy.n, taxonomy.n, np.int32)
        for a, b in {*zip(theirs_lo.tolist(), theirs_hi.tolist(), strict=True)}:
            inside = codes[(lo >= a) & (lo < b)]
            start[inside] = inside.min(initial=taxonomy.n)
        starts.append(start)
    return PublishedRanges("q", every, [None] * len(frames) + [taxonomy], starts)


def is_nested(a: Range, b: Range) -> bool:
    return (
        a[1] <= b[0]
        or b[1] <= a[0]
        or (a[0] <= b[0] and b[1] <= a[1])
        or (b[0] <= a[0] and a[1] <= b[1])
    )


def built(
    values: list[int | None], cuts: list[list[Range]], numbers: Numbers
) -> tuple[Table, Nodes]:
    table = as_table({"q": values}, quasi="q")
    present = [v for v in values if v is not None]
    frames = [
        pl.DataFrame(
            {"q": [text(part) for part in cut if any(part[0] <= v < part[1] for v in present)]}
        )
        for cut in cuts
    ]
    sizes = np.bincount(table.codes("q"), minlength=table.taxonomy("q").n)
    return table, nested_tree(table.taxonomy("q"), numbers, sizes, earlier_of(table, frames))


numbers_now = st.lists(st.integers(0, 15) | st.none(), min_size=1, max_size=12).filter(
    lambda values: any(v is not None for v in values)
)


@given(numbers_now, laminar(0, 16, 2), st.sampled_from(Numbers))
def test_all_nodes_are_nested_with_what_earlier_releases_show(
    values: list[int | None], cuts: list[list[Range]], numbers: Numbers
) -> None:
    table, tree = built(values, cuts, numbers)
    texts = write_ranges(table.taxonomy("q"), tree.lo, tree.hi)
    present = [v for v in values if v is not None]
    for written in texts.tolist():
        if written is None or written == "*":
            continue
        lo, _, hi = written.strip("[)").partition("-")
        shown = (int(lo), int(hi) if hi else int(lo) + 1)
        for cut in cuts:
            inhabited = [p for p in cut if any(p[0] <= v < p[1] for v in present)]
            assert all(is_nested(shown, part) for part in inhabited)


@given(numbers_now, laminar(0, 16, 2), st.sampled_from(Numbers))
def test_children_part_their_node_and_values_are_leaves(
    values: list[int | None], cuts: list[list[Range]], numbers: Numbers
) -> None:
    table, tree = built(values, cuts, numbers)
    assert (tree.lo[0], tree.hi[0]) == (0, table.taxonomy("q").n)
    for node in range(len(tree)):
        below = tree.children(node)
        if below.size:
            assert tree.lo[below].tolist() == [tree.lo[node], *tree.hi[below][:-1]]
            assert tree.hi[below][-1] == tree.hi[node]
        else:
            assert n_occurring(table.codes("q"), int(tree.lo[node]), int(tree.hi[node])) <= 1


def n_occurring(codes: CodeArray, lo: int, hi: int) -> int:
    return len({code for code in codes.tolist() if lo <= code < hi})


def test_nodes_that_cross_what_was_shown_are_left_out() -> None:
    jobs = Tree({"maker": ["cook", "smith"], "teller": ["bard"]})
    table = as_table({"q": ["cook", "smith", "bard"]}, quasi="q", taxonomies={"q": jobs})
    frames = [pl.DataFrame({"q": ["{smith, bard}", "cook"]})]
    sizes = np.ones(3, np.int64)
    tree = nested_tree(table.taxonomy("q"), Numbers.SPLIT, sizes, earlier_of(table, frames))
    texts = write_ranges(table.taxonomy("q"), tree.lo, tree.hi).tolist()
    assert texts == ["*", "cook", "smith", "bard"]
    assert tree.parent.tolist() == [-1, 0, 0, 0]


def test_without_earlier_releases_numbers_are_cut_most_evenly() -> None:
    table, tree = built([1, 2, 3, 3, 3, None], [], Numbers.SPLIT)
    texts = write_ranges(table.taxonomy("q"), tree.lo, tree.hi).tolist()
    assert texts[:5] == ["*", "[1-4)", None, "[1-3)", "3"]
