"""A marginal: how many people there are of every combination of some columns, in bins."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from attrs import frozen

from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base import MaskedRecords, RecordMethod, Task
from unlinkable.tables.methods.noisy import DPHistogram, count_marginal, marginal_rows, published
from unlinkable.tables.models.base import All, GroupModel, NoiseModel
from unlinkable.tables.publishing.anonymizing import broken
from unlinkable.tables.publishing.releases import evidence_of

if TYPE_CHECKING:
    from unlinkable.tables.series.marginals.marginals import Marginals

__all__ = ["MOST_BINS", "CountedMarginal"]

MOST_BINS = 1_000_000
"""A marginal of more bins is refused."""


@frozen(eq=False)
class CountedMarginal(RecordMethod):
    """Publish true counts of all bins of a marginal, empty ones too.

    Attributes
    ----------
    policy
        What asked for it.
    counts
        Says which columns are counted, and in which bins; none of its noise is used.
    """

    name: ClassVar[str] = "marginal"
    reference: ClassVar[str] = "Kifer and Gehrke 2006"
    groups_people: ClassVar[bool] = True

    policy: Marginals
    counts: DPHistogram

    def refusal(self, model: GroupModel) -> str | None:
        if isinstance(model, NoiseModel):
            return "counts are told without noise: name the method dp-histogram instead"
        for names in model.needs():
            for name in names:
                if name not in (self.counts.columns or ()):
                    return (
                        f"the marginal does not show {name!r}: promise k-anonymity of it. What "
                        "was promised of earlier releases is kept of all of them together"
                    )
        return None

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        self.require(privacy, may_suppress=task.suppression > 0)
        if table.schema.owner is not None:
            raise UnsupportedError(
                f"marginals count people, and a person of this table may have several records "
                f"(column {table.schema.owner!r}): reduce it to one record for each person first"
            )
        cells = self.counts.cells(table)
        axes, shape = tuple(range(len(cells))), tuple(c.n for c in cells)
        if np.prod([float(n) for n in shape]) > MOST_BINS:
            raise UnsupportedError(
                f"the marginal has more than {MOST_BINS:,} bins: count by fewer columns, or by "
                "coarser bins"
            )
        counts = count_marginal([c.codes for c in cells], shape)
        frame, column = published(cells, [marginal_rows(cells, axes)], [counts.ravel()])
        masked = MaskedRecords(frame, None, counts=column, effort={"bins": counts.size})
        found = broken(evidence_of(table, masked, privacy.models).judge(privacy.models))
        if found:
            raise InfeasibleError(
                f"the marginal by {', '.join(c.name for c in cells)} {found[0]} by itself: take "
                "coarser bins or levels, or fewer columns"
            )
        return masked

    def __str__(self) -> str:
        return str(self.policy)
