"""Shares of values, alone and with sizes; what X tells of Y; owners over joined tables."""

from __future__ import annotations

from tests.tables.groups.plain import groups_of
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import (
    AlphaKAnonymity,
    ConfidenceBounding,
    FrequencyLDiversity,
    KCAnonymity,
    MultirelationalKAnonymity,
    XYAnonymity,
    XYLinkability,
    XYPrivacy,
)
from unlinkable.tables.models.base import GroupModel

MODELS: list[GroupModel] = [
    FrequencyLDiversity(1, sensitive="s0"),
    FrequencyLDiversity(2, sensitive="s0"),
    FrequencyLDiversity("7/3"),
    ConfidenceBounding("-> s0 = s00 <= 1/3"),
    ConfidenceBounding('-> s0 = "" <= 0'),
    ConfidenceBounding("q0 -> s0 = s00 <= 50%"),
    XYAnonymity(2, y="s0"),
    XYAnonymity(2, y="s0", x="q0"),
    XYAnonymity(3, y=["a, b", 'c "d"'], x=["e"]),
    XYLinkability(0.5, y="s0"),
    XYLinkability("1/3", y="s0", values=["s00", "s01", ""]),
    XYLinkability(0.4, y=["s0", "s1"], x="q0", values=[["s00", "s10"], ["s01", ""]]),
    XYPrivacy(2, "2/3", y="s0"),
    XYPrivacy(2, 0.5, y="s0", values="s00"),
    XYPrivacy(2, 0.6, y="s0", count="distinct"),
    XYPrivacy(2, 0.6, y="s0", x="q0"),
    AlphaKAnonymity(0.5, 2, sensitive="s0"),
    AlphaKAnonymity("2/3", 3, sensitive="s0", values=["s00", "s02"]),
    AlphaKAnonymity(0.5, 2),
    KCAnonymity(2, 0.5, sensitive="s0"),
    KCAnonymity(3, "2/3"),
    MultirelationalKAnonymity(2, qid="q0"),
]

DO_NOT_ABSORB: list[tuple[GroupModel, Groups]] = [
    (model, groups_of([[1, 1], [1, 0]]))
    for model in (
        FrequencyLDiversity(2, sensitive="s"),
        ConfidenceBounding("-> s = v00 <= 1/2"),
        XYLinkability(0.5, y="s"),
        XYPrivacy(2, 0.5, y="s"),
        AlphaKAnonymity(0.5, 2, sensitive="s"),
        KCAnonymity(2, 0.5, sensitive="s"),
    )
]
