"""Intervals of parameters: with and without their ends."""

from __future__ import annotations

import pytest
from attrs import field, frozen

from unlinkable.errors import ParameterError
from unlinkable.params import bounds_of
from unlinkable.tables.operations.shared.between import Between


@frozen
class Thing:
    """Something with two intervals."""

    half: float = field(default=0.5, validator=Between(0, 1, has_lowest=True))
    whole: float = field(default=0.5, validator=Between(0, 1, has_highest=True))


def test_ends_belong_or_not() -> None:
    assert Thing(half=0, whole=1) == Thing(half=0, whole=1)
    with pytest.raises(ParameterError, match=r"half must lie in \[0, 1\), got 1"):
        Thing(half=1)
    with pytest.raises(ParameterError, match=r"half must lie in \[0, 1\), got -1"):
        Thing(half=-1)
    with pytest.raises(ParameterError, match=r"whole must lie in \(0, 1\], got 0"):
        Thing(whole=0)
    with pytest.raises(ParameterError, match=r"whole must lie in \(0, 1\], got 2"):
        Thing(whole=2)


def test_bounds_are_told_in_help_texts() -> None:
    assert bounds_of(Between(0, 100, has_highest=True)) == "in (0, 100]"
