"""Anatomize: buckets of records with different sensitive values, and nothing generalized.

References
----------
.. [1] X. Xiao, Y. Tao. "Anatomy: simple and effective privacy preservation." VLDB 2006. Figure 3,
   Properties 1 to 3, Theorem 1.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.2.4.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen
from attrs.validators import optional

from unlinkable.errors import InfeasibleError
from unlinkable.params import at_least
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.buckets.shared.bucket_problem import BucketProblem, Proposal
from unlinkable.tables.methods.buckets.shared.bucket_release import (
    as_published,
    least_values,
    require_buckets,
    why_not_in_buckets,
)
from unlinkable.tables.methods.shared.feasible import not_found
from unlinkable.tables.models.base import All, GroupModel

__all__ = ["Anatomize"]


@frozen
class Anatomize(RecordMethod):
    r"""Buckets of at least ``l`` records with different sensitive values; nothing is generalized.

    While at least ``l`` values have records left, a bucket is formed of a random record of each of
    the ``l`` that have most. A record that is left then joins a bucket that does not have its value
    [1]_. The table must be *eligible*: no value may have more than :math:`n / l` of n records. Then
    at most l - 1 records are left, there are :math:`\lfloor n / l \rfloor` buckets, and no bucket
    has a value twice.

    Promises
    --------
    Everything about sensitive values alone: l-diversity in all its forms, t-closeness and its
    relatives. The verdict is counted, on the two published tables. For promises that such buckets
    do not keep, or that do not need them (a closeness, a distinct l-diversity where one value is
    frequent), records are sorted by value and dealt out to as many buckets as keep the promise:
    every bucket is then like the whole table. Buckets that still break a promise are merged with
    others. With several sensitive columns, buckets are formed by the one with the most frequent
    value; then records with the same value on it change places until as few as possible share
    values on the others.

    Publishes
    ---------
    Two tables: the records with all their values except the sensitive ones, and the bucket of each;
    and for every bucket its sensitive values with their counts. Records stay true. Who is in which
    record is not hidden at all; which record is which original one, and the order of the original,
    stay with the holder.

    Parameters
    ----------
    l
        How many different values a bucket has at least. If not given, as many as the promise asks
        for, and at least 2.

    Cost
    ----
    O(n + b log m) for n records, b buckets and m values. If records have to be dealt out, O(n log
    n).

    Raises
    ------
    UnsupportedError
        If a promise is about more than sensitive values, or one person may have several records.
    SchemaError
        If there is no sensitive column.
    InfeasibleError
        If a value is too frequent, even after as many of its records were left out as may be.

    Examples
    --------
    >>> import unlinkable as ul
    >>> ward = ul.as_table({"age": [30, 32, 36, 38], "ill": ["flu", "hiv", "flu", "hiv"]},
    ...     quasi="age", sensitive="ill")
    >>> masked = ul.anonymize(ward, privacy=ul.FrequencyLDiversity(2, sensitive="ill"),
    ...     method=ul.Anatomize(), seed=1).masked
    >>> masked.frame["group"].to_list()
    [1, 1, 2, 2]
    >>> masked.buckets.hidden.rows()
    [(1, 'flu', 1), (1, 'hiv', 1), (2, 'flu', 1), (2, 'hiv', 1)]
    """

    name: ClassVar[str] = "anatomize"
    reference: ClassVar[str] = "Xiao and Tao 2006"
    truthful: ClassVar[bool] = True

    l: int | None = field(default=None, validator=optional(at_least(2)))  # noqa: E741

    def refusal(self, model: GroupModel) -> str | None:
        return why_not_in_buckets(model)

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        require_buckets(self, table)
        problem = BucketProblem.of(table, privacy, task)
        least = self.l or least_values(privacy, 2)
        proposal = self._whole(problem, least)
        if proposal is None:
            problem = self._without_excess(problem, least)
            proposal = self._whole(problem, least)
        if proposal is None:
            raise self._not_found(problem)
        task.progress(0.8, "writing the two tables")
        effort = {"residue": proposal.n_joined, "judged": problem.n_judged}
        return as_published(table, proposal.buckets, task, effort=effort)

    def _whole(self, problem: BucketProblem, least: int) -> Proposal | None:
        """Find buckets for all records of a problem; None if there are none."""
        problem.task.progress(0.1, "forming buckets")
        proposals = []
        if problem.peak * least <= problem.n:
            first, good = problem.anatomized(least)
            if good:
                return first
            proposals.append(problem.mended(first))
        if self.l is None:
            proposals.append(problem.dealt(problem.n // least))
        there = [proposal for proposal in proposals if proposal is not None]
        return max(there, key=lambda proposal: proposal.n_buckets, default=None)

    def _without_excess(self, problem: BucketProblem, least: int) -> BucketProblem:
        """Leave out records of values that are too frequent.

        Raises
        ------
        InfeasibleError
            If these are more than may be left out.
        """
        smaller = problem.trimmed(least)
        limit, excess = problem.task.may_suppress(problem.n), problem.n - smaller.n
        if 0 < excess <= limit and smaller.n:
            return smaller
        if not excess:
            raise self._not_found(problem)
        raise InfeasibleError(_told(self, problem, least, excess, limit))

    def _not_found(self, problem: BucketProblem) -> InfeasibleError:
        tried = "it deals out records to buckets in a few ways"
        return not_found(
            self, problem.whole, problem.privacy, problem.task, tried=tried, instead="optimal"
        )


def _told(method: Anatomize, problem: BucketProblem, least: int, excess: int, limit: int) -> str:
    said = (
        f"{method} cannot keep {problem.privacy} and leave out at most {limit} of {problem.n} "
        f"records: {problem.peak} of them share one value of {problem.lead!r}, and in buckets "
        f"of {least} different values no value may have more than one in {least}"
    )
    if excess == problem.n:
        return f"{said}. There are {problem.n_values} values: ask for no more than that"
    fits = problem.n // problem.peak
    less = f"ask for {fits} different values instead, or " if fits > 1 else ""
    return f"{said}: {less}let {excess} records be left out"
