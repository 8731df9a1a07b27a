"""Shares: what a release says of every value, added up record by record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from datetime import date, timedelta
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import table_of
from tests.witness.methods import Problem
from unlinkable.errors import DataError
from unlinkable.tables.charts.shares import (
    MISSING,
    MOST_BINS,
    Bins,
    Shares,
    bins_of,
    nice_step,
    shares_of,
    spread,
)
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics.base import Generalized, Perturbed
from unlinkable.tables.taxonomies import Domain, Kind


def by_definition(
    random: RandomTable, name: str, level: int, kept: list[bool]
) -> dict[str, tuple[Fraction, Fraction]]:
    """Share before and after of each value that has one, one record after the other."""
    before: Counter[Hashable] = Counter()
    after: Counter[Hashable] = Counter()
    tree = random.trees[name]
    for row, is_kept in zip(random.rows, kept, strict=True):
        before[row[name]] += Fraction(1)  # type: ignore[assignment]
        leaves = list(tree.leaves_under(level, tree.generalize(row[name], level)))
        for leaf in leaves if is_kept else []:
            after[leaf] += Fraction(1, len(leaves))  # type: ignore[assignment]
    total = Fraction(sum(kept)) or Fraction(1)
    return {
        MISSING if value is None else str(value): (
            Fraction(before[value], len(random.rows)),
            after[value] / total,
        )
        for value in set(before) | set(after)
    }


def told(shares: Shares) -> dict[str, tuple[float, float]]:
    pairs = zip(shares.before.tolist(), shares.after.tolist(), strict=True)
    return dict(zip(shares.labels, pairs, strict=True))


def agrees(shares: Shares, expected: dict[str, tuple[Fraction, Fraction]]) -> None:
    found = told(shares)
    assert set(found) == set(expected)
    for label, pair in expected.items():
        assert found[label] == pytest.approx([float(share) for share in pair])


@given(random=tables(max_qid=3, min_records=1, owner=False), data=st.data())
def test_says_what_the_definition_says(random: RandomTable, data: st.DataObject) -> None:
    node = {a: data.draw(st.integers(0, random.trees[a].height)) for a in random.qid}
    problem = Problem(random.rows, random.qid, random.trees, [])
    recoded = [tuple(row[a] for a in random.qid) for row in problem.generalize(node)]
    gone = data.draw(st.sets(st.sampled_from(recoded)))
    table = table_of(random)
    counted = count(table)
    whole = Partition.at_levels(counted.finest, table.attributes, list(node.values()))
    part_of = dict(zip(whole.labels[counted.labels].tolist(), recoded, strict=True))
    is_gone = np.array([part_of[part] in gone for part in range(whole.n_parts)])
    published = Generalized.of(table, whole.suppress(is_gone), counted.labels)
    kept = [shown not in gone for shown in recoded]
    for name in random.qid:
        shares = shares_of(published, name)
        expected = by_definition(random, name, node[name], kept)
        agrees(shares, expected)
        assert shares.before.sum() == pytest.approx(1)
        assert shares.after.sum() == pytest.approx(1 if any(kept) else 0)
    for name in random.sensitive:
        before = Counter(row[name] for row in random.rows)
        after = Counter(row[name] for row, k in zip(random.rows, kept, strict=True) if k)
        expected = {
            MISSING if v is None else str(v): (
                Fraction(before[v], len(kept)),
                Fraction(after[v], sum(kept) or 1),
            )
            for v in before
        }
        agrees(shares_of(published, name), expected)


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(1, 10), st.integers(1, 100)).filter(
            lambda box: box[0] + box[1] <= 10
        )
    )
)
def test_ranges_are_spread_evenly(boxes: list[tuple[int, int, int]]) -> None:
    expected = [Fraction(0)] * 10
    for lo, width, weight in boxes:
        for code in range(lo, lo + width):
            expected[code] += Fraction(weight, width)
    drawn = np.array(boxes, np.int32).reshape(-1, 3)
    found = spread(drawn[:, 0], drawn[:, 0] + drawn[:, 1], drawn[:, 2].astype(float), 10)
    assert found.tolist() == pytest.approx([float(x) for x in expected])
    assert [x == 0 for x in found] == [x == 0 for x in expected]


@given(
    st.lists(st.integers(-500, 500), min_size=40, max_size=80, unique=True),
    st.lists(st.integers(0, 5), min_size=80, max_size=80),
)
def test_many_numbers_are_told_by_ranges(ages: list[int], parts: list[int]) -> None:
    table = as_table({"age": ages}, quasi="age")
    published = _tight(table, parts)
    shares = shares_of(published, "age")
    values = sorted(ages)
    lo, hi = (published.shown.lo[published.labels, 0], published.shown.hi[published.labels, 0])
    expected: Counter[int] = Counter()
    for a, b in zip(lo.tolist(), hi.tolist(), strict=True):
        for code in range(a, b):
            expected[values[code]] += Fraction(1, (b - a) * len(ages))  # type: ignore[assignment]
    assert 1 < len(shares.labels) <= MOST_BINS
    for label, (before, after) in told(shares).items():
        first, _, last = label.partition(" to ")
        inside = [v for v in values if int(first) <= v <= int(last or first)]
        assert before == pytest.approx(len(inside) / len(ages))
        assert after == pytest.approx(float(sum(expected[v] for v in inside)))
    assert shares.after.sum() == pytest.approx(1)


def test_records_that_weigh_more_count_more() -> None:
    columns = {"a": ["x", "y", "y"], "s": ["p", "p", "q"], "w": [2.0, 1.0, 1.0]}
    table = as_table(columns, quasi="a", sensitive="s", weight="w")
    counted = count(table)
    whole = Partition.at_levels(counted.finest, table.attributes, [0])
    published = Generalized.of(table, whole, counted.labels)
    assert told(shares_of(published, "a")) == {"x": (0.5, 0.5), "y": (0.5, 0.5)}
    assert told(shares_of(published, "s")) == {"p": (0.75, 0.75), "q": (0.25, 0.25)}


def test_rare_categories_are_added_up() -> None:
    names: list[object] = [f"c{i:02}" for i in range(30) for _ in range(30 - i)]
    names += [None] * 35
    shares = shares_of(_as_it_was({"job": names}), "job")
    assert shares.labels == (*(f"c{i:02}" for i in range(20)), "(10 other values)", MISSING)
    assert shares.before[[0, 20, 21]].tolist() == [30 / 500, 55 / 500, 35 / 500]
    assert shares.after.tolist() == shares.before.tolist()


def test_few_numbers_are_told_one_by_one() -> None:
    shares = shares_of(_as_it_was({"age": [70, 20, 20, None]}), "age")
    assert told(shares) == {"20": (0.5, 0.5), "70": (0.25, 0.25), MISSING: (0.25, 0.25)}
    assert shares.labels == ("20", "70", MISSING)


def test_values_that_look_like_our_own_names_stay_apart() -> None:
    shares = shares_of(_as_it_was({"job": ["(missing)", "(missing)", None]}), "job")
    assert shares.labels == ("(missing)", "(missing) (2)")
    assert shares.before.tolist() == pytest.approx([2 / 3, 1 / 3])


def test_noisy_numbers_are_told_by_ranges_of_the_original() -> None:
    table = as_table({"age": [20, 30, 40, None]}, quasi="age")
    noisy = pl.DataFrame({"age": [19.5, 20.5, 45.5, 99.0, None]})
    shares = shares_of(Perturbed(table, noisy, None), "age")
    found = {label: pair for label, pair in told(shares).items() if any(pair)}
    assert found == {
        "20 to under 21": (0.25, 0.2),
        "30 to under 31": (0.25, 0.0),
        "40 to under 41": (0.25, 0.0),
        "under 20": (0.0, 0.2),
        "41 and over": (0.0, 0.4),
        MISSING: (0.25, 0.2),
    }


def test_noisy_whole_numbers_have_ranges_of_whole_numbers() -> None:
    table = as_table({"age": [20, 49]}, quasi="age")
    shares = shares_of(Perturbed(table, pl.DataFrame({"age": [21, 47]}), None), "age")
    assert shares.labels[:2] == ("20", "21")


def test_noisy_dates_are_told_by_the_calendar() -> None:
    days = np.array(["2024-01-31", "2024-05-01"], "datetime64[D]")
    table = as_table(pl.DataFrame({"day": days}), quasi="day")
    noisy = pl.DataFrame({"day": days + np.timedelta64(1, "D")})
    shares = shares_of(Perturbed(table, noisy, None), "day")
    found = {label: pair for label, pair in told(shares).items() if any(pair)}
    assert found == {
        "2024-01-29 to 2024-02-04": (0.5, 0.5),
        "2024-04-29 to 2024-05-05": (0.5, 0.5),
    }


def test_counts_with_noise_weigh_records_even_negatively() -> None:
    table = as_table({"job": ["a", "b"]}, quasi="job")
    frame = pl.DataFrame({"job": ["a", "b"]})
    shares = shares_of(Perturbed(table, frame, None, np.array([5.0, -1.0])), "job")
    assert told(shares) == {"a": (0.5, 1.25), "b": (0.5, -0.25)}
    nothing = shares_of(Perturbed(table, frame, None, np.array([1.0, -1.0])), "job")
    assert nothing.after.tolist() == [0.0, 0.0]


def test_categories_that_the_original_lacks_are_told_together() -> None:
    table = as_table({"job": ["a", "b"]}, quasi="job")
    published = Perturbed(table, pl.DataFrame({"job": ["a", "c", "d", "a"]}), None)
    assert told(shares_of(published, "job")) == {
        "a": (0.5, 0.5),
        "b": (0.5, 0.0),
        "(not in the original)": (0.0, 0.5),
    }


def test_refuses_texts_in_place_of_numbers() -> None:
    table = as_table({"age": [20, 49]}, quasi="age")
    with pytest.raises(DataError, match="column 'age' holds values that are no numbers"):
        shares_of(Perturbed(table, pl.DataFrame({"age": ["old", "20"]}), None), "age")


def _as_it_was(columns: dict[str, list[object]]) -> Perturbed:
    table = as_table(columns, quasi=list(columns))
    return Perturbed(table, table.frame, None)


def _tight(table: Table, parts: list[int]) -> Generalized:
    counted = count(table)
    _, labels = np.unique(parts[: len(counted.finest)], return_inverse=True)
    partition = Partition.tight(counted.finest, labels.astype(np.int32), int(labels.max()) + 1)
    return Generalized.of(table, partition, counted.labels)


FLOATS = st.floats(-1e12, 1e12) | st.floats(allow_nan=False, allow_infinity=False)

DATES = st.dates(date(1, 1, 1), date(9998, 12, 31))


def numbers(values: set[float] | set[int]) -> Domain:
    return Domain(Kind.NUMBER, np.array(sorted(values)))


def place(bins: Bins, number: float) -> int:
    """Where a number belongs, by looking at one edge after the other."""
    edges: list[float] = bins.edges.tolist()
    return len([edge for edge in edges if edge <= number]) - 1


@given(st.sets(FLOATS, min_size=1, max_size=20))
def test_every_number_has_a_bin(values: set[float]) -> None:
    bins = bins_of(numbers(values), whole=False)
    assert 1 <= len(bins.labels) == len(bins.edges) - 1 <= MOST_BINS
    assert (np.diff(bins.edges) > 0).all()
    at = bins.locate(np.array(sorted(values)))
    assert at.tolist() == [place(bins, value) for value in sorted(values)]
    assert at.min() == 0
    assert at.max() == len(bins.labels) - 1


@given(st.sets(st.integers(-(10**6), 10**6), min_size=1, max_size=20))
def test_labels_of_whole_numbers_say_what_is_in_them(values: set[int]) -> None:
    bins = bins_of(numbers(values), whole=True)
    for value in values:
        first, _, last = bins.labels[place(bins, value)].replace(",", "").partition(" to ")
        assert int(first) <= value <= int(last or first)


@given(st.sets(DATES, min_size=1, max_size=20), st.sampled_from(["D", "us"]))
def test_every_date_has_a_bin(values: set[date], unit: str) -> None:
    domain = Domain(Kind.DATE, np.array(sorted(values), f"datetime64[{unit}]"))
    bins = bins_of(domain, whole=False)
    assert 1 <= len(bins.labels) == len(bins.edges) - 1 <= MOST_BINS
    for value, at in zip(sorted(values), bins.locate(domain.as_numbers()).tolist(), strict=True):
        first, _, last = bins.labels[at].partition(" to ")
        assert first <= value.isoformat() or first.startswith(value.isoformat())
        assert value.isoformat()[: len(last or first)] <= (last or first)


@pytest.mark.parametrize(
    ("first", "days", "labels"),
    [
        (date(2024, 5, 15), 20, ["2024-05-15", "2024-05-16"]),
        (date(2024, 5, 15), 100, ["2024-05-13 to 2024-05-19", "2024-05-20 to 2024-05-26"]),
        (date(2024, 5, 15), 800, ["2024-05", "2024-06"]),
        (date(2024, 5, 15), 2000, ["2024-04 to 2024-06", "2024-07 to 2024-09"]),
        (date(1954, 5, 15), 10000, ["1954", "1955"]),
        (date(1954, 5, 15), 36500, ["1950 to 1954", "1955 to 1959"]),
    ],
    ids=["days", "weeks", "months", "quarters", "years", "five years"],
)
def test_dates_follow_the_calendar(first: date, days: int, labels: list[str]) -> None:
    ends = [first, first + timedelta(days=days)]
    bins = bins_of(Domain(Kind.DATE, np.array(ends, "datetime64[D]")), whole=False)
    assert list(bins.labels[:2]) == labels
    assert bins.below == f"before {labels[0].partition(' to ')[0]}"


def test_times_of_one_day_are_told_by_hours() -> None:
    times = np.array(["2024-05-15T08:30:00", "2024-05-15T10:00:00"], "datetime64[us]")
    bins = bins_of(Domain(Kind.DATE, times), whole=False)
    assert bins.labels == ("2024-05-15T08", "2024-05-15T09", "2024-05-15T10")


def test_decimal_fractions_begin_their_own_bins() -> None:
    bins = bins_of(numbers({0.0, 0.1, 0.2, 0.3, 2.9}), whole=False)
    assert bins.labels[3] == "0.3 to under 0.4"
    assert bins.locate(np.array([0.0, 0.1, 0.2, 0.3])).tolist() == [0, 1, 2, 3]


def test_a_single_number_has_a_bin() -> None:
    assert bins_of(numbers({7.25}), whole=False).labels == ("7 to under 8",)
    assert bins_of(numbers({7}), whole=True).labels == ("7",)


def test_infinite_numbers_are_beyond_the_bins() -> None:
    bins = bins_of(numbers({float("-inf"), 0.0, 9.0, float("inf")}), whole=False)
    outside = bins.locate(np.array([float("-inf"), float("inf")])).tolist()
    assert outside == [-1, len(bins.labels)]
    assert len(bins_of(numbers({float("inf")}), whole=False).labels) == 1


@given(st.floats(1e-300, 1e300))
def test_a_nice_step_is_the_next_one(least: float) -> None:
    step = nice_step(least)
    assert least <= step <= 2.5 * least * (1 + 1e-9)
    assert f"{step:e}"[:8] in ("1.000000", "2.000000", "5.000000")
