"""IGPL: the book's traces, the definition, and why it is not monotone."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests import cases
from tests.tables.groups.plain import taxonomy_of
from tests.tables.metrics.class_releases import Drawn, releases_with_classes
from tests.tables.metrics.releases import shown_cells, shown_sizes
from tests.witness.tree import Tree
from unlinkable.errors import ParameterError
from unlinkable.tables.metrics import IGPL, InformationGain, MinimalDistortion
from unlinkable.tables.taxonomies import Attribute

CLOSE = 1e-6
"""The worked examples have six digits."""


def test_example_6_3_the_releases_themselves() -> None:
    """Table 6.5 tells 0.61 bits at a smallest group of 4, table 6.7 all at a smallest of 6."""
    case = cases.load("book-ch06-ex6.3-infogain-vs-igpl")["expected"]
    values = []
    for name in ("final_infogain_table_6_5", "final_igpl_table_6_7"):
        places = [case[name]["columns"].index(c) for c in "YN"]
        rows = [[row[i] for i in places] for row in case[name]["rows"]]
        values.append(IGPL().value(Drawn(rows, list(range(len(rows)))).shown))
    gain = case["trace_infogain"][0]["candidates"][0]["InfoGain"]
    assert values == pytest.approx([gain / (40 - 4 + 1), 1 / (40 - 6 + 1)], abs=CLOSE)


@given(releases_with_classes())
def test_says_what_the_definition_says(drawn: Drawn) -> None:
    n, sizes = sum(drawn.whole), [sum(group) for group in drawn.groups]
    loss = n - min(sizes, default=n)
    gain = InformationGain().value(drawn.shown)
    assert IGPL().value(drawn.shown) == pytest.approx(gain / (loss + 1))
    assert IGPL().details(drawn.shown) == {"gain": gain, "privacy loss": loss}
    assert IGPL(counts_privacy=False).value(drawn.shown) == gain
    assert IGPL(counts_privacy=False).details(drawn.shown)["privacy loss"] == 0


def test_by_distortion_counts_how_far_published_values_are_below_the_top() -> None:
    tree = Tree.nested({"*": {"x": {"a": {}, "b": {}}, "y": {"c": {}, "d": {}}}})
    attributes = (Attribute("q", taxonomy_of(tree), importance=3.0),)
    shown = shown_cells(attributes, [[(0, 1)], [(0, 2)], [(0, 4)]], weights=[1.0, 5.0, 7.0])
    metric = IGPL("distortion")
    # 2 steps of a record of weight 1, 1 step of one of weight 5; groups of 1 among 3.
    assert metric.value(shown) == 3.0 * (2 * 1 + 1 * 5 + 0 * 7) / (3 - 1 + 1)
    top = shown_cells(attributes, [[(0, 4)]] * 3, weights=[1.0, 5.0, 7.0])
    gain = MinimalDistortion().value(top) - MinimalDistortion().value(shown)
    assert metric.details(shown) == {"gain": gain, "privacy loss": 2}


def test_by_distortion_a_record_that_is_left_out_gains_nothing() -> None:
    metric = IGPL("distortion")
    assert [metric.value(Drawn([[1], [1]], labels).shown) for labels in ([0, 1], [0, -1])] == [
        2 / (2 - 1 + 1),
        1 / (2 - 1 + 1),
    ]
    assert metric.value(shown_sizes([], 5)) == 0


def test_merging_may_raise_it_or_lower_it() -> None:
    rows = [[1, 0], [1, 0], [0, 2]]
    values = [
        IGPL().value(Drawn(rows, labels).shown) for labels in ([0, 1, 2], [0, 0, 1], [0, 0, 0])
    ]
    assert values == [1 / (3 + 1), 1 / (2 + 1), 0.0]
    assert not IGPL().monotone


def test_refuses_what_is_neither_true_nor_false() -> None:
    with pytest.raises(ParameterError, match="counts_privacy must be true or false"):
        IGPL(counts_privacy=2)  # type: ignore[arg-type]
