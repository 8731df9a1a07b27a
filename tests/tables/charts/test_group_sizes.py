"""Group sizes: every group in one bar, and no bar across k."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.charts.test_chart import bars
from unlinkable.errors import ParameterError
from unlinkable.tables.charts import draw_group_sizes


def drawn(sizes: list[int], k: int | None = None) -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = draw_group_sizes(sizes, k=k).spec["data"]["values"]
    return values


def test_few_sizes_have_a_bar_each() -> None:
    assert drawn([2, 2, 3, 5], k=3) == [
        _bar("2", 1.5, 2.5, 2, 4, "smaller than k"),
        _bar("3", 2.5, 3.5, 1, 3, "large enough"),
        _bar("5", 4.5, 5.5, 1, 5, "large enough"),
    ]


def test_many_sizes_share_bars() -> None:
    assert [(bar["sizes"], bar["groups"]) for bar in drawn(list(range(5, 105)), k=5)] == [
        (f"{low} to {low + 4}", 5) for low in range(5, 105, 5)
    ]


def test_skewed_sizes_run_by_factors() -> None:
    chart = draw_group_sizes([4] * 20 + [4096], k=4)
    bars = chart.spec["data"]["values"]
    assert [(bar["sizes"], bar["left"], bar["groups"]) for bar in bars] == [
        ("4 to 5", 4.0, 20),
        ("4,096", 4096.0, 1),
    ]
    scale = chart.spec["layer"][0]["encoding"]["x"]["scale"]
    assert scale["type"] == "log"
    even = draw_group_sizes([4, 5]).spec["layer"][0]["encoding"]["x"]["scale"]
    assert "type" not in even


def test_k_is_marked_at_the_edge_of_the_first_bar_that_keeps_it() -> None:
    line, name = draw_group_sizes([2, 5], k=3).spec["layer"][1:]
    assert line["mark"]["type"] == "rule"
    assert name["data"]["values"] == line["data"]["values"] == [{"left": 2.5, "label": "k = 3"}]
    assert len(draw_group_sizes([2, 5]).spec["layer"]) == 1


def test_title_and_description_tell_the_numbers() -> None:
    chart = draw_group_sizes([2, 2, 9], k=3)
    short = "3 groups with 13 records; half of the groups have at most 2"
    assert chart.spec["title"]["subtitle"] == [f"{short}; 2 groups below k = 3"]
    assert chart.description == (
        f"Histogram of {short}; the smallest has 2, the largest 9; 2 groups below k = 3."
    )
    assert draw_group_sizes([3], k=3).description.endswith("; none below k = 3.")


@given(
    st.lists(st.integers(1, 50) | st.integers(1, 10**7), min_size=1, max_size=30),
    st.none() | st.integers(1, 200),
)
def test_every_group_is_in_one_bar(sizes: list[int], k: int | None) -> None:
    bars = drawn(sizes, k)
    shift = 0.0 if max(sizes) > 10 * float(np.median(sizes)) else 0.5
    assert sum(bar["groups"] for bar in bars) == len(sizes)
    assert len(bars) <= 62
    last = 0.0
    for bar in bars:
        left, right = bar["left"] + shift, bar["right"] + shift
        inside = [size for size in sizes if left <= size < right]
        assert (bar["groups"], bar["records"]) == (len(inside), sum(inside))
        assert left >= max(last, 1)
        assert k is None or right <= k or left >= k
        assert bar["standing"] == ("large enough" if k is None or left >= k else "smaller than k")
        last = right


@pytest.mark.parametrize("sizes", [[2, 3, 3], [4] * 9 + [4096]], ids=["steps", "factors"])
def test_bars_stand_on_zero(sizes: list[int]) -> None:
    drawn_bars = bars(draw_group_sizes(sizes, k=2).svg())
    assert len(drawn_bars) == 2
    heights = [float(str(bar.get("d")).split("v")[1].split("h")[0]) for bar in drawn_bars]
    counts = [bar["groups"] for bar in draw_group_sizes(sizes, k=2).spec["data"]["values"]]
    assert heights[0] / heights[1] == pytest.approx(counts[0] / counts[1], rel=0.02)


def test_no_groups_make_an_empty_chart() -> None:
    assert drawn([]) == [{"reason": "There are no groups"}]


@pytest.mark.parametrize("sizes", [[0, 1], [-3], [1.5], ["a"]], ids=str)
def test_refuses_what_is_no_size(sizes: list[Any]) -> None:
    with pytest.raises(ParameterError, match="sizes of groups must be whole numbers"):
        draw_group_sizes(sizes)


def test_refuses_a_k_below_one() -> None:
    with pytest.raises(ParameterError, match="k must be at least 1, got 0"):
        draw_group_sizes([1], k=0)


def _bar(
    sizes: str, left: float, right: float, groups: int, records: int, standing: str
) -> dict[str, Any]:
    return {
        "sizes": sizes,
        "left": left,
        "right": right,
        "groups": groups,
        "records": records,
        "standing": standing,
    }
