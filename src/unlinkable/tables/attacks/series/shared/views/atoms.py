"""Atoms: the largest sets of values of a column that nothing published tells apart.

What nothing speaks of is one atom, *anything else*.
"""

from __future__ import annotations

import numpy as np
from attrs import define

from unlinkable.tables.taxonomies import ANY, Kind, Taxonomy, read_bounds
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["ANYTHING_ELSE", "UNLIMITED", "Axis", "Told", "cut"]

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
        How many values an atom counts for, to whoever is left with it: one if a view shows it, and
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
class Told:
    """Texts of views, then of comparisons, and the codes ``[lo, hi)`` that they cover."""

    texts: list[str | None]
    lo: CountArray
    hi: CountArray
    n_shown: int
    n_codes: int


def cut(
    name: str, kind: Kind, told: Told, more: CountArray, known: Taxonomy | None
) -> tuple[Axis, tuple[CountArray, CodeArray]]:
    """Cut the codes into atoms; also give where each stretch of codes begins, and its atom."""
    missing = told.n_codes - 1
    cuts = np.unique(np.concatenate([told.lo, told.hi, more, [0, missing]]))
    cuts = cuts[cuts <= missing]
    has_missing = any(text is None for text in told.texts[: told.n_shown])
    stretches = cuts if has_missing else cuts[:-1]
    width = np.diff(np.append(stretches, told.n_codes if has_missing else missing))
    first, end = (np.searchsorted(stretches, side) for side in (told.lo, told.hi))
    tells = ~((told.lo == 0) & (told.hi == told.n_codes))
    covered = _times_covered(first[tells], end[tells], stretches.size) > 0
    shown = tells & (np.arange(tells.size) < told.n_shown)
    is_shown = _times_covered(first[shown], end[shown], stretches.size) > 0
    if more.size == told.n_codes + 1:
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
        n_values = np.where(_points(kind, told, tells, first, end, atom, n), 1, UNLIMITED)
    stands_for = np.where(counted, 1, n_values)
    text_of, indptr, atoms = _pairs(first, end, atom)
    labels = _labels(told, text_of, atoms, n)
    if more.size == told.n_codes + 1 and known is not None:
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
    length = end - first
    text_of = np.repeat(np.arange(first.size), length)
    place = np.arange(text_of.size) - np.repeat(np.cumsum(length) - length, length)
    both = np.unique(np.column_stack([text_of, atom[first[text_of] + place]]), axis=0)
    indptr = np.searchsorted(both[:, 0], np.arange(first.size + 1))
    return both[:, 0], indptr, both[:, 1].astype(np.int32)


def _labels(
    told: Told, text_of: CountArray, atoms: CodeArray, n: int
) -> tuple[tuple[str, ...], ...]:
    """Call each atom by the most precise text that covers it, one of a view if possible."""
    width = (told.hi - told.lo)[text_of]
    order = np.lexsort([text_of >= told.n_shown, width, atoms])
    ranked, where = np.unique(atoms[order], return_index=True)
    labels = [ANYTHING_ELSE] * n
    for atom, at in zip(ranked.tolist(), order[where].tolist(), strict=True):
        text = told.texts[int(text_of[at])]
        labels[atom] = ANYTHING_ELSE if text == ANY else (text or "")
    return tuple((label,) for label in labels)


def _points(
    kind: Kind, told: Told, tells: BoolArray, first: CountArray, end: CountArray,
    atom: CountArray, n: int,
) -> BoolArray:  # fmt: skip
    """Find the atoms that are a single value, which a text names."""
    is_plain = np.array([_names_a_value(kind, text) for text in told.texts], bool)
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
