"""The look of charts: names that break nothing, colours that everybody can tell apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unlinkable.tables.charts.style import BLUE, GREY, ORANGE, as_labels, draw_nothing, number_of


@given(st.lists(st.sampled_from(["a", "a (2)", "\x00", "\x01", "\ud800", "\ufffd (2)", ""])))
def test_labels_are_as_many_as_the_texts_and_all_different(texts: list[str]) -> None:
    labels = as_labels(texts)
    assert len(labels) == len(texts) == len(set(labels))
    assert "\x00" not in "".join(labels)
    assert "".join(labels).encode().decode() == "".join(labels)


def test_labels_that_are_fine_stay_as_they_are() -> None:
    names = ["age", "naïve 漢字", "<script>", "a.b[0]", 'quo"ted', ""]
    assert as_labels(names) == names


def test_an_empty_chart_says_why() -> None:
    chart = draw_nothing("Title", "There are no groups")
    assert chart.title == "Title"
    assert chart.description == "An empty chart: There are no groups."
    assert chart.spec["data"]["values"] == [{"reason": "There are no groups"}]


def test_one_has_no_plural() -> None:
    assert [number_of(n, "record") for n in (0, 1, 2)] == ["0 records", "1 record", "2 records"]


def test_colours_differ_in_brightness_too() -> None:
    levels = sorted(_brightness(colour) for colour in (BLUE, ORANGE, GREY))
    assert levels[1] / levels[0] > 1.2
    assert levels[2] / levels[1] > 1.2


def _brightness(colour: str) -> float:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return float(0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2 + 0.05)
