"""Restriction: a taxonomy over the values that recipients may know, and nothing else.

A taxonomy that was made from records has the values of all of them, also of those that are
suppressed. What is published is written and measured by the taxonomy over the other values: a
release then reads as if the suppressed records had never been in the table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Self

import numpy as np
from attrs import define, evolve

from unlinkable.tables.data.release_columns import keep_rows
from unlinkable.tables.data.schema import Role, Schema
from unlinkable.tables.data.table import Table
from unlinkable.tables.taxonomies import Attribute, Domain, Edges, Level, Taxonomy
from unlinkable.tables.taxonomies.builders import ReadyMade, number_runs
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["PublicDomains", "Restriction", "published_records"]

_ROOT = -1
"""Stands for the root until it is known how many levels are below."""


@define(eq=False, frozen=True)
class Restriction:
    """A taxonomy over some of its values.

    Attributes
    ----------
    taxonomy
        The taxonomy over the values that are kept. Levels that are called by their values, and that
        no longer differ from the one below or from the root, are omitted.
    left_out
        The codes of the values that are not kept.
    before
        For every code of the whole taxonomy, and for its end, how many kept ones come before.
    levels
        For every level of the whole taxonomy the one that takes its place.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Auto
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.published_values import write_ranges
    >>> ages = Auto().build(observe("age", [20, 30, 40, 50, 99]))
    >>> restricted = Restriction.of(ages, np.array([True, True, True, True, False]))
    >>> lo, hi = restricted.ranges(np.array([2]), np.array([5]))
    >>> write_ranges(restricted.taxonomy, lo, hi).tolist()
    ['[40-51)']
    """

    taxonomy: Taxonomy
    left_out: CodeArray
    before: CodeArray
    levels: tuple[int, ...]

    @classmethod
    def of(cls, whole: Taxonomy, is_kept: BoolArray) -> Self:
        """Restrict a taxonomy to the codes that are marked."""
        domain = whole.domain
        has_missing = domain.has_missing and bool(is_kept[-1])
        kept = Domain(domain.kind, domain.values[is_kept[: domain.n_present]], has_missing)
        levels, numbers = [Level(np.arange(kept.n, dtype=np.int32))], [0]
        for level in whole.levels[1:-1]:
            restricted = _restricted(level, is_kept)
            is_named = restricted.labels is not None or restricted.edges is not None
            if is_named or 1 < restricted.n_nodes < levels[-1].n_nodes:
                levels.append(restricted)
            numbers.append(len(levels) - 1 if is_named or restricted.n_nodes > 1 else _ROOT)
        levels.append(Level(np.zeros(kept.n, np.int32), whole.levels[-1].labels))
        before = np.append(0, np.cumsum(is_kept)).astype(np.int32)
        left_out = np.flatnonzero(~is_kept).astype(np.int32)
        top = len(levels) - 1
        placed = tuple(top if number == _ROOT else number for number in (*numbers, _ROOT))
        return cls(Taxonomy(kept, tuple(levels)), left_out, before, placed)

    def ranges(self, lo: CodeArray, hi: CodeArray) -> tuple[CodeArray, CodeArray]:
        """Give ranges of codes of the whole taxonomy as ranges of kept ones."""
        return self.before[lo], self.before[hi]


@define(eq=False, frozen=True)
class PublicDomains:
    """The values of columns that recipients may know: of all columns that have others as well.

    Recipients may know what published records have, what a rule lists whatever the records have
    (a tree, a file), what earlier releases showed, and what the populations have that promises
    refer to.

    Attributes
    ----------
    columns
        The restricted taxonomies, by column. What is not among them has no value that is not known.
    """

    columns: Mapping[str, Restriction]

    @classmethod
    def of(
        cls,
        table: Table,
        rows: CountArray | None,
        names: Collection[str],
        populations: Collection[Table] = (),
    ) -> Self:
        """Find out which values of some columns recipients may know.

        Parameters
        ----------
        table
            The original records.
        rows
            Those that are published; None if all are.
        names
            The columns.
        populations
            Populations, in the same numbering of values.
        """
        found = {}
        for name in names if rows is not None else ():
            taxonomy = table.taxonomy(name)
            is_kept = table.builder(name).listed(taxonomy)
            is_kept[table.codes(name)[rows]] = True
            for population in populations:
                if name in population.schema.names:
                    is_kept[population.codes(name)] = True
            if not is_kept.all():
                found[name] = Restriction.of(taxonomy, is_kept)
        return cls(found)

    @classmethod
    def without(cls, attributes: Sequence[Attribute], left_out: Mapping[str, CodeArray]) -> Self:
        """Take the domains of attributes without the values of these codes."""
        found = {}
        for attribute in attributes:
            is_kept = np.ones(attribute.taxonomy.n, bool)
            is_kept[left_out[attribute.name]] = False
            if not is_kept.all():
                found[attribute.name] = Restriction.of(attribute.taxonomy, is_kept)
        return cls(found)

    @property
    def left_out(self) -> dict[str, CodeArray]:
        """The codes of the values that recipients may not know, by column."""
        return {name: restriction.left_out for name, restriction in self.columns.items()}

    def taxonomy(self, name: str, whole: Taxonomy) -> Taxonomy:
        """Give the taxonomy of a column as recipients may know it."""
        return self.columns[name].taxonomy if name in self.columns else whole

    def attributes(self, attributes: Sequence[Attribute]) -> tuple[Attribute, ...]:
        """Give attributes with the taxonomies that recipients may know."""
        return tuple(evolve(a, taxonomy=self.taxonomy(a.name, a.taxonomy)) for a in attributes)

    def ranges(self, name: str, lo: CodeArray, hi: CodeArray) -> tuple[CodeArray, CodeArray]:
        """Give ranges of a column in the codes of its restricted taxonomy."""
        return self.columns[name].ranges(lo, hi) if name in self.columns else (lo, hi)

    def boxes(self, names: Columns, lo: CodeArray, hi: CodeArray) -> tuple[CodeArray, CodeArray]:
        """Give boxes over some columns in the codes of their restricted taxonomies."""
        if self.columns.keys().isdisjoint(names):
            return lo, hi
        lo, hi = lo.copy(), hi.copy()
        for j, name in enumerate(names):
            lo[:, j], hi[:, j] = self.ranges(name, lo[:, j], hi[:, j])
        return lo, hi

    def node(self, node: Mapping[str, int] | None) -> dict[str, int] | None:
        """Give the level of every column among those of its restricted taxonomy."""
        if node is None:
            return None
        known = self.columns
        return {n: known[n].levels[i] if n in known else int(i) for n, i in node.items()}

    def table(self, table: Table) -> Table:
        """Read records that are published, or people of a population, with these domains."""
        given = {
            name: ReadyMade(restriction.taxonomy)
            for name, restriction in self.columns.items()
            if name in table.schema.names
        }
        if not given:
            return table
        columns = (
            evolve(plan, taxonomy=given.get(plan.name, plan.taxonomy))
            for plan in table.schema.columns
        )
        return Table(table.frame, Schema(columns), table.origin, table.source)


def published_records(
    table: Table, rows: CountArray | None, populations: Collection[Table] = ()
) -> Table:
    """Take the records of a table that are published, in domains that recipients may know.

    What is measured against them does not depend on the suppressed records. Columns without a rule
    of their own have just the values that occur.

    Parameters
    ----------
    table
        The original records.
    rows
        Those that are published; None if all are.
    populations
        Populations, in the same numbering of values.
    """
    if rows is None or rows.size == len(table):
        return table
    ruled = [c.name for c in table.schema.columns if c.role is Role.QUASI or c.taxonomy is not None]
    domains = PublicDomains.of(table, rows, ruled, populations)
    given = {name: ReadyMade(domains.taxonomy(name, table.taxonomy(name))) for name in ruled}
    columns = (
        evolve(plan, taxonomy=given.get(plan.name, plan.taxonomy)) for plan in table.schema.columns
    )
    return Table(keep_rows(table.frame, rows), Schema(columns))


def _restricted(level: Level, is_kept: BoolArray) -> Level:
    """Restrict a level to the codes that are marked."""
    blocks = level.blocks[is_kept]
    nodes = np.unique(blocks)
    labels = None if level.labels is None else tuple(level.labels[node] for node in nodes.tolist())
    edges = None
    if level.edges is not None:
        whole = level.edges
        present = nodes[nodes < len(whole.lower)]
        edges = Edges(
            whole.lower[present],
            whole.upper[present],
            whole.open_below and bool((present[:1] == 0).any()),
            whole.open_above and bool((present[-1:] == len(whole.lower) - 1).any()),
        )
    return Level(number_runs(blocks), labels, edges)
