"""Judging: every model on a million records in a hundred thousand groups, and the costly ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from benchmarks.measure import Row, best, cpu
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import (
    AlphaKAnonymity,
    AverageRisk,
    BetaLikeness,
    ConfidenceBounding,
    CrowdEntropy,
    DeltaDisclosure,
    DGammaPrivacy,
    DistinctLDiversity,
    EntropyLDiversity,
    EpsilonMAnonymity,
    FrequencyLDiversity,
    HellingerCloseness,
    KAnonymity,
    KCAnonymity,
    KEAnonymity,
    LKCPrivacy,
    PrivacyMaxEnt,
    RecursiveCLDiversity,
    SkylinePrivacy,
    SquaredErrorDiversity,
    TCloseness,
    XYAnonymity,
    XYLinkability,
    XYPrivacy,
)
from unlinkable.tables.models.base import All, BindingContext, GroupModel
from unlinkable.tables.taxonomies.builders import Tree

_TICK = 1e-5
"""What is quicker than the clock can tell took this long."""

N_RECORDS, N_GROUPS = 1_000_000, 100_000
ILLNESSES = Tree({f"family {i}": [f"illness {i}{j}" for j in range(7)] for i in range(2)})
JUDGED: list[GroupModel] = [
    KAnonymity(5),
    DistinctLDiversity(3),
    EntropyLDiversity(3),
    RecursiveCLDiversity(c=2, l=2),
    FrequencyLDiversity(2),
    ConfidenceBounding(["-> ill = illness 03 <= 0.2"]),
    XYAnonymity(3, y="ill"),
    XYLinkability(0.5, y="ill"),
    XYPrivacy(5, 0.5, y="ill"),
    AlphaKAnonymity(0.5, 5),
    KCAnonymity(5, 0.5),
    KEAnonymity(3, 1000, sensitive="salary"),
    EpsilonMAnonymity(500, 2, sensitive="salary"),
    SquaredErrorDiversity(1000, sensitive="salary"),
    CrowdEntropy(2),
    TCloseness(0.3),
    TCloseness(0.3, distance="kl"),
    HellingerCloseness(0.3),
    DeltaDisclosure(2),
    BetaLikeness(2),
    BetaLikeness(2, enhanced=True),
    DGammaPrivacy(0.2, 0.8),
    SkylinePrivacy([[1, 1, 0, 0.9]]),
    AverageRisk(0.2),
]


def judging_rows() -> Iterator[Row]:
    """Time the judgement of all groups by every model that needs sizes and one histogram."""
    groups, context = _patients()
    for model in JUDGED:
        for bound in model.bind(context)[:1]:
            ready = bound.prepared(groups)
            seconds, _, _ = best(lambda ready=ready: ready.judge(groups), 3)  # type: ignore[misc]
            task = f"judge {model}, 1 M records, 100,000 groups"
            yield Row(task, max(seconds, _TICK), 0.1, 1, 0.2, "limit", is_limit=True)


def distance_rows() -> Iterator[Row]:
    """Time t-closeness by ordered and hierarchical distance, against the equal one."""
    groups, _ = _patients()
    times = {
        distance: best(lambda d=distance: _closeness(groups, d), 40)[0]  # type: ignore[misc]
        for distance in ("equal", "ordered", "hierarchical")
    }
    for distance in ("ordered", "hierarchical"):
        task = f"t-closeness, {distance} against equal distance"
        yield Row(task, times[distance], times["equal"], 3, 1, "equal", is_limit=True)


def costly_rows() -> Iterator[Row]:
    """Time LKC-privacy over all triples of columns, and maximum entropy under knowledge."""
    table = _wide(30_000, 15)
    promise = LKCPrivacy(l=3, k=2, c=1)
    finest = count(table, promise.needs()).finest
    seconds, _, verdict = cpu(lambda: promise.verdict(finest))
    note = f"holds: {verdict.holds}, reached {verdict.achieved}"
    yield Row("lkc-privacy L=3 over 15 columns, 30,000 records", seconds, 2.0, 1, 0.25, "limit",
              note, is_limit=True)  # fmt: skip
    groups, model = _maximum_entropy()
    seconds, _, verdict = cpu(lambda: model.verdict(groups))
    yield Row("privacy-maxent, 50 constraints, 10,000 groups", seconds, 10.0, 1, 0.2, "limit",
              f"reached {verdict.achieved}", is_limit=True)  # fmt: skip


def _patients() -> tuple[Groups, BindingContext]:
    rng = np.random.default_rng(5)
    names = [f"illness {i}{j}" for i in range(2) for j in range(7)]
    shares = 1 / np.arange(2, 16)
    frame = pl.DataFrame(
        {
            "place": rng.integers(0, N_GROUPS, N_RECORDS),
            "ill": pl.Series(rng.choice(14, N_RECORDS, p=shares / shares.sum())).replace_strict(
                dict(enumerate(names))
            ),
            "salary": rng.integers(20, 90, N_RECORDS) * 100,
        }
    )
    table = as_table(
        frame, quasi="place", sensitive=["ill", "salary"], taxonomies={"ill": ILLNESSES}
    )
    context = BindingContext.of(table.schema)
    bound = All(b for model in JUDGED for b in model.bind(context))
    return count(table, bound.needs()).finest, context


def _closeness(groups: Groups, distance: str) -> bool:
    return bool(TCloseness(0.3, sensitive="ill", distance=distance).judge(groups).all())


def _wide(n: int, n_columns: int) -> Table:
    """Make a table whose columns have as many values as those of Adult, skewed as they are."""
    rng = np.random.default_rng(3)
    widths = [72, 2, 5, 7, 16, 8, 6, 14, 41, 20, 2, 9, 4, 90, 12][:n_columns]
    columns = {}
    for j, width in enumerate(widths):
        shares = 1 / np.arange(1, width + 1)
        columns[f"c{j}"] = rng.choice(width, n, p=shares / shares.sum()).astype(str)
    return as_table(pl.DataFrame(columns), quasi=list(columns))


def _maximum_entropy() -> tuple[Groups, GroupModel]:
    rng = np.random.default_rng(9)
    n, n_groups = 100_000, 10_000
    columns = {f"q{j}": rng.integers(0, width, n) for j, width in enumerate((5, 4, 3, 6, 2))}
    frame = pl.DataFrame({"group": rng.integers(0, n_groups, n), **columns})
    frame = frame.with_columns(pl.Series("ill", rng.choice(10, n).astype(str)))
    known = [
        {"q0": str(a), "q1": str(b), "value": str(s)}
        for a in range(5)
        for b in range(4)
        for s in range(10)
    ]
    chosen = rng.choice(len(known), 50, replace=False)
    rows = [{**known[i], "p": _share(frame, known[i])} for i in chosen.tolist()]
    table = as_table(frame, quasi="group", sensitive="ill", insensitive=list(columns))
    side = Side.of({"known": pl.DataFrame(rows)})
    context = BindingContext(quasi=("group", *columns), sensitive=("ill",), side=side)
    (model,) = PrivacyMaxEnt(0.9, constraints="known", sensitive="ill").bind(context)
    groups = count(table, model.needs()).finest
    return groups, model


def _share(frame: pl.DataFrame, known: dict[str, str]) -> float:
    """Tell what is true: the share of a value among the records that match."""
    matching = frame.filter((pl.col("q0") == int(known["q0"])) & (pl.col("q1") == int(known["q1"])))
    return float((matching.get_column("ill") == known["value"]).mean() or 0.0)
