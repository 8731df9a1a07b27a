"""A report as a page: complete, escaped, sufficient to itself, and open to everybody."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.report.samples import EVIL_ATTRIBUTE, HOSTILE, Page, sample
from unlinkable.report import Bar, Bars, Report, Section
from unlinkable.report.html import COLOURS


def test_texts_are_told_as_they_are_and_never_become_markup() -> None:
    for text in (HOSTILE, EVIL_ATTRIBUTE):
        page = Page(sample(text).to_html())
        assert not page.open
        assert " ".join(text.split()) in page.text
        assert not page.all("script")
        assert not any(name.startswith("on") for _, given in page.elements for name in given)
        plain = Page(sample("plain").to_html())
        assert [tag for tag, _ in page.elements] == [tag for tag, _ in plain.elements]


@given(st.text(max_size=30))
def test_no_text_changes_what_a_page_is_made_of(text: str) -> None:
    tags = [tag for tag, _ in Page(sample("x" + text).to_html()).elements]
    assert tags == [tag for tag, _ in Page(sample("plain").to_html()).elements]


def test_a_page_needs_nothing_from_elsewhere_and_forbids_it() -> None:
    text = sample().to_html()
    page = Page(text)
    policy = next(m["content"] for m in page.all("meta") if "http-equiv" in m)
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    for _, attributes in page.elements:
        assert not attributes.keys() & {"src", "srcset", "data", "action", "poster", "background"}
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search(r"url\(|@import|https?://", text)
    assert {"script", "link", "iframe", "object", "form", "img"}.isdisjoint(
        tag for tag, _ in page.elements
    )


def test_headings_are_in_order_and_there_is_one_title() -> None:
    page = Page(sample().to_html())
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert page.all("html")[0]["lang"] == "en"
    assert page.all("title")
    assert any(m.get("name") == "viewport" for m in page.all("meta"))


def test_links_lead_somewhere() -> None:
    page = Page(sample().to_html())
    places = [str(given["id"]) for _, given in page.elements if "id" in given]
    assert len(places) == len(set(places)) == 3
    assert sorted(str(a["href"]) for a in page.all("a")) == sorted(f"#{p}" for p in places)


def test_sections_of_the_same_name_have_places_of_their_own() -> None:
    titles = ["Täble", "Täble", "漢字", "漢字", "Täble"]
    page = Page(Report("T", "", [], [Section(title, []) for title in titles]).to_html())
    places = [str(given["id"]) for _, given in page.elements if "id" in given]
    assert len(set(places)) == len(titles)
    assert all(places)


def test_charts_have_texts_and_tables_have_captions_and_scopes() -> None:
    page = Page(sample().to_html())
    for svg in page.all("svg"):
        assert svg["role"] == "img"
        assert svg["aria-label"]
    assert page.all("svg")
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(th["scope"] in ("row", "col") for th in page.all("th"))


@pytest.mark.parametrize("ground", ["ground", "panel"])
@pytest.mark.parametrize("ink", ["ink", "quiet", "accent"])
def test_texts_can_be_read(ink: str, ground: str) -> None:
    assert contrast(COLOURS[ink], COLOURS[ground]) >= 4.5


@pytest.mark.parametrize("tone", ["good", "bad", "caution", "neutral"])
def test_verdicts_can_be_read(tone: str) -> None:
    assert contrast(COLOURS[tone], COLOURS[f"{tone}-ground"]) >= 4.5
    assert contrast(COLOURS["ink"], COLOURS[f"{tone}-ground"]) >= 4.5
    assert contrast(COLOURS[tone], COLOURS["ground"]) >= 3


@pytest.mark.parametrize("bar", ["before", "after", "ink"])
def test_bars_can_be_seen(bar: str) -> None:
    assert contrast(COLOURS[bar], COLOURS["ground"]) >= 3
    assert contrast(COLOURS[bar], COLOURS["track"]) >= 3


def test_bars_are_as_long_as_they_say_and_something_is_never_nothing() -> None:
    bars = [Bar("a", 0.5, "50 %"), Bar("b", 0.0001, "little"), Bar("c", 0.0, "0 %")]
    page = Page(Report("T", "", [Bars("chart", ("a", "b"), bars)]).to_html())
    widths = [rect["width"] for rect in page.all("rect")]
    assert widths == ["50", "0.4", "0"]


def test_very_long_values_are_cut() -> None:
    bars = Bars("chart", ("a", "b"), [Bar("x" * 10_000, 0.5, "50 %")])
    assert len(Report("T", "", [bars]).to_html()) < 20_000


def test_a_notebook_shows_the_page_in_a_frame_of_its_own() -> None:
    shown = Page(sample(HOSTILE)._repr_html_())
    assert [tag for tag, _ in shown.elements] == ["iframe"]
    frame = shown.all("iframe")[0]
    assert frame["srcdoc"] == sample(HOSTILE).to_html()
    assert "sandbox" in frame


def contrast(one: str, other: str) -> float:
    """Give the ratio of the luminances of two colours, from 1 to 21."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return round((light + 0.05) / (dark + 0.05), 2)


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
