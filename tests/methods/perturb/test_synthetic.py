"""Synthetic: the operation as a method, what it publishes, and the refusals."""

from __future__ import annotations

import pytest

from tests.methods.perturb.points_setting import masked_by
from tests.recoding.test_synthetic_data import people_of
from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.methods.perturb import Synthetic
from unlinkable.noise import secure_generator
from unlinkable.privacy import KAnonymity
from unlinkable.recoding.synthetic_data import SyntheticData


def test_it_publishes_what_the_operation_makes() -> None:
    people = people_of(400)
    masked = masked_by(Synthetic(n=50, common=3, leaf=10), people, 4)
    operation = SyntheticData(n=50, common=3, leaf=10)
    assert masked.frame.equals(operation.apply(people, secure_generator(4)))
    assert masked.rows is None
    assert set(masked.effort) == {"leaves", "redrawn", "repeated"}


def test_no_column_that_says_who_somebody_is_comes_out() -> None:
    people = people_of(100)
    assert "id" not in masked_by(Synthetic(), people).frame.columns


def test_it_promises_nothing() -> None:
    with pytest.raises(UnsupportedError, match=r"cannot keep k-anonymity.*dp-synthetic"):
        masked_by(Synthetic(), people_of(100), 1, KAnonymity(2))
    with pytest.raises(ParameterError, match="leaf must be at least 1"):
        Synthetic(leaf=0)
