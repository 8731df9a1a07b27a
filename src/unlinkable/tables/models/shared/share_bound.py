"""Shares: no hidden value has more than a part of any group, as a part of other promises."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import field, frozen

from unlinkable.params import as_columns, at_least, at_most, exact
from unlinkable.tables.models.base.threat import Threat
from unlinkable.tables.models.shared.listed_values import Values, as_values, refuse_invalid_values
from unlinkable.tables.models.shared.share_model import ShareModel
from unlinkable.typing import Columns

__all__ = ["ShareBound"]


@frozen
class ShareBound(ShareModel):
    r"""No value of some hidden columns has a share of more than ``h`` of any group.

    For every combination :math:`q` that occurs and every bounded value :math:`s`:
    :math:`|T[q, s]| \le h\,|T[q]|`. The bound is met by equality, and decided exactly. It is a part
    of other promises, and has no name of its own.

    Parameters
    ----------
    h
        The largest share, from 0 to 1.
    columns
        The hidden columns, whose values are taken together; none until it is bound to a table.
    values
        The values that are bounded, each by itself; all if not given.

    Merging
    -------
    Safe: the share of a value in a union is a weighted mean of its shares in the parts, hence at
    most the largest of them. It does not absorb: {1, 1} keeps within one half, and with one more
    record of the first value, {2, 1}, it does not.

    Examples
    --------
    >>> from unlinkable.tables.engines import count
    >>> from unlinkable.tables.data import as_table
    >>> ward = as_table({"sex": ["f", "f", "f", "f"], "ill": ["flu", "flu", "flu", "hiv"]},
    ...     quasi="sex", sensitive="ill")
    >>> bound = ShareBound(0.25, ("ill",), ("hiv",))
    >>> bound.judge(count(ward, bound.needs()).finest).tolist()
    [True]
    """

    name: ClassVar[str] = "share"
    reference: ClassVar[str] = "Wang, Fung and Yu 2007"
    threats: ClassVar[Threat] = Threat.ATTRIBUTE
    about_values: ClassVar[bool] = True
    parameter: ClassVar[str] = "h"
    higher_is_safer: ClassVar[bool] = False

    h: Fraction = field(converter=exact, validator=(at_least(0), at_most(1)))
    columns: Columns = field(default=(), converter=as_columns)
    values: Values | None = field(default=None, converter=as_values)

    @values.validator
    def _fit_the_columns(self, attribute: object, value: Values | None) -> None:
        refuse_invalid_values(value, max(len(self.columns), 1))

    @property
    def most(self) -> Fraction:
        return self.h

    @property
    def counted(self) -> Columns:
        return self.columns

    @property
    def listed(self) -> Values | None:
        return self.values
