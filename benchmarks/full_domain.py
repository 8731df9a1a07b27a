"""The full-domain optimum, against ARX 3.9.2."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import frozen

from benchmarks.data import QI8, QI9, adult_frame, adult_table, grown
from benchmarks.measure import Row, best
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.methods import Optimal
from unlinkable.tables.methods.base.search import Solution, Task
from unlinkable.tables.metrics import Discernibility
from unlinkable.tables.metrics.base import CellMetric, Metric, Shown
from unlinkable.tables.models import DistinctLDiversity, EntropyLDiversity, KAnonymity, TCloseness
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.taxonomies.taxonomy import Taxonomy
from unlinkable.typing import CodeArray, FloatArray


@frozen
class ArxLoss(CellMetric):
    """ARX's loss of a cell: (w - 1) / (n - 1), for w leaves of n; 1 for a suppressed record."""

    name = "arx-loss"
    reference = "ARX 3.9.2"

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        loss: FloatArray = (hi - lo - 1) / max(taxonomy.n - 1, 1)
        return loss


LOSS = ArxLoss()
K5 = (KAnonymity(5),)
ANY = "99999/100000"

ADULT_TASKS: list[tuple[str, tuple[str, ...], tuple[GroupModel, ...], Metric, str, float]] = [
    ("9 QI, k=5, no suppression, loss", QI9, K5, LOSS, "0", 0.05),
    ("9 QI, k=5, no suppression, discernibility", QI9, K5, Discernibility(), "0", 0.04),
    ("9 QI, k=5, 5 %, loss", QI9, K5, LOSS, "0.05", 1.08),
    ("9 QI, k=5, 5 %, discernibility", QI9, K5, Discernibility(), "0.05", 1.40),
    ("9 QI, k=5, any suppression, loss", QI9, K5, LOSS, ANY, 3.32),
    ("9 QI, k=5, any suppression, discernibility", QI9, K5, Discernibility(), ANY, 5.2),
    ("8 QI, k=5, 5 %, loss", QI8, K5, LOSS, "0.05", 0.26),
    (
        "8 QI, k=5 + distinct 3-diversity, 5 %",
        QI8,
        (*K5, DistinctLDiversity(3, sensitive="occupation")),
        LOSS,
        "0.05",
        0.43,
    ),
    (
        "8 QI, k=5 + entropy 3-diversity, 5 %",
        QI8,
        (*K5, EntropyLDiversity(3, sensitive="occupation")),
        LOSS,
        "0.05",
        0.52,
    ),
    (
        "8 QI, k=5 + 0.2-closeness, 5 %",
        QI8,
        (*K5, TCloseness("0.2", sensitive="occupation")),
        LOSS,
        "0.05",
        1.13,
    ),
]

CLOSE = (*K5, TCloseness("0.2", sensitive="occupation"))
LARGE_TASKS = [
    (300_000, QI9, K5, LOSS, 0.8),
    (1_000_000, QI9, K5, LOSS, 1.6),
    (3_000_000, QI9, K5, LOSS, 3.5),
    (1_000_000, QI9, K5, Discernibility(), 12.4),
    (3_000_000, QI9, K5, Discernibility(), 35.0),
    (1_000_000, QI8, CLOSE, LOSS, 9.3),
    (3_000_000, QI8, CLOSE, LOSS, 19.0),
]


def rows(large: bool) -> Iterator[Row]:
    """Time every search; ARX's figures are of the search alone, and so are ours."""
    frame = adult_frame()
    for task, quasi, models, metric, suppression, arx in ADULT_TASKS:
        must, stretch = (1 / 2, 1 / 4) if suppression == "0" else (1 / 4, 1 / 10)
        yield _row(task, adult_table(frame, quasi), models, metric, suppression, arx, must, stretch)
    for n, quasi, models, metric, arx in LARGE_TASKS if large else ():
        what = "closeness" if models is CLOSE else str(metric)
        task = f"{len(quasi)} QI, {n:,} records, k=5, 5 %, {what}"
        grown_table = adult_table(grown(n), quasi)
        yield _row(task, grown_table, models, metric, "0.05", arx, 1 / 4, 1 / 20)


def _row(
    name: str,
    table: Table,
    models: tuple[GroupModel, ...],
    metric: Metric,
    suppression: str,
    arx: float,
    must: float,
    stretch: float,
) -> Row:
    privacy = All(models)
    finest = count(table, privacy.needs()).finest
    task = Task(table.attributes, metric, Fraction(suppression))

    def search() -> Solution:
        return Optimal().search(finest, privacy, task)

    seconds, _, solution = best(search)
    part = solution.partition
    value = metric.value(Shown.of(part, task.attributes))
    note = (
        f"{metric.name} {value:,.5g}; {part.n_suppressed:,} suppressed, {part.n_parts} groups, "
        f"{solution.effort['checked']} nodes"
    )
    return Row(name, seconds, arx, must, stretch, "ARX", note)
