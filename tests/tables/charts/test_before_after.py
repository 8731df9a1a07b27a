"""Before and after: a panel per attribute, with a pair of bars for every value."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from tests.tables.charts.test_chart import bars
from unlinkable.errors import SchemaError, UnsupportedError
from unlinkable.tables.charts import draw_before_after
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.metrics.base import Bucketized, Generalized, Perturbed
from unlinkable.tables.taxonomies.builders import Intervals

PEOPLE = as_table(
    {"age": [31, 33, 33, 47], "a.b['<i>']": ["x", "y", "y", "y"], "s": ["p", "q", "q", "q"]},
    quasi=["age", "a.b['<i>']"],
    sensitive="s",
    taxonomies={"age": Intervals(5, 10)},
)


def release(levels: list[int], *, gone: bool = False) -> Generalized:
    counted = count(PEOPLE)
    partition = Partition.at_levels(counted.finest, PEOPLE.attributes, levels)
    if gone:
        partition = partition.suppress(np.ones(partition.n_parts, bool))
    return Generalized.of(PEOPLE, partition, counted.labels)


def values(panel: dict[str, Any], source: str) -> dict[str, float]:
    rows = panel["data"]["values"]
    return {row["value"]: row["share"] for row in rows if row["source"] == source}


def test_panels_hold_the_shares_before_and_after() -> None:
    age, odd = draw_before_after(release([1, 1])).spec["concat"]
    assert [panel["title"]["text"] for panel in (age, odd)] == ["age", "a.b['<i>']"]
    assert values(age, "original") == {"31": 0.25, "33": 0.5, "47": 0.25}
    assert values(age, "release") == {"31": 0.375, "33": 0.375, "47": 0.25}  # three in [30-35)
    assert values(odd, "original") == {"y": 0.75, "x": 0.25}
    assert values(odd, "release") == {"y": 0.5, "x": 0.5}


def test_no_name_of_a_column_is_the_name_of_a_field() -> None:
    for panel in draw_before_after(release([1, 1])).spec["concat"]:
        fields = {
            channel["field"]
            for channels in panel["encoding"].values()
            for channel in (channels if isinstance(channels, list) else [channels])
        }
        assert fields == {"value", "source", "share"}
        assert {key for row in panel["data"]["values"] for key in row} == fields


def test_the_chart_says_that_it_shows_the_original() -> None:
    chart = draw_before_after(release([1, 1]))
    assert chart.spec["title"]["subtitle"][1] == (
        "This chart shows the original: it stays with the holder of the data and is not published."
    )
    assert chart.description == (
        "Bars of the shares of values in the original and in the release, for 2 attributes: age, "
        "a.b['<i>']."
    )


def test_a_picture_has_two_bars_for_every_value() -> None:
    svg = draw_before_after(release([1, 1])).svg()
    assert len(bars(svg)) == 2 * (3 + 2)
    assert "a.b['&lt;i&gt;']" in svg


def test_altair_finds_no_fault_with_the_panels() -> None:
    chart = draw_before_after(release([1, 1]))
    assert len(chart.altair().to_dict()["concat"]) == 2


def test_columns_can_be_chosen() -> None:
    [panel] = draw_before_after(release([1, 1]), ["s"]).spec["concat"]
    assert values(panel, "release") == {"q": 0.75, "p": 0.25}


def test_all_columns_of_a_perturbed_release_are_drawn() -> None:
    swapped = PEOPLE.frame.with_columns(pl.Series("s", ["q", "q", "q", "q"]))
    panels = draw_before_after(Perturbed(PEOPLE, swapped, None)).spec["concat"]
    assert [panel["title"]["text"] for panel in panels] == ["age", "a.b['<i>']", "s"]
    assert values(panels[2], "release") == {"q": 1.0, "p": 0.0}


def test_an_empty_release_makes_an_empty_chart() -> None:
    spec = draw_before_after(release([1, 1], gone=True)).spec
    assert spec["data"]["values"] == [{"reason": "The release has no records"}]
    spec = draw_before_after(release([1, 1]), []).spec
    assert spec["data"]["values"] == [{"reason": "The release has no attributes"}]


def test_refuses_columns_that_were_not_published() -> None:
    with pytest.raises(SchemaError, match="no published column 'agee' among 3"):
        draw_before_after(release([1, 1]), ["agee"])


def test_refuses_a_release_that_shows_values_as_they_were() -> None:
    buckets = np.zeros(4, np.int32)
    published = Bucketized(PEOPLE, PEOPLE.frame, np.arange(4), buckets, {})
    with pytest.raises(UnsupportedError, match="a bucketized release shows values as they were"):
        draw_before_after(published)
