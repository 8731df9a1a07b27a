"""Adversaries who think through all worlds: the library against enumeration."""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.models.twins import agree
from tests.witness import models, population, worlds
from tests.witness.models import Row
from unlinkable import as_table, check
from unlinkable.errors import DataError
from unlinkable.tables.models import (
    DeltaBounding,
    MConfidentiality,
    Profitability,
    RRobustness,
)
from unlinkable.tables.models.base import GroupModel, Verdict

VALUES = ("u", "v", "w", "x")
SIGNS = ("f", "m", "n")
Believed = dict[tuple[Hashable, Hashable], Fraction]


@st.composite
def wards(draw: st.DrawFn, *, max_size: int = 6) -> list[Row]:
    """Draw groups ``q`` of people with a sign ``z`` and a sensitive value ``s``."""
    row = st.fixed_dictionaries(
        {"q": st.sampled_from("ab"), "z": st.sampled_from(SIGNS), "s": st.sampled_from(VALUES)}
    )
    return draw(st.lists(row, min_size=1, max_size=max_size))


@st.composite
def beliefs(draw: st.DrawFn, *, joint: bool) -> Believed:
    """Draw how likely each value is for each sign; if ``joint``, adding up to 1."""
    if not joint:
        low = st.integers(1, 33).map(lambda n: Fraction(n, 100))
        some: Believed = {(z, s): draw(low) for z in SIGNS for s in VALUES[1:]}
        return {**some, **{(z, VALUES[0]): Fraction(1, 100) for z in SIGNS}}
    found: Believed = {}
    for z in SIGNS:
        weights = {s: draw(st.integers(1, 9)) for s in VALUES}
        total = sum(weights.values())
        # Decimals of four digits, so that the table can be written down exactly.
        told = {s: Fraction(10**4 * w // total, 10**4) for s, w in weights.items()}
        told["x"] += 1 - sum(told.values())
        found |= {(z, s): p for s, p in told.items()}
    return found


def judged(rows: list[Row], model: GroupModel, believed: Believed) -> Verdict:
    frame = pl.DataFrame({c: [str(row[c]) for row in rows] for c in ("q", "z", "s")})
    table = as_table(frame, quasi="q", sensitive="s", insensitive="z")
    told = {
        "z": [z for z, _ in believed],
        "value": [s for _, s in believed],
        "p": [float(p) for p in believed.values()],
    }
    (verdict,) = check(table, model, side={"us": pl.DataFrame(told)}).verdicts
    return verdict


def prior_of(believed: Believed) -> worlds.Prior:
    return lambda row, value: believed[row["z"], value]


@given(wards(), beliefs(joint=False), st.fractions(1, 4, max_denominator=4))
def test_robustness_value_by_value(rows: list[Row], believed: Believed, r: Fraction) -> None:
    level = worlds.robust_r(rows, ["q"], "s", prior_of(believed))
    assert level is not None
    verdict = judged(rows, RRobustness(r, prior="us", sensitive="s"), believed)
    agree(verdict, level, holds=level >= r)


@given(wards(), beliefs(joint=True), st.fractions(1, 4, max_denominator=4))
def test_robustness_of_all_values_together(
    rows: list[Row], believed: Believed, r: Fraction
) -> None:
    level = worlds.robust_r(rows, ["q"], "s", prior_of(believed), joint=True)
    assert level is not None
    verdict = judged(rows, RRobustness(r, prior="us", sensitive="s", reading="joint"), believed)
    agree(verdict, level, holds=level >= r)


@given(
    wards(),
    st.fixed_dictionaries(
        {(z, "u"): st.integers(0, 10).map(lambda n: Fraction(n, 10)) for z in SIGNS}
    ),
    st.fractions(1, 4, max_denominator=4),
)
def test_robustness_of_one_guarded_value(rows: list[Row], believed: Believed, r: Fraction) -> None:
    model = RRobustness(r, prior="us", sensitive="s", values="u")
    try:
        level = worlds.robust_r(rows, ["q"], "s", prior_of(believed), values=["u"])
    except worlds.ImpossibleError:
        with pytest.raises(DataError, match="us"):
            judged(rows, model, believed)
        return
    assert level is not None
    agree(judged(rows, model, believed), level, holds=level >= r)


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(SIGNS)), min_size=1, max_size=6),
    beliefs(joint=False),
    st.fractions(Fraction(7, 6), 4, max_denominator=6),
    st.data(),
)
def test_delta_bounding(
    people: list[tuple[str, str]], believed: Believed, r: Fraction, data: st.DataObject
) -> None:
    order = {q: iter(data.draw(st.permutations(VALUES))) for q in "ab"}
    rows: list[Row] = [{"q": q, "z": z, "s": next(order[q], "u")} for q, z in people]
    prior = prior_of(believed)
    groups = models.groups(rows, ["q"]).values()
    verdict = judged(rows, DeltaBounding(r, prior="us", sensitive="s"), believed)
    assert verdict.holds is all(worlds.is_delta_bounded(g, "s", prior, r) for g in groups)
    found = [worlds.delta_bounding_r(group, "s", prior) for group in groups]
    if None not in found:
        agree(verdict, min(level for level in found if level is not None), holds=verdict.holds)
    else:
        assert verdict.level == -math.inf
    if verdict.holds:
        assert judged(rows, RRobustness(r, prior="us", sensitive="s"), believed).holds


@given(
    wards(max_size=8),
    st.fractions(Fraction(1, 5), 1, max_denominator=5),
    st.fractions(1, 4, max_denominator=4),
    st.none() | st.sampled_from(VALUES),
)
def test_m_confidentiality(rows: list[Row], h: Fraction, m: Fraction, value: str | None) -> None:
    original = pl.DataFrame({"z": [str(row["z"]) for row in rows], "s": [row["s"] for row in rows]})
    table = as_table(
        original.with_columns(pl.Series("z", [str(row["q"]) for row in rows])),
        quasi="z",
        sensitive="s",
    )
    level = worlds.confidentiality_m(rows, ["q"], ["z"], "s", h, value and [value])
    assert level is not None
    model = MConfidentiality(m, h=h, sensitive="s", values=value)
    (verdict,) = check(table, model, original=original).verdicts
    agree(verdict, level, holds=level >= m)


@given(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=10),
    st.lists(st.sampled_from("abc"), max_size=10),
    st.tuples(*[st.integers(1, 9)] * 4),
    st.booleans(),
    st.booleans(),
)
def test_profitability(
    names: list[str],
    others: list[str],
    amounts: tuple[int, int, int, int],
    journalist: bool,
    attack: bool,
) -> None:
    benefit, loss, gain, cost = amounts
    rows: list[Row] = [{"q": q} for q in names]
    people: list[Row] = [*rows, *({"q": q} for q in others)]
    risks = population.journalist_risks(rows, people if journalist else rows, ["q"])
    payments = [
        population.publisher_gains(risk, benefit=benefit, loss=loss, gain=gain, cost=cost)
        for risk in risks
    ]
    holds = min(payments) > 0 if attack else population.pays_nobody(risks, gain, cost)
    model = Profitability(
        publisher_benefit=benefit,
        publisher_loss=loss,
        adversary_gain=gain,
        adversary_cost=cost,
        adversary="journalist" if journalist else "prosecutor",
        attack=attack,
        population="people" if journalist else None,
    )
    table = as_table({"q": names}, quasi="q")
    side = {"people": {"q": [*names, *others]}}
    (verdict,) = check(table, model, side=side).verdicts
    assert verdict.holds is holds
