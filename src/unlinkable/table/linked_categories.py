"""Categories of two tables in one code space.

With a taxonomy the codes are its own, and texts that it lacks come after them, or under the node
that masks them: ``13099`` belongs to ``130**`` whether or not a record had it. Without a taxonomy
every text is a value: those of the release first, so that what were neighbours there stay
neighbours.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

import numpy as np

from unlinkable.errors import DataError
from unlinkable.table.notation import read_set
from unlinkable.table.published import read_range
from unlinkable.table.taxonomy import ANY, Taxonomy
from unlinkable.typing import CodeArray

__all__ = ["read_categories"]

_MASK = re.compile(r"([^*]+)\*+")
_LAST = chr(0x10FFFF)

_Ranges = dict[str, tuple[int, int]]


def read_categories(
    name: str, published: Sequence[str], listed: Sequence[str], taxonomy: Taxonomy | None
) -> tuple[list[CodeArray], list[str]]:
    """Find the range of codes of every text of both sides, and what each code is called.

    The missing value has one code more.

    Raises
    ------
    DataError
        If a set cannot be looked up, or nothing says how the texts of one side are related to
        those of the other.
    """
    sides = [*published], [*listed]
    if taxonomy is None:
        ranges, n_codes = _by_texts(name, *sides)
    else:
        ranges, n_codes = _by_taxonomy(name, *sides, taxonomy)
    found = [np.array([ranges[text] for text in side], np.int32) for side in sides]
    called = [""] * (n_codes - 1)
    for text, (lo, hi) in ranges.items():
        if hi - lo == 1 and hi < n_codes:
            called[lo] = text
    return [side.reshape(-1, 2) for side in found], called


def _by_texts(name: str, published: list[str], listed: list[str]) -> tuple[_Ranges, int]:
    """Take every text for a value, unless it is a set or masked."""
    here, there = {*published} - {ANY}, {*listed} - {ANY}
    sets = {text: members for text in here | there if (members := read_set(text))}
    masks = {text: mask[1] for text in here | there if (mask := _MASK.fullmatch(text))}
    if here and there and not (here & there or sets or masks):
        raise DataError(
            f"no value of column {name!r} is in the release and in the list as well: if one of "
            "them shows labels of a taxonomy, give the taxonomy of the column; if they are written "
            "in different ways, write them alike, or leave the column out"
        )
    inside = [
        {m for text, ms in sets.items() if text in side for m in ms} for side in (here, there)
    ]
    shown = (here | inside[0]) - {*sets}
    others = (there | inside[1]) - {*sets} - shown
    values = [*sorted(shown), *sorted(others)]
    if masks:
        values.sort(key=_by_length)
    codes = {value: code for code, value in enumerate(values)}
    ranges = {value: (code, code + 1) for value, code in codes.items()}
    for text, start in masks.items():
        # What is masked has a place of its own beside the values that it covers.
        first = bisect_left(values, (len(text), start), key=_by_length)
        ranges[text] = first, bisect_left(values, (len(text), start + _LAST), key=_by_length)
    for text, members in sets.items():
        ranges[text] = _run(name, text, [codes[member] for member in members])
    ranges[ANY] = 0, len(values) + 1
    return ranges, len(values) + 1


def _by_taxonomy(
    name: str, published: list[str], listed: list[str], taxonomy: Taxonomy
) -> tuple[_Ranges, int]:
    """Take the codes of a taxonomy, with room for values that it lacks."""
    leaves = {text: code for code, text in enumerate(taxonomy.domain.values.tolist())}
    known = {*leaves, *taxonomy.named, ANY, taxonomy.root}
    new = sorted({*published, *listed} - known)
    sets = {
        text: members for text in new if (members := read_set(text)) and _are_in(members, known)
    }
    taken = _straddled(taxonomy, sets.values())
    found = [(*_place(text, taxonomy), text) for text in new if text not in sets]
    # A value that would come between the members of a set is left to the root.
    places = sorted(
        (len(leaves), taxonomy.height, text) if place in taken else (place, level, text)
        for place, level, text in found
    )
    before = np.array([place for place, _, _ in places], np.int64)
    ordered = [(place, level) for place, level, _ in places]
    ranges = {text: (place + i, place + i + 1) for i, (place, _, text) in enumerate(places)}
    old = np.arange(len(leaves)) + np.searchsorted(before, np.arange(len(leaves)), "right")
    ranges |= {text: (int(old[code]), int(old[code]) + 1) for text, code in leaves.items()}
    for label, (height, node) in taxonomy.named.items():
        first, end = taxonomy.levels[height].starts[node : node + 2].tolist()
        ranges.setdefault(label, (int(old[first]), end + bisect_right(ordered, (end, height))))
    n_codes = len(leaves) + len(places) + 1
    for text, members in sets.items():
        ranges[text] = _run(name, text, [c for m in members for c in range(*ranges[m])])
    return ranges | {ANY: (0, n_codes), taxonomy.root: (0, n_codes)}, n_codes


def _place(text: str, taxonomy: Taxonomy) -> tuple[int, int]:
    """Say before which leaf a new value stands, and on which level the node is that covers it."""
    for n_masked in range(1, len(text)):
        if (found := taxonomy.named.get(text[:-n_masked] + "*" * n_masked)) is not None:
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


def _run(name: str, text: str, codes: list[int]) -> tuple[int, int]:
    """Take codes as a range if they are one."""
    lo, hi = min(codes), max(codes) + 1
    if hi - lo != len({*codes}):
        raise DataError(
            f"column {name!r}: the members of {text!r} are no neighbours, as far as is known: give "
            "the taxonomy of the column, or leave the column out"
        )
    return lo, hi


def _by_length(text: str | tuple[int, str]) -> tuple[int, str]:
    return (len(text), text) if isinstance(text, str) else text
