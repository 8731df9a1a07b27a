"""Role partition: what cells and other groups show."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.series.snapshots import Snapshot, publish
from unlinkable.tables.publishing.anonymizing.job import BrokenPromiseError
from unlinkable.tables.series.composition.hd_composition import HDComposition
from unlinkable.tables.series.composition.role_partition import RolePartition


@given(st.integers(2, 4), st.integers(0, 5))
def test_groups_cover_their_people_and_only_cells_have_permanent_values(l: int, seed: int) -> None:  # noqa: E741
    snapshot: Snapshot = {
        p: (20 + p * 7 % 40, "H" if p % 9 == 0 else "ab"[p % 2]) for p in range(40)
    }
    (step,) = publish(HDComposition(l, permanent="H"), [snapshot], seed=seed)
    frame, people = step.masked.frame, step.next.edition.people
    assert people is not None
    for p, text in zip(people.tolist(), frame["age"].to_list(), strict=True):
        lo, _, hi = text.strip("[)").partition("-")
        assert text == "*" or int(lo) <= snapshot[p][0] < int(hi or int(lo) + 1)
    for _, group in frame.group_by("age"):
        n_held = (group["ill"] == "H").sum()
        assert n_held in (0, 1)
        assert group.height == l if n_held else group.height >= l


def test_a_counterfeit_in_the_place_of_a_decoy_has_a_value_that_passes() -> None:
    """Also if nobody who is there has one: then one of an earlier release."""
    snapshots: list[Snapshot] = [{0: (20, "H"), 1: (21, "a")}, {0: (20, "H")}]
    *_, last = publish(HDComposition(2, permanent="H"), snapshots)
    masked = last.masked
    assert masked.whose is not None
    assert masked.frame.filter(pl.Series(masked.whose < 0))["ill"].to_list() == ["a"]


@pytest.mark.parametrize(
    ("values", "n_fake"),
    [("HHa", 0), ("Ha", 0), ("Hab", 2)],
    ids=["two holders", "too few", "two counterfeits"],
)
def test_holders_who_are_not_hidden_are_never_published(values: str, n_fake: int) -> None:
    (step,) = publish(HDComposition(3, permanent="H"), [{0: (20, "H"), 1: (21, "a"), 2: (22, "b")}])
    method = step.next.release.method
    assert isinstance(method, RolePartition)
    shown = np.zeros(len(values), np.int64)
    method._check(np.array([*"Hab"], object), np.zeros(3, np.int64), np.array([1]))
    with pytest.raises(BrokenPromiseError, match="holders are not hidden among 3"):
        method._check(np.array([*values], object), shown, np.array([n_fake]))
