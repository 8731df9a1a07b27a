"""(X,Y)-linkability: whatever is known on X, nobody is too sure of a value on Y.

At least k different values on Y do not help if one of them is nearly everybody's. Linkability
bounds how sure one may be of each [1]_.

References
----------
.. [1] K. Wang, B. C. M. Fung. "Anonymizing sequential releases." KDD 2006.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Definition 2.3 (the bound is 0 < h <= 1, where "k" is printed); Corollary 9.1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import evolve, field, frozen

from unlinkable.params import as_columns, exact, is_share
from unlinkable.tables.models.base.ceilings import SensitiveGoal
from unlinkable.tables.models.base.model import ValueNormalizer
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.gaps import UNLISTED_VALUES, VALUES_RULED_OUT
from unlinkable.tables.models.shared.listed_values import (
    Values,
    as_values,
    normalize_values,
    refuse_invalid_values,
)
from unlinkable.tables.models.shared.share_model import ShareModel
from unlinkable.tables.models.shared.xy_model import XYModel, refuse_unfit
from unlinkable.typing import Columns

__all__ = ["XYLinkability"]


@frozen
class XYLinkability(ShareModel, XYModel):
    r"""Nobody who knows columns X of a victim is surer than ``h`` of a value on columns Y.

    With :math:`a(x)` the number of records with :math:`x` and :math:`a(x, y)` those of them with
    :math:`y`: :math:`L_Y(X) = \max_{x, y} a(x, y) / a(x) \le h`. Values on several columns are
    taken together. A missing value is a value of its own. The bound is met by equality, and decided
    exactly.

    Parameters
    ----------
    h
        The largest share, above 0 and at most 1.
    y
        The columns whose values nobody may be sure of: sensitive ones, or any that are not in X.
    x
        The columns that the adversary knows; the whole quasi-identifier if not given.
    values
        The values on Y that are bounded, by their texts; all if not given. With several columns in
        Y a value is a list of texts, one for each column; the empty text is the missing value. For
        a bound of its own for each value, give several promises.

    Guarantees
    ----------
    From the release alone, a victim is linked to a value on Y with confidence at most h. If values
    are listed, others are not bounded. It says nothing of those who can rule out values, and, if
    people own several records, nothing about people: records are counted.

    Merging
    -------
    Safe: the share of a value in a union is a weighted mean of its shares in the parts, hence at
    most h. It does not absorb: {1, 1} keeps within one half, and with one more record of the first
    value, {2, 1}, it does not.

    Examples
    --------
    Nine of ten visits of cooks are for HIV.

    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> visits = as_table({"job": ["cook"] * 10, "test": ["HIV"] * 9 + ["eye"]},
    ...     quasi="job", sensitive="test")
    >>> promise = XYLinkability(0.5, y="test", values=["eye"])
    >>> promise.holds(count(visits, promise.needs()).finest)
    True
    >>> XYLinkability(0.5, y="test").verdict(count(visits, promise.needs()).finest).achieved
    {'h': 0.9}
    """

    name: ClassVar[str] = "xy-linkability"
    reference: ClassVar[str] = "Wang and Fung 2006"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE
    in_words: ClassVar[str] = (
        "Nobody who knows {x} of somebody is more than {h:%} sure of a value on {y}."
    )
    does_not_promise: ClassVar[tuple[str, ...]] = (
        UNLISTED_VALUES,
        VALUES_RULED_OUT,
        "An adversary who knows more columns is not stopped.",
    )
    parameter: ClassVar[str] = "h"
    higher_is_safer: ClassVar[bool] = False

    h: Fraction = field(converter=exact, validator=is_share)
    y: Columns = field(converter=as_columns, kw_only=True)
    x: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    values: Values | None = field(default=None, converter=as_values, kw_only=True)
    _blurred: Columns = field(default=(), eq=False, repr=False, kw_only=True)

    @x.validator
    def _fits_y(self, attribute: object, value: Columns | None) -> None:
        refuse_unfit(value, self.y)

    @values.validator
    def _fit_y(self, attribute: object, value: Values | None) -> None:
        refuse_invalid_values(value, len(self.y))

    @property
    def most(self) -> Fraction:
        return self.h

    @property
    def counted(self) -> Columns:
        return self.y

    @property
    def listed(self) -> Values | None:
        return self.values

    @property
    def known(self) -> Columns | None:
        return self.x

    def with_normalized_values(self, normalize: ValueNormalizer) -> XYLinkability:
        return evolve(self, values=normalize_values(self.values, self.y, normalize))

    def share_ceiling(self, goal: SensitiveGoal) -> Fraction:
        return self.h

    def weaker(self) -> XYLinkability | None:
        more = self.h + Fraction(1, 20)
        return evolve(self, h=more) if more < 1 else None
