"""The witnesses of what a release is worth say what the literature's worked examples say."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest

from tests.cases import load
from tests.witness import classes, losses, tasks
from tests.witness.losses import Shown
from tests.witness.test_witness import rows_of
from tests.witness.tree import Tree


def test_percentage_of_privacy_in_three_readings() -> None:
    case = load("babu-percent-privacy")
    rows = rows_of(case["input"]["table"])
    domains = {a: ["30", "41", "White", "other"] for a in case["input"]["quasi_identifier"]}
    top = case["input"]["suppressed_value"]
    release: list[Shown] = [
        {a: frozenset(domains[a] if v == top else [v]) for a, v in row.items()} for row in rows
    ]
    expected = case["expected"]
    for found, reading in (
        (losses.cells_at_the_top(release, domains), "cells"),
        (losses.attributes_at_the_top(release, domains), "attributes_fully_suppressed"),
        (losses.records_at_the_top(release, domains), "tuples_fully_suppressed"),
    ):
        assert float(found) * 100 == pytest.approx(expected[reading]["percent"])


def test_f_measure_and_match_point_of_example_7_4() -> None:
    case = load("book-ch07-ex7.4-f-measure")
    counts = case["input"]["contingency"]["n"]
    pairs = [(i, j) for i, row in enumerate(counts) for j, n in enumerate(row) for _ in range(n)]
    natural, query = zip(*pairs, strict=True)
    expected = case["expected"]
    assert float(tasks.f_measure(natural, query)) == pytest.approx(expected["overall_F"], abs=1e-5)
    match = float(tasks.match_point(natural, query))
    assert match == pytest.approx(expected["derived_match_point"], abs=1e-6)


def test_co_membership_of_example_7_5() -> None:
    case = load("book-ch07-ex7.5-match-point")
    before, after = (
        _labels(case["input"][clusters]) for clusters in ("clusters_before", "clusters_after")
    )
    expected = case["expected"]
    assert tasks.co_membership(before) == expected["matrix_before"]
    assert tasks.co_membership(after) == expected["matrix_after"]
    assert float(tasks.match_point(before, after)) == expected["match_point"]
    assert float(tasks.f_measure(before, after)) == expected["derived_overall_F"]


def test_reconstruction_error_of_table_13_4() -> None:
    case = load("book-ch13-reconstruction-error")
    rows = rows_of(case["input"]["data"])
    groups = case["input"]["groups"]
    buckets = [next(g for g, names in enumerate(groups) if row["Name"] in names) for row in rows]
    for expected in case["expected"]["per_item"]:
        records = [{**row, "s": expected["s"] in _listed(row["sensitive"])} for row in rows]
        for base, unit in ((2.0, "KL_bits"), (2.718281828459045, "KL_nats")):
            error = tasks.reconstruction_error(
                records, buckets, case["input"]["q_items"], "s", True, base
            )
            assert error == pytest.approx(expected[unit])


def test_scores_of_every_specialization_in_example_6_3() -> None:
    case = load("book-ch06-ex6.3-infogain-vs-igpl")
    trees = {a: Tree.nested(tree) for a, tree in case["input"]["taxonomies"].items()}
    hours = {30: "[1-40)", 40: "[40-99)"}
    rows = []
    for row in rows_of(case["input"]["table"]):
        shown = {**row, "Work_Hrs": hours[int(str(row["Work_Hrs"]))]}
        for label in case["input"]["class_columns"]:
            rows += [{**shown, "class": label}] * int(str(row[label]))
    for step in case["expected"]["trace_igpl"][0]["candidates"]:
        a = step["attribute"]
        children = [[r["class"] for r in rows if r[a] == leaf] for leaf in trees[a].leaves]
        assert classes.gain_of_split(children) == pytest.approx(step["InfoGain"], abs=1e-6)
        loss = len(rows) - min(map(len, children))
        assert classes.igpl_of_step(children, [loss]) == pytest.approx(step["score"], abs=1e-6)
        # The step down from a table that shows nothing is the release seen as one step.
        release: list[Shown] = [{a: frozenset([row[a]])} for row in rows]
        labels = [row["class"] for row in rows]
        gain = classes.information_gain(release, labels)
        assert classes.igpl(gain, release) == pytest.approx(step["score"], abs=1e-6)


def test_count_of_example_3_1_from_anatomy_and_from_ranges() -> None:
    case = load("book-ch03-ex3.1-anatomy")
    rows = rows_of(case["input"]["original"])
    wanted = {a: [v] for a, v in case["input"]["query"]["where"].items()}
    expected = case["expected"]
    buckets = [row["GroupID"] for row in rows_of(expected["QIT"])]
    assert tasks.count_exact(rows, wanted) == expected["true_count"]
    anatomy = tasks.count_from_buckets(rows, buckets, "Disease", wanted)
    assert float(anatomy) == expected["estimate_anatomy"]
    ranges = {1: frozenset(range(30, 35)), 2: frozenset(range(35, 40))}
    release: list[Shown] = [{"Age": ranges[int(str(b))]} for b in buckets]
    estimate = tasks.count_from_ranges(rows, release, wanted)
    assert float(estimate) == expected["estimate_generalized"]


def test_propensity_of_records_that_can_and_cannot_be_told_apart() -> None:
    case = load("babu-propensity-bound")
    for given, expected in zip(case["input"]["cases"], case["expected"]["U_P"], strict=True):
        assert tasks.propensity(given["p"], given["c"]) == pytest.approx(expected)


def _labels(clusters: list[list[int]]) -> list[Hashable]:
    records = sorted(record for cluster in clusters for record in cluster)
    return [next(g for g, c in enumerate(clusters) if record in c) for record in records]


def _listed(items: Any) -> list[str]:
    return list(items)
