"""The witnesses of the newer models say what the literature's worked examples say."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import isclose
from typing import Any

import pytest

from tests.cases import load
from tests.witness import beliefs, closeness, confidence, numbers, population, values, worlds
from tests.witness.confidence import Template
from tests.witness.models import Row
from tests.witness.skyline import arrangements, skyline_confidence


def rows_of(table: Mapping[str, Any]) -> list[Row]:
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def exact(number: float) -> Fraction:
    return Fraction(str(number))


def test_confidence_in_hiv_is_three_quarters() -> None:
    case = load("book-ch02-confidence-bounding-table2.4")
    rows, asked = rows_of(case["input"]["table"]), case["input"]["templates"][0]
    template = Template(tuple(asked["qid"]), "Disease", asked["value"], exact(asked["h"]))
    assert confidence.template_confidence(rows, template) == Fraction(3, 4)
    assert confidence.keeps_templates(rows, [template]) is case["expected"]["satisfied"]
    for h, verdict in case["expected"]["satisfied_at_h"].items():
        looser = Template(template.qid, "Disease", "HIV", exact(h))
        assert confidence.keeps_templates(rows, [looser]) is verdict


def test_linkability_of_the_patients() -> None:
    case = load("book-ch02-xy-linkability-alpha-k-table2.4")
    rows, x, y = rows_of(case["input"]["table"]), case["input"]["X"], [case["input"]["Y"]]
    for value, share in case["expected"]["L_y(X)"].items():
        assert confidence.xy_linkability(rows, x, y, [(value,)]) == pytest.approx(share)
    said = case["expected"]["XY_linkability"]
    assert confidence.is_xy_linkable(rows, x, y, exact(0.75)) is said["Y=all,h=0.75"]
    assert confidence.is_xy_linkable(rows, x, y, exact(0.7)) is said["Y=all,h=0.7"]
    assert confidence.is_xy_linkable(rows, x, y, {("Flu",): exact(0.3)}) is said["Y={Flu},h=0.3"]
    bounds: dict[tuple[Hashable, ...], Fraction] = {
        ("HIV",): exact(0.8),
        ("Hepatitis",): exact(0.6),
    }
    assert confidence.is_xy_linkable(rows, x, y, bounds) is said["Y={HIV:0.8,Hepatitis:0.6}"]
    for text, verdict in case["expected"]["XY_privacy"].items():
        k, h = (part.split("=")[1] for part in text.split(","))
        assert confidence.is_xy_private(rows, x, y, int(k), exact(h)) is verdict
    for text, verdict in case["expected"]["alpha_k"].items():
        alpha, k = (part.split("=")[1] for part in text.split(","))
        assert confidence.is_alpha_k_anonymous(rows, x, y[0], exact(alpha), int(k)) is verdict
        assert confidence.is_kc_anonymous(rows, x, y[0], int(k), exact(alpha)) is verdict


def test_anonymity_and_linkability_of_chapter_9() -> None:
    patients = load("book-ch09-ex9.2-xy-anonymity-per-patient")
    rows, x = rows_of(patients["input"]["Inpatient"]), patients["input"]["X"]
    said = patients["expected"]["computed"]
    assert confidence.xy_anonymity(rows, x, ["Pid"]) == said["A_Y(X)_with_Y=Pid"]
    assert confidence.xy_anonymity(rows, x, ["Test"]) == said["A_Y(X)_with_Y=Test"]
    assert confidence.multirelational_k([rows], x, "Pid") == said["A_Y(X)_with_Y=Pid"]
    tests = load("book-ch09-ex9.3-linkability")
    rows, x, y = (
        rows_of(tests["input"]["records"]),
        tests["input"]["X"],
        tests["input"]["Y"],
    )
    assert confidence.xy_linkability(rows, x, y) == exact(tests["expected"]["computed"]["L_Y(X)"])


def test_buckets_are_two_diverse() -> None:
    case = load("wong-table3-bucketization")
    rows = rows_of(case["expected"]["sensitive_table"])
    for l, verdict in case["expected"]["l_diverse"].items():  # noqa: E741
        assert confidence.is_frequency_l_diverse(rows, ["GID"], "Disease", int(l)) is verdict


def test_table_6_2_is_2_2_50_private() -> None:
    case = load("book-ch06-ex6.2-lkc-privacy-check")
    given, rows = case["input"], rows_of(case["input"]["table"])
    qid, s, guarded = given["qid_attributes"], "Surgery", given["sensitive_values"]
    bounds = {"L": given["L"], "K": given["K"], "C": exact(given["C"])}
    assert values.is_lkc_private(rows, qid, s, **bounds, values=guarded)
    assert not values.is_lkc_private(rows, qid, s, L=3, K=2, C=1, values=guarded)
    assert values.lkc_size(rows, qid, 2) == 2
    assert values.lkc_confidence(rows, qid, 2, s, guarded) == Fraction(1, 2)


def test_table_2_6_is_7_50_anonymous_and_close_to_30() -> None:
    case = load("book-ch02-table2.6-k-e-anonymity-proximity")
    rows, qid, s = rows_of(case["input"]["table"]), case["input"]["qid"], "Salary"
    assert numbers.ke_distinct(rows, qid, s) == case["expected"]["distinct_values"]
    assert numbers.ke_range(rows, qid, s) == case["expected"]["range"]
    for text, verdict in case["expected"]["satisfies"].items():
        k, e = (int(part.split("=")[1]) for part in text.split(","))
        assert numbers.is_ke_anonymous(rows, qid, s, k, e) is verdict
    for text, said in case["expected"]["epsilon_m"].items():
        level = numbers.epsilon_m(rows, qid, s, int(text.split("=")[1]))
        assert level is not None
        assert 1 / level == exact(said["max_prob"])
        assert int(level) == said["largest_integer_m"]


def test_points_on_a_line_are_isolated() -> None:
    case = load("book-ch02-c-t-isolation")
    for check, said in zip(case["input"]["checks"], case["expected"]["results"], strict=True):
        found = numbers.isolates(**check, points=case["input"]["points"])
        assert found is said["isolates"]


def test_alice_is_present_with_four_fifths() -> None:
    case = load("book-ch02-ex2.8-table-linkage-delta-presence")
    rows = rows_of(case["input"]["released"])
    people = rows_of(case["input"]["external_generalized"])
    qid, said = case["input"]["qid"], case["expected"]
    assert population.presence(rows, people, qid) == (exact(said["min"]), exact(said["max"]))
    for text, verdict in said["delta_presence"].items():
        low, high = map(exact, text.strip("()").split(","))
        assert population.is_present_within(rows, people, qid, low, high) is verdict


def test_hellinger_of_the_thesis() -> None:
    case = load("babu-hellinger-table5-3")
    whole = {v: exact(share) for v, share in case["expected"]["Q"].items()}
    for said in case["expected"]["by_class"].values():
        p = exact(said["p_cancer"])
        found = closeness.hellinger({"cancer": p, "flu": 1 - p}, whole)
        assert isclose(found, said["hellinger"], rel_tol=1e-9)


def test_alan_has_lung_cancer() -> None:
    case = load("wong-example1-distribution-attack")
    people = rows_of(case["input"]["qi_table"])
    sick = rows_of(case["input"]["sensitive_table"])
    group = [{**a, "s": b["Disease"]} for a, b in zip(people, sick, strict=True)][:2]
    chance = {
        entry["signature"]["Gender"]: exact(entry["p"])
        for entry in case["input"]["distribution"]["entries"]
    }
    found = worlds.value_posterior(group, "s", "Lung Cancer", lambda row, _: chance[row["Gender"]])
    said = [p["Lung Cancer"] for p in case["expected"]["posterior"].values()]
    assert [float(p) for p in found] == pytest.approx(said)
    n = case["expected"]["number_of_possible_worlds"]
    assert len(arrangements([row["s"] for row in group])) == n


def test_number_of_worlds() -> None:
    case = load("wong-possible-world-count")
    for counts, n in zip(case["input"]["groups"], case["expected"]["worlds"], strict=True):
        assert len(arrangements([v for v in counts for _ in range(counts[v])])) == n


def test_ceilings_of_table_5_and_theorem_2() -> None:
    table = load("wong-table5-delta-ceil")
    rows = table["input"]["triples"]["rows"]
    for (n, r, f), said in zip(rows, table["expected"]["delta_ceil_exact"], strict=True):
        assert isclose(worlds.delta_ceiling(n, r, exact(f)), said)
    growing = load("wong-theorem2-monotone")
    f, r = exact(growing["input"]["f_max"]), growing["input"]["r"]
    found = [worlds.delta_ceiling(n, r, f) for n in growing["input"]["N"]]
    assert [float(x) for x in found] == pytest.approx(growing["expected"]["delta_ceil"])
    assert worlds.delta_ceiling(9, r, Fraction(0)) == worlds.delta_ceiling(9, r, Fraction(1)) == 0


def test_example_2_is_bounded() -> None:
    case = load("wong-example2-delta-bounding")
    group: list[Row] = [
        {"f": exact(f), "s": s} for f, s in zip(case["input"]["f"], "xyz", strict=True)
    ]

    def prior(row: Row, value: Hashable) -> Fraction:
        return Fraction(str(row["f"]))

    assert worlds.is_delta_bounded(group, "s", prior, case["input"]["r"])
    found = worlds.value_posterior(group, "s", "x", prior)
    assert [float(p) for p in found] == pytest.approx(case["expected"]["posterior_x"])


def test_minimality_gives_andy_and_bob_away() -> None:
    case = load("book-ch05-ex5.1-minimality-attack")
    rows, h = rows_of(case["input"]["original"]), exact(case["input"]["requirement"]["h"])
    found = worlds.minimality_posterior(rows, ["Job", "Sex"], "Disease", "HIV", h)
    assert sorted(found) == sorted(case["expected"]["posterior_HIV"].values())
    assert found[:2] == [1, 1]
    m = worlds.confidentiality_m(rows, [], ["Job", "Sex"], "Disease", h, ["HIV"])
    assert m == 1
    assert case["expected"]["m_confidentiality"]["m=2"] is False


def test_knowledge_about_men_gives_the_woman_away() -> None:
    case = load("book-ch02-privacy-maxent")
    bucket = case["input"]["bucket"]
    rows: list[Row] = [
        {"sex": sex, "s": s} for sex, s in zip(bucket["qid"], bucket["sensitive"], strict=True)
    ]
    known: list[beliefs.Fact] = [({"sex": "Male"}, "Ovarian Cancer", 0.0)]
    for knowledge, said in [
        ([], case["expected"]["without_knowledge"]),
        (known, case["expected"]["with_knowledge"]),
    ]:
        found = beliefs.maximum_entropy(rows, [], ["sex"], "s", knowledge)
        assert found is not None
        for text, share in said.items():
            value, sex = text.removeprefix("P(").removesuffix(")").split("|")
            assert found[(), (sex,), value] == pytest.approx(share, abs=1e-5)


def test_who_knows_one_other_value_has_the_corrupted_table() -> None:
    case = load("book-ch05-ex5.3-corruption-attack")
    rows = rows_of(case["input"]["table"])
    bucket = [row["Disease"] for row in rows if row["Sex"] == "Male"]
    assert skyline_confidence([bucket], "HIV", l=0, k=0, m=0) == Fraction(1, 2)
    assert skyline_confidence([bucket], "HIV", l=0, k=1, m=0) == 1
