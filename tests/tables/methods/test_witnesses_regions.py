"""Searches over regions, compared with the definitions of what they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import taxonomy_of
from tests.tables.methods.witnessed import Asked, asked
from tests.witness import promises as literal
from tests.witness.models import Row
from tests.witness.regions import Point, can_be_halved, is_strict_partition
from tests.witness.workload import Region, entropy_of_parts, error_of_parts, is_reachable
from unlinkable.errors import InfeasibleError
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.methods.regions.infogain_mondrian import InfoGainMondrian
from unlinkable.tables.methods.regions.lsd_mondrian import LSDMondrian
from unlinkable.tables.methods.regions.mpalm import MPALM
from unlinkable.tables.models import DeltaPresence, DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade

Promised = tuple[GroupModel, literal.Promise]

promised: st.SearchStrategy[Promised] = st.one_of(
    st.integers(1, 4).map(lambda k: (KAnonymity(k), literal.k_anonymous(k))),
    st.integers(2, 3).map(
        lambda n: (DistinctLDiversity(n, sensitive="s0"), literal.distinct_l_diverse(n, "s0"))
    ),
)


def points_of(table: Asked) -> list[Point]:
    """Number the values of all records."""
    return [tuple(table.domain(a).index(row[a]) for a in table.qid) for row in table.rows]


def keeps(table: Asked, promise: literal.Promise) -> Callable[[Region], bool]:
    return lambda half: promise.keeps([table.rows[i] for i in sorted(half)], table.rows)


def values_of(table: Asked, half: Region, target: str) -> list[int]:
    return [int(str(table.rows[i][target])) for i in sorted(half)]


def classes_of(table: Asked, half: Region, targets: Sequence[str]) -> list[tuple[object, ...]]:
    return [tuple(table.rows[i][t] for t in targets) for i in sorted(half)]


def entropy_left(table: Asked, combine: str) -> Callable[[Region, Region], float]:
    """Equations 6.4 and 6.6."""
    whole = frozenset(range(len(table.rows)))

    def loss(low: Region, high: Region) -> float:
        if combine == "product":
            return entropy_of_parts([classes_of(table, h, table.targets) for h in (low, high)])
        left = 0.0
        for target in table.targets:
            of_target = entropy_of_parts([classes_of(table, h, [target]) for h in (low, high)])
            there = entropy_of_parts([classes_of(table, whole, [target])])
            scale = there if combine == "shares" and there else 1.0
            left += of_target / scale
        return left

    return loss


def deviance_left(table: Asked, combine: str) -> Callable[[Region, Region], Fraction]:
    """Equations 6.5 and 6.7."""
    whole = frozenset(range(len(table.rows)))

    def loss(low: Region, high: Region) -> Fraction:
        left = Fraction(0)
        for target in table.targets:
            of_target = error_of_parts([values_of(table, h, target) for h in (low, high)])
            there = error_of_parts([values_of(table, whole, target)])
            scale = there if combine == "shares" and there else Fraction(1)
            left += of_target / scale
        return left

    return loss


def check(
    table: Asked,
    method: Search,
    promise: Promised,
    loss: Callable[[Region, Region], float | Fraction],
) -> None:
    model, by_definition = promise
    judge = keeps(table, by_definition)
    if not judge(frozenset(range(len(table.rows)))):
        with pytest.raises(InfeasibleError):
            table.search(method, [model])
        return
    found = table.search(method, [model])
    regions, points = table.regions(found), points_of(table)
    assert sorted(i for region in regions for i in region) == list(range(len(table.rows)))
    for region in regions:
        assert judge(region)
        inside = sorted(region)
        assert not can_be_halved(
            [points[i] for i in inside],
            lambda half, inside=inside: judge(  # type: ignore[misc]
                frozenset(inside[j] for j in half)
            ),
        )
    assert is_reachable(regions, points, judge, loss)


@given(asked(max_trees=3, n_targets=1, missing=True), promised)
def test_infogain_mondrian_always_makes_a_cut_of_least_entropy(
    table: Asked, promise: Promised
) -> None:
    check(table, InfoGainMondrian(), promise, entropy_left(table, "sum"))


@pytest.mark.parametrize("combine", ["sum", "shares", "product"])
@given(table=asked(max_trees=2, n_targets=2), promise=promised)
def test_infogain_mondrian_with_two_targets(combine: str, table: Asked, promise: Promised) -> None:
    check(table, InfoGainMondrian(combine=combine), promise, entropy_left(table, combine))


@pytest.mark.parametrize("combine", ["sum", "shares"])
@given(table=asked(max_trees=2, n_targets=2, numeric_targets=True), promise=promised)
def test_lsd_mondrian_always_makes_a_cut_of_least_deviance(
    combine: str, table: Asked, promise: Promised
) -> None:
    check(table, LSDMondrian(combine=combine), promise, deviance_left(table, combine))


@given(asked(max_trees=2, max_numbers=1, n_targets=1, numeric_targets=True), promised)
def test_lsd_mondrian_with_one_target_on_numbers(table: Asked, promise: Promised) -> None:
    check(table, LSDMondrian(), promise, deviance_left(table, "sum"))


@given(asked(max_trees=2, max_numbers=1), promised)
def test_mpalm_of_a_table_that_is_its_own_population(table: Asked, promise: Promised) -> None:
    model, by_definition = promise
    judge = keeps(table, by_definition)
    if not judge(frozenset(range(len(table.rows)))):
        with pytest.raises(InfeasibleError):
            table.search(MPALM(), [model])
        return
    found = table.search(MPALM(), [model])
    points, regions = points_of(table), table.regions(found)
    lo, hi = found.partition.lo.tolist(), found.partition.hi.tolist()
    boxes = [list(zip(a, b, strict=True)) for a, b in zip(lo, hi, strict=True)]
    assert is_strict_partition(boxes, points)
    for region in regions:
        assert judge(region)
        inside = sorted(region)
        assert not valid_halves(points, inside, judge)


def valid_halves(
    points: Sequence[Point], inside: Sequence[int], judge: Callable[[Region], bool]
) -> bool:
    return can_be_halved(
        [points[i] for i in inside], lambda half: judge(frozenset(inside[j] for j in half))
    )


@given(tables(min_records=2, max_records=14, max_qid=2, missing=False, owner=False), st.data())
def test_mpalm_goes_on_as_long_as_presence_stays_open(
    random: RandomTable, data: st.DataObject
) -> None:
    n = data.draw(st.integers(1, len(random.rows)))
    low, high = sorted(data.draw(st.fractions(0, 1, max_denominator=6)) for _ in range(2))
    people = random.rows

    def frame(rows: Sequence[Row]) -> pl.DataFrame:
        return pl.DataFrame(
            {a: pl.Series([row[a] for row in rows], dtype=pl.String) for a in random.qid}
        )

    def is_open(half: Region) -> bool:
        return low <= Fraction(sum(i < n for i in half), len(half)) <= high

    table = ul.as_table(
        frame(people[:n]),
        quasi=random.qid,
        taxonomies={a: ReadyMade(taxonomy_of(random.trees[a])) for a in random.qid},
    )
    asked_for = {
        "privacy": DeltaPresence(low, high, population="people"),
        "method": MPALM(),
        "side": {"people": frame(people)},
    }
    if not is_open(frozenset(range(len(people)))):
        with pytest.raises(InfeasibleError):
            ul.anonymize(table, **asked_for)  # type: ignore[call-overload]
        return
    partition = ul.anonymize(table, **asked_for).solution.partition  # type: ignore[call-overload]
    points = [tuple(random.trees[a].leaves.index(row[a]) for a in random.qid) for row in people]
    lo, hi = partition.lo.tolist(), partition.hi.tolist()
    found = []
    for low_end, high_end in zip(lo, hi, strict=True):
        found.append(
            frozenset(
                i
                for i, point in enumerate(points)
                if all(a <= x < b for a, x, b in zip(low_end, point, high_end, strict=True))
            )
        )
    assert sum(map(len, found)) == len(frozenset().union(*found)), "nobody looks like two regions"
    assert frozenset(range(n)) <= frozenset().union(*found)
    assert low == 0 or len(frozenset().union(*found)) == len(people)
    for region in found:
        assert is_open(region)
        assert not valid_halves(points, sorted(region), is_open)
