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
from decimal import Decimal
from enum import Enum
from functools import cached_property
from typing import Any, Self

import numpy as np
from attrs import define, evolve
from numpy.typing import NDArray

from unlinkable.typing import CodeArray

__all__ = ["Domain", "Kind", "Scalar", "text_of_scalar"]

_DAY = 86_400_000_000
"""Microseconds of a day."""

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
            return _step_of_dates(self.values)
        if np.issubdtype(self.values.dtype, np.integer):
            return 1
        if self._places is None:
            return float(np.spacing(np.abs(self.values).max()))
        return 10.0**-self._places

    def text(self, code: int) -> str:
        """Write the value of a code; a missing value is written as the empty text."""
        return "" if code == self.missing else self.text_of(self.values[code])

    def text_of(self, value: Any) -> str:
        """Write a value of this kind."""
        if self.kind is Kind.CATEGORY:
            return str(value)
        if self.kind is Kind.DATE:
            return _iso(value)
        return _plain(value)

    def text_after(self, code: int) -> str:
        """Write the first number or date after the value of a code: the open end of an interval.

        This is a step further, and not the next value that occurs: that one may belong to a record
        that is suppressed, and would be given away.

        Examples
        --------
        >>> Domain(Kind.NUMBER, np.array([17, 20, 65])).text_after(1)
        '21'
        >>> Domain(Kind.NUMBER, np.array([0.7, 2.25])).text_after(0)
        '0.71'
        """
        value = self.values[code]
        if self.kind is Kind.DATE:
            return _iso(value + self.unit)
        if np.issubdtype(self.values.dtype, np.integer):
            return str(int(value) + 1)
        if self._places is not None:
            after = Decimal(_plain(value)) + Decimal(1).scaleb(-self._places)
            # The step vanishes beside a number so large that no float lies within it.
            if float(after) > value:
                text = format(after, "f")
                return text.rstrip("0").rstrip(".") if "." in text else text
        return _plain(np.nextafter(value, np.inf))

    def as_numbers(self) -> NDArray[np.float64]:
        """Give the present numbers as floats, and dates as days since 1970.

        Examples
        --------
        >>> Domain(Kind.DATE, np.array(["1970-01-03"], "datetime64[D]")).as_numbers().tolist()
        [2.0]
        """
        if self.kind is Kind.DATE:
            days: NDArray[np.float64] = self.values.astype("datetime64[us]").astype(float) / _DAY
            return days
        return self.values.astype(float)

    def scalar(self, code: int) -> Scalar | None:
        """Give the value of a code as a plain Python object."""
        if code == self.missing:
            return None
        value = self.values[code]
        return value if isinstance(value, str) else value.item()

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

    def code_of(self, text: str) -> int:
        """Find the code of a value by its text; -1 if the domain does not have it."""
        return self._by_text.get(text, -1)

    def find(self, other: Domain) -> CodeArray:
        """Find the codes of another domain's codes, the missing value's too; -1 for those it lacks.

        Numbers and dates are looked up by their text in a domain of categories.
        """
        values = other.values
        if self.kind is Kind.CATEGORY and other.kind is not Kind.CATEGORY:
            values = np.array([other.text_of(v) for v in values], dtype=object)
        found = self.locate(values)
        return np.append(found, np.int32(self.missing)) if other.has_missing else found

    def with_missing(self) -> Self:
        """Add a code for missing values if there is none yet."""
        return self if self.has_missing else evolve(self, has_missing=True)

    @cached_property
    def _by_text(self) -> dict[str, int]:
        if self.kind is Kind.CATEGORY:
            return self._index
        return {self.text_of(value): code for code, value in enumerate(self.values)}

    @cached_property
    def _index(self) -> dict[str, int]:
        return {value: code for code, value in enumerate(self.values.tolist())}

    @cached_property
    def _places(self) -> int | None:
        """Number of decimal places that all numbers can be written with, if it is not absurd."""
        with np.errstate(over="ignore"):
            for places in range(16):
                if (np.round(self.values, places) == self.values).all():
                    return places
        return None


def text_of_scalar(value: object) -> str | None:
    """Write a value as a text, as a column of its kind does; None if it is no plain value.

    Examples
    --------
    >>> text_of_scalar(2.0), text_of_scalar(True), text_of_scalar(date(2024, 3, 1))
    ('2', 'true', '2024-03-01')
    """
    match value:
        case str():
            return str(value)
        case bool() | np.bool_():
            return str(bool(value)).lower()
        case int() | np.integer():
            return str(int(value))
        case float() | np.floating() if np.isfinite(value):
            return np.format_float_positional(value, trim="-")
        case date():
            return value.isoformat()
        case _:
            return None


def _plain(value: Any) -> str:
    """Write a number without exponent and without a fraction that says nothing."""
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    text = np.format_float_positional(value, trim="-")
    return "0" if text == "-0" else text


def _iso(value: Any) -> str:
    """Write a day, or a time to the second or the microsecond; a time never looks like a day."""
    if np.datetime_data(value.dtype)[0] != "us":
        return str(value)
    is_whole = value.astype(np.int64) % 1_000_000 == 0
    return str(np.datetime_as_string(value, "s" if is_whole else "us"))


def _step_of_dates(values: NDArray[Any]) -> np.timedelta64:
    if np.datetime_data(values.dtype)[0] != "us":
        return np.timedelta64(1, "D")
    for step in ("D", "h", "m", "s", "ms"):
        if (values.astype(f"datetime64[{step}]") == values).all():
            return np.timedelta64(1, step)
    return np.timedelta64(1, "us")
