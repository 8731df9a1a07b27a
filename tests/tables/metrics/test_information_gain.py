"""Information gain: the book's examples, the definition, and what merging does."""

from __future__ import annotations

from itertools import pairwise
from math import fsum, log2

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import cases
from tests.tables.metrics.class_releases import Drawn, entropy_of, releases_with_classes
from unlinkable.tables.metrics import InformationGain
from unlinkable.tables.metrics.information_gain import information_gains
from unlinkable.tables.metrics.shared.class_metric import entropy

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


def gain_of_split(children: list[list[int]]) -> float:
    """Split one value into children with these classes."""
    return gains_of_splits([children])[0]


def gains_of_splits(splits: list[list[list[int]]]) -> list[float]:
    below = np.array([child for children in splits for child in children])
    above = np.array([np.sum(children, axis=0) for children in splits])
    found: list[float] = information_gains(above, np.cumsum([0, *map(len, splits)]), below).tolist()
    return found


def test_example_6_6_score_of_any_job() -> None:
    expected = cases.load("book-ch06-ex6.6-score-any-job")["expected"]
    above, *below = expected["class_counts_YN"].values()
    assert [entropy(np.array(c)) for c in (above, *below)] == pytest.approx(
        list(expected["entropies"].values()), abs=CLOSE
    )
    assert gain_of_split(below) == pytest.approx(expected["InfoGain"], abs=CLOSE)


def test_example_7_2_one_generalization_loses_nothing_and_the_other_does() -> None:
    expected = cases.load("book-ch07-ex7.2-lossless-generalization")["expected"]
    counts = expected["class_counts"]
    children = [("Masters", "Doctorate"), ("Bachelors", "Grad School")]
    lossless, lossy = gains_of_splits([[counts[n] for n in pair] for pair in children])
    assert lossless == 0.0
    assert lossy == pytest.approx(list(expected["InfoGain"].values())[1], abs=CLOSE)


def test_equation_6_4_what_stays_unknown_is_the_entropy_less_the_gain() -> None:
    case = cases.load("book-ch06-derived-eq6.4-6.7-mondrian-metrics")
    parts = [list(p.values()) for p in case["input"]["entropy"]["partitions_class_counts"]]
    left = entropy(np.sum(parts, axis=0)) - gain_of_split(parts)
    assert left == pytest.approx(case["expected"]["Entropy"], abs=CLOSE)


@given(releases_with_classes())
def test_says_what_the_definition_says(drawn: Drawn) -> None:
    assert gain_of(drawn) == pytest.approx(by_definition(drawn), abs=1e-12)


@given(releases_with_classes(all_published=True))
def test_is_the_score_of_one_large_step_if_nothing_is_left_out(drawn: Drawn) -> None:
    assert gain_of(drawn) == pytest.approx(gain_of_split(drawn.groups), abs=1e-12)


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
    scores = gains_of_splits(steps)
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
    assert gain_of_split([[n, 0] for n in sizes]) == 0.0


def test_a_value_without_records_tells_nothing() -> None:
    above, below = np.array([[0, 0], [1, 1]]), np.array([[1, 0], [0, 0], [0, 1]])
    assert information_gains(above, np.array([0, 0, 3]), below).tolist() == [0.0, 1.0]


def test_tells_the_entropy_of_the_class_and_the_share_that_is_told() -> None:
    details = InformationGain().details(Drawn([[1, 0], [0, 1]], [0, -1]).shown)
    assert details == {"entropy of the class": 1.0, "share told": 0.5}
    details = InformationGain().details(Drawn([[1, 0], [2, 0]], [0, 1]).shown)
    assert details == {"entropy of the class": 0.0, "share told": 0.0}
