"""What whoever knows some columns of a victim believes.

What is believed of people who may be in several buckets.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.witness import adversaries
from tests.witness.releases import BUCKETS, RandomRelease, releases, target_of
from unlinkable.errors import SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.grouped.shared import beliefs as module
from unlinkable.tables.attacks.grouped.shared.beliefs import (
    Beliefs,
    beliefs,
    known_columns,
    no_groups,
    no_people,
)

TOLD = Target(
    pl.DataFrame({"a": ["x", "y", "x"], "b": ["u", "v", "u"], "s": ["p", "p", "q"]}),
    ("a", "b"),
    ("s",),
)


@given(releases(), st.integers(1, 3))
def test_beliefs_are_shares_of_the_records_that_look_alike(
    release: RandomRelease, at_most: int
) -> None:
    target = target_of(release)
    known = known_columns(target, None, at_most)
    assert known == adversaries.any_columns(release.qid, at_most)
    for columns, seen in zip(known, beliefs(target, ("s",), known), strict=True):
        expected = adversaries.beliefs_of_records(release.rows, columns, "s", release.bucket)
        assert believed(seen) == expected
        assert seen.columns == columns


@given(releases(shapes=["raw", "cell"]))
def test_who_is_told_by_what_is_known(release: RandomRelease) -> None:
    (seen,) = beliefs(target_of(release), ("s",), [release.qid[:1]])
    for label, row in zip(seen.labels.tolist(), release.rows, strict=True):
        assert seen.describe(label)[0] == {release.qid[0]: str(row[release.qid[0]])}


def test_columns_are_known_in_the_order_of_the_release() -> None:
    assert known_columns(TOLD, ("b", "a"), None) == [("a", "b")]
    assert known_columns(TOLD, (), 2) == [()]
    with pytest.raises(SchemaError, match="no published quasi-identifier 'c' among 2"):
        known_columns(TOLD, ("c",), None)


def test_nothing_is_believed_where_there_is_nobody_or_nothing_to_find() -> None:
    assert no_groups(TOLD) is None
    assert "no column is sensitive" in (no_groups(evolve(TOLD, sensitive=())) or "")
    assert "no column is known" in (no_groups(evolve(TOLD, quasi=())) or "")
    replaced = evolve(TOLD, is_truthful=False, is_grouped=False)
    assert "values were replaced" in (no_groups(replaced) or "")
    assert no_people(replaced) == no_groups(replaced)


def test_a_list_does_not_tell_who_is_where_what_is_shown_was_replaced() -> None:
    together = evolve(TOLD, is_truthful=False)
    assert no_groups(together) is None
    assert "what people show was replaced" in (no_people(together) or "")
    assert no_people(TOLD) is None


def believed(seen: Beliefs) -> list[dict[str, Fraction]]:
    """Give what is believed of the owner of each record, value by value."""
    hidden = seen.histograms["s"]
    found = []
    for at in seen.labels.tolist():
        row = slice(hidden.indptr[at], hidden.indptr[at + 1])
        pairs = zip(hidden.values[row].tolist(), hidden.counts[row].tolist(), strict=True)
        found.append({hidden.text(c): Fraction(n, int(seen.wholes[at])) for c, n in pairs})
    return found


@given(releases(shapes=[BUCKETS]))
def test_beliefs_are_means_over_buckets(release: RandomRelease) -> None:
    (seen,) = beliefs(target_of(release), ("s",))
    expected = adversaries.beliefs_of_records(release.rows, release.qid, "s", release.bucket)
    assert believed(seen) == expected
    assert seen.people.sum() == seen.finest.sum() == len(release.rows)
    assert np.bincount(seen.labels, minlength=len(seen)).tolist() == seen.people.tolist()


@given(releases(shapes=[BUCKETS]))
def test_beliefs_are_the_same_in_large_numbers(release: RandomRelease) -> None:
    (seen,) = beliefs(target_of(release), ("s",))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_WIDEST", 1)
        (wide,) = beliefs(target_of(release), ("s",))
    assert wide.histograms["s"].counts.dtype == object
    assert believed(wide) == believed(seen)


def test_a_bucket_is_told_if_everybody_in_it_can_be_in_no_other() -> None:
    ages, buckets = [1, 2, 3, 3, 4, 5], [1, 1, 1, 2, 3, 3]
    told = pl.DataFrame({"age": ages, "b": buckets, "s": [*"xyxyxy"]})
    (seen,) = beliefs(Target(told, ("age",), ("s",), bucket="b"), ("s",))
    assert [seen.describe(at) for at in range(len(seen))] == [
        ({"b": "3"}, 2),
        ({"age": "1"}, 1),
        ({"age": "2"}, 1),
        ({"age": "3"}, 2),
    ]


def test_too_many_beliefs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST", 1)
    told = pl.DataFrame({"age": [3, 3], "b": [1, 2], "s": ["x", "y"]})
    with pytest.raises(UnsupportedError, match="2 beliefs in all: attack with fewer columns"):
        list(beliefs(Target(told, ("age",), ("s",), bucket="b"), ("s",)))
