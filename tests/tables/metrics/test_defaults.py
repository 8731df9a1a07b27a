"""What every release is measured by, unless other metrics are named."""

from __future__ import annotations

import unlinkable as ul
from unlinkable.registry import entries
from unlinkable.tables.metrics.base import GroupMetric
from unlinkable.tables.metrics.defaults import DEFAULT_METRICS


def test_the_list_is_this_one_whatever_else_is_exported() -> None:
    assert [str(metric) for metric in DEFAULT_METRICS] == [
        "ambiguity",
        "average-class-size",
        "average-information-loss",
        "babu-iloss",
        "discernibility",
        "discernibility-ratio",
        "distinctive-attribute",
        "iloss",
        "minimal-distortion",
        "normalized-certainty-penalty",
        "privacy-percentage",
    ]


def test_all_of_them_have_names_and_need_only_what_groups_show() -> None:
    known = {entry.name: entry.make for entry in entries("metric")}
    for metric in DEFAULT_METRICS:
        assert type(metric) is known[str(metric)]
        assert metric.boxes_suffice


def test_a_release_is_measured_by_them_and_by_no_other_exported_metric() -> None:
    people = {"age": [30, 31, 52, 55], "ill": ["flu", "flu", "cold", "flu"]}
    release = ul.anonymize(
        ul.as_table(people, quasi="age", sensitive="ill"), privacy=ul.KAnonymity(2)
    )
    assert set(release.metrics()) == {str(metric) for metric in DEFAULT_METRICS}
    others = {
        entry.name
        for entry in entries("metric")
        if issubclass(entry.make, GroupMetric) and entry.name not in release.metrics()
    }
    assert "information-gain" in others
