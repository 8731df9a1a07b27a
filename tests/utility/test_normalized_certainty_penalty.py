"""Normalized certainty penalty: nothing for a single value, the share of the values else."""

from __future__ import annotations

import numpy as np
import pytest

from tests.groups.plain import taxonomy_of
from tests.utility.releases import shown_cells
from tests.witness.tree import Tree
from unlinkable.table import Attribute
from unlinkable.utility import NormalizedCertaintyPenalty

LETTERS = taxonomy_of(Tree({v: (v, "*") for v in "abcde"}))
ALONE = taxonomy_of(Tree({"a": ("a", "*")}))


@pytest.mark.parametrize(("lo", "hi", "loss"), [(0, 1, 0), (1, 3, 0.4), (1, 5, 0.8), (0, 5, 1)])
def test_a_cell_loses_the_share_that_it_covers(lo: int, hi: int, loss: float) -> None:
    cells = NormalizedCertaintyPenalty().cells(LETTERS, np.array([lo]), np.array([hi]))
    assert cells.tolist() == [loss]


def test_a_value_that_all_have_is_never_lost() -> None:
    assert NormalizedCertaintyPenalty().cells(ALONE, np.array([0]), np.array([1])).tolist() == [0]


def test_roots_lose_as_much_as_suppression() -> None:
    release = shown_cells((Attribute("a", LETTERS), Attribute("b", LETTERS)), [[(0, 5), (0, 5)]])
    assert NormalizedCertaintyPenalty().measure(release) == 1
    assert NormalizedCertaintyPenalty().suppressed(LETTERS) == 1
