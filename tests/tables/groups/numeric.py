"""Tables and groups of numbers, for promises about numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

import polars as pl
from hypothesis import strategies as st

from tests.strategies import RandomTable
from tests.tables.groups.plain import groups_of
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Flat

__all__ = ["NUMBERS", "Row", "groups_of_numbers", "number_rows", "numbered"]

Row = dict[str, Hashable]

NUMBERS = (0.3, -4.0, 0.0, 5.0, 0.1, -0.5, 2.0, 5.25)
"""The decimals of 0.1 and 0.3 are no floats, and the floats are not 0.2 apart."""


@st.composite
def number_rows(
    draw: st.DrawFn, *, n_quasi: int = 2, missing: bool = True, max_records: int = 14
) -> list[Row]:
    """Draw records with a few numbers in ``q0``, ``q1``, ..., in ``s`` and a group in ``g``."""
    number = st.sampled_from(NUMBERS)
    hidden = st.one_of(st.none(), number, number, number) if missing else number
    columns = {f"q{i}": number for i in range(n_quasi)}
    record = st.fixed_dictionaries({"g": st.sampled_from("xyz"), **columns, "s": hidden})
    return draw(st.lists(record, min_size=1, max_size=max_records))


def groups_of_numbers(groups: Iterable[Sequence[object]], column: str = "s") -> Groups:
    """Make groups from the numbers, dates or missing values that they hide."""
    listed = [list(group) for group in groups]
    domain = (observed := observe(column, [v for group in listed for v in group])).domain
    codes = {domain.scalar(code): code for code in range(domain.n)}
    counts = [Counter(codes[v] for v in group) for group in listed]  # type: ignore[index]
    rows = [[found[code] for code in range(domain.n)] for found in counts]
    return groups_of(rows, column=column, taxonomy=Flat().build(observed))


def numbered(random: RandomTable) -> Groups:
    """Take the values of a random table for numbers; records without a ``q0`` are left out.

    Counted are the sensitive column ``s0``, and ``q0`` itself.
    """
    rows = [row for row in random.rows if row["q0"] is not None]
    names = [*random.qid, "s0", *([random.owner] if random.owner else [])]
    columns = {
        name: [_number(name, row[name]) if name != random.owner else row[name] for row in rows]
        for name in names
    }
    dtypes = {name: pl.String if name == random.owner else pl.Float64 for name in names}
    table = as_table(
        pl.DataFrame(columns, schema=dtypes),
        quasi=random.qid,
        sensitive="s0",
        owner=random.owner,
    )
    return count(table, [("s0",), ("q0",)]).finest


def _number(column: str, value: Hashable) -> float | None:
    return None if value is None else NUMBERS[int(str(value).removeprefix(column))]
