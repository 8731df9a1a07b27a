"""The witnesses of attacks say what the literature's worked examples say."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from tests.cases import load
from tests.witness import adversaries, knowers, learners
from tests.witness import reidentification as risks
from tests.witness.matching import matching
from tests.witness.models import Row, groups
from tests.witness.tree import Tree


def rows_of(table: Mapping[str, Any]) -> list[Row]:
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def test_names_are_joined_with_patients() -> None:
    case = load("book-ch02-ex2.1-record-linkage-join")
    tables = [rows_of(v) for v in case["input"].values() if isinstance(v, dict) and "rows" in v]
    rows, people = sorted(tables, key=lambda table: "Name" in table[0])
    on = case["input"]["join_on"]
    found = matching(people, rows, on, {})
    believed = adversaries.beliefs_of_people(people, rows, on, {}, "Disease")
    chances = adversaries.linkage(people, rows, on, {})
    for i, said in enumerate(case["expected"]["links"]):
        assert len(found[i]) == said["matching_records"]
        assert (chances[i] == 1) is said["uniquely_identified"]
        sure = [value for value, p in believed[i].items() if p == 1]
        assert sure == ([said["sensitive_value_certain"]] if sure else [])


def test_a_voter_roll_is_joined_with_patients() -> None:
    case = load("aggarwal-linkage-attack")
    rows, people = rows_of(case["input"]["released"]), rows_of(case["input"]["external"])
    found = matching(people, rows, case["input"]["join_on"], {})
    for row in rows:
        matched = [
            p["Name"]
            for p, records in zip(people, found, strict=True)
            if rows.index(row) in records
        ]
        assert matched == case["expected"]["candidates_by_row"][str(row["Row"])]
    nobody = [p["Name"] for p, records in zip(people, found, strict=True) if not records]
    assert nobody == case["expected"]["unmatched_people"]


def test_emily_has_hiv_with_three_quarters() -> None:
    case = load("book-ch02-ex2.6-attribute-linkage")
    given, rows = case["input"], rows_of(case["input"]["published"])
    trees = {name: Tree.nested(tree) for name, tree in given["taxonomies"].items()}
    victim = {**given["victim"], "Age": "[30-35)"}
    (found,) = adversaries.beliefs_of_people([victim], rows, given["qid"], trees, "Disease")
    assert found == {v: Fraction(str(p)) for v, p in case["expected"]["confidence"].items()}
    emily = load("book-ch17-example17-2-classifier-attack")["expected"]["inference"]
    learned = learners.rules(rows, given["qid"], "Disease")
    assert learned["Artist", "Female", "[30-35)"] == (emily["Emily"], Fraction(3, 4), 3)


def test_two_of_three_columns_are_enough_for_surgeries() -> None:
    case = load("book-ch06-ex6.1-linkage-attacks")
    rows = rows_of(case["input"]["table"])
    for said in case["expected"]["results"]:
        query = said["query"]
        alike = [i for i, row in enumerate(rows) if query.items() <= row.items()]
        assert [rows[i]["ID"] for i in alike] == said["ids"]
        found = adversaries.beliefs_of_records(rows, list(query), "Surgery")[alike[0]]
        assert found["Transgender"] == Fraction(str(said["confidence"]["Transgender"]))


def test_alice_is_in_the_table_with_four_fifths() -> None:
    case = load("book-ch02-ex2.8-table-linkage-delta-presence")
    given = case["input"]
    rows, people = rows_of(given["released"]), rows_of(given["external_generalized"])
    found: dict[str, Fraction] = {}
    for key, group in groups(people, given["qid"]).items():
        inside = groups(rows, given["qid"])[key]
        chances = adversaries.presence_by_worlds(group, inside, given["qid"], {})
        assert chances is not None
        found |= {str(p["Name"]): chance for p, chance in zip(group, chances, strict=True)}
    for said in case["expected"]["presence"]:
        assert found[said["Name"]] == Fraction(str(said["P_present"]))


def test_bob_has_hiv_once_john_has_told() -> None:
    case = load("book-ch05-ex5.3-corruption-attack")
    rows, qid = rows_of(case["input"]["table"]), case["input"]["qid"]
    victim = case["input"]["victim"]
    group = groups(rows, qid)[tuple(victim[name] for name in qid)]
    values = [row["Disease"] for row in group]
    told = [(i + 1, c["Disease"]) for i, c in enumerate(case["input"]["corrupted"])]
    before, after = knowers.after_corruption(values, []), knowers.after_corruption(values, told)
    assert before is not None
    assert before[0] == {v: Fraction(str(p)) for v, p in case["expected"]["before"].items()}
    assert after is not None
    assert after[0] == {"HIV": 1}


def test_andy_and_bob_have_hiv() -> None:
    case = load("book-ch05-ex5.1-minimality-attack")
    people, published = rows_of(case["input"]["external"]), rows_of(case["input"]["published"])
    values = [row["Disease"] for row in published]
    rows = [{**p, "Disease": v} for p, v in zip(people, values, strict=True)]
    rows.sort(key=lambda row: (row["Job"] != "Engineer", row["Disease"] != "HIV"))
    truth = [{**row, "Disease": "HIV" if row["Job"] == "Engineer" else "Flu"} for row in rows]

    def algorithm(given: Sequence[Row]) -> Hashable:
        kept = all(
            Fraction(sum(row["Disease"] == "HIV" for row in group), len(group)) <= Fraction(3, 5)
            for group in groups(given, ["Job", "Sex"]).values()
        )
        return kept or "Professional"

    found = learners.minimality(truth, ["Job", "Sex"], "Disease", algorithm)
    assert found is not None
    for row, each in zip(truth, found, strict=True):
        assert each.get("HIV", 0) == case["expected"]["posterior_HIV"][row["Name"]]


@pytest.mark.parametrize("naive", [False, True])
def test_the_smoker_has_cancer(naive: bool) -> None:
    case = load("book-ch05-ex5.2-definetti-attack")
    people, hidden = rows_of(case["input"]["QIT"]), rows_of(case["input"]["ST"])
    rows = [
        {**person, "Disease": row["Disease"]} for person, row in zip(people, hidden, strict=True)
    ]
    found = learners.definetti(rows, ["Smoker?"], "Disease", "GroupID", naive=naive)
    said = case["expected"]["definetti"]
    assert found[10]["Cancer"] == Fraction(str(said["P(Rec11=Cancer,Rec12=No Disease)"]))
    assert found[11]["Cancer"] == Fraction(str(said["P(Rec12=Cancer,Rec11=No Disease)"]))


def test_alan_has_lung_cancer() -> None:
    case = load("wong-example1-distribution-attack")
    said = case["expected"]["posterior"]
    chance: dict[tuple[Hashable, Hashable], Fraction] = {
        (e["signature"]["Gender"], v): Fraction(str(e[p]))
        for e in case["input"]["distribution"]["entries"]
        for v, p in (("Lung Cancer", "p"), ("Hypertension", "p_not"))
    }
    kinds, values = ["Male", "Female"], ["Lung Cancer", "Hypertension"]
    ((alan, betty),) = knowers.posterior_of_kinds([(kinds, values)], chance)
    assert float(alan["Lung Cancer"]) == pytest.approx(said["Alan"]["Lung Cancer"])
    assert float(betty["Lung Cancer"]) == pytest.approx(said["Betty"]["Lung Cancer"])
    group: list[Row] = [{"k": k, "s": v} for k, v in zip(kinds, values, strict=True)]
    for joint in (False, True):
        found = knowers.posteriors(group, "s", lambda r, v: chance[r["k"], v], joint=joint)
        assert found == [alan, betty]


def test_proximity_of_salaries() -> None:
    case = load("book-ch02-table2.6-k-e-anonymity-proximity")
    (rows,) = [rows_of(v) for v in case["input"].values() if isinstance(v, dict) and "rows" in v]
    salary = [name for name in rows[0] if all(isinstance(row[name], int) for row in rows)][-1]
    qid = [name for name in rows[0] if name != salary and name != "Comment"]
    best = max(
        adversaries.windows(found, Fraction(5))
        for found in adversaries.beliefs_of_records(rows, qid, salary)
    )
    assert best == Fraction(9, 10)


def test_special_uniques_of_five_records() -> None:
    rows: list[Row] = [
        {"a": 1, "b": 1, "c": 1},
        {"a": 1, "b": 1, "c": 2},
        {"a": 1, "b": 2, "c": 2},
        {"a": 2, "b": 2, "c": 2},
        {"a": 1, "b": 2, "c": 2},
    ]
    assert risks.minimal_uniques(rows, "abc") == [
        (3, ("a",)),
        (0, ("c",)),
        (1, ("b", "c")),
    ]
    assert risks.suda_scores(rows, "abc") == [2, 1, 0, 2, 0]
    assert risks.suda_scores(rows, "abc", 1) == [2, 0, 0, 2, 0]
    assert risks.sample_uniques(rows, "abc") == [0, 1, 3]
    assert risks.marketer(rows, "abc") == Fraction(4, 5)
