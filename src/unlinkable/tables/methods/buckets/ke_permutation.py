"""(k,e)-permutation: buckets of neighbouring numbers, as narrow as the promise allows.

References
----------
.. [1] Q. Zhang, N. Koudas, D. Srivastava, T. Yu. "Aggregate query answering on anonymized tables."
   ICDE 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.2.5.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import SchemaError, UnsupportedError, unknown
from unlinkable.kernels.buckets import narrowest_runs
from unlinkable.params import at_least, exact, exact_or_none
from unlinkable.tables.data import Schema, Table
from unlinkable.tables.engines import count_parts
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.buckets.shared.bucket_release import (
    as_published,
    least_values,
    require_buckets,
    why_not_in_buckets,
)
from unlinkable.tables.methods.shared.feasible import not_found
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.taxonomies import Kind, Scale, scale_of
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["KEPermutation"]


@frozen(kw_only=True)
class KEPermutation(RecordMethod):
    r"""Buckets of ``k`` different numbers over a range of ``e``, with the least sum of ranges.

    Records are put into buckets :math:`B` with at least k different sensitive numbers and
    :math:`\max B - \min B \ge e`, such that :math:`\sum_B (\max B - \min B)` is least: the narrower
    the buckets, the closer are sums and averages estimated from them [1]_. No partition of the
    records has a lower sum. For if the ranges of two buckets overlap or touch, both together are a
    bucket whose range is at most the sum of theirs; so the best buckets are runs of neighbouring
    values, and all records with one value are in the same. Of several best ways, one with the most
    buckets is taken.

    Promises
    --------
    (k,e)-anonymity, and any other about sensitive values alone: buckets that break one are merged
    with the nearer neighbour, as long as there are any. The verdict is counted, on the two
    published tables.

    Publishes
    ---------
    Two tables: the records with all their values except the sensitive ones, and the bucket of each;
    and for every bucket its sensitive values with their counts. That is the same as to shuffle the
    sensitive values of every bucket, and to say which records were shuffled. Records stay true.
    Which record is which original one stays with the holder.

    Parameters
    ----------
    k
        How many different numbers a bucket has at least. If not given, as many as the promises ask
        for.
    e
        The least distance of the smallest from the largest number of a bucket, in the unit of the
        column; in days if it holds dates. If not given, what the promise asks for.
    sensitive
        The column to form buckets by. If not given, the first sensitive one that holds numbers or
        dates. Other sensitive columns are hidden with it.

    Cost
    ----
    O(n) after the values were sorted, where the program over all pairs of values takes
    :math:`O(n^2)` [2]_. Records without a number are dealt out to the buckets, and do not count for
    k; the sum is then least among buckets that do not count on them.

    Raises
    ------
    UnsupportedError
        If a promise is about more than sensitive values, one person may have several records, or no
        sensitive column holds numbers or dates.
    SchemaError
        If there is no such column.
    InfeasibleError
        If all records together break a promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> staff = ul.as_table({"age": [30, 41, 35, 52, 47, 28], "pay": [10, 80, 12, 90, 14, 82]},
    ...     quasi="age", sensitive="pay")
    >>> masked = ul.anonymize(staff, privacy=ul.KEAnonymity(3, 4, sensitive="pay"),
    ...     method=ul.KEPermutation(), seed=1).masked
    >>> masked.buckets.hidden["pay"].to_list(), masked.facts["sum of ranges"]
    ([10, 12, 14, 80, 82, 90], 14.0)
    """

    name: ClassVar[str] = "ke-permutation"
    reference: ClassVar[str] = "Zhang, Koudas, Srivastava and Yu 2007"
    truthful: ClassVar[bool] = True

    k: int | None = field(default=None, validator=optional(at_least(1)))
    e: Fraction | None = field(
        default=None, converter=exact_or_none, validator=optional(at_least(0))
    )
    sensitive: str | None = None

    def bind(self, schema: Schema) -> KEPermutation:
        if self.sensitive is not None and self.sensitive not in schema.sensitive:
            raise SchemaError(
                f"{unknown('sensitive column', self.sensitive, schema.sensitive)} for {self}"
            )
        return self

    def refusal(self, model: GroupModel) -> str | None:
        return why_not_in_buckets(model)

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        require_buckets(self, table)
        column = self._column(table)
        scale = _whole_steps(column, table)
        k = self.k or least_values(privacy, 1)
        e = _least_range(privacy, column) if self.e is None else self.e
        task.progress(0.1, "forming buckets")
        starts = narrowest_runs(scale.steps, k, math.ceil(e * scale.parts))
        found = max(starts.size, 1)
        starts = starts if starts.size else np.zeros(1, np.int64)
        buckets = _buckets(table, column, starts, task.rng)
        buckets, starts = _widened(self, table, privacy, task, buckets, starts, scale)
        spans = np.append(starts[1:], scale.steps.size) - 1
        lengths = scale.steps[spans] - scale.steps[starts] if scale.steps.size else np.zeros(1)
        task.progress(0.8, "writing the two tables")
        has_missing = bool((table.codes(column) >= scale.steps.size).any())
        return as_published(
            table,
            buckets,
            task,
            effort={"values": scale.steps.size, "merged": found - starts.size},
            optimal=found == starts.size and not has_missing,
            facts={"sum of ranges": float(lengths.sum()) / scale.parts},
        )

    def _column(self, table: Table) -> str:
        """Find the column that buckets are formed by."""
        asked = table.schema.sensitive if self.sensitive is None else (self.sensitive,)
        for name in asked:
            if table.taxonomy(name).domain.kind is not Kind.CATEGORY:
                return name
        raise UnsupportedError(
            f"{self} puts neighbouring numbers together, and {', '.join(map(repr, asked))} holds "
            "categories: use anatomize"
        )


def _whole_steps(column: str, table: Table) -> Scale:
    scale = scale_of(column, table.taxonomy(column).domain)
    if scale.is_wide:
        raise UnsupportedError(
            f"the numbers of column {column!r} differ by too many digits to be added up exactly: "
            "round them"
        )
    return scale


def _least_range(privacy: All, column: str) -> Fraction:
    """Find the widest range that a promise on a column asks for, if it is measured in ``e``."""
    asked = (m for m in privacy.models if m.parameter == "e" and (column,) in m.needs())
    return max((exact(getattr(m, m.parameter)) for m in asked), default=Fraction(0))


def _buckets(table: Table, column: str, starts: CountArray, rng: np.random.Generator) -> CodeArray:
    """Give every record the bucket of its value; records without one are dealt out."""
    codes = table.codes(column)
    n_present = table.taxonomy(column).domain.n_present
    buckets = np.searchsorted(starts, np.arange(n_present + 1), side="right") - 1
    out = buckets[codes].astype(np.int32)
    missing = rng.permutation(np.flatnonzero(codes >= n_present))
    out[missing] = np.arange(missing.size) % starts.size
    return out


def _widened(
    method: KEPermutation,
    table: Table,
    privacy: All,
    task: Task,
    buckets: CodeArray,
    starts: CountArray,
    scale: Scale,
) -> tuple[CodeArray, CountArray]:
    """Merge buckets that break a promise with the nearer neighbour, until none does."""
    groups = count_parts(table, buckets, starts.size, privacy.needs())
    privacy = privacy.prepared(groups)
    while not (good := privacy.good(groups)).all():
        if starts.size == 1:
            tried = "it puts neighbouring values together, and leaves nobody out"
            everybody = evolve(task, suppression=Fraction(0))
            raise not_found(method, groups, privacy, everybody, tried=tried, instead="optimal")
        begins = _still_begin(good, starts, scale)
        parent = (np.cumsum(begins) - 1).astype(np.int32)
        starts, buckets = starts[begins], parent[buckets]
        keys = np.arange(starts.size, dtype=np.int32)[:, None]
        groups = groups.merge(parent, starts.size, groups.columns, keys)
    return buckets, starts


def _still_begin(good: BoolArray, starts: CountArray, scale: Scale) -> BoolArray:
    """Tell which buckets still begin one after each bad one went to its nearer neighbour."""
    gaps = scale.steps[starts[1:]] - scale.steps[starts[1:] - 1]
    before = np.concatenate([[np.inf], gaps.astype(float)])
    after = np.concatenate([gaps.astype(float), [np.inf]])
    goes_back = ~good & (before <= after)
    goes_on = ~good & ~goes_back
    begins: BoolArray = ~goes_back
    begins[1:] &= ~goes_on[:-1]
    return begins
