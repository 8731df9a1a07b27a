"""Notation: how values, intervals and sets are written, and read again.

======================  ==========================================================
``30``, ``2024-03-05``  a number, a day or a time (ISO 8601)
``[30-35)``             numbers or dates from the first up to, not including, the second
``<20``, ``>=80``       the open ends
``{Dancer, Writer}``    categories, in the order of the domain
======================  ==========================================================

A category within a set is quoted like a JSON text where it would be misread otherwise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from math import ceil
from typing import Any

import numpy as np

from unlinkable.tables.taxonomies.domain import Domain, Kind

__all__ = [
    "first_at",
    "read_bound",
    "read_bounds",
    "read_plain",
    "read_set",
    "read_value",
    "write_interval",
    "write_set",
]

_NUMBER = r"-?\d+(?:\.\d+)?"
_DATE = r"-?\d{4,}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)?"
_RAW_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_TIME = re.compile(r"(.{10,})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)")
_BOUNDS = {
    kind: re.compile(rf"\[({bound})-({bound})\)|<({bound})|>=({bound})")
    for kind, bound in ((Kind.NUMBER, _NUMBER), (Kind.DATE, _DATE))
}
_MEMBER = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[^,{}"\s][^,{}"]*)\s*(,|$)')
_MUST_QUOTE = re.compile(r'[,{}"]|^\s|\s$|^$')


def write_interval(lower: str | None, upper: str | None) -> str:
    """Write an interval by its two ends, either of which may be open.

    Examples
    --------
    >>> write_interval("30", "35"), write_interval(None, "20"), write_interval("80", None)
    ('[30-35)', '<20', '>=80')
    """
    if lower is None:
        return f"<{upper}"
    return f">={lower}" if upper is None else f"[{lower}-{upper})"


def write_set(values: Iterable[str]) -> str:
    """Write categories as a set.

    Examples
    --------
    >>> print(write_set(["Dancer", "Writer, retired"]))
    {Dancer, "Writer, retired"}
    """
    members = (json.dumps(v, ensure_ascii=False) if _MUST_QUOTE.search(v) else v for v in values)
    return f"{{{', '.join(members)}}}"


def read_set(text: str) -> list[str] | None:
    """Take a set apart into its members; None if it is no set.

    Examples
    --------
    >>> read_set('{Dancer, "Writer, retired"}'), read_set("Dancer")
    (['Dancer', 'Writer, retired'], None)
    """
    if not (text.startswith("{") and text.endswith("}")):
        return None
    inside, at = text[1:-1], 0
    members: list[str] = []
    while at < len(inside):
        match = _MEMBER.match(inside, at)
        if not match:
            return None
        member, mark = match.groups()
        try:
            members.append(json.loads(member) if member.startswith('"') else member.rstrip())
        except ValueError:
            return None
        at = match.end()
        if mark and at == len(inside):
            return None
    return members or None


def read_bounds(kind: Kind, text: str) -> tuple[str | None, str | None] | None:
    """Take an interval apart into its ends, None for an open one; None if it is no interval.

    Examples
    --------
    >>> read_bounds(Kind.NUMBER, "[-5--2.5)"), read_bounds(Kind.NUMBER, "<20")
    (('-5', '-2.5'), (None, '20'))
    >>> read_bounds(Kind.DATE, "[2024-01-05-2024-02-01)")
    ('2024-01-05', '2024-02-01')
    """
    match = _BOUNDS[kind].fullmatch(text) if kind in _BOUNDS else None
    if not match:
        return None
    lower, upper, below, above = match.groups()
    return (None, below) if below else (above, None) if above else (lower, upper)


def read_bound(domain: Domain, text: str) -> Any:
    """Read the end of an interval: a whole number, a decimal or a date; None if it is none."""
    if domain.kind is Kind.NUMBER:
        is_whole = domain.values.dtype.kind in "iu" and "." not in text
        return int(text) if is_whole else float(text)
    try:
        return np.datetime64(text, "us" if "T" in text else "D")
    except ValueError:
        return None


def read_value(domain: Domain, text: str) -> Any:
    """Read a number or date as one of a domain's could be written; None if it is none.

    Examples
    --------
    >>> ages = Domain(Kind.NUMBER, np.array([17, 20, 65]))
    >>> read_value(ages, "20.0"), read_value(ages, "twenty")
    (20, None)
    """
    if domain.kind is Kind.NUMBER:
        if not _RAW_NUMBER.fullmatch(text):
            return None
        if np.issubdtype(domain.values.dtype, np.integer) and text.lstrip("+-").isdigit():
            return int(text)
        number = float(text)
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    time = _TIME.fullmatch(text)
    if bool(time) != (np.datetime_data(domain.values.dtype)[0] == "us"):
        return None
    if not re.fullmatch(r"-?\d{4,}-\d{2}-\d{2}", time.group(1) if time else text):
        return None
    return read_bound(domain, "T".join(time.groups()) if time else text)


def first_at(domain: Domain, bound: Any) -> int:
    """Find the first code whose number or date is not below a bound."""
    values = domain.values
    if not len(values):
        return 0
    if np.issubdtype(values.dtype, np.integer):
        bound = ceil(bound)
        if bound > int(values[-1]):
            return len(values)
        bound = values.dtype.type(max(bound, int(values[0])))
    elif domain.kind is Kind.DATE:
        exact, bound = bound, bound.astype(values.dtype)
        bound += domain.unit if bound < exact else 0
    return int(np.searchsorted(values, bound))


def read_plain(domain: Domain, text: str, *, may_skip: bool = False) -> tuple[int, int] | None:
    """Find the range of codes of a text that is no label; None if it means nothing here.

    A set that skips values between its members means something only if it ``may_skip`` them.

    Examples
    --------
    >>> ages = Domain(Kind.NUMBER, np.array([17, 20, 65]))
    >>> read_plain(ages, "[18-66)"), read_plain(ages, "20"), read_plain(ages, "<18")
    ((1, 3), (1, 2), (0, 1))
    """
    if domain.kind is Kind.CATEGORY:
        code = domain.code_of(text)
        return (code, code + 1) if code >= 0 else _range_of_set(domain, text, may_skip)
    bounds = read_bounds(domain.kind, text)
    if bounds is None:
        value = read_value(domain, text)
        if value is None:
            return None
        lo = first_at(domain, value)
        return (lo, lo + 1) if lo < domain.n_present and domain.values[lo] == value else None
    ends = [None if b is None else read_bound(domain, b) for b in bounds]
    if any(end is None and b is not None for end, b in zip(ends, bounds, strict=True)):
        return None
    lo = 0 if ends[0] is None else first_at(domain, ends[0])
    hi = domain.n_present if ends[1] is None else first_at(domain, ends[1])
    return (lo, hi) if lo < hi else None


def _range_of_set(domain: Domain, text: str, may_skip: bool) -> tuple[int, int] | None:
    members = read_set(text)
    if members is None:
        return None
    codes = [domain.code_of(member) for member in members]
    lo, hi = min(codes), max(codes) + 1
    is_range = lo >= 0 and len(set(codes)) == len(codes) and (may_skip or hi - lo == len(codes))
    return (lo, hi) if is_range else None
