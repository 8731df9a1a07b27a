"""Why a release came out so, and what it does to new records."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.errors import SchemaError, UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.methods import Mondrian, Optimal
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.publishing import anonymize
from unlinkable.tables.taxonomies.builders import Flat, Intervals, Tree


def test_names_the_column_that_costs_the_most() -> None:
    data = as_table(
        {"a": ["x", "x", "y", "y"] * 3, "b": list(range(12))},
        quasi=["a", "b"],
        taxonomies={"b": Flat()},
    )
    told = anonymize(data, privacy=KAnonymity(3)).explain()
    assert told.attributes[0].name == "b"
    assert told.attributes[0].level == 1
    assert told.attributes[0].part == pytest.approx(1)
    assert "b (level 1 of 1)" in str(told)


def test_finds_that_a_level_is_missing() -> None:
    """Eight values in one step to the root: halves of four records would keep the promise."""
    data = as_table({"a": list("abcdefgh")}, quasi="a", taxonomies={"a": Flat()})
    told = anonymize(data, privacy=KAnonymity(4)).explain()
    saved = {w.change: w.saves for w in told.what_if}
    level = next(change for change in saved if change.startswith("A level of a between"))
    assert saved[level] == pytest.approx(7 / 8 - 3 / 8)


def test_finds_that_one_record_is_in_the_way() -> None:
    """One stranger among a hundred: leaving out one percent saves the whole column."""
    data = as_table({"a": ["x"] * 99 + ["y"]}, quasi="a", taxonomies={"a": Flat()})
    release = anonymize(data, privacy=KAnonymity(2))
    assert release.n_suppressed == 0
    told = release.explain()
    best = told.what_if[0]
    assert best.change.startswith("Leaving out up to 1.0%")
    assert best.loss == pytest.approx(0.01)
    assert 99 in told.records.rows.tolist()


def test_finds_that_the_promise_is_a_little_too_strong() -> None:
    data = as_table({"a": ["x"] * 4 + ["y"] * 4}, quasi="a", taxonomies={"a": Flat()})
    told = anonymize(data, privacy=KAnonymity(5)).explain()
    saved = {w.change: w for w in told.what_if}
    assert saved["Promising k-anonymity(k=4) instead of k-anonymity(k=5)"].loss == 0


def test_explains_regions_too() -> None:
    data = as_table({"a": list(range(20)), "b": list(range(20))}, quasi=["a", "b"])
    told = anonymize(data, privacy=KAnonymity(5), method=Mondrian()).explain()
    assert told.attributes[0].level is None
    assert told.to_json()["loss"] == told.loss


def test_new_records_are_shown_in_the_old_regions() -> None:
    jobs = Tree({"Pro": ["Engineer", "Lawyer"], "Art": ["Dancer", "Writer"]})
    data = as_table(
        {"job": ["Engineer", "Lawyer", "Dancer", "Dancer"], "age": [30, 31, 40, 42]},
        quasi=["job", "age"],
        taxonomies={"job": jobs, "age": Intervals(10)},
    )
    release = anonymize(data, privacy=KAnonymity(2), method=Optimal())
    later = release.recode(
        {"job": ["Lawyer", "Writer", "Engineer", "Pilot"], "age": [39, 41, 45, 30]}
    )
    shown = later.applied.frame.to_dicts()
    assert shown[0] == {"job": "Pro", "age": "[30-40)"}
    # An engineer of 45 would be in a region that the release does not have.
    assert later.n_suppressed >= 2
    assert not later.holds


def test_a_number_between_known_ones_belongs_to_the_interval_around_it() -> None:
    data = as_table({"age": [30, 36, 50, 58]}, quasi="age")
    release = anonymize(data, privacy=KAnonymity(2), method=Mondrian())
    later = release.recode({"age": [33, 51, 45, 99, 10]})
    assert later.applied.rows is not None
    assert later.applied.rows.tolist() == [0, 1]


def test_recoding_the_same_records_gives_the_same_release() -> None:
    rng = np.random.default_rng(0)
    columns = {
        "a": rng.integers(0, 50, 300).tolist(),
        "b": rng.choice(list("uvwxyz"), 300).tolist(),
    }
    for method in (Mondrian(), Optimal()):
        release = anonymize(
            as_table(columns, quasi=["a", "b"]), privacy=KAnonymity(5), method=method
        )
        again = release.recode(columns)
        assert again.applied.frame.equals(release.applied.frame)
        assert again.holds


def test_every_old_record_lies_in_some_region_where_regions_overlap() -> None:
    rng = np.random.default_rng(0)
    columns = {"a": rng.integers(0, 50, 300).tolist(), "b": rng.integers(0, 9, 300).tolist()}
    release = anonymize(
        as_table(columns, quasi=["a", "b"]),
        privacy=KAnonymity(5),
        method=Mondrian(labels="taxonomy"),
    )
    assert release.recode(columns).n_suppressed == 0


def test_new_records_of_another_type_are_refused() -> None:
    release = anonymize(as_table({"age": [30, 30]}, quasi="age"), privacy=KAnonymity(2))
    with pytest.raises(SchemaError, match="bring it into the same form"):
        release.recode({"age": ["thirty"]})


def test_recoded_records_are_measured_by_groups_alone() -> None:
    data = as_table(
        {"a": [*range(20)], "s": ["u", "v"] * 10},
        quasi="a",
        sensitive="s",
        taxonomies={"a": Intervals(2)},
    )
    release = anonymize(data, privacy=KAnonymity(2))
    later = release.recode({"a": [1, 2, 3, 19], "s": ["u", "v", "u", "v"]})
    assert later.measure("iloss") == later.metrics()["iloss"] == pytest.approx(0.05)
    assert set(later.charts()) == {"loss", "group-sizes"}
    for metric in ("nonuniform-entropy", "query-error(dimension=1)", "kl-divergence"):
        with pytest.raises(UnsupportedError, match="put into the regions of another release"):
            later.measure(metric)
