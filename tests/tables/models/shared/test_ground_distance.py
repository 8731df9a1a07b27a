"""Which distances there are, and what each needs."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve

from tests.tables.groups.plain import histogram_of
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.models import GroundDistance
from unlinkable.tables.models.shared.divergences import Hellinger, RelativeEntropy
from unlinkable.tables.models.shared.earth_mover import (
    EqualGround,
    HierarchicalGround,
    OrderedGround,
)


def test_every_distance_can_be_prepared() -> None:
    hidden, whole = histogram_of([[1, 1]]), np.array([1, 1])
    made = {
        d.value: type(d.prepare("s", hidden, whole, None))
        for d in GroundDistance
        if d is not GroundDistance.GIVEN
    }
    assert made == {
        "equal": EqualGround,
        "variational": EqualGround,
        "ordered": OrderedGround,
        "hierarchical": HierarchicalGround,
        "kl": RelativeEntropy,
        "hellinger": Hellinger,
    }


def test_variational_is_equal_by_another_name() -> None:
    assert GroundDistance.VARIATIONAL.plain is GroundDistance.EQUAL
    assert [d for d in GroundDistance if d.plain is not d] == [GroundDistance.VARIATIONAL]


def test_some_distances_may_be_more_than_1() -> None:
    assert [d.value for d in GroundDistance if not d.is_share] == ["given", "kl"]


@pytest.mark.parametrize("distance", ["ordered", "hierarchical"])
def test_refuses_columns_without_an_order(distance: str) -> None:
    hidden = evolve(histogram_of([[1, 1]]), taxonomy=None)
    with pytest.raises(SchemaError, match="neither an order nor a taxonomy"):
        GroundDistance(distance).prepare("s", hidden, hidden.total, None)


def test_refuses_distances_that_were_not_read() -> None:
    hidden = histogram_of([[1, 1]])
    with pytest.raises(SchemaError, match="the values of 's' were not read: bind the promise"):
        GroundDistance.GIVEN.prepare("s", hidden, hidden.total, None)


def test_refuses_a_distance_that_does_not_exist() -> None:
    with pytest.raises(
        ParameterError, match=r"no distance 'order' among 7 \(did you mean 'ordered'\?\)"
    ):
        GroundDistance("order")
