"""Axes: the values of a column of several views, as far as anything tells them apart.

Views show values more or less precisely, and select records by comparing them. The *atoms* of a
column are the largest sets of values that no published text and no comparison tells apart. What
nothing speaks of is one atom, *anything else*.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.errors import ParameterError
from unlinkable.tables.attacks.series.shared.views.atoms import Axis, Told, cut
from unlinkable.tables.attacks.series.shared.views.conditions import Condition
from unlinkable.tables.data import Frame, number_together, ranges_together
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.groups import RowNumbers
from unlinkable.tables.taxonomies import ANY, Kind, Taxonomy, number, read_bounds
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["axis_of_rows", "read_axis"]

_ELSE = "\0else"
_BEFORE = {
    Kind.NUMBER: "[-9000000000000000000--8999999999999999999)",
    Kind.DATE: "[0001-01-01-0001-01-02)",
}
"""Before all others: what lies below the first value that is told has a place too."""


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
    >>> told = to_frame({"age": [40, 60]})[0]
    >>> axis, _, [selected] = read_axis("age", [told], [None], [Condition("age", ">", "45")])
    >>> [label for label, in axis.labels], selected.tolist()
    (['anything else', '40', '>=45.00000000000001', '60'], [False, False, True, True])
    """
    numbers, texts = number_together(frames, name) if frames else ([], [])
    known = max((t for t in taxonomies if t is not None), key=lambda t: t.n, default=None)
    kind = _kind(name, frames, texts, known, conditions)
    compared = [c.texts(on_scale=kind is not Kind.CATEGORY) for c in conditions]
    extra = [ANY, *(text for told in compared for text in told)]
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
    told = Told(
        [*texts, *extra[1 : 1 + n_compared]],
        np.append(lo, more_lo[1 : 1 + n_compared]),
        np.append(hi, more_hi[1 : 1 + n_compared]),
        len(texts),
        int(more_hi[0]),
    )
    more = np.concatenate([more_lo, more_hi])
    if apart and kind is Kind.CATEGORY and known is not None:
        more = np.arange(told.n_codes + 1)
    axis, of_atoms = cut(name, kind, told, more, known)
    firsts = np.cumsum([0, *(len(t) for t in compared)])[:-1] + len(texts)
    masks = [
        _holds(condition, of_atoms, int(told.lo[at]), int(told.hi[at]), told.n_codes)
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
