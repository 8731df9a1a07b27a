"""(k,c)-anonymity: k people look alike, and no value is that of more than a share c of them.

What each of several releases of a growing table must keep before they are compared with one
another [1]_. By itself it is (alpha,k)-anonymity on all values of one column, under the letters of
that work.

References
----------
.. [1] J.-W. Byun, T. Li, E. Bertino, N. Li, Y. Sohn. "Privacy-preserving incremental data
   dissemination." Journal of Computer Security 17(1), 2009. Definition 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from attrs import evolve, field, frozen

from unlinkable.params import at_least, exact, is_share
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.k_anonymity import KAnonymity
from unlinkable.tables.models.shared.gaps import VALUES_RULED_OUT
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.tables.models.shared.share_and_size import ShareAndSize
from unlinkable.tables.models.shared.share_bound import ShareBound

__all__ = ["KCAnonymity"]


@frozen
class KCAnonymity(ShareAndSize, SensitiveModel):
    r"""Every group has at least ``k`` people, and no sensitive value a share above ``c``.

    For every group :math:`e`: :math:`|e| \ge k`, and :math:`|\{t \in e : t[S] = s\}| \le c\,|e|`
    for every sensitive value :math:`s`. A missing value is a value of its own. The bounds are met
    by equality, and decided exactly. If the table has an owner column, k counts people, and c
    records.

    Parameters
    ----------
    k
        The least number of people who look alike.
    c
        The largest share of a sensitive value, above 0 and at most 1.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.

    Guarantees
    ----------
    From one release alone, a victim is linked to a record with probability at most 1/k, and to a
    value with confidence at most c. It says nothing of an adversary who holds an earlier or a later
    release of the same people as well: what one says and the other does not may give a victim away.

    Merging
    -------
    Safe: sizes add up, and the share of a value in a union is a weighted mean of its shares in the
    parts. It does not absorb: {1, 1} is (2,1/2)-anonymous, and with one more record of the first
    value, {2, 1}, it is not.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"age": ["20s", "20s", "50s", "50s"], "ill": ["a", "f", "a", "d"]},
    ...     quasi="age", sensitive="ill")
    >>> promise = KCAnonymity(2, 0.5, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (True, {'c': 0.5, 'k': 2})
    """

    name: ClassVar[str] = "kc-anonymity"
    reference: ClassVar[str] = "Byun et al. 2009"
    threats: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "Everybody looks like at least {k:less} other people, and no value {of} is that of more "
        "than {c:%} of those who look alike."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (VALUES_RULED_OUT,)
    parameter: ClassVar[str] = "c"
    counts_people: ClassVar[bool] = True
    higher_is_safer: ClassVar[bool] = False

    k: int = field(validator=at_least(1))
    c: Fraction = field(converter=exact, validator=is_share)
    sensitive: str | None = field(default=None, kw_only=True)

    @property
    def parts(self) -> Mapping[str, GroupModel]:
        columns = () if self.sensitive is None else (self.sensitive,)
        return {"c": ShareBound(self.c, columns), "k": KAnonymity(self.k)}

    def weaker(self) -> KCAnonymity | None:
        more = self.c + Fraction(1, 20)
        return evolve(self, c=more) if more < 1 else None
