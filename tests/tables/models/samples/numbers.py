"""Numeric sensitive columns, crowds of owners, and points."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from tests.strategies import RandomTable
from tests.tables.groups.numeric import groups_of_numbers, numbered
from tests.tables.groups.plain import groups_of
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import (
    CrowdEntropy,
    CTIsolation,
    EpsilonMAnonymity,
    KEAnonymity,
    SquaredErrorDiversity,
)
from unlinkable.tables.models.base import GroupModel

MODELS: list[GroupModel] = [
    KEAnonymity(2, 0.2, sensitive="s0"),
    KEAnonymity(1, 4.5, sensitive="s0"),
    KEAnonymity(3, "1/3"),
    EpsilonMAnonymity(0, 2, sensitive="s0"),
    EpsilonMAnonymity(0.2, 1.5, sensitive="s0"),
    EpsilonMAnonymity("1/3", 2, sensitive="s0", interval="relative"),
    EpsilonMAnonymity(5, 2),
    SquaredErrorDiversity(0, sensitive="s0"),
    SquaredErrorDiversity(0.01, sensitive="s0"),
    SquaredErrorDiversity("7/3", sensitive="s0"),
    SquaredErrorDiversity(10),
    CrowdEntropy(0),
    CrowdEntropy(1),
    CrowdEntropy("7/5"),
    CTIsolation(1, 2, columns="q0"),
    CTIsolation(1.5, 3, columns=["q0"], scaled=True),
    CTIsolation(4, 2, points="people.csv", columns=["age", "zip"]),
]

COUNTED: dict[type[GroupModel], Callable[[RandomTable], Groups]] = dict.fromkeys(
    (KEAnonymity, EpsilonMAnonymity, SquaredErrorDiversity, CTIsolation), numbered
)

DO_NOT_ABSORB: list[tuple[GroupModel, Groups]] = [
    (SquaredErrorDiversity(1, sensitive="s"), groups_of_numbers([[0, 2], [1, 1]])),
    (CrowdEntropy(1), evolve(groups_of([[1, 1], [4, 0]], column="owner"), owner="owner")),
]

ARE_NOT_SAFE: list[tuple[GroupModel, Groups]] = [
    (EpsilonMAnonymity(1, 2, sensitive="s"), groups_of_numbers([[0, 10], [-1, 1]])),
    (CTIsolation(1, 2, columns="s"), groups_of_numbers([[0, 0, 4], [10, 10]])),
]
