"""What links records without any attack: numbers of cases, and the order of records."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.attacks.series.shared.classes import Numbers
from unlinkable.tables.attacks.series.shared.giveaways import case_ids, in_order

RNG = np.random.default_rng(0)
ILL = RNG.choice(["flu", "hiv", "cold"], 40).tolist()
BORN = RNG.choice(["UK", "FR"], 40).tolist()


def series(order: list[int], **more: list[str]) -> Series:
    """The first thirty records, and all forty in some order."""
    frame = pl.DataFrame({"born": BORN, "ill": ILL, **more})
    shown = (frame[:30], frame[order])
    return Series(tuple(Edition(Target(f, ("born",), ("ill",))) for f in shown))


def is_in_order(some: Series) -> bool:
    numbers = Numbers.of(some)
    (earlier, later), (then, now) = numbers.classes, numbers.of_records
    return in_order(earlier, later, then, now)


def test_records_in_the_same_order_give_themselves_away() -> None:
    assert is_in_order(series([*range(40)]))


def test_shuffled_records_do_not() -> None:
    assert not is_in_order(series(RNG.permutation(40).tolist()))


@pytest.mark.parametrize("n", [1, 2])
def test_few_records_may_be_in_order_by_chance(n: int) -> None:
    frame = pl.DataFrame({"born": BORN[:n], "ill": ILL[:n]})
    both = Series(tuple(Edition(Target(frame, ("born",), ("ill",))) for _ in range(2)))
    assert not is_in_order(both)


def test_a_shorter_release_after_a_longer_one_is_not_in_order() -> None:
    longer, shorter = reversed(series([*range(40)]).editions)
    assert not is_in_order(Series((longer, shorter)))


def test_a_column_that_tells_all_records_apart_is_named() -> None:
    numbered = series([*range(39, -1, -1)], case=[f"c{i}" for i in range(40)], ward=ILL)
    assert case_ids(numbered, ("ill", "case", "ward")) == ("case",)
