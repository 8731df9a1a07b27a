"""What buckets publish, and how many values promises ask for."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tables.methods.buckets.setting import bound, task_for
from unlinkable.tables.data import as_table
from unlinkable.tables.methods.buckets.shared.bucket_release import (
    as_published,
    least_values,
    why_not_in_buckets,
)
from unlinkable.tables.models import (
    DifferentialPrivacy,
    EntropyLDiversity,
    FrequencyLDiversity,
    KAnonymity,
    KEAnonymity,
    RecursiveCLDiversity,
    TCloseness,
)
from unlinkable.tables.models.base import All, GroupModel


def ward() -> tuple[dict[str, list[object]], dict[str, str]]:
    data: dict[str, list[object]] = {
        "name": list("ABCD"), "age": [1, 2, 3, 4], "ill": list("xyxy"), "w": [1.0, 2.0, 1.0, 1.0]
    }  # fmt: skip
    return data, {"identifiers": "name", "quasi": "age", "sensitive": "ill", "weight": "w"}


def test_what_is_published_is_told_with_what_is_known_of_it() -> None:
    data, roles = ward()
    table = as_table(data, **roles)  # type: ignore[arg-type]
    buckets = np.array([0, 0, -1, 0], np.int32)
    found = as_published(table, buckets, task_for(table), effort={"tries": 1}, optimal=True)
    assert found.frame.columns == ["age", "w", "group"]
    assert found.buckets is not None
    assert found.buckets.hidden.rows() == [(1, "x", 1), (1, "y", 2)]
    assert found.n_suppressed == 1
    assert dict(found.effort) == {"buckets": 1, "tries": 1}
    assert dict(found.facts) == {"smallest bucket": 3.0, "largest bucket": 3.0}
    assert found.optimal


@pytest.mark.parametrize(
    ("model", "n"),
    [
        (FrequencyLDiversity("5/2"), 3),
        (EntropyLDiversity("5/2"), 3),
        (RecursiveCLDiversity(c=3, l=4), 4),
        (KEAnonymity(1, 5), 2),
        (TCloseness(0.1), 2),
    ],
    ids=str,
)
def test_values_that_a_promise_asks_for_are_known_beforehand(model: GroupModel, n: int) -> None:
    data, roles = ward()
    table = as_table({**data, "ill": [1, 2, 3, 4]}, **roles)  # type: ignore[arg-type]
    assert least_values(bound(table, [model]), 2) == n
    assert least_values(All([]), 1) == 1


def test_promises_about_what_records_show_cannot_be_kept() -> None:
    assert why_not_in_buckets(TCloseness(0.1)) is None
    assert "use a method that generalizes" in str(why_not_in_buckets(KAnonymity(2)))
    assert why_not_in_buckets(DifferentialPrivacy(1)) == DifferentialPrivacy(1).unsearchable
