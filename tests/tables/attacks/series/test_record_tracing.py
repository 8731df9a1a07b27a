"""Record tracing: the paper's people, all worlds of tiny series, and the claims."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.series.published import byun_series, series_of_sheets
from tests.tables.attacks.series.tiny import possible_one_by_one, records, tiny_series
from tests.tables.series.worst_adversary import by_tracing, published
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.series.record_tracing import RecordTracing
from unlinkable.tables.attacks.series.series import Edition, Series, Sheet

LIMITS = st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(1)])


def by_definition(sheets: tuple[Sheet, ...], k: int, limit: Fraction) -> tuple[list[int], set[int]]:
    """Count exposed records of each release, and name their owners."""
    possible, exposed, owners = possible_one_by_one(sheets), [], set()
    for release in records(sheets):
        n = 0
        for owner, group, value in release:
            m = sum(g == group and (o, value) in possible for o, g, _ in release)
            c = sum((g, v) == (group, value) for _, g, v in release)
            if m < k or c > limit * m:
                n += 1
                owners |= {owner[0]} if owner[1] < 0 else set()
        exposed.append(n)
    return exposed, owners


def test_bob_and_eve_are_traced() -> None:
    series = byun_series(load("byun-ex2-intersection-attack")["input"])
    outcome = RecordTracing("Diagnosis", k=2, limit=1).run(series)
    told = {v.who["person"]: v.learned["Diagnosis"] for v in outcome.victims if v.confidence == 1}
    assert (told.pop("Bob"), told.pop("Eve")) == ("Alzheimer", "Diabetes")
    # What is left in a group belongs to who is left, once all others have been followed.
    assert told == {"Hank": "Hepatitis", "Sal": "Flu", "Alice": "Cancer"}
    assert (outcome.n_attacked, outcome.n_fallen) == (7, 5)
    assert outcome.details == {
        "fewest_candidates": 1,
        "fallen_before": 0,
        "contradicted": 0,
        "exposed_in_1": 2,
        "exposed_in_2": 5,
    }
    assert outcome.found == (
        "5 of 7 people fall: their records have fewer than 2 candidates, or more than 1 of these "
        "have the value. One release alone tells that of 0."
    )


def test_of_the_first_release_two_records_are_exposed_in_the_simple_variant_too() -> None:
    series = byun_series(load("byun-ex2-intersection-attack")["input"])
    outcome = RecordTracing(k=2, limit=1, edges="all").run(series)
    assert (outcome.details["exposed_in_1"], outcome.n_fallen) == (2, 5)


@given(tiny_series(), st.integers(1, 4), LIMITS)
def test_by_definition(sheets: tuple[Sheet, ...], k: int, limit: Fraction) -> None:
    exposed, owners = by_definition(sheets, k, limit)
    outcome = RecordTracing(k=k, limit=limit).run(series_of_sheets(sheets))
    assert [outcome.details[f"exposed_in_{i + 1}"] for i in range(len(sheets))] == exposed
    assert outcome.n_fallen == len(owners)
    assert outcome.n_attacked == len({p for s in sheets for p in s.people.tolist() if p >= 0})


@given(tiny_series(made_up=False), st.integers(1, 4), LIMITS)
def test_says_what_the_worst_adversary_says(
    sheets: tuple[Sheet, ...], k: int, limit: Fraction
) -> None:
    series = series_of_sheets(sheets)
    fallen = by_tracing([published(edition, "s") for edition in series.editions], k, limit)
    assert RecordTracing(k=k, limit=limit).run(series).n_fallen == len(fallen)


@given(tiny_series(), st.integers(1, 4))
def test_fewer_edges_expose_more(sheets: tuple[Sheet, ...], k: int) -> None:
    series = series_of_sheets(sheets)
    simple, exact = (
        RecordTracing(k=k, limit=1, edges=edges).run(series) for edges in ("all", "feasible")
    )
    assert simple.n_fallen <= exact.n_fallen
    assert simple.highest <= exact.highest
    assert simple.details["fallen_before"] == exact.details["fallen_before"]
    assert exact.n_fallen >= int(str(exact.details["fallen_before"]))


@given(tiny_series(n_releases=4), st.integers(1, 4), LIMITS)
def test_one_release_more_never_exposes_fewer(
    sheets: tuple[Sheet, ...], k: int, limit: Fraction
) -> None:
    attack = RecordTracing(k=k, limit=limit)
    if len(sheets) > 2:
        before, after = (attack.run(series_of_sheets(part)) for part in (sheets[:-1], sheets))
        assert before.n_fallen <= after.n_fallen


def test_exactly_k_candidates_and_exactly_the_limit_are_fine() -> None:
    sheet = Sheet.of([0, 1, 2, 3], [0, 0, 0, 0], [0, 0, 1, 1])
    series = series_of_sheets([sheet, sheet])
    assert RecordTracing(k=4, limit="1/2").run(series).n_fallen == 0
    assert RecordTracing(k=5, limit="1/2").run(series).n_fallen == 4
    nobody = RecordTracing(k=4, limit="1/2").run(series)
    assert nobody.found == "Nobody of 4 people falls: every record has 4 candidates or more."
    assert RecordTracing(k=4, limit="0.49").run(series).n_fallen == 4


def test_refuses_what_it_cannot_follow() -> None:
    sheet = Sheet.of([0, 1], [0, 0], [0, 1])
    series = series_of_sheets([sheet, sheet])
    with pytest.raises(UnsupportedError, match="several records in release 1"):
        RecordTracing().run(series_of_sheets([Sheet.of([0, 0], [0, 0], [0, 1]), sheet]))
    unknown = Series((series.editions[0], Edition(series.editions[1].target)))
    with pytest.raises(UnsupportedError, match="not known whose the records"):
        RecordTracing().run(unknown)
    with pytest.raises(UnsupportedError, match="give the list of people with external='external'"):
        RecordTracing(knows="regions").run(series)
    with pytest.raises(SchemaError, match="sensitive column of all releases"):
        RecordTracing("pay").run(series)
    with pytest.raises(ParameterError, match="edges must be one of"):
        RecordTracing(edges="some")
    with pytest.raises(ParameterError, match="knows must be one of"):
        RecordTracing(knows="nothing")
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        RecordTracing(k=0)


def test_counts_of_a_fixed_series() -> None:
    rng = np.random.default_rng(0)
    values, at = rng.integers(0, 5, 600), rng.random(600)
    sheets = [
        Sheet.of(range(n), (at[:n] * n / size).astype(int).tolist(), values[:n].tolist())
        for n, size in ((400, 13), (500, 11), (600, 17))
    ]
    outcome = RecordTracing(k=4, limit=1).run(series_of_sheets(sheets))
    assert outcome.details["exposed_in_3"] == 14
    assert outcome.details["contradicted"] == 0
