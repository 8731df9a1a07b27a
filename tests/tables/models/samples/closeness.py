"""Groups near to the whole table, or to a large part of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
from attrs import evolve

from tests.tables.groups.plain import groups_of
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import (
    BetaLikeness,
    DeltaDisclosure,
    HellingerCloseness,
    NTCloseness,
    TCloseness,
)
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.models.shared.given_distances import GivenDistances

LEAVES = [f"s0{i}" for i in range(6)]
GIVEN = GivenDistances(
    "near.csv",
    {(a, b): Fraction(1 + (i * i) % 7, 10) for i, (a, b) in enumerate(combinations(LEAVES, 2))},
)
MODELS: list[GroupModel] = [
    TCloseness(2, distance="kl"),
    TCloseness(0, sensitive="s0", distance="kl"),
    TCloseness("1/5", sensitive="s0", distance="given", ground="near.csv", given=GIVEN),
    TCloseness(12, distance="given", ground="near far.csv"),
    NTCloseness(1, 0),
    NTCloseness(3, 0.2, sensitive="s0"),
    NTCloseness(4, 1.5, sensitive="s0", distance="kl"),
    NTCloseness(9, 0.3, distance="given", ground="near.csv"),
    HellingerCloseness(0, sensitive="s0"),
    HellingerCloseness("1/3", sensitive="s0"),
    HellingerCloseness(0.6),
    DeltaDisclosure(0.5, sensitive="s0"),
    DeltaDisclosure("2/3", sensitive="s0"),
    DeltaDisclosure(3),
    BetaLikeness(0, sensitive="s0"),
    BetaLikeness(1, sensitive="s0"),
    BetaLikeness("7/3", sensitive="s0", enhanced=True),
    BetaLikeness(0.5, enhanced=True),
]


def towns() -> Groups:
    """Make two towns of two streets each: nine records of a value in one, three of another."""
    groups = groups_of([[1, 0], [8, 0], [0, 1], [0, 2]])
    keys = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.int32)
    return evolve(groups, columns=("town", "street"), keys=keys)


DO_NOT_ABSORB: list[tuple[GroupModel, Groups]] = [
    (model, groups_of([[1, 1], [1, 0]], whole=[2, 2]))
    for model in (
        TCloseness(0, sensitive="s", distance="kl"),
        HellingerCloseness(0, sensitive="s"),
        DeltaDisclosure(0.1, sensitive="s"),
        BetaLikeness(0.2, sensitive="s"),
    )
]

ARE_NOT_SAFE: list[tuple[GroupModel, Groups]] = [(NTCloseness(3, 0, sensitive="s"), towns())]
