"""Taxonomies as JSON: nothing is lost on the way, and recipients learn what is published only."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.data.taxonomies import boxes, built, upto
from unlinkable.errors import BundleError
from unlinkable.tables.taxonomies import Domain, Kind, Taxonomy, observe
from unlinkable.tables.taxonomies.builders import (
    Auto,
    Dates,
    Flat,
    Intervals,
    Mask,
    Observed,
    TaxonomyBuilder,
    Tree,
)
from unlinkable.tables.taxonomies.portable import (
    published_taxonomy,
    taxonomy_from_json,
    taxonomy_to_json,
)
from unlinkable.tables.taxonomies.published_values import read_ranges, write_level, write_ranges

Built = tuple[Observed, TaxonomyBuilder, Taxonomy]

JOBS = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})


def through_file(written: dict[str, object]) -> Taxonomy:
    return taxonomy_from_json(json.loads(json.dumps(written)))


@given(built())
def test_a_taxonomy_survives_its_file(built: Built) -> None:
    taxonomy = built[2]
    again = through_file(taxonomy_to_json(taxonomy))
    assert again.domain.kind is taxonomy.domain.kind
    assert again.domain.values.dtype == taxonomy.domain.values.dtype
    assert again.domain.values.tolist() == taxonomy.domain.values.tolist()
    assert (again.domain.has_missing, again.root) == (taxonomy.domain.has_missing, taxonomy.root)
    codes = upto(taxonomy.n)
    assert again.height == taxonomy.height
    for i, level in enumerate(taxonomy.levels):
        assert again.levels[i].blocks.tolist() == level.blocks.tolist()
        assert write_level(again, i, codes).tolist() == write_level(taxonomy, i, codes).tolist()


def relation(lo: Any, hi: Any, i: int, j: int) -> tuple[bool, ...]:
    """Say how two ranges lie to each other: which holds which, and whether they meet."""
    return (
        bool(lo[i] <= lo[j] and hi[j] <= hi[i]),
        bool(lo[j] <= lo[i] and hi[i] <= hi[j]),
        bool(max(lo[i], lo[j]) < min(hi[i], hi[j])),
    )


@st.composite
def releases(draw: st.DrawFn) -> tuple[Taxonomy, list[str | None]]:
    """Draw a taxonomy and texts that could be published with it."""
    taxonomy = draw(built())[2]
    if draw(st.booleans()):
        lo, hi = draw(boxes(taxonomy))
        return taxonomy, write_ranges(taxonomy, lo, hi, level_labels=draw(st.booleans())).tolist()
    codes = draw(st.lists(st.integers(0, taxonomy.n - 1), min_size=1, max_size=5))
    level = draw(st.integers(0, taxonomy.height))
    return taxonomy, write_level(taxonomy, level, np.array(codes)).tolist()


@given(releases())
def test_published_texts_lie_to_each_other_as_before(release: tuple[Taxonomy, list[str]]) -> None:
    taxonomy, texts = release
    view = through_file(published_taxonomy(taxonomy, texts))
    lo, hi = read_ranges(taxonomy, texts)
    seen_lo, seen_hi = read_ranges(view, texts)
    assert view.height == taxonomy.height
    for i, one in enumerate(texts):
        for j, other in enumerate(texts):
            # Everything holds what is missing, whether that is published or not.
            if taxonomy.domain.has_missing and view.root in (one, other):
                continue
            assert relation(seen_lo, seen_hi, i, j) == relation(lo, hi, i, j), (one, other)


@st.composite
def levels_shown(draw: st.DrawFn) -> tuple[Taxonomy, list[tuple[int, int]]]:
    """Draw a taxonomy, and codes that are published on some level each, never on the root's."""
    taxonomy = draw(built())[2]
    code, level = st.integers(0, taxonomy.n - 1), st.integers(0, taxonomy.height - 1)
    return taxonomy, draw(st.lists(st.tuples(code, level), min_size=1, max_size=6))


