"""Chart: drawn as soon as it can be seen, and taken away at any time."""

from __future__ import annotations

from typing import Any

from nicegui import ui

__all__ = ["INK", "Chart"]

INK = "currentColor"
"""The colour of words in a chart: that of the page around it, in light and in dark."""


class Chart(ui.echart, component="chart.js"):
    """A chart of shares in percent.

    The element of the toolkit draws a moment after it was put on the page, and fails if it is taken
    away in between, as pages do that are drawn anew. This one draws once there is room for it.

    Parameters
    ----------
    options
        What is drawn, as ECharts takes it.
    unknown
        What is said in place of a share that is not known.
    """

    def __init__(self, options: dict[str, Any], unknown: str = "not known") -> None:
        super().__init__(options)
        self._props["unknown"] = unknown

    def show(self, options: dict[str, Any]) -> None:
        """Draw something else in the same place, if it is something else."""
        if options != self._props["options"]:
            self._props["options"] = options
            self.update()
