"""k-map: every published record could be about any of k people of the population.

k-anonymity asks for k people in the table. Somebody who does not know who is in the table must look
in the population, where more people look alike; so less has to be generalized [1]_, [2]_.

References
----------
.. [1] L. Sweeney. "Computational disclosure control: a primer on data privacy protection." PhD
   thesis, MIT, 2001.
.. [2] K. El Emam, F. K. Dankar. "Protecting privacy using k-anonymity." JAMIA 15(5), 2008.
"""

from __future__ import annotations

from typing import ClassVar

from attrs import evolve, field, frozen

from unlinkable.params import at_least
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.population_uniqueness import PopulationUniqueness
from unlinkable.tables.models.shared.gaps import NOTHING_IN_COMMON
from unlinkable.tables.models.shared.population_model import PopulationModel
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["KMap"]


@frozen
class KMap(PopulationModel):
    r"""Every published group is looked like by at least ``k`` people of the population.

    For every combination :math:`q` that is published, with :math:`E` the population generalized in
    the same way: :math:`|E[q]| \ge k`. The population alone is counted, also where the table shows
    more people than it: then the population is not complete, and who looks in it does not know.

    Parameters
    ----------
    k
        The least number of people of the population who look alike.
    population
        The side table with the people of the population: a row for every person, with the
        quasi-identifying columns of the table under the same names. Other columns do not matter.

    Guarantees
    ----------
    An adversary who looks for the person behind a record in the population finds at least k who
    could be meant. It says nothing against an adversary who knows that their victim is in the
    table, where fewer people may look alike, and nothing about what the records have in common.

    Merging
    -------
    Absorbs: a union is looked like by at least as many people as each of its parts.

    Examples
    --------
    >>> import unlinkable as ul
    >>> sick = ul.as_table({"job": ["cook", "clerk"]}, quasi="job")
    >>> people = {"job": ["cook", "cook", "cook", "clerk", "clerk"]}
    >>> ul.check(sick, KMap(3, population="people"), side={"people": people}).verdicts[0].achieved
    {'k': 2}
    """

    name: ClassVar[str] = "k-map"
    reference: ClassVar[str] = "Sweeney 2001"
    threats: ClassVar[Threat] = Threat.RECORD
    in_words: ClassVar[str] = (
        "Everybody in the release looks like at least {k} people of the population {population}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It does not stop an adversary who knows that the victim is in the data: there, fewer "
        "people may look alike.",
        NOTHING_IN_COMMON,
        "It does not hide that somebody is in the data.",
    )
    parameter: ClassVar[str] = "k"

    k: int = field(validator=at_least(1))
    population: str = field(kw_only=True)

    @property
    def merging(self) -> Merging:
        return Merging.ABSORBS

    def judge(self, groups: Groups) -> BoolArray:
        return self.population_sizes(groups) >= self.k

    def level(self, groups: Groups) -> FloatArray:
        return self.population_sizes(groups).astype(float)

    def witness(self, groups: Groups, at: int) -> str:
        n = int(self.population_sizes(groups)[at])
        return f"{n} people of {self.population!r} look like this, and at least {self.k} must"

    def consequences(self) -> tuple[GroupModel, ...]:
        """Who looks like somebody else in the population is not unique there."""
        if self.k < 2:
            return ()
        return (PopulationUniqueness(0, population=self.population),)

    def weaker(self) -> KMap | None:
        return evolve(self, k=self.k - 1) if self.k > 2 else None

    def explain_failure(self, groups: Groups) -> str:
        n = int(self.population_sizes(groups).sum())
        return (
            f"{self} needs at least {self.k} people who look alike, and {self.population!r} has "
            f"{n}: ask for k of at most {n}, or take a larger population"
        )
