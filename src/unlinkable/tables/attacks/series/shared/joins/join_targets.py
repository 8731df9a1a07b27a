"""Join targets: what nobody should be too sure of, and which values never go together.

Both are written as texts, so that a data steward can read them: ``"disease"`` or
``"disease=HIV<=0.1"`` for the first, ``"sex=Male, state=Pregnant"`` for the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Self

import numpy as np
from attrs import frozen

from unlinkable.errors import ParameterError
from unlinkable.params import exact
from unlinkable.typing import BoolArray, Columns

__all__ = ["JoinTarget", "Rule", "read_rules", "read_targets", "refuse_unfit"]


@frozen
class JoinTarget:
    """A column that nobody should be too sure of.

    Attributes
    ----------
    column
        The column.
    value
        The one value of it that counts; every value if None.
    limit
        How confident anybody may be; as sure as of everything else if None.
    """

    column: str
    value: str | None = None
    limit: Fraction | None = None

    def among(self, texts: Sequence[str | None]) -> BoolArray:
        """Mark the values that are asked, of those that a release numbers."""
        is_asked = np.ones(max(len(texts), 1), bool)
        if self.value is not None:
            is_asked[:] = [text == self.value for text in texts]
        return is_asked

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a column, or a value of it, with a bound of its own or without.

        Raises
        ------
        ParameterError
            If the text is none of these.

        Examples
        --------
        >>> JoinTarget.read("disease=HIV<=0.1")
        JoinTarget(column='disease', value='HIV', limit=Fraction(1, 10))
        >>> JoinTarget.read("disease")
        JoinTarget(column='disease', value=None, limit=None)
        """
        what, bounded, share = text.rpartition("<=")
        limit = exact(share.strip()) if bounded else None
        if limit is not None and not 0 < limit <= 1:
            raise ParameterError(f"the bound of {text!r} must lie in (0, 1], got {limit}")
        column, named, value = (what if bounded else text).partition("=")
        if not column.strip() or (named and not value.strip()):
            raise ParameterError(
                f"cannot read {text!r}: write a column, or one value of it, like 'disease=HIV', "
                "with a bound of its own if it has one, like 'disease=HIV<=0.1'"
            )
        return cls(column.strip(), value.strip() if named else None, limit)


@frozen
class Rule:
    """Two values of different columns that nobody has at once; nor any values under them.

    Attributes
    ----------
    column, value
        A value of one release.
    other, opposite
        A value of any other release.
    """

    column: str
    value: str
    other: str
    opposite: str

    @classmethod
    def read(cls, text: str) -> Self:
        """Read two values that do not go together.

        Raises
        ------
        ParameterError
            If the text does not name two values of different columns.

        Examples
        --------
        >>> Rule.read("sex=Male, state=Pregnant")
        Rule(column='sex', value='Male', other='state', opposite='Pregnant')
        """
        first, _, second = text.partition(",")
        sides = [[part.strip() for part in side.split("=", 1)] for side in (first, second)]
        if any(len(side) != 2 or not all(side) for side in sides):
            raise ParameterError(
                f"cannot read {text!r}: write two values that nobody has at once, like "
                "'sex=Male, state=Pregnant'"
            )
        (column, value), (other, opposite) = sides
        if column == other:
            raise ParameterError(
                f"{text!r} names column {column!r} twice: values of one column are matched by its "
                "taxonomy, a rule is about two columns"
            )
        return cls(column, value, other, opposite)


def read_targets(texts: Columns) -> tuple[JoinTarget, ...]:
    """Read what nobody should be too sure of.

    Raises
    ------
    ParameterError
        If nothing is named, or something cannot be read.
    """
    if not texts:
        raise ParameterError("y must name at least one column, or a value of one")
    return tuple(map(JoinTarget.read, texts))


_MOST_RULES = 62
"""So many rules fit into the bits of a number."""


def read_rules(texts: Columns) -> tuple[Rule, ...]:
    """Read the values that do not go together.

    Raises
    ------
    ParameterError
        If one cannot be read, or there are too many.
    """
    if len(texts) > _MOST_RULES:
        raise ParameterError(
            f"inconsistent has {len(texts)} rules, and {_MOST_RULES} are looked at at most: name "
            "nodes of the taxonomies instead of their values"
        )
    return tuple(map(Rule.read, texts))


def refuse_unfit(x: Columns | None, y: Columns | None) -> None:
    """Refuse columns that are known and hidden at once.

    Raises
    ------
    ParameterError
        If there are such, or x names nothing.
    """
    if x is not None and not x:
        raise ParameterError("x must name at least one column; leave it out to mean all")
    asked = {item.column for item in read_targets(y)} if y is not None else set()
    if both := [name for name in x or () if name in asked]:
        raise ParameterError(
            f"column {both[0]!r} is in x and in y: x is what is known, y what is to stay hidden, "
            "and a column can be one of them"
        )
