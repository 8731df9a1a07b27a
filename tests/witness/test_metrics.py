"""The witnesses of the metrics say what the literature's worked examples say."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from tests.cases import load
from tests.witness import metrics
from tests.witness.methods import Problem
from tests.witness.metrics import Cell, Published
from tests.witness.test_witness import patients, rows_of
from tests.witness.tree import Tree


def test_iloss_of_the_book() -> None:
    case = load("book-ch04-iloss")
    rows, trees = patients()
    for label, loss in case["expected"]["ILoss"].items():
        width = max(trees["Job"].n_leaves_under(level, label) for level in range(3))
        assert metrics.cell_iloss(width, 4) == Fraction(str(loss))
    problem = Problem(rows, ["Job", "Sex", "Age"], trees, [])
    release = problem.publish({"Job": 1, "Sex": 0, "Age": 1})
    losses = [metrics.iloss_of_record(record, trees) for record in release if record is not None]
    assert losses == [Fraction(str(case["expected"]["record_loss_all_records"]))] * 7
    assert sum(losses) == Fraction(str(case["expected"]["table_loss"]))
    assert metrics.iloss(release, trees, problem.qid) == Fraction(65, 300)


def test_iloss_of_the_thesis_with_and_without_weights() -> None:
    case = load("babu-iloss")
    trees = {name: Tree.nested(tree) for name, tree in case["input"]["taxonomies"].items()}
    release: list[dict[str, Cell]] = []
    for row in rows_of(case["input"]["table"]):
        width = {"*": {"Gender": 2, "Race": 4}, "Other": {"Race": 3}}
        release.append({a: Cell(v, width.get(str(v), {}).get(a, 1)) for a, v in row.items()})
    losses = [metrics.iloss_of_record(record, trees) for record in release]
    assert losses == [Fraction(x) for x in case["expected"]["tuple"]]
    heavier = case["input"]["weights2"]
    total = sum(metrics.iloss_of_record(record, trees, heavier) for record in release)
    assert total == Fraction(case["expected"]["table_weights2"])
    assert metrics.iloss(release, trees, ["Gender", "Race"], heavier) == Fraction(5, 2) / (3 * 3)


def test_discernibility_charges_the_whole_table_for_a_suppressed_record() -> None:
    case = load("babu-discernibility")
    for given, expected in zip(case["input"]["cases"], case["expected"]["C_DM"], strict=True):
        release: list[Published] = []
        for g, size in enumerate(given["class_sizes"]):
            release += [{"a": Cell(g, 1)} if size >= given["k"] else None] * size
        assert len(release) == given["D"]
        assert metrics.discernibility(release, ["a"]) == expected


def test_distortion_counts_steps_and_discernibility_counts_pairs() -> None:
    case = load("book-ch04-dm-vs-md")
    job = Tree.nested(load("book-ch04-iloss")["input"]["taxonomy"])
    for given in case["input"]["cases"]:
        rows = [{"Job": job_} for job_, n in given["counts"].items() for _ in range(n)]
        problem = Problem(rows, ["Job"], {"Job": job}, [])
        before, after = (problem.publish({"Job": level}) for level in (0, 1))
        expected = case["expected"]
        assert (
            metrics.minimal_distortion(after, problem.trees, ["Job"]) == expected["MD"][given["to"]]
        )
        assert (
            metrics.discernibility(before, ["Job"])
            == expected["DM_before_generalization"][given["to"]]
        )
        assert (
            metrics.discernibility(after, ["Job"])
            == expected["DM_after_generalization"][given["to"]]
        )


def test_ten_engineers_cost_ten_units_a_step() -> None:
    case = load("book-ch04-minimal-distortion")
    job = Tree.nested(case["input"]["taxonomy"])
    rows = [{"Job": case["input"]["value"]}] * case["input"]["instances"]
    problem = Problem(rows, ["Job"], {"Job": job}, [])
    costs = [
        metrics.minimal_distortion(problem.publish({"Job": level}), problem.trees, ["Job"])
        for level in (0, 1, 2)
    ]
    assert [b - a for a, b in pairwise(costs)] == case["expected"]["cost_per_step"]
    gone: list[Published] = [None] * 10
    assert metrics.minimal_distortion(gone, problem.trees, ["Job"]) == case["expected"]["total"]
