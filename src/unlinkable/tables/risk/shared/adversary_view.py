"""Adversary view: records as an adversary sees them who knows the victim's quasi-identifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define

from unlinkable.errors import SchemaError, unknown
from unlinkable.tables.data import (
    ColumnPlan,
    Role,
    Schema,
    Side,
    Table,
    as_texts,
    canonical_values,
    population_table,
)
from unlinkable.tables.engines import count, count_people
from unlinkable.tables.groups import Groups
from unlinkable.tables.taxonomies.builders import Flat, Verbatim
from unlinkable.typing import CodeArray, Columns, CountArray, FloatArray

__all__ = ["AdversaryView", "adversary_view"]


@define(eq=False, frozen=True)
class AdversaryView:
    """Groups of records that the adversary cannot tell apart.

    Attributes
    ----------
    groups
        The records that look alike, by the texts that they show.
    labels
        The group of each record.
    alike_in_population
        How many people of the population look like each group, if the population is known.
    n_population
        How many people the population has, if it is known.
    has_weights
        Whether the table says how many people of the population each record stands for.
    """

    groups: Groups
    labels: CodeArray
    alike_in_population: CountArray | None = None
    n_population: int | None = None
    has_weights: bool = False

    @property
    def columns(self) -> Columns:
        """The columns that the adversary knows."""
        return self.groups.columns

    @property
    def n_records(self) -> int:
        """Number of records."""
        return self.groups.n_records

    @property
    def people(self) -> CountArray:
        """How many people are in each group: its owners, or its records if there are none."""
        return self.groups.people()

    @property
    def n_people(self) -> int:
        """Number of people in the table."""
        owner = self.groups.owner
        return self.n_records if owner is None else int((self.groups.whole[owner,] > 0).sum())

    @property
    def n_strangers(self) -> int:
        """Number of records that look like nobody of the population, if it is known."""
        alike = self.alike_in_population
        return 0 if alike is None else int(self.groups.sizes[alike == 0].sum())

    @property
    def weighted_people(self) -> FloatArray:
        """How many people of the population look like each group, by the weights.

        The mean weight of its records for each of its people: a person with several records is
        one.
        """
        mean: FloatArray = self.groups.weights / self.groups.sizes
        return mean * self.people

    def of_records(self, by_group: FloatArray) -> FloatArray:
        """Give every record what its group has."""
        return by_group[self.labels]


def adversary_view(
    table: Table,
    columns: Sequence[str] | None = None,
    *,
    population: str | None = None,
    side: Side | Mapping[str, object] | None = None,
) -> AdversaryView:
    """Group records by the texts that they show, every distinct text a value of its own.

    Parameters
    ----------
    table
        The records, as they are or as they were published.
    columns
        What the adversary knows; the quasi-identifier if not given.
    population
        The side table with the people of the population. Its values may be original ones: 33 looks
        like ``[30-35)``.
    side
        Where side tables are found by their names.

    Raises
    ------
    SchemaError
        If nothing is known, a column is not there, or the population lacks it.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": ["[30-35)", "[30-35)", "40"]}, quasi="age")
    >>> town = {"town": {"age": [31, 32, 33, 40, 41]}}
    >>> found = adversary_view(people, population="town", side=town)
    >>> found.people.tolist(), found.alike_in_population.tolist()
    ([2, 1], [3, 1])
    """
    known = tuple(table.schema.quasi if columns is None else columns)
    if not known:
        raise SchemaError("no column is a quasi-identifier: name those that others may know")
    for name in known:
        if name not in table.frame.columns:
            raise SchemaError(unknown("column", name, table.frame.columns))
    shown = _shown(table, known)
    counted = count(shown)
    alike_in_population, n_population = None, None
    if population is not None:
        opened = (side if isinstance(side, Side) else Side.of(side)).open(population)
        plans = [ColumnPlan(n, Role.QUASI, table.schema[n].taxonomy or Flat()) for n in known]
        like = Table(shown.frame.select(known), Schema(plans))
        alike_in_population, _ = count_people(shown, counted.finest, population_table(opened, like))
        n_population = len(opened)
    has_weights = table.schema.weight is not None
    return AdversaryView(
        counted.finest, counted.labels, alike_in_population, n_population, has_weights
    )


def _shown(table: Table, known: Columns) -> Table:
    """Take what is known as texts without any meaning, beside owners and weights."""
    beside = [
        ColumnPlan(name, table.schema[name].role)
        for name in table.schema.with_role(Role.OWNER, Role.WEIGHT)
        if name not in known
    ]
    plans = [ColumnPlan(name, Role.QUASI, Verbatim()) for name in known]
    frame = as_texts(canonical_values(table.frame, known), known, [plan.name for plan in beside])
    return Table(frame, Schema([*plans, *beside]))