@given(levels_shown(), st.booleans())
def test_the_labels_above_a_published_text_stay_above_it(
    case: tuple[Taxonomy, list[tuple[int, int]]], with_star: bool
) -> None:
    taxonomy, shown = case
    codes = np.array([code for code, _ in shown], np.int32)
    texts = [
        write_level(taxonomy, level, codes[i : i + 1])[0] for i, (_, level) in enumerate(shown)
    ]
    view = through_file(published_taxonomy(taxonomy, [*texts, *["*"] * with_star]))
    seen, _ = read_ranges(view, texts)
    for i, (_, level) in enumerate(shown):
        for above in range(level, taxonomy.height):
            if taxonomy.levels[above].labels is None and taxonomy.levels[above].edges is None:
                continue
            label = write_level(taxonomy, above, codes[i : i + 1])[0]
            assert write_level(view, above, seen[i : i + 1])[0] == label


@given(releases())
def test_no_category_leaks_that_is_not_published(release: tuple[Taxonomy, list[str]]) -> None:
    taxonomy, texts = release
    if taxonomy.domain.kind is not Kind.CATEGORY:
        return
    # Distinctive names make every trace of a value findable.
    domain = taxonomy.domain
    names = np.array([f"secret{i}value" for i in range(domain.n_present)], dtype=object)
    marked = Taxonomy(Domain(Kind.CATEGORY, names, domain.has_missing), taxonomy.levels)
    lo, hi = read_ranges(taxonomy, texts)
    shown = write_ranges(marked, lo, hi).tolist()
    written = json.dumps(published_taxonomy(marked, shown))
    published = json.dumps(shown)
    for name in names:
        assert (f"{name}" in written) <= (f"{name}" in published)


@given(
    st.lists(st.integers(0, 99), min_size=1, max_size=8, unique=True),
    st.lists(st.integers(0, 99), max_size=8),
    st.sampled_from([Intervals(5, 10, low=20, high=80), Mask(2), Intervals(2.5)]),
    st.data(),
)
def test_records_that_are_left_out_leave_no_trace(
    values: list[int], others: list[int], rule: TaxonomyBuilder, data: st.DataObject
) -> None:
    """Neither other values of a published label nor other labels change what recipients get."""
    few, many = rule.build(observe("x", values)), rule.build(observe("x", values + others))
    level = data.draw(st.integers(1, few.height - 1))
    texts = write_level(few, level, upto(few.n))
    assert published_taxonomy(many, texts) == published_taxonomy(few, texts)


def test_recipients_see_labels_and_what_is_above_them() -> None:
    taxonomy = JOBS.build(observe("job", ["Dancer", None]))
    assert published_taxonomy(taxonomy, ["Artist", "Lawyer", None]) == {
        "type": "text",
        "values": ["Lawyer", "Artist"],
        "missing": True,
        "levels": [{"starts": [0, 1], "labels": ["Professional", "Artist"]}],
        "root": "*",
    }


def test_a_part_is_not_taken_for_the_whole() -> None:
    taxonomy = JOBS.build(observe("job", ["Dancer"]))
    view = through_file(published_taxonomy(taxonomy, ["Dancer", "*"]))
    assert view.domain.values.tolist() == ["other *", "Dancer"]
    assert view.levels[1].labels == ("other *", "Artist")


def test_a_label_of_one_value_does_not_give_the_value_away() -> None:
    ages = Intervals(5, 10).build(observe("age", [31, 47]))
    texts = write_level(ages, 1, np.array([0, 1]))
    assert published_taxonomy(ages, texts) == {
        "type": "int64",
        "values": [30, 45],
        "missing": False,
        "levels": [
            {"starts": [0, 1], "labels": ["[30-35)", "[45-50)"]},
            {"starts": [0, 1], "labels": ["[30-40)", "[40-50)"]},
        ],
        "root": "*",
    }


def test_a_coarse_label_does_not_give_finer_ones_away() -> None:
    ages = Intervals(5, 10, 20).build(observe("age", [31, 47]))
    texts = write_level(ages, 2, upto(2))
    view = published_taxonomy(ages, texts)
    assert texts.tolist() == ["[30-40)", "[40-50)"]
    assert view["values"] == [30, 40]
    assert "5" not in json.dumps(view).replace("[40-50)", "").replace("50", "")
    jobs = Tree({"Service": {"Kitchen": ["Cook"]}, "Health": {"Ward": ["Nurse", "Doctor"]}})
    taxonomy = jobs.build(observe("job", ["Cook", "Nurse"]))
    written = json.dumps(published_taxonomy(taxonomy, ["Service", "Ward"]))
    assert "Kitchen" not in written
    assert "Cook" not in written


