"""Domain: the values of an attribute, numbered.

Searching never sees a value, only its number (its *code*). Codes run in the order in which
intervals of them make sense: numbers and dates in their own order, categories in the order of the
leaves of their taxonomy.

A missing value is a value of its own. It has the last code, belongs to no interval of numbers or
dates and to no category, and stands directly under the root: a group in which some records have a
value and others have none shows ``*``.
"""

from __future__ import annotations

from datetime import date, datetime
from enum import Enum
from functools import cached_property
from typing import Any, Self

import numpy as np
from attrs import define, evolve
from numpy.typing import NDArray

from unlinkable.typing import CodeArray

__all__ = ["Domain", "Kind", "Scalar"]

Scalar = str | int | float | date | datetime
"""A single value as people write it."""


class Kind(Enum):
    """What sort of values an attribute has, and with it what an interval of them looks like."""

    CATEGORY = "category"
    NUMBER = "number"
    DATE = "date"


@define(eq=False, frozen=True, slots=False)
class Domain:
    """The distinct values of an attribute in the order of their codes.

    Attributes
    ----------
    kind
        Categories, numbers or dates.
    values
        The present values: text, int64, float64, datetime64[D] or datetime64[us]. Numbers and
        dates rise strictly.
    has_missing
        Whether the code after the last value stands for a missing value.

    Examples
    --------
    >>> ages = Domain(Kind.NUMBER, np.array([17, 20, 65]), has_missing=True)
    >>> ages.n, ages.missing, ages.text(1)
    (4, 3, '20')
    >>> ages.locate(np.array([65, 17])).tolist()
    [2, 0]
    """

    kind: Kind
    values: NDArray[Any]
    has_missing: bool = False

    @property
    def n(self) -> int:
        """Number of codes."""
        return len(self.values) + self.has_missing

    @property
    def n_present(self) -> int:
        """Number of codes that are not the missing value's."""
        return len(self.values)

    @property
    def missing(self) -> int:
        """Code of the missing value, or -1."""
        return len(self.values) if self.has_missing else -1

    @cached_property
    def unit(self) -> Any:
        """The step from a number or date to the next one that could have been written."""
        if self.kind is Kind.DATE:
            return np.timedelta64(1, np.datetime_data(self.values.dtype)[0])
        if np.issubdtype(self.values.dtype, np.integer):
            return 1
        places = max((len(t.partition(".")[2]) for t in map(_plain, self.values)), default=0)
        return 10.0**-places

    def text(self, code: int) -> str:
        """Write the value of a code; a missing value is written as the empty text."""
        return "" if code == self.missing else self.text_of(self.values[code])

    def text_of(self, value: Any) -> str:
        """Write a value of this kind."""
        if self.kind is Kind.CATEGORY:
            return str(value)
        if self.kind is Kind.DATE:
            return str(value)  # ISO 8601
        return _plain(value)

    def scalar(self, code: int) -> Scalar | None:
        """Give the value of a code as a plain Python object."""
        if code == self.missing:
            return None
        value = self.values[code]
        return value if isinstance(value, str) else value.item()  # type: ignore[no-any-return]

    def locate(self, values: NDArray[Any]) -> CodeArray:
        """Find the codes of present values; -1 for values that the domain does not have."""
        if self.kind is Kind.CATEGORY:
            index = self._index
            return np.fromiter((index.get(v, -1) for v in values), np.int32, len(values))
        if not len(self.values):
            return np.full(len(values), -1, np.int32)
        at = np.searchsorted(self.values, values)
        found = self.values[np.minimum(at, len(self.values) - 1)] == values
        return np.where(found, at, -1).astype(np.int32)

    def with_missing(self) -> Self:
        """Add a code for missing values if there is none yet."""
        return self if self.has_missing else evolve(self, has_missing=True)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {value: code for code, value in enumerate(self.values.tolist())}


def _plain(value: Any) -> str:
    """Write a number without exponent and without a fraction that says nothing."""
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    text = np.format_float_positional(value, trim="-")
    return "0" if text == "-0" else text
