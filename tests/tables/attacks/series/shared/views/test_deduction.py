"""What follows from a view set, against all tables that have it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.attacks.series.shared.views.view_worlds import (
    BLURRED,
    DOMAINS,
    RandomView,
    ViewCase,
    following,
    view_cases,
)
from unlinkable.tables.attacks.series.shared.views.axes import ANYTHING_ELSE
from unlinkable.tables.attacks.series.shared.views.conditions import Dependency
from unlinkable.tables.attacks.series.shared.views.deduction import deduce
from unlinkable.tables.attacks.series.shared.views.possible_view_tables import (
    least_share,
    most_records,
)
from unlinkable.tables.attacks.series.shared.views.view_set import ViewSet, read_views

ALL = 100
"""More values than anybody has: all of them are looked for."""


def read(case: ViewCase, known: tuple[str, ...]) -> ViewSet:
    told = case.told()
    shown = {name for view in told for name in (*view.frame.columns, *view.selection.columns)}
    assume({*known, "ill"} <= shown)
    dependencies = [Dependency.read(text) for text in case.dependencies]
    return read_views(told, known, ("ill",), dependencies, one_record=case.one_record)


def kinds_by(told: ViewSet, known: tuple[str, ...]) -> Callable[[dict[str, Any]], int | None]:
    """Find the kind of people that a record belongs to, by what it has on the known columns."""
    at = {tuple(told.called(i)[n] for n in known): i for i in range(told.kinds[1].size)}
    labels = {
        name: {label[axis.columns.index(name)] for label in axis.labels}
        for axis in told.axes
        for name in axis.columns
    }

    @cache
    def find(values: tuple[str, ...]) -> int | None:
        shown = (
            next(text for text in (v, BLURRED, ANYTHING_ELSE) if text in labels[n])
            for n, v in zip(known, values, strict=True)
        )
        return at.get(tuple(shown))

    return lambda record: find(tuple(record[name] for name in known))


def agrees(
    case: ViewCase, known: tuple[str, ...], k: int, limit: Fraction, *, is_named: bool
) -> None:
    told = read(case, known)
    found = deduce(told, "ill", enough=ALL, k=k, limit=limit, is_named=is_named)
    assert found.is_exact
    truth = following(case, kinds_by(told, known), "ill")
    labels = told.axes[told.axis("ill")].labels
    for kind, expected in truth.items():
        assert kind is not None
        assert found.is_possible[kind]
        assert found.alternatives[kind] == len(expected.values)
        sure = {labels[v][0] for v in found.values[(found.of == kind) & found.too_sure]}
        if is_named:
            assert sure == (set() if case.one_record else expected.always)
        elif told.is_counted:
            assert bool(found.too_few[kind]) == (expected.people < k)
            assert sure == {v for v, share in expected.least.items() if share > limit}
    assert {i for i, possible in enumerate(found.is_possible) if possible} == {*truth}


@given(view_cases(counted=False, one_record=False))
def test_sets_by_definition(case: ViewCase) -> None:
    agrees(case, ("name",), 2, Fraction(1, 2), is_named=True)


@given(view_cases(counted=False, one_record=True))
def test_one_record_for_each_person_by_definition(case: ViewCase) -> None:
    agrees(case, ("name",), 2, Fraction(1, 2), is_named=True)


@given(
    view_cases(counted=True, one_record=False),
    st.sampled_from([("name",), ("job",), ("job", "name")]),
    st.integers(1, 3),
    st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(1)]),
    st.booleans(),
)
def test_numbers_by_definition(
    case: ViewCase, known: tuple[str, ...], k: int, limit: Fraction, is_named: bool
) -> None:
    agrees(case, known, k, limit, is_named=is_named)


@given(view_cases(counted=True, one_record=False))
def test_the_least_share_and_most_people_by_definition(case: ViewCase) -> None:
    told = read(case, ("name",))
    limits, axis = told.limits(2), told.axis("ill")
    labels = [label for (label,) in told.axes[axis].labels]
    for kind, expected in following(case, kinds_by(told, ("name",)), "ill").items():
        people = told.kinds[0] == kind
        assert most_records(told.grid, told.views, limits, people) == expected.people
        for value in DOMAINS["ill"]:
            if value in labels:
                having = people & (told.values("ill") == labels.index(value))
                share = least_share(told.grid, told.views, limits, people, having)
                assert share == expected.least[value]


@given(view_cases(counted=False, one_record=True))
def test_a_view_less_leaves_more_values(case: ViewCase) -> None:
    told = read(case, ("name",))
    fewer = ViewCase(
        case.attributes, case.table, case.views[:-1], case.dependencies, case.one_record
    )
    before = read(fewer, ("name",))
    after = deduce(told, "ill", enough=ALL, k=1, limit=Fraction(1), is_named=True)
    first = deduce(before, "ill", enough=ALL, k=1, limit=Fraction(1), is_named=True)
    for name in DOMAINS["name"]:
        old, new = (kinds_by(views, ("name",))({"name": name}) for views in (before, told))
        if old is not None and new is not None and after.is_possible[new]:
            assert first.alternatives[old] >= after.alternatives[new]


def test_no_more_values_are_looked_for_than_asked() -> None:
    case = ViewCase(
        ("name", "ill"),
        tuple({"name": n, "ill": i} for n in ("ann", "bob") for i in ("flu", "hiv")),
        (_view(("name",)), _view(("ill",))),
        (),
        False,
    )
    told = read_views(case.told(), ("name",), ("ill",))
    found = deduce(told, "ill", enough=1, k=1, limit=Fraction(1), is_named=True)
    assert (found.alternatives >= 1).all()
    assert found.programs == 1


def _view(columns: tuple[str, ...]) -> RandomView:
    return RandomView(columns, "", True)
