"""Freeform attacks: from any values that can be observed to any that must not be found out.

Whether a value is sensitive is said of values, not of columns: of the same column, some values may
be known to others and some not [1]_. An attack knows observable values on some columns, and finds
the share of a sensitive value among the records that match.

Columns without sensitive values need no choice. Let an attack not use such a column. The records
that match are then parted by their values on it, and the share of a sensitive value among all of
them is a weighted mean of the shares in the parts: an attack that knows the column as well, with
the best of its values, is no worse. So all attacks use all of these columns, and groups that agree
on them can be examined one by one. Columns that have both kinds of values are used or not: knowing
an observable value leaves out the records whose value is sensitive, and there is no mean to take.

References
----------
.. [1] K. Wang, Y. Xu, A. W.-C. Fu, R. C.-W. Wong. "FF-anonymity: when quasi-identifiers are
   missing." ICDE 2009.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import define

from unlinkable.errors import UnsupportedError, unknown
from unlinkable.kernels.counting import sum_by_label
from unlinkable.tables.groups import Histogram, number_rows
from unlinkable.tables.taxonomies import Domain
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["Attack", "Observed", "attacks", "observe", "unknown_values"]

_MOST = 1 << 27
"""So many records are matched at most: a quarter of a minute."""


@define(eq=False, frozen=True)
class Observed:
    """What is observable and what is sensitive in a column that was counted.

    Attributes
    ----------
    name
        The column.
    domain
        Its values.
    codes
        For every code of the histogram the code in this column.
    is_sensitive
        For every code of the histogram whether its value in this column must not be found out.
    """

    name: str
    domain: Domain
    codes: CodeArray
    is_sensitive: BoolArray

    def text(self, code: int) -> str:
        """State what a code of the histogram means in this column."""
        return f"{self.name} = {self.domain.text(int(self.codes[code])) or 'missing'}"


def observe(hidden: Histogram, names: Columns, sensitive: Columns) -> list[Observed]:
    """Tell the sensitive values of columns that were counted together from the others.

    Sensitive values are written as ``column=value``; a column alone means all of its values.
    """
    parts = hidden.parts
    if hidden.taxonomy is not None:
        parts = ((hidden.taxonomy, np.arange(hidden.n_values, dtype=np.int32)),)
    found = []
    for name, (taxonomy, codes) in zip(names, parts, strict=True):
        domain = taxonomy.domain
        is_sensitive = np.full(domain.n, name in sensitive)
        for entry in sensitive:
            column, _, text = entry.partition("=")
            code = domain.code_of(text) if column == name else -1
            code = domain.missing if code < 0 and entry == f"{name}=" else code
            if code >= 0:
                is_sensitive[code] = True
        found.append(Observed(name, domain, codes, is_sensitive[codes]))
    return found


def unknown_values(columns: Sequence[Observed], sensitive: Columns) -> tuple[str, ...]:
    """State which sensitive values no record has, and what may have been meant."""
    faults = []
    for column in columns:
        known = [column.domain.text_of(value) for value in column.domain.values]
        for entry in sensitive:
            name, _, text = entry.partition("=")
            if name == column.name and text and text not in known:
                faults.append(f"{unknown('value', text, known)} in {name!r}")
    return tuple(faults)


@define(eq=False, frozen=True)
class Attack:
    """All attacks that know some columns and aim at one, in all groups.

    Attributes
    ----------
    known, target
        The columns; beside the known ones, whatever the group shows.
    group
        By attack: the group of the records that match.
    hits, matches
        By attack: the records that have the sensitive value, and all that match.
    entry
        By attack: an entry of the histogram that has the values.
    """

    known: tuple[Observed, ...]
    target: Observed
    group: CodeArray
    hits: CountArray
    matches: CountArray
    entry: CountArray


def attacks(hidden: Histogram, columns: Sequence[Observed]) -> Iterator[Attack]:
    """Make every attack that is no weaker than another one.

    Raises
    ------
    UnsupportedError
        If there are too many columns that have both kinds of values.
    """
    met = np.zeros(hidden.n_values, bool)
    met[hidden.values] = True
    plain = [c for c in columns if not c.is_sensitive[met].any()]
    mixed = [c for c in columns if c not in plain and not c.is_sensitive[met].all()]
    targets = [c for c in columns if c not in plain]
    if hidden.values.size << len(mixed) > _MOST:
        raise UnsupportedError(
            f"{len(mixed)} columns have both sensitive and other values: every choice of them is "
            f"another attack on {hidden.values.size} different records, which is too much. List "
            "sensitive values of fewer columns, or name fewer columns"
        )
    cells = hidden.row
    if plain:
        shown = np.column_stack([cells, *(c.codes[hidden.values] for c in plain)])
        cells, _ = number_rows(shown)
    everything = np.arange(hidden.values.size)
    yield from _onwards(hidden, tuple(plain), mixed, targets, everything, cells)


def _onwards(
    hidden: Histogram,
    known: tuple[Observed, ...],
    mixed: Sequence[Observed],
    targets: Sequence[Observed],
    entries: CountArray,
    cells: CodeArray,
) -> Iterator[Attack]:
    """Make the attacks that know these columns, and those that know some of the mixed ones, too."""
    codes, counts = hidden.values[entries], hidden.counts[entries]
    matches = sum_by_label(counts, cells, int(cells.max(initial=-1)) + 1)
    aimed = [c for c in targets if c not in known and c.is_sensitive[codes].any()]
    for target in aimed:
        at = np.flatnonzero(target.is_sensitive[codes])
        hits = counts[at]
        if len(hidden.parts) > 1:
            pairs, first = number_rows(np.column_stack([cells[at], target.codes[codes[at]]]))
            at, hits = at[first], sum_by_label(hits, pairs, first.size)
        entry = entries[at]
        yield Attack(known, target, hidden.row[entry], hits, matches[cells[at]], entry)
    for i, column in enumerate(mixed if aimed else ()):
        at = np.flatnonzero(~column.is_sensitive[codes])
        if at.size:
            finer, _ = number_rows(np.column_stack([cells[at], column.codes[codes[at]]]))
            more = (*known, column)
            yield from _onwards(hidden, more, mixed[i + 1 :], targets, entries[at], finer)
