"""Uniqueness: how many people nobody looks like, in the table and in the population.

Who is unique in the table may have doubles outside of it. How many of the unique records are about
people who are unique in the population is counted, if the population is known, or estimated from a
random sample [1]_, [2]_.

References
----------
.. [1] F. K. Dankar, K. El Emam, A. Neisa, T. Roffey. "Estimating the re-identification risk of
   clinical data sets." BMC Medical Informatics and Decision Making 12:66, 2012.
.. [2] C. J. Skinner, M. J. Elliot. "A measure of disclosure risk for microdata." JRSS B 64(4),
   2002.

What the estimators of uniqueness say, and whether they were made for a sample.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, Self

from attrs import define, field, frozen
from attrs.validators import optional

from unlinkable.errors import ParameterError, UnsupportedError, unknown
from unlinkable.params import at_least, exact_or_none, is_share
from unlinkable.tables.data import Side, Table
from unlinkable.tables.models import Estimator, estimate_uniqueness
from unlinkable.tables.risk.base import Basis, RiskMeasure, fraction_of, require_one
from unlinkable.tables.risk.shared.adversary_view import AdversaryView, adversary_view
from unlinkable.typing import BoolArray, CountArray

__all__ = ["Estimated", "Uniqueness", "Uniques", "match_chance", "read_estimator"]


_SMALL = 0.1
"""Up to this fraction of the population a sample is small."""


@frozen
class Estimated:
    """What one estimator says.

    Attributes
    ----------
    estimator
        Which one.
    share
        The share of the people of the population who are unique; None without an estimate.
    is_fit
        Whether the sample is of the kind that it was made for.
    note
        Its condition, and what is the matter if it is not met.
    """

    estimator: Estimator
    share: float | None
    is_fit: bool
    note: str

    @classmethod
    def of(cls, people: CountArray, fraction: float, estimator: Estimator) -> Self:
        """Ask an estimator, and say whether it was made for this."""
        is_small = fraction <= _SMALL
        made_for, is_fit = {
            Estimator.PITMAN: ("made for fractions up to 0.1", is_small),
            Estimator.ZAYATZ: ("too high for fractions up to 0.1", not is_small),
            Estimator.SNB: ("made for fractions above 0.1", not is_small),
            Estimator.DANKAR: ("chooses among the others by the fraction", True),
        }[estimator]
        try:
            found = estimate_uniqueness(people, fraction, estimator)
        except UnsupportedError as error:
            return cls(estimator, None, False, str(error))
        if found.estimator is None:
            return cls(estimator, found.share, True, "settled by the table alone")
        return cls(estimator, found.share, is_fit, made_for)

    def to_json(self) -> dict[str, object]:
        """Give it as plain values."""
        return {
            "estimator": self.estimator.value,
            "share": self.share,
            "fit": self.is_fit,
            "note": self.note,
        }


def read_estimator(value: Estimator | str) -> Estimator:
    """Read the name of an estimator.

    Raises
    ------
    ParameterError
        If there is no such estimator.

    Examples
    --------
    >>> read_estimator("snb")
    <Estimator.SNB: 'snb'>
    """
    known = {estimator.value: estimator for estimator in Estimator}
    if isinstance(value, Estimator):
        return value
    if not isinstance(value, str) or value not in known:
        raise ParameterError(unknown("estimator", value, known))
    return known[value]


@define(eq=False, frozen=True)
class Uniques:
    """How many people nobody looks like.

    Attributes
    ----------
    n_records
        Number of records.
    is_unique
        By record, whether nobody else in the table looks like it.
    share
        The share of the records that are about people who are unique in the population; None if
        nothing is known of it, and then it is at most `sample_share`.
    basis
        What the share rests on.
    fraction
        The share of the population that is in the table, if it is known.
    estimator
        What the share was estimated with.
    estimates
        What each estimator says.
    dis
        The chance that an adversary who finds one match in the population to a unique record is
        right; None without a fraction.
    """

    n_records: int
    is_unique: BoolArray
    share: float | None
    basis: Basis
    fraction: float | None = None
    estimator: Estimator | None = None
    estimates: tuple[Estimated, ...] = ()
    dis: float | None = None

    @property
    def n_sample(self) -> int:
        """Number of records that nobody else in the table looks like."""
        return int(self.is_unique.sum())

    @property
    def sample_share(self) -> float:
        """The share of these records."""
        return self.n_sample / max(self.n_records, 1)

    def to_json(self) -> dict[str, object]:
        """Give the figures as plain values."""
        return {
            "sample": {"records": self.n_sample, "share": self.sample_share},
            "population": {
                "share": self.share,
                "basis": self.basis.value,
                "fraction": self.fraction,
                "estimator": None if self.estimator is None else self.estimator.value,
                "estimates": [estimate.to_json() for estimate in self.estimates],
                "dis": self.dis,
            },
        }


@frozen
class Uniqueness(RiskMeasure):
    r"""Count the records that nobody looks like, in the table and in the population.

    A record is a *sample unique* if nobody else in the table shows the same values on the
    quasi-identifier. It is about a *population unique* if at most one person of the population
    does.

    With a population that is counted. With the fraction of the population that is in the table it
    is estimated, in the same way as the promise `population-uniqueness` does:

    =========  ===================================  =============================================
    estimator  made for                             if its conditions are not met
    =========  ===================================  =============================================
    pitman     fractions up to 0.1                  an estimate all the same, marked as unfit; none
                                                    if the largest likelihood is not found
    zayatz     large fractions                      too high for small ones: marked as unfit
    snb        fractions above 0.1                  none without groups of two, or if the equations
                                                    have no solution
    dankar     all: pitman up to 0.1, beyond that   zayatz, where the model has no estimate
               the lower of snb and zayatz
    =========  ===================================  =============================================

    All of them need a random sample. Whatever they say, no more people are unique in the population
    than are in the table; if nobody is unique in the table, or the table is the population, that
    settles it. Without fraction or population nothing more can be said.

    The chance :math:`\mathrm{DIS} = \pi n_1 / (\pi n_1 + 2 (1 - \pi) n_2)`, with the fraction
    :math:`\pi`, :math:`n_1` unique records and :math:`n_2` pairs, is that of Skinner and Elliot
    [2]_: an adversary who finds exactly one match to a unique record is right with it.

    Parameters
    ----------
    fraction
        The share of the population that is in the table, if it is a random sample.
    size
        The number of people of the population, in place of the fraction.
    population
        The side table with the people of the population, if it is known. Give one of these three,
        or none; then the fraction follows from the weights of the records, if they have weights.
    estimator
        Which estimate is taken for the share.

    Cost
    ----
    One pass over the records to group them; estimators need the sizes of groups alone.

    Raises
    ------
    ParameterError
        If more than one of population, fraction and size is given, or the population has fewer
        people than the table.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [30, 30, 31, 31, 31, 40, 41]}, quasi="age")
    >>> found = Uniqueness(fraction=0.01).measure(people)
    >>> found.n_sample, round(found.share, 4), found.estimator.value
    (2, 0.0043, 'pitman')
    """

    name: ClassVar[str] = "uniqueness"
    reference: ClassVar[str] = "Dankar et al. 2012"

    fraction: Fraction | None = field(
        default=None, converter=exact_or_none, validator=optional(is_share)
    )
    size: int | None = field(default=None, validator=optional(at_least(1)))
    population: str | None = None
    estimator: Estimator = field(default=Estimator.DANKAR, converter=read_estimator)

    def __attrs_post_init__(self) -> None:
        require_one(self.name, self.fraction, self.size, self.population)

    def measure(self, table: Table, side: Side | Mapping[str, object] | None = None) -> Uniques:
        """Examine the quasi-identifier of a table."""
        return self.of(adversary_view(table, population=self.population, side=side))

    def of(self, seen: AdversaryView) -> Uniques:
        """Examine records that are grouped already."""
        people, n = seen.people, seen.n_records
        is_unique = (people == 1)[seen.labels]
        if seen.alike_in_population is not None:
            counted = int(seen.groups.sizes[seen.alike_in_population <= 1].sum()) / max(n, 1)
            return Uniques(n, is_unique, counted, Basis.COUNTED)
        fraction = self._fraction(seen)
        if fraction is None:
            if is_unique.any():
                return Uniques(n, is_unique, None, Basis.BOUND)
            return Uniques(n, is_unique, 0.0, Basis.SETTLED)
        estimates = tuple(Estimated.of(people, fraction, e) for e in Estimator)
        share, estimator = None, None
        try:
            found = estimate_uniqueness(people, fraction, self.estimator)
            share, estimator = found.share, found.estimator
            basis = Basis.SETTLED if estimator is None else Basis.FRACTION
        except UnsupportedError:
            basis = Basis.BOUND
        dis = match_chance(people, fraction)
        return Uniques(n, is_unique, share, basis, fraction, estimator, estimates, dis)

    def _fraction(self, seen: AdversaryView) -> float | None:
        """Estimate which share of the population is in the table, as far as it is known."""
        if self.fraction is None and self.size is None and seen.has_weights and seen.n_records:
            return min(seen.n_records / float(seen.groups.weights.sum()), 1.0)
        return fraction_of(self.fraction, self.size, seen.n_people)


def match_chance(people: CountArray, fraction: float) -> float:
    """Give the chance that one match in the population to a unique record is right.

    Examples
    --------
    >>> import numpy as np
    >>> round(match_chance(np.array([1, 1, 2, 5]), 0.1), 4)
    0.1
    """
    n_once, n_twice = int((people == 1).sum()), int((people == 2).sum())
    right = fraction * n_once
    return right / (right + 2 * (1 - fraction) * n_twice) if n_once else 0.0
