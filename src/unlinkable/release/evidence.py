"""Evidence: what a published table shows, taken as it stands.

The verifier believes nothing but the published values. It groups the records by the texts that
they show on the quasi-identifier, every distinct text a value of its own, counts what they hide,
and judges the promises again. No label, cache or class of the method that made the table is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from attrs import define

from unlinkable.engines import count
from unlinkable.groups import Groups
from unlinkable.privacy.base import All, GroupModel, Verdict
from unlinkable.release.apply import Applied
from unlinkable.table import ColumnPlan, Role, Schema, Table, TaxonomyBuilder
from unlinkable.table.builders.given import Given
from unlinkable.table.builders.verbatim import Verbatim
from unlinkable.table.recoded import Frame, as_texts, beside, keep_rows
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
        For every promise the texts that its worst group shows, and the size of that group.
    """

    verdicts: tuple[Verdict, ...]
    sizes: CountArray
    worst: tuple[Mapping[str, object], ...]

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
        return [
            {
                "model": str(verdict.model),
                "holds": verdict.holds,
                "basis": verdict.basis.value,
                "achieved": verdict.achieved,
                "violating_groups": int((~verdict.good).sum()),
                "worst": dict(worst),
            }
            for verdict, worst in zip(self.verdicts, self.worst, strict=True)
        ]


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
    """

    frame: Frame
    quasi: Columns
    taxonomies: Mapping[str, TaxonomyBuilder]
    owner: str | None = None

    @classmethod
    def of(cls, table: Table, applied: Applied, models: tuple[GroupModel, ...]) -> Self:
        """Take the published records, with the owners that stay with the holder."""
        hidden = {name for names in All(models).needs() for name in names}
        owner = table.schema.owner
        given = {n: Given(table.taxonomy(n)) for n in hidden if n in table.schema.names}
        frame = applied.frame
        if owner is not None:
            frame = beside(frame, keep_rows(table.frame, applied.rows), [owner])
        return cls(frame, table.schema.quasi, given, owner)

    def groups(self, needs: frozenset[Columns]) -> Groups:
        """Group the records by the texts that they show."""
        return count(self._table(needs), needs).finest

    def judge(self, models: tuple[GroupModel, ...]) -> Finding:
        """Judge every promise from the published values."""
        needs = All(models).needs()
        table = self._table(needs)
        groups = count(table, needs).finest
        verdicts = tuple(model.verdict(groups) for model in models)
        worst = tuple(_describe(table, groups, v) for v in verdicts)
        return Finding(verdicts, groups.sizes, worst)

    def _table(self, needs: frozenset[Columns]) -> Table:
        """Take the published texts as values without any meaning."""
        hidden = sorted({name for names in needs for name in names} - set(self.quasi))
        owner = [self.owner] if self.owner and self.owner not in hidden else []
        columns = [ColumnPlan(name, Role.QUASI, Verbatim()) for name in self.quasi]
        columns += [
            ColumnPlan(name, Role.SENSITIVE, self.taxonomies.get(name, Verbatim()))
            for name in hidden
            if name != self.owner
        ]
        columns += [ColumnPlan(name, Role.OWNER) for name in owner]
        others = [c.name for c in columns if c.role is not Role.QUASI]
        frame = as_texts(self.frame, self.quasi, others)
        return Table(frame, Schema(columns))


def _describe(table: Table, groups: Groups, verdict: Verdict) -> dict[str, object]:
    """Say what the worst group shows to the adversary of a promise, and how many records do."""
    if verdict.worst < 0:
        return {}
    columns = verdict.model.knows(groups.columns).columns
    at = [groups.columns.index(name) for name in columns]
    victim = groups.keys[verdict.worst, at]
    alike = (groups.keys[:, at] == victim).all(axis=1)
    domains = [table.taxonomy(name).domain for name in columns]
    shown = {
        name: None if code == domain.missing else domain.text(code)
        for name, domain, code in zip(columns, domains, victim.tolist(), strict=True)
    }
    return {"group": shown, "records": int(groups.sizes[alike].sum())}
