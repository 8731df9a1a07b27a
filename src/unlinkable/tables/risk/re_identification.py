"""Re-identification: how likely a record is found, by three adversaries.

The *prosecutor* knows that their victim is in the table. The *journalist* knows only that the
victim is in the population, and wants to find anybody. The *marketer* wants to find as many as they
can, and does not mind being wrong now and then [1]_.

References
----------
.. [1] K. El Emam. "Guide to the De-Identification of Personal Health Information." CRC Press, 2013.
   The same three risks are those of ARX.
.. [2] M. Templ, A. Kowarik, B. Meindl. "Statistical disclosure control for micro-data using the R
   package sdcMicro." Journal of Statistical Software 67(4), 2015. Individual and global risk.

Figures that sum up the risk of many records.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from attrs import define, field, frozen
from attrs.validators import optional

from unlinkable.params import at_least, at_most, exact, exact_or_none, is_share
from unlinkable.tables.data import Side, Table
from unlinkable.tables.risk.base import Basis, RiskMeasure, fraction_of, require_one
from unlinkable.tables.risk.shared.adversary_view import AdversaryView, adversary_view
from unlinkable.tables.risk.shared.contribution import Contribution, contributions_of
from unlinkable.tables.risk.shared.individual_risk import individual_risk
from unlinkable.typing import CountArray, FloatArray

__all__ = ["GroupSize", "ReIdentification", "ReIdentified", "Risk", "group_sizes"]


@define(eq=False, frozen=True, slots=False)
class ReIdentified:
    """How likely people are found.

    Attributes
    ----------
    threshold
        What counts as a high risk.
    prosecutor, journalist
        The risk that each is to the records.
    marketer
        The share of the records that they are expected to find.
    basis
        What the risks of journalist and marketer rest on.
    risks, journalist_risks
        By record, the risk to be found by the prosecutor and by the journalist.
    seen
        The groups that the records form.
    """

    threshold: Fraction
    prosecutor: Risk
    journalist: Risk
    marketer: float
    basis: Basis
    risks: FloatArray = field(repr=False)
    journalist_risks: FloatArray = field(repr=False)
    seen: AdversaryView = field(repr=False)

    @cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        """What each column contributes to the prosecutor's risk."""
        return contributions_of(self.seen.groups)

    @property
    def group_sizes(self) -> tuple[GroupSize, ...]:
        """How large the groups are, from small to large; sizes that do not occur are omitted."""
        return group_sizes(self.seen.people, self.seen.groups.sizes)

    @property
    def alone(self) -> float:
        """The share of the records that nobody else's looks like."""
        sizes, people = self.seen.groups.sizes, self.seen.people
        return int(sizes[people == 1].sum()) / max(self.seen.n_records, 1)

    def to_json(self) -> dict[str, object]:
        """Give the figures as plain values, of no single record."""
        return {
            "threshold": float(self.threshold),
            "prosecutor": self.prosecutor.to_json(),
            "journalist": {**self.journalist.to_json(), "basis": self.basis.value},
            "marketer": {"share": self.marketer, "basis": self.basis.value},
            "sizes": [
                {"least": c.least, "most": c.most, "groups": c.groups, "records": c.records}
                for c in self.group_sizes
            ],
            "columns": [c.to_json() for c in self.contributions],
        }


