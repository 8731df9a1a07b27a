"""Synthetic: the operation as a method, what it publishes, and the refusals."""

from __future__ import annotations

import pytest

from tests.tables.methods.perturb.points_setting import masked_by
from tests.tables.operations.test_synthetic_data import people_of
from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.noise import secure_generator
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb import Synthetic
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All
from unlinkable.tables.operations.synthetic_data import SyntheticData


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


def test_progress_is_told_for_every_column() -> None:
    people = people_of()
    told: list[tuple[float, str]] = []
    task = Task(people.attributes, ILoss(), rng=secure_generator(1),
                progress=lambda share, words: told.append((share, words)))  # fmt: skip
    columns = Synthetic().mask(people, All([]), task).frame.columns
    words = [words for _, words in told]
    for name in columns:
        assert f"growing a tree for {name}" in words
        assert f"drawing {name}" in words
    assert [share for share, _ in told] == sorted(share for share, _ in told)


def test_promises_are_referred_to_methods_that_keep_them() -> None:
    with pytest.raises(UnsupportedError, match="mdav or mondrian for those about groups"):
        masked_by(Synthetic(), people_of(), 1, KAnonymity(2))
