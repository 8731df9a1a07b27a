"""correspondence: follow records through the releases of a growing table.

A hospital publishes its patients every month, new ones and old ones, each time in groups of five.
Every record of the first month has one of its own in the second. So if three Europeans of the first
month have the flu, and only two French of the second, then not all three are French; and of three
French with HIV in the second month, of whom the first has two, one is new [1]_. What cannot be a
victim's is struck out, and fewer than five are left.

A series needs no attack if everybody can link its records: if a case number is published with each
record, or the records in the order in which they are kept [2]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, J. Pei. "Anonymity for continuous data publishing." EDBT
   2008. Section 10.2 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing."
   2010.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 10.5; section 10.2.2 on the order of records.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from scipy.special import gammaln

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import count
from unlinkable.params import at_least, exact, is_share
from unlinkable.tables.attacks.base.attack import Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.crack_candidates import (
    Kinds,
    Targets,
    as_targets,
    survey_kinds,
)
from unlinkable.tables.attacks.series.shared.crack_report import Report
from unlinkable.tables.attacks.series.shared.explanations import Explanation, explain
from unlinkable.tables.attacks.series.shared.record_classes import (
    Classes,
    Numbers,
    blocks,
    crossing,
)
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.models import is_within
from unlinkable.tables.models.base import Threat
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["Correspondence", "case_ids", "in_order"]


@frozen
class Correspondence(SeriesAttack):
    r"""Exclude the records of a class that cannot belong to a victim, given their first release.

    The victim is first in release :math:`R_i`. Every record of a release has one of its own in all
    later ones. Let :math:`g_l` be the records with some value of the victim's class in :math:`R_l`.
    There are three attacks on them, by the release that they are compared with:

    - F-attack, with a later :math:`R_m`: :math:`|g_l| - \min(|g_l|, |g_m|)` are struck out;
    - C-attack, with an earlier :math:`R_m` that has the victim, :math:`m \ge i`: as many;
    - B-attack, with an :math:`R_h` that does not, :math:`h < i`:
      :math:`\max(0, |G_h| - (|G_l| - |g_l|))`, where :math:`G_h` are the records of :math:`R_h`
      that can have theirs in :math:`g_l`, and :math:`G_l` those of :math:`R_l` that they can have
      theirs in.

    Of several attacks the best is taken for each value, and those on different releases are put
    together (`unlinkable.tables.attacks.series.shared.crack_candidates`). FA and CA are the
    fewest records that are left of anybody who is in a release before the last, in a class of
    an earlier release and of a later one; BA the fewest of anybody who is not in the first.

    Parameters
    ----------
    k
        So many records must be left for everybody.
    sensitive
        The sensitive column to attack; each of them if not given.
    targets
        Who counts: everybody who could be in the releases by what they show (``possible``), as an
        adversary has to see it; or those who are in them (``actual``), for which it must be known
        whose records are. A person who could be there need not be: a class of the first release and
        one of the second may overlap, and nobody be in both. Such targets cannot be harmed, but
        they count by the definitions of the literature.
    limit
        Highest confidence allowed in a value: at most this share of the records that are left.

    Needs
    -----
    The victim's quasi-identifying values, the release that has them first, and all releases. They
    must be of a table that only grows, one record for each person, and each be recoded alike in all
    records, along the same taxonomies.

    Finds
    -----
    Whose records are fewer than ``k``, and what is too likely of whom: FA, CA and BA, and the worst
    classes. Columns that are published as they are count like sensitive ones for what can be the
    same record; one that tells all records apart is named, for it links them without any attack.

    Cost
    ----
    O(p v) for p combinations of classes in which a person could be, with v values each. Classes
    that are comparable are found by the greatest ranges of each column, not by comparing all.

    Raises
    ------
    UnsupportedError
        If the releases have buckets, were not recoded alike in all records or not along the same
        taxonomies, if records have gone or changed, or people have several records.
    SchemaError
        If the column is not a sensitive one of all releases.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.attacks.series.series import Edition
    >>> from unlinkable.tables.attacks.base.target import Target
    >>> first = pl.DataFrame({"born": ["*"] * 4, "ill": ["flu", "flu", "hiv", "hiv"]})
    >>> then = pl.DataFrame({"born": ["UK", "UK", "UK", "FR", "FR", "FR"],
    ...     "ill": ["flu", "flu", "hiv", "hiv", "hiv", "flu"]})
    >>> both = Series((
    ...     Edition(Target(first, ("born",), ("ill",)), name="May"),
    ...     Edition(Target(then, ("born",), ("ill",)), name="June"),
    ... ))
    >>> outcome = Correspondence(k=3, limit=1).run(both)
    >>> [outcome.details[name] for name in ("FA", "CA", "BA")]
    [3, 3, 2]
    >>> print(Correspondence().explain(both, {"born": "FR"}, since=1))
    somebody with born=FR who is first in May: 3 records left
    May (4 records): flu 1 of 2 (F-attack strikes out 1), hiv 2 of 2
    June (3 records): flu 1 of 1, hiv 2 of 2
    """

    name: ClassVar[str] = "correspondence"
    reference: ClassVar[str] = "Fung, Wang, Fu and Pei 2008"
    threat: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    needs: ClassVar[str] = (
        "what the victim shows, and which of the releases of a growing table has him first"
    )
    remedy: ClassVar[str] = (
        "publish the next release with continuous, which tells no more than leaves k candidates "
        "for everybody; start a new series without the old records if that tells too little"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("continuous",)

    k: int = field(default=2, validator=at_least(1))
    sensitive: str | None = field(default=None, kw_only=True)
    targets: Targets = field(default=Targets.POSSIBLE, converter=as_targets, kw_only=True)
    limit: Fraction = field(
        default=Fraction(1, 2), converter=exact, validator=is_share, kw_only=True
    )

    def misfit(self, series: Series, knowledge: AdversaryKnowledge) -> str | None:
        return _misfit(series) or self._unknown_people(series) or _not_recoded_alike(series)

    def attack(self, series: Series, knowledge: AdversaryKnowledge) -> Outcome:
        numbers = Numbers.of(series, self.sensitive)
        people = None
        if self.targets is Targets.ACTUAL:
            people = numbers.of_people(series)
        report = Report(self, series, numbers)
        for kinds in survey_kinds(numbers, people):
            report.add(kinds, self.falls(kinds, has_values=bool(numbers.about)))
        ids = case_ids(series, numbers.columns)
        two = zip(pairwise(numbers.classes), pairwise(numbers.of_records), strict=True)
        return report.outcome(ids, is_ordered=any(in_order(*a, *b) for a, b in two))

    def falls(self, kinds: Kinds, *, has_values: bool) -> BoolArray:
        """Tell which kinds of people have too few records left, or too many with one value."""
        too_few: BoolArray = kinds.left < self.k
        if not has_values:
            return too_few
        return too_few | ~is_within(kinds.peak, self.limit, kinds.left)

    def explain(self, series: Series, who: Mapping[str, object], since: int) -> Explanation:
        """Tell of one person which records are struck out, and why.

        Parameters
        ----------
        series
            The releases.
        who
            Quasi-identifying values of the person, one for each column.
        since
            The first release that has the person, from 1.

        Raises
        ------
        UnsupportedError
            If the attack cannot be tried on these releases.
        ParameterError
            If there is no such release, or a column is not said.
        """
        if why := _misfit(series) or _not_recoded_alike(series):
            raise UnsupportedError(f"{self.name} cannot be tried here: {why}")
        return explain(series, Numbers.of(series, self.sensitive), who, since)

    def _unknown_people(self, series: Series) -> str | None:
        if self.targets is Targets.ACTUAL and not series.knows_people:
            return (
                "whose records are is not known, and only the people in the releases are to "
                "count: leave targets at possible"
            )
        return _gone(series) if series.knows_people else None


def _misfit(series: Series) -> str | None:
    quasi = series.editions[0].target.quasi
    for edition in series.editions:
        target = edition.target
        if target.bucket is not None:
            return (
                f"{edition.name} has buckets with the original quasi-identifiers. Whoever "
                "subtracts an older release sees the new records alone: publish generalized records"
            )
        if not target.is_truthful:
            return f"the values of {edition.name} are not true, so that no record can be followed"
        if not target.is_alike:
            return f"newcomers of {edition.name} were recoded by themselves: not all records alike"
        if set(target.quasi) != set(quasi):
            return (
                f"{edition.name} has other quasi-identifying columns than "
                f"{series.editions[0].name}: that is what sequential-join is about"
            )
    if series.repeated is not None:
        return f"people have several records in {series.repeated}: keep one record of each person"
    return None


def _gone(series: Series) -> str | None:
    known = [edition.people for edition in series.editions]
    for i, people in enumerate(known):
        assert people is not None
        if (people < 0).any():
            return f"{series.editions[i].name} has records of nobody: they have no other records"
        if i and not np.isin(known[i - 1], people).all():  # type: ignore[arg-type]
            return (
                f"people of {series.editions[i - 1].name} are not in {series.editions[i].name}: "
                "it follows records in a table that only grows. Use difference, intersection or "
                "critical-absence"
            )
    return None


def _not_recoded_alike(series: Series) -> str | None:
    column = crossing(Numbers.of(series).classes, series.quasi)
    if column is None:
        return None
    return (
        f"the releases show ranges of {column!r} that overlap and are not nested. What can be "
        "struck out is only known of releases that recode all records alike, along the same "
        "taxonomies; for others use difference, intersection and record-tracing, which the policy "
        "incremental guards against"
    )


_CHANCE = 1e-9
"""What happens more rarely by chance is none."""


def case_ids(series: Series, columns: Columns) -> Columns:
    """Name the columns that tell every record of each release from all others."""
    return tuple(
        name
        for name in columns
        if all(codes.size > 1 and _is_distinct(codes) for codes in series.values(name))
    )


def _is_distinct(codes: CodeArray) -> bool:
    return bool(np.unique(codes).size == codes.size)


def in_order(earlier: Classes, later: Classes, then: CodeArray, now: CodeArray) -> bool:
    """Tell whether the records of a release come first in a later one, in the same order.

    It is said to be so if record by record both can be the same, and that would hardly be by
    chance if records were in any order.

    Parameters
    ----------
    earlier, later
        The classes of both releases.
    then, now
        The value of every record in each.
    """
    a, b, _ = blocks(earlier, later)
    n_values = int(max(then.max(initial=0), now.max(initial=0))) + 1
    first = a[earlier.labels].astype(np.int64) * n_values + then
    second = b[later.labels].astype(np.int64) * n_values + now
    if first.size > second.size or not np.array_equal(first, second[: first.size]):
        return False
    kinds, place = np.unique(second, return_inverse=True)
    place = place.astype(np.int32)
    n_second, n_first = count(place, kinds.size), count(place[: first.size], kinds.size)
    ways = _log_ways(n_second, n_first).sum()
    chance = ways - _log_ways(np.array([second.size]), np.array([first.size])).sum()
    return bool(chance < np.log(_CHANCE))


def _log_ways(n: CountArray, k: CountArray) -> FloatArray:
    """Count in how many ways k of n can stand in a row, as a logarithm."""
    ways: FloatArray = gammaln(n + 1) - gammaln(n - k + 1)
    return ways
