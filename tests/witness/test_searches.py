"""The witnesses of the searches say what the literature's worked examples say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import pytest

from tests.cases import load
from tests.witness import metrics, models, promises, qid_search, regions
from tests.witness.methods import Problem, datafly, exhaustive_optimum, minimal_nodes, samarati
from tests.witness.metrics import Published
from tests.witness.models import Row
from tests.witness.tree import Tree

GENDER = Tree({"Male": ("Male", "*"), "Female": ("Female", "*")})


def thesis_problem(limit: int) -> Problem:
    given = load("babu-improved-greedy-table2-1")["input"]
    rows: list[Row] = [
        dict(zip(given["table"]["columns"], row, strict=True)) for row in given["table"]["rows"]
    ]
    ages = sorted({int(str(row["Age"])) for row in rows})
    zips = sorted({str(row["Zipcode"]) for row in rows})
    trees = {
        "Age": Tree({age: (age, "< 25" if age < 25 else ">= 25", "*") for age in ages}),
        "Gender": GENDER,
        "Zipcode": Tree({code: (code, code[:3] + "***", "*") for code in zips}),
    }
    return Problem(rows, tuple(trees), trees, [promises.k_anonymous(given["k"])], limit)


@pytest.mark.parametrize("limit", [0, 2])
def test_datafly_and_samarati_of_the_thesis(limit: int) -> None:
    expected = load("babu-improved-greedy-table2-1")["expected"][f"m={limit}"]
    problem = thesis_problem(limit)
    path, found = datafly(problem)
    assert found
    assert [list(node.values()) for node in path] == expected["datafly"]["path"]
    height, nodes = samarati(problem)
    assert height == expected["samarati"]["min_height"]
    assert [list(node.values()) for node in nodes] == expected["samarati"]["nodes"]


def test_the_smallest_class_of_every_node_of_the_thesis_table() -> None:
    problem = thesis_problem(0)
    smallest = {
        "".join(map(str, node.values())): models.k_anonymity(problem.generalize(node), problem.qid)
        for node in problem.nodes()
    }
    expected = load("babu-improved-greedy-table2-1")["expected"]["smallest_class_by_node"]
    assert smallest == expected


def test_the_minimal_nodes_of_the_thesis_table_are_the_border_of_its_lattice() -> None:
    # From the smallest classes: 111 and 202 are 2-anonymous, and nothing below them is.
    assert [tuple(node.values()) for node in minimal_nodes(thesis_problem(0))] == [
        (1, 1, 1),
        (2, 0, 2),
    ]


def test_minimal_nodes_of_figure_20_3() -> None:
    case = load("aggarwal-lattice-fig20-3")
    path = Tree({"0": ("0", "1", "2", "*")})
    trees = {"Z": path, "A": path}
    good = {(int(node[1]), int(node[3])) for node in case["input"]["k_anonymous_nodes"]}

    class Drawn(Problem):
        def is_feasible(self, node: dict[str, int]) -> bool:
            return (node["Z"], node["A"]) in good

    problem = Drawn([{"Z": "0", "A": "0"}], ("Z", "A"), trees, [])
    assert len(problem.nodes()) == case["expected"]["node_count"]
    names = {f"Z{node['Z']}A{node['A']}" for node in minimal_nodes(problem)}
    assert names == set(case["expected"]["minimal"])
    height, nodes = samarati(problem)
    assert height == case["expected"]["minimal_height"]
    assert len(nodes) == 2


@pytest.mark.parametrize("name", ["adult", "cups"])
def test_the_lattice_has_the_sizes_of_the_thesis(name: str) -> None:
    case = load("babu-lattice-size")
    trees = {
        a: Tree({"leaf": ("leaf", *map(str, range(1, height)), "*")})
        for a, height in case["input"][f"{name}_heights"].items()
    }
    nodes = Problem([], tuple(trees), trees, []).nodes()
    per_height = Counter(sum(node.values()) for node in nodes)
    assert len(nodes) == case["expected"][name]["nodes"]
    assert [per_height[h] for h in sorted(per_height)] == case["expected"][name]["per_level"]


def test_table_20_3_is_the_release_of_its_node() -> None:
    case = load("aggarwal-table20-3-three-anonymous")
    given = case["input"]
    rows: list[Row] = [
        dict(zip(given["table"]["columns"], row, strict=True)) for row in given["table"]["rows"]
    ]

    def ten_years(age: int) -> str:
        return f"({(age - 1) // 10 * 10}, {(age - 1) // 10 * 10 + 10}]"

    trees = {
        "Age": Tree({age: (age, ten_years(age), "*") for age in range(1, 101)}),
        "ZIP Code": Tree.nested(given["zip_taxonomy"]),
    }
    problem = Problem(rows, given["quasi_identifier"], trees, [promises.k_anonymous(3)])
    published = problem.generalize(given["node"])
    expected = case["expected"]["table"]
    for row, printed in zip(published, expected["rows"], strict=True):
        assert [row[name] for name in expected["columns"][1:]] == printed[1:]
    assert problem.is_feasible(given["node"])
    assert not any(problem.is_feasible({"Age": 1, "ZIP Code": z}) for z in (0, 1))


def test_the_optimum_is_what_the_losses_of_all_nodes_say() -> None:
    problem = thesis_problem(0)

    def loss(release: Sequence[Published]) -> Fraction:
        return metrics.iloss(release, problem.trees, problem.qid)

    nodes, least = exhaustive_optimum(problem, loss)
    # 6 ages, 2 genders and 4 codes. 111: 3 or 4 of 6 ages cost 2/6 or 3/6 (4 and 3 records),
    # genders 1/2, codes 1/4 each. 202 costs 5/6 + 0 + 3/4, and 112, 211, 212 more than 111.
    sum_of_111 = Fraction(4 * 2, 6) + Fraction(3 * 2, 6) + Fraction(7, 2) + Fraction(7, 4)
    assert [tuple(node.values()) for node in nodes] == [(1, 1, 1)]
    assert least == sum_of_111 / 21


def test_several_promises_are_judged_again_on_what_is_kept() -> None:
    # No pair of values occurs twice. The last record is alone on a; without it, 1-3 is on c.
    cells = ["11", "12", "21", "22", "13", "33"]
    rows: list[Row] = [dict(zip("ac", pair, strict=True)) for pair in cells]
    tree = Tree({value: (value, "*") for value in "123"})
    both = [promises.k_anonymous(2, qid="a"), promises.k_anonymous(2, qid="c")]
    problem = Problem(rows, "ac", {"a": tree, "c": tree}, both, limit=2)
    bottom = {"a": 0, "c": 0}
    assert promises.good_records(both, rows, "ac") == [True] * 5 + [False]
    assert problem.kept(bottom) == [0, 1, 2, 3]
    assert problem.is_feasible(bottom)


def test_a_release_of_nothing_is_not_a_release() -> None:
    rows: list[Row] = [{"a": "1"}, {"a": "2"}]
    tree = Tree({value: (value, "*") for value in "12"})
    problem = Problem(rows, ["a"], {"a": tree}, [promises.k_anonymous(3)], limit=2)
    assert exhaustive_optimum(problem, lambda release: 0) == ([], None)
    assert samarati(problem) == (None, [])
    assert datafly(problem) == ([{"a": 0}, {"a": 1}], False)
    with pytest.raises(ZeroDivisionError):
        metrics.average_class_size(problem.publish({"a": 0}), ["a"], 2)


def test_the_average_class_leaves_suppressed_records_out() -> None:
    rows: list[Row] = [{"a": value} for value in "11122223"]
    tree = Tree({value: (value, "*") for value in "123"})
    problem = Problem(rows, ["a"], {"a": tree}, [promises.k_anonymous(3)], limit=1)
    release = problem.publish({"a": 0})
    assert metrics.average_class_size(release, ["a"], 3) == Fraction(7, 2 * 3)
    assert metrics.normalized_certainty_penalty(release, problem.trees, ["a"]) == Fraction(1, 8)
    assert metrics.iloss(release, problem.trees, ["a"]) == Fraction(1, 8)
    as_root = metrics.iloss(release, problem.trees, ["a"], suppressed_as_root=True)
    assert as_root == Fraction(1, 8) * Fraction(2, 3)


def at_least(k: int) -> Callable[[Sequence[int]], bool]:
    return lambda half: len(half) >= k


def test_the_multidimensional_partition_of_figure_6_8() -> None:
    case = load("book-ch06-fig6.8-single-vs-multidimensional")
    points = list(product(range(6), range(4)))
    found = case["expected"]["example_multidimensional"]
    boxes = [[(box[a][0], box[a][1] + 1) for a in ("Age", "Job")] for box in found]
    assert regions.is_strict_partition(boxes, points)
    for box, expected in zip(boxes, found, strict=True):
        inside = [
            p for p in points if all(lo <= x < hi for (lo, hi), x in zip(box, p, strict=True))
        ]
        assert len(inside) == expected["size"]
        assert regions.can_be_halved(inside, at_least(3)) is (expected["size"] >= 6)
    assert not regions.is_strict_partition(boxes[:-1], points), "a point without a box"
    assert not regions.is_strict_partition([*boxes, boxes[0]], points), "overlapping boxes"
    assert not regions.is_strict_partition(boxes, points[1:-4]), "boxes larger than their points"


def test_equal_values_stay_on_one_side_of_a_cut() -> None:
    points = [(0, 0), (1, 0), (1, 0), (1, 1), (2, 1)]
    assert regions.valid_cuts(points, at_least(2)) == [(1, 1)]
    assert regions.valid_cuts(points, at_least(1)) == [(0, 1), (0, 2), (1, 1)]
    assert regions.valid_cuts([], at_least(0)) == []


def test_minimal_quasi_identifiers_of_a_small_table() -> None:
    cells = [("a", 1, "x"), ("a", 2, "y"), ("b", 1, "z"), ("b", 2, "z")]
    rows: list[Row] = [dict(zip("pqr", row, strict=True)) for row in cells]
    one = Fraction(1)
    assert qid_search.distinct_ratio(rows, "r") == Fraction(3, 4)
    assert qid_search.separation_ratio(rows, "r") == Fraction(5, 6)
    assert qid_search.unique_share(rows, "r") == Fraction(2, 4)
    assert qid_search.minimal_sets(rows, "pqr", qid_search.distinct_ratio, one) == [
        ("p", "q"),
        ("q", "r"),
    ]
    most = qid_search.minimal_sets(rows, "pqr", qid_search.separation_ratio, Fraction(5, 6))
    assert most == [("r",), ("p", "q")]
    assert qid_search.minimal_sets(rows, "pqr", qid_search.distinct_ratio, one, largest=1) == []
