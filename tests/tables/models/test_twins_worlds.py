"""Adversaries who think through all worlds: the library against enumeration."""

from __future__ import annotations

from fractions import Fraction

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.models.twins import agree
from tests.witness import population, worlds
from tests.witness.models import Row
from unlinkable import as_table, check
from unlinkable.tables.models import (
    MConfidentiality,
    Profitability,
)

VALUES = ("u", "v", "w", "x")
SIGNS = ("f", "m", "n")


@st.composite
def wards(draw: st.DrawFn, *, max_size: int = 6) -> list[Row]:
    """Draw groups ``q`` of people with a sign ``z`` and a sensitive value ``s``."""
    row = st.fixed_dictionaries(
        {"q": st.sampled_from("ab"), "z": st.sampled_from(SIGNS), "s": st.sampled_from(VALUES)}
    )
    return draw(st.lists(row, min_size=1, max_size=max_size))


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