def test_nodes_that_were_made_from_records_are_told_only_if_they_are_published() -> None:
    few_young = Auto().build(observe("age", [20, 30, 40, 50, 50, 50]))
    few_old = Auto().build(observe("age", [20, 20, 20, 30, 40, 50]))
    assert taxonomy_to_json(few_young)["levels"] != taxonomy_to_json(few_old)["levels"]
    texts = ["20", "30", "40", "50"]
    told = published_taxonomy(few_young, texts)
    assert told == published_taxonomy(few_old, texts)
    assert all(level["starts"] == [0, 1, 2, 3] for level in told["levels"])  # type: ignore[attr-defined]
    above = write_ranges(few_old, np.array([2]), np.array([4])).tolist()
    assert above == ["[40-51)"]
    told = published_taxonomy(few_old, [*texts, *above])
    assert [level["starts"] for level in told["levels"]] == [[0, 1, 2]] * 2  # type: ignore[attr-defined]


def test_intervals_that_lie_across_nodes_can_be_read() -> None:
    ages = Intervals(5, 10).build(observe("age", list(range(30, 40))))
    texts = ["[31-34)", "[34-37)", "[37-40)"]
    view = through_file(published_taxonomy(ages, texts))
    lo, hi = read_ranges(view, texts)
    assert list(zip(lo.tolist(), hi.tolist(), strict=True)) == [(0, 1), (1, 3), (3, 4)]
    assert view.levels[1].labels == ("[30-35)", "[35-40)")
    assert view.levels[2].labels == ("[30-40)",)


def test_months_do_not_give_days_away() -> None:
    days = Dates("month", "year").build(observe("day", [date(2024, 3, 17), date(2024, 5, 9)]))
    view = published_taxonomy(days, ["2024-03", "2024-05"])
    assert view["values"] == ["2024-03-01", "2024-05-01"]
    assert "17" not in json.dumps(view)


def test_zip_codes_do_not_give_digits_away() -> None:
    zips = Mask(5).build(observe("zip", [13053, 13068, 14850]))
    assert published_taxonomy(zips, ["130**", "1485*"])["values"] == [13000, 14850]


def test_open_ends_survive() -> None:
    ages = Intervals(5, low=20, high=80).build(observe("age", [17, 23, 81]))
    again = through_file(taxonomy_to_json(ages))
    assert write_level(again, 1, upto(3)).tolist() == ["<20", "[20-25)", ">=80"]
    view = through_file(published_taxonomy(ages, ["<20", ">=80", "*"]))
    lo, hi = read_ranges(view, ["<20", ">=80", "*"])
    assert list(zip(lo.tolist(), hi.tolist(), strict=True)) == [(0, 1), (2, 3), (0, 3)]


def test_nothing_but_stars_is_a_view_too() -> None:
    for values in (["a", "b"], [1, 2], [date(2024, 1, 1)]):
        view = through_file(published_taxonomy(Flat().build(observe("x", values)), ["*"]))
        assert [a.tolist() for a in read_ranges(view, ["*"])] == [[0], [1]]
        assert "a" not in view.domain.values.tolist()


@pytest.mark.parametrize(
    "change",
    [
        {"type": "colour"},
        {"values": [1, "x"]},
        {"values": None},
        {"levels": [{"starts": [1, 2]}]},
        {"levels": [{"starts": [0, 0]}]},
        {"levels": [{"starts": [0, 9]}]},
        {"levels": [{"starts": [0], "labels": ["a", "b"]}]},
        {"levels": [{"labels": ["a"]}]},
        {"levels": [{"starts": [0, 1], "labels": ["a", "a"]}]},
        {"levels": [{"starts": [0], "lower": [1, 2], "upper": [3]}]},
        {"levels": 7},
    ],
)
def test_refuses_a_damaged_taxonomy(change: dict[str, object]) -> None:
    whole = taxonomy_to_json(Intervals(5).build(observe("age", [31, 33, 47])))
    with pytest.raises(BundleError, match="a taxonomy is damaged"):
        taxonomy_from_json({**whole, **change})


def test_refuses_a_taxonomy_with_a_part_missing() -> None:
    whole = taxonomy_to_json(Flat().build(observe("age", [31, 33])))
    del whole["root"]
    with pytest.raises(BundleError, match="damaged"):
        taxonomy_from_json(whole)
