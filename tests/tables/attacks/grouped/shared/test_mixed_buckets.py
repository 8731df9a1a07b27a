"""What is believed of people who may be in several buckets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from tests.witness import adversaries
from tests.witness.releases import BUCKETS, RandomRelease, releases, target_of
from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.grouped.shared import mixed_buckets
from unlinkable.tables.attacks.grouped.shared.beliefs import Beliefs, beliefs


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
        patch.setattr(mixed_buckets, "_WIDEST", 1)
        (wide,) = beliefs(target_of(release), ("s",))
    assert wide.histograms["s"].counts.dtype == object
    assert believed(wide) == believed(seen)


def test_a_bucket_is_told_if_everybody_in_it_can_be_in_no_other() -> None:
    ages, buckets = [1, 2, 3, 3, 4, 5], [1, 1, 1, 2, 3, 3]
    told = pl.DataFrame({"age": ages, "b": buckets, "s": [*"xyxyxy"]})
    (seen,) = beliefs(Target(told, ("age",), ("s",), bucket="b"), ("s",))
    assert [seen.told(at) for at in range(len(seen))] == [
        ({"b": "3"}, 2),
        ({"age": "1"}, 1),
        ({"age": "2"}, 1),
        ({"age": "3"}, 2),
    ]


def test_too_many_beliefs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixed_buckets, "_MOST", 1)
    told = pl.DataFrame({"age": [3, 3], "b": [1, 2], "s": ["x", "y"]})
    with pytest.raises(UnsupportedError, match="2 beliefs in all: attack with fewer columns"):
        list(beliefs(Target(told, ("age",), ("s",), bucket="b"), ("s",)))
