"""difference: what is left when groups of one release are taken away from another.

Tom and Mike are a group of a first release, with asthma and flu. In a second one they are in a
group with Alice, and it has asthma, flu and cancer: Alice has cancer, though both releases show
groups with as many illnesses as people [1]_. An adversary who knows who is in which group can
subtract any groups whose people are all in the other release, and look at who and what is left.

The paper tries all sets of groups, and gives up where they are too many. The set that leaves the
fewest people, and the one that leaves a value the most frequent, are minimum cuts of a graph: they
are found without trying any.

References
----------
.. [1] J.-W. Byun, T. Li, E. Bertino, N. Li, Y. Sohn. "Privacy-preserving incremental data
   dissemination." Journal of Computer Security 17(1), 2009. Section 4.3.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import ClassVar

from attrs import field, frozen

from unlinkable.params import at_least, exact, is_share
from unlinkable.release.attacks import Outcome, Threat
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.group_differences import DifferenceExposure
from unlinkable.tables.attacks.series.shared.series_attack import (
    SeriesAttack,
    change_misfit,
    people_misfit,
)

__all__ = ["Difference"]


@frozen
class Difference(SeriesAttack):
    r"""Take groups of one release away from another, and look at whom and what that leaves.

    Let :math:`E` be groups of a release, :math:`E'` the groups of another one that hold their
    people, :math:`D` who is in :math:`E'` and not in :math:`E`, and :math:`S_D` the values of
    :math:`E'` minus those of :math:`E`, counting repetitions. The releases open a channel if for
    some :math:`E` a person is left, and

    .. math:: |D| < k \quad\text{or}\quad |\{s \in S_D\}| > c\,|S_D| \text{ for some } s.

    All pairs of releases are compared, both ways. Groups with a person who is not in the other
    release cannot be subtracted. A person is exposed if they are in

    - a difference of fewer than k people,
    - the smallest difference that they are in, if a value has a share above c in it,
    - the difference in which some value exceeds its share by the most records: if any difference
      shows too much of that value, then this one does, and what others have beyond it only dilutes
      them.

    A difference that is a union of others that are not needed together exposes nobody: a person in
    one without a sensitive value is not exposed because of another.

    What one release tells alone is not counted. A group that has fewer than k records counts as a
    channel only to differences that are smaller, and one in which a value is too frequent as if
    that value had the share c. Records that were made up are in no other release: a group that has
    one cannot be taken away, and in what is left they count like any record, as nobody can tell
    them. Releases between which values have changed are refused: nothing can be subtracted then.

    Parameters
    ----------
    sensitive
        The sensitive column to attack; each of them if not given.
    k
        So many people must be left at least.
    limit
        Highest confidence allowed in a value: the c above.

    Needs
    -----
    All releases, and who is in which group of each: the worst that an insider may know.

    Finds
    -----
    Who is exposed, exactly; the highest share that any value has in any difference or group,
    exactly. The confidence told of a victim is the share in one of the three differences above.

    Cost
    ----
    For each pair of releases, a cut for each group and each two groups that share people, which
    looks only at groups nearby; and a cut of the whole graph for each value. The Adult series of
    six releases takes seconds.

    Raises
    ------
    UnsupportedError
        If it is not known whose the records are, a person has several in a release, or values
        changed.
    SchemaError
        If there is no such sensitive column in all releases.

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> from unlinkable.tables.attacks.series.series import Edition
    >>> from unlinkable.tables.attacks.base.target import Target
    >>> first = pl.DataFrame({"age": ["21-25"] * 2, "ill": ["asthma", "flu"]})
    >>> then = pl.DataFrame({"age": ["21-30"] * 3, "ill": ["asthma", "flu", "cancer"]})
    >>> releases = Series((
    ...     Edition(Target(first, ("age",), ("ill",)), np.array([0, 1]), "the first"),
    ...     Edition(Target(then, ("age",), ("ill",)), np.array([0, 1, 2]), "the second"),
    ... ), ["Tom", "Mike", "Alice"])
    >>> outcome = Difference().run(releases)
    >>> [(victim.who["person"], victim.learned["ill"]) for victim in outcome.victims]
    [('Alice', 'cancer')]
    """

    name: ClassVar[str] = "difference"
    reference: ClassVar[str] = "Byun, Li, Bertino, Li and Sohn 2009, section 4.3"
    threat: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    needs: ClassVar[str] = "all releases, and who is in which group of each"
    remedy: ClassVar[str] = (
        "make each release with a view to all earlier ones: publish with the policy incremental, "
        "and wait with new people until there are enough of them"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("incremental",)

    sensitive: str | None = None
    k: int = field(default=2, validator=at_least(1), kw_only=True)
    limit: Fraction = field(
        default=Fraction(1, 2), converter=exact, validator=is_share, kw_only=True
    )

    def misfit(self, series: Series, knowledge: AdversaryKnowledge) -> str | None:
        return people_misfit(series) or change_misfit(series, self.sensitive)

    def attack(self, series: Series, knowledge: AdversaryKnowledge) -> Outcome:
        columns = series.columns_about(self.sensitive)
        found = DifferenceExposure(series, self.k, self.limit)
        for column in columns:
            sheets = series.sheets(column)
            found.look_alone(sheets)
            for first, second in permutations(range(len(sheets)), 2):
                found.take_away(column, sheets, first, second)
        return Outcome(
            attack=self,
            n_attacked=found.n_people,
            n_fallen=found.n_fallen,
            highest=float(found.highest),
            victims=found.victims(),
            found=self._words(found, series),
            details=found.details(),
        )

    def _words(self, found: DifferenceExposure, series: Series) -> str:
        who = quantity(found.n_people, "person", "people")
        limit, people = float(self.limit), quantity(self.k, "person", "people")
        alone = (
            f" Without taking anything away, {found.n_alone:,} of them do." if found.n_alone else ""
        )
        if not found.n_fallen:
            return (
                f"Nobody of {who} falls: whatever groups are taken away from another release, it "
                f"leaves {people} or more, and no value more than {limit:.3g} of them.{alone}"
            )
        first, second = (series.editions[i].name for i in found.worst_pair)
        return (
            f"{found.n_fallen:,} of {who} fall: whoever takes groups of one release away from "
            f"another is left with fewer than {people}, or is more than {limit:.3g} sure of what "
            f"they have. The most fall where {first} is taken away from {second}.{alone}"
        )
