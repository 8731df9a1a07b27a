"""Signatures: the largest m of a series, against the definition."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tests.tables.series.invariance.test_m_invariance import is_m_invariant
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.series.invariance.signatures import invariance_of


@st.composite
def releases(draw: st.DrawFn) -> Sequence[Sheet]:
    sheets = []
    for _ in range(draw(st.integers(1, 3))):
        rows = []
        for g in range(draw(st.integers(1, 2))):
            signature = draw(st.sampled_from([(0, 1), (1, 2), (0, 1, 2), (0, 0, 1, 1), (0, 1, 1)]))
            rows += [(g, v) for v in signature]
        people = draw(st.permutations(range(-1, 7)))
        named = [p if p >= 0 else -1 for p in people[: len(rows)]]
        sheets.append(Sheet.of(named, [g for g, _ in rows], [v for _, v in rows]))
    return sheets


@given(releases(), st.integers(1, 4))
def test_says_what_the_definition_says(sheets: Sequence[Sheet], m: int) -> None:
    assert (invariance_of(sheets) >= m) == is_m_invariant(sheets, m)
