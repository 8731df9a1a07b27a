"""Components that are kept right while groups are split, and splits that are undone."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.attacks.series.tiny import grown, tiny_series
from unlinkable.kernels.flows.linked_groups import ROOT, Links, links_of, new_end
from unlinkable.kernels.flows.watched_links import (
    ALLOWED,
    FULL,
    Candidates,
    begin,
    try_split,
    undo_split,
)
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.attacks.series.shared.traces import trace
from unlinkable.tables.series.incremental.linked_people import link_people, room_for

FREE = (0, 1, 0)
"""Bounds that refuse nothing."""


def components(links: Links, release: int, value: int) -> set[frozenset[int]]:
    """Find the components of more than one node by walking from everywhere."""
    after: dict[int, set[int]] = {}
    for person in range(links.values.size):
        a, b = int(links.ends[release, person]), int(new_end(links, release, person))
        if a != b:
            tail, head = (b, a) if links.values[person] == value else (a, b)
            after.setdefault(tail, set()).add(head)
            after.setdefault(head, set())
    reached = {node: walk(node, after) for node in after}
    found = {frozenset(v for v in reached[u] if u in reached[v]) for u in after}
    return {part for part in found if len(part) > 1}


def walk(start: int, after: dict[int, set[int]]) -> set[int]:
    seen, left = {start}, [start]
    while left:
        for node in after[left.pop()] - seen:
            seen.add(node)
            left.append(node)
    return seen


def kept(links: Links, release: int, value: int) -> set[frozenset[int]]:
    """Give the components that are kept; a component of one node is none."""
    roots = links.ways[value, :, ROOT]
    nodes = [u for u in range(roots.size) if roots[u] >= 0 and is_of(links, u, release)]
    parts = {frozenset(v for v in nodes if roots[v] == roots[u]) for u in nodes}
    return {part for part in parts if len(part) > 1}


def is_of(links: Links, node: int, release: int) -> bool:
    n_old = links.starts.size - 1
    if node >= n_old:
        return (node - n_old) % links.outside.size == release
    return int(np.searchsorted(links.outside, node)) == release


def state(links: Links, can: Candidates, n_groups: int) -> list[object]:
    n_old = links.starts.size - 1 + n_groups * links.outside.size
    return [
        links.ways[:, :n_old].tolist(),
        links.labels.tolist(),
        links.parts[:n_groups].tolist(),
        can.is_possible.tolist(),
        can.old.tolist(),
        can.new[:n_groups].tolist(),
        can.has_new[:n_groups].tolist(),
    ]


@given(tiny_series(n_people=14), st.data())
def test_components_are_those_of_the_graph_after_every_split(
    drawn: tuple[Sheet, ...], data: st.DataObject
) -> None:
    sheets = grown(drawn)
    links, can = link_people(sheets[-1], sheets[:-1], trace(sheets[:-1]))
    room = room_for(links)
    begin(links, room, can, FREE)
    groups = [list(range(len(sheets[-1])))]
    for _ in range(5):
        for release in range(len(sheets) - 1):
            for value in range(sheets[0].n_values):
                assert kept(links, release, value) == components(links, release, value)
        assert room.is_lost.sum() == 0
        assert (room.seen == -1).all()
        at = data.draw(st.integers(0, len(groups) - 1))
        right = data.draw(st.lists(st.sampled_from(groups[at] or [0]), unique=True))
        if not groups[at] or len(right) in (0, len(groups[at])):
            continue
        before = state(links, can, len(groups))
        moved = np.array(right, np.int64)
        assert try_split(links, room, can, FREE, at, len(groups), moved) == ALLOWED
        assert room.used[0] > 0
        undo_split(links, room, can, at, len(groups))
        assert state(links, can, len(groups)) == before
        try_split(links, room, can, FREE, at, len(groups), moved)
        room.used[0] = 0
        groups[at] = [p for p in groups[at] if p not in right]
        groups.append(right)
        n_old = links.starts.size - 1
        node = n_old + (len(groups) - 1) * links.outside.size
        assert sorted(links_of(links, node).tolist()) == sorted(right)


def test_a_full_log_is_told_and_undone() -> None:
    first = Sheet.of(range(6), [0] * 6, [0, 1] * 3)
    links, can = link_people(first, [first], trace([first]))
    room = room_for(links)
    begin(links, room, can, FREE)
    before = state(links, can, 1)
    short = room._replace(log=room.log[:4], old=room.old[:4])
    assert try_split(links, short, can, FREE, 0, 1, np.array([4, 5])) == FULL
    undo_split(links, short, can, 0, 1)
    assert state(links, can, 1) == before


@given(tiny_series(n_people=10), st.integers(1, 3))
def test_begins_with_what_all_releases_say(drawn: tuple[Sheet, ...], k: int) -> None:
    sheets = grown(drawn)
    links, can = link_people(sheets[-1], sheets[:-1], trace(sheets[:-1]))
    whole = begin(links, room_for(links), can, (k, 1, 1))
    traced = trace(sheets)
    fine = True
    for i in range(len(sheets)):
        n = traced.candidates(i)
        fine = fine and bool((n >= k).all() and (traced.hidden[i].counts <= n).all())
        if i == len(sheets) - 1 and len(sheets[-1]):
            values = traced.hidden[i].values
            assert can.new[0][values].tolist() == n.tolist()
    assert whole == fine
