"""Subcubes: the book's line, the literal recursion, and bounds that hold what they say."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from unlinkable.tables.methods.regions.shared.subcubes import Subcubes
from unlinkable.typing import FloatArray

Box = tuple[tuple[float, ...], tuple[float, ...]]


def by_definition(
    points: list[tuple[float, ...]],
    counts: list[int],
    box: Box,
    most: int,
    inside: list[int],
) -> dict[int, Box]:
    """Halve a cube on every side while it holds too many points that are not all the same."""
    counted = [i for i in inside if counts[i]]
    if sum(counts[i] for i in inside) <= most or len({points[i] for i in counted}) == 1:
        return dict.fromkeys(inside, box)
    lower, upper = box
    middle = [(a + b) / 2 for a, b in zip(lower, upper, strict=True)]
    parts: dict[tuple[bool, ...], list[int]] = {}
    for i in inside:
        parts.setdefault(tuple(x >= m for x, m in zip(points[i], middle, strict=True)), []).append(
            i
        )
    found: dict[int, Box] = {}
    for above, members in parts.items():
        part = (
            tuple(m if up else a for up, m, a in zip(above, middle, lower, strict=True)),
            tuple(b if up else m for up, m, b in zip(above, middle, upper, strict=True)),
        )
        found |= by_definition(points, counts, part, most, members)
    return found


def cubes_of(points: FloatArray, most: int, counts: list[int] | None = None) -> Subcubes:
    weights = np.ones(len(points), np.int64) if counts is None else np.array(counts, np.int64)
    return Subcubes.of(points, weights, points.min(axis=0), points.max(axis=0), most=most)


def test_the_line_of_the_book_has_three_cells() -> None:
    case = cases.load("book-ch05-recursive-histogram")
    given_, expected = case["input"], case["expected"]["cells"]
    points = np.array(given_["points"])[:, None]
    lower, upper = (np.array([float(end)]) for end in given_["space"])
    ones = np.ones(len(points), np.int64)
    cubes = Subcubes.of(points, ones, lower, upper, most=2 * given_["t"])
    leaves, counts = np.unique(cubes.cells, return_counts=True)
    found = [
        {"bounds": [cubes.lower[c, 0], cubes.upper[c, 0]], "count": n}
        for c, n in zip(leaves, counts.tolist(), strict=True)
    ]
    assert sorted(found, key=lambda cell: cell["bounds"]) == expected


@given(st.data(), st.integers(1, 3), st.integers(0, 4))
def test_points_come_to_the_cells_of_the_literal_recursion(
    data: st.DataObject, d: int, most: int
) -> None:
    number = st.integers(0, 40).map(lambda x: x / 4)
    points = data.draw(st.lists(st.tuples(*[number] * d), min_size=1, max_size=25))
    counts = data.draw(st.lists(st.integers(0, 3), min_size=len(points), max_size=len(points)))
    lower, upper = (tuple(map(end, zip(*points, strict=True))) for end in (min, max))
    cubes = cubes_of(np.array(points), most, counts)
    literal = by_definition(points, counts, (lower, upper), most, [*range(len(points))])
    for i, cell in enumerate(cubes.cells):
        box = tuple(cubes.lower[cell].tolist()), tuple(cubes.upper[cell].tolist())
        assert box == literal[i]


@given(st.data())
def test_every_cell_lies_in_the_one_around_it_and_holds_its_points(data: st.DataObject) -> None:
    numbers = st.floats(-1e6, 1e6)
    points = np.array(data.draw(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=30)))
    cubes = cubes_of(points, data.draw(st.integers(1, 5)))
    inner, outer = np.arange(1, cubes.n), cubes.parent[1:]
    assert (cubes.lower[inner] >= cubes.lower[outer]).all()
    assert (cubes.upper[inner] <= cubes.upper[outer]).all()
    assert (cubes.depth[inner] == cubes.depth[outer] + 1).all()
    assert (points >= cubes.lower[cubes.cells]).all()
    below = points < cubes.upper[cubes.cells]
    at_the_top = cubes.upper[cubes.cells] == points.max(axis=0)
    assert (below | at_the_top).all()


def test_neighbours_among_the_numbers_of_the_machine_stay_together() -> None:
    points = np.array([[1.0], [np.nextafter(1.0, 2.0)]])
    assert cubes_of(points, 1).cells.tolist() == [0, 0]
    apart = np.array([[1.0], [1.0 + 2**-51]])
    assert len(set(cubes_of(apart, 1).cells.tolist())) == 2
