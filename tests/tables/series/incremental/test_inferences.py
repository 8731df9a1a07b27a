"""Inferences: the paper's history table, and what all releases say at once."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.series.published import GENDER, byun_series, series_of_sheets
from tests.tables.attacks.series.tiny import tiny_series
from tests.tables.series.worst_adversary import by_intersection, sheet
from unlinkable.tables.attacks.series.intersection import Intersection
from unlinkable.tables.attacks.series.series import Series, Sheet
from unlinkable.tables.attacks.series.shared.kinds import histogram_of, kinds_of
from unlinkable.tables.series.incremental.inferences import Inferences

LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(3, 4), Fraction(1)])


def table_of(series: Series, column: str) -> Inferences:
    """Take in all releases of a series, each with numbers of its own."""
    table = Inferences.empty()
    for i, edition in enumerate(series.editions):
        alone = Series((edition,))
        told, target = alone.sheets(column)[0], edition.target
        shown = target.frame.select(target.quasi)
        table = table.updated(told, alone.texts(column), shown, target.taxonomies)
        assert table.n_releases == i + 1
    return table


def of_sheets(sheets: tuple[Sheet, ...]) -> Inferences:
    table = Inferences.empty()
    for one in sheets:
        table = table.updated(one)
    return table


def fallen(table: Inferences, sheets: tuple[Sheet, ...], limit: Fraction) -> set[int]:
    """Say who was in several releases, and is left with a value of too large a share."""
    left = {person: table.may_have(person).values() for person in range(table.n_people)}
    return {
        person
        for person, counts in left.items()
        if sum(person in one.people for one in sheets) > 1
        and max(counts, default=0) > limit * sum(counts)
    }


def told_of(table: Inferences, person: int) -> dict[str, Any]:
    """Tell what is known of somebody as the case does."""
    (region,) = table.regions.of(person)
    low, high = str(region["AGE"]).strip("[)").split("-")
    gender = str(region["Gender"])
    values = [str(text) for text, n in table.may_have(person).items() for _ in range(n)]
    return {
        "TS": int(table.first[person]) + 1,
        "IS": sorted(values),
        "IQ": [f"[{low} - {int(high) - 1}]", sorted(GENDER.get(gender, [gender]))],
    }


def test_history_tables_of_the_paper() -> None:
    case = load("byun-computed-history-table")
    series = byun_series(case["input"])
    assert series.names is not None
    for n, expected in ((1, "H1"), (2, "H2")):
        table = table_of(Series(series.editions[:n]), "Diagnosis")
        for row in case["expected"]["computed"][expected]:
            person = list(series.names).index(row.pop("RID"))
            assert told_of(table, person) == row
    found = fallen(table, series.sheets("Diagnosis"), Fraction(1, 2))
    assert (
        sorted(series.names[person] for person in found)
        == case["expected"]["computed"]["c_violations_in_H2"]
    )


@given(tiny_series(changes=True), LIMITS)
def test_tells_who_falls_as_all_releases_do(sheets: tuple[Sheet, ...], limit: Fraction) -> None:
    table = table_of(series_of_sheets(sheets), "s")
    outcome = Intersection(limit=limit).run(series_of_sheets(sheets))
    found = fallen(table, sheets, limit)
    assert len(found) == outcome.n_fallen
    real = [[r for r in sheet(s) if r[0] >= 0] for s in sheets]
    if all(len(r) == len(s) for r, s in zip(real, sheets, strict=True)):
        assert found == by_intersection(real, limit)


@given(tiny_series(changes=True))
def test_has_what_all_groups_of_somebody_have_in_common(sheets: tuple[Sheet, ...]) -> None:
    table, kinds = of_sheets(sheets), kinds_of(sheets)
    common = kinds.common([histogram_of(one) for one in sheets])
    for person in range(kinds.n_people):
        kind = kinds.kind[person]
        assert (table.first[person] >= 0) == (kind >= 0)
        if kind >= 0:
            part = slice(*common.indptr[kind : kind + 2].tolist())
            counts = common.counts[part].tolist()
            named = [str(value) for value in common.values[part]]
            assert table.may_have(person) == dict(zip(named, counts, strict=True))
            where = kinds.where[kind] >= 0
            assert table.first[person] == int(np.argmax(where))
        else:
            assert table.may_have(person) == {}


@given(tiny_series(changes=True))
def test_equal_multisets_are_kept_once(sheets: tuple[Sheet, ...]) -> None:
    table = of_sheets(sheets)
    used = sorted({number for number in table.known.tolist() if number >= 0})
    assert used == list(range(table.starts.size - 1))
    parts = [slice(*table.starts[i : i + 2].tolist()) for i in used]
    lists = [(tuple(table.values[p]), tuple(table.counts[p])) for p in parts]
    assert len({*lists}) == len(lists)


@given(tiny_series(changes=True))
def test_survives_being_stored(sheets: tuple[Sheet, ...]) -> None:
    *some, last = series_of_sheets(sheets).editions
    table = table_of(Series(tuple(some)), "s")
    again = Inferences.from_frames(table.to_frames())
    assert again.n_releases == table.n_releases
    alone = Series((last,))
    shown = last.target.frame.select("shown")
    then, same = (t.updated(alone.sheets("s")[0], alone.texts("s"), shown) for t in (table, again))
    for person in range(then.n_people):
        assert then.may_have(person) == same.may_have(person)
        assert then.regions.of(person) == same.regions.of(person)


def test_missing_values_are_values_and_survive_being_stored() -> None:
    table = Inferences.start(Sheet.of([0, 1], [0, 0], [0, 1]), ["flu", None])
    again = Inferences.from_frames(table.to_frames())
    assert again.may_have(0) == {"flu": 1, None: 1}
    assert again.regions.of(0) == []


def test_nothing_is_known_before_anything_is_published() -> None:
    nothing = Inferences.from_frames(Inferences.empty().to_frames())
    assert (nothing.n_people, nothing.n_values, nothing.n_releases) == (0, 0, 0)
    assert nothing.known_of(np.array([0, 3])).tolist() == [-1, -1]
    assert nothing.updated(Sheet.of([1], [0], [0])).may_have(1) == {"0": 1}


def test_other_numbers_mean_the_same_values() -> None:
    table = Inferences.start(Sheet.of([0, 1], [0, 0], [0, 1]), ["flu", "hiv"])
    other = table.with_texts(["cold", "hiv", "flu"])
    assert other.values.tolist() == [1, 2]
    assert other.may_have(0) == table.may_have(0)
    assert table.with_texts(["flu", "hiv"]) is table
