"""What models say follows from them follows, on random tables that just keep them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from attrs import evolve, fields_dict
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.groups.plain import table_of
from tests.tables.models.twins import small
from unlinkable import check
from unlinkable.tables.models import (
    AlphaKAnonymity,
    AverageRisk,
    BetaLikeness,
    ConfidenceBounding,
    CrowdEntropy,
    DeltaDisclosure,
    DistinctLDiversity,
    EntropyLDiversity,
    FFAnonymity,
    FrequencyLDiversity,
    HellingerCloseness,
    KAnonymity,
    KCAnonymity,
    LKCPrivacy,
    MConfidentiality,
    MultirelationalKAnonymity,
    NTCloseness,
    RecursiveCLDiversity,
    SkylinePrivacy,
    TCloseness,
    XYAnonymity,
    XYLinkability,
    XYPrivacy,
)
from unlinkable.tables.models.base import GroupModel

POOL: list[GroupModel] = [
    KAnonymity(1),
    DistinctLDiversity(1),
    EntropyLDiversity(1),
    FrequencyLDiversity(1),
    RecursiveCLDiversity(c=2, l=2),
    RecursiveCLDiversity(c=1, l=2, strict=False),
    TCloseness(1),
    ConfidenceBounding("-> s0 = s00 <= 1"),
    XYAnonymity(1, y="s0"),
    XYLinkability(1, y="s0"),
    XYLinkability(1, y="s0", x="q0"),
    XYPrivacy(1, 1, y="s0"),
    XYPrivacy(1, 1, y="s0", count="distinct"),
    AlphaKAnonymity(1, 1),
    AlphaKAnonymity(1, 1, values=["s00"]),
    KCAnonymity(1, 1),
    MultirelationalKAnonymity(1),
    CrowdEntropy(0),
    TCloseness(1, distance="ordered"),
    TCloseness(9, distance="kl"),
    HellingerCloseness(1),
    NTCloseness(2, 1),
    DeltaDisclosure(9),
    BetaLikeness(9),
    BetaLikeness(9, enhanced=True),
    LKCPrivacy(1, 1, 1),
    LKCPrivacy(2, 1, 1),
    LKCPrivacy(9, 1, 1),
    FFAnonymity(1),
    FFAnonymity(1, sensitive="s0=s00"),
    SkylinePrivacy([[0, 0, 0, 1]], scale=2),
    SkylinePrivacy([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]], scale=2),
    AverageRisk(1),
    MConfidentiality(1, h="0.5"),
]
"""Models with bounds that every table keeps; they are made as tight as a table allows."""

FLOATING = (
    CrowdEntropy,
    DeltaDisclosure,
    EntropyLDiversity,
    HellingerCloseness,
    RecursiveCLDiversity,
    SkylinePrivacy,
)
"""Models whose level is a logarithm, which no fraction hits, or a bound that must be exceeded."""

often = settings(max_examples=3 * settings().max_examples)


def tightened(model: GroupModel, table: RandomTable) -> GroupModel | None:
    """Ask for as much as a table reaches, in every parameter that has a level of its own."""
    (verdict,) = check(table_of(table), model).verdicts
    told: dict[str, Fraction | int] = {}
    for name, level in verdict.reached.items():
        if level is None or not math.isfinite(level) or name not in fields_dict(type(model)):  # type: ignore[arg-type]
            return None
        near = Fraction(level).limit_denominator(9999)
        told[name] = int(level) if isinstance(getattr(model, name), int) else near
        if not told[name] and not model.higher_is_safer:
            told[name] = Fraction(1, 9999)
    change: Callable[..., GroupModel] = evolve
    return change(model, **told)


def owned(table: RandomTable) -> RandomTable:
    """Give every record an owner."""
    rows = [{**row, "owner": f"p{i // 2}"} for i, row in enumerate(table.rows)]
    return replace(table, rows=rows, owner="owner")


@often
@given(st.sampled_from(POOL), small(min_records=1, owner=False))
def test_what_is_said_to_follow_follows(model: GroupModel, table: RandomTable) -> None:
    if isinstance(model, MultirelationalKAnonymity):
        table = owned(table)
    asked = tightened(model, table) or model
    published = table_of(table)
    finding = check(published, asked)
    if finding.holds:
        for verdict in finding.verdicts:
            for other in verdict.model.consequences():
                assert check(published, other).holds, (str(verdict.model), str(other))


@often
@given(
    st.sampled_from([m for m in POOL if not isinstance(m, FLOATING) and "kl" not in str(m)]),
    small(min_records=1, owner=False),
)
def test_a_table_keeps_what_it_reaches(model: GroupModel, table: RandomTable) -> None:
    if isinstance(model, MultirelationalKAnonymity):
        table = owned(table)
    if asked := tightened(model, table):
        assert check(table_of(table), asked).holds
