"""The witnesses of searches over cuts, regions and clusters say what the worked examples say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest

from tests.cases import load
from tests.tables.groups.plain import rows_of_case
from tests.witness import cuts
from tests.witness.ascents import Ascent, anonymity_within, improved_greedy
from tests.witness.clusters import adjust, one_pass
from tests.witness.combinations import rare_combinations
from tests.witness.cuts import Block
from tests.witness.descents import (
    HIDDEN,
    Descent,
    Numbers,
    Refinement,
    Score,
    Values,
    best_cut,
)
from tests.witness.losses import discernibility
from tests.witness.models import Row
from tests.witness.promises import confident_at_most, k_anonymous
from tests.witness.test_searches import thesis_problem
from tests.witness.tree import Tree
from tests.witness.workload import entropy_of_parts, error_of_parts, is_reachable

JOBS = Tree.nested({"*": {"P": {"Engineer": {}, "Lawyer": {}}, "A": {"Dancer": {}, "Writer": {}}}})


def repeated(table: Mapping[str, Any], classes: list[str]) -> tuple[list[Row], list[str]]:
    """Write every record of a compressed table out, with its class."""
    rows: list[Row] = []
    labels = []
    for row in rows_of_case(table):
        for label in classes:
            rows += [row] * int(str(row[label]))
            labels += [label] * int(str(row[label]))
    return rows, labels


def interval(label: str, numbers: list[int]) -> Block:
    low, high = map(int, re.findall(r"\d+", label))
    return frozenset(n for n in numbers if low <= n < high)


def named(column: object, label: str) -> Block:
    """Give the values that a printed label stands for."""
    if isinstance(column, Numbers):
        return interval(label, [int(str(n)) for n in column.domain])
    assert isinstance(column, Tree)
    return frozenset(leaf for leaf, path in column.paths.items() if label in path)


def trees_of(given: Mapping[str, Any], rows: Sequence[Row]) -> dict[str, Tree]:
    """Read nested taxonomies; intervals are those of the numbers that occur."""
    found = {}
    for name, nested in given["taxonomies"].items():
        if not isinstance(rows[0][name], int):
            found[name] = Tree.nested(nested)
            continue
        (root,) = nested

        def way(n: int, label: str, below: Mapping[str, Any]) -> list[str]:
            for child, more in below.items():
                if interval(child, [n]):
                    return [*way(n, child, more), label]
            return [label]

        numbers = sorted({int(str(row[name])) for row in rows})
        paths = {n: way(n, root, nested[root]) for n in numbers}
        depth = max(map(len, paths.values()))
        found[name] = Tree({n: (n, *[p[0]] * (depth - len(p)), *p) for n, p in paths.items()})
    return found


def replay(descent: Descent, trace: list[Mapping[str, Any]]) -> None:
    """Compare all candidates of all steps with a printed trace, and go the same way."""
    state = descent.start
    for printed in trace:
        steps = {(s.column, s.whole): s for s in descent.candidates(state)}
        valid = descent.valid(state)
        for candidate in printed["candidates"]:
            column = descent.columns[candidate["attribute"]]
            step = steps[candidate["attribute"], named(column, candidate["value"])]
            sizes = Counter(
                part for row in descent.rows for part in step.parts if row[step.column] in part
            )
            expected = {named(column, c): n for c, n in candidate["children"].items()}
            assert sizes == expected
            assert (step in valid) is candidate["valid"]
            assert descent.worth(state, step) == pytest.approx(candidate["score"], abs=2e-6)
        best = max(valid, key=lambda s: descent.worth(state, s), default=None)
        if printed["best"] is None:
            assert best is None
            return
        assert best is not None
        assert best.whole == named(descent.columns[best.column], printed["best"])
        state = descent.refine(state, best)
    raise AssertionError("the trace does not end")


@pytest.mark.parametrize(
    ("score", "key"), [(Score.GAIN, "infogain"), (Score.GAIN_PER_LOSS, "igpl")]
)
def test_example_6_3_step_by_step(score: Score, key: str) -> None:
    case = load("book-ch06-ex6.3-infogain-vs-igpl")
    rows, labels = repeated(case["input"]["table"], ["Y", "N"])
    trees = trees_of(case["input"], rows)
    descent = Descent(rows, trees, [k_anonymous(4)], score, labels)
    replay(descent, case["expected"][f"trace_{key}"])
    grown: dict[str, Tree | Numbers | Values] = {**trees, "Work_Hrs": Numbers([30, 40])}
    on_the_fly = Descent(rows, grown, [k_anonymous(4)], score, labels)
    assert on_the_fly.run() == descent.run()[: len(on_the_fly.run())]


def test_example_7_3_step_by_step() -> None:
    case = load("book-ch07-ex7.3-tdr")
    rows, labels = repeated(case["input"]["table"], ["C1", "C2"])
    columns: dict[str, Tree | Numbers | Values] = {
        **trees_of(case["input"], rows),
        "Age": Numbers(sorted({int(str(row["Age"])) for row in rows})),
    }
    qids = [asked["qid"] for asked in case["input"]["requirement"]]
    promises = [k_anonymous(asked["h"], qid=asked["qid"]) for asked in case["input"]["requirement"]]
    descent = Descent(rows, columns, promises, Score.GAIN_PER_LOSS, labels, qids)
    replay(descent, case["expected"]["trace_igpl"])
    order = [
        named(columns[s.column], v)
        for s, v in zip(descent.run(), case["expected"]["refinements_by_greedy_IGPL"], strict=True)
    ]
    assert order == [step.whole for step in descent.run()]


def test_the_best_cut_of_example_6_4() -> None:
    case = load("book-ch06-ex6.4-optimal-binary-split")
    rows, labels = repeated(case["input"]["table"], ["Y", "N"])
    hours = [int(str(row["Work_Hrs"])) for row in rows]
    domain = case["expected"]["distinct_values"]
    low, high = best_cut(frozenset(domain), domain, hours, labels) or ((), ())
    assert min(int(str(n)) for n in high) == case["expected"]["best_split"] == 37
    for side, key in ((low, "[1-37)"), (high, "[37-99)")):
        _, after = best_cut(frozenset(side), domain, hours, labels) or ((), ())
        next_one = case["expected"]["derived_next_level"][key]["best_split"]
        assert min(int(str(n)) for n in after) == next_one


@pytest.mark.parametrize(
    ("score", "key"),
    [
        (Score.GAIN, "InfoGain"),
        (Score.SQUARES_BEFORE, "sum_sq_before"),
        (Score.SQUARES_AFTER, "sum_sq_after"),
        (Score.SQUARES_REDUCED, "reduction"),
    ],
)
def test_the_scores_of_example_6_6(score: Score, key: str) -> None:
    case = load("book-ch06-ex6.6-score-any-job")
    rows = rows_of_case(case["input"]["table"])
    labels = [str(row["Transfuse"]) for row in rows]
    descent = Descent(rows, trees_of(case["input"], rows), [], score, labels)
    found = [descent.worth(descent.start, s) for s in descent.candidates(descent.start)]
    expected = [c[key] for c in case["expected"]["derived_all_initial_candidates"]]
    assert found == pytest.approx(expected, abs=1e-6)


def test_table_6_2_is_the_cut_of_figure_6_3() -> None:
    case = load("book-ch06-table6.2-apply-cut")
    rows = rows_of_case(case["input"]["table"])
    trees = trees_of(case["input"], rows)
    chosen = {
        a: [_under(trees[a], label) for label in labels]
        for a, labels in case["input"]["cut"].items()
    }
    for a, tree in trees.items():
        assert cuts.is_cut(tree, chosen[a])
        assert frozenset(chosen[a]) in cuts.all_cuts(tree)
    printed = rows_of_case(case["expected"]["table"])
    for row, expected in zip(cuts.show(rows, chosen), printed, strict=True):
        assert all(row[a] == _under(trees[a], str(expected[a])) for a in trees)


def _under(tree: Tree, label: str) -> Block:
    return frozenset(leaf for leaf, path in tree.paths.items() if label in path)


def test_the_best_cut_by_exhaustion_with_records_left_out() -> None:
    # The lone writer: leaving him out costs 5, hiding him among dancers nothing but his name.
    rows: list[Row] = [{"job": j} for j in ["Engineer", "Engineer", "Dancer", "Dancer", "Writer"]]
    ways = {"job": cuts.all_cuts(JOBS)}
    assert len(cuts.all_releases(rows, ways, [k_anonymous(2)])) == 3
    best, least = cuts.best_releases(rows, ways, [k_anonymous(2)], discernibility, limit=1)
    assert least == 4 + 9  # {Engineer, Engineer} and {Dancer, Dancer, Writer}
    assert {frozenset(["Dancer", "Writer"])} <= best[0]["job"]
    alone = cuts.publish(rows, {"job": [frozenset([v]) for v in JOBS.leaves]}, [k_anonymous(2)])
    assert discernibility(alone) == 4 + 4 + 5
    assert len(best) == 4  # 13 as well: all values told and the writer left out


def test_values_are_told_one_by_one() -> None:
    rows: list[Row] = [{"x": v, "s": s} for v, s in zip("aabbcc", "hohooo", strict=True)]
    promise = confident_at_most(Fraction(1, 2), "s", "h")
    descent = Descent(rows, {"x": Values("abcd")}, [promise], labels="yynnyy")
    first, *more = descent.run()
    assert first == Refinement("x", frozenset([*"abcd", HIDDEN]), _told("b", "acd"))
    assert [min(step.parts[0]) for step in more] == ["a", "c"]  # type: ignore[type-var]


def _told(value: str, rest: str) -> tuple[Block, ...]:
    return frozenset([value]), frozenset([*rest, HIDDEN])


def test_no_value_is_told_that_leaves_too_few_hidden() -> None:
    rows: list[Row] = [{"x": v} for v in "aaab"]
    assert Descent(rows, {"x": Values("ab")}, [k_anonymous(2)]).run() == []
    assert len(Descent(rows, {"x": Values("ab")}, [k_anonymous(1)]).run()) == 2


def test_critical_generalizations_of_example_6_8() -> None:
    case = load("book-ch06-ex6.8-tea-index")
    given, expected = case["input"], case["expected"]
    rows: list[Row] = []
    for qid, n in zip(given["qids"], given["test_fill_counts"], strict=True):
        rows += [dict(zip(given["levels"], qid, strict=True))] * n
    domains = {a: sorted({str(row[a]) for row in rows}) for a in given["levels"]}
    trees = {}
    for a, (name, below) in zip(given["levels"], given["generalizations"].items(), strict=True):
        others: dict[str, Any] = {v: {} for v in domains[a] if v not in below}
        trees[a] = Tree.nested({"*": {name: {v: {} for v in below}, **others}})
    ascent = Ascent(rows, trees, k=3)
    assert ascent.anonymity(ascent.start) == expected["A_QID"]
    steps = {step.node: step for step in ascent.candidates(ascent.start)}
    found = {
        name: ascent.is_critical(ascent.start, steps[frozenset(below)])
        for name, below in given["generalizations"].items()
    }
    assert found == {"f1": False, "f2": expected["f2_is_critical"], "f3": False}
    after = ascent.apply(ascent.start, steps[frozenset(given["generalizations"]["f2"])])
    assert ascent.anonymity(after) == expected["after_f2"]["with_test_fill_A_QID"]
    f2 = frozenset(given["generalizations"]["f2"])
    shown = Counter(
        tuple("f2" if frozenset([v]) <= f2 else v for v in row.values()) for row in rows
    )
    assert {row["Race"] for row in cuts.show(rows, after)} == {f2, frozenset(["b2"])}
    assert shown == {tuple(q): n for *q, n in expected["after_f2"]["with_test_fill"]}


@pytest.mark.parametrize("limit", [0, 2])
def test_improved_greedy_of_the_thesis(limit: int) -> None:
    expected = load("babu-improved-greedy-table2-1")["expected"][f"m={limit}"]["improved_greedy"]
    problem = thesis_problem(limit)
    path, found = improved_greedy(problem, 2)
    assert found
    printed = [[0, 0, 0], *(step["chosen"] for step in expected["trace"])]
    assert [list(node.values()) for node in path] == printed
    for step in expected["trace"]:
        for candidate in step["candidates"]:
            node = dict(zip(problem.qid, candidate["node"], strict=True))
            assert anonymity_within(problem, node) == candidate["anonymity"]


def test_improved_greedy_ends_where_nothing_can_help() -> None:
    path, found = improved_greedy(thesis_problem(0), 8)
    assert not found
    assert list(path[-1].values()) == [2, 1, 2]


def test_one_pass_and_adjustment_of_the_thesis() -> None:
    case = load("babu-oka-one-dimension")
    given, expected = case["input"], case["expected"]
    clusters = one_pass(given["records"], given["seeds"])
    assert clusters == expected["after_clustering"]
    assert adjust(clusters, given["k"]) == (
        expected["after_adjustment"],
        expected["removed_in_order"],
    )


def test_equations_6_4_to_6_7() -> None:
    case = load("book-ch06-derived-eq6.4-6.7-mondrian-metrics")
    given, expected = case["input"], case["expected"]
    parts = [
        [label for label, n in part.items() for _ in range(n)]
        for part in given["entropy"]["partitions_class_counts"]
    ]
    assert entropy_of_parts(parts) == pytest.approx(expected["Entropy"], abs=1e-6)
    values = given["error2"]["partitions_values"]
    assert error_of_parts(values) == expected["Error2"]
    assert error_of_parts([[v for part in values for v in part]]) == expected["Error2_unsplit"]


def test_a_region_that_was_cut_elsewhere_is_not_reachable() -> None:
    points = [(0,), (1,), (2,), (3,)]
    values: list[int] = [0, 0, 9, 9]

    def loss(low: frozenset[int], high: frozenset[int]) -> float:
        return float(error_of_parts([[values[i] for i in half] for half in (low, high)]))

    def reach(*parts: str) -> bool:
        final = [frozenset(map(int, part)) for part in parts]
        return is_reachable(final, points, lambda half: len(half) >= 1, loss)

    assert reach("0", "1", "2", "3")
    assert not reach("01", "23"), "they can be cut once more"
    values[1] = 9
    odd = [frozenset([0]), frozenset([1, 2, 3])]
    assert is_reachable(odd, points, lambda half: len(half) != 2, loss)
    odd = [frozenset([3]), frozenset([0, 1, 2])]
    assert not is_reachable(odd, points, lambda half: len(half) != 2, loss), "not the best cut"


def test_a_rare_combination_of_common_values() -> None:
    cells: list[tuple[Hashable, ...]] = [(0, 0), (0, 0), (0, 1), (1, 1), (1, 1)]
    rows: list[Row] = [dict(zip("ab", pair, strict=True)) for pair in cells]
    assert rare_combinations(rows, "ab", 2, at_most=1) == []
    assert rare_combinations(rows, "ab", 2) == [(("a", 0), ("b", 1))]
