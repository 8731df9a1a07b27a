"""View set: what several releases of one table show, in one space of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from attrs import define, field

from unlinkable.errors import SchemaError, unknown
from unlinkable.tables.attacks.series.shared.views.axes import Axis, axis_of_rows, read_axis
from unlinkable.tables.attacks.series.shared.views.cells import Grid, Rows, cells_of
from unlinkable.tables.attacks.series.shared.views.conditions import (
    Condition,
    Dependency,
    Selection,
    closed,
    keys,
)
from unlinkable.tables.attacks.series.shared.views.possible_view_tables import MANY, Limits
from unlinkable.tables.data import Frame
from unlinkable.tables.groups import number_rows
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray

__all__ = ["View", "ViewSet", "read_views"]


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
        The axes by which a person is known.
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
        """For every cell the number of what is known of a person in it, and the first such cell."""
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
        """Say what is known of a person."""
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


def read_views(
    views: Sequence[View],
    known: Columns,
    sensitive: Columns,
    dependencies: Sequence[Dependency] = (),
    *,
    one_record: bool = False,
) -> ViewSet:
    """Read views of one table in one space of cells.

    Columns that only one view shows, and nothing else speaks of, are taken together: what it shows
    on them is all that is known. If rows overlap there, an adversary who knows a person is taken to
    know which of them is theirs.

    Parameters
    ----------
    views
        What was published.
    known
        The columns by which a person is known.
    sensitive
        What nobody should find out.
    dependencies, one_record
        What else is known of the table.

    Raises
    ------
    SchemaError
        If nothing shows a column that is known, or sensitive.
    DataError, ParameterError
        If what is shown on a column means nothing.
    """
    shown = [column for view in views for column in view.frame.columns]
    compared = [name for view in views for name in view.selection.columns]
    for name in (*known, *sensitive):
        if name not in shown and name not in compared:
            told = dict.fromkeys([*shown, *compared])
            raise SchemaError(f"{unknown('column', name, told)} that a view shows or selects by")
    dependencies = closed(dependencies)
    depending = [name for d in dependencies for name in (*d.given, *d.told)]
    own = [name for name in dict.fromkeys(shown) if shown.count(name) > 1]
    own = [*own, *sensitive, *compared, *depending, *(known if one_record else ())]
    is_plain = not (one_record or dependencies)
    for view in views:
        if view.selection.conditions:
            # Those whom the view leaves out may have other combinations than it shows.
            counts = is_plain or view.is_counted
            own += [name for name in view.frame.columns if name in known or not counts]
    own = [*dict.fromkeys(own)]
    reader = _Reader(views, own, {name for d in dependencies for name in d.given})
    for at, view in enumerate(views):
        private = [name for name in view.frame.columns if name not in own]
        reader.take_alone(at, tuple(n for n in private if n in known))
        if not (is_plain or view.is_counted):
            # How many rows there are tells how many records there are at least.
            reader.take_alone(at, tuple(n for n in private if n not in known))
    place = {axis.columns: i for i, axis in enumerate(reader.axes)}
    people = keys(known, dependencies) if one_record else ()
    return ViewSet(
        tuple(reader.axes),
        tuple(reader.rows(at) for at in range(len(views))),
        tuple(i for i, axis in enumerate(reader.axes) if axis.columns[0] in known),
        tuple(
            (tuple(place[n,] for n in d.given), tuple(place[n,] for n in d.told))
            for d in dependencies
        ),
        tuple(tuple(place[n,] for n in key) for key in people),
    )


class _Reader:
    """Takes in columns one after the other."""

    def __init__(self, views: Sequence[View], own: Sequence[str], apart: set[str]) -> None:
        self._views, self._apart = views, apart
        self.axes: list[Axis] = []
        self._texts: list[list[tuple[int, CodeArray]]] = [[] for _ in views]
        self._inside: list[list[tuple[int, BoolArray]]] = [[] for _ in views]
        for name in own:
            self._take(name)

    def _take(self, name: str) -> None:
        showing = [at for at, view in enumerate(self._views) if name in view.frame.columns]
        asked: list[tuple[int, Condition]] = [
            (at, condition)
            for at, view in enumerate(self._views)
            for condition in view.selection.conditions
            if condition.column == name
        ]
        # Taxonomies of views that do not show the column say as well which values there are.
        taxonomies = [view.taxonomies.get(name) for view in self._views]
        axis, numbers, masks = read_axis(
            name,
            [self._views[at].frame for at in showing],
            taxonomies,
            [c for _, c in asked],
            apart=name in self._apart,
        )
        for at, texts in zip(showing, numbers, strict=True):
            self._texts[at].append((len(self.axes), texts))
        for (at, _), mask in zip(asked, masks, strict=True):
            self._inside[at].append((len(self.axes), mask))
        self.axes.append(axis)

    def take_alone(self, at: int, columns: Columns) -> None:
        """Take in columns that one view alone shows."""
        if columns:
            axis, texts = axis_of_rows(self._views[at].frame, columns)
            self._texts[at].append((len(self.axes), texts))
            self.axes.append(axis)

    def rows(self, at: int) -> Rows:
        """Give a view in numbers: its different rows, and how often each is there."""
        view, told = self._views[at], self._texts[at]
        texts = np.zeros((view.frame.height, len(told)), np.int32)
        for j, (_, numbers) in enumerate(told):
            texts[:, j] = numbers
        if told:
            labels, first = number_rows(texts)
        else:
            n = view.frame.height
            labels, first = np.zeros(n, np.int32), np.zeros(min(n, 1), np.int64)
        counts = np.bincount(labels, minlength=first.size).astype(np.int64)
        axes = tuple(axis for axis, _ in told)
        return Rows(axes, texts[first], counts, view.is_counted, tuple(self._inside[at]))
