"""Median swapping: values reconstructed from what they say about a class, then generalized.

Closeness hides what a group says about its members, not who they are. Here the quasi-identifying
values are reconstructed as well: numbers become medians of stretches that mean the same for the
sensitive value, categories are drawn anew so that they go together with it as they did [1]_.

References
----------
.. [1] K. S. Babu. "Utility-based privacy preserving data publishing." PhD thesis, NIT Rourkela,
   2013. Chapter 5.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import UnsupportedError
from unlinkable.params import exact, is_share
from unlinkable.tables.data import Schema, Table, numbers_of, with_codes, with_numbers
from unlinkable.tables.groups import CROWD
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Search, Task
from unlinkable.tables.methods.perturb.shared.discrete_median import (
    Median,
    class_cuts,
    discrete_medians,
)
from unlinkable.tables.methods.perturb.shared.searching import (
    generalize,
    is_written_search,
    only_sensitive,
    searcher,
)
from unlinkable.tables.methods.perturb.shared.second_order import draw_second_order
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.operations import happens, kind_of
from unlinkable.tables.taxonomies import Kind

__all__ = ["MedianSwapping"]


@frozen
class MedianSwapping(RecordMethod):
    """Reconstruct the quasi-identifier, and generalize it until the promise holds.

    1. Every numeric quasi-identifier is cut where that tells most about the sensitive value, as
       long as that pays (`class_cuts`), and each number becomes the median of its stretch. If no
       cut pays the column says nothing of the sensitive value, and all of it becomes one median.
    2. The categories of the other quasi-identifiers are drawn anew, one column after the other,
       such that their counts together with the sensitive column, and with each other, are kept
       nearly (`draw_second_order`).
    3. The reconstructed table is generalized by a search that keeps the promise.

    The thesis anonymizes first and reconstructs afterwards. Reconstructed values fall into other
    groups than the original ones, and the promise would then hold for groups that nobody sees. So
    reconstruction comes first here, and the search works on what is published.

    Promises
    --------
    Whatever the search can keep about groups: ``n-t-closeness``, ``hellinger-closeness``,
    ``t-closeness`` and others. It is judged from the published values, as for generalized tables.
    Sensitive values are true; the quasi-identifying ones beside them were drawn by chance. Promises
    that refer to a population of true values, to people with several records, or to what people
    were before (``r-robustness``, ``bt-privacy`` and others) are refused.

    Publishes
    ---------
    Generalized medians and categories, and all other columns as they were. The cuts and what was
    drawn stay private.

    Parameters
    ----------
    sensitive
        The column that guides both steps. If not given, the only sensitive one.
    median
        What the median of an even number of values is: ``low``, ``high`` or ``average``.
    share
        The share of the records whose categories are drawn anew, in (0, 1].
    generalization
        The written form of the method that generalizes. If not given, ``mondrian``; for promises
        that it cannot keep, such as ``n-t-closeness``, ``optimal``.

    Cost
    ----
    O(n log n) for each column and each level of cuts, and the cost of the search.

    Raises
    ------
    SchemaError
        If it is not clear which column is meant.
    ParameterError
        If there is no such generalizing method.
    UnsupportedError, InfeasibleError
        If the promise cannot be kept.

    Examples
    --------
    >>> from unlinkable.noise import secure_generator
    >>> from unlinkable.tables.models import TCloseness
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.metrics import ILoss
    >>> people = as_table({"age": list(range(20, 40)), "ill": ["flu", "hiv"] * 10}, quasi="age",
    ...     sensitive="ill")
    >>> task = Task(people.attributes, ILoss(), rng=secure_generator(1))
    >>> masked = MedianSwapping().mask(people, All([TCloseness("1/10", sensitive="ill")]), task)
    >>> masked.frame["age"].unique().to_list()
    ['29']
    """

    name: ClassVar[str] = "median-swapping"
    reference: ClassVar[str] = "Babu 2013"

    sensitive: str | None = None
    median: Median = field(default=Median.LOW, converter=Median, kw_only=True)
    share: Fraction = field(default=Fraction(1), converter=exact, validator=is_share, kw_only=True)
    generalization: str | None = field(
        default=None, validator=optional(is_written_search), kw_only=True
    )

    def bind(self, schema: Schema) -> Self:
        chosen = only_sensitive(schema, self.sensitive, f"{self.name} is guided by")
        return evolve(self, sensitive=chosen)

    def refusal(self, model: GroupModel) -> str | None:
        if model.unsearchable is not None:
            return model.unsearchable
        if model.needs_owner or any(CROWD in name for names in model.needs() for name in names):
            return (
                "reconstructed values are nobody's, and cannot be compared with those of other "
                "people: use a method that generalizes"
            )
        if model.about_originals:
            return (
                "it is about people as they were, and reconstructed values are nobody's: use a "
                "method that generalizes"
            )
        return None

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        self._search(privacy, may_suppress=may_suppress)

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Reconstruct, and generalize.

        The effort is that of the search, and ``cuts``, how many were made. They are also a fact.
        """
        method = self.bind(table.schema)
        self.require(privacy, may_suppress=task.suppression > 0)
        if table.schema.owner is not None:
            raise UnsupportedError(
                f"{self} reconstructs records one by one, and people have several here (column "
                f"{table.schema.owner!r}): keep one record of each person"
            )
        reconstructed, n_cuts = method._reconstructed(table, task)
        task.progress(0.5, "reconstructed; looking for groups")
        search = self._search(privacy, may_suppress=task.suppression > 0)
        found = generalize(search, reconstructed, privacy, task)
        return MaskedRecords(
            found.frame,
            found.rows,
            n_suppressed=len(table) - found.rows.size,
            effort={**found.solution.effort, "cuts": n_cuts},
            is_complete=found.solution.is_complete,
        )

    def _search(self, privacy: All, *, may_suppress: bool) -> Search:
        """Make the method that generalizes, which must be able to keep the promise."""
        search = searcher(self.generalization or "mondrian")
        try:
            search.require(privacy, may_suppress=may_suppress)
        except UnsupportedError:
            if self.generalization is not None:
                raise
            search = searcher("optimal")
            search.require(privacy, may_suppress=may_suppress)
        return search

    def _reconstructed(self, table: Table, task: Task) -> tuple[Table, int]:
        """Give the table with reconstructed values, and count the cuts."""
        assert self.sensitive is not None
        classes, frame, n_cuts = table.codes(self.sensitive), table.frame, 0
        categories = [n for n in table.schema.quasi if kind_of(table, n) is Kind.CATEGORY]
        for name in table.schema.quasi:
            if name in categories:
                continue
            numbers = numbers_of(frame, name)
            there = np.isfinite(numbers)
            cuts = class_cuts(numbers[there], classes[there])
            numbers[there] = discrete_medians(numbers[there], cuts, self.median)
            frame, n_cuts = with_numbers(frame, name, numbers), n_cuts + cuts.size
        original = [table.codes(name) for name in categories]
        drawn = draw_second_order(classes, original, task.rng)
        is_drawn = happens(float(self.share), len(table), task.rng)
        for name, old, new in zip(categories, original, drawn, strict=True):
            frame = with_codes(frame, table, name, np.where(is_drawn, new, old))
        # Categories keep their taxonomies, whichever of their values still occur.
        same = (*categories, *table.schema.sensitive)
        taxonomies = {name: table.taxonomy(name) for name in same}
        return Table(frame, table.schema, taxonomies=taxonomies), n_cuts
