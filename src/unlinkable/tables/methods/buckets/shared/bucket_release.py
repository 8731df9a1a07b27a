"""What methods that form buckets have in common: what they refuse, and what they publish."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from unlinkable.errors import InfeasibleError, SchemaError, UnsupportedError
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base.record_method import Buckets, MaskedRecords
from unlinkable.tables.methods.base.search import Method, Task
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.operations import Anatomization
from unlinkable.typing import CodeArray

__all__ = ["as_published", "least_values", "require_buckets", "why_not_in_buckets"]


def why_not_in_buckets(model: GroupModel) -> str | None:
    """Say why buckets cannot keep a promise, if it is about more than what they hide."""
    if model.unsearchable is not None:
        return model.unsearchable
    if not model.about_values:
        return (
            "records in buckets show all that they did before, and the promise is about more than "
            "how often a bucket has which value: use a method that generalizes, such as mondrian, "
            "promise l-diversity or t-closeness, or, against beliefs that somebody has beforehand, "
            "use r-robust-bucketization"
        )
    return None


def require_buckets(method: Method, table: Table) -> None:
    """Refuse tables that cannot be put into buckets.

    Raises
    ------
    SchemaError
        If nothing is sensitive.
    UnsupportedError
        If one person may have several records.
    InfeasibleError
        If there are no records.
    """
    if not table.schema.sensitive:
        raise SchemaError(
            f"{method} hides sensitive columns in buckets, and the table has none: say which "
            "column nobody may find out"
        )
    if (owner := table.schema.owner) is not None:
        raise UnsupportedError(
            f"{method} counts records, and by {owner!r} one person may have several: in several "
            "buckets, the values that these have in common would give the person away. Publish one "
            "record for each person, or use a method that generalizes and a promise that counts "
            "people"
        )
    if not len(table):
        raise InfeasibleError("the table has no records: there is nothing to publish")


def least_values(privacy: All, otherwise: int) -> int:
    """Find how many different values a bucket needs at least, as far as that is known beforehand.

    What follows from a promise is looked at as well: an entropy asks for a number of values.
    """
    asked = [m.least_size for model in privacy.models for m in (model, *model.consequences())]
    return max([otherwise, *asked])


def as_published(
    table: Table,
    buckets: CodeArray,
    task: Task,
    *,
    effort: Mapping[str, int],
    optimal: bool | None = None,
    facts: Mapping[str, float] | None = None,
) -> MaskedRecords:
    """Take a table apart by the bucket of each record; -1 is left out."""
    anatomy = Anatomization().bind(table.schema).apply(table, buckets, task.rng)
    sizes = np.bincount(buckets[buckets >= 0])
    sizes = sizes[sizes > 0]
    return MaskedRecords(
        frame=anatomy.frame,
        rows=anatomy.rows,
        buckets=Buckets(anatomy.column, anatomy.hidden),
        n_suppressed=len(table) - anatomy.rows.size,
        effort={"buckets": sizes.size, **effort},
        optimal=optimal,
        facts={
            "smallest bucket": float(sizes.min(initial=len(table))),
            "largest bucket": float(sizes.max(initial=0)),
            **(facts or {}),
        },
    )
