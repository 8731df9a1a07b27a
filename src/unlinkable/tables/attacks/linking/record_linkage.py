"""record-linkage: join a release with a list of people, and see who is left with one record.

In 1997 the medical record of a governor was found by joining a table without names with the voter
roll: six people shared their birthday, three of them were men, and one lived in their zip code. An
adversary who finds few records for a person on the list has found the person, up to a small choice,
and all that the records have in common is known without any choice [1]_ [2]_. A list with misspelt
or missing values can still be linked: agreement on every column is weighed by how much it tells,
and the weights add up [3]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Sections 2.1 and 6.2.1.
.. [2] C. C. Aggarwal. "Data Mining: The Textbook." 2015. Section 20.3.
.. [3] I. P. Fellegi, A. B. Sunter. "A theory for record linkage." JASA 64 (1969).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import optional

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.params import as_columns, at_least, exact, is_flag, is_share
from unlinkable.tables.attacks.base.attack import MOST_SHOWN, Attack, Outcome, Victim
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.linking.shared.fellegi_sunter import WeighedLinks, weigh
from unlinkable.tables.attacks.linking.shared.link_report import (
    details_of,
    details_of_weights,
    found_by,
    found_by_weight,
    guess_hidden,
    learned,
    n_right,
    names_of,
    weighed_victims,
)
from unlinkable.tables.attacks.linking.shared.links import Links, link
from unlinkable.tables.attacks.shared.matching import Matching, match, shared_columns
from unlinkable.tables.attacks.shared.victims import name_column
from unlinkable.tables.data import SideTable
from unlinkable.tables.groups import Knowledge
from unlinkable.tables.models.base import Bound, GroupModel, Threat
from unlinkable.typing import BoolArray, Columns

__all__ = ["RecordLinkage"]

_MOST_CHOICES = 500
"""More sets of columns than this are not tried."""


@frozen
class RecordLinkage(Attack):
    r"""Join the release with a list of people, and see how few records are left for each.

    The adversary knows that the victim is in the table. They are left with the records :math:`T[q]`
    that are compatible with what the list tells of the victim, :math:`q`: equal where both are raw,
    overlapping where either is generalized. Each of them is the victim's with probability :math:`1
    / |T[q]|`, which is the confidence; 0 if none is left. What is hidden is certain if all of them
    hide the same.

    With ``probabilistic`` the adversary expects mistakes. A record and a person agree, nearly agree
    or differ on each column :math:`j`, or one of them tells nothing there. With the chance
    :math:`m_j` to see this for the victim's own record and :math:`u_j` for anybody's, the record's
    weight is :math:`w = \sum_j \log_2 (m_j / u_j)`. With the share :math:`\pi` of people on the
    list who have one of the :math:`N` records, the belief in it is :math:`\frac{\pi}{N} 2^{w} / (1
    - \pi + \frac{\pi}{N} \sum_{w'} 2^{w'})`, before claims of others to the same record are weighed
    against theirs. The adversary finds :math:`m` and :math:`\pi` as what makes list and release
    likeliest (EM), and :math:`u` by counting. In a generalized release this is rough, and rather
    too sure: neighbours agree nearly as often as owners.

    Parameters
    ----------
    external
        The side table with the list of people. Columns with the names of columns of the release by
        which people may be known are joined on.
    identity
        The column of the list with their names; the first that the release does not have if not
        given.
    sensitive
        The sensitive column to attack; each of them if not given.
    qid
        The columns that the adversary knows of the victim; all that the list has if not given.
    at_most
        They know at most so many of these columns, whichever they are: the worst set counts for
        each person. All of them if not given.
    probabilistic
        Whether to expect misspelt and missing values.
    one_to_one
        Whether every record is given to one person at most, the likeliest pair first; needs
        ``probabilistic``.
    limit
        Highest confidence allowed in a link of a record to a person.

    Needs
    -----
    A list of people with some of the columns that are published.

    Finds
    -----
    Who is singled out, who matches no record at all, and what is certain of whom; for each record
    how many people could have it; and the groups whose owners are all known, because as many people
    match as there are records [4]_. Everybody on the list is taken to be in the table. If the list
    is longer than the table not all of them are, which the finding says: then no more people are
    counted than there are records, nor more exposed than there are records that anybody matches.

    Cost
    ----
    A join of n people with m records takes O(n + m) for raw values and full-domain releases, and
    O((n + m) log m) for boxes that hardly overlap. With ``at_most`` there is one for every set of
    columns, and the probabilistic form needs one for every set of columns that people may agree on.

    Raises
    ------
    SchemaError
        If list and release share no column, or a column is not there.
    DataError
        If what a column shows cannot be read, or the release knows none of the values of the list.
    UnsupportedError
        If the list is empty.
    ParameterError
        If there are too many sets of columns to try.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.data.side import Side
    >>> told = pl.DataFrame({"job": ["lawyer", "dancer", "dancer"], "ill": ["hiv", "flu", "flu"]})
    >>> voters = {"name": ["Doug", "Emily"], "job": ["lawyer", "dancer"]}
    >>> knowledge = AdversaryKnowledge(Side.of({"external": voters}))
    >>> outcome = RecordLinkage().run(Target(told, ("job",), ("ill",)), knowledge)
    >>> outcome.n_fallen, outcome.victims[0].who, outcome.victims[0].learned
    (1, {'name': 'Doug'}, {'ill': 'hiv'})

    References
    ----------
    .. [4] R. C.-W. Wong, A. W.-C. Fu, K. Wang, Y. Xu, J. Pei, P. S. Yu. "Probabilistic inference
       protection on anonymized data." ICDM 2010. Section I.
    """

    name: ClassVar[str] = "record-linkage"
    reference: ClassVar[str] = "Sweeney 2002; Fellegi and Sunter 1969"
    threat: ClassVar[Threat] = Threat.RECORD
    needs: ClassVar[str] = "a list of people with some of the published quasi-identifiers"
    remedy: ClassVar[str] = (
        "k-anonymity leaves k records or none for everybody, lkc-privacy for whoever knows at most "
        "L columns; generalize the columns that tell most, or leave them out"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("k-anonymity", "lkc-privacy", "xy-anonymity")

    external: str = "external"
    identity: str | None = None
    sensitive: str | None = None
    qid: Columns | None = field(default=None, converter=as_columns)
    at_most: int | None = field(default=None, validator=optional(at_least(1)))
    probabilistic: bool = field(default=False, validator=is_flag)
    one_to_one: bool = field(default=False, validator=is_flag)
    limit: Fraction = field(default=Fraction(1, 2), converter=exact, validator=is_share)

    def __attrs_post_init__(self) -> None:
        if self.one_to_one and not self.probabilistic:
            raise ParameterError("one_to_one chooses among uncertain links: set probabilistic=true")
        if self.probabilistic and self.at_most is not None:
            raise ParameterError(
                "at_most is for people whose known columns are right: leave out probabilistic"
            )

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        """Say why the join makes no sense here."""
        if not knowledge.has(self.external):
            return f"give the list of people with {self.external}=..."
        if not target.quasi and self.qid is None:
            return "no column is known to others, so nobody can be looked for"
        if not target.is_truthful and not self.probabilistic:
            return (
                "values were replaced, so that no record need agree with its owner; "
                "probabilistic=true allows for that"
            )
        return None

    def links(self, target: Target, knowledge: AdversaryKnowledge) -> Links:
        """Join list and release, and give what is found for every person of the list.

        Raises
        ------
        ParameterError
            If there are too many sets of columns to try.
        """
        people = self._people(knowledge)
        columns = shared_columns(target, people, self.qid)
        known = Knowledge(columns, self.at_most)
        n = comb(len(columns), min(self.at_most or len(columns), len(columns)))
        if n > _MOST_CHOICES:
            raise ParameterError(
                f"{n:,} sets of {self.at_most} out of {len(columns)} columns are too many to try: "
                "name those that he may know with qid"
            )
        whole = match(target, people, columns)

        def joined() -> Iterator[Matching]:
            for i, choice in enumerate(known.combinations()):
                knowledge.progress(i / n, f"joining on {', '.join(choice)}")
                yield whole.on(choice)

        return link(target, people, joined(), self._sensitive(target))

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        """Join list and release, and tell whom it exposes."""
        if self.probabilistic:
            return self._weigh(target, knowledge)
        links = self.links(target, knowledge)
        confidence = links.probability
        # 1/n above p/q just if q is above n p: both stay far below 2^63.
        has_fallen = links.is_met & (
            links.n_records * self.limit.numerator < self.limit.denominator
        )
        certain = np.zeros(len(links.people), bool)
        for name in links.guesses:
            certain |= links.is_certain(name)
        return Outcome(
            attack=self,
            # No more people than there are records can be in the table, or be exposed.
            n_attacked=min(len(links.people), links.n_candidates.size),
            n_fallen=min(int(has_fallen.sum()), int((links.n_candidates > 0).sum())),
            highest=float(confidence.max(initial=0)),
            found=found_by(links, certain),
            victims=self._victims(target, links, certain),
            details=details_of(links, certain),
        )

    def record_ceiling(self, model: GroupModel, target: Target) -> Bound:
        # What is known of a bucket does not hide what its records show.
        return None if target.bucket is not None else model.owner_ceiling()

    def weighed(self, target: Target, knowledge: AdversaryKnowledge) -> WeighedLinks:
        """Weigh list and release, and give what is found for every person of the list."""
        people = self._people(knowledge)
        matching = match(target, people, shared_columns(target, people, self.qid))
        return weigh(matching, knowledge.rng, one_to_one=self.one_to_one)

    def _weigh(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        people, found = self._people(knowledge), self.weighed(target, knowledge)
        confidence, limit = found.confidence, float(self.limit)
        has_fallen = confidence > limit
        called = name_column(people, self.identity, target)
        right = n_right(found, people, called, knowledge.truth, has_fallen)
        guesses = guess_hidden(target, found, self._sensitive(target))
        return Outcome(
            attack=self,
            n_attacked=len(people),
            n_fallen=int(has_fallen.sum()),
            highest=float(confidence.max(initial=0)),
            found=found_by_weight(found, has_fallen, right),
            victims=weighed_victims(found, people, called, guesses),
            interval=found.interval,
            details=details_of_weights(found, right),
        )

    def _people(self, knowledge: AdversaryKnowledge) -> SideTable:
        people = knowledge.side.open(self.external)
        if not len(people):
            raise UnsupportedError(f"{self.external!r} names nobody: give a list with some people")
        return people

    def _sensitive(self, target: Target) -> Columns:
        if self.sensitive is None and not target.sensitive:
            return ()
        return target.columns_about(self.sensitive)

    def _victims(self, target: Target, links: Links, certain: BoolArray) -> tuple[Victim, ...]:
        """Tell of the people with fewest records, those of whom a value is certain first."""
        met = np.flatnonzero(links.is_met)
        order = np.lexsort((met, ~certain[met], links.n_records[met]))[:MOST_SHOWN]
        called = name_column(links.people, self.identity, target)
        rows = met[order]
        names = names_of(links.people, called, links.choices[0], rows.tolist())
        return tuple(
            Victim(
                who=who,
                confidence=1 / int(links.n_records[i]),
                learned={name: learned(links, name, i) for name in links.guesses},
                records=int(links.n_records[i]),
                people=int(links.n_alike[i]),
            )
            for who, i in zip(names, rows.tolist(), strict=True)
        )
