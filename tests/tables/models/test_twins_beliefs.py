"""Adversaries who weigh what is published with what they believed: library against definitions."""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.models.twins import agree, bounds, same, small, verdict_of
from tests.witness import beliefs, emd, models
from tests.witness.models import Row
from unlinkable import as_table, check
from unlinkable.tables.models import BTPrivacy, DGammaPrivacy, PrivacyMaxEnt

VALUES = ("u", "v", "w")


def pairs_of(
    table: RandomTable, prior: dict[Hashable, Fraction]
) -> list[tuple[Fraction, Fraction]]:
    """Give what is believed of every value before and after, for every group."""
    return [
        (p, emd.shares(row["s0"] for row in group).get(value, Fraction(0)))
        for group in models.groups(table.rows, table.qid).values()
        for value, p in prior.items()
    ]


def smallest_gamma(found: list[tuple[Fraction, Fraction]], d: Fraction) -> Fraction | float | None:
    """Give the least gamma that nobody exceeds and that lets nothing fall too far."""
    levels: list[Fraction | float] = [Fraction(0)]
    for prior, posterior in found:
        if prior <= d:
            fallen = d * prior / posterior if posterior else math.inf if prior else 0
            levels.append(max(posterior, fallen))
    return max(levels) if found else None


@given(small(max_leaves=2), bounds, bounds)
def test_d_gamma_privacy_against_the_table(
    table: RandomTable, d: Fraction, gamma: Fraction
) -> None:
    found = pairs_of(table, emd.shares(row["s0"] for row in table.rows))
    verdict = verdict_of(table, DGammaPrivacy(d, gamma, sensitive="s0"))
    holds = beliefs.is_d_gamma_private(found, d, gamma)
    agree(verdict, smallest_gamma(found, d), holds=holds)


@given(small(max_leaves=2, missing=False), bounds, bounds, st.data())
def test_d_gamma_privacy_against_a_prior(
    table: RandomTable, d: Fraction, gamma: Fraction, data: st.DataObject
) -> None:
    leaves = table.trees["s0"].leaves
    first = Fraction(data.draw(st.integers(0, 20)), 20)
    prior = dict(zip(leaves, [first, 1 - first] if len(leaves) > 1 else [Fraction(1)], strict=True))
    found = pairs_of(table, prior)
    side = {"prior": {"value": [*map(str, prior)], "p": [float(p) for p in prior.values()]}}
    model = DGammaPrivacy(d, gamma, sensitive="s0", prior="prior")
    holds = beliefs.is_d_gamma_private(found, d, gamma)
    agree(verdict_of(table, model, side=side), smallest_gamma(found, d), holds=holds)


@st.composite
def people(draw: st.DrawFn, max_size: int = 7) -> list[Row]:
    """Draw people in buckets ``b`` with an ``age`` and a ``sex`` and a value ``s``."""
    row = st.fixed_dictionaries(
        {
            "b": st.sampled_from("xy"),
            "age": st.integers(0, 4),
            "sex": st.sampled_from("fm"),
            "s": st.sampled_from(VALUES),
        }
    )
    return draw(st.lists(row, min_size=1, max_size=max_size))


@given(people(), st.sampled_from(["1/2", "1", "3/2", "3"]), bounds)
def test_bt_privacy(rows: list[Row], b: str, t: Fraction) -> None:
    ages = [int(str(row["age"])) for row in rows]
    width = max(max(ages) - min(ages), 1)
    prior = beliefs.kernel_prior(
        rows,
        "s",
        {
            "age": lambda v, w: Fraction(abs(int(str(v)) - int(str(w))), width),
            "sex": lambda v, w: Fraction(v != w),
        },
        Fraction(b),
    )
    level = Fraction(0)
    for group in models.groups(rows, ["b"]).values():
        after = beliefs.omega_estimate(group, "s", prior)
        for row, believed in zip(group, after, strict=True):
            before: dict[Hashable, Fraction] = {value: prior(row, value) for value in VALUES}
            level = max(level, emd.emd_equal(before, believed))
    original = pl.DataFrame({c: [row[c] for row in rows] for c in ("age", "sex", "s")})
    shown = original.with_columns(
        pl.Series("age", [str(row["b"]) for row in rows]), pl.lit("*").alias("sex")
    )
    table = as_table(shown, quasi=["age", "sex"], sensitive="s")
    model = BTPrivacy(Fraction(b), t, sensitive="s")
    (verdict,) = check(table, model, original=original).verdicts
    assert same(verdict.level, level)
    if not math.isclose(level, t, abs_tol=1e-8):
        assert verdict.holds is (level <= t)


@given(people(max_size=6), st.data())
def test_privacy_maxent(rows: list[Row], data: st.DataObject) -> None:
    facts: list[beliefs.Fact] = []
    for _ in range(data.draw(st.integers(0, 2))):
        column = data.draw(st.sampled_from(["sex", "age"]))
        key, value = data.draw(st.sampled_from(rows))[column], data.draw(st.sampled_from(rows))["s"]
        having = [row["s"] == value for row in rows if row[column] == key]
        if all(fact[:2] != ({column: key}, value) for fact in facts):
            facts.append(({column: key}, value, sum(having) / len(having)))
    found = beliefs.maximum_entropy(rows, ["b"], ["age", "sex"], "s", facts)
    assume(found is not None)
    assert found is not None
    level = max(found.values())
    original = pl.DataFrame({c: [str(row[c]) for row in rows] for c in ("age", "sex", "s")})
    shown = original.with_columns(
        pl.Series("age", [str(row["b"]) for row in rows]), pl.lit("*").alias("sex")
    )
    told = {
        "age": [str(fact[0]["age"]) if "age" in fact[0] else None for fact in facts],
        "sex": [str(fact[0]["sex"]) if "sex" in fact[0] else None for fact in facts],
        "value": [str(fact[1]) for fact in facts],
        "p": [fact[2] for fact in facts],
    }
    known = pl.DataFrame(told, schema={"age": str, "sex": str, "value": str, "p": float})
    table = as_table(shown, quasi=["age", "sex"], sensitive="s")
    model = PrivacyMaxEnt("1/2", constraints="known", sensitive="s")
    (verdict,) = check(table, model, side={"known": known}, original=original).verdicts
    assert verdict.level == pytest.approx(level, abs=2e-4)
    if not math.isclose(level, 0.5, abs_tol=1e-3):
        assert verdict.holds is (level <= 0.5)
