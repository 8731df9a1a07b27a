"""Counts by some columns, next to an anonymized table."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import load
from tests.tables.attacks.tables import frame_of_case
from unlinkable.errors import ChannelError, InfeasibleError, ParameterError, UnsupportedError
from unlinkable.tables.attacks.base.attack import Outcome
from unlinkable.tables.attacks.series.view_join import ViewJoin
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods import DPHistogram, Mondrian
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.models import (
    DifferentialPrivacy,
    FrequencyLDiversity,
    KAnonymity,
    TCloseness,
)
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.series.marginals import counted_marginal
from unlinkable.tables.series.marginals.marginals import Marginals
from unlinkable.tables.series.next_release import Next, next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.tables.taxonomies.builders import Intervals, Mask, Tree

CASE = load("book-ch08-sec8.3-marginals")
RAW = frame_of_case(CASE["input"]["raw"]).rename(
    {"Zip Code": "zip", "Salary (K)": "pay", "Disease": "ill"}
)
PATIENTS = as_table(
    RAW,
    quasi=["zip", "pay"],
    sensitive="ill",
    taxonomies={"zip": Mask(5), "pay": Intervals(20, low=31, high=71)},
)
LISTED = as_table(
    RAW,
    quasi=["zip", "pay"],
    sensitive="ill",
    taxonomies={
        "zip": Tree({"2596*": ["25961", "25964"], "2417*": ["24174", "24179"]}),
        "pay": Intervals(20, low=31, high=71),
        "ill": Tree({"any": ["Anthrax", "Cholera", "Flu", "Giardiasis", "HIV", "Heart"]}),
    },
)
"""The same people, with values that are listed beforehand and tell nothing of anybody."""
L3 = FrequencyLDiversity(2, sensitive="ill")


def after(made: list[Next], n: int) -> Past:
    return Past(tuple(one.edition for one in made), made[-1].memory if made else {}, n)


def publish(
    asked: list[tuple[Marginals, tuple[GroupModel, ...], Method | None]], table: Table = PATIENTS
) -> list[Next]:
    made: list[Next] = []
    for policy, models, method in asked:
        request = Request(table, np.arange(len(table)), models, method)
        made.append(next_release(policy, request, after(made, len(table))))
    return made


def counts(made: Next) -> dict[tuple[Any, ...], int]:
    frame = made.release.masked.frame  # type: ignore[attr-defined]
    return {tuple(row[:-1]): int(row[-1]) for row in frame.rows()}


def test_the_marginals_of_the_book_with_empty_bins() -> None:
    bins = [["pay", 31, 36, 41, 46, 51, 56, 61, 66]]
    (made,) = publish([(Marginals(columns="pay", bins=bins), (KAnonymity(2),), None)])
    stated = CASE["expected"]["stated"]["salary_marginal_bins_of_5K"]["rows"]
    found = counts(made)
    for text, n in stated:
        low, high = (int(part.strip("[]K")) for part in text.split("-"))
        assert found[f"[{low}-{high + 1})",] == n
    assert found["<31",] == found[">=66",] == 0
    (zips,) = publish([(Marginals(columns=["zip", "ill"]), (KAnonymity(2),), None)])
    stated = CASE["expected"]["stated"]["zip_disease_marginal"]["rows"]
    assert {k: n for k, n in counts(zips).items() if n} == {(z, i): n for z, i, n in stated}
    assert len(counts(zips)) == 4 * 6


def test_the_zip_and_disease_marginal_is_refused_beside_the_base_table() -> None:
    base = (Marginals(), (KAnonymity(4), L3), Mondrian())
    pay = (Marginals(columns="pay", bins=[["pay", 31, 51]]), (KAnonymity(2),), None)
    assert len(publish([base, pay])) == 2
    zips = (Marginals(columns=["zip", "ill"]), (KAnonymity(2),), None)
    with pytest.raises(ChannelError, match="view-join finds") as refused:
        publish([base, zips])
    outcome, *_ = refused.value.outcomes
    assert isinstance(outcome, Outcome)
    attack = outcome.attack
    assert isinstance(attack, ViewJoin)
    assert (attack.k, attack.limit) == (4, Fraction(1, 2))


def test_what_was_promised_before_still_counts() -> None:
    base = (Marginals(), (KAnonymity(2), L3), Mondrian())
    made = publish([base, (Marginals(columns="zip"), (KAnonymity(2),), None)])
    assert made[-1].memory["bounds"].rows() == [(2, "1/2")]
    assert made[-1].outcomes[0].attack.limit == Fraction(1, 2)


SMALL = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("xy"), st.sampled_from("st")),
    min_size=4,
    max_size=6,
)


@settings(max_examples=25)
@given(
    SMALL, st.lists(st.sampled_from([*combinations("pqs", 1), *combinations("pqs", 2)]), max_size=3)
)
def test_after_every_marginal_two_people_and_two_values_are_left(
    rows: list[tuple[str, str, str]], asked: list[tuple[str, ...]]
) -> None:
    """By all tables that agree with all published counts."""
    table = as_table(
        pl.DataFrame(rows, schema=["p", "q", "s"], orient="row"),
        quasi=["p", "q"],
        sensitive="s",
        taxonomies={
            "p": Tree({"any": ["a", "b"]}),
            "q": Tree({"any": ["x", "y"]}),
            "s": Tree({"any": ["s", "t"]}),
        },
    )
    made, kept = list[Next](), list[tuple[str, ...]]()
    for columns in asked:
        models = (FrequencyLDiversity(2, sensitive="s"),) if "s" in columns else (KAnonymity(2),)
        try:
            request = Request(table, np.arange(len(rows)), models)
            made.append(next_release(Marginals(columns=columns), request, after(made, len(rows))))
        except (ChannelError, InfeasibleError):
            continue
        kept.append(columns)
    told = [name for columns in kept for name in columns]
    known = [name for name in "pq" if name in told]
    if len(kept) < 2 or not known:
        return
    assert_left(rows, kept, known, values="s" in told)


def assert_left(
    rows: list[tuple[str, str, str]], kept: list[tuple[str, ...]], known: list[str], *, values: bool
) -> None:
    """Add up all tables of so many records."""
    types = [dict(zip("pqs", t, strict=True)) for t in product("ab", "xy", "st")]

    def told(table: list[dict[str, str]]) -> list[list[tuple[str, ...]]]:
        return [sorted(tuple(r[n] for n in names) for r in table) for names in kept]

    published = told([dict(zip("pqs", row, strict=True)) for row in rows])
    people: dict[tuple[str, ...], int] = {}
    left: dict[tuple[str, ...], set[str]] = {}
    for numbers in weak_compositions(len(rows), len(types)):
        table = [t for t, n in zip(types, numbers, strict=True) for _ in range(n)]
        if told(table) == published:
            for kind in {tuple(r[n] for n in known) for r in table}:
                mine = [r["s"] for r in table if tuple(r[n] for n in known) == kind]
                people[kind] = max(people.get(kind, 0), len(mine))
                left.setdefault(kind, set()).update(mine)
    assert min(people.values()) >= 2
    if values:
        assert min(map(len, left.values())) >= 2


def weak_compositions(total: int, parts: int) -> list[tuple[int, ...]]:
    bars = combinations(range(total + parts - 1), parts - 1)
    ends = ((-1, *bar, total + parts - 1) for bar in bars)
    return [tuple(b - a - 1 for a, b in pairwise(e)) for e in ends]


def test_private_counts_need_no_attack() -> None:
    method = DPHistogram(marginals=[["zip"]])
    made = publish([(Marginals(), (DifferentialPrivacy(1),), method)] * 2, LISTED)
    assert made[-1].outcomes == ()
    ledgers = [one.release.masked.ledger for one in made]  # type: ignore[attr-defined]
    assert all(len(ledger.events) == 1 for ledger in ledgers)


def test_several_private_marginals_in_one_release_are_refused() -> None:
    method = DPHistogram(marginals=[["zip"], ["zip", "ill"]])
    with pytest.raises(UnsupportedError, match="several tables of counts"):
        publish([(Marginals(), (DifferentialPrivacy(1),), method)], LISTED)


class TestRefusals:
    """What the policy cannot publish."""

    def test_a_marginal_that_does_not_keep_its_own_promise(self) -> None:
        bins = [["pay", 31, 41, 51, 61, 71]]
        asked = (Marginals(columns=["zip", "pay"], bins=bins), (KAnonymity(2),), None)
        with pytest.raises(InfeasibleError, match="by itself: take coarser bins"):
            publish([asked])

    def test_promises_that_cannot_be_carried_over(self) -> None:
        with pytest.raises(UnsupportedError, match="cannot hold several releases"):
            publish([(Marginals(columns="zip"), (TCloseness(0.5, sensitive="ill"),), None)])
        with pytest.raises(UnsupportedError, match="the marginal does not show 'ill'"):
            publish([(Marginals(columns="zip"), (L3,), None)])
        request = Request(PATIENTS, np.arange(13), (KAnonymity(2),))
        method = Marginals(columns="zip").method_for(request, Past())
        with pytest.raises(UnsupportedError, match="name the method dp-histogram"):
            method.require(All([DifferentialPrivacy(1)]), may_suppress=False)

    def test_methods(self) -> None:
        with pytest.raises(UnsupportedError, match="and not made by mondrian"):
            publish([(Marginals(columns="zip"), (KAnonymity(2),), Mondrian())])
        with pytest.raises(UnsupportedError, match="say which method generalizes the table"):
            publish([(Marginals(), (KAnonymity(2),), None)])
        with pytest.raises(ParameterError, match="dp-histogram says itself"):
            publish([(Marginals(columns="zip"), (DifferentialPrivacy(1),), DPHistogram())])

    def test_records_that_are_left_out_and_people_with_several(self) -> None:
        request = Request(PATIENTS, np.arange(13), (KAnonymity(2),), suppression=Fraction(1, 10))
        with pytest.raises(UnsupportedError, match="leave no records out"):
            next_release(Marginals(columns="zip"), request, Past())
        owned = as_table({"a": ["x"] * 2, "o": ["1"] * 2}, quasi="a", owner="o")
        with pytest.raises(UnsupportedError, match="may have several records"):
            publish([(Marginals(columns="a"), (KAnonymity(1),), None)], owned)

    @pytest.mark.parametrize("people", [range(1, 14), range(12)], ids=["came", "left"])
    def test_people_who_came_or_left(self, people: range) -> None:
        first = publish([(Marginals(), (KAnonymity(2),), Mondrian())])
        table = as_table(RAW[: len(people)], quasi="zip", insensitive=["pay"], sensitive="ill")
        request = Request(table, np.array(people, np.int64), (KAnonymity(2),))
        with pytest.raises(UnsupportedError, match="people came or left since the table was"):
            next_release(Marginals(columns="zip"), request, after(first, 13))

    def test_parameters(self) -> None:
        with pytest.raises(ParameterError, match="name what to count by"):
            Marginals(bins=[["pay", 1, 2]])
        with pytest.raises(ParameterError, match="levels are pairs"):
            Marginals(columns="zip", levels=[["zip"]])

    def test_too_many_bins(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(counted_marginal, "MOST_BINS", 3)
        with pytest.raises(UnsupportedError, match="more than 3 bins"):
            publish([(Marginals(columns="zip"), (KAnonymity(2),), None)])
