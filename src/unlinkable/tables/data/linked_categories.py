"""Categories of two tables in one code space.

With a taxonomy the codes are its own, and texts that it lacks come after them, or under the node
that masks them: ``13099`` belongs to ``130**`` whether or not a record had it, also if ``130**`` is
the finest that is published. Without a taxonomy every text is a value: those of the release first,
so that what were neighbours there stay neighbours.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from unlinkable.errors import DataError
from unlinkable.tables.data.linked_rows import row_of, texts_shown
from unlinkable.tables.taxonomies import ANY, Numbered, Taxonomy, read_range, read_set
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["read_categories"]

_MASK = re.compile(r"([^*]+)\*+")
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
    # A single value may be somebody's of whom the release has never heard.
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
    masks = {text: mask[1] for text in texts if (mask := _MASK.fullmatch(text))}
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
