"""Evidence: what a published table shows, taken as it stands.

The verifier believes nothing but the published values. It groups the records by the texts that
they show on the quasi-identifier, every distinct text a value of its own, counts what they hide,
and judges the promises again. What is hidden may show nodes of its taxonomy among its values. No
label, cache or class of the method that made the table is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Self

from attrs import define, field

from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import (
    ColumnPlan,
    Frame,
    PublicDomains,
    Role,
    Schema,
    Table,
    as_texts,
    beside,
    keep_rows,
)
from unlinkable.tables.engines import count
from unlinkable.tables.groups import POPULATION_PREFIX, Groups, population_column
from unlinkable.tables.models import Implied, implied
from unlinkable.tables.models.base import All, GroupModel, Verdict
from unlinkable.tables.publishing.anonymizing.apply import Applied
from unlinkable.tables.publishing.judging.crowds import NOBODY, met, renamed
from unlinkable.tables.taxonomies.builders import NodeValues, TaxonomyBuilder, Verbatim
from unlinkable.typing import Columns, CountArray

__all__ = ["Evidence", "Finding"]


@define(eq=False, frozen=True)
class Finding:
    """What a table was found to keep.

    Attributes
    ----------
    verdicts
        One for every promise.
    sizes
        Number of records in each group that was looked at.
    worst
        For every promise the texts that its worst group shows, the size of that group, and what is
        the matter with it.
    implied
        Promises that follow from the others, so that making them adds nothing.
    """

    verdicts: tuple[Verdict, ...]
    sizes: CountArray
    worst: tuple[Mapping[str, object], ...]
    implied: tuple[Implied, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every promise is kept."""
        return all(v.holds for v in self.verdicts)

    @property
    def n_records(self) -> int:
        """Number of records that were looked at."""
        return int(self.sizes.sum())

    @property
    def n_groups(self) -> int:
        """Number of groups that they form."""
        return self.sizes.size

    def to_json(self) -> list[dict[str, object]]:
        """Give the verdicts as they are printed with ``--json``."""
        by = self._implied_by()
        return [
            {
                "model": str(verdict.model),
                "holds": verdict.holds,
                "basis": verdict.basis.value,
                "achieved": verdict.achieved,
                "violating_groups": int((~verdict.good).sum()),
                "worst": dict(worst),
                **({"reading": verdict.reading} if verdict.reading else {}),
                **({"implied_by": by[i]} if i in by else {}),
            }
            for i, (verdict, worst) in enumerate(zip(self.verdicts, self.worst, strict=True))
        ]

    def _implied_by(self) -> dict[int, list[str]]:
        """Say which promises follow from others, by place: of two that are equal the second."""
        models = [verdict.model for verdict in self.verdicts]
        by: dict[int, list[str]] = {}
        for found in reversed(self.implied):
            places = [i for i, m in enumerate(models) if m == found.model and i not in by]
            by[places[-1]] = [str(model) for model in found.by]
        return by


