"""A view set: what several releases of one table show, in cells."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from attrs import define, field

from unlinkable.tables.attacks.series.shared.views.atoms import Axis
from unlinkable.tables.attacks.series.shared.views.cells import Grid, Rows, cells_of
from unlinkable.tables.attacks.series.shared.views.conditions import Selection
from unlinkable.tables.attacks.series.shared.views.program import MANY
from unlinkable.tables.attacks.series.shared.views.tables import Limits
from unlinkable.tables.data import Frame
from unlinkable.tables.groups import number_rows
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray, CountArray

__all__ = ["View", "ViewSet"]


@define(eq=False, frozen=True)
class View:
    """A selection and projection of a table that was published.

    Attributes
    ----------
    frame
        What was published, generalized or not.
    selection
        Which records it is about.
    is_counted
        Whether as many records show a row as there are such rows; otherwise each row is there once,
        and at least one record shows it.
    taxonomies
        What its labels mean.
    name
        What it is called.
    """

    frame: Frame
    selection: Selection = field(factory=Selection)
    is_counted: bool = False
    taxonomies: Mapping[str, Taxonomy] = field(factory=dict)
    name: str = "a view"


@define(eq=False, frozen=True, slots=False)
class ViewSet:
    """Views of one table in numbers.

    Attributes
    ----------
    axes, views
        The columns in atoms, and the views in these.
    known
        The axes by which somebody is known.
    dependencies
        For each dependency the axes of its two sides.
    keys
        Where everybody has one record: the axes on which no two people agree, which are those that
        are known, and others that tell them.
    """

    axes: tuple[Axis, ...]
    views: tuple[Rows, ...]
    known: tuple[int, ...]
    dependencies: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    keys: tuple[tuple[int, ...], ...] = ()

    @property
    def one_record(self) -> bool:
        """Whether everybody who is told apart by what is known has one record."""
        return bool(self.keys)

    @cached_property
    def grid(self) -> Grid:
        """The cells."""
        return cells_of(self.axes, self.views)

    @property
    def is_counted(self) -> bool:
        """Whether any view tells numbers."""
        return any(view.is_counted for view in self.views)

    @cached_property
    def kinds(self) -> tuple[CodeArray, CountArray]:
        """For every cell the number of what is known of somebody in it, and the first such cell."""
        return self._numbered(self.known)

    def limits(self, most: int) -> Limits:
        """Say in cells what is known of the table besides the views."""
        people = tuple(self._people(key) for key in self.keys)
        dependencies = tuple(
            (self._agreeing(given), self._numbered(told)[0]) for given, told in self.dependencies
        )
        return Limits(people, dependencies, most)

    def axis(self, column: str) -> int:
        """Find the axis of a column that has one of its own."""
        return next(i for i, axis in enumerate(self.axes) if axis.columns == (column,))

    def values(self, column: str | None) -> CodeArray:
        """Give the atom of every cell on a column; one and the same if there is none."""
        if column is None:
            return np.zeros(len(self.grid), np.int32)
        return self.grid.cells[:, self.axis(column)]

    def called(self, kind: int) -> dict[str, str]:
        """Say what is known of somebody."""
        cell = self.grid.cells[self.kinds[1][kind]]
        return {
            name: text
            for at in self.known
            for name, text in zip(
                self.axes[at].columns, self.axes[at].labels[cell[at]], strict=True
            )
        }

    def _numbered(self, axes: tuple[int, ...]) -> tuple[CodeArray, CountArray]:
        if not axes:
            n = len(self.grid)
            return np.zeros(n, np.int32), np.zeros(min(n, 1), np.int64)
        return number_rows(np.ascontiguousarray(self.grid.cells[:, list(axes)]))

    def _people(self, key: tuple[int, ...]) -> tuple[CodeArray, CountArray]:
        """Number cells by the people that a key tells apart, and say how many have each number."""
        numbers, first = self._numbered(key)
        n_values = [self.axes[at].n_values[self.grid.cells[first, at]] for at in key]
        room = np.prod(np.array(n_values, float), axis=0)
        return numbers, np.minimum(room, MANY).astype(np.int64)

    def _agreeing(self, axes: tuple[int, ...]) -> CodeArray:
        """Number cells by atoms that are single values; -1 where one is not."""
        numbers = self._numbered(axes)[0].copy()
        for at in axes:
            numbers[~self.axes[at].is_point[self.grid.cells[:, at]]] = -1
        return numbers
