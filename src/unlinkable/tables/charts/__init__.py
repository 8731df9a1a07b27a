"""Charts of a release, one per file: what was lost, how groups look, what can be had for what.

A chart holds numbers that are added up, never records. Building one needs nothing but this library;
drawing it needs the extra ``charts``, and no network.
"""

from __future__ import annotations

from unlinkable.tables.charts.attribute_loss import draw_attribute_loss
from unlinkable.tables.charts.before_after import draw_before_after
from unlinkable.tables.charts.chart import Chart
from unlinkable.tables.charts.choice_of_k import draw_choice_of_k
from unlinkable.tables.charts.frontier import Setting, draw_frontier
from unlinkable.tables.charts.group_sizes import draw_group_sizes

__all__ = [
    "Chart",
    "Setting",
    "draw_attribute_loss",
    "draw_before_after",
    "draw_choice_of_k",
    "draw_frontier",
    "draw_group_sizes",
]
