"""A release at a glance."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree as ET

import pytest

from unlinkable.tables.data import as_table
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.publishing import GeneralizedRelease, anonymize
from unlinkable.tables.taxonomies.builders import Intervals


def release_of(name: str = "a") -> GeneralizedRelease:
    """Two groups of ten, and one record that is left out."""
    data = as_table(
        {name: [*range(20), 99], "ill": ["x", "y", "z"] * 7},
        quasi=name,
        sensitive="ill",
        taxonomies={name: Intervals(10)},
    )
    return anonymize(data, privacy=[KAnonymity(5), DistinctLDiversity(2)], suppression="0.05")


def texts_of(release: GeneralizedRelease) -> list[str]:
    """Give the texts that are shown; what is not well-formed is an error."""
    return list(ET.fromstring(f"<div>{release._repr_html_()}</div>").itertext())


def test_says_what_was_promised_and_lost_and_is_well_formed() -> None:
    release = release_of("a<b&c")
    assert {
        "a<b&c",
        "k-anonymity(k=5)",
        'distinct-l-diversity(l=2, sensitive="ill")',
        "holds",
    } <= set(texts_of(release))
    assert "a<b" not in release._repr_html_()


def test_tells_how_many_records_and_groups_there_are_and_what_was_lost() -> None:
    release = release_of()
    said = " ".join(texts_of(release))
    assert re.search(r"20\s+of 21 records in 2 groups, 4\.8% left out", said)
    assert f"optimal, iloss {release.measure():.4g}" in said
    assert f"{release.loss_by_attribute()['a']:.1%}" in said
    assert "k = 10" in said


def test_shows_how_large_groups_are() -> None:
    release = release_of()
    html = release._repr_html_()
    assert release.charts()["group-sizes"]._repr_html_() in html
    assert html.count("<img ") == 1
    assert "<script" not in html


def test_nothing_of_a_record_that_was_left_out_is_shown() -> None:
    assert "99" not in " ".join(texts_of(release_of()))


def test_a_broken_promise_is_told() -> None:
    release = release_of().recode({"a": [0, 1, 2], "ill": ["x", "x", "x"]})
    assert not release.holds
    assert texts_of(release).count("does not hold") == 2


def test_does_without_charts_where_none_can_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    release = release_of()
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    assert "<img " not in release._repr_html_()
    assert "k-anonymity(k=5)" in texts_of(release)
