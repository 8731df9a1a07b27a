"""Profitability: to find out who somebody is does not pay, or the publisher can bear it.

An adversary who is after money attacks a record only if that brings more than it costs. What is
published must pay for the publisher even then [1]_.

References
----------
.. [1] Z. Wan, Y. Vorobeychik, W. Xia, E. W. Clayton, M. Kantarcioglu, R. Ganta, R. Heatherly, B. A.
   Malin. "A game theoretic framework for analyzing re-identification risk." PLOS ONE 10(3), 2015.
"""

from __future__ import annotations

import math
from enum import Enum
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import ParameterError
from unlinkable.params import at_least, exact
from unlinkable.tables.groups import Groups
from unlinkable.tables.models.base.merging import Merging
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.k_anonymity import KAnonymity
from unlinkable.tables.models.k_map import KMap
from unlinkable.tables.models.shared.population_model import PopulationModel
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["Adversary", "Profitability"]


class Adversary(Enum):
    """What an adversary knows of the victim, besides the quasi-identifier."""

    PROSECUTOR = "prosecutor"
    """That the victim is in the table."""
    JOURNALIST = "journalist"
    """That the victim is in the population."""


@frozen(kw_only=True)
class Profitability(PopulationModel):
    r"""It pays to publish every record although an adversary attacks those that pay for him.

    A record of a group of :math:`n` people is attacked with success with probability
    :math:`p = 1/n`. The adversary attacks if that pays: if
    :math:`p \cdot \mathit{gain} > \mathit{cost}`. What the publisher expects of the record is
    :math:`\mathit{benefit}`, less :math:`p \cdot \mathit{loss}` if it is attacked, and that must be
    more than 0. If no attack is allowed, :math:`p \cdot \mathit{gain} \le \mathit{cost}` is asked
    for instead. All of it is decided exactly.

    A group does not show what was lost by generalizing it. So the benefit is that of a record as it
    is published: where half of the information is gone, give half of the benefit.

    Parameters
    ----------
    publisher_benefit
        What a record that is published is worth to the publisher.
    publisher_loss
        What the publisher loses if somebody is found out.
    adversary_gain
        The adversary's gain from a successful attack on a record.
    adversary_cost
        The adversary's cost of attacking a record.
    adversary
        Whom the adversary looks for. `PROSECUTOR`: somebody who is known to be in the table, where
        n people look alike. `JOURNALIST`: somebody of the population, where n people look alike; n
        is taken for 1 where nobody does.
    attack
        Whether records may be attacked if publishing pays all the same. Without, neither benefit
        nor loss matters.
    population
        For a journalist, the side table with the people of the population: a row for every person,
        with the quasi-identifying columns of the table under the same names.

    Guarantees
    ----------
    With these amounts, an adversary who counts costs and gains attacks no record (without attack),
    or only records that are worth publishing nevertheless (with attack). It protects the publisher:
    with attack and a large benefit, everybody may be found out. It does not protect against an
    adversary who is not after money, nor against one who gains from several people at once.

    Merging
    -------
    Absorbs: a union has at least as many people as each of its parts, so an attack succeeds no more
    often. Where it succeeds less often, it pays less for the adversary and harms the publisher
    less. So there is a number of people from which on the promise is kept.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> people = as_table({"job": ["cook", "cook", "cook", "clerk"]}, quasi="job")
    >>> promise = Profitability(publisher_benefit=1200, publisher_loss=300, adversary_gain=300,
    ...     adversary_cost=4, attack=False)
    >>> promise.least_people, promise.verdict(count(people).finest).achieved
    (75, {'adversary_cost': 300.0})
    """

    name: ClassVar[str] = "profitability"
    reference: ClassVar[str] = "Wan et al. 2015"
    threats: ClassVar[Threat] = Threat.RECORD
    in_words: ClassVar[str] = (
        "It pays to publish every record although an adversary attacks whatever pays for him, by "
        "the amounts that were stated."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        "It protects the publisher, not the people: with a large benefit, everybody may be "
        "exposed.",
        "An adversary who is not after money is not stopped: neighbours, the police, the press.",
    )
    parameter: ClassVar[str] = "adversary_cost"
    counts_people: ClassVar[bool] = True
    higher_is_safer: ClassVar[bool] = False

    publisher_benefit: Fraction = field(converter=exact, validator=at_least(0))
    publisher_loss: Fraction = field(converter=exact, validator=at_least(0))
    adversary_gain: Fraction = field(converter=exact, validator=at_least(0))
    adversary_cost: Fraction = field(converter=exact, validator=at_least(0))
    adversary: Adversary = field(default=Adversary.PROSECUTOR, converter=Adversary)
    attack: bool = True
    population: str | None = None

    def __attrs_post_init__(self) -> None:
        is_journalist = self.adversary is Adversary.JOURNALIST
        if is_journalist and self.population is None:
            raise ParameterError(
                "a journalist looks for his victim in a population: give population, or take the "
                "prosecutor"
            )
        if not is_journalist and self.population is not None:
            raise ParameterError(
                "a prosecutor knows that his victim is in the table, and needs no population: "
                "leave it out, or take the journalist"
            )

    @property
    def merging(self) -> Merging:
        return Merging.ABSORBS

    @property
    def least_people(self) -> int | None:
        """The least number of people who must look alike; None if no number will do."""
        enough = [n for n in (self._deterred_from, self._borne_from) if n is not None]
        return None if not enough or self._is_in_vain else min(enough)

    def judge(self, groups: Groups) -> BoolArray:
        least = self.least_people
        if least is None:
            return np.zeros(len(groups), bool)
        return self._alike(groups) >= least

    def level(self, groups: Groups) -> FloatArray:
        """Give the least cost of an attack that makes each group as it must be."""
        if self._is_in_vain:
            return np.full(len(groups), np.inf)
        people, borne = self._alike(groups), self._borne_from
        needed = float(self.adversary_gain) / people
        return needed if borne is None else np.where(people >= borne, 0.0, needed)

    def witness(self, groups: Groups, at: int) -> str:
        n = int(self._alike(groups)[at])
        where = "" if self.population is None else f" of {self.population!r}"
        least = self.least_people
        must = "no number would do" if least is None else f"at least {least} must"
        return (
            f"{n} people{where} look alike, so an attack brings "
            f"{float(self.adversary_gain) / n:.6g} and costs {float(self.adversary_cost):g}: {must}"
        )

    def consequences(self) -> tuple[GroupModel, ...]:
        """It takes a number of people who look alike, in the table or in the population."""
        least = self.least_people
        if least is None or least < 2:
            return ()
        if self.population is None:
            return (KAnonymity(least),)
        return (KMap(least, population=self.population),)

    def covers(self, other: GroupModel) -> bool:
        """Whether another one that looks at the same people asks for no more of them."""
        if not isinstance(other, Profitability) or self.population != other.population:
            return False
        mine, asked = self.least_people, other.least_people
        return mine is None or (asked is not None and asked <= mine)

    def explain_failure(self, groups: Groups) -> str:
        least, n = self.least_people, int(self._alike(groups).max(initial=0))
        if least is None:
            return (
                f"no group keeps {self}: an attack that costs nothing always pays, and a record "
                "without benefit never does; say what an attack costs, and what a record is worth"
            )
        return (
            f"{self} needs at least {least} people who look alike, and there are {n}: lower what "
            "the adversary gains or the publisher loses, or gather more data"
        )

    def _alike(self, groups: Groups) -> CountArray:
        """Count the people among whom a victim is looked for, at least one."""
        people = groups.people() if self.population is None else self.population_sizes(groups)
        return np.maximum(people, 1)

    @property
    def _is_in_vain(self) -> bool:
        """Whether nothing is to be gained from publishing, whoever attacks."""
        return self.attack and self.publisher_benefit == 0

    @property
    def _deterred_from(self) -> int | None:
        """From how many people on no attack pays; None if one always does."""
        if self.adversary_gain == 0:
            return 1
        if self.adversary_cost == 0:
            return None
        return max(math.ceil(self.adversary_gain / self.adversary_cost), 1)

    @property
    def _borne_from(self) -> int | None:
        """From how many people on an attack may be borne; None if it may not."""
        if not self.attack or self.publisher_benefit == 0:
            return None
        return math.floor(self.publisher_loss / self.publisher_benefit) + 1
