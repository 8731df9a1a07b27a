"""Count statistics: after any steps they are what a count of all records gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.cuts.mixed import Mixed, mixed
from tests.tables.methods.cuts.shared.test_leaves import refine
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.shared.refinement import Refinement
from unlinkable.tables.methods.cuts.top_down_refinement import TopDownRefinement
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All
from unlinkable.typing import CodeArray, CountArray


def shown(search: Refinement) -> CodeArray:
    """Tell what every distinct record shows."""
    cut, rows = search.cut, search.leaves.rows
    return np.column_stack(
        [cut.state.value[at + rows[:, j]] for j, at in enumerate(cut.first_code[:-1])]
    )


def group_sizes(looks: CodeArray, sizes: CountArray) -> dict[tuple[int, ...], int]:
    found: dict[tuple[int, ...], int] = {}
    for row, n in zip(map(tuple, looks.tolist()), sizes.tolist(), strict=True):
        found[row] = found.get(row, 0) + n
    return found


@pytest.mark.parametrize("squares", ["before", "after", "reduction"])
@given(table=mixed(), data=st.data())
def test_squares_and_least_parts_are_those_of_all_records(
    squares: str, table: Mixed, data: st.DataObject
) -> None:
    method = TopDownRefinement(score="discernibility", squares=squares).bind(table.table.schema)
    search = method.begin(table.finest, All([KAnonymity(1)]), table.task())
    cut, counts, sizes = search.cut, search.counts, table.finest.sizes
    assert counts is not None
    for _ in range(data.draw(st.integers(0, 6))):
        if not cut.candidates.size:
            break
        refine(search, data.draw(st.sampled_from(cut.candidates.tolist())))
    looks = shown(search)
    smallest = min(group_sizes(looks, sizes).values())
    for candidate, score in zip(cut.candidates.tolist(), search.scores().tolist(), strict=True):
        split, j = cut.split(candidate), cut.column(candidate)
        after = looks.copy()
        held = looks[:, j] == split.value
        after[held, j] = split.parts[split.target[search.leaves.rows[held, j]]]
        parts = list(group_sizes(after[held], sizes[held]).values())
        wholes = list(group_sizes(looks[held], sizes[held]).values())
        least = min(counts.least[candidate], smallest)
        assert least == min(group_sizes(after, sizes).values())
        before, behind = (sum(n * n for n in each) for each in (wholes, parts))
        assert score == {"before": before, "after": behind, "reduction": before - behind}[squares]


def test_a_leaf_that_is_disclosed_as_a_whole_no_longer_counts_as_suppressed() -> None:
    people = as_table({"age": [1, 2, 3, 4], "job": [*"aabb"]}, quasi=["age", "job"])
    method = TopDownRefinement(score="discernibility", squares="before").bind(people.schema)
    task = Task(people.attributes, ILoss())
    search = method.begin(count(people).finest, All([KAnonymity(1)]), task)
    ages, jobs = search.cut.refinements
    refine(search, ages.first)
    refine(search, jobs.first)
    scores = dict(zip(search.cut.candidates.tolist(), search.scores().tolist(), strict=True))
    assert scores == {ages.first + 1: 4.0, ages.first + 2: 4.0, jobs.first + 1: 4.0}
