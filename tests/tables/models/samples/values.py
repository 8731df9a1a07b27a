"""Promises about some values of a column, or of many columns."""

from __future__ import annotations

from tests.strategies import RandomTable
from tests.tables.groups.plain import groups_of, table_of
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import FFAnonymity, LKCPrivacy, PersonalizedPrivacy, SkylinePrivacy
from unlinkable.tables.models.base import BindingContext, GroupModel

CONTEXT = BindingContext(quasi=("q0",), sensitive=("s0",))
WARD = BindingContext(quasi=("q",), sensitive=("s",))

MODELS: list[GroupModel] = [
    LKCPrivacy(2, 2, 0.5, sensitive="s0"),
    LKCPrivacy(1, 3, "2/3", sensitive="s0", values=["s00", ""]),
    LKCPrivacy(3, 2, 1),
    *FFAnonymity(0.5).bind(CONTEXT),
    *FFAnonymity("2/3", sensitive=["s0=s00", "s0=s01"]).bind(CONTEXT),
    FFAnonymity(0.3, sensitive=["q0=q00", "s0="], columns=["q0", "s0"]),
    PersonalizedPrivacy(0.5, sensitive="s0", guard="s0"),
    PersonalizedPrivacy("1/3", sensitive="s0", guard="s0", reading="subtree"),
    PersonalizedPrivacy(0.5, sensitive="ill", guard='a "guard"'),
    SkylinePrivacy([[0, 0, 0, 0.6]], sensitive="s0"),
    SkylinePrivacy([[1, 0, 0, "2/3"], [0, 2, 0, 0.9]], sensitive="s0"),
    SkylinePrivacy([[0, 1, 0, 0.5]], sensitive="s0", value="s00", scale="3/2"),
    SkylinePrivacy([[1, 2, 3, 0.9]], sensitive="s0"),
]


def guarded(promise: GroupModel) -> Groups:
    """Count three women with HIV who do not mind, and three men, one with HIV, who does mind."""
    ward = {
        "q": ["f", "f", "f", "m", "m", "m"],
        "s0": ["hiv", "hiv", "hiv", "hiv", "flu", "flu"],
        "g0": [None, None, None, "hiv", None, None],
    }
    table = as_table(ward, quasi="q", sensitive="s0", guard="g0")
    return count(table, promise.needs()).finest


def count_guards(random: RandomTable) -> Groups:
    """Count a random table in which everybody guards what he has."""
    return count(table_of(random), [("s0", "s0"), *((name,) for name in random.sensitive)]).finest


COUNTED = {PersonalizedPrivacy: count_guards}

DO_NOT_ABSORB: list[tuple[GroupModel, Groups]] = [
    (LKCPrivacy(1, 2, 0.5, sensitive="s"), groups_of([[1, 1], [2, 0]])),
    (FFAnonymity(0.5).bind(WARD)[0], groups_of([[1, 1], [1, 0]])),
    (SkylinePrivacy([[0, 0, 0, 0.6]], sensitive="s"), groups_of([[1, 1], [2, 0]])),
    (SkylinePrivacy([[0, 0, 1, 0.84]], sensitive="s"), groups_of([[3, 3], [4, 1]])),
]

GUARDED = [
    PersonalizedPrivacy(0.4, sensitive="s0", guard="g0", reading=reading)
    for reading in ("leaf", "subtree")
]
ARE_NOT_SAFE: list[tuple[GroupModel, Groups]] = [(model, guarded(model)) for model in GUARDED]
