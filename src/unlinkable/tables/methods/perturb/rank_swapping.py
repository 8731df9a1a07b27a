"""Rank swapping: every value changes places with one that is nearly as large.

Swapping keeps all values of a column, and rank swapping keeps them close to where they were: sums
over parts of the table, correlations and models change little, and nobody's exact value is where it
belongs [1]_. It is one of the best masking methods by the usual scores of risk and loss [2]_.

References
----------
.. [1] R. A. Moore. "Controlled data-swapping techniques for masking public use microdata sets." US
   Bureau of the Census, 1996.
.. [2] J. Domingo-Ferrer, V. Torra. "A quantitative comparison of disclosure control methods for
   microdata." In: Confidentiality, disclosure, and data access, 2001.
.. [3] J. Nin, J. Herranz, V. Torra. "Rethinking rank swapping to decrease disclosure risk." Data
   and Knowledge Engineering 64(1), 2008.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import field, frozen

from unlinkable.kernels.perturbation import sorted_places, swap_ranks
from unlinkable.params import Between, as_columns, exact
from unlinkable.tables.data import Role, Schema, Table, publishable_columns, with_order
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.operations import NUMERIC, chosen_columns, require_columns
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns, CountArray

__all__ = ["RankSwapping"]


@frozen
class RankSwapping(RecordMethod):
    """Values of a column change places with values whose rank is at most p % of n away.

    1. The n values that are not missing are sorted; equal ones stand in random order. The rank of a
       value is its place.
    2. From the lowest on, every value that has not been swapped yet is swapped with one of those
       above it, drawn at random, that have not been swapped either and whose rank is at most
       p n / 100 higher (at least 1). So every value is swapped at most once.
    3. Where none is left, a value stays. No two such values are within reach of each other, so
       that nearly all are swapped.

    Each column is swapped for itself. Partners may have the same value, and swapping them then
    changes nothing. Missing values stay where they are: which records lack a value is not hidden.
    Categories can be swapped if they have an order: that of the leaves of their taxonomy.

    Promises
    --------
    None: no number of records look alike, and what a published value tells of the true one depends
    on what is known of its neighbours. Whoever knows p knows between which values a true one lies
    [3]_. Use it where a steward judges by risk, not by a model.

    Publishes
    ---------
    All columns as they are, but for the order of the values in the swapped ones, and p. Who swapped
    with whom stays private.

    Parameters
    ----------
    p
        How far apart ranks may be, in percent of the number of values, in (0, 100].
    columns
        Which ones. If not given, the quasi-identifying columns that hold numbers or dates.

    Cost
    ----
    O(n + c) for each column of n records and c different values. One million records: about 0.1 s.

    Raises
    ------
    ParameterError
        If p is no percentage.
    SchemaError
        If there is no such column.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [20, 30, 40, 50, 60, 70]}, quasi="age")
    >>> ul.anonymize(people, privacy=[], method=ul.RankSwapping(20),
    ...     seed=1).masked.frame["age"].to_list()
    [30, 20, 50, 40, 70, 60]
    """

    name: ClassVar[str] = "rank-swapping"
    reference: ClassVar[str] = "Moore 1996"
    needs_promise: ClassVar[bool] = False

    p: Fraction = field(
        default=Fraction(5), converter=exact, validator=Between(0, 100, has_highest=True)
    )
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)

    def bind(self, schema: Schema) -> Self:
        require_columns(schema, self.columns, self.name)
        return self

    def refusal(self, model: GroupModel) -> str | None:
        return (
            "swapped values put no records together, and swapping has no price as noise: promise "
            "nothing, or use mdav or a method that generalizes"
        )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Swap every column.

        The effort counts ``swaps``, pairs of values that changed places.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        kinds = NUMERIC if self.columns is None else tuple(Kind)
        columns = chosen_columns(table, self.columns, [Role.QUASI], kinds, self.name)
        frame, n_swaps = table.frame, 0
        for name in columns:
            partner, n_pairs = self._swapped(table, name, task.rng)
            frame, n_swaps = with_order(frame, name, partner), n_swaps + n_pairs
        rows = np.arange(len(table))
        published = frame.select(publishable_columns(table))
        return MaskedRecords(published, rows, effort={"swaps": n_swaps})

    def _swapped(self, table: Table, name: str, rng: np.random.Generator) -> tuple[CountArray, int]:
        """Tell whose value each record gets, and how many pairs there are."""
        numbered = table.numbered(name)
        domain = numbered.observed.domain
        if domain.kind is Kind.CATEGORY:
            codes, domain = table.codes(name), table.taxonomy(name).domain
        else:
            codes = numbered.codes[numbered.numbers]
        there = np.arange(codes.size, dtype=np.int32)
        if domain.has_missing:
            there = there[codes != domain.missing]
        order = sorted_places(codes, rng.permutation(there), domain.n)
        reach = max(1, order.size * self.p.numerator // (100 * self.p.denominator))
        partner = np.arange(codes.size)
        n_pairs = swap_ranks(order, reach, rng.random(order.size), partner)
        return partner, int(n_pairs)
