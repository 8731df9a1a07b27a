"""Information gain: the book's examples, the definition, and what merging does."""

from __future__ import annotations

from itertools import pairwise
from math import fsum, log2
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import cases
from tests.tables.groups.plain import rows_of_case
from tests.tables.metrics.class_releases import Drawn, entropy_of, releases_with_classes
from tests.tables.metrics.refinements import Worked, covers
from unlinkable.tables.metrics import InformationGain
from unlinkable.tables.metrics.shared.class_metric import entropy
from unlinkable.tables.metrics.shared.search_steps import Steps

CLOSE = 1e-6
"""The worked examples have six digits."""


def gain_of(drawn: Drawn) -> float:
    return InformationGain().value(drawn.shown)


def by_definition(drawn: Drawn) -> float:
    """E(T) less the weighted entropies of the groups; who is left out is as unknown as before."""
    n, whole = sum(drawn.whole), drawn.whole
    told: float = entropy_of(whole)
    for group in drawn.groups:
        told -= sum(group) / n * entropy_of(group)
    for c, lost in enumerate(drawn.classes(-1)):
        told += lost / n * log2(whole[c] / n) if lost else 0.0
    return told


def gain_by_definition(children: list[list[int]]) -> float:
    """E(T[v]) - sum of |T[c]| / |T[v]| E(T[c]); what is empty counts 0."""
    above = [sum(column) for column in zip(*children, strict=True)]
    n = sum(above)
    return entropy_of(above) - fsum(sum(c) / n * entropy_of(c) for c in children if any(c))


def one_step(children: list[list[int]]) -> Steps:
    above = [sum(column) for column in zip(*children, strict=True)]
    return Steps(above=[above], starts=[0, len(children)], below=children)


@pytest.mark.parametrize("trace", ["trace_infogain", "trace_igpl"])
def test_example_6_3_scores_of_all_candidates(trace: str) -> None:
    case = cases.load("book-ch06-ex6.3-infogain-vs-igpl")
    rows = rows_of_case(case["input"]["table"])
    qid = case["input"]["requirement"]["qid"]
    worked = Worked(rows, ["Y", "N"], case["input"]["taxonomies"], [qid])
    for state in case["expected"][trace]:
        candidates = state["candidates"]
        steps = worked.steps(candidates)
        scores = InformationGain().score(steps)
        assert scores.tolist() == pytest.approx([c["InfoGain"] for c in candidates], abs=CLOSE)
        sizes = [n for c in candidates for n in c["children"].values()]
        assert steps.below.sum(axis=1).tolist() == sizes
        for chosen in (c for c in candidates if c["value"] == state["best"]):
            if trace == "trace_infogain":
                assert candidates[int(scores.argmax())] == chosen
            worked.refine(chosen)
    assert worked.shown


def test_example_6_6_score_of_any_job() -> None:
    expected = cases.load("book-ch06-ex6.6-score-any-job")["expected"]
    above, *below = expected["class_counts_YN"].values()
    assert [entropy(np.array(c)) for c in (above, *below)] == pytest.approx(
        list(expected["entropies"].values()), abs=CLOSE
    )
    steps = Steps(above=[above], starts=[0, 2], below=below)
    assert InformationGain().score(steps)[0] == pytest.approx(expected["InfoGain"], abs=CLOSE)


def test_example_6_4_the_best_split_is_found_among_all() -> None:
    case = cases.load("book-ch06-ex6.4-optimal-binary-split")
    expected: dict[str, Any] = case["expected"]
    rows: list[dict[str, Any]] = list(rows_of_case(case["input"]["table"]))
    hours = expected["distinct_values"]

    def best(values: list[int]) -> tuple[int, float]:
        counts = [[sum(r[c] for r in rows if r["Work_Hrs"] == v) for c in "YN"] for v in values]
        scores = InformationGain().score(Steps.splitting(counts))
        if values == hours:
            found = dict(zip(map(str, values[1:]), scores.tolist(), strict=True))
            assert found == pytest.approx(expected["gains"], abs=CLOSE)
        return values[1:][int(scores.argmax())], float(scores.max())

    split, _ = best(hours)
    assert split == expected["best_split"]
    for label, deeper in expected["derived_next_level"].items():
        split, gain = best([v for v in hours if covers(label, v, {})])
        assert split == deeper["best_split"]
        assert gain == pytest.approx(deeper["InfoGain"], abs=CLOSE)


def test_example_7_2_one_generalization_loses_nothing_and_the_other_does() -> None:
    expected = cases.load("book-ch07-ex7.2-lossless-generalization")["expected"]
    counts = expected["class_counts"]
    steps = Steps(
        above=[counts["Grad School"], counts["University"]],
        starts=[0, 2, 4],
        below=[counts[n] for n in ("Masters", "Doctorate", "Bachelors", "Grad School")],
    )
    lossless, lossy = InformationGain().score(steps).tolist()
    assert lossless == 0.0
    assert lossy == pytest.approx(list(expected["InfoGain"].values())[1], abs=CLOSE)