@frozen
class ReIdentification(RiskMeasure):
    r"""Estimate re-identification risk for prosecutor, journalist and marketer.

    Records that show the same on the quasi-identifier look alike. If :math:`f` people of the table
    and :math:`F` people of the population look like a record, the prosecutor finds its owner with
    probability :math:`1/f`, and the journalist with :math:`1/F`. For each, the highest and the
    average risk of all records, and the share of the records whose risk is greater than the
    threshold. The marketer is expected to find the share :math:`\frac{1}{n} \sum 1/F` over all
    :math:`n` records. The average of the journalist is El Emam's: the greater of that and of the
    number of groups over the people of the population who look like one of them.

    What :math:`F` is depends on what is known:

    - a **population** (k-map): it is counted. Where the population has nobody who looks like a
      record, :math:`F` is taken for 1;
    - a **weight** column: how many people of the population each record stands for. The risk is the
      expectation of :math:`1/F` of Benedetti and Franconi, as in mu-Argus and sdcMicro:
      see `individual_risk`. The marketer's share is then sdcMicro's global risk;
    - a **fraction** of the population: the same, with one weight for all;
    - nothing: :math:`F \ge f`, so that nobody is in more danger than from the prosecutor. Their
      figures are given as a bound, and this is said.

    Records of the same owner are one person. The average is over records, as in the promise
    `average-risk`.

    Parameters
    ----------
    threshold
        What counts as a high risk: records whose risk is greater are counted.
    population
        The side table with the people of the population: a row for every person, with the
        quasi-identifying columns of the table under the same names.
    fraction
        The share of the population that is in the table, if it is a random sample.
    size
        The number of people of the population, in place of the fraction.

    Cost
    ----
    One pass over the records to group them; all else is done on groups. The contributions of
    columns are worked out when they are asked for.

    Raises
    ------
    ParameterError
        If more than one of population, fraction and size is given, or the population has fewer
        people than the table.

    Examples
    --------
    >>> from unlinkable.tables.data import as_table
    >>> patients = as_table({"job": ["cook", "cook", "clerk", "clerk", "clerk"]}, quasi="job")
    >>> town = {"job": ["cook"] * 10 + ["clerk"] * 4}
    >>> found = ReIdentification(population="town").measure(patients, {"town": town})
    >>> found.prosecutor.highest, found.journalist.highest, round(found.marketer, 2)
    (0.5, 0.25, 0.19)
    """

    name: ClassVar[str] = "re-identification"
    reference: ClassVar[str] = "El Emam 2013"

    threshold: Fraction = field(
        default=Fraction(1, 5), converter=exact, validator=(at_least(0), at_most(1))
    )
    population: str | None = None
    fraction: Fraction | None = field(
        default=None, converter=exact_or_none, validator=optional(is_share)
    )
    size: int | None = field(default=None, validator=optional(at_least(1)))

    def __attrs_post_init__(self) -> None:
        require_one(self.name, self.fraction, self.size, self.population)

    def measure(
        self, table: Table, side: Side | Mapping[str, object] | None = None
    ) -> ReIdentified:
        """Examine the quasi-identifier of a table."""
        return self.of(adversary_view(table, population=self.population, side=side))

    def of(self, seen: AdversaryView) -> ReIdentified:
        """Examine records that are grouped already."""
        people, sizes = seen.people, seen.groups.sizes
        by_group = 1 / people
        outside, basis = self._outside(seen, by_group)
        n = max(seen.n_records, 1)
        marketer = float(sizes @ outside) / n
        average = marketer
        if seen.alike_in_population is not None and seen.alike_in_population.sum():
            average = max(average, len(people) / int(seen.alike_in_population.sum()))
        return ReIdentified(
            threshold=self.threshold,
            prosecutor=Risk.of(by_group, sizes, float(sizes @ by_group) / n, self.threshold),
            journalist=Risk.of(outside, sizes, min(average, 1.0), self.threshold),
            marketer=marketer,
            basis=basis,
            risks=seen.of_records(by_group),
            journalist_risks=seen.of_records(outside),
            seen=seen,
        )

    def _outside(self, seen: AdversaryView, inside: FloatArray) -> tuple[FloatArray, Basis]:
        """Estimate a population victim's risk by group, and the basis of the estimate."""
        if seen.alike_in_population is not None:
            return 1 / np.maximum(seen.alike_in_population, 1), Basis.COUNTED
        if seen.has_weights:
            return individual_risk(seen.people, seen.weighted_people), Basis.WEIGHTS
        fraction = fraction_of(self.fraction, self.size, seen.n_people)
        if fraction is not None:
            return individual_risk(seen.people, seen.people / fraction), Basis.FRACTION
        return inside, Basis.BOUND


_EDGES = (1, 2, 3, 4, 5, 10, 20, 50, 100, 1000)
"""Groups are told by their size: from one of these up to the next."""


@frozen
class Risk:
    """The risk that one adversary is to the records.

    Attributes
    ----------
    highest, average
        Of all records.
    n_above, above
        The records whose risk is greater than the threshold, and their share.
    n_highest
        How many records have the highest risk.
    """

    highest: float
    average: float
    n_above: int
    above: float
    n_highest: int

    @classmethod
    def of(
        cls, by_group: FloatArray, sizes: CountArray, average: float, threshold: Fraction
    ) -> Self:
        """Sum up the risk of groups of records."""
        n = max(int(sizes.sum()), 1)
        highest = float(by_group.max(initial=0.0))
        # 1/5 and 0.2 are rounded to the same number: records at the threshold are not above it.
        n_above = int(sizes[by_group > float(threshold)].sum())
        return cls(highest, average, n_above, n_above / n, int(sizes[by_group == highest].sum()))

    def to_json(self) -> dict[str, object]:
        """Give it as plain values."""
        return {
            "highest": self.highest,
            "average": self.average,
            "above": self.above,
            "records_above": self.n_above,
            "records_at_highest": self.n_highest,
        }


@frozen
class GroupSize:
    """Groups of about the same size.

    Attributes
    ----------
    least, most
        The number of people in them; None if there is no end.
    groups, records
        How many such groups, and records in them.
    """

    least: int
    most: int | None
    groups: int
    records: int

    @property
    def text(self) -> str:
        """The size, for people."""
        if self.most is None:
            return f"{self.least:,} or more"
        return str(self.least) if self.least == self.most else f"{self.least:,} to {self.most:,}"


def group_sizes(people: CountArray, sizes: CountArray) -> tuple[GroupSize, ...]:
    """State how large groups are, from small to large; sizes that do not occur are omitted.

    Examples
    --------
    >>> [(c.text, c.groups) for c in group_sizes(np.array([1, 7, 9, 1]), np.array([1, 7, 9, 1]))]
    [('1', 2), ('5 to 9', 2)]
    """
    at = np.searchsorted(_EDGES, people, side="right") - 1
    groups = np.bincount(at, minlength=len(_EDGES))
    records = np.bincount(at, sizes, minlength=len(_EDGES)).astype(np.int64)
    lasts = [*(edge - 1 for edge in _EDGES[1:]), None]
    told = zip(_EDGES, lasts, groups.tolist(), records.tolist(), strict=True)
    return tuple(GroupSize(*row) for row in told if row[2])
