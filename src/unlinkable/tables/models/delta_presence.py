"""delta-presence: nobody can be sure that somebody is in the table, nor that they are not.

That somebody is in a table of HIV patients says all. Who knows a population that the table is taken
from compares how many people look alike in both [1]_, [2]_.

References
----------
.. [1] M. E. Nergiz, M. Atzori, C. Clifton. "Hiding the presence of individuals from shared
   databases." SIGMOD 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import DataError, ParameterError
from unlinkable.params import at_least, at_most, exact
from unlinkable.release.attacks import Threat
from unlinkable.spelling import quantity
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.k_map import KMap
from unlinkable.tables.models.shared.exact_ratios import is_within
from unlinkable.tables.models.shared.population_model import PopulationModel
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["DeltaPresence"]

_SLACK = 1e-6
"""A number of people that is rounded down may be lower by this than it should be."""


@frozen
class DeltaPresence(PopulationModel):
    r"""Everybody in the population is in the table with a probability from ``low`` to ``high``.

    For every combination :math:`q` that occurs in the population :math:`E`, generalized in the same
    way as the table :math:`T`: :math:`\mathit{low} \le |T[q]| / |E[q]| \le \mathit{high}`. People
    who look like no record are in the table with probability 0, which ``low`` must allow. Both
    bounds are met by equality, and decided exactly. If the table has an owner column, people are
    counted and not records.

    Parameters
    ----------
    low
        The least probability that somebody is in the table: from 0 to ``high``.
    high
        The largest one: up to 1.
    population
        The side table with the people of the population: a row for every person, with the
        quasi-identifying columns of the table under the same names. Everybody in the table must be
        in it.

    Guarantees
    ----------
    An adversary who knows a victim's quasi-identifying values, and that the victim is in the
    population, is at most ``high`` sure that the victim is in the table, and at most 1 - ``low``
    sure that not. With that, a victim is linked to a record or to a sensitive value with
    probability at most ``high``. It holds against an adversary who knows this population; who knows
    a smaller one that the table is taken from can be surer. Where groups overlap, as with local
    recoding, a person who looks like several of them is likelier in the table than each of them
    tells: such a release is refused.

    Merging
    -------
    Safe: the share of a union is the mediant of those of its parts, which lies between them. It
    does not absorb: with bounds 0 and 1/2, one of two people may be in the table, and together with
    the only person of another group two of three are. Leaving out a group sets the probability of
    its people to 0: if ``low`` is more than 0, no record can be suppressed.

    Examples
    --------
    >>> import unlinkable as ul
    >>> sick = ul.as_table({"job": ["cook", "cook", "cook", "clerk"]}, quasi="job")
    >>> people = {"job": ["cook"] * 4 + ["clerk"] * 2}
    >>> promise = DeltaPresence(0.5, 0.7, population="people")
    >>> verdict = ul.check(sick, promise, side={"people": people}).verdicts[0]
    >>> verdict.holds, verdict.achieved
    (False, {'high': 0.75, 'low': 0.5})
    """

    name: ClassVar[str] = "delta-presence"
    reference: ClassVar[str] = "Nergiz, Atzori and Clifton 2007"
    threats: ClassVar[Threat] = Threat.TABLE
    in_words: ClassVar[str] = (
        "Of everybody in the population, one can only say that they are in the data with a chance "
        "between {low:%} and {high:%}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It holds against an adversary who knows this population: one who knows a smaller one "
        "that the table is taken from can be surer.",
        "It says nothing about sensitive values.",
    )
    parameter: ClassVar[str] = "high"
    counts_people: ClassVar[bool] = True
    higher_is_safer: ClassVar[bool] = False
    judges_absence: ClassVar[bool] = True

    low: Fraction = field(converter=exact, validator=at_least(0))
    high: Fraction = field(converter=exact, validator=at_most(1))
    population: str = field(kw_only=True)
    _everybody: int | None = field(default=None, kw_only=True, eq=False, repr=False)

    @high.validator
    def _is_not_below(self, attribute: object, value: Fraction) -> None:
        if value < self.low:
            raise ParameterError(f"high must be at least low, which is {self.low}, got {value}")

    @property
    def merging(self) -> Merging:
        return Merging.SAFE

    @property
    def relative(self) -> bool:
        """Whether leaving records out matters: their people are then absent for sure."""
        return self.low > 0

    def prepared(self, finest: Groups) -> DeltaPresence:
        """Count the population, and refuse a table that is not taken from it.

        Raises
        ------
        DataError
            If more people of the table than of the population look alike. If nobody may be absent
            for sure, also if the records of a person do not look alike: then the person is counted
            several times, and less often after merging.
        """
        present = self._present(finest)
        if self.low and finest.owner is not None:
            n_owners = int(np.count_nonzero(finest.histograms[finest.owner,].total))
            if int(present.sum()) > n_owners:
                raise DataError(
                    f"{self} is about people who are in the table once, and some of {n_owners} "
                    "show different quasi-identifying values in different records: keep one record "
                    "of each, or set low to 0"
                )
        return evolve(self, everybody=int(self.population_sizes(finest).sum()))

    def judge(self, groups: Groups) -> BoolArray:
        present, people = self._present(groups), self.population_sizes(groups)
        return self._enough(present, people) & is_within(present, self.high, people)

    def level(self, groups: Groups) -> FloatArray:
        """Give the share of people who are in the table; infinite where it is too low."""
        present, people = self._present(groups), self.population_sizes(groups)
        share = present / np.maximum(people, 1)
        return np.where(self._enough(present, people), share, np.inf)

    def good(self, groups: Groups) -> BoolArray:
        """Decide which groups can be published if all others are suppressed.

        If nobody may be absent for sure, these are all or none.
        """
        good = self.judge(groups)
        if not self.low:
            return good
        all_there = (
            self._everybody is None or int(self.population_sizes(groups).sum()) >= self._everybody
        )
        return np.full(len(groups), all_there and bool(good.all()))

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        """Count the people that a group has too many of.

        What finer groups keep of it is at most a share ``high`` of all who look like it, and who
        goes takes at least one record along. If nobody may be absent for sure, nothing can go.
        """
        if self.low:
            return np.where(self.good(groups), 0, groups.sizes)
        most = np.floor(self.population_sizes(groups) * float(self.high) + _SLACK).astype(np.int64)
        too_many: CountArray = np.maximum(self._present(groups) - most, 0)
        return too_many

    def reached(self, groups: Groups, level: float) -> Mapping[str, float | None]:
        """Name the largest and the least probability."""
        people = self.population_sizes(groups)
        shares = (self._present(groups) / np.maximum(people, 1))[people > 0]
        if not shares.size:
            return {"high": None, "low": None}
        return {"high": float(shares.max()), "low": float(shares.min())}

    def witness(self, groups: Groups, at: int) -> str:
        present, people = int(groups.people()[at]), int(self.population_sizes(groups)[at])
        if not groups.sizes[at]:
            none = quantity(people, "person", "people")
            return (
                f"{none} of {self.population!r} who look like no record are absent for sure, and "
                f"a share of at least {float(self.low):g} must be present"
            )
        return (
            f"{present} of {people} people of {self.population!r} who look like this are in the "
            f"table, and a share from {float(self.low):g} to {float(self.high):g} may be"
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """A record is at most a share ``high`` of those who look like it."""
        if not self.high:
            return ()
        return (KMap(math.ceil(1 / self.high), population=self.population),)

    def covers(self, other: GroupModel) -> bool:
        """Whether its bounds lie within those of another one."""
        return (
            isinstance(other, DeltaPresence)
            and self.population == other.population
            and other.low <= self.low
            and self.high <= other.high
        )

    def presence_ceiling(self) -> Fraction:
        return self.high

    def weaker(self) -> DeltaPresence | None:
        low, high = self.low - Fraction(1, 20), self.high + Fraction(1, 20)
        if low <= 0 and high >= 1:
            return None
        return evolve(self, low=max(low, Fraction(0)), high=min(high, Fraction(1)))

    def explain_failure(self, groups: Groups) -> str:
        present, people = int(self._present(groups).sum()), int(self.population_sizes(groups).sum())
        return (
            f"{present} of {people} people of {self.population!r} are in the table, which is "
            f"{present / max(people, 1):.4g} of them however they are grouped: ask for bounds on "
            "both sides of that, or take a larger population"
        )

    def _present(self, groups: Groups) -> CountArray:
        """Count the people of each group who are in the table, all of whom must be known."""
        present = groups.people()
        n_strange = int(np.maximum(present - self.population_sizes(groups), 0).sum())
        if n_strange:
            raise DataError(
                f"{self} is about a table that is taken from {self.population!r}, and {n_strange} "
                "people of the table look like nobody who is left there: complete the population, "
                "or write its values as the table does"
            )
        return present

    def _enough(self, present: CountArray, people: CountArray) -> BoolArray:
        """Decide where the share of those who are present is at least ``low``."""
        if not self.low:
            return np.ones(present.size, bool)
        return is_within(people, 1 / self.low, present)
