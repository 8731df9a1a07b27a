"""The kernels of the TEA index do what their names say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.kernels.taxonomy_cuts import tea

N_NODES = 9
"""Nodes 0 to 3 of one column and 4 to 8 of another; 3 and 8 have the others under them."""

rows_of_nodes = st.lists(
    st.tuples(st.integers(0, 2), st.integers(4, 7), st.integers(1, 5)),
    unique_by=lambda row: row[:2],
    max_size=12,
)


class Index:
    """The arrays of an index."""

    def __init__(self, rows: list[tuple[int, int, int]]) -> None:
        n = len(rows)
        self.nodes = np.array([row[:2] for row in rows], np.int32).reshape(n, 2)
        self.sizes = np.array([row[2] for row in rows], np.int64)
        # Few different salts: what is not equal may have the same hash.
        self.salts = (np.arange(N_NODES, dtype=np.uint64) % np.uint64(3)) << np.uint64(60)
        self.hashes = self.salts[self.nodes].sum(axis=1, dtype=np.uint64)
        self.into = np.arange(n, dtype=np.int32)
        self.head = np.full(N_NODES, 7, np.int32)
        self.n_held = np.full(N_NODES, 7, np.int32)
        self.after, self.before = np.empty((2, n), np.int32), np.empty((2, n), np.int32)
        tea.chain(self.nodes, self.head, self.after, self.before, self.n_held)

    def gather(self, children: list[int], j: int) -> list[int]:
        nodes = np.array(children, np.int32)
        return tea.gather(nodes, j, self.head, self.after, self.n_held).tolist()  # type: ignore[no-any-return]

    def join(self, children: list[int], j: int, node: int) -> None:
        rows = np.array(self.gather(children, j), np.int32)
        labels, first = tea.match(rows, j, self.nodes, self.hashes, self.salts)
        tea.join(
            rows,
            labels,
            first,
            np.array(children, np.int32),
            j,
            node,
            self.nodes,
            self.hashes,
            self.salts,
            self.sizes,
            self.into,
            self.head,
            self.after,
            self.before,
            self.n_held,
        )


@given(rows_of_nodes)
def test_chain_and_gather_find_the_groups_that_hold_a_node(
    rows: list[tuple[int, int, int]],
) -> None:
    index = Index(rows)
    for j, children in ((0, [0, 2]), (1, [5]), (1, [4, 6, 7])):
        expected = [g for child in children for g, row in enumerate(rows) if row[j] == child]
        assert index.gather(children, j) == expected


@given(rows_of_nodes)
def test_match_numbers_groups_that_differ_on_one_column_alone(
    rows: list[tuple[int, int, int]],
) -> None:
    index = Index(rows)
    members = np.arange(len(rows), dtype=np.int32)
    labels, first = tea.match(members, 0, index.nodes, index.hashes, index.salts)
    others = [row[1] for row in rows]
    distinct = list(dict.fromkeys(others))
    assert labels.tolist() == [distinct.index(v) for v in others]
    assert first.tolist() == [others.index(v) for v in distinct]


@given(rows_of_nodes)
def test_join_leaves_an_index_of_the_joined_groups(rows: list[tuple[int, int, int]]) -> None:
    index = Index(rows)
    index.join([0, 1, 2], 0, 3)
    index.join([4, 5], 1, 8)
    joined: dict[tuple[int, int], int] = {}
    for _, b, size in rows:
        shown = 3, 8 if b in (4, 5) else b
        joined[shown] = joined.get(shown, 0) + size
    lives = [g for g in range(len(rows)) if index.into[g] == g]
    found = {tuple(index.nodes[g].tolist()): int(index.sizes[g]) for g in lives}
    assert found == joined
    assert len(lives) == len(joined)
    assert all(index.sizes[g] == -1 for g in range(len(rows)) if g not in lives)
    assert (index.hashes[lives] == index.salts[index.nodes[lives]].sum(axis=1)).all()
    for node in range(N_NODES):
        j = int(node >= 4)
        held = [g for g in lives if index.nodes[g, j] == node]
        assert sorted(index.gather([node], j)) == held
        assert index.n_held[node] == len(held)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=10), st.data())
def test_least_after(sizes: list[int], data: st.DataObject) -> None:
    n_joined = data.draw(st.integers(0, len(sizes)))
    joined, rest = sizes[:n_joined], sizes[n_joined:]
    new = [sum(joined)] if joined else []
    after = [size for size in rest + new if size > 0]
    if not after:
        return
    tally = np.bincount(sizes, minlength=sum(sizes) + 1)
    least = min(size for size in sizes if size > 0)
    before = tally.copy()
    found = tea.least_after(tally, np.array(joined, np.int64), np.array(new, np.int64), least)
    assert found == min(after)
    assert (tally == before).all()
