"""m-confidentiality: the engineers of the book, all worlds one by one, and large groups."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, isclose

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import cases
from tests.kernels.worlds_by_definition import credibilities
from tests.tables.groups.plain import rows_of_case
from tests.witness import worlds
from tests.witness.models import Row
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import FrequencyLDiversity, MConfidentiality
from unlinkable.tables.models.base import Basis, BindingContext, GroupModel

PARTS = st.lists(
    st.integers(1, 4).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    min_size=1,
    max_size=3,
)


def bound(model: MConfidentiality) -> GroupModel:
    (ready,) = model.bind(BindingContext(quasi=("q",), sensitive=("s",)))
    return ready


def rows_of(parts: Sequence[tuple[int, int]]) -> list[Row]:
    """Write down parts: how many people are alike, and how many of them have x."""
    return [
        {"q": f"q{i}", "s": "x" if k < have else "y"}
        for i, (n, have) in enumerate(parts)
        for k in range(n)
    ]


def merged(rows: Sequence[Row]) -> Groups:
    """Put all records into one group."""
    columns = {name: [row[name] for row in rows] for name in ("q", "s")}
    finest = count(as_table(columns, quasi="q", sensitive="s"), [("q",), ("s",)]).finest
    return finest.merge(np.zeros(len(finest), np.int32), 1, ("q",), finest.keys[:1])


def test_example_5_1_gives_both_engineers_away() -> None:
    case = cases.load("book-ch05-ex5.1-minimality-attack")
    given_, said = case["input"], case["expected"]
    rows = rows_of_case(given_["original"])
    columns = {name: [row[name] for row in rows] for name in given_["original"]["columns"]}
    table = as_table(columns, quasi=given_["requirement"]["qid"], sensitive="Disease")
    promise = MConfidentiality(
        2, h=given_["requirement"]["h"], values=given_["requirement"]["value"]
    )
    (ready,) = promise.bind(BindingContext.of(table.schema))
    finest = count(table, ready.needs()).finest
    groups = finest.merge(np.zeros(2, np.int32), 1, finest.columns, finest.keys[:1])
    verdict = ready.verdict(groups)
    assert verdict.holds is said["m_confidentiality"]["m=2"]
    assert verdict.level == 1 / said["posterior_HIV"]["Andy"]
    assert verdict.why == (
        "2 of 7 records have HIV; if they were merged because more than 0.6 of some who were alike "
        "had it, each of 2 who were has it with a chance of 1, and at most 0.5 is allowed"
    )
    assert verdict.reading == "every value by itself: groups are taken to be merged because of it"


@given(PARTS, st.fractions(Fraction(1, 10), 1, max_denominator=12))
def test_says_what_all_worlds_say(parts: list[tuple[int, int]], h: Fraction) -> None:
    sizes, n, j = [n for n, _ in parts], sum(n for n, _ in parts), sum(k for _, k in parts)
    assume(j > 0)
    beliefs = credibilities(sizes, [int(h * n) for n in sizes], j)
    wanted = 1 / max(beliefs, default=Fraction(j, n))
    groups, promise = merged(rows_of(parts)), bound(MConfidentiality(1, h=h, values="x"))
    assert isclose(promise.level(groups)[0], wanted, rel_tol=1e-12)
    for m, holds in [(wanted, True), (wanted + Fraction(1, 10**15), False)]:
        assert bound(MConfidentiality(m, h=h, values="x")).holds(groups) is holds


@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=2, max_size=6), st.integers(1, 5))
def test_says_what_those_say_who_think_it_through(raw: list[str], j: int) -> None:
    rows: list[Row] = [{"q": q, "s": "x" if i < j else "y"} for i, q in enumerate(raw)]
    h = Fraction(1, 2)
    found = bound(MConfidentiality(1, h=h, values="x")).level(merged(rows))[0]
    try:
        wanted = worlds.confidentiality_m(rows, [], ["q"], "s", h, ["x"])
    except worlds.ImpossibleError:
        wanted = Fraction(len(rows), min(j, len(rows)))
    assert wanted is not None
    assert isclose(found, wanted, rel_tol=1e-12)


@given(PARTS, st.fractions(Fraction(1, 10), 1, max_denominator=12))
def test_takes_every_value_by_itself(parts: list[tuple[int, int]], h: Fraction) -> None:
    groups = merged(rows_of(parts))
    both = bound(MConfidentiality(2, h=h)).level(groups)[0]
    alone = [bound(MConfidentiality(2, h=h, values=v)).level(groups)[0] for v in ("x", "y")]
    assert both == min(alone)


@given(PARTS, st.fractions(Fraction(1, 10), 1, max_denominator=12))
def test_shares_are_no_greater_than_chances(parts: list[tuple[int, int]], h: Fraction) -> None:
    groups, promise = merged(rows_of(parts)), bound(MConfidentiality(1, h=h))
    follows = FrequencyLDiversity(1, sensitive="s")
    assert promise.level(groups)[0] <= follows.level(groups)[0] * (1 + 1e-12)
    assert promise.consequences() == (follows,)
    assert MConfidentiality(2, h=h, values="x").consequences() == ()


def test_what_was_not_merged_is_judged_by_its_shares() -> None:
    promise = bound(MConfidentiality(2, h=0.5))
    rows = rows_of([(2, 1), (4, 1)])
    columns = {name: [row[name] for row in rows] for name in ("q", "s")}
    finest = count(as_table(columns, quasi="q", sensitive="s"), promise.needs()).finest
    assert promise.level(finest).tolist() == [2.0, pytest.approx(4 / 3)]
    assert promise.verdict(finest).reading.startswith("shares alone: every group shows one")


def test_good_groups_may_be_bad_together() -> None:
    groups = [merged(rows_of([part])) for part in [(2, 1), (4, 1)]]
    promise = bound(MConfidentiality(2, h=0.5, values="x"))
    assert all(promise.holds(group) for group in groups)
    assert promise.level(merged(rows_of([(2, 1), (4, 1)]))).tolist() == [1.0]


def test_without_a_world_in_which_merging_was_needed_shares_are_judged() -> None:
    promise = bound(MConfidentiality(2, h=1, values="x"))
    assert promise.level(merged(rows_of([(2, 2), (5, 0)]))).tolist() == [3.5]


def test_large_groups_are_judged_by_a_bound() -> None:
    groups = merged(rows_of([(400, 100), (700, 100)]))
    promise = bound(MConfidentiality(3, h=0.25, values="x"))
    verdict = promise.verdict(groups)
    assert verdict.holds
    assert verdict.basis is Basis.SUFFICIENT
    assert "with a chance of at most 0.25" in verdict.why
    small = merged(rows_of([(40, 10), (70, 10)]))
    assert promise.verdict(small).basis is Basis.COUNTED


def test_parts_of_one_size_are_decided_in_whole_numbers_however_large() -> None:
    groups = merged(rows_of([(3000, 2000), (3000, 0)]))
    assert bound(MConfidentiality(3, h=0.5, values="x")).holds(groups)
    more = MConfidentiality(3 + Fraction(1, 10**12), h=0.5, values="x")
    assert not bound(more).holds(groups)


def test_a_share_at_the_bound_needs_no_merging() -> None:
    groups = merged(rows_of([(2, 1), (6, 1)]))
    exactly_half = bound(MConfidentiality(1, h="1/2", values="x")).level(groups)
    assert exactly_half.tolist() == [1.0]
    huge = Fraction(1, 2) - Fraction(1, 10**30)
    below = bound(MConfidentiality(1, h=huge, values="x")).level(groups)
    assert below[0] == pytest.approx(13 / 7)


def test_who_has_no_guarded_value_is_linked_to_none() -> None:
    promise = bound(MConfidentiality(2, h=0.5, values="z"))
    verdict = promise.verdict(merged(rows_of([(2, 1), (4, 1)])))
    assert verdict.level == inf
    assert verdict.why == "nobody has a guarded value, and at most 0.5 is allowed"


def test_covers_fewer_values_and_no_other_bound() -> None:
    promise = MConfidentiality(3, h=0.5)
    assert promise.covers(MConfidentiality(2, h=0.5, values="x"))
    assert not promise.covers(MConfidentiality(4, h=0.5))
    assert not promise.covers(MConfidentiality(2, h=0.4))
    assert not MConfidentiality(3, h=0.5, values="x").covers(promise)
    assert not promise.covers(FrequencyLDiversity(2))


def test_is_written_as_it_is_read() -> None:
    promise = MConfidentiality(2, h=0.6, sensitive="s", values=["x"])
    assert str(promise) == 'm-confidentiality(m=2, h=0.6, sensitive="s", values=["x"])'


def test_asks_for_less_and_explains() -> None:
    assert MConfidentiality(2, h=0.5).weaker() == MConfidentiality(1.5, h=0.5)
    assert MConfidentiality(1.5, h=0.5).weaker() is None
    promise = bound(MConfidentiality(2, h=0.5, values="x"))
    assert promise.explain_failure(merged(rows_of([(2, 1), (4, 1)]))).startswith(
        "all 6 records in one group reach m = 1. Ask for less, or distort values"
    )


def test_refuses_what_means_nothing() -> None:
    with pytest.raises(ParameterError, match="m must be at least 1, got 1/2"):
        MConfidentiality(0.5, h=0.5)
    with pytest.raises(ParameterError, match=r"h must lie in \(0, 1\], got 0"):
        MConfidentiality(2, h=0)
    with pytest.raises(ParameterError, match="values must list at least one value"):
        MConfidentiality(2, h=0.5, values=[])
    with pytest.raises(SchemaError, match="does not know the quasi-identifying columns"):
        MConfidentiality(2, h=0.5, sensitive="s").needs()
