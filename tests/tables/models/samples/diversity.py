"""k-anonymity, the first l-diversities and t-closeness."""

from __future__ import annotations

from tests.tables.groups.plain import groups_of
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import (
    DistinctLDiversity,
    EntropyLDiversity,
    GroundDistance,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
)
from unlinkable.tables.models.base import GroupModel

MODELS: list[GroupModel] = [
    KAnonymity(1),
    KAnonymity(3),
    KAnonymity(2, qid=["q0"]),
    DistinctLDiversity(2, sensitive="s0"),
    DistinctLDiversity(3),
    EntropyLDiversity(1.5, sensitive="s0"),
    EntropyLDiversity(2, sensitive="s0"),
    EntropyLDiversity("7/3", sensitive='a "quoted" name'),
    RecursiveCLDiversity(c=2, l=2, sensitive="s0"),
    RecursiveCLDiversity(c="2/3", l=1, sensitive="s0"),
    RecursiveCLDiversity(c=0.5, l=2, sensitive="s0", strict=False),
    RecursiveCLDiversity(c=4, l=3, sensitive="s0"),
    TCloseness(0, sensitive="s0"),
    *(TCloseness(0.3, sensitive="s0", distance=d) for d in GroundDistance if d != "given"),
]

DO_NOT_ABSORB: list[tuple[GroupModel, Groups]] = [
    (EntropyLDiversity(2, sensitive="s"), groups_of([[1, 1], [4, 0]])),
    (RecursiveCLDiversity(c=2, l=2, sensitive="s"), groups_of([[1, 1], [5, 0]])),
    (TCloseness(0, sensitive="s"), groups_of([[1, 1], [1, 0]], whole=[2, 2])),
]
