"""Population uniqueness: few records are about people whom nobody in the population looks like.

Who is unique in the population is found by everybody who knows them, in every table. How many such
people a table shows is counted in the population, or estimated from the table, if it is a random
sample [1]_, [2]_.

References
----------
.. [1] F. K. Dankar, K. El Emam, A. Neisa, T. Roffey. "Estimating the re-identification risk of
   clinical data sets." BMC Medical Informatics and Decision Making 12:66, 2012.
.. [2] C. J. Skinner, D. J. Holmes. "Estimating the re-identification risk per record in microdata."
   Journal of Official Statistics 14(4), 1998.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.params import at_least, at_most, exact, exact_or_none, is_share
from unlinkable.release import Basis
from unlinkable.release.attacks import Threat
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.models.shared.gaps import NOTHING_IN_COMMON
from unlinkable.tables.models.shared.population_model import PopulationModel
from unlinkable.tables.models.shared.uniqueness.estimate import (
    Estimate,
    Estimator,
    estimate_uniqueness,
)
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["PopulationUniqueness"]


@frozen
class PopulationUniqueness(PopulationModel):
    r"""At most a ``share`` of the records are about people who are unique in the population.

    With a population: the share of the records that at most one person of the population looks
    like. With the fraction of the population that is in the table: the same share, estimated by
    :math:`S_1 / N`, where :math:`S_1` of the :math:`N` people of the population are expected to be
    unique; it is never more than the share of those who are unique in the table. If the table has
    an owner column, estimates are made from the number of people in each group. All groups share
    the verdict.

    Parameters
    ----------
    share
        The largest share of records about unique people: from 0 to 1.
    fraction
        The share of the population that is in the table, if it is a random sample.
    population
        The side table with the people of the population, if it is known: a row for every person,
        with the quasi-identifying columns of the table under the same names. Give this or
        ``fraction``.
    estimator
        How to estimate. `PITMAN`: Pitman's sampling formula at its largest likelihood, for small
        fractions. `ZAYATZ`: Bayes' rule, with the group sizes of the table for those of the
        population. `SNB`: slide negative binomial group sizes, for large fractions. `DANKAR`: the
        first one for fractions up to 0.1 and the lower one of the others beyond, with Zayatz's
        where a model has no estimate. A table for which an estimator has no estimate does not keep
        the promise.

    Guarantees
    ----------
    With a population it is counted: so many records at most can be told for certain by an adversary
    who knows the population. An estimate is right on average for random samples, and only as good
    as its model; the verdict says which one it rests on. Nothing is said about people who are
    unique in the table and have doubles in the population, nor about groups of two.

    Merging
    -------
    With a population, safe: a union is looked like by no fewer people than its parts, so a coarser
    table has no more records that are unique. With an estimate, unsafe: the fewer groups of two
    there are, the likelier a group of one is unique. With Zayatz's estimator and a fraction of 1/2,
    a table of the sizes 1, 2, 2 is estimated lower than one of the sizes 1, 4. A group says nothing
    without the others. Leaving records out changes the shares, so the rest is judged again. With a
    population, unique records go until few enough are left; with an estimate, all who are unique in
    the table go, because a sample that was picked from has no estimate.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"age": [30, 30, 31, 31, 31, 40, 41]}, quasi="age")
    >>> promise = PopulationUniqueness(0.05, fraction=0.01)
    >>> verdict = promise.verdict(count(people).finest)
    >>> verdict.holds, round(verdict.level, 4), verdict.reading
    (True, 0.0043, 'estimated with pitman from 0.01 of the population')
    """

    name: ClassVar[str] = "population-uniqueness"
    reference: ClassVar[str] = "Dankar et al. 2012"
    threats: ClassVar[Threat] = Threat.RECORD
    in_words: ClassVar[str] = (
        "At most {share:%} of the records are about people who are unique in the population."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "An estimate is not a count: it is as good as its model, and holds for random samples "
        "only.",
        "It says nothing about people who have a double.",
        NOTHING_IN_COMMON,
    )
    parameter: ClassVar[str] = "share"
    counts_people: ClassVar[bool] = True
    higher_is_safer: ClassVar[bool] = False

    share: Fraction = field(converter=exact, validator=(at_least(0), at_most(1)))
    fraction: Fraction | None = field(
        default=None, converter=exact_or_none, validator=optional(is_share), kw_only=True
    )
    population: str | None = field(default=None, kw_only=True)
    estimator: Estimator = field(default=Estimator.DANKAR, converter=Estimator, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if (self.fraction is None) == (self.population is None):
            raise ParameterError(
                f"{self.name} needs the fraction of the population that is in the table, or the "
                "population itself: give one of fraction and population"
            )

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE if self.population is None else Merging.SAFE

    @property
    def collective(self) -> bool:
        return True

    def judge(self, groups: Groups) -> BoolArray:
        return np.full(len(groups), self._holds(groups))

    def level(self, groups: Groups) -> FloatArray:
        """Give the share of unique records, for every group; infinite without an estimate."""
        return np.full(len(groups), self._share(groups))

    def good(self, groups: Groups) -> BoolArray:
        """Decide which groups can be published if all others are suppressed."""
        good = np.ones(len(groups), bool)
        if self._holds(groups):
            return good
        if self.population is None:
            return groups.people() > 1
        unique = np.flatnonzero(self._is_unique(groups))
        order = unique[np.argsort(groups.sizes[unique], kind="stable")]
        good[order[: self._n_too_many(groups, order)]] = False
        return good

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Give up all records if more unique ones must go than records may.

        In a finer release no fewer records are unique. Which ones go, it may choose.
        """
        if self.population is None or self._holds(groups):
            return np.zeros(len(groups), np.int64)
        n_unique, n = int(groups.sizes[self._is_unique(groups)].sum()), groups.n_records
        must = (n_unique - self.share * n) / (1 - self.share)
        return groups.sizes if must > limit else np.zeros(len(groups), np.int64)

    def basis(self, groups: Groups) -> Basis:
        return Basis.ESTIMATED if self.population is None else Basis.COUNTED

    def reading(self, groups: Groups) -> str:
        """State how the share was estimated."""
        if self.population is not None:
            return ""
        found = self._estimate(groups)
        if isinstance(found, UnsupportedError):
            return f"no estimate: {found}"
        if found.estimator is None:
            return "settled by those who are unique in the table"
        fraction = float(self.fraction or 1)
        return f"estimated with {found.estimator.value} from {fraction:g} of the population"

    def witness(self, groups: Groups, at: int) -> str:
        share = self._share(groups)
        if share == np.inf:
            return self.reading(groups)
        n = int(groups.sizes[at])
        return (
            f"a share of {share:.4g} of all records is about people who are unique in the "
            f"population (this group has {n}), and at most {float(self.share):g} may be"
        )

    def weaker(self) -> PopulationUniqueness | None:
        more = self.share + Fraction(1, 100)
        return evolve(self, share=more) if more < 1 else None

    def _holds(self, groups: Groups) -> bool:
        if self.population is None:
            return self._share(groups) <= float(self.share)
        n_unique = groups.sizes[self._is_unique(groups)].sum(keepdims=True)
        return bool(is_within(n_unique, self.share, groups.sizes.sum(keepdims=True)).all())

    def _share(self, groups: Groups) -> float:
        """Count or estimate the share of unique records; infinite without an estimate."""
        if self.population is None:
            found = self._estimate(groups)
            return np.inf if isinstance(found, UnsupportedError) else found.share
        return float(groups.sizes[self._is_unique(groups)].sum()) / max(groups.n_records, 1)

    def _estimate(self, groups: Groups) -> Estimate | UnsupportedError:
        try:
            return estimate_uniqueness(groups.people(), float(self.fraction or 1), self.estimator)
        except UnsupportedError as error:
            return error

    def _is_unique(self, groups: Groups) -> BoolArray:
        """Mark the groups that at most one person of the population looks like."""
        return self.population_sizes(groups) <= 1

    def _n_too_many(self, groups: Groups, order: CountArray) -> int:
        """Count the groups that go, in this order, until few enough records are unique."""
        gone = np.append(0, np.cumsum(groups.sizes[order]))
        left = gone[-1] - gone
        return int(np.argmax(is_within(left, self.share, groups.n_records - gone)))
