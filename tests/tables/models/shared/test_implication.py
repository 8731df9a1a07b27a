"""Implication: what follows is found, what is found follows, and people are not records."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import rows_of_case
from tests.tables.models.counting import counted, seen_by
from unlinkable.tables.models import (
    AlphaKAnonymity,
    ConfidenceBounding,
    DistinctLDiversity,
    EntropyLDiversity,
    FrequencyLDiversity,
    KAnonymity,
    KCAnonymity,
    MultirelationalKAnonymity,
    RecursiveCLDiversity,
    TCloseness,
    XYAnonymity,
    XYLinkability,
    XYPrivacy,
)
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.models.shared.implication import Implied, implied, reduce_cover

K5 = KAnonymity(5)


def test_seven_diseases_are_five_records() -> None:
    asked = [K5, DistinctLDiversity(7, sensitive="s")]
    (found,) = implied(asked)
    assert found == Implied(K5, (asked[1],))
    assert str(found) == ('k-anonymity(k=5) follows from distinct-l-diversity(l=7, sensitive="s")')
    assert implied([KAnonymity(8), asked[1]]) == ()


@pytest.mark.parametrize(
    ("weak", "strong"),
    [
        (K5, EntropyLDiversity("9/2", sensitive="s")),
        (K5, RecursiveCLDiversity(c=1, l=5, sensitive="s")),
        (K5, FrequencyLDiversity(5, sensitive="s")),
        (K5, XYLinkability(0.2, y="s")),
        (K5, XYAnonymity(5, y=["s", "t"])),
        (KAnonymity(5, qid="a"), XYLinkability(0.2, y="s", x=["a", "b"])),
        (K5, MultirelationalKAnonymity(6)),
        (DistinctLDiversity(3, sensitive="s"), AlphaKAnonymity(0.4, 2, sensitive="s")),
        (DistinctLDiversity(3, sensitive="s"), XYAnonymity(3, y="s")),
        (ConfidenceBounding("a -> s = HIV <= 0.5"), KCAnonymity(2, 0.5, sensitive="s")),
        (XYAnonymity(2, y=["s", "t"], x="a"), XYPrivacy(2, 0.5, y="s", x=["a", "b"])),
        (AlphaKAnonymity(0.5, 2, sensitive="s", values="x"), XYPrivacy(2, 0.5, y="s")),
    ],
    ids=str,
)
def test_what_follows_by_several_steps_is_found(weak: GroupModel, strong: GroupModel) -> None:
    assert implied([weak, strong]) == (Implied(weak, (strong,)),)
    assert implied([strong, weak]) == (Implied(weak, (strong,)),)


def test_several_promises_together_imply_one_that_is_both() -> None:
    both = AlphaKAnonymity(0.5, 5, sensitive="s")
    diverse = FrequencyLDiversity(2, sensitive="s")
    assert implied([K5, diverse, both]) == (Implied(both, (diverse, K5)),)
    assert implied([K5, both, diverse]) == (Implied(K5, (both,)), Implied(diverse, (both,)))
    other = FrequencyLDiversity(2, sensitive="t")
    assert implied([K5, other, both]) == (Implied(K5, (both,)),)


def test_of_equal_promises_the_first_stays() -> None:
    assert implied([K5, K5, KAnonymity(4)]) == (
        Implied(K5, (K5,)),
        Implied(KAnonymity(4), (K5,)),
    )
    twins = [AlphaKAnonymity(0.5, 2, sensitive="s"), KCAnonymity(2, 0.5, sensitive="s")]
    assert implied(twins) == (Implied(twins[1], (twins[0],)),)


def test_unlike_promises_imply_nothing() -> None:
    assert implied([]) == ()
    assert implied([K5]) == ()
    apart = [
        K5,
        DistinctLDiversity(2, sensitive="s"),
        DistinctLDiversity(3, sensitive="t"),
        TCloseness(0.2, sensitive="s"),
        KAnonymity(7, qid="a"),
    ]
    assert implied(apart) == ()


def test_records_are_not_people() -> None:
    asked = [K5, DistinctLDiversity(7, sensitive="s")]
    assert implied(asked, owner="who") == ()
    assert implied([K5, FrequencyLDiversity(7, sensitive="s")], owner="who") == ()
    counted = [K5, AlphaKAnonymity(0.1, 5, sensitive="s")]
    assert implied(counted, owner="who") == (Implied(K5, (counted[1],)),)
    fewer = [K5, AlphaKAnonymity(0.1, 4, sensitive="s")]
    assert implied(fewer, owner="who") == ()
    assert implied(fewer) == (Implied(K5, (fewer[1],)),)


def test_different_owners_are_people() -> None:
    for strong in (XYAnonymity(5, y="who"), XYLinkability(0.2, y="who")):
        assert implied([K5, strong], owner="who") == (Implied(K5, (strong,)),)
    assert implied([K5, XYAnonymity(5, y=["who", "s"])], owner="who") == ()


POOL: list[GroupModel] = [
    *(KAnonymity(k, qid=q) for k in (1, 2, 3) for q in (None, "q0")),
    *(DistinctLDiversity(l, sensitive="s0") for l in (1, 2, 3)),  # noqa: E741
    *(EntropyLDiversity(l, sensitive="s0") for l in (1.5, 2, 2.5)),  # noqa: E741
    *(FrequencyLDiversity(l, sensitive="s0") for l in (1, 1.5, 2)),  # noqa: E741
    *(XYAnonymity(k, y="s0", x=x) for k in (1, 2, 3) for x in (None, "q0")),
    *(XYLinkability(h, y="s0", x=x) for h in (0.4, 0.5, 0.7) for x in (None, "q0")),
    *(XYLinkability(h, y="s0", values=["s00", "s01"]) for h in (0.4, 0.5, 0.7)),
    *(XYPrivacy(2, h, y="s0", count=c) for h in (0.5, 0.7) for c in ("records", "distinct")),
    *(AlphaKAnonymity(a, k, sensitive="s0") for a in (0.5, 0.7) for k in (1, 2, 3)),
    *(KCAnonymity(k, c, sensitive="s0") for c in (0.5, 0.7) for k in (1, 2, 3)),
    *(ConfidenceBounding(f"{q} -> s0 = s00 <= {h}") for h in (0.4, 0.5, 0.7) for q in ("", "q0")),
    RecursiveCLDiversity(c=1, l=2, sensitive="s0"),
]


@given(tables(min_records=1, max_qid=2, max_leaves=3), st.lists(st.sampled_from(POOL), max_size=6))
def test_what_is_left_out_is_kept_by_every_table_that_keeps_the_rest(
    random: RandomTable, asked: list[GroupModel]
) -> None:
    found = implied(asked, random.owner)
    groups = seen_by(random, *asked)
    for item in found:
        if All(item.by).holds(groups):
            assert item.model.holds(groups)
    kept, _ = reduce_cover(asked, random.owner)
    if All(kept).holds(groups):
        assert All(asked).holds(groups)


def test_example_2_3_a_part_of_another_quasi_identifier_is_redundant() -> None:
    case = cases.load("book-ch02-ex2.3-multiple-qids")
    for asked in case["expected"]["redundant_qids_when_requirement_is"]:
        kept, redundant = reduce_cover(
            KAnonymity(case["input"]["k"], qid=qid) for qid in asked["qids"]
        )
        dropped = [list(item.model.qid or ()) for item in redundant]  # type: ignore[attr-defined]
        assert dropped == asked["redundant"]
        assert len(kept) == len(asked["qids"]) - len(dropped)


def test_example_7_1_sex_alone_is_covered() -> None:
    case = cases.load("book-ch07-ex7.1-multi-qid-anonymity")
    given, expected = case["input"], case["expected"]
    asked = [KAnonymity(r["h"], qid=r["qid"]) for r in given["requirement"]]
    kept, redundant = reduce_cover(asked)
    assert kept == tuple(KAnonymity(r["h"], qid=r["qid"]) for r in expected["reduced_requirement"])
    assert redundant == tuple(
        Implied(KAnonymity(r["h"], qid=r["qid"]), (KAnonymity(r["h"], qid=r["covered_by"]),))
        for r in expected["removed"]
    )


def test_example_7_1_counts_and_violations() -> None:
    case = cases.load("book-ch07-ex7.1-multi-qid-anonymity")
    given, expected = case["input"], case["expected"]
    rows = [
        {name: row[name] for name in ("Education", "Gender")}
        for row in rows_of_case(given["table"])
        for _ in range(int(str(row["count"])))
    ]
    groups = counted(rows, ["Education", "Gender"])
    asked = All(KAnonymity(r["h"], qid=r["qid"]) for r in given["requirement"])
    both, sex = asked.verdicts(groups)
    assert (both.level, sex.level) == (expected["A"]["Education+Gender"], expected["A"]["Gender"])
    assert asked.holds(groups) is expected["satisfied"]
    assert sorted(groups.sizes[~both.good]) == sorted(v["count"] for v in expected["violations"])
    grown = [
        {**row, "Education": "Grad School"} if row["Education"] in ("Masters", "Doctorate") else row
        for row in rows
    ]
    after = expected["after_generalizing_Masters_Doctorate_to_Grad_School"]
    (verdict, _) = asked.verdicts(counted(grown, ["Education", "Gender"]))
    assert int((~verdict.good).sum()) == len(after["remaining_violations"])


def test_a_larger_k_on_a_part_is_not_covered() -> None:
    asked = (KAnonymity(4, qid=["a", "b"]), KAnonymity(5, qid=["a"]))
    assert reduce_cover(asked) == (asked, ())


def test_of_identical_ones_the_first_stays() -> None:
    pair = [KAnonymity(4, qid=["a"]), DistinctLDiversity(2, sensitive="s"), KAnonymity(4, qid="a")]
    kept, redundant = reduce_cover(pair)
    assert kept == tuple(pair[:2])
    assert redundant == (Implied(pair[2], (pair[0],)),)


def test_any_promise_may_be_redundant_and_owners_matter() -> None:
    asked = [KAnonymity(5), DistinctLDiversity(7, sensitive="s")]
    assert reduce_cover(asked) == ((asked[1],), (Implied(asked[0], (asked[1],)),))
    assert reduce_cover(asked, owner="who") == (tuple(asked), ())
