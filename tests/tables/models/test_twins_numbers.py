"""Numbers that must not be guessed, crowds to be lost in: the library against the definitions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.models.twins import agree, same
from tests.witness import numbers
from tests.witness.models import Row
from unlinkable import as_table, check
from unlinkable.tables.models import (
    CTIsolation,
    EpsilonMAnonymity,
    KEAnonymity,
    SquaredErrorDiversity,
)
from unlinkable.tables.models.base import GroupModel, Verdict

tenths = st.integers(-60, 90).map(lambda n: Fraction(n, 10))
whole = st.integers(-6, 9).map(Fraction)


@st.composite
def numeric(draw: st.DrawFn) -> list[Row]:
    """Draw a table with quasi-identifying columns ``q0`` and ``q1`` and numbers ``s0``."""
    number = draw(st.sampled_from([tenths, whole]))
    group = st.sampled_from("ab")
    row = st.fixed_dictionaries({"q0": group, "q1": group, "s0": number})
    return draw(st.lists(row, min_size=1, max_size=12))


def verdict_on(rows: Sequence[Row], model: GroupModel) -> Verdict:
    columns = {c: [row[c] for row in rows] for c in ("q0", "q1")}
    values = pl.Series([float(str(float(row["s0"]))) for row in rows])  # type: ignore[arg-type]
    table = as_table(pl.DataFrame({**columns, "s0": values}), quasi=["q0", "q1"], sensitive="s0")
    (verdict,) = check(table, model).verdicts
    return verdict


@given(numeric(), st.integers(1, 4), st.integers(0, 80).map(lambda n: Fraction(n, 10)))
def test_ke_anonymity(rows: list[Row], k: int, e: Fraction) -> None:
    verdict = verdict_on(rows, KEAnonymity(k, e, sensitive="s0"))
    qid = ["q0", "q1"]
    assert verdict.holds is numbers.is_ke_anonymous(rows, qid, "s0", k, e)
    assert same(verdict.reached["k"], numbers.ke_distinct(rows, qid, "s0"))
    assert same(verdict.reached["e"], numbers.ke_range(rows, qid, "s0"))


@given(
    numeric(),
    st.integers(0, 40).map(lambda n: Fraction(n, 10)),
    st.fractions(1, 4, max_denominator=4),
    st.booleans(),
)
def test_epsilon_m_anonymity(
    rows: list[Row], epsilon: Fraction, m: Fraction, relative: bool
) -> None:
    interval = "relative" if relative else "absolute"
    level = numbers.epsilon_m(rows, ["q0", "q1"], "s0", epsilon, relative=relative)
    verdict = verdict_on(rows, EpsilonMAnonymity(epsilon, m, sensitive="s0", interval=interval))
    assert level is not None
    agree(verdict, level, holds=level >= m)


@given(numeric(), st.integers(0, 200).map(lambda n: Fraction(n, 10)))
def test_squared_error_diversity(rows: list[Row], v: Fraction) -> None:
    level = numbers.variance(rows, ["q0", "q1"], "s0")
    assert level is not None
    verdict = verdict_on(rows, SquaredErrorDiversity(v, sensitive="s0"))
    agree(verdict, level, holds=level >= v)


@given(numeric())
def test_squared_error_diversity_at_its_own_level(rows: list[Row]) -> None:
    level = numbers.variance(rows, ["q0", "q1"], "s0")
    assert level is not None
    assert verdict_on(rows, SquaredErrorDiversity(level, sensitive="s0")).holds


@given(
    st.lists(st.tuples(st.sampled_from("abc"), tenths, tenths), min_size=1, max_size=10),
    st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(3)]),
    st.integers(1, 4),
    st.booleans(),
)
def test_ct_isolation(
    rows: list[tuple[str, Fraction, Fraction]], c: Fraction, t: int, flat: bool
) -> None:
    columns = ["x"] if flat else ["x", "y"]
    names = [row[0] for row in rows]
    original = pl.DataFrame(
        {"q": names, "x": [float(row[1]) for row in rows], "y": [float(row[2]) for row in rows]}
    )
    shown = original.with_columns(pl.lit("*").alias("x"), pl.lit("*").alias("y"))
    table = as_table(shown, quasi=["q", "x", "y"])
    (verdict,) = check(table, CTIsolation(c, t, columns=columns), original=original).verdicts
    groups = [
        [(x,) if flat else (x, y) for q, x, y in rows if q == name] for name in sorted({*names})
    ]
    assert verdict.holds is not bool(numbers.isolated(groups, c, t))
    level = max(n for n in range(len(rows) + 1) if not numbers.isolated(groups, c, n))
    assert verdict.level == level
