"""The witnesses of the models say what the literature's worked examples say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import isclose
from typing import Any

import pytest

from tests.cases import load
from tests.witness import emd, metrics, models, promises
from tests.witness.methods import (
    Problem,
)
from tests.witness.metrics import Cell
from tests.witness.models import Row
from tests.witness.tree import Tree

AGE_30_TO_39 = Tree(
    {age: (age, f"[{age // 5 * 5}-{age // 5 * 5 + 5})", "*") for age in range(30, 40)}
)


def rows_of(table: Mapping[str, Any]) -> list[Row]:
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def patients() -> tuple[list[Row], dict[str, Tree]]:
    case = load("book-ch02-ex2.2-k-anonymity")["input"]
    known = {name: Tree.nested(case["taxonomies"][name]) for name in ("Job", "Sex")}
    return rows_of(case["original"]), {**known, "Age": AGE_30_TO_39}


def as_distribution(parts: Mapping[str, float]) -> dict[Hashable, Fraction]:
    return {value: Fraction(str(share)) for value, share in parts.items()}


def test_the_patient_table_becomes_3_anonymous_at_the_book_s_node() -> None:
    case = load("book-ch02-ex2.2-k-anonymity")
    rows, trees = patients()
    qid = case["input"]["qid"]
    problem = Problem(rows, qid, trees, [promises.k_anonymous(3)])
    published = problem.generalize(case["input"]["levels"])
    assert published == rows_of(case["expected"]["anonymous"])
    assert models.k_anonymity(published, qid) == case["expected"]["k_of_anonymous"] == 3
    assert models.k_anonymity(rows, qid) == case["expected"]["k_of_original"] == 1
    assert problem.kept(case["input"]["levels"]) == list(range(7))


def test_two_quasi_identifiers_do_not_imply_their_union() -> None:
    case = load("book-ch02-ex2.3-multiple-qids")
    rows = rows_of(case["input"]["table"])
    union = case["input"]["union_qid"]
    assert models.is_k_anonymous(rows, [(qid, 2) for qid in case["input"]["qids"]])
    assert not models.is_k_anonymous(rows, [(union, 2)])
    for names, k in case["expected"]["anonymity"].items():
        assert models.k_anonymity(rows, names.split(",")) == k


def test_owners_are_counted_once() -> None:
    case = load("book-ch02-ex2.4-2.5-xy-anonymity-inpatient")
    rows, expected = rows_of(case["input"]["table"]), case["expected"]
    qid = case["input"]["X"]
    assert models.k_anonymity(rows, qid) == expected["record_anonymity"] == 6
    assert models.k_anonymity(rows, qid, owner="Pid") == expected["A_Pid(X)"] == 2
    assert models.distinct_l(rows, qid, "Disease") == expected["A_Disease(X)"] == 3
    assert promises.hold([promises.k_anonymous(2, owner="Pid")], rows, qid)
    assert not promises.hold([promises.k_anonymous(3, owner="Pid")], rows, qid)


def test_entropy_diversity_of_the_patients_is_1_7548_and_not_1_8() -> None:
    case = load("book-ch02-ex2.7-entropy-l-diversity")
    rows, qid = rows_of(case["input"]["table"]), case["input"]["qid"]
    level = models.entropy_l(rows, qid, "Disease")
    assert level is not None
    assert isclose(level, case["expected"]["max_l_exact"])
    for text, verdict in case["expected"]["verdicts"].items():
        bound = Fraction(text.removeprefix("l="))
        assert models.is_entropy_l_diverse(rows, qid, "Disease", bound) is verdict


@pytest.mark.parametrize("name", ["babu-table2-4-homogeneity", "babu-table2-6-three-diverse"])
def test_the_thesis_tables_have_the_diversity_computed_for_them(name: str) -> None:
    case = load(name)
    rows, qid = rows_of(case["input"]["anonymized"]), case["input"]["quasi_identifier"]
    assert models.k_anonymity(rows, qid) == case["expected"]["k"]
    levels = case["expected"].get(
        "distinct_l", {"Disease": case["expected"].get("table_distinct_l")}
    )
    assert {s: models.distinct_l(rows, qid, s) for s in levels} == levels
    release = [{a: Cell(row[a], 1) for a in qid} for row in rows]
    assert metrics.discernibility(release, qid) == case["expected"]["discernibility"]


def test_each_class_of_the_thesis_table_is_as_diverse_as_computed() -> None:
    case = load("babu-table2-4-homogeneity")
    rows = rows_of(case["input"]["anonymized"])
    for expected in case["expected"]["classes"]:
        group = [row for row in rows if row["#"] in expected["rows"]]
        counts = Counter(row["Disease"] for row in group)
        assert counts == expected["counts"]
        level = models.entropy_l(group, [], "Disease")
        assert level is not None
        assert isclose(level, expected["effective_entropy_l"])
        assert models.is_entropy_l_diverse(group, [], "Disease", 2) is (level >= 2)
        assert models.recursive_cl(counts.values(), 2, 2) is expected["recursive"]["c=2,l=2"]
        assert models.recursive_cl(counts.values(), 3, 3) is expected["recursive"]["c=3,l=3"]


def test_recursive_diversity_fails_with_fewer_values_than_l_however_large_c_is() -> None:
    assert not models.recursive_cl([3, 3], 10**9, 3)
    assert not models.recursive_cl([3, 3], 10**9, 3, strict=False)


@pytest.mark.parametrize(
    ("name", "p", "q", "distance"),
    [
        ("book-ch02-t-closeness-skewness", "group", "overall", "emd_equal_ground_distance"),
        ("aggarwal-skew-hiv-1-99", "P", "Q", "emd_equal_distance"),
    ],
)
def test_a_diverse_group_can_be_far_from_a_skewed_table(
    name: str, p: str, q: str, distance: str
) -> None:
    case = load(name)
    given = case["input"]
    if "values" in given:
        given = {k: dict(zip(given["values"], given[k], strict=True)) for k in (p, q)}
    group, whole = as_distribution(given[p]), as_distribution(given[q])
    assert emd.emd_equal(group, whole) == Fraction(str(case["expected"][distance]))
    by_transport = emd.emd_by_transport(group, whole, emd.equal_ground())
    assert isclose(by_transport, case["expected"][distance], abs_tol=1e-9)


def test_transport_gives_the_distances_of_the_semantic_ground_distance() -> None:
    case = load("aggarwal-emd-linear-program")
    given, expected = case["input"], case["expected"]
    place = {value: i for i, value in enumerate(given["values"])}

    def ground(v: Hashable, w: Hashable) -> Fraction:
        return Fraction(given["ground_distance"][place[str(v)]][place[str(w)]])

    for parts, distance in [
        (given["P1"], "emd_P1"),
        (given["P2"], "emd_P2"),
        (expected["P_union"], "emd_union"),
    ]:
        p = dict(zip(given["values"], map(Fraction, parts), strict=True))
        q = dict(zip(given["values"], map(Fraction, given["Q"]), strict=True))
        found = emd.emd_by_transport(p, q, ground)
        assert isclose(found, expected[distance], abs_tol=expected["tolerance"])


def test_salaries_of_the_three_diverse_table_are_0_375_away() -> None:
    case = load("babu-table2-6-three-diverse")["input"]
    rows, qid = rows_of(case["anonymized"]), case["quasi_identifier"]
    order = [f"{thousands}K" for thousands in range(3, 12)]
    whole = emd.shares(row["Salary"] for row in rows)
    lowest = emd.shares(["3K", "4K", "5K"])
    assert emd.emd_ordered(lowest, whole, order) == Fraction(3, 8)
    assert emd.emd_ordered(emd.shares(["6K", "8K", "11K"]), whole, order) == Fraction(1, 6)
    by_transport = emd.emd_by_transport(lowest, whole, emd.ordered_ground(order))
    assert isclose(by_transport, 0.375)
    level = models.t_closeness(rows, qid, "Salary", lambda p, q: emd.emd_ordered(p, q, order))
    assert level == Fraction(3, 8)


def test_every_class_of_table_5_3_has_the_equal_distance_computed_for_it() -> None:
    case = load("babu-hellinger-table5-3")
    synonyms = case["input"]["synonyms"]
    rows: list[Row] = []
    for label, members in case["input"]["classes"].items():
        for number, _, _, disease, count in case["input"]["table"]["rows"]:
            if number in members:
                rows += [{"class": label, "disease": synonyms.get(disease, disease)}] * count
    for label, expected in case["expected"]["by_class"].items():
        group = emd.shares(row["disease"] for row in rows if row["class"] == label)
        distance = emd.emd_equal(group, emd.shares(row["disease"] for row in rows))
        assert isclose(distance, expected["emd_equal"])
    assert models.t_closeness(rows, ["class"], "disease", emd.emd_equal) == Fraction(4, 15)
    assert models.is_t_close(rows, ["class"], "disease", emd.emd_equal, Fraction(4, 15))
    assert not models.is_t_close(rows, ["class"], "disease", emd.emd_equal, Fraction(1, 10))


def test_five_of_a_kind_allow_five_2_diverse_groups_and_no_sixth() -> None:
    case = load("book-ch02-l-diversity-max-groups")
    diseases = [value for value, n in case["input"]["counts"].items() for _ in range(n)]
    for n_groups in (5, 6):
        rows = [{"group": i % n_groups, "disease": d} for i, d in enumerate(diseases)]
        is_diverse = models.is_distinct_l_diverse(rows, ["group"], "disease", case["input"]["l"])
        assert is_diverse is (n_groups <= case["expected"]["max_groups"])
