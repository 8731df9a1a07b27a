"""PRAM: post-randomization of a table, by itself or within a budget of differential privacy.

References
----------
.. [1] J. M. Gouweleeuw, P. Kooiman, L. C. R. J. Willenborg, P.-P. de Wolf. "Post randomisation for
   statistical disclosure control: theory and implementation." Journal of Official Statistics 14(4),
   1998.
.. [2] P. Kairouz, S. Oh, P. Viswanath. "Extremal mechanisms for local differential privacy." JMLR
   17, 2016. The best matrix for one column at a large epsilon is that of randomized response.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import field, frozen
from attrs.converters import optional as converted
from attrs.validators import optional

from unlinkable.errors import InfeasibleError, SchemaError, UnsupportedError
from unlinkable.noise import Budget, Ledger, Neighbours, price
from unlinkable.params import Between, as_columns, exact
from unlinkable.tables.data import (
    Schema,
    Table,
    is_listed,
    keep_rows,
    publishable_columns,
    require_listed,
)
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.models.base import All, GroupModel, NoiseModel
from unlinkable.tables.operations import (
    Change,
    PostRandomization,
    kind_of,
    refuse_own_strata,
    require_columns,
)
from unlinkable.tables.taxonomies import Kind
from unlinkable.typing import Columns

__all__ = ["PRAM"]

_PLAIN = Fraction(4, 5)
"""How many values stay if nothing is said."""

_SLACK = 1e-9
"""This share of the budget is left to rounding, which goes upwards when costs are added."""


@frozen
class PRAM(RecordMethod):
    """Replace categories by others with known probabilities, on all chosen columns.

    Without a promise it is the operation `PostRandomization` and publishes all columns. With a
    promise about noise:

    1. Only columns of categories that were listed beforehand (by a tree or a hierarchy file) are
       published, because values found among the records would tell that somebody has them.
    2. The budget is split evenly. A column of m values that may cost e keeps a value with
       probability exp(e) / (exp(e) + m - 1), and else shows any other, all as likely: no matrix of
       this price keeps more values [2]_. Missing values are answered by pure chance.
    3. Records are published in random order.

    Promises
    --------
    ``differential-privacy`` and other promises about noise, each person by himself: judged from the
    ledger, which has one event for each column. Neighbouring tables replace a person. No other
    promise: which values look alike is a matter of chance.

    Publishes
    ---------
    Records that are no longer true, the probabilities with which values stay and become others, and
    the ledger. Without a promise, the probabilities of ``frequency`` and ``invariant`` are told as
    a matrix, which is made of the counts of the column; not one of more than 400 entries, nor those
    of strata. Which values were replaced stays private.

    Parameters
    ----------
    retention
        The probability that a value stays; that it stays in the first of two steps if the change is
        ``invariant``. If not given, what the budget allows, or 0.8 without a promise.
    change
        What values become otherwise: ``uniform``, ``frequency`` or ``invariant``, as for
        `PostRandomization`. With a promise only ``uniform``, which does not look at the data.
    columns
        Which ones. If not given, the quasi-identifying and sensitive columns of categories that
        make no strata; with a promise, all listed ones.
    within
        Columns that make strata, other than those that are replaced; not with a promise.

    Cost
    ----
    O(n log n) for each column.

    Raises
    ------
    ParameterError
        If a column is to be replaced, and to make strata.
    UnsupportedError
        If a promise is asked for of a table with several records of a person, with counts that
        decide, or with columns whose values were not listed.
    InfeasibleError
        If the retention that was given costs more than is allowed.
    SchemaError
        If there is no column for it.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"sex": ["f", "m"], "ill": ["yes", "no"]}, quasi="sex",
    ...     sensitive="ill", taxonomies={"sex": ul.Tree({"any": ["f", "m"]}),
    ...     "ill": ul.Tree({"any": ["yes", "no"]})})
    >>> masked = ul.anonymize(people, privacy=ul.DifferentialPrivacy(2), method=ul.PRAM(),
    ...     seed=1).masked
    >>> round(masked.told["retention of sex"], 4), masked.frame.shape
    (0.7311, (2, 2))
    """

    name: ClassVar[str] = "pram"
    reference: ClassVar[str] = "Gouweleeuw, Kooiman, Willenborg and de Wolf 1998"
    needs_promise: ClassVar[bool] = False

    retention: Fraction | None = field(
        default=None, converter=converted(exact), validator=optional(Between(0, 1))
    )
    change: Change = field(default=Change.UNIFORM, converter=Change, kw_only=True)
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    within: Columns = field(default=(), converter=as_columns, kw_only=True)

    def bind(self, schema: Schema) -> Self:
        require_columns(schema, self.columns, self.name)
        require_columns(schema, self.within or None, f"the strata of {self.name}")
        refuse_own_strata(self.columns, self.within)
        return self

    def refusal(self, model: GroupModel) -> str | None:
        if not isinstance(model, NoiseModel):
            return (
                "values are replaced by chance, and no records are put together: promise "
                "differential-privacy or nothing, or use a method that generalizes"
            )
        if self.change is not Change.UNIFORM or self.within:
            return "probabilities that follow the counts of the data have no price: use uniform"
        return None

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        self.require(privacy, may_suppress=task.suppression > 0)
        budget = privacy.budget(len(table))
        if budget is None:
            return self._plain(table, task)
        if table.schema.owner is not None:
            raise UnsupportedError(
                f"{self} protects records, and people have several here (column "
                f"{table.schema.owner!r}): keep one record of each person"
            )
        return self._within(table, budget, task)

    def _plain(self, table: Table, task: Task) -> MaskedRecords:
        operation = PostRandomization(
            _PLAIN if self.retention is None else self.retention,
            change=self.change, columns=self.columns, within=self.within,
        )  # fmt: skip
        frame = operation.apply(table, task.rng).select(publishable_columns(table))
        return MaskedRecords(frame, np.arange(len(table)), told=operation.told(table))

    def _within(self, table: Table, budget: Budget, task: Task) -> MaskedRecords:
        """Publish what the budget allows of every column."""
        columns = self._listed(table)
        ledger, told, frame = Ledger((), Neighbours.REPLACE), {}, table.frame
        for name in columns:
            m = table.taxonomy(name).domain.n_present
            kept = self.retention or _retention(budget.epsilon / len(columns), m)
            operation = PostRandomization(kept, columns=name, answered=True)
            frame = operation.replaced(table, name, frame, task.rng)
            events = operation.cost(table, name)
            if events is None:
                raise InfeasibleError(
                    f"a retention of {float(kept):g} has no finite price on column {name!r}: leave "
                    "it to the budget"
                )
            ledger = ledger.spend(*events)
            told[f"retention of {name}"] = float(kept) if m > 1 else 1.0
        if (spent := price(ledger).at(budget.delta)) > budget.epsilon * (1 + _SLACK):
            raise InfeasibleError(
                f"a retention of {float(self.retention or 0):g} costs epsilon = {spent:.6g}, and "
                f"{budget.epsilon:g} may be spent: leave the retention to the budget"
            )
        # Records may have come in an order that tells of their values.
        mixed = keep_rows(frame.select(columns), task.rng.permutation(len(table)))
        return MaskedRecords(mixed, None, ledger=ledger, told=told)

    def _listed(self, table: Table) -> Columns:
        """Find the columns that can be published with a price."""
        if self.columns is None:
            found = tuple(
                name
                for name in publishable_columns(table)
                if is_listed(table, name) and kind_of(table, name) is Kind.CATEGORY
            )
            if not found:
                raise SchemaError(
                    f"{self.name} with a promise needs columns whose values are listed beforehand, "
                    "and there are none: give them a taxonomy by a tree or a hierarchy file"
                )
            return found
        for name in self.columns:
            require_listed(table, name)
        return self.columns


def _retention(epsilon: float, n_values: int) -> Fraction:
    """Give the largest probability to stay that costs no more."""
    spent = epsilon * (1 - _SLACK)
    kept = 1 / (1 + (n_values - 1) * math.exp(-spent)) if n_values > 1 else 0.5
    return Fraction(min(kept, 1 - 2.0**-53))
