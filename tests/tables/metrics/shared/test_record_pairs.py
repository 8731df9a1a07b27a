"""Published records beside their originals."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.errors import SchemaError, UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.data.release_columns import keep_rows
from unlinkable.tables.metrics import Stress
from unlinkable.tables.metrics.base import Perturbed
from unlinkable.tables.metrics.shared.record_pairs import chosen_columns, known_rows, numbers_before

TABLE = as_table(
    {"age": [30, None, 50], "day": ["1970-01-02", "1970-01-03", None], "y": [1, 0, 1]},
    quasi=["age", "day"],
    target="y",
)
RELEASE = Perturbed(TABLE, TABLE.frame, np.arange(3))


def test_all_columns_but_the_target_are_compared_unless_asked() -> None:
    assert chosen_columns(RELEASE, None) == ("age", "day")
    assert chosen_columns(RELEASE, None, besides=["age"]) == ("day",)
    assert chosen_columns(RELEASE, ("y", "age", "y")) == ("y", "age")


def test_dates_are_days_and_missing_values_are_not_numbers() -> None:
    numbers = numbers_before(TABLE, "age")
    assert numbers[[0, 2]].tolist() == [30, 50]
    assert np.isnan(numbers[1])
    days = as_table({"day": TABLE.frame["day"].str.to_date()}, quasi="day")
    assert numbers_before(days, "day")[:2].tolist() == [1, 2]


def test_refuses_columns_that_were_not_published() -> None:
    with pytest.raises(SchemaError, match=r"no published column 'agee' .*did you mean 'age'"):
        chosen_columns(RELEASE, ("agee",))


def test_refuses_records_of_whom_nobody_can_say_who_they_are() -> None:
    assert known_rows(Stress(), RELEASE).tolist() == [0, 1, 2]
    with pytest.raises(UnsupportedError, match="stress compares each published record with its"):
        known_rows(Stress(), Perturbed(TABLE, TABLE.frame, None))
    none = np.arange(0)
    with pytest.raises(UnsupportedError, match="stress compares records, and none was published"):
        known_rows(Stress(), Perturbed(TABLE, keep_rows(TABLE.frame, none), none))
