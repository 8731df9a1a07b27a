"""Sweeping: kernels against sets of rows that look alike, written out."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.neighbourhood import Neighbourhood, neighbourhoods
from unlinkable.kernels.local_recoding.lattice_sweep import group_at, sweep


def shown(code: int, level: int) -> int:
    return (code, code // 2, 0)[level]


def looks(rows: Neighbourhood, row: int, node: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(shown(c, level) for c, level in zip(rows.keys[row], node, strict=True))


@given(neighbourhoods(), st.data())
def test_rows_are_grouped_by_what_they_show(rows: Neighbourhood, data: st.DataObject) -> None:
    node = tuple(data.draw(st.integers(0, 2)) for _ in range(rows.n_columns))
    n = len(rows.keys)
    some = [i for i in range(n) if data.draw(st.booleans())]
    slots, firsts = np.full(32, -1, np.int64), np.empty(n, np.int32)
    labels = np.empty(n, np.int32)
    keys = np.array(rows.keys, np.int32)
    n_sets = group_at(
        np.array(node, np.int32), np.array(some, np.int32), keys, rows.levels, slots, firsts, labels
    )
    seen: dict[tuple[int, ...], int] = {}
    expected = [seen.setdefault(looks(rows, row, node), len(seen)) for row in some]
    assert labels[: len(some)].tolist() == expected
    assert n_sets == len(seen)
    assert (slots == -1).all()


def swept(rows: Neighbourhood, nodes: list[tuple[int, ...]], least: int) -> list[int]:
    parts, n_parts = [-1] * len(rows.keys), 0
    for node in nodes:
        sets: dict[tuple[int, ...], list[int]] = {}
        for row in range(len(parts)):
            if parts[row] < 0:
                sets.setdefault(looks(rows, row, node), []).append(row)
        for together in sets.values():
            if sum(rows.sizes[i] for i in together) >= least:
                for i in together:
                    parts[i] = n_parts
                n_parts += 1
    return parts


@given(neighbourhoods(), st.integers(1, 6), st.randoms(use_true_random=False))
def test_a_sweep_is_what_it_is_by_definition(
    rows: Neighbourhood, least: int, random: object
) -> None:
    nodes = list(product(range(3), repeat=rows.n_columns))
    random.shuffle(nodes)  # type: ignore[attr-defined]
    parts = np.full(len(rows.keys), -1, np.int32)
    keys, sizes = np.array(rows.keys, np.int32), np.array(rows.sizes)
    listed = np.array(nodes, np.int32)
    n_parts, _ = sweep(listed, keys, sizes, rows.levels, least, parts, 0, 1 << 30)
    assert parts.tolist() == swept(rows, nodes, least)
    assert n_parts == max(parts.tolist()) + 1


def test_nodes_are_passed_over_when_looks_are_few() -> None:
    rows = Neighbourhood([(i, j) for i in range(4) for j in range(4)], [1] * 16, [0] * 16)
    nodes = np.array([(0, 0)] * 99 + [(2, 2)], np.int32)
    keys, sizes = np.array(rows.keys, np.int32), np.array(rows.sizes)
    parts = np.full(16, -1, np.int32)
    assert sweep(nodes, keys, sizes, rows.levels, 16, parts, 0, 160)[1] <= 20
    assert sweep(nodes, keys, sizes, rows.levels, 16, np.full(16, -1, np.int32), 0, 1 << 20) == (
        1,
        100,
    )
