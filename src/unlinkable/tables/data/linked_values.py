"""Values of two tables in one code space: categories, numbers and dates."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray

from unlinkable.errors import DataError
from unlinkable.tables.taxonomies import (
    ANY,
    Domain,
    Kind,
    Numbered,
    Taxonomy,
    read_bounds,
    read_range,
    read_set,
)
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["read_categories", "read_scales"]

_MASKED_TEXT = re.compile(r"([^*]+)\*+")

_LAST = chr(0x10FFFF)

_Ranges = dict[str, tuple[int, int]]


def read_categories(
    name: str, columns: Sequence[Numbered], taxonomy: Taxonomy | None
) -> tuple[list[CodeArray], list[str], float]:
    """Find the range of codes of every text of both sides, and what each code is called.

    The missing value has one code more. Also gives the share of the rows of the list with a value
    that is known to the release: one of its taxonomy, or without a taxonomy, one that it shows.

    Raises
    ------
    DataError
        If a set cannot be looked up, or nothing says how the texts of one side are related to
        those of the other.
    """
    sides = texts_shown(columns[0]), texts_shown(columns[1])
    texts = [*sides[0], *sides[1]]
    ranges, n_codes = (
        _by_texts(texts, *sides) if taxonomy is None else _by_taxonomy(texts, taxonomy)
    )
    for side, shown in enumerate(sides):
        if broken := [code for code, text in enumerate(shown) if text not in ranges]:
            raise DataError(
                f"column {name!r}: the members of the set in {row_of(columns, side, broken)} are "
                "no neighbours, as far as is known: give the taxonomy of the column, or leave the "
                "column out"
            )
    found = [np.array([ranges[text] for text in side], np.int32).reshape(-1, 2) for side in sides]
    is_known = _known(sides, found, n_codes, taxonomy)
    share = _share_known(name, columns, sides, is_known, taxonomy)
    called = [""] * (n_codes - 1)
    for text, (lo, hi) in ranges.items():
        if hi - lo == 1 and hi < n_codes:
            called[lo] = text
    return found, called, share


def _known(
    sides: tuple[list[str], list[str]],
    found: list[CodeArray],
    n_codes: int,
    taxonomy: Taxonomy | None,
) -> BoolArray:
    """State which texts of the list the release knows."""
    published, listed = sides
    tells = np.array([text != ANY for text in published], bool)
    if taxonomy is not None:
        shown = {*published}
        return np.array([text in shown or _is_known(text, taxonomy) for text in listed], bool)
    begun, ended = (np.bincount(ends, minlength=n_codes + 1) for ends in found[0][tells].T)
    covered = np.append(0, np.cumsum(np.cumsum(begun - ended) > 0))
    is_known: BoolArray = covered[found[1][:, 1]] > covered[found[1][:, 0]]
    return is_known


def _is_known(text: str, taxonomy: Taxonomy) -> bool:
    if text in taxonomy.named or taxonomy.domain.code_of(text) >= 0:
        return True
    if members := read_set(text):
        return any(_is_known(member, taxonomy) for member in members)
    return _place(text, taxonomy)[1] < taxonomy.height


def _share_known(
    name: str,
    columns: Sequence[Numbered],
    sides: tuple[list[str], list[str]],
    is_known: BoolArray,
    taxonomy: Taxonomy | None,
) -> float:
    """Give the share of the rows of the list that tell something known; refuse it if none does."""
    everything = {ANY} if taxonomy is None else {ANY, taxonomy.root}
    tells = np.array([text not in everything for text in sides[1]], bool)
    if not tells.any() or everything.issuperset(sides[0]):
        return 1.0
    n = int(tells.sum())
    if taxonomy is None and not is_known[tells].any():
        raise DataError(
            f"no value of column {name!r} is in the release and in the list as well: if one of "
            "them shows labels of a taxonomy, give the taxonomy of the column; if they are "
            "written in different ways, write them alike, or leave the column out"
        )
    # A single value may belong to a person who is not in the release.
    if n > 1 and not is_known[tells].any():
        raise DataError(
            f"of {n:,} different values of column {name!r} in the list none is known to the "
            "release: if they are written in different ways, write them alike, or leave the "
            "column out"
        )
    rows = columns[1].observed.counts[: tells.size]
    return float(rows[tells & is_known].sum() / rows[tells].sum())


def _by_texts(texts: list[str], published: list[str], listed: list[str]) -> tuple[_Ranges, int]:
    """Take every text for a value, unless it is a set or masked; leave out sets that are no run."""
    sets = {text: members for text in texts if (members := read_set(text))}
    masks = {text: mask[1] for text in texts if (mask := _MASKED_TEXT.fullmatch(text))}
    here, there = (
        ({*side} | {m for text in side for m in sets.get(text, ())}) - {*sets, ANY}
        for side in (published, listed)
    )
    # Texts are neighbours by the alphabet and numbers by length, in the release or in both.
    parts = [(here | there, set[str]())] if masks else [(here, there - here), (here | there, set())]
    keys: list[Callable[[str], Any]] = [_by_length] if masks else [str, _by_length]
    ordered = [
        [*sorted(first, key=key), *sorted(others, key=key)]
        for first, others in parts
        for key in keys
    ]
    runs: _Ranges = {}
    for values in ordered:
        codes = {value: code for code, value in enumerate(values)}
        runs = {
            text: run
            for text, members in sets.items()
            if (run := _run([codes[member] for member in members]))
        }
        if len(runs) == len(sets):
            break
    ranges = {value: (code, code + 1) for value, code in codes.items()}
    for text, start in masks.items():
        # What is masked has a place of its own beside the values that it covers.
        first = bisect_left(values, (len(text), start), key=_by_length)
        ranges[text] = first, bisect_left(values, (len(text), start + _LAST), key=_by_length)
    return ranges | runs | {ANY: (0, len(values) + 1)}, len(values) + 1


def _by_taxonomy(texts: list[str], taxonomy: Taxonomy) -> tuple[_Ranges, int]:
    """Take the codes of a taxonomy, with room for values that it lacks; leave out broken sets."""
    leaves = {text: code for code, text in enumerate(taxonomy.domain.values.tolist())}
    known = {*leaves, *taxonomy.named, ANY, taxonomy.root}
    new = sorted({*texts} - known)
    sets = {
        text: members for text in new if (members := read_set(text)) and _are_in(members, known)
    }
    taken = _straddled(taxonomy, sets.values())
    found = [(*_place(text, taxonomy), text) for text in new if text not in sets]
    # A value that would come between the members of a set is left to the root.
    places = sorted(
        (len(leaves), taxonomy.height, text) if level and place in taken else (place, level, text)
        for place, level, text in found
    )
    before = np.array([place for place, _, _ in places], np.int64)
    ordered = [(place, level) for place, level, _ in places]
    ranges = {text: (place + i, place + i + 1) for i, (place, _, text) in enumerate(places)}
    old = np.arange(len(leaves)) + np.searchsorted(before, np.arange(len(leaves)), "right")
    ranges |= {
        text: (int(old[code]), code + 1 + bisect_right(ordered, (code + 1, 0)))
        for text, code in leaves.items()
    }
    for label, (height, node) in taxonomy.named.items():
        first, end = taxonomy.levels[height].starts[node : node + 2].tolist()
        ranges.setdefault(label, (int(old[first]), end + bisect_right(ordered, (end, height))))
    n_codes = len(leaves) + len(places) + 1
    for text, members in sets.items():
        if run := _run([c for m in members for c in range(*ranges[m])]):
            ranges[text] = run
    return ranges | {ANY: (0, n_codes), taxonomy.root: (0, n_codes)}, n_codes


def _place(text: str, taxonomy: Taxonomy) -> tuple[int, int]:
    """State before which leaf a new value stands, and on which level the node is that covers it."""
    for n_masked in range(1, len(text)):
        mask = text[:-n_masked] + "*" * n_masked
        if (leaf := taxonomy.domain.code_of(mask)) >= 0:
            return leaf + 1, 0
        if (found := taxonomy.named.get(mask)) is not None:
            level, node = found
            return int(taxonomy.levels[level].starts[node + 1]), level
    return taxonomy.domain.n_present, taxonomy.height


def _straddled(taxonomy: Taxonomy, sets: Iterable[list[str]]) -> set[int]:
    """List the places between leaves that lie inside a set."""
    inside: set[int] = set()
    for members in sets:
        ranges = [read_range(taxonomy, member) for member in members]
        inside |= {*range(min(lo for lo, _ in ranges) + 1, max(hi for _, hi in ranges))}
    return inside


def _are_in(members: list[str], known: set[str]) -> bool:
    return all(member in known for member in members)


def _run(codes: list[int]) -> tuple[int, int] | None:
    """Take codes as a range if they are one."""
    lo, hi = min(codes), max(codes) + 1
    return (lo, hi) if hi - lo == len({*codes}) else None


def _by_length(text: str | tuple[int, str]) -> tuple[int, str]:
    return (len(text), text) if isinstance(text, str) else text


_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")

_DATE = re.compile(r"-?\d{4,}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?")

_PART = re.compile(r"(\d{4})(?:-(\d{2})|-Q([1-4])|-W(\d{2})|(s))?")

_MASKED_NUMBER = re.compile(r"(-?\d+)(\*+)")

_WRITTEN = {
    Kind.NUMBER: "[20-30), <20 or >=90",
    Kind.DATE: "[2024-01-05-2024-02-01), 2024-02 or 2024-Q1",
}
"""How intervals are written."""

_DAY = 86_400_000_000
"""Microseconds of a day."""

_EXACT = 1 << 53
"""Whole numbers beyond are not exact as floats."""

_Span = tuple[Any, Any, bool]
"""First value, end or last value, and whether it is the last value; None for an open end."""

_ANYTHING: _Span = (None, None, True)

_MISSING: _Span = (None, None, False)


@define(eq=False, frozen=True)
class _Ends:
    """Where the values of a side begin and end; ends that are open are marked and hold a 0."""

    lower: NDArray[Any]
    upper: NDArray[Any]
    is_closed: BoolArray
    is_open_below: BoolArray
    is_open_above: BoolArray


def read_scales(
    name: str, kind: Kind, columns: Sequence[Numbered], taxonomy: Taxonomy | None
) -> tuple[list[CodeArray], FloatArray]:
    """Find the range of codes of every present value of both columns, and where each code lies.

    The missing value has one code more. Dates lie where their microseconds since 1970 are.

    Raises
    ------
    DataError
        If a text is no number, date, interval or label.
    """
    sides = []
    for side, column in enumerate(columns):
        ends, bad = _ends(name, kind, column.observed.domain, taxonomy)
        if bad:
            raise DataError(
                f"column {name!r}: {row_of(columns, side, bad)} shows neither a {kind.value} nor "
                f"an interval of {kind.value}s, which is written {_WRITTEN[kind]}: write it so, "
                "give the taxonomy of the column, or leave the column out"
            )
        sides.append(ends)
    bounds = [side.lower[~side.is_open_below] for side in sides]
    bounds += [side.upper[~side.is_open_above] for side in sides]
    places = np.unique(np.concatenate(bounds))
    return [_ranges(side, places) for side in sides], places.astype(float)


def _ranges(side: _Ends, places: NDArray[Any]) -> CodeArray:
    lo = np.where(side.is_open_below, 0, np.searchsorted(places, side.lower))
    hi = np.searchsorted(places, side.upper) + side.is_closed
    # What is open above and closed there covers the missing value as well, and so is no value.
    hi = np.where(side.is_open_above, places.size + side.is_closed, hi)
    is_missing = side.is_open_below & side.is_open_above & ~side.is_closed
    lo, hi = np.where(is_missing, places.size, lo), np.where(is_missing, places.size + 1, hi)
    return np.column_stack([lo, hi]).astype(np.int32)


def _ends(
    name: str, kind: Kind, domain: Domain, taxonomy: Taxonomy | None
) -> tuple[_Ends, list[int]]:
    """Find where values begin and end, and the codes of those that cannot be read."""
    values, none = domain.values, np.zeros(domain.n_present, bool)
    if domain.kind is Kind.CATEGORY or not domain.n_present:
        return _read_texts(name, kind, values.tolist(), taxonomy)
    if domain.kind is not kind:
        raise DataError(
            f"column {name!r} holds {domain.kind.value}s where {kind.value}s are expected: write "
            "both sides in the same way, or leave the column out"
        )
    if kind is Kind.NUMBER:
        return _Ends(values, values, ~none, none, none), []
    start = values.astype("datetime64[us]").astype(np.int64)
    step = 1 if np.datetime_data(values.dtype)[0] == "us" else _DAY
    return _Ends(start, start + step, none, none, none), []


def _read_texts(
    name: str, kind: Kind, texts: list[str], taxonomy: Taxonomy | None
) -> tuple[_Ends, list[int]]:
    read = _read_number if kind is Kind.NUMBER else _read_date
    spans = [_read(name, text, kind, taxonomy) or read(text) for text in texts]
    bad = [code for code, span in enumerate(spans) if not _means_something(span)]
    lower, upper, closed = ([span[i] for span in spans if span] for i in range(3))
    ends = _Ends(
        _filled(lower),
        _filled(upper),
        np.array(closed, bool),
        np.array([end is None for end in lower], bool),
        np.array([end is None for end in upper], bool),
    )
    return ends, bad


def _means_something(span: _Span | None) -> bool:
    if span is None or span[0] is None or span[1] is None:
        return span is not None
    return (span[0], 0) < (span[1], int(span[2]))


def _filled(ends: list[Any]) -> NDArray[Any]:
    known = [0 if end is None else end for end in ends]
    if all(isinstance(end, int) and -(1 << 63) <= end < 1 << 63 for end in known):
        return np.array(known, np.int64)
    return np.array(known, float)


def _read(name: str, text: str, kind: Kind, taxonomy: Taxonomy | None) -> _Span | None:
    """Read what is written in the same way for numbers and dates: everything, nothing, a label."""
    if text == ANY or (taxonomy is not None and text == taxonomy.root):
        return _ANYTHING
    if not text:
        return _MISSING
    if taxonomy is None or text not in taxonomy.named:
        return None
    at, node = taxonomy.named[text]
    level = taxonomy.levels[at]
    if (edges := level.edges) is not None:
        is_first, is_last = node == 0, node == len(edges.lower) - 1
        lower = None if is_first and edges.open_below else _plain(edges.lower[node])
        upper = None if is_last and edges.open_above else _plain(edges.upper[node])
        return lower, upper, False
    # From the first of the values under the label to the last one.
    first, last = int(level.starts[node]), int(level.starts[node + 1]) - 1
    told, _ = _ends(name, kind, Domain(kind, taxonomy.domain.values[[first, last]]), None)
    return told.lower[0].item(), told.upper[1].item(), bool(told.is_closed[1])


def _plain(bound: Any) -> int | float:
    """Give a number as it is, and a date in microseconds."""
    if isinstance(bound, np.datetime64):
        return int(bound.astype("datetime64[us]").astype(np.int64))
    value: int | float = bound.item()
    return value


def _read_number(text: str) -> _Span | None:
    if _NUMBER.fullmatch(text):
        value = _number(text)
        return value, value, True
    if bounds := read_bounds(Kind.NUMBER, text):
        return (*(None if end is None else _number(end) for end in bounds), False)  # type: ignore[return-value]
    if mask := _MASKED_NUMBER.fullmatch(text):
        start, step = int(mask[1]), 10 ** len(mask[2])
        return (start * step, (start + 1) * step, False) if start > 0 else None
    return None


def _number(text: str) -> int | float:
    if text.lstrip("+-").isdigit():
        return int(text)
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < _EXACT else value


def _read_date(text: str) -> _Span | None:
    if _DATE.fullmatch(text):
        start = _microseconds(text)
        step = _DAY if len(text.lstrip("-")) <= 10 else 1
        return None if start is None else (start, start + step, False)
    if bounds := read_bounds(Kind.DATE, text):
        ends = [None if end is None else _microseconds(end) for end in bounds]
        is_read = all(a is not None or b is None for a, b in zip(ends, bounds, strict=True))
        return (ends[0], ends[1], False) if is_read else None
    return _read_part(text)


def _read_part(text: str) -> _Span | None:
    """Read a week, a month, a quarter, a year or a decade by its label."""
    part = _PART.fullmatch(text)
    if part is None:
        return None
    year, month, quarter, week, decade = part.groups()
    if week:
        try:
            monday = np.datetime64(date.fromisocalendar(int(year), int(week), 1))
        except ValueError:
            return None
        return _plain(monday), _plain(monday + 7), False
    first = int(month) - 1 if month else 3 * (int(quarter) - 1) if quarter else 0
    n_months = 1 if month else 3 if quarter else 120 if decade else 12
    if not 0 <= first < 12:
        return None
    start = np.datetime64(year, "M") + first
    return _plain(start), _plain(start + n_months), False


def _microseconds(text: str) -> int | None:
    try:
        return int(np.datetime64(text.replace(" ", "T"), "us").astype(np.int64))
    except ValueError:
        return None


_SIDES = ("the release", "the list")


def row_of(sides: Sequence[Numbered], side: int, codes: Sequence[int]) -> str:
    """Name the first row of a side that shows one of these values, counted from 1.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.taxonomies.encoding import number
    >>> sides = number(pl.Series(["b", "c"])), number(pl.Series(["b", "a", "b"]))
    >>> row_of(sides, 1, [0])
    'row 2 of the list'
    """
    is_meant = np.isin(sides[side].codes, codes)
    row = int(np.argmax(is_meant[sides[side].numbers])) + 1
    return f"row {row:,} of {_SIDES[side]}"


def texts_shown(side: Numbered) -> list[str]:
    """Write the present values of a column, in the order of their codes."""
    domain = side.observed.domain
    return [domain.text_of(value) for value in domain.values]
