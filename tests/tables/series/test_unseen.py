"""Values that a policy is to hide by name, and nobody has or had."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.tables.data import Table, as_table
from unlinkable.tables.series.composition.hd_composition import HDComposition
from unlinkable.tables.series.history import unseen_values
from unlinkable.tables.series.incremental.incremental import Incremental
from unlinkable.tables.series.next_release import next_release
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.tables.series.sequential.sequential import Sequential


def _table(*ills: str | int) -> Table:
    columns = {"age": [*range(20, 20 + len(ills))], "ill": [*ills]}
    return as_table(columns, quasi="age", sensitive="ill")


@pytest.mark.parametrize(
    "policy",
    [
        HDComposition(2, permanent=["HVI", "flu"]),
        Sequential(y=["ill=HVI<=0.2", "ill=flu", "ill"]),
    ],
)
def test_a_mistyped_value_is_told(policy: Policy) -> None:
    found = unseen_values(policy, _table("HIV", "flu", "flu", "cold"), Past())
    assert found == ("no value 'HVI' among 3 (did you mean 'HIV'?) of 'ill'",)


def test_a_value_of_an_earlier_release_was_seen() -> None:
    policy = HDComposition(2, permanent="HIV")
    table = _table("HIV", "flu", "flu", "cold")
    first = next_release(policy, Request(table, np.arange(4)), Past())
    past = Past((first.edition,), first.memory, 4)
    assert unseen_values(policy, _table("flu", "cold"), past) == ()


def test_numbers_are_seen_as_they_are_written() -> None:
    assert unseen_values(HDComposition(2, permanent=["7"]), _table(7, 8, 8), Past()) == ()


@pytest.mark.parametrize("policy", [Incremental(), Sequential()])
def test_where_all_values_are_hidden_none_is_named(policy: Policy) -> None:
    assert unseen_values(policy, _table("flu", "cold"), Past()) == ()
