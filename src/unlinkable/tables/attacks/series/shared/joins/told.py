"""Told: what is asked of a join, and what it tells."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from attrs import define

from unlinkable.tables.attacks.base.attack import MOST_SHOWN
from unlinkable.tables.attacks.series.shared.joins.trees import Hidden
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["Question", "Told", "greatest"]


@define(eq=False, frozen=True)
class Question:
    """What is asked of one column.

    Attributes
    ----------
    release
        Which release tells it, by its place.
    hidden
        How many records of each part of that release have each value.
    is_asked
        Which values count.
    most
        How large a share of a group may be.
    k
        How many different values a group must have.
    """

    release: int
    hidden: Hidden
    is_asked: BoolArray
    most: Fraction
    k: int


@define(eq=False, frozen=True)
class Told:
    """What a join tells of one column.

    Attributes
    ----------
    part, whole
        The greatest share that a value has of a group: so many rows of so many.
    kinds
        The fewest different values of a group.
    least
        The fewest rows of a group.
    groups, sharper, weaker, bad
        How many groups there are; how many have fewer rows than any release by itself has records
        that show the same, and how many have more; how many tell too much.
    falls
        Which parts of the last release are in a group that tells too much.
    shares, wholes, values, rows, people
        The groups that tell most: the share and its whole, the value, a record of each release (-1
        where it does not matter), and the records of the release that are in it.
    """

    part: int
    whole: int
    kinds: int
    least: float
    groups: float
    sharper: float
    weaker: float
    bad: float
    falls: BoolArray
    shares: CountArray
    wholes: CountArray
    values: CodeArray
    rows: CountArray
    people: CountArray


def greatest(parts: CountArray, wholes: CountArray, there: BoolArray) -> CountArray:
    """Give the places of the greatest shares, the greatest first."""
    shares = np.where(there, parts / np.maximum(wholes, 1), 0.0)
    order = np.argsort(-shares, kind="stable")[:MOST_SHOWN]
    best: CountArray = order[shares[order] > 0]
    return best
