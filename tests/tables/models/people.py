"""Small scenarios for promises about adversaries with a prior: who is where, what is believed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction

from hypothesis import strategies as st

from tests.witness.models import Row
from tests.witness.worlds import Prior
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base import BindingContext, GroupModel

__all__ = ["Frame", "Scenario", "bound", "counted", "frame_of", "prior_of", "scenarios", "table_of"]

Frame = Mapping[str, Sequence[object]]
Believed = Mapping[tuple[Hashable, ...], Mapping[Hashable, Fraction]]
Scenario = tuple[list[Row], dict[tuple[Hashable, ...], dict[Hashable, Fraction]]]

GROUP, SENSITIVE = "g", "s"


def table_of(rows: Sequence[Row]) -> Table:
    """Take people who are grouped by ``g``, have ``s``, and show everything else."""
    shown = [name for name in rows[0] if name not in (GROUP, SENSITIVE)]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return as_table(columns, quasi=GROUP, sensitive=SENSITIVE, insensitive=shown)


def bound(model: GroupModel, **priors: Frame) -> GroupModel:
    """Bind a promise to such a table, with priors by their names."""
    context = BindingContext(quasi=(GROUP,), sensitive=(SENSITIVE,), side=Side.of(priors))
    (ready,) = model.bind(context)
    return ready


def counted(model: GroupModel, rows: Sequence[Row]) -> Groups:
    """Count what a promise needs of such a table."""
    return count(table_of(rows), model.needs()).finest


def frame_of(believed: Believed, *columns: str) -> Frame:
    """Write down what is believed of people who show these columns."""
    said = [(key, v, p) for key, chances in believed.items() for v, p in chances.items()]
    shown = {name: [key[i] for key, _, _ in said] for i, name in enumerate(columns)}
    return {**shown, "value": [v for _, v, _ in said], "p": [float(p) for _, _, p in said]}


def prior_of(believed: Believed, *columns: str) -> Prior:
    """Give the same as the witnesses want it: by a record and a value."""
    return lambda row, value: believed[tuple(row[name] for name in columns)][value]


@st.composite
def scenarios(
    draw: st.DrawFn, *, lowest: int = 1, whole: bool = False, max_people: int = 7
) -> Scenario:
    """Draw two groups of people who show ``a``, and what is believed of each ``a``.

    Chances are hundredths, at least ``lowest`` of them; they add up to 1 if ``whole``.
    """
    n = draw(st.integers(1, max_people))
    person = st.fixed_dictionaries(
        {
            GROUP: st.sampled_from(["g", "g", "g", "h"]),
            "a": st.sampled_from(["a0", "a1", "a2", None]),
            SENSITIVE: st.sampled_from(["x", "y", "z", None]),
        }
    )
    rows: list[Row] = [*draw(st.lists(person, min_size=n, max_size=n))]
    believed: dict[tuple[Hashable, ...], dict[Hashable, Fraction]] = {}
    for key in ("a0", "a1", "a2", None):
        chances = draw(st.lists(st.integers(lowest, 25), min_size=4, max_size=4))
        if whole:
            chances[3] = 100 - sum(chances[:3])
        believed[key,] = dict(
            zip(("x", "y", "z", None), (Fraction(c, 100) for c in chances), strict=True)
        )
    return rows, believed
