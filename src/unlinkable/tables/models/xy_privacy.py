"""(X,Y)-privacy: whatever is known on X, many could be meant, and nobody is too sure of Y.

(X,Y)-anonymity bounds how many values are left, (X,Y)-linkability how sure one may be of each.
Together they guard against linking a victim to a record and to a value [1]_.

References
----------
.. [1] K. Wang, B. C. M. Fung. "Anonymizing sequential releases." KDD 2006.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 2.2.4; Corollary 9.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

from attrs import evolve, field, frozen

from unlinkable.params import Choice, as_columns, at_least, exact, is_share
from unlinkable.tables.models.base.model import GroupModel, ValueNormalizer
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.k_anonymity import KAnonymity
from unlinkable.tables.models.shared.gaps import VALUES_RULED_OUT
from unlinkable.tables.models.shared.listed_values import (
    Values,
    as_values,
    normalize_values,
    refuse_invalid_values,
)
from unlinkable.tables.models.shared.share_and_size import ShareAndSize
from unlinkable.tables.models.shared.xy_model import XYModel, refuse_unfit
from unlinkable.tables.models.xy_anonymity import XYAnonymity
from unlinkable.tables.models.xy_linkability import XYLinkability
from unlinkable.typing import Columns

__all__ = ["Counting", "XYPrivacy"]


class Counting(Choice, noun="way of counting"):
    """What there must be at least k of in a group."""

    RECORDS = "records"
    """Records; people, if owners are known."""
    DISTINCT = "distinct"
    """Different values on Y."""


@frozen
class XYPrivacy(ShareAndSize, XYModel):
    r"""Whoever knows columns X faces ``k`` candidates, and is no surer than ``h`` of Y.

    For every :math:`x` that occurs: :math:`a(x) \ge k`, or :math:`a_Y(x) \ge k` if different values
    are counted, and :math:`a(x, y) \le h\,a(x)` for every :math:`y`, or for those that are listed;
    :math:`a(x)` is the number of records with :math:`x`, :math:`a(x, y)` that of those which also
    have :math:`y`, and :math:`a_Y(x)` the number of different :math:`y` among them. The bounds are
    met by equality, and decided exactly.

    Parameters
    ----------
    k
        The least number of records, or of different values on Y, that go with what is known.
    h
        The largest share of a value, above 0 and at most 1.
    y
        The columns whose values nobody may be sure of: sensitive ones, or any that are not in X.
    x
        The columns that the adversary knows; the whole quasi-identifier if not given.
    values
        The values on Y that are bounded, by their texts; all if not given. With several columns in
        Y a value is a list of texts, one for each column; the empty text is the missing value.
    count
        What there must be ``k`` of: ``records`` (people, if the table has an owner column), or
        ``distinct`` values on Y. The literature has both.

    Guarantees
    ----------
    From the release alone, a victim is linked to a record with probability at most 1/k (if records
    are counted), and to a bounded value on Y with confidence at most h. It says nothing of those
    who can rule out values.

    Merging
    -------
    Safe: sizes add up, different values stay different, and the share of a value in a union is a
    weighted mean of its shares in the parts. It does not absorb: {1, 1} keeps within one half, and
    with one more record of the first value, {2, 1}, it does not.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "f", "m", "m"],
    ...     "ill": ["flu", "hiv", "cold", "flu", "hiv"]}, quasi="sex", sensitive="ill")
    >>> promise = XYPrivacy(3, 0.5, y="ill")
    >>> verdict = promise.verdict(count(ward, promise.needs()).finest)
    >>> verdict.holds, verdict.achieved
    (False, {'h': 0.5, 'k': 2})
    """

    name: ClassVar[str] = "xy-privacy"
    reference: ClassVar[str] = "Wang and Fung 2006"
    threats: ClassVar[Threat] = Threat.RECORD | Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "Whoever knows {x} of somebody finds at least {k} candidates, and is at most {h:%} sure "
        "of a value on {y}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        VALUES_RULED_OUT,
        "An adversary who knows more columns is not stopped.",
    )
    parameter: ClassVar[str] = "h"
    counts_people: ClassVar[bool] = True
    higher_is_safer: ClassVar[bool] = False

    k: int = field(validator=at_least(1))
    h: Fraction = field(converter=exact, validator=is_share)
    y: Columns = field(converter=as_columns, kw_only=True)
    x: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    values: Values | None = field(default=None, converter=as_values, kw_only=True)
    count: Counting = field(default=Counting.RECORDS, converter=Counting, kw_only=True)
    _blurred: Columns = field(default=(), eq=False, repr=False, kw_only=True)

    @x.validator
    def _fits_y(self, attribute: object, value: Columns | None) -> None:
        refuse_unfit(value, self.y)

    @values.validator
    def _fit_y(self, attribute: object, value: Values | None) -> None:
        refuse_invalid_values(value, len(self.y))

    @property
    def parts(self) -> Mapping[str, GroupModel]:
        if self.count is Counting.DISTINCT:
            size: GroupModel = XYAnonymity(self.k, y=self.y, x=self.x)
        else:
            size = KAnonymity(self.k, qid=self.x)
        return {"h": XYLinkability(self.h, y=self.y, x=self.x, values=self.values), "k": size}

    def with_normalized_values(self, normalize: ValueNormalizer) -> XYPrivacy:
        return evolve(self, values=normalize_values(self.values, self.y, normalize))

    def weaker(self) -> XYPrivacy | None:
        more = self.h + Fraction(1, 20)
        return evolve(self, h=more) if more < 1 else None
