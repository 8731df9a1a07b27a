"""Cover reduction: quasi-identifiers that are part of others, and everything else that follows."""

from __future__ import annotations

from tests import cases
from tests.tables.groups.plain import rows_of_case
from tests.tables.models.counting import counted
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import All
from unlinkable.tables.models.shared.cover import reduce_cover
from unlinkable.tables.models.shared.implication import Implied


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