@define(eq=False, frozen=True)
class Evidence:
    """A published table, and what is needed to judge it.

    Attributes
    ----------
    frame
        The published records, and the owner column if it is at hand.
    quasi
        The columns that others may know.
    taxonomies
        For hidden columns whose values have an order or a tree that a promise refers to.
    owner
        The column that tells which records belong to the same person.
    hidden
        What is not published of these records, row by row, and a promise refers to: what they
        were before they were generalized, and what people want guarded.
    crowds
        Populations, with taxonomies that published texts can be read with.
    """

    frame: Frame
    quasi: Columns
    taxonomies: Mapping[str, TaxonomyBuilder]
    owner: str | None = None
    hidden: Frame | None = None
    crowds: Mapping[str, Table] = field(factory=dict)

    @classmethod
    def of(
        cls,
        table: Table,
        applied: Applied,
        models: tuple[GroupModel, ...],
        domains: PublicDomains,
        crowds: Mapping[str, Table] | None = None,
    ) -> Self:
        """Take the published records, with what stays with the holder.

        Published texts are read by the ``domains`` that they were written with.
        """
        counted = {name for names in All(models).needs() for name in names}
        counted &= set(table.schema.names)
        owner, quasi = table.schema.owner, table.schema.quasi
        given = {n: NodeValues(domains.taxonomy(n, table.taxonomy(n))) for n in counted}
        frame, original = applied.frame, keep_rows(table.frame, applied.rows)
        if owner is not None:
            frame = beside(frame, original, [owner])
        unseen = sorted(n for n in counted if n in quasi or n not in frame.columns)
        hidden = original.select(unseen) if unseen else None
        people = {name: domains.table(crowd) for name, crowd in (crowds or {}).items()}
        return cls(frame, quasi, given, owner, hidden, people)

    def groups(self, needs: frozenset[Columns]) -> Groups:
        """Group the records by the texts that they show."""
        return self._count(needs)[1]

    def judge(
        self, models: tuple[GroupModel, ...], progress: Callable[[float, str], None] | None = None
    ) -> Finding:
        """Judge every promise from the published values."""
        table, groups = self._count(All(models).needs())
        self._refuse_overlaps(models, groups)
        found: list[Verdict] = []
        for i, model in enumerate(models):
            if progress is not None:
                progress(i / len(models), f"judging {model.name}")
            found += All([model]).prepared(groups).verdicts(groups)
        verdicts = tuple(found)
        worst = tuple(_describe(table, groups, v) for v in verdicts)
        there = groups.sizes[groups.sizes > 0]
        return Finding(verdicts, there, worst, implied(models, self.owner))

    def _refuse_overlaps(self, models: tuple[GroupModel, ...], groups: Groups) -> None:
        """Refuse to judge presence where people of a population look like several groups.

        Each group alone would tell too little of how likely they are in the table.
        """
        for model in models:
            for name in model.sources if model.judges_absence else ():
                n_met = int(groups.histograms[population_column(name),].total.sum())
                if n_met > len(self.crowds[name]):
                    raise UnsupportedError(
                        f"{model} cannot be judged here: people of {name!r} look like several "
                        "groups of the release, and are likelier in it than each group tells; use "
                        "a method whose groups do not overlap, such as mpalm, spalm or optimal"
                    )

    def _count(self, needs: frozenset[Columns]) -> tuple[Table, Groups]:
        told = frozenset(names for names in needs if not names[0].startswith(POPULATION_PREFIX))
        table, aliases = self._table(told)
        asked = {tuple(aliases.get(name, name) for name in names): names for names in told}
        groups = count(table, asked).finest
        if aliases:
            groups = renamed(groups, asked)
        sought = [name for name in self.crowds if (population_column(name),) in needs]
        return table, met(table, groups, {name: self.crowds[name] for name in sought})

    def _table(self, needs: frozenset[Columns]) -> tuple[Table, dict[str, str]]:
        """Take the published texts as values without any meaning, beside what is hidden.

        What a column was before it was published stands beside it under another name; these names
        are given, too.
        """
        wanted = sorted({name for names in needs for name in names} - {self.owner})
        kept = [] if self.hidden is None else [n for n in wanted if n in self.hidden.columns]
        aliases = {name: _alias(name, self.frame.columns) for name in kept}
        columns = [ColumnPlan(name, Role.QUASI, Verbatim()) for name in self.quasi]
        columns += [
            ColumnPlan(aliases.get(name, name), Role.SENSITIVE, self._taxonomy(name))
            for name in wanted
            if name in aliases or name not in self.quasi
        ]
        columns += [ColumnPlan(self.owner, Role.OWNER)] if self.owner else []
        frame = self.frame
        if self.hidden is not None and kept:
            frame = beside(frame, self.hidden.select(kept).rename(aliases), list(aliases.values()))
        others = [c.name for c in columns if c.role is not Role.QUASI]
        return Table(as_texts(frame, self.quasi, others), Schema(columns)), aliases

    def _taxonomy(self, name: str) -> TaxonomyBuilder:
        return self.taxonomies.get(name, Verbatim())


def _alias(name: str, taken: Sequence[str]) -> str:
    alias = f"{name} as it was"
    while alias in taken:
        alias += "'"
    return alias


def _describe(table: Table, groups: Groups, verdict: Verdict) -> dict[str, object]:
    """Say what the worst group shows to the adversary of a promise, and how many records do."""
    if verdict.worst < 0:
        return {}
    columns = verdict.seen_on
    at = [groups.columns.index(name) for name in columns]
    victim = groups.keys[verdict.worst, at]
    alike = (groups.keys[:, at] == victim).all(axis=1)
    domains = [table.taxonomy(name).domain for name in columns]
    shown = {
        name: None if code == domain.missing else domain.text(code)
        for name, domain, code in zip(columns, domains, victim.tolist(), strict=True)
        if code != NOBODY
    }
    return {"group": shown, "records": int(groups.sizes[alike].sum()), "why": verdict.why}
