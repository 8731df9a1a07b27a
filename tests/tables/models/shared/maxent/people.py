"""People in groups, what is known of them, and what to believe then, by iterative scaling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

import polars as pl
from hypothesis import strategies as st

from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import PrivacyMaxEnt
from unlinkable.tables.models.base import BindingContext

__all__ = ["Known", "Person", "asked", "by_scaling", "counted", "meets", "pairs", "people", "share"]

Person = tuple[str, str, str, str]
"""Group, sex, job and illness."""

Known = Mapping[str, Sequence[object]]
"""The columns of a table of statements."""

people = st.lists(
    st.tuples(
        st.sampled_from("AB"), st.sampled_from("fm"), st.sampled_from("xyz"), st.sampled_from("hij")
    ),
    min_size=1,
    max_size=12,
)
conditions = st.tuples(st.none() | st.sampled_from("fm"), st.none() | st.sampled_from("xyz"))
asked = st.lists(st.tuples(conditions, st.sampled_from("hij")), max_size=4)


def meets(person: Person, condition: Sequence[str | None]) -> bool:
    return all(c is None or c == v for c, v in zip(condition, person[1:3], strict=True))


def share(rows: Sequence[Person], condition: Sequence[str | None], value: str) -> Fraction:
    """Count how many of those who meet a condition have a value."""
    these = [row[3] for row in rows if meets(row, condition)]
    return Fraction(these.count(value), len(these))


def by_scaling(
    rows: Sequence[Person], known: Sequence[tuple[Sequence[str | None], str, Fraction]]
) -> dict[Person, float] | None:
    """Scale all cells to each sum in turn, until all are met: the largest entropy.

    None if that takes too long: so it does where some cells must become empty.
    """
    cells: dict[Person, float] = {}
    for g in {row[0] for row in rows}:
        group = [row for row in rows if row[0] == g]
        cells |= {(*one[:3], other[3]): 1.0 for one in group for other in group}
    sums: list[tuple[list[Person], float]] = []
    for width, keep in ((3, slice(0, 3)), (2, slice(0, 4, 3))):
        for key, n in Counter(row[keep] for row in rows).items():
            assert len(key) == width
            sums.append(([c for c in cells if c[keep] == key], float(n)))
    for condition, value, p in known:
        met = [c for c in cells if meets(c, condition) and c[3] == value]
        sums.append((met, float(p * sum(meets(row, condition) for row in rows))))
    for _ in range(2000):
        worst = 0.0
        for members, goal in sums:
            total = sum(cells[c] for c in members)
            worst = max(worst, abs(total - goal))
            for c in members:
                cells[c] *= goal / total if total else 0.0
        if worst < 1e-12:
            return cells
    return None


def counted(rows: Sequence[Person], known: Known, p: object = 1) -> tuple[PrivacyMaxEnt, Groups]:
    """Bind a promise to people who show their group only."""
    names = ("group", "sex", "job", "ill")
    table = as_table(
        {name: [row[i] for row in rows] for i, name in enumerate(names)},
        quasi=["group", "sex", "job"],
        sensitive="ill",
    )
    frame = pl.DataFrame(dict(known), strict=False)
    context = BindingContext(("sex", "job"), ("ill",), side=Side.of({"known": frame}))
    (promise,) = PrivacyMaxEnt(p, constraints="known").bind(context)  # type: ignore[arg-type]
    return promise, count(table, promise.needs()).finest.project(("group",))[0]


def pairs(n_f: int, n_m: int, ill: str) -> list[Person]:
    """One group of women and men, whose illnesses are handed out in this order."""
    return [
        ("A", "f" if i < n_f else "m", "x", v) for i, v in zip(range(n_f + n_m), ill, strict=True)
    ]
