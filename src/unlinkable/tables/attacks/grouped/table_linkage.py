"""table-linkage: being in the table is the secret.

To be in a table of HIV patients is to have HIV. An adversary with a list of everybody who could be
in a release counts the people on it who look like a record, and the records: if four of five people
who look like Alice are in the table, Alice is in it with 80 % [1]_. That a person is not in it can
be as telling.

References
----------
.. [1] M. E. Nergiz, M. Atzori, C. Clifton. "Hiding the presence of individuals from shared
   databases." SIGMOD 2007. Section 2.3 in the book of Fung, Wang, Fu and Yu (2010).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.params import as_columns, exact, is_flag, is_share
from unlinkable.release.attacks import MOST_SHOWN, Outcome, Threat, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.grouped.shared.presence import Presence, find_presence
from unlinkable.tables.attacks.shared.matching import Matching, match
from unlinkable.tables.attacks.shared.victims import most_confident, name_column
from unlinkable.tables.data import SideTable, keep_rows, texts_of
from unlinkable.tables.models.base import Bound, GroupModel
from unlinkable.typing import Columns, FloatArray

__all__ = ["TableLinkage"]


@frozen
class TableLinkage(Attack):
    r"""Tell from a list of everybody who could be in the release who is, and who is not.

    The release :math:`T` is taken from the population :math:`E`. A person :math:`t` of E who shows
    :math:`q` is in T with probability :math:`P(t \in T) = |T[q]| / |E[q]|`: the records that look
    like the person, over the people who look like these records. That is exact if anyone who
    matches a look of the release matches no other.

    Where looks overlap, as with local recoding, a person may match several. Everybody has one
    record at most, so what one has, others have not. Where few people hang together in this way,
    all ways in which records may belong to people are counted, which is exact. Otherwise the
    probabilities are those of the greatest entropy (see
    `unlinkable.tables.attacks.grouped.shared.maximum_entropy`): an estimate, with bounds that are
    certain.

    Parameters
    ----------
    population
        The side table of everybody who could be in the release, a row for every person, raw or
        generalized. Columns with the names of published quasi-identifiers are compared.
    qid
        Which of these to compare; all that both have if not given.
    identity
        The column with people's names, to name who is exposed; the first column that the release
        does not have if not given.
    absence
        Whether the adversary wants to know who is not in the release.
    limit
        Highest confidence allowed: a person is exposed if the adversary is more confident.

    Needs
    -----
    A list of the population with its quasi-identifying values.

    Finds
    -----
    For everybody of the population the probability to be in the release, and who is in it or not in
    it for sure.

    Cost
    ----
    That of matching people with looks. Where these overlap, some hundred rounds over all pairs of a
    kind of people and a look that match.

    Raises
    ------
    SchemaError
        If the list shares no quasi-identifier with the release.
    DataError
        If fewer people than records look alike: then the release is not taken from this population.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.data.side import Side
    >>> told = pl.DataFrame({"job": ["artist"] * 4, "ill": ["flu", "hiv", "hiv", "hiv"]})
    >>> town = {"name": ["Alice", "Cathy", "Emily", "Gladys", "Irene", "Bob"],
    ...     "job": ["artist"] * 5 + ["clerk"]}
    >>> knowledge = AdversaryKnowledge(Side.of({"population": town}))
    >>> outcome = TableLinkage().run(Target(told, ("job",), ("ill",)), knowledge)
    >>> outcome.n_fallen, outcome.highest, outcome.details["surely_absent"]
    (5, 0.8, 1)
    """

    name: ClassVar[str] = "table-linkage"
    reference: ClassVar[str] = "Nergiz, Atzori and Clifton 2007"
    threat: ClassVar[Threat] = Threat.TABLE
    needs: ClassVar[str] = "a list of everybody who could be in the release, with what they show"
    remedy: ClassVar[str] = (
        "let many look alike who are not in the table: delta-presence, or k-map, with this "
        "population; with differential-privacy nobody's presence shows"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("delta-presence", "differential-privacy")

    population: str = "population"
    qid: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    identity: str | None = field(default=None, kw_only=True)
    absence: bool = field(default=False, validator=is_flag, kw_only=True)
    limit: Fraction = field(
        default=Fraction(1, 2), converter=exact, validator=is_share, kw_only=True
    )

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        if not knowledge.has(self.population):
            return f"give the list of everybody who could be in the release as {self.population!r}"
        if not target.is_truthful:
            return "values were replaced, so nobody need look like his record"
        return None

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        people = knowledge.side.open(self.population)
        matching = match(target, people, self.qid)
        identity = name_column(people, self.identity, target)
        presence, sizes = find_presence(matching), matching.kind_sizes
        sure = 1 - presence.likely if self.absence else presence.likely
        falls = presence.above(self.limit, absence=self.absence)
        n_fallen, highest = int(sizes[falls].sum()), float(sure.max(initial=0))
        victims = tuple(_victims(people, identity, matching, sure))
        return Outcome(
            attack=self,
            n_attacked=len(people),
            n_fallen=n_fallen,
            highest=highest,
            victims=victims,
            found=self._found(len(people), n_fallen, highest),
            interval=self._interval(presence),
            certainty="100 %",
            details={
                "surely_present": int(sizes[presence.low == 1].sum()),
                "surely_absent": int(sizes[presence.high == 0].sum()),
                "highest_presence": float(presence.likely.max(initial=0)),
                "lowest_presence": float(presence.likely.min(initial=1)),
                "people_estimated": int(sizes[~presence.is_exact].sum()),
                "rounds": presence.n_rounds,
                "records_off": presence.n_off,
            },
        )

    def record_ceiling(self, model: GroupModel, target: Target) -> Bound:
        return model.presence_ceiling()

    def _interval(self, presence: Presence) -> tuple[float, float] | None:
        """Say between what the highest probability lies, if it is not exact."""
        if presence.is_exact.all():
            return None
        low, high = presence.low, presence.high
        if self.absence:
            low, high = 1 - high, 1 - low
        return float(low.max()), float(high.max())

    def _found(self, n: int, n_fallen: int, highest: float) -> str:
        where = "not in the release" if self.absence else "in the release"
        who = quantity(n, "person", "people")
        if not n_fallen:
            return (
                f"Nobody of {who} falls: it is at most {highest:.3g} sure that somebody is {where}."
            )
        return (
            f"Of {n_fallen:,} of {who} it is more than {float(self.limit):.3g} sure that they are "
            f"{where}, of some {highest:.3g}."
        )


def _victims(
    people: SideTable, identity: str | None, matching: Matching, sure: FloatArray
) -> Iterator[Victim]:
    """Name the people of the kinds with the highest confidence, or give what they show."""
    picked = most_confident(sure)
    picked = picked[sure[picked] > 0]
    records = matching.n_records()
    columns = matching.columns if identity is None else (identity,)
    rows = matching.first[picked]
    if identity is not None:
        rank = np.full(sure.size, sure.size)
        rank[picked] = np.arange(picked.size)
        rows = np.flatnonzero(rank[matching.kind] < sure.size)
        rows = rows[np.argsort(rank[matching.kind[rows]], kind="stable")[:MOST_SHOWN]]
    kinds = matching.kind[rows]
    told = keep_rows(people.frame, rows)
    texts = [texts_of(told, name).to_list() for name in columns]
    for i, kind in enumerate(kinds.tolist()):
        who = {name: column[i] or "" for name, column in zip(columns, texts, strict=True)}
        n = int(matching.kind_sizes[kind]) if identity is None else 1
        yield Victim(who, float(sure[kind]), records=int(records[kind]), people=n)
