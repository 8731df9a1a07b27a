"""Axes: the values of a column of several views, as far as anything tells them apart.

Views show values more or less precisely, and select records by comparing them. The *atoms* of a
column are the largest sets of values that no published text and no comparison tells apart. What
nothing speaks of is one atom, *anything else*.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import define

from unlinkable.errors import ParameterError
from unlinkable.kernels.counting import expand_stretches
from unlinkable.tables.attacks.series.shared.views.conditions import Condition
from unlinkable.tables.data import Frame, number_together, ranges_together
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.groups import RowNumbers
from unlinkable.tables.taxonomies import ANY, Kind, Taxonomy, number, read_bounds
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["ANYTHING_ELSE", "UNLIMITED", "Axis", "CodeRanges", "axis_of_rows", "cut", "read_axis"]

_ELSE = "\0else"
_BEFORE = {
    Kind.NUMBER: "[-9000000000000000000--8999999999999999999)",
    Kind.DATE: "[0001-01-01-0001-01-02)",
}
"""Before all others: what lies below the first value that is named has a place too."""


def read_axis(
    name: str, frames: Sequence[Frame], taxonomies: Sequence[Taxonomy | None],
    conditions: Sequence[Condition] = (), *, apart: bool = False,
) -> tuple[Axis, list[CodeArray], list[BoolArray]]:  # fmt: skip
    """Find the atoms of a column.

    Parameters
    ----------
    name
        The column.
    frames, taxonomies
        The views that show it, and what each says that its labels mean.
    conditions
        The comparisons of it.
    apart
        Whether values that a taxonomy lists are atoms of their own, though nothing tells them
        apart: something else depends on which of them it is.

    Returns
    -------
    tuple[Axis, list[CodeArray], list[BoolArray]]
        The axis; for each view the number of the text that every row shows; for each comparison the
        atoms for which it holds.

    Raises
    ------
    SchemaError, DataError
        If a text means nothing, or something else in one view than in another.
    ParameterError
        If categories are compared by order.

    Examples
    --------
    >>> view = to_frame({"age": [40, 60]})[0]
    >>> axis, _, [selected] = read_axis("age", [view], [None], [Condition("age", ">", "45")])
    >>> [label for label, in axis.labels], selected.tolist()
    (['anything else', '40', '>=45.00000000000001', '60'], [False, False, True, True])
    """
    numbers, texts = number_together(frames, name) if frames else ([], [])
    known = max((t for t in taxonomies if t is not None), key=lambda t: t.n, default=None)
    kind = _kind(name, frames, texts, known, conditions)
    compared = [c.texts(on_scale=kind is not Kind.CATEGORY) for c in conditions]
    extra = [ANY, *(text for texts in compared for text in texts)]
    if kind is not Kind.CATEGORY:
        extra.append(_BEFORE[kind])
    elif known is None:
        extra.append(_ELSE)
    ranges = ranges_together([*frames, to_frame({name: extra})[0]], name, taxonomies)
    lo, hi = np.zeros((2, len(texts)), np.int64)
    for own, (first, end) in zip(numbers, ranges, strict=False):
        lo[own], hi[own] = first, end
    more_lo, more_hi = (np.asarray(side, np.int64) for side in ranges[-1])
    n_compared = len(extra) - 1 - (extra[-1] in (_ELSE, _BEFORE.get(kind)))
    covered = CodeRanges(
        [*texts, *extra[1 : 1 + n_compared]],
        np.append(lo, more_lo[1 : 1 + n_compared]),
        np.append(hi, more_hi[1 : 1 + n_compared]),
        len(texts),
        int(more_hi[0]),
    )
    more = np.concatenate([more_lo, more_hi])
    if apart and kind is Kind.CATEGORY and known is not None:
        more = np.arange(covered.n_codes + 1)
    axis, of_atoms = cut(name, kind, covered, more, known)
    firsts = np.cumsum([0, *(len(t) for t in compared)])[:-1] + len(texts)
    masks = [
        _holds(condition, of_atoms, int(covered.lo[at]), int(covered.hi[at]), covered.n_codes)
        for condition, at in zip(conditions, firsts.tolist(), strict=True)
    ]
    return axis, numbers, masks


def axis_of_rows(frame: Frame, columns: Columns) -> tuple[Axis, CodeArray]:
    """Take columns that one view alone shows for one axis: what its rows show is all there is."""
    rows = RowNumbers(frame.height)
    texts = []
    for name in columns:
        (codes,), own = number_together([frame], name)
        rows.add(codes, len(own))
        texts.append((codes, own))
    numbers, _ = rows.finish()
    first = np.unique(numbers, return_index=True)[1]
    n = first.size
    labels = tuple(tuple(own[codes[at]] or "" for codes, own in texts) for at in first.tolist())
    places = np.arange(n + 1)
    ones = np.ones(n, np.int64)
    axis = Axis(columns, places, places[:n].astype(np.int32), labels, ones, ones)
    return axis, numbers.astype(np.int32)


def _holds(
    condition: Condition, of_atoms: tuple[CountArray, CodeArray], lo: int, hi: int, n_codes: int
) -> BoolArray:
    """Tell for which atoms a comparison holds; a missing value compares with nothing."""
    stretches, atom = of_atoms
    inside = (stretches >= lo) & (stretches < hi)
    holds = (inside != condition.is_negated) & (stretches < n_codes - 1)
    n = int(atom.max(initial=-1)) + 1
    found: BoolArray = np.bincount(atom, holds, minlength=n) > 0
    return found


def _kind(
    name: str, frames: Sequence[Frame], texts: Sequence[str | None], known: Taxonomy | None,
    conditions: Sequence[Condition],
) -> Kind:  # fmt: skip
    """Decide what the values of a column are read as."""
    ordered = [condition for condition in conditions if condition.is_order]
    kind = Kind.CATEGORY
    if known is not None and known.domain.n_present:
        kind = known.domain.kind
    else:
        found = {number(frame.get_column(name)).observed.domain.kind for frame in frames}
        for one in (Kind.NUMBER, Kind.DATE):
            if one in found or any(read_bounds(one, text) for text in texts if text):
                kind = one
                break
        else:
            if ordered:
                is_day = all("-" in condition.value[1:] for condition in ordered)
                kind = Kind.DATE if is_day else Kind.NUMBER
    if ordered and kind is Kind.CATEGORY:
        raise ParameterError(
            f"column {name!r} holds categories, which have no order: select them by = or !="
        )
    return kind


ANYTHING_ELSE = "anything else"
"""What values are called that no view shows."""

UNLIMITED = 1 << 40
"""More values than anybody asks for."""


@define(eq=False, frozen=True)
class Axis:
    """A column in atoms, or several that only one view shows.

    Attributes
    ----------
    columns
        Which.
    indptr, atoms
        ``atoms[indptr[t] : indptr[t + 1]]`` are the atoms that text ``t`` covers.
    labels
        For each atom the most precise texts that cover it, one for each column.
    n_values
        How many values an atom is; `UNLIMITED` if nothing lists them.
    stands_for
        How many values an atom counts for, when it is what is left: one if a view shows it, and
        otherwise as many as it is.
    """

    columns: Columns
    indptr: CountArray
    atoms: CodeArray
    labels: tuple[tuple[str, ...], ...]
    n_values: CountArray
    stands_for: CountArray

    def __len__(self) -> int:
        return self.n_values.size

    @property
    def is_point(self) -> BoolArray:
        """Whether an atom is a single value: records with the same agree on the column."""
        single: BoolArray = self.n_values == 1
        return single


@define(eq=False, frozen=True)
class CodeRanges:
    """Texts of views, then of comparisons, and the codes ``[lo, hi)`` that they cover."""

    texts: list[str | None]
    lo: CountArray
    hi: CountArray
    n_shown: int
    n_codes: int


def cut(
    name: str, kind: Kind, ranges: CodeRanges, more: CountArray, known: Taxonomy | None
) -> tuple[Axis, tuple[CountArray, CodeArray]]:
    """Cut the codes into atoms; also give where each stretch of codes begins, and its atom."""
    missing = ranges.n_codes - 1
    cuts = np.unique(np.concatenate([ranges.lo, ranges.hi, more, [0, missing]]))
    cuts = cuts[cuts <= missing]
    has_missing = any(text is None for text in ranges.texts[: ranges.n_shown])
    stretches = cuts if has_missing else cuts[:-1]
    width = np.diff(np.append(stretches, ranges.n_codes if has_missing else missing))
    first, end = (np.searchsorted(stretches, side) for side in (ranges.lo, ranges.hi))
    tells = ~((ranges.lo == 0) & (ranges.hi == ranges.n_codes))
    covered = _times_covered(first[tells], end[tells], stretches.size) > 0
    shown = tells & (np.arange(tells.size) < ranges.n_shown)
    is_shown = _times_covered(first[shown], end[shown], stretches.size) > 0
    if more.size == ranges.n_codes + 1:
        covered[:] = True
    # Stretches that nothing speaks of are one atom, where the first of them is.
    atom = np.cumsum(covered) - 1 + np.maximum.accumulate(~covered)
    if (~covered).any():
        at = int(np.flatnonzero(~covered)[0])
        atom = np.where(covered, atom, at)
    n = int(atom.max(initial=-1)) + 1
    sizes = np.bincount(atom, width, minlength=n).astype(np.int64)
    counted = np.bincount(atom, is_shown, minlength=n) > 0
    n_values = sizes
    if kind is not Kind.CATEGORY or known is None:
        n_values = np.where(_points(kind, ranges, tells, first, end, atom, n), 1, UNLIMITED)
    stands_for = np.where(counted, 1, n_values)
    text_of, indptr, atoms = _pairs(first, end, atom)
    labels = _labels(ranges, text_of, atoms, n)
    if more.size == ranges.n_codes + 1 and known is not None:
        names = tuple((known.domain.text(code),) for code in range(known.domain.n_present))
        labels = (*names, *labels[len(names) :])
    axis = Axis((name,), indptr, atoms, labels, n_values, stands_for)
    return axis, (stretches, atom.astype(np.int32))


def _times_covered(first: CountArray, end: CountArray, n: int) -> CountArray:
    begun, ended = (np.bincount(side, minlength=n + 1)[: n + 1] for side in (first, end))
    times: CountArray = np.cumsum(begun - ended)[:n]
    return times


def _pairs(
    first: CountArray, end: CountArray, atom: CountArray
) -> tuple[CountArray, CountArray, CodeArray]:
    """List the atoms of every text."""
    text_of, place = expand_stretches(first, end - first)
    both = np.unique(np.column_stack([text_of, atom[place]]), axis=0)
    indptr = np.searchsorted(both[:, 0], np.arange(first.size + 1))
    return both[:, 0], indptr, both[:, 1].astype(np.int32)


def _labels(
    ranges: CodeRanges, text_of: CountArray, atoms: CodeArray, n: int
) -> tuple[tuple[str, ...], ...]:
    """Call each atom by the most precise text that covers it, one of a view if possible."""
    width = (ranges.hi - ranges.lo)[text_of]
    order = np.lexsort([text_of >= ranges.n_shown, width, atoms])
    ranked, where = np.unique(atoms[order], return_index=True)
    labels = [ANYTHING_ELSE] * n
    for atom, at in zip(ranked.tolist(), order[where].tolist(), strict=True):
        text = ranges.texts[int(text_of[at])]
        labels[atom] = ANYTHING_ELSE if text == ANY else (text or "")
    return tuple((label,) for label in labels)


def _points(
    kind: Kind, ranges: CodeRanges, tells: BoolArray, first: CountArray, end: CountArray,
    atom: CountArray, n: int,
) -> BoolArray:  # fmt: skip
    """Find the atoms that are a single value, which a text names."""
    is_plain = np.array([_names_a_value(kind, text) for text in ranges.texts], bool)
    single = is_plain & tells & (end - first == 1)
    points = np.zeros(n, bool)
    points[atom[first[single]]] = True
    return points


def _names_a_value(kind: Kind, text: str | None) -> bool:
    if text is None:
        return True
    if kind is Kind.CATEGORY:
        return not text.endswith("*") and not text.startswith("{")
    return read_bounds(kind, text) is None and not text.endswith("*")
