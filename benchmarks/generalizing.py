"""Methods that generalize: against ARX's local recoding, and against the limits that were set."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path

from benchmarks.data import QI8, QI9, adult_frame, adult_table, grown
from benchmarks.measure import Row, best, cpu
from unlinkable.examples import transfusions, transfusions_taxonomies
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods import HDTDS, Best, Genetic, KOptimize, TopDownSpecialization
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.metrics import Discernibility, ILoss, NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.models import KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import All
from unlinkable.tables.taxonomies.builders.plan_form import builder_from_plan

ARX_LOCAL = {
    (8, 5): (0.0358, 0.7),
    (8, 10): (0.0521, 1.4),
    (8, 100): (0.1399, 4.3),
    (9, 5): (0.0646, 4.9),
    (9, 10): (0.0892, 6.5),
    (9, 100): (0.2081, 24.0),
}
"""Loss and CPU seconds of ARX's local recoding, by the number of columns and k."""

MARGIN = 0.9
"""Ours must lose no more than this share of what ARX loses, in no more time."""

GENERATIONS = 100


def rows(large: bool) -> Iterator[Row]:
    """Time the methods, the fast ones first."""
    yield from _local_recoding()
    yield from _top_down(large)
    yield from _proofs_and_breeding()
    if large:
        yield from _millions()


def _local_recoding() -> Iterator[Row]:
    """Compare the loss of taxonomy labels first, and the time if that is reached."""
    penalty = NormalizedCertaintyPenalty()
    method = Best(labels="taxonomy")
    for quasi in (QI8, QI9):
        people = adult_table(adult_frame(), quasi)
        finest, task = count(people).finest, Task(people.attributes, penalty)
        for k in (5, 10, 100):
            theirs, seconds = ARX_LOCAL[len(quasi), k]
            ours, _, found = best(partial(_search, method, finest, k, task), 2)
            lost = penalty.value(Shown.of(found.partition, task.attributes))
            note = f"ncp {lost:.4f}, {1 - lost / theirs:.1%} less than ARX"
            name = f"best, taxonomy labels, k={k}, Adult, {len(quasi)} QI"
            yield Row(name, ours, seconds, 1, 1 / 4, "ARX local recoding", note)
            missed = "" if lost <= MARGIN * theirs else "loss"
            yield Row(
                f"{name}: loss", lost, MARGIN * theirs, 1, 0.75 / MARGIN, "90 % of ARX", missed,
                is_limit=True,
            )  # fmt: skip


def _top_down(large: bool) -> Iterator[Row]:
    """Time both top-down searches on Adult, and on tables grown from it."""
    quasi = tuple(name for name in QI9 if name != "salary-class")
    for method in (TopDownSpecialization(), HDTDS()):
        people = adult_table(adult_frame(), quasi, target="salary-class")
        seconds, steps = _classified(method, people)
        name = f"{method} k=100, Adult, 8 QI"
        yield Row(name, seconds, 0.5, 1, 0.1, "limit", f"{steps} steps", is_limit=True)
        each = seconds / people.frame.height
        for n in (1_000_000, 5_000_000) if large else ():
            seconds, steps = _classified(
                method, adult_table(grown(n), quasi, target="salary-class")
            )
            note = f"{steps} steps; {seconds / n / each:.2f} of Adult's time per record"
            yield Row(
                f"{method} k=100, {n:,} records", seconds, each * n, 1.5, 0.5, "linear", note,
                is_limit=True,
            )  # fmt: skip


def _classified(method: Search, people: Table) -> tuple[float, int]:
    bound = method.bind(people.schema)
    finest = count(people, bound.needs(people.schema)).finest
    task = Task(people.attributes, ILoss())
    seconds, _, found = best(lambda: _search(bound, finest, 100, task), 2)
    return seconds, len(found.trace)


def _proofs_and_breeding() -> Iterator[Row]:
    """Prove an optimum over cuts, and count generations."""
    five = ("sex", "age", "race", "marital-status", "education")
    people = adult_table(adult_frame(), five)
    finest = count(people).finest
    task = Task(people.attributes, Discernibility(), suppression=Fraction(1, 20))
    seconds, _, found = cpu(lambda: _search(KOptimize(), finest, 10, task))
    proved = "proved" if found.optimal else "NOT PROVED"
    note = f"{proved}, discernibility {_measured(task.metric, found, task):,.0f}"
    yield Row("k-optimize k=10, Adult, 5 QI", seconds, 60, 1, 0.1, "limit", note, is_limit=True)
    people = adult_table(adult_frame(), QI8)
    finest, task = count(people).finest, Task(people.attributes, ILoss())
    bred = Genetic(steps=GENERATIONS, idle=GENERATIONS)
    seconds, _, _ = best(lambda: _search(bred, finest, 10, task), 2)
    name = f"genetic, {GENERATIONS} generations, Adult, 8 QI"
    yield Row(name, seconds, 1.0, 1, 0.25, "limit", is_limit=True)


def _millions() -> Iterator[Row]:
    """Time the best method on a million records, and the high-dimensional one on 41 columns."""
    people = adult_table(grown(1_000_000), QI9)
    finest = count(people).finest
    for metric in (ILoss(), Discernibility()):
        task = Task(people.attributes, metric)
        seconds, _, found = cpu(lambda task=task: _search(Best(), finest, 5, task))  # type: ignore[misc]
        note = f"{metric} {_measured(metric, found, task):.4g}, {len(finest):,} distinct records"
        name = f"best, {metric}, k=5, 1 M records, 9 QI"
        yield Row(name, seconds, 60, 1, 0.25, "limit", note, is_limit=True)
    patients = _patients(1_000_000)
    method = HDTDS().bind(patients.schema)
    for c in (1, 0.2):
        promise = LKCPrivacy(l=4, k=20, c=c, sensitive="diagnosis")
        needs = method.needs(patients.schema) | promise.needs()
        finest = count(patients, needs).finest
        task = Task(patients.attributes, ILoss())
        seconds, _, found = cpu(
            lambda p=promise, f=finest, t=task: method.search(f, All([p]), t)  # type: ignore[misc]
        )
        name = f"hdtds, {promise}, 1 M records, 41 QI"
        note = f"{len(found.trace)} steps, {len(finest):,} distinct records"
        yield Row(name, seconds, 60, 1, 0.25, "limit", note, is_limit=True)


def _patients(n: int) -> Table:
    specs = transfusions_taxonomies()
    frame = transfusions(n, seed=1)
    return as_table(
        frame,
        quasi=[name for name in frame.columns if name not in ("blood_group", "diagnosis")],
        sensitive="diagnosis",
        target="blood_group",
        taxonomies={n: builder_from_plan(spec, Path()) for n, spec in specs.items()},  # type: ignore[arg-type]
    )


def _search(method: Search, finest: Groups, k: int, task: Task) -> Solution:
    return method.search(finest, All([KAnonymity(k)]), task)


def _measured(metric: GroupMetric, found: Solution, task: Task) -> float:
    return metric.value(Shown.of(found.partition, task.attributes))
