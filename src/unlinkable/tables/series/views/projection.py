"""Projection: some columns of selected records as they are, each combination once."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import InfeasibleError, SchemaError, unknown
from unlinkable.tables.attacks.base import Target
from unlinkable.tables.attacks.series import Edition, Selection, Series, ViewJoin, read_axis
from unlinkable.tables.data import Table, keep_rows
from unlinkable.tables.groups import number_rows
from unlinkable.tables.methods.base import MaskedRecords, RecordMethod, Task
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.typing import BoolArray, Columns

if TYPE_CHECKING:
    from unlinkable.tables.series.views.multiple_views import MultipleViews

__all__ = ["Projection", "selected"]


@frozen(eq=False)
class Projection(RecordMethod):
    """Publish the different rows that selected records show on some columns.

    Attributes
    ----------
    policy
        What asked for it.
    columns, selection
        What is published of which records.
    alone
        The attack that the view must withstand by itself, if there is no earlier one.
    """

    name: ClassVar[str] = "projection"
    reference: ClassVar[str] = "Yao, Wang and Jajodia 2005"
    truthful: ClassVar[bool] = True
    needs_promise: ClassVar[bool] = False

    policy: MultipleViews
    columns: Columns
    selection: Selection
    alone: ViewJoin | None = field(default=None)

    def refusal(self, model: GroupModel) -> str | None:
        return (
            "rows are published as they are, each once, and no records are put together: name a "
            "method that keeps the promise, and give it a table of the columns of the view"
        )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        self.require(privacy, may_suppress=task.suppression > 0)
        chosen = np.flatnonzero(selected(table, self.selection))
        if not chosen.size:
            raise InfeasibleError(f"no record meets {self.policy.selection!r}: nothing to publish")
        told = [table.numbered(name) for name in self.columns]
        rows = np.column_stack([one.codes[one.numbers][chosen] for one in told])
        first = chosen[number_rows(np.ascontiguousarray(rows))[1]]
        frame = keep_rows(table.frame, first).select(self.columns)
        masked = MaskedRecords(
            frame,
            first.astype(np.int64),
            told={"columns": ", ".join(self.columns), "selection": self.policy.selection},
            effort={"rows": first.size, "records": chosen.size},
        )
        self._require_alone(table, masked)
        return masked

    def _require_alone(self, table: Table, masked: MaskedRecords) -> None:
        """Refuse a first view that tells too much by itself."""
        attack = self.alone
        if attack is None:
            return
        schema, shown = table.schema, masked.frame.columns
        named = (*schema.quasi, *schema.sensitive)
        target = Target(
            masked.frame,
            tuple(n for n in schema.quasi if n in shown),
            tuple(n for n in schema.sensitive if n in shown),
            {n: table.taxonomy(n) for n in named},
        )
        series = Series((Edition(target, name="this view"),))
        known = tuple(n for n in attack.identity or target.quasi if n in shown)
        hidden = (*shown, *self.selection.columns)
        about = tuple(n for n in (attack.sensitive,) if n in hidden and n not in known)
        if not (known and about):
            return
        found = attack.exposure(attack.views(series), known, about)
        if found.n_fallen:
            raise InfeasibleError(
                f"this view alone leaves {found.n_fallen:,} of {found.n_attacked:,} people with "
                f"fewer than {self.policy.k} values of {attack.sensitive!r}: leave out a column, "
                "select otherwise, or name a method that generalizes it"
            )

    def __str__(self) -> str:
        return str(self.policy)


def selected(table: Table, selection: Selection) -> BoolArray:
    """Tell which records of a table meet a selection.

    Raises
    ------
    SchemaError
        If it compares a column that is not there.
    ParameterError
        If it compares categories by order.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [40, 50, 60]}, quasi="age")
    >>> selected(people, Selection.read("40 < age < 60")).tolist()
    [False, True, False]
    """
    chosen = np.ones(len(table), bool)
    for name in selection.columns:
        if name not in table.schema.names:
            raise SchemaError(f"{unknown('column', name, table.schema.names)} to select by")
        asked = [c for c in selection.conditions if c.column == name]
        axis, (texts,), masks = read_axis(name, [table.frame], [None], asked)
        for mask in masks:
            chosen &= mask[axis.atoms[axis.indptr[texts]]]
    return chosen
