"""Putting views together, compared with going through all tables that have them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.witness import joins as witness
from tests.witness.joins import View
from tests.witness.models import Row
from tests.witness.releases import frame_of
from unlinkable.release.attacks import Outcome
from unlinkable.tables import attacks
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import Edition, Series

SHAPES = (
    (("n", "j"), ("j", "s")),
    (("n", "j", "s"), ("j", "s")),
    (("n", "j"), ("n", "s"), ("j", "s")),
    (("n", "j"), ("s",)),
    (("n", "s"), ("j", "s")),
    (("n", "j"), ("j", "m"), ("m", "s")),
)
LIMITS = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(2, 3)])


@dataclass(frozen=True)
class Views:
    """Views of one table, and what everybody knows of it."""

    views: list[View]
    dependencies: list[tuple[str, str]]
    one_record: bool

    def tables(self) -> list[list[Row]]:
        identity = "n" if self.one_record else None
        return list(witness.possible_tables(self.views, self.dependencies, identity))

    def attacked(self, attack: attacks.ViewJoin) -> Outcome:
        editions = []
        for view in self.views:
            quasi = tuple(c for c in view.columns if c != "s")
            sensitive = tuple(c for c in view.columns if c == "s")
            editions.append(Edition(Target(frame_of(view.rows, view.columns), quasi, sensitive)))
        return attack.run(Series(tuple(editions)))

    @property
    def rules(self) -> list[str]:
        return [f"{a} -> {b}" for a, b in self.dependencies]

    @property
    def counted(self) -> list[bool]:
        return [view.is_counted for view in self.views]


@st.composite
def views(draw: st.DrawFn, *, named: bool) -> Views:
    shape = draw(st.sampled_from(SHAPES))
    columns = sorted({c for part in shape for c in part})
    pools = {"n": "ABC", "j": "cd", "m": "uv", "s": "xyz"}
    table: list[Row] = [
        {c: draw(st.sampled_from(pools[c])) for c in columns}
        for _ in range(draw(st.integers(1, 4)))
    ]
    one_record = named and draw(st.booleans())
    if one_record:
        table = [{**row, "n": name} for row, name in zip(table, "ABCD", strict=False)]
    dependencies = []
    for a, b in (("n", "j"), ("j", "n"), ("j", "s")):
        holds = len({row[a] for row in table}) == len({(row[a], row[b]) for row in table})
        if holds and draw(st.integers(0, 3)) == 0:
            dependencies.append((a, b))
    found = []
    for part in shape:
        is_counted = draw(st.booleans())
        rows: list[Row] = [{c: row[c] for c in part} for row in table]
        if not is_counted:
            rows = [row for i, row in enumerate(rows) if row not in rows[:i]]
        found.append(View(rows, part, is_counted))
    return Views(found, dependencies, one_record)


def numbers(
    table: Sequence[Row], known: Sequence[str], q: tuple[Hashable, ...]
) -> tuple[list[Hashable], int]:
    """Give what the records of somebody hide in a table, and how many there are."""
    values = [row["s"] for row in table if tuple(row[c] for c in known) == q]
    return values, len(values)


@given(views(named=True), st.integers(1, 3), LIMITS)
def test_people_who_are_known_by_name(drawn: Views, k: int, limit: Fraction) -> None:
    attack = attacks.ViewJoin(
        identity="n",
        one_record=drawn.one_record,
        k=k,
        limit=limit,
        dependencies=drawn.rules,
        counted=drawn.counted,
    )
    outcome = drawn.attacked(attack)
    tables = drawn.tables()
    assert tables
    names = {row["n"] for table in tables for row in table}
    fallen, sure, n_certain = set(), Fraction(0), 0
    for name in names:
        has = [{row["s"] for row in table if row["n"] == name} for table in tables]
        left = set().union(*has)
        certain = not drawn.one_record and set.intersection(*has)
        n_certain += bool(certain)
        sure = max(sure, Fraction(1) if certain else Fraction(1, len(left)))
        if len(left) < k or len(left) < 1 / limit or certain:
            fallen.add(name)
    assert outcome.n_attacked == len(names)
    assert {victim.who["n"] for victim in outcome.victims} == fallen
    assert outcome.n_fallen == len(fallen)
    assert outcome.highest >= float(sure) - 1e-9
    if sure > limit:
        assert outcome.highest == pytest.approx(float(sure))
    else:
        assert outcome.highest <= float(limit) + 1e-9
    assert outcome.details["certain_values"] == n_certain


@given(views(named=False), st.integers(1, 3), LIMITS)
def test_people_who_are_known_by_quasi_identifiers(drawn: Views, k: int, limit: Fraction) -> None:
    known = sorted({c for view in drawn.views for c in view.columns if c != "s"})
    tables = drawn.tables()
    assume(any(tables))
    attack = attacks.ViewJoin(k=k, limit=limit, dependencies=drawn.rules, counted=drawn.counted)
    outcome = drawn.attacked(attack)
    is_counted = any(view.is_counted for view in drawn.views)
    kinds = {tuple(row[c] for c in known) for table in tables for row in table}
    fallen, few, short = set(), set(), set()
    for q in kinds:
        found = [numbers(table, known, q) for table in tables]
        left = {s for values, _ in found for s in values}
        share = max(min(Fraction(values.count(s), n) for values, n in found if n) for s in left)
        if len(left) < 1 / limit:
            short.add(q)
        if is_counted and max(n for _, n in found) < k:
            few.add(q)
        if q in short | few or (is_counted and share > limit):
            fallen.add(q)
    assert {tuple(victim.who[c] for c in known) for victim in outcome.victims} == fallen
    assert outcome.details["too_few_values"] == len(short)
    assert outcome.details["too_few_people"] == len(few)
