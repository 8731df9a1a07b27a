"""Cutting a population: people say where, records say whether."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.regions.shared.cuts import Cuts
from unlinkable.tables.methods.regions.shared.division import Division, PeopleCuts
from unlinkable.tables.methods.regions.shared.ground import Ground
from unlinkable.tables.methods.regions.shared.judging import Judge
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All
from unlinkable.typing import CountArray, FloatArray


def no_loss(cuts: Cuts) -> FloatArray:
    return np.zeros(len(cuts))


def division(
    values: list[int | None], people: list[int], k: int = 1
) -> tuple[Division, Groups, Counter[str]]:
    """Take one record of each value, and as many people who look like it."""
    table = as_table({"a": values}, quasi="a")
    finest = count(table).finest
    ground = Ground.of(finest, table.attributes, np.zeros(1, bool))
    ground.rows.sizes[:] = np.array(people)[np.argsort(np.argsort(finest.keys[:, 0]))]
    effort: Counter[str] = Counter()
    return Division(ground, Judge(0, All([KAnonymity(k)])), no_loss, effort), finest, effort


def cuts_of(values: list[int | None], people: list[int]) -> PeopleCuts:
    split, finest, _ = division(values, people)
    n, total = np.array([len(finest)]), np.array([sum(people)])
    regions = split.ground.regions(np.zeros(1, np.int64), n, total)
    return split._list(regions, np.array([0]), 0)


def test_sizes_count_records_and_evenness_counts_people() -> None:
    cuts = cuts_of([1, 2, 3, 4], [5, 1, 1, 1])
    assert cuts.lower.tolist() == [5, 6, 7]
    assert cuts.sizes.tolist() == [1, 3, 2, 2, 3, 1]
    even = cuts.most_even()
    assert (even.lower.tolist(), even.sizes.tolist()) == ([5], [1, 3])


def test_of_equally_even_cuts_the_lowest_is_taken() -> None:
    assert cuts_of([1, 2, 3], [2, 1, 2]).most_even().lower.tolist() == [2]


def test_missing_values_are_parted_from_others_before_anything_else() -> None:
    assert cuts_of([1, 2, 3, None], [1, 1, 1, 1]).lower.tolist() == [3]
    assert cuts_of([1, 2, 3], [1, 1, 1]).lower.tolist() == [1, 2]


def told(share: float, words: str) -> None:
    assert 0 <= share <= 1
    assert words.endswith("regions")


@pytest.mark.parametrize(
    ("k", "regions", "effort"),
    [(1, [0, 1, 2, 3], (4, 3, 3)), (2, [0, 2], (2, 8, 1)), (4, [0], (1, 4, 0))],
)
def test_cuts_until_no_cut_is_good(
    k: int, regions: list[int], effort: tuple[int, int, int]
) -> None:
    # The most even cut of the people parts one record from three.
    split, finest, taken = division([1, 2, 3, 4], [5, 1, 1, 1], k)
    found = split.run(told)
    starts: CountArray = np.sort(found.start)
    assert starts.tolist() == regions
    assert split.ground.partition(found).sizes.sum() == finest.n_records
    assert (taken["rounds"], taken["cuts_tried"], taken["cuts_made"]) == effort
