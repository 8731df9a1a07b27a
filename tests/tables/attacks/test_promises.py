"""Attacks against promises: nobody who is guarded against reaches more than is promised.

Tables are made up, published under every promise by every method that serves it, and attacked.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import unlinkable as ul
from tests.tables.attacks.guards import assert_within_bounds, assert_withstands, guards, measures
from tests.tables.attacks.promised import (
    ABOUT_NOISE,
    METHODS,
    NOISY_METHODS,
    PROMISE_NOTHING,
    PROMISES,
    VARIANTS,
    Patients,
    example,
    most_patients,
    patients,
    published,
    served,
    serving,
)
from unlinkable.errors import UnsupportedError
from unlinkable.registry.lookup import entries, make
from unlinkable.tables.attacks.base.target import Truth
from unlinkable.tables.data.side import Side
from unlinkable.tables.models.base import All, BindingContext, GroupModel
from unlinkable.tables.publishing.attacking.attackable import Attackable
from unlinkable.tables.publishing.attacking.targets import target_of_table

# A promise that is hardly ever kept by chance is no mistake. One that never is fails as
# unsatisfiable: every test attacks at least one release.
FEWER = settings(
    max_examples=max(settings().max_examples // 4, 1),
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
SUPPRESSIONS = st.sampled_from(["0", "0.2"])


@pytest.mark.parametrize("promise", PROMISES, ids=str)
@given(data=st.data())
@FEWER
def test_every_promise_withstands_whom_it_guards_against(
    promise: GroupModel, data: st.DataObject
) -> None:
    people = data.draw(patients(most_patients(promise)))
    _attack(people, promise, data.draw(st.sampled_from(serving(promise))), data)


@pytest.mark.parametrize("method", METHODS)
@given(data=st.data())
@FEWER
def test_what_every_method_publishes_withstands(method: str, data: st.DataObject) -> None:
    promise = data.draw(st.sampled_from(served(method)))
    _attack(data.draw(patients(most_patients(promise))), promise, method, data)


def _attack(people: Patients, promise: GroupModel, method: str, data: st.DataObject) -> None:
    # What is known of all patients need not be true of those who are left.
    is_whole = promise.name == "privacy-maxent"
    suppression = "0" if is_whole else data.draw(SUPPRESSIONS)
    release = published(people, promise, method, suppression)
    assume(release is not None)
    assert release is not None
    assume(assert_withstands(release) > 0)


@pytest.mark.parametrize("promise", [*PROMISES, *VARIANTS], ids=str)
def test_every_promise_is_attacked_on_the_same_table_again(promise: GroupModel) -> None:
    assert any(_withstood(promise, method) for method in serving(promise))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_attacked_on_the_same_table_again(method: str) -> None:
    assert any(_withstood(promise, method) for promise in served(method))


def _withstood(promise: GroupModel, method: str) -> int:
    """Count the attacks on the patients who are always the same."""
    release = published(example(most_patients(promise) * 3 // 2), promise, method)
    return 0 if release is None else assert_withstands(release)


@pytest.mark.parametrize("promise", [*PROMISES, *VARIANTS], ids=str)
def test_a_table_that_breaks_a_promise_is_found_out(promise: GroupModel) -> None:
    """Records as they were, of people who are all ill in the same way, break every promise."""
    for attacked, models in _broken(promise):
        try:
            assert_within_bounds(attacked, models)
        except AssertionError:
            return
    pytest.fail("nobody noticed")


@pytest.mark.parametrize("promise", [*PROMISES, *VARIANTS], ids=str)
def test_whatever_else_a_promise_bounds_is_found_out_as_well(promise: GroupModel) -> None:
    n = max(len([*measures(model)]) for _, models in _broken(promise) for model in models)
    for i in range(n):
        seen = [
            (measure.reached(attacked), measure)
            for attacked, models in _broken(promise)
            for model in models
            for measure in [*measures(model)][i : i + 1]
        ]
        assert any(r is not None and r > m.bound + m.close for r, m in seen), seen[0][1].what


def _broken(promise: GroupModel) -> Iterator[tuple[Attackable, tuple[GroupModel, ...]]]:
    """Give tables that break promises, as they were."""
    five = example().frame[:5]
    same = five.with_columns(ill=pl.lit("hiv"), pay=pl.lit(3), mind=pl.lit("hiv"))
    rare = same.with_columns(ill=pl.Series(["hiv", "flu", "flu", "flu", "flu"]))
    alone = same.with_columns(age=pl.Series([20, 30, 50, 80, 120]))
    unlike = pl.Series(["flu", "hiv", "cold", "none", "flu"])
    near = same.with_columns(sex=pl.lit("f"), job=pl.lit("cook"), ill=unlike)
    uneven = near.with_columns(age=pl.Series([20, 20, 20, 26, 26]), pay=pl.Series([1, 2, 2, 3, 9]))
    frames = same, rare, alone, near, uneven
    for raw in (*(Patients(frame, 1) for frame in frames), Patients(same, 9)):
        table, side = raw.table(promise, "optimal"), Side.of(raw.side)
        truth = Truth(table, np.arange(len(table)))
        attacked = Attackable(target_of_table(table), truth, side=side)
        yield attacked, promise.bind(BindingContext.of(table.schema, side))


def test_every_model_is_guarded() -> None:
    bound = {promise.name: list(_bound(promise)) for promise in PROMISES}
    for name, models in bound.items():
        assert any([*guards(model), *measures(model)] for model in models), name
    assert {*bound} | ABOUT_NOISE == {entry.name for entry in entries("model")}
    assert not {*bound} & ABOUT_NOISE


def _bound(promise: GroupModel) -> tuple[GroupModel, ...]:
    table = example().table(promise, "optimal")
    return promise.bind(BindingContext.of(table.schema, Side.of(example().side)))


def test_every_method_is_asked() -> None:
    known = {entry.name for entry in entries("method")}
    asked = {method.partition("(")[0] for method in METHODS}
    assert asked | NOISY_METHODS | {*PROMISE_NOTHING} == known


@pytest.mark.parametrize("method", sorted({*NOISY_METHODS, *PROMISE_NOTHING}))
def test_other_methods_refuse_every_promise_about_groups(method: str) -> None:
    assert served(method) == []


@pytest.mark.parametrize("method", sorted(PROMISE_NOTHING))
def test_some_methods_refuse_promises_about_noise_as_well(method: str) -> None:
    for promise in (ul.DifferentialPrivacy(1), ul.DistributionalPrivacy(1, "0.1")):
        with pytest.raises(UnsupportedError, match=method):
            make("method", method).require(All([promise]), may_suppress=False)