def test_equation_6_4_what_stays_unknown_is_the_entropy_less_the_gain() -> None:
    case = cases.load("book-ch06-derived-eq6.4-6.7-mondrian-metrics")
    parts = [list(p.values()) for p in case["input"]["entropy"]["partitions_class_counts"]]
    steps = one_step(parts)
    left = entropy(steps.above[0]) - InformationGain().score(steps)[0]
    assert left == pytest.approx(case["expected"]["Entropy"], abs=CLOSE)


def test_equation_7_2_disclosing_a_value_leaves_the_others_together() -> None:
    """Of 6 suppressed records with 3 values, disclosing the first sets 2 of class y apart."""
    hidden = [[2, 0], [1, 1], [0, 2]]
    scores = InformationGain().score(Steps.disclosing(hidden)).tolist()
    aside = 1 - 2 / 6 * 0 - 4 / 6 * entropy_of([1, 3])
    even = 1 - 2 / 6 * 1 - 4 / 6 * 1
    assert scores == pytest.approx([aside, even, aside], abs=1e-12)
    # Once the first is disclosed, the rest is another set of records, and scores change.
    scores = InformationGain().score(Steps.disclosing(hidden[1:])).tolist()
    apart = entropy_of([1, 3]) - 2 / 4 * 1 - 2 / 4 * 0
    assert scores == pytest.approx([apart, apart], abs=1e-12)
    # The last disclosure splits nothing off.
    assert InformationGain().score(Steps.disclosing(hidden[2:])).tolist() == [0.0]


@given(releases_with_classes())
def test_says_what_the_definition_says(drawn: Drawn) -> None:
    assert gain_of(drawn) == pytest.approx(by_definition(drawn), abs=1e-12)


@given(releases_with_classes(all_published=True))
def test_is_the_score_of_one_large_step_if_nothing_is_left_out(drawn: Drawn) -> None:
    score = InformationGain().score(one_step(drawn.groups))[0]
    assert gain_of(drawn) == pytest.approx(score, abs=1e-12)


@given(
    st.lists(
        st.lists(
            st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=1, max_size=4
        ).filter(lambda children: any(map(any, children))),
        min_size=1,
        max_size=5,
    )
)
def test_scores_of_many_steps_are_those_of_the_definition(steps: list[list[list[int]]]) -> None:
    many = Steps(
        above=[[sum(column) for column in zip(*children, strict=True)] for children in steps],
        starts=np.cumsum([0, *map(len, steps)]),
        below=[child for children in steps for child in children],
    )
    scores = InformationGain().score(many).tolist()
    assert scores == pytest.approx([gain_by_definition(c) for c in steps], abs=1e-12)
    assert min(scores) >= 0


@given(releases_with_classes(), st.data())
def test_never_rises_when_groups_are_merged_or_left_out(drawn: Drawn, data: st.DataObject) -> None:
    assume(drawn.groups)
    group = st.integers(0, len(drawn.groups) - 1)
    gain = gain_of(drawn)
    assert 0 <= gain_of(drawn.merged(data.draw(group), data.draw(group))) <= gain + 1e-12
    assert 0 <= gain_of(drawn.left_out(data.draw(group))) <= gain + 1e-12
    assert InformationGain().loss(drawn.shown) == -gain


def test_leaving_out_some_records_of_a_group_can_raise_it() -> None:
    gains = [gain_of(Drawn([[1, 0], [0, 1]], labels)) for labels in ([0, 0], [0, -1])]
    assert gains == [0.0, 0.5]


def test_a_group_that_is_left_out_tells_nothing() -> None:
    labels = [[0, 1, 2, 3], [0, 1, 2, -1], [0, 1, -1, -1], [0, -1, -1, -1], [-1, -1, -1, -1]]
    gains = [gain_of(Drawn([[1, 0], [0, 1], [1, 0], [0, 1]], each)) for each in labels]
    assert gains == [1.0, 0.75, 0.5, 0.25, 0.0]
    assert all(b < a for a, b in pairwise(gains))


def test_pure_groups_and_groups_like_the_table_are_exact() -> None:
    sizes = list(range(1, 200, 7))
    alike = Drawn([[3 * n, 7 * n] for n in sizes], list(range(len(sizes))))
    assert gain_of(alike) == 0.0
    pure = one_step([[n, 0] for n in sizes])
    assert InformationGain().score(pure).tolist() == [0.0]


def test_a_value_without_records_tells_nothing() -> None:
    steps = Steps(above=[[0, 0], [1, 1]], starts=[0, 0, 3], below=[[1, 0], [0, 0], [0, 1]])
    assert InformationGain().score(steps).tolist() == [0.0, 1.0]


def test_tells_the_entropy_of_the_class_and_the_share_that_is_told() -> None:
    details = InformationGain().details(Drawn([[1, 0], [0, 1]], [0, -1]).shown)
    assert details == {"entropy of the class": 1.0, "share told": 0.5}
    details = InformationGain().details(Drawn([[1, 0], [2, 0]], [0, 1]).shown)
    assert details == {"entropy of the class": 0.0, "share told": 0.0}
