"""(alpha,k)-anonymity: k people look alike, and nobody is too sure of their values.

k-anonymity bounds the confidence in a record's owner, and nothing else. A second bound limits the
confidence in a sensitive value [1]_.

References
----------
.. [1] R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang. "(alpha, k)-anonymity: an enhanced k-anonymity
   model for privacy preserving data publishing." KDD 2006.
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
from unlinkable.tables.models.shared.gaps import UNLISTED_VALUES, VALUES_RULED_OUT
from unlinkable.tables.models.shared.listed_values import Values, as_values, refuse_invalid_values
from unlinkable.tables.models.shared.sensitive_model import SensitiveModel
from unlinkable.tables.models.shared.share_and_size import ShareAndSize
from unlinkable.tables.models.shared.share_bound import ShareBound

__all__ = ["AlphaKAnonymity"]


@frozen
class AlphaKAnonymity(ShareAndSize, SensitiveModel):
    r"""Every group has at least ``k`` people, and no sensitive value a share above ``alpha``.

    For every combination :math:`q` that occurs: :math:`|T[q]| \ge k`, and :math:`|T[q, s]| \le
    \alpha\,|T[q]|` for every sensitive value :math:`s`, or for those that are listed. A missing
    value is a value of its own. The bounds are met by equality, and decided exactly. If the table
    has an owner column, k counts people, and alpha records.

    Parameters
    ----------
    alpha
        The largest share of a sensitive value, above 0 and at most 1.
    k
        The least number of people who look alike.
    sensitive
        The column whose values nobody may find out; each sensitive column if not given.
    values
        The values that are bounded, by their texts; all if not given. The empty text is the missing
        value.

    Guarantees
    ----------
    From the release alone, a victim is linked to a record with probability at most 1/k, and to a
    bounded value with confidence at most alpha. Where one value is frequent in the whole table, a
    small alpha is out of reach. It does not protect against adversaries who can rule out values.

    Merging
    -------
    Safe: sizes add up, and the share of a value in a union is a weighted mean of its shares in the
    parts. It does not absorb: {1, 1} is (1/2,2)-anonymous, and with one more record of the first
    value, {2, 1}, it is not.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "f", "f"], "ill": ["flu", "hiv", "hiv", "hiv"]},
    ...     quasi="sex", sensitive="ill")
    >>> promise = AlphaKAnonymity(0.5, 3, sensitive="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (False, {'alpha': 0.75, 'k': 4})
    """

    name: ClassVar[str] = "alpha-k-anonymity"
    reference: ClassVar[str] = "Wong, Li, Fu and Wang 2006"
    threats: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "Everybody looks like at least {k:less} other people, and no value {of} is that of more "
        "than {alpha:%} of those who look alike."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        VALUES_RULED_OUT,
        UNLISTED_VALUES,
    )
    parameter: ClassVar[str] = "alpha"
    counts_people: ClassVar[bool] = True
    higher_is_safer: ClassVar[bool] = False

    alpha: Fraction = field(converter=exact, validator=is_share)
    k: int = field(validator=at_least(1))
    sensitive: str | None = field(default=None, kw_only=True)
    values: Values | None = field(default=None, converter=as_values, kw_only=True)

    @values.validator
    def _are_texts(self, attribute: object, value: Values | None) -> None:
        refuse_invalid_values(value)

    @property
    def parts(self) -> Mapping[str, GroupModel]:
        columns = () if self.sensitive is None else (self.sensitive,)
        share = ShareBound(self.alpha, columns, self.values)
        return {"alpha": share, "k": KAnonymity(self.k)}

    def weaker(self) -> AlphaKAnonymity | None:
        more = self.alpha + Fraction(1, 20)
        return evolve(self, alpha=more) if more < 1 else None
