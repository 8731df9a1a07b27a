"""The charts of a release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from unlinkable.errors import DataError
from unlinkable.tables.charts import require_painter
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import CellMetric, Metric, Published, Shown
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import GroupModel

if TYPE_CHECKING:
    from unlinkable.tables.charts import Chart

__all__ = [
    "BEFORE_AFTER",
    "CHARTS",
    "GROUP_SIZES",
    "LOSS",
    "charts_folder",
    "charts_of",
    "group_sizes_chart",
    "loss_by_attribute",
    "save_charts",
]

CHARTS = LOSS, GROUP_SIZES, BEFORE_AFTER = "loss", "group-sizes", "before-after"
"""What the charts are called."""


def charts_of(
    shown: Shown,
    models: Iterable[GroupModel],
    metric: Metric,
    published: Published | None = None,
) -> dict[str, Chart]:
    """Draw what each attribute lost, how large groups are, and the values before and after.

    The last one shows how values were distributed before: it stays with the holder. It is left out
    without the original records.
    """
    from unlinkable.tables.charts import draw_attribute_loss, draw_before_after

    losses, used = loss_by_attribute(shown, metric)
    drawn = {
        LOSS: draw_attribute_loss(losses, metric=used.name),
        GROUP_SIZES: group_sizes_chart(shown, models),
    }
    if published is not None:
        drawn[BEFORE_AFTER] = draw_before_after(published)
    return drawn


def loss_by_attribute(shown: Shown, metric: Metric) -> tuple[dict[str, float], Metric]:
    """Measure the share of each column that was lost, and say by which metric.

    That is the metric itself if a cell that is left out loses exactly 1 by it, else `ILoss`.
    """
    cells: CellMetric = ILoss()
    if isinstance(metric, CellMetric) and all(
        metric.suppressed(a.taxonomy) == 1 for a in shown.attributes
    ):
        cells = metric
    losses = cells.by_attribute(shown).tolist()
    return {a.name: x for a, x in zip(shown.attributes, losses, strict=True)}, cells


def charts_folder(folder: str | Path) -> Path:
    """Make a folder for charts, and see that charts can be drawn, before long work is done in vain.

    Raises
    ------
    DataError
        If the place cannot be written, or the library that draws is not installed.
    """
    place = Path(folder)
    require_painter()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{place}: cannot write charts here: {error.strerror}") from None
    return place


def save_charts(charts: Mapping[str, Chart], folder: str | Path) -> None:
    """Write charts into a folder as SVG files, for its owner's eyes only; it is made if need be.

    Raises
    ------
    DataError
        If the place cannot be written.
    """
    place = charts_folder(folder)
    for name, chart in charts.items():
        chart.save(place / f"{name}.svg").chmod(0o600)


def group_sizes_chart(shown: Shown, models: Iterable[GroupModel]) -> Chart:
    """Draw how large groups are, and how large they were promised to be at least."""
    from unlinkable.tables.charts import draw_group_sizes

    promised = [int(model.k) for model in models if isinstance(model, KAnonymity)]
    return draw_group_sizes(shown.sizes, k=max(promised, default=None))
