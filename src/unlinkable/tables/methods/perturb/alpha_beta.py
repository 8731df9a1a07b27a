r"""Alpha-beta: true records are dropped at random, and made-up ones put among them.

For every record that there could be, chance decides whether it is published, with a higher
probability if it is true. Nobody can be sure of a published record, nor rule out one that is not
published, and counts can still be estimated [1]_.

References
----------
.. [1] V. Rastogi, D. Suciu, S. Hong. "The boundary between privacy and utility in data publishing."
   VLDB 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.4.2.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from attrs import define, field, frozen
from attrs.converters import optional as converted
from attrs.validators import optional

from unlinkable.errors import InfeasibleError, ParameterError, UnsupportedError
from unlinkable.noise import Budget, Event, Ledger, Mechanism
from unlinkable.params import as_columns, exact, is_share
from unlinkable.tables.data import (
    Frame,
    Schema,
    Table,
    frame_from_codes,
    publishable_columns,
    require_listed,
)
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.models.base import All, GroupModel, NoiseModel
from unlinkable.tables.operations import happens, require_columns
from unlinkable.typing import Columns, CountArray

__all__ = [
    "AlphaBeta",
    "Chances",
    "Possible",
    "epsilon_of_chances",
    "estimated_count",
    "insert",
    "least_gamma",
]

_MOST_INSERTED = 50_000_000
"""The most records that are made up."""

_SLACK = 1e-9
"""This share of the budget is left to rounding."""


@frozen
class AlphaBeta(RecordMethod):
    r"""Leave out some true records at random, and put made-up ones among the others.

    Every true record is published with probability alpha + beta, any other with probability beta.
    The *domain* is all combinations of the values that the columns may have. The table is a set of
    records: equal ones are one, because what is published is a set as well. So counts are numbers
    of different records. The number of made-up records is drawn first, and then which ones, without
    going through the domain; records come out in random order.

    Whoever counts :math:`y` published records among those :math:`m` of the domain that answer a
    question estimates :math:`(y - \beta m) / \alpha` true ones, without bias (`estimated_count`).

    Promises
    --------
    ``differential-privacy`` and other promises about noise. Each record of the domain is decided on
    by itself, and one person more changes the decision on one record at most, so that the price is
    :math:`\epsilon = \max\{\ln\frac{\alpha+\beta}{\beta}, \ln\frac{1-\beta}{1-\alpha-\beta}\}`. It
    is judged from the ledger. The values of every column must then be listed beforehand, by a tree
    or a hierarchy file, and none may be missing. Numbers are drawn to within the precision of
    floats.

    ``d-gamma-privacy`` is not promised: here it is judged from the groups of a published table,
    which made-up records blur. The algorithm itself keeps it, for adversaries who take records for
    independent of each other, if :math:`\frac{\beta}{\alpha+\beta} \ge
    \frac{d(1-\gamma)}{\gamma(1-d)}` and :math:`\frac{1-\alpha-\beta}{1-\beta} \ge
    \frac{d}{\gamma}` (`least_gamma`); [1]_ asks for :math:`\alpha+\beta \le 1-d/\gamma`, which
    implies the latter.

    Publishes
    ---------
    True and made-up records, alpha, beta and the size of the domain. Which records are true stays
    private.

    Parameters
    ----------
    alpha
        How much more likely a true record is published than a made-up one: it is kept with
        probability alpha + beta, which is at most 1. If not given, as much as the privacy budget
        allows; 1/2 if nothing is promised.
    beta
        How likely any record is published that nobody has. The smaller, the fewer records are made
        up: give a small one if there are very many combinations of values. If not given, the one by
        which the budget keeps the most true records, 1 / (1 + exp(epsilon)), which makes up many;
        if nothing is promised, as many are made up as are left out.
    columns
        The columns that are published; all if not given.

    Cost
    ----
    O((n + r) log(n + r)) for n records and r made-up ones.

    Raises
    ------
    ParameterError
        If alpha + beta is more than 1.
    UnsupportedError
        If people have several records, or with a promise, values are missing or were not listed; if
        there are 2**62 possible records or more, or 50 million would be made up.
    InfeasibleError
        If the probabilities cost more than is allowed.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"a": [*"001122"], "b": [*"010101"]}, quasi=["a", "b"])
    >>> ul.anonymize(people, privacy=[], method=ul.AlphaBeta("1/2", "1/8"),
    ...     seed=1).masked.frame.height
    4
    """

    name: ClassVar[str] = "alpha-beta"
    reference: ClassVar[str] = "Rastogi, Suciu and Hong 2007"
    needs_promise: ClassVar[bool] = False

    alpha: Fraction | None = field(
        default=None, converter=converted(exact), validator=optional(is_share)
    )
    beta: Fraction | None = field(
        default=None, converter=converted(exact), validator=optional(is_share)
    )
    columns: Columns | None = field(default=None, converter=as_columns, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.alpha is not None and self.beta is not None and self.alpha + self.beta > 1:
            raise ParameterError(
                f"alpha + beta is a probability and must be at most 1, got {self.alpha + self.beta}"
            )

    def bind(self, schema: Schema) -> Self:
        require_columns(schema, self.columns, self.name)
        return self

    def refusal(self, model: GroupModel) -> str | None:
        if isinstance(model, NoiseModel):
            return None
        return (
            "made-up records stand among the true ones, so that groups of published records show "
            "nothing: promise differential-privacy or nothing"
        )

    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Draw what is published.

        Facts are the numbers of different records (``distinct``), of those ``kept`` and of those
        ``inserted``.
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        budget = privacy.budget(len(table))
        columns = self._published(table, is_priced=budget is not None)
        possible = Possible.of(table, columns)
        true = possible.distinct(table)
        chances = self._chances(budget, true.size, possible.size)
        expected = chances.beta * (possible.size - true.size)
        if expected > _MOST_INSERTED:
            raise UnsupportedError(
                f"about {expected:.3g} records would be made up, out of {possible.size} that there "
                f"could be: publish fewer columns, or give a beta below "
                f"{_MOST_INSERTED / possible.size:.2g}"
            )
        kept = true[happens(chances.alpha + chances.beta, true.size, task.rng)]
        made_up = insert(possible.size, true, chances.beta, task.rng)
        records = task.rng.permutation(np.concatenate([kept, made_up]))
        found = {"distinct": true.size, "kept": kept.size, "inserted": made_up.size}
        return MaskedRecords(
            possible.frame(table, records),
            None,
            ledger=None if budget is None else chances.ledger(),
            told={"alpha": chances.alpha, "beta": chances.beta, "domain": float(possible.size)},
            facts={name: float(n) for name, n in found.items()},
        )

    def _published(self, table: Table, *, is_priced: bool) -> Columns:
        if table.schema.owner is not None:
            raise UnsupportedError(
                f"{self} publishes a set of records, one for a person, and people have several "
                f"here (column {table.schema.owner!r}): keep one record of each person"
            )
        columns = publishable_columns(table) if self.columns is None else self.columns
        for name in columns if is_priced else ():
            require_listed(table, name, ", or publish other columns")
            if table.taxonomy(name).domain.has_missing:
                raise UnsupportedError(
                    f"values of column {name!r} are missing, and that would be told: fill them in"
                )
        return columns

    def _chances(self, budget: Budget | None, n: int, n_possible: int) -> Chances:
        """Settle both probabilities."""
        alpha, beta = (None if x is None else float(x) for x in (self.alpha, self.beta))
        if budget is None:
            alpha = 0.5 if alpha is None else alpha
            if beta is None:
                beta = min((1 - alpha) * n / max(n_possible - n, 1), 1 - alpha)
            return Chances(alpha, min(beta, 1 - alpha))
        epsilon = budget.epsilon * (1 - _SLACK)
        if beta is None:
            # Given alpha, the price is least where both of its parts are the same.
            beta = 1 / (1 + math.exp(epsilon)) if alpha is None else (1 - alpha) / 2
        if alpha is None:
            most = min(beta * math.exp(epsilon), 1 - (1 - beta) * math.exp(-epsilon))
            alpha = max(most - beta, 0.0)
        chances = Chances(alpha, beta)
        if not alpha or chances.epsilon > budget.epsilon:
            raise InfeasibleError(
                f"{self} costs epsilon = {chances.epsilon:.6g}, and {budget.epsilon:g} may be "
                "spent: give a smaller alpha or a larger beta, or leave both to the budget"
            )
        return chances


@frozen
class Chances:
    """The probabilities with which records are published.

    Attributes
    ----------
    alpha, beta
        A true record is published with alpha + beta, any other one with beta.
    """

    alpha: float
    beta: float

    @property
    def epsilon(self) -> float:
        """What they cost."""
        return epsilon_of_chances(self.alpha, self.beta)

    def ledger(self) -> Ledger:
        """Write down what they cost: one person more changes one record at most."""
        what = "whether each possible record is published"
        return Ledger([Event(Mechanism.PURE, {"epsilon": self.epsilon}, what=what)])


def epsilon_of_chances(alpha: float, beta: float) -> float:
    """Give what the algorithm costs; infinite if a published or missing record is a proof.

    Examples
    --------
    >>> round(epsilon_of_chances(0.25, 0.25), 6), epsilon_of_chances(0.5, 0.5)
    (0.693147, inf)
    """
    kept = alpha + beta
    if not alpha:
        return 0.0
    if not beta or kept >= 1:
        return math.inf
    return math.nextafter(max(math.log(kept / beta), math.log((1 - beta) / (1 - kept))), math.inf)


def estimated_count(n_published: int, n_possible: int, alpha: float, beta: float) -> float:
    """Estimate how many true records there are among those that answer a question.

    Parameters
    ----------
    n_published
        How many published records answer it.
    n_possible
        How many records of the domain would.
    alpha, beta
        The probabilities that were published.

    Examples
    --------
    >>> estimated_count(80, 100, 0.5, 0.25)
    110.0
    """
    return (n_published - beta * n_possible) / alpha


def least_gamma(alpha: float, beta: float, d: float) -> float:
    """Give the least gamma for which the algorithm is (d,gamma)-private; it may be more than 1.

    Examples
    --------
    >>> round(least_gamma(0.25, 0.25, 0.1), 4)
    0.1818
    """
    kept = alpha + beta
    if kept >= 1:
        return math.inf
    surer = d * kept / (d * kept + (1 - d) * beta)
    return max(surer, d * (1 - beta) / (1 - kept))


_LARGEST = 1 << 62
"""Numbers of records stay below this."""

_SMALL = 1 << 20
"""A domain of so many records may be gone through."""


@define(eq=False, frozen=True)
class Possible:
    """The records that there could be.

    Attributes
    ----------
    columns
        The columns.
    sizes
        How many values each of them may have.
    """

    columns: Columns
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, table: Table, columns: Columns) -> Self:
        """Take all combinations of the values that the taxonomies of columns have.

        Raises
        ------
        UnsupportedError
            If there are too many to number them.
        """
        found = cls(columns, tuple(table.taxonomy(name).n for name in columns))
        if found.size >= _LARGEST:
            raise UnsupportedError(
                f"there could be {float(found.size):.3g} different records, and at most 2**62 can "
                "be drawn from: publish fewer columns"
            )
        return found

    @property
    def size(self) -> int:
        """How many there are."""
        return math.prod(self.sizes)

    def distinct(self, table: Table) -> CountArray:
        """Number the different records of a table, in rising order."""
        keys = np.zeros(len(table), np.int64)
        for name, size in zip(self.columns, self.sizes, strict=True):
            keys = keys * size + table.codes(name)
        return np.unique(keys)

    def frame(self, table: Table, records: CountArray) -> Frame:
        """Write records by their numbers."""
        made, left = {}, records
        for name, size in zip(reversed(self.columns), reversed(self.sizes), strict=True):
            left, codes = np.divmod(left, size)
            made[name] = codes.astype(np.int32)
        return frame_from_codes(table, {name: made[name] for name in self.columns})


def insert(size: int, taken: CountArray, chance: float, rng: np.random.Generator) -> CountArray:
    """Draw each of the numbers below ``size`` that are not taken with a probability.

    How many there will be is drawn first, and then which: all sets of that many are as likely. A
    large domain is not gone through; numbers are drawn until enough different ones are free.

    Parameters
    ----------
    size
        How many numbers there are.
    taken
        Those that are never drawn, in rising order.
    chance
        The probability of each other number.
    rng
        The source of chance.
    """
    n = int(rng.binomial(size - taken.size, chance))
    if size <= _SMALL or 2 * (n + taken.size) > size:
        free = np.delete(np.arange(size, dtype=np.int64), taken)
        return rng.choice(free, n, replace=False)
    found = np.empty(0, np.int64)
    while found.size < n:
        more = rng.integers(0, size, 2 * (n - found.size) + 16)
        found = np.setdiff1d(np.union1d(found, more), taken, assume_unique=False)
    return rng.choice(found, n, replace=False)
