"""Reading views: what each shows of one table, in one space of cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.errors import SchemaError, unknown
from unlinkable.tables.attacks.series.shared.views.atoms import Axis
from unlinkable.tables.attacks.series.shared.views.axes import axis_of_rows, read_axis
from unlinkable.tables.attacks.series.shared.views.cells import Rows
from unlinkable.tables.attacks.series.shared.views.conditions import Condition
from unlinkable.tables.attacks.series.shared.views.dependencies import Dependency, closed, keys
from unlinkable.tables.attacks.series.shared.views.view_set import View, ViewSet
from unlinkable.tables.groups import number_rows
from unlinkable.typing import BoolArray, CodeArray, Columns

__all__ = ["read_views"]


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
    on them is all that is known. If rows overlap there, whoever knows somebody is taken to know
    which of them is his.

    Parameters
    ----------
    views
        What was published.
    known
        The columns by which somebody is known.
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
