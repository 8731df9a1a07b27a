"""Methods that form buckets: a million records, against the limits that were set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import polars as pl

from benchmarks.data import grown
from benchmarks.measure import Row, best
from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.methods import Anatomize, KEPermutation, RRobustBucketization
from unlinkable.tables.methods.base.record_method import MaskedRecords, RecordMethod
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import FrequencyLDiversity, KEAnonymity, RRobustness, TCloseness
from unlinkable.tables.models.base import All, BindingContext, GroupModel

MILLION = 1_000_000

SHOWN = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass")
"""What stays as it is; occupations and salaries are hidden."""


def rows(large: bool) -> Iterator[Row]:
    """Time whole maskings: from a table that was just read to the two that are published."""
    n = MILLION if large else MILLION // 10
    frame = _frame(n)
    beliefs = _beliefs(frame)
    share, name = n / MILLION, f"{n:,} records"
    asked: list[tuple[RecordMethod, GroupModel, str, Mapping[str, pl.DataFrame], float]] = [
        (Anatomize(), FrequencyLDiversity(4), "occupation", {}, 1.0),
        (Anatomize(), TCloseness(0.2), "occupation", {}, 3.0),
        (KEPermutation(), KEAnonymity(5, 2000), "pay", {}, 2.0),
        (RRobustBucketization(), RRobustness(2, prior="us"), "occupation", beliefs, 4.0),
    ]
    for method, model, sensitive, priors, limit in asked:
        seconds, _, found = best(_masking(method, model, frame, sensitive, priors), 2)
        note = f"{found.effort['buckets']:,} buckets"
        task = f"{method.name}, {model}, {name}"
        yield Row(task, seconds, limit * share, 1, 0.5, "limit", note, is_limit=True)


def _masking(
    method: RecordMethod,
    model: GroupModel,
    frame: pl.DataFrame,
    sensitive: str,
    priors: Mapping[str, pl.DataFrame],
) -> Callable[[], MaskedRecords]:
    def work() -> MaskedRecords:
        table = _table(frame, sensitive)
        context = BindingContext(table.schema.quasi, table.schema.sensitive, side=Side.of(priors))
        task = Task((), ILoss(), rng=secure_generator(1))
        return method.mask(table, All(model.bind(context)), task)

    return work


def _table(frame: pl.DataFrame, sensitive: str) -> Table:
    return as_table(frame.select(*SHOWN, sensitive), quasi=SHOWN, sensitive=sensitive)


def _frame(n: int) -> pl.DataFrame:
    """Grow Adult, and invent salaries."""
    rng = np.random.default_rng(0)
    return grown(n).with_columns(pay=rng.lognormal(10, 0.6, n).round())


def _beliefs(frame: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Take the shares of occupations among men and women for what is believed of them."""
    counts = frame.group_by("sex", "occupation").len()
    total = pl.col("len").sum().over("sex")
    shares = counts.with_columns(p=pl.col("len") / total)
    return {"us": shares.select("sex", value="occupation", p="p").sort("sex", "value")}
