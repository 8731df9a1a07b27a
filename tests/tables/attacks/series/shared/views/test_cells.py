"""The cells of a view set."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tests.cases import load
from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.series.shared.views import cells
from unlinkable.tables.attacks.series.shared.views.conditions import Selection
from unlinkable.tables.attacks.series.shared.views.view_set import View, read_views


def test_figure_8_2_of_the_book() -> None:
    """The grid of V3 and V4: which record sets have something in common."""
    case = load("book-ch08-ex8.2-8.3-selection-views")
    views = [
        View(
            pl.DataFrame(view["rows"], schema=view["project"], orient="row"),
            Selection.read(view["select"]),
        )
        for view in case["input"]["views"][:2]
    ]
    told = read_views(views, ("Name",), ())
    name, age = told.axis("Name"), told.axis("Age")
    selected = [tuple(v) for v in np.column_stack([v.selects(told.grid.cells) for v in told.views])]
    names = [told.axes[name].labels[at][0] for at in told.grid.cells[:, name]]
    found = {*zip(names, selected, strict=True)}
    stated = case["expected"]["stated"]["grid_V4_rows_by_V3_columns"]
    sides = (True, True, False)
    kept = {
        (text.split(",")[0][1:], (above, below))
        for row, below in zip(stated, sides, strict=True)
        for text, above in zip(row, sides, strict=True)
        if text != "Empty"
    }
    assert found == kept
    assert len(told.axes[age]) == 3


def test_a_cell_may_show_one_row_or_another_if_rows_overlap() -> None:
    first = pl.DataFrame({"age": ["[1-5)", "[3-8)"]})
    then = pl.DataFrame({"age": ["[1-3)", "[3-5)", "[5-8)"]})
    grid = read_views([View(first), View(then)], ("age",), ()).grid
    assert len(grid) == 3
    assert np.bincount(grid.witnesses[0][0]).tolist() == [1, 2, 1]
    assert np.bincount(grid.witnesses[1][0]).tolist() == [1, 1, 1]


def test_views_without_a_common_column_are_crossed() -> None:
    views = [View(pl.DataFrame({"a": ["x", "y"]})), View(pl.DataFrame({"b": [1, 2, 3]}))]
    assert len(read_views(views, ("a", "b"), ()).grid) == 6


def test_too_many_cells_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "MOST_CELLS", 5)
    views = [View(pl.DataFrame({"a": ["x", "y"]})), View(pl.DataFrame({"b": [1, 2, 3]}))]
    with pytest.raises(UnsupportedError, match="6 kinds of records apart, and at most 5"):
        _ = read_views(views, ("a", "b"), ()).grid
