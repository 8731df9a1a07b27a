"""Every metric that reads groups, beside its twin in plain Python, on any release.

The twins in ``tests/witness`` were written from the literature by somebody who had not seen the
metrics. Where the literature leaves a reading open, they were then brought to that of the metric's
docstring. Releases are drawn with any boxes that cover their records: see
`tests.tables.metrics.drawn`.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Hashable
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tables.metrics.drawn import Drawn, People, at_levels, coarser, releases
from tests.witness import classes, losses, spreads
from tests.witness.tree import Tree
from unlinkable.registry.lookup import make
from unlinkable.tables import metrics as utility
from unlinkable.tables.metrics.base import GroupMetric, SizeMetric


def information_lost(d: Drawn) -> float:
    return classes.information_lost(d.original, d.release, d.labels)


def distortion(d: Drawn) -> float:
    return float(losses.minimal_distortion(d.release, d.trees, d.importance, d.weights))


def steps_below_the_top(d: Drawn) -> float:
    """Add up how many steps less than the root every published cell has gone."""
    published = [i for i, box in enumerate(d.boxes) if box is not None]
    tops = [d.root().release[i] for i in published]
    kept = [d.release[i] for i in published]
    weights = None if d.weights is None else [d.weights[i] for i in published]
    both = (losses.minimal_distortion(x, d.trees, d.importance, weights) for x in (tops, kept))
    top, below = both
    return float(top - below)


def n_left_out(d: Drawn) -> int:
    return sum(box is None for box in d.boxes)


BY_DEFINITION: dict[str, Callable[[Drawn], float]] = {
    "ambiguity": lambda d: spreads.ambiguity(d.release, d.domains, d.importance, d.weights),
    "average-class-size(k=2)": lambda d: (
        float(losses.average_class_size(d.release, 2)) if any(d.boxes) else len(d.rows) / 2
    ),
    "average-information-loss": lambda d: float(
        losses.average_information_loss(d.release, d.domains, d.numeric, d.importance, d.weights)
    ),
    "babu-iloss": lambda d: float(losses.babu_iloss(d.release, d.domains, d.importance, d.weights)),
    "classification-metric": lambda d: float(classes.classification_metric(d.release, d.labels)),
    "discernibility": lambda d: losses.discernibility(d.release),
    'discernibility(suppressed="alike")': lambda d: losses.discernibility(d.release, n_left_out(d)),
    'discernibility(suppressed="nothing")': lambda d: losses.discernibility(d.release, 0),
    "discernibility(suppressed=3)": lambda d: losses.discernibility(d.release, 3),
    "discernibility-ratio": lambda d: float(losses.discernibility_ratio(d.release)),
    'discernibility-ratio(suppressed="alike")': lambda d: (
        losses.discernibility(d.release, n_left_out(d)) / len(d.rows) ** 2
    ),
    'discernibility-ratio(suppressed="nothing")': lambda d: (
        losses.discernibility(d.release, 0) / len(d.rows) ** 2
    ),
    "distinctive-attribute": lambda d: max(losses.distinct_values(d.release, d.qid).values()),
    "igpl": lambda d: classes.igpl(classes.information_gain(d.release, d.labels), d.release),
    'igpl(gain="distortion")': lambda d: classes.igpl(steps_below_the_top(d), d.release),
    "igpl(counts_privacy=false)": lambda d: classes.information_gain(d.release, d.labels),
    "iloss": lambda d: float(losses.iloss(d.release, d.domains, d.importance, d.weights)),
    "ilpg": lambda d: classes.ilpg(information_lost(d), d.original, d.release),
    'ilpg(gain="distortion")': lambda d: classes.ilpg(distortion(d), d.original, d.release),
    "information-gain": lambda d: classes.information_gain(d.release, d.labels),
    "kl-divergence": lambda d: spreads.marginal_divergence(
        d.original, d.release, d.domains, d.importance, d.weights
    ),
    "kl-divergence(joint=true)": lambda d: spreads.joint_divergence(
        d.original, d.release, d.domains, d.weights
    ),
    "minimal-distortion": distortion,
    "nonuniform-entropy": lambda d: spreads.nonuniform_entropy(
        d.original, d.release, d.domains, d.importance, d.weights
    ),
    "normalized-certainty-penalty": lambda d: float(
        losses.normalized_certainty_penalty(d.release, d.domains, d.importance, d.weights)
    ),
    'normalized-certainty-penalty(numbers="length")': lambda d: float(
        losses.normalized_certainty_penalty(
            d.release, d.domains, d.importance, d.weights, by_length=d.numeric
        )
    ),
    "privacy-percentage": lambda d: (
        100 * float(losses.cells_at_the_top(d.release, d.domains, d.weights))
    ),
    'privacy-percentage(count="attributes")': lambda d: (
        100 * float(losses.attributes_at_the_top(d.release, d.domains))
    ),
    'privacy-percentage(count="records")': lambda d: (
        100 * float(losses.records_at_the_top(d.release, d.domains, d.weights))
    ),
}


def made(text: str) -> GroupMetric:
    metric = make("metric", text)
    assert isinstance(metric, GroupMetric)
    return metric


METRICS = {text: made(text) for text in BY_DEFINITION}
MONOTONE = {text: metric for text, metric in METRICS.items() if metric.monotone}
ROOTS_COST_MOST = [
    "ambiguity",
    "discernibility",
    'discernibility(suppressed="alike")',
    "discernibility-ratio",
    "information-gain",
    "nonuniform-entropy",
]
"""What says in its docstring that nothing is worse than a release that shows roots alone."""
UNLESS_A_COLUMN_HAS_ONE_VALUE = [
    "average-information-loss",
    "normalized-certainty-penalty",
    "privacy-percentage",
]
"""What says so too, but for columns of one value, which cost something only if left out."""

BY_COLUMN = [
    "iloss",
    "kl-divergence",
    "nonuniform-entropy",
    "normalized-certainty-penalty",
    "privacy-percentage",
]
"""What gives for every column what it would give for a table of this column alone."""


def test_every_metric_that_reads_groups_has_a_twin() -> None:
    exported = (getattr(utility, name) for name in dir(utility))
    there = {x.name for x in exported if inspect.isclass(x) and issubclass(x, GroupMetric)}
    assert there == {metric.name for metric in METRICS.values()}


@pytest.mark.parametrize("text", BY_DEFINITION)
def test_what_is_written_is_read_back(text: str) -> None:
    assert str(METRICS[text]) == text
    assert made(str(METRICS[text])) == METRICS[text]


def one_column(values: str, boxes: list[tuple[int, int] | None]) -> Drawn:
    rows: list[dict[str, Hashable]] = [{"q": v, "y": "u", "w": 1} for v in values]
    tree = Tree({v: (v, "*") for v in "abc"})
    people = People(rows, {"q": tree}, frozenset(), {"q": 1}, is_weighted=False)
    return Drawn(people, [box and (box,) for box in boxes])


@example(drawn=one_column("a" * 11, [(0, 3)] * 11))  # adds 11 times log2(3), and divides by it
@example(drawn=one_column("ac", [(0, 3), None]))  # what is left out lies in what is shown
@given(drawn=releases())
def test_every_metric_says_what_its_definition_says(drawn: Drawn) -> None:
    release = drawn.generalized()
    found = {text: metric.measure(release).value for text, metric in METRICS.items()}
    expected = {text: float(twin(drawn)) for text, twin in BY_DEFINITION.items()}
    wrong = [text for text in found if found[text] != pytest.approx(expected[text], abs=1e-9)]
    assert wrong == []
    for text, metric in METRICS.items():
        least, greatest = metric.bounds
        assert least <= found[text] <= (math.inf if greatest is None else greatest), text


@given(data=st.data())
def test_no_monotone_loss_falls_when_less_is_told(data: st.DataObject) -> None:
    drawn = data.draw(releases())
    fine, coarse = drawn.generalized().shown, data.draw(coarser(drawn)).generalized().shown
    fallen = [t for t, metric in MONOTONE.items() if metric.loss(coarse) < metric.loss(fine) - 1e-9]
    assert fallen == []


@given(data=st.data())
def test_no_coarser_release_costs_less_than_the_floor(data: st.DataObject) -> None:
    drawn = data.draw(releases())
    then = data.draw(coarser(data.draw(coarser(drawn))))
    fine, coarse = drawn.generalized().shown, then.generalized().shown
    may_suppress = coarse.n_suppressed - fine.n_suppressed + data.draw(st.integers(0, 2))
    for text, metric in METRICS.items():
        if isinstance(metric, SizeMetric):
            floor = metric.floor(fine.sizes, may_suppress, fine.n_suppressed)
            assert floor <= metric.value(coarse) + 1e-9, text


@given(drawn=releases())
def test_raw_records_cost_least_and_no_records_or_roots_alone_most(drawn: Drawn) -> None:
    raw, given, root, nothing = (
        x.generalized().shown for x in (drawn.raw(), drawn, drawn.root(), drawn.nothing())
    )
    for text, metric in MONOTONE.items():
        assert metric.loss(raw) - 1e-9 <= metric.loss(given), text
        assert metric.loss(given) <= metric.loss(nothing) + 1e-9, text
    several = all(len(domain) > 1 for domain in drawn.domains.values())
    for text in ROOTS_COST_MOST + (UNLESS_A_COLUMN_HAS_ONE_VALUE if several else []):
        assert METRICS[text].loss(given) <= METRICS[text].loss(root) + 1e-9, text


@pytest.mark.parametrize("numeric", [frozenset(), frozenset({"q"})], ids=["words", "numbers"])
def test_a_table_without_records_has_lost_nothing(numeric: frozenset[str]) -> None:
    tree = Tree({v: (v, "*") for v in ([1, 2] if numeric else ["a", "b"])})
    people = People([], {"q": tree}, numeric, {"q": 1}, is_weighted=False)
    release = Drawn(people, []).generalized()
    assert {metric.measure(release).value for metric in METRICS.values()} == {0}


@given(data=st.data())
def test_some_losses_never_fall_from_level_to_level(data: st.DataObject) -> None:
    drawn = data.draw(releases())
    low = [data.draw(st.integers(0, tree.height)) for tree in drawn.trees.values()]
    high = [
        data.draw(st.integers(level, tree.height))
        for level, tree in zip(low, drawn.trees.values(), strict=True)
    ]
    fine, coarse = (at_levels(drawn, levels).generalized().shown for levels in (low, high))
    for text in ("distinctive-attribute", "kl-divergence", "kl-divergence(joint=true)"):
        assert METRICS[text].loss(coarse) >= METRICS[text].loss(fine) - 1e-9, text


@given(drawn=releases())
def test_details_say_what_the_definitions_say_of_every_column(drawn: Drawn) -> None:
    release = drawn.generalized()
    found = {text: metric.measure(release).details for text, metric in METRICS.items()}
    assert found["distinctive-attribute"] == losses.distinct_values(drawn.release, drawn.qid)
    combinations = spreads.combinations(drawn.release, drawn.domains, drawn.weights)
    assert found["ambiguity"]["combinations"] == pytest.approx(float(combinations))
    for a in drawn.qid:
        alone = replace(drawn.people, trees={a: drawn.trees[a]}, numeric=drawn.numeric & {a})
        boxes = [box and (box[drawn.qid.index(a)],) for box in drawn.boxes]
        for text in BY_COLUMN:
            expected = BY_DEFINITION[text](Drawn(alone, boxes))
            assert found[text][a] == pytest.approx(expected, abs=1e-9), text
