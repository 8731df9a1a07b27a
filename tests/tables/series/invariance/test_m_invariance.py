"""m-invariance: the book's example, the definition, and all possible worlds of random series."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import cases
from tests.tables.attacks.series import worlds
from tests.tables.series.snapshots import Snapshot, publish, table_of, unchanging
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.critical_absence import CriticalAbsence
from unlinkable.tables.attacks.series.difference import Difference
from unlinkable.tables.attacks.series.intersection import Intersection
from unlinkable.tables.attacks.series.record_tracing import RecordTracing
from unlinkable.tables.attacks.series.series import Edition, Series, Sheet
from unlinkable.tables.data import as_table
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.series.invariance.m_invariance import MInvariance
from unlinkable.tables.series.next_release import next_release
from unlinkable.tables.series.policy import Past, Request


def is_m_invariant(sheets: Sequence[Sheet], m: int, *, forgets: bool = False) -> bool:
    """Definition 10.7 word by word, but that groups of one signature may show the same.

    With ``forgets`` as in the paper: only signatures in consecutive releases must be equal.
    """
    kept: dict[int, tuple[int, set[int]]] = {}
    for t, sheet in enumerate(sheets):
        for g in range(sheet.n_groups):
            values = sheet.values[sheet.groups == g].tolist()
            signature = set(values)
            if len(signature) < m or len({values.count(v) for v in signature}) > 1:
                return False
            for p in sheet.people[sheet.groups == g].tolist():
                if p < 0:
                    continue
                when, before = kept.get(p, (t, signature))
                if before != signature and not (forgets and when < t - 1):
                    return False
                kept[p] = (t, signature)
    return True


LEAST = "minimum_counterfeits_for_2_invariance_publishing_all_of_T2"


def test_example_10_12_takes_two_counterfeits() -> None:
    case = cases.load("book-ch10-ex10.12-counterfeited-generalization")
    told = case["input"]
    quasi, ill = told["QID"], told["sensitive"]
    rows = told["R1"]["rows"]
    frame = pl.DataFrame([r[1:] for r in rows], schema=[*quasi, ill], orient="row")
    first = Edition(
        Target(frame, tuple(quasi), (ill,)), np.array([r[0] for r in rows]), "release 1"
    )
    rows = told["T2"]["rows"]
    columns = dict(zip(told["T2"]["columns"], zip(*rows, strict=True), strict=True))
    people = np.array(columns.pop("Rec ID"))
    columns["Salary"] = [int(text[:-1]) for text in columns["Salary"]]
    table = as_table(columns, quasi=quasi, sensitive=ill)
    made = next_release(MInvariance(told["m"]), Request(table, people), Past((first,), {}, 17))

    series = Series((first, made.edition))
    assert is_m_invariant(series.sheets(ill), 2)
    assert isinstance(made.release, MaskedRelease)
    masked = made.release.masked
    assert masked.told == {"counterfeits": case["expected"]["computed"][LEAST]}
    assert made.outcomes[0].highest == case["expected"]["stated"]["probability_each"]
    # The auxiliary table is a column, the same for all records of a group.
    shown = masked.frame.group_by(quasi).agg(pl.col("counterfeits").unique(), pl.len())
    assert all(len(numbers) == 1 for numbers in shown["counterfeits"])
    assert sum(numbers[0] for numbers in shown["counterfeits"]) == 2
    computed = case["expected"]["computed"]["signatures"]
    sheet, texts = series.sheets(ill)[1], series.texts(ill)
    for p in (1, 4, 5, 7, 9, 11):
        group = sheet.groups[sheet.people == p][0]
        found = sorted({str(texts[v]) for v in sheet.values[sheet.groups == group]})
        assert found == computed[str(p)]["R1"]


@given(unchanging(), st.integers(2, 3), st.integers(0, 3))
def test_nobody_is_known_better_than_1_in_m_in_any_world(
    snapshots: list[Snapshot], m: int, seed: int
) -> None:
    assume(len({ill for snapshot in snapshots[:1] for _, ill in snapshot.values()}) >= m)
    for step in publish(MInvariance(m), snapshots, seed=seed):
        assert is_m_invariant(step.sheets, m)
        shown = step.next.edition.people
        assert shown is not None
        assert sorted(shown[shown >= 0].tolist()) == step.request.people.tolist()
        if np.prod([len(list(islice(worlds.deals(s), 200))) for s in step.sheets]) > 20_000:
            continue
        shares = worlds.shares(step.sheets)
        assert max(max(own.values()) for own in shares.values()) <= Fraction(1, m)


@given(unchanging(most=8), st.integers(2, 3))
def test_no_other_attack_on_people_is_surer_either(snapshots: list[Snapshot], m: int) -> None:
    assume(len({ill for _, ill in snapshots[0].values()}) >= m)
    for step in publish(MInvariance(m), snapshots):
        series, most = Series(step.past.editions), Fraction(1, m)
        for attack in (
            Intersection(limit=most),
            Difference(k=1, limit=most),
            RecordTracing(k=1, limit=most),
        ):
            if len(series) > 1:
                assert not attack.run(series).succeeded


@given(unchanging(most=8), st.integers(2, 3))
def test_takes_the_least_number_of_counterfeits(snapshots: list[Snapshot], m: int) -> None:
    assume(len({ill for _, ill in snapshots[0].values()}) >= m)
    before: dict[int, frozenset[str]] = {}
    for step in publish(MInvariance(m), snapshots):
        snapshot = snapshots[len(step.past) - 1]
        owed = {p: before[p] for p in snapshot if p in before}
        short: dict[str, int] = {}
        for signature in set(owed.values()):
            held = [snapshot[p][1] for p in owed if owed[p] == signature]
            rows = max(held.count(v) for v in signature)
            for v in signature:
                short[v] = short.get(v, 0) + rows - held.count(v)
        new = [ill for p, (_, ill) in snapshot.items() if p not in owed]
        # No release can do with fewer: by what is short of each value, and in all.
        lacking = sum(max(0, n - new.count(v)) for v, n in short.items())
        rows = max([max(0, new.count(v) - short.get(v, 0)) for v in new], default=0)
        least = max(lacking, sum(short.values()) + m * rows - len(new))
        assert step.masked.told["counterfeits"] == least
        sheet, texts = step.sheets[-1], step.texts
        for p, g in zip(sheet.people.tolist(), sheet.groups.tolist(), strict=True):
            if p >= 0:
                before[p] = frozenset(str(texts[v]) for v in sheet.values[sheet.groups == g])


def test_somebody_who_comes_back_still_has_his_signature() -> None:
    """Section 10.4, broken life span: the paper forgets him, and exposes those who stayed."""
    case = cases.load("book-ch10-sec10.4-broken-lifespan")["input"]
    ills = case["time_1_group"]["values"]
    first = {p: (20 + p, ill) for p, ill in enumerate(ills)}
    snapshots: list[Snapshot] = [
        first,
        {1: first[1]},
        {0: first[0], 2: first[2], 3: (25, "Cold"), 4: (26, "Ulcer"), 5: (24, "Flu")},
    ]
    *_, last = publish(MInvariance(3), snapshots)
    assert is_m_invariant(last.sheets, 3)
    assert last.next.outcomes[0].highest == pytest.approx(1 / 3)
    texts = {text: i for i, text in enumerate(last.texts)}
    hiv, flu, fever, cold = (texts[t] for t in ("HIV", "Flu", "Fever", "Cold"))
    forgotten = (*last.sheets[:2], Sheet.of([0, 2, 3], [0] * 3, [flu, fever, cold]))
    assert is_m_invariant(forgotten, 3, forgets=True)
    assert not is_m_invariant(forgotten, 3)
    assert worlds.shares(forgotten)[1] == {hiv: 1}


def test_everybody_is_published_and_counterfeits_look_like_anybody() -> None:
    snapshots = [
        {p: (20 + p, "abc"[p % 3]) for p in range(30)},
        {p: (20 + p, "abc"[p % 3]) for p in range(0, 30, 4)},
    ]
    *_, last = publish(MInvariance(3), snapshots)
    masked = last.masked
    assert masked.rows is None
    assert masked.whose is not None
    assert masked.frame.columns == ["age", "ill", "counterfeits"]
    assert masked.frame["ill"].null_count() == 0
    assert (masked.whose < 0).sum() == masked.told["counterfeits"]
    assert (masked.whose < 0).any()
    assert str(last.next.release.method) == 'm-invariance(m=3, sensitive="ill")'


def test_is_the_same_under_the_same_seed() -> None:
    snapshots = [{p: (20 + p % 17, "abcd"[p % 4]) for p in range(20)}]
    (one,), (two,) = (tuple(publish(MInvariance(2), snapshots, seed=7)) for _ in range(2))
    first, second = (s.masked.frame.sort("age", "ill") for s in (one, two))
    assert first.equals(second)


def test_effort_on_fixed_data() -> None:
    snapshots = [
        {p: (20 + p % 41, "abcde"[p * p % 5]) for p in range(200)},
        {p: (20 + p % 41, "abcde"[p * p % 5]) for p in range(20, 220)},
    ]
    efforts = [step.masked.effort for step in publish(MInvariance(2), snapshots)]
    assert efforts == [
        {"signatures": 3, "groups": 92, "counterfeits": 0, "rounds": 6},
        {"signatures": 3, "groups": 91, "counterfeits": 0, "rounds": 6},
    ]


def test_reads_a_signature_of_numbers_and_of_missing_values() -> None:
    columns = {"age": [20, 21, 22, 23], "pay": [1.0, None, 2.5, 1.0]}
    table = as_table(columns, quasi="age", sensitive="pay")
    first = next_release(MInvariance(2), Request(table, np.arange(4)), Past())
    past = Past((first.edition,), {}, 4)
    then = next_release(MInvariance(2), Request(table, np.arange(4)), past)
    assert isinstance(then.release, MaskedRelease)
    assert then.release.masked.told["counterfeits"] == 0
    assert is_m_invariant(Series((first.edition, then.edition)).sheets("pay"), 2)


def test_refuses_values_that_change() -> None:
    snapshots: list[Snapshot] = [{0: (20, "a"), 1: (21, "b")}, {0: (20, "b"), 1: (21, "a")}]
    with pytest.raises(UnsupportedError, match=r"2 people is not what it was.*hd-composition"):
        list(publish(MInvariance(2), snapshots))


def test_refuses_to_go_on_from_other_releases() -> None:
    snapshot: Snapshot = {0: (20, "a"), 1: (21, "a"), 2: (21, "b")}
    frame = pl.DataFrame({"age": ["*"] * 3, "ill": ["a", "a", "b"]})
    past = Past((Edition(Target(frame, ("age",), ("ill",)), np.arange(3)),), {}, 3)
    with pytest.raises(UnsupportedError, match="those published before are not: start a new"):
        list(publish(MInvariance(2), [snapshot], past=past))
    unknown = Past((Edition(Target(frame, ("age",), ("ill",)), None, "release 1"),), {}, 3)
    with pytest.raises(UnsupportedError, match="nobody can say whose the records of release 1"):
        list(publish(MInvariance(2), [snapshot], past=unknown))


def test_refuses_what_it_cannot_treat() -> None:
    table, people = table_of({0: (20, "a"), 1: (21, "b")}), np.arange(2)
    with pytest.raises(ParameterError, match="m must be at least 2"):
        MInvariance(1)
    with pytest.raises(InfeasibleError, match="has 2 different values, and groups must have 3"):
        next_release(MInvariance(3), Request(table, people), Past())
    with pytest.raises(UnsupportedError, match="some have several"):
        next_release(MInvariance(2), Request(table, np.zeros(2, np.int64)), Past())
    with pytest.raises(UnsupportedError, match="leave the method out"):
        next_release(MInvariance(2), Request(table, people, method=Mondrian()), Past())
    with pytest.raises(UnsupportedError, match="cannot be counted as people"):
        next_release(MInvariance(2), Request(table, people, (KAnonymity(2),)), Past())
    two = as_table({"age": [1], "x": ["a"], "y": ["b"]}, quasi="age", sensitive=["x", "y"])
    with pytest.raises(SchemaError, match="one sensitive column, and there are 2"):
        MInvariance(2).bind(two.schema)
    with pytest.raises(SchemaError, match="puts people together by quasi-identifiers"):
        MInvariance(2).bind(as_table({"x": ["a"]}, sensitive="x").schema)


def test_the_attack_that_it_guards_against_finds_naive_releases() -> None:
    """What is generalized again without a thought falls, and so does no release of the policy."""
    naive = [Sheet.of([0, 1], [0, 0], [0, 1]), Sheet.of([0, 2], [0, 0], [0, 2])]
    assert not is_m_invariant(naive, 2)
    assert worlds.shares(naive)[0] == {0: 1}
    attack, *_ = MInvariance(4).adversaries(Request(table_of({0: (20, "a")}), np.arange(1)), Past())
    assert attack == CriticalAbsence("ill", limit=Fraction(1, 4))
