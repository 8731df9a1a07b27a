"""Atoms: the records of the next release that are alike in all that counts for a join."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from attrs import define, frozen

from unlinkable.kernels.counting import sum_by_label
from unlinkable.tables.attacks.series import JoinTarget, Rule
from unlinkable.tables.data import Role, Table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import number_rows
from unlinkable.tables.methods.cuts import Tree as TaxonomyTree
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["UNPUBLISHED", "Atoms", "JoinPromise", "Labels", "atoms_of", "labels_of"]

UNPUBLISHED = (Role.IDENTIFIER, Role.OWNER, Role.GUARD)
"""The roles of columns that nobody sees."""


@frozen
class JoinPromise:
    """What is promised of the join.

    Attributes
    ----------
    x
        The columns that are known.
    asked
        What is to stay hidden.
    h, k
        How sure anybody may be, and how many different values must be left.
    rules, numbers
        The values that do not go together; whether numbers are matched.
    """

    x: Columns
    asked: tuple[JoinTarget, ...]
    h: Fraction
    k: int
    rules: tuple[Rule, ...]
    numbers: bool


@define(eq=False, frozen=True)
class Labels:
    """How the values that a column can show match those of earlier releases.

    Attributes
    ----------
    keys
        The ranges of codes that it can show, each as one number; rising.
    lo, hi
        What each covers among the values of all releases.
    """

    keys: CountArray
    lo: CodeArray
    hi: CodeArray

    def look_up(self, lo: CodeArray, hi: CodeArray) -> tuple[CodeArray, CodeArray]:
        """Give what ranges of codes of the table cover among the values of all releases."""
        at = np.searchsorted(self.keys, _key(lo, hi))
        return self.lo[at], self.hi[at]


@define(eq=False, frozen=True)
class Atoms:
    """The records of the next release that are alike in all that counts.

    Attributes
    ----------
    keys
        The distinct records of the quasi-identifier, as codes.
    row
        Which of these they are.
    weight
        How many they are.
    known
        What is known of them besides: the codes of columns of x that are no quasi-identifiers.
    shown
        By column that is matched and not generalized, what they show.
    y
        By column that is to stay hidden, the number of their value.
    """

    keys: CodeArray
    row: CodeArray
    weight: CountArray
    known: CodeArray
    shown: Mapping[str, tuple[CodeArray, CodeArray]]
    y: Mapping[str, CodeArray]


def atoms_of(
    promise: JoinPromise, table: Table, shown: Mapping[str, tuple[CodeArray, CodeArray]]
) -> Atoms:
    """Put together the records that are alike in all that counts."""
    hidden = [item.column for item in promise.asked if item.column in table.schema.names]
    hidden = [n for n in dict.fromkeys(hidden) if table.schema[n].role not in UNPUBLISHED]
    plain = [n for n in promise.x if n in table.schema.names and n not in table.schema.quasi]
    counted = count(table)
    columns = [counted.labels]
    columns += [table.codes(name) for name in (*hidden, *plain)]
    columns += [number_rows(np.column_stack(part))[0] for part in shown.values()]
    labels, first = number_rows(np.column_stack(columns))
    ones = np.ones(len(table), np.int64)
    return Atoms(
        counted.finest.keys,
        counted.labels[first],
        sum_by_label(ones, labels, first.size),
        _codes(table, plain)[first],
        {name: (lo[first], hi[first]) for name, (lo, hi) in shown.items()},
        {name: table.codes(name)[first] for name in hidden},
    )


def _codes(table: Table, names: Sequence[str]) -> CodeArray:
    nothing = np.zeros((len(table), 0), np.int32)
    return np.column_stack([nothing, *(table.codes(name) for name in names)])


def labels_of(tree: TaxonomyTree, covers: tuple[CodeArray, CodeArray]) -> Labels:
    """Sort the nodes of a taxonomy, given what each covers among the values of all releases."""
    keys = _key(tree.lo, tree.hi)
    order = np.argsort(keys)
    return Labels(keys[order], covers[0][order], covers[1][order])


def _key(lo: CodeArray, hi: CodeArray) -> CountArray:
    return (lo.astype(np.int64) << 32) + hi
