"""record-tracing: following a record to other releases tells who cannot be its owner.

A record says HIV. In the next release only some of the groups that people of its group have moved
to hold a record with HIV: its owner is one of them. The rarer a value, the farther its records can
be followed [1]_.

References
----------
.. [1] J.-W. Byun, T. Li, E. Bertino, N. Li, Y. Sohn. "Privacy-preserving incremental data
   dissemination." Journal of Computer Security 17(1), 2009. Section 4.5.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.params import at_least, exact, is_share, one_of
from unlinkable.release.attacks import Outcome, Threat, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.region_tracing import follow_regions
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack, people_misfit
from unlinkable.tables.attacks.series.shared.traces import FollowedOwners, follow_people
from unlinkable.tables.attacks.shared.victims import TopVictims

__all__ = ["RecordTracing"]


@frozen
class RecordTracing(SeriesAttack):
    r"""Find out whose the records with a value are by following them from release to release.

    Take two releases, and a value :math:`s`. For groups :math:`e` of the one and :math:`e'` of the
    other let :math:`n(e, e')` people be in both; further, some of :math:`e` have left, and some of
    :math:`e'` are new. Let :math:`x(e, e')` of them have :math:`s`. The adversary knows that
    :math:`0 \le x(e, e') \le n(e, e')` in whole numbers, and that all :math:`x` of a group add up
    to the number of its records with :math:`s`. A person of a cell :math:`(e, e')` can have
    :math:`s` if and only if :math:`x(e, e') \ge 1` in some solution. The *candidates* of a record
    are the people of its group who can have its value by every two releases.

    A person is exposed if they own a record with fewer than ``k`` candidates, or if the records
    with the value in the group are more than ``limit`` of its candidates: so sure is the adversary
    on average that a candidate has the value.

    Parameters
    ----------
    sensitive
        The sensitive column to attack; each of all releases if not given.
    k
        How many candidates every record must have.
    limit
        Highest confidence allowed that a candidate has the value. With 1 only people are counted,
        as in the paper.
    edges
        ``feasible``: a record can be where it is in some solution; ``all``: wherever people of its
        group are and its value is, as in the experiments of the paper.
    knows
        ``people``: who is in which group of every release; ``regions``: only what groups show, and
        the quasi-identifying values of people in a list.
    external
        The side table with that list, raw values, for ``regions``.

    Needs
    -----
    All releases, and who is in which group of each of them; or a list of everybody.

    Finds
    -----
    The owners of the records that are exposed, and how many records of each release these are.
    Values that changed in between contradict the solutions: then nothing is concluded from the
    value and the two releases, and ``contradicted`` counts them.

    Two releases and one value are looked at together, exactly; what they exclude is put together.
    Worlds of three releases or of all values at once are not: who enumerates them can exclude more.

    Cost
    ----
    O(m s) for every two releases with m cells, and s values in a group, if people keep their values
    and stand beside them; else that of finding a flow for each value.

    Raises
    ------
    SchemaError
        If no sensitive column is in all releases, or not the one asked for.
    UnsupportedError
        If regions are asked of buckets.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.attacks.series.series import Edition
    >>> from unlinkable.tables.attacks.base.target import Target
    >>> first = pl.DataFrame({"age": ["50-60"] * 3, "ill": ["HIV", "flu", "flu"]})
    >>> then = pl.DataFrame({"age": ["50-52", "53-60", "53-60"], "ill": ["HIV", "flu", "flu"]})
    >>> series = Series((
    ...     Edition(Target(first, ("age",), ("ill",)), np.array([0, 1, 2])),
    ...     Edition(Target(then, ("age",), ("ill",)), np.array([0, 1, 2])),
    ... ), names=["Ann", "Bob", "Carl"])
    >>> outcome = RecordTracing(limit=1).run(series)
    >>> outcome.n_fallen, outcome.victims[0].who, outcome.details["fewest_candidates"]
    (1, {'person': 'Ann'}, 1)
    """

    name: ClassVar[str] = "record-tracing"
    reference: ClassVar[str] = "Byun, Li, Bertino, Li and Sohn 2009"
    threat: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    needs: ClassVar[str] = "several releases, and who is in which group of each of them"
    remedy: ClassVar[str] = (
        "publish again by a policy that looks back: incremental checks each release together with "
        "all earlier ones"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("incremental",)

    sensitive: str | None = None
    k: int = field(default=2, validator=at_least(1), kw_only=True)
    limit: Fraction = field(
        default=Fraction(1, 2), converter=exact, validator=is_share, kw_only=True
    )
    edges: str = field(default="feasible", validator=one_of("feasible", "all"), kw_only=True)
    knows: str = field(default="people", validator=one_of("people", "regions"), kw_only=True)
    external: str = field(default="external", kw_only=True)

    def misfit(self, series: Series, knowledge: AdversaryKnowledge) -> str | None:
        if (why := people_misfit(series)) is not None:
            return why
        if self.knows == "regions" and not knowledge.has(self.external):
            return f"give the list of people with external={self.external!r}"
        return None

    def attack(self, series: Series, knowledge: AdversaryKnowledge) -> Outcome:
        exact_edges, parts, surest = self.edges == "feasible", [], TopVictims()
        for name in series.columns_about(self.sensitive):
            if self.knows == "people":
                found = follow_people(series, name, self.k, self.limit, feasible=exact_edges)
            else:
                listed = knowledge.side.open(self.external)
                found = follow_regions(
                    series, name, self.k, self.limit, listed, feasible=exact_edges
                )
            parts.append(found)
            surest.offer(found.sure, _teller(series, name, found))
        return self._outcome(series, parts, surest)

    def _outcome(self, series: Series, parts: list[FollowedOwners], surest: TopVictims) -> Outcome:
        falls, fell = (
            np.any([getattr(part, which) for part in parts], axis=0) for which in ("falls", "fell")
        )
        is_there = np.zeros(falls.size, bool)
        for edition in series.editions:
            if edition.people is not None:
                is_there[edition.people[edition.people >= 0]] = True
        n_attacked, n_fallen, n_before = (int(which.sum()) for which in (is_there, falls, fell))
        highest = surest.highest
        fewest = min((part.fewest for part in parts), default=0)
        who, few = quantity(n_attacked, "person", "people"), quantity(fewest, "candidate")
        found = (
            f"{n_fallen:,} of {who} fall: their records have fewer than {self.k:,} candidates, or "
            f"more than {float(self.limit):.3g} of these have the value. One release alone tells "
            f"that of {n_before:,}."
            if n_fallen
            else f"Nobody of {who} falls: every record has {few} or more."
        )
        exposed = np.sum([part.exposed for part in parts], axis=0).tolist()
        return Outcome(
            attack=self,
            n_attacked=n_attacked,
            n_fallen=n_fallen,
            highest=highest,
            victims=surest.victims,
            found=found,
            details={
                "fewest_candidates": fewest,
                "fallen_before": n_before,
                "contradicted": sum(part.n_contradicted for part in parts),
                **{f"exposed_in_{i + 1}": n for i, n in enumerate(exposed)},
            },
        )


def _teller(series: Series, name: str, found: FollowedOwners) -> Callable[[int], Victim]:
    """Tell of people and the value that is traced to them."""
    texts = series.texts(name)

    def tell(person: int) -> Victim:
        learned = {name: texts[found.value[person]] or ""}
        return Victim(series.called(person), float(found.sure[person]), learned)

    return tell
