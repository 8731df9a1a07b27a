"""Methods that publish what noise has paid for, against the limits that were set."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.data import QI8, adult_frame, adult_table, grown
from benchmarks.measure import Row, best, cpu
from unlinkable.noise import secure_generator
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base.record_method import MaskedRecords
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.noisy import DPHistogram, DPSynthetic
from unlinkable.tables.methods.noisy.shared.noisy_method import NoisyMethod
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import DifferentialPrivacy
from unlinkable.tables.models.base import All

PROMISES = (DifferentialPrivacy(1), DifferentialPrivacy(1, "1e-6"))


def rows(large: bool) -> Iterator[Row]:
    """Time counts and made-up records of Adult, and of a million records."""
    people = adult_table(adult_frame(), QI8)
    methods: tuple[tuple[NoisyMethod, float], ...] = (
        (DPHistogram(ways=2), 5.0),
        (DPHistogram(ways=2, consistent="fourier"), 5.0),
        (DPSynthetic(columns=QI8), 5.0),
    )
    for method, limit in methods:
        for promise in PROMISES:
            seconds, _, masked = best(lambda m=method, p=promise: _mask(m, people, p), 2)  # type: ignore[misc]
            told = f"{masked.frame.height:,} rows, {masked.effort['cells']:,} cells"
            name = f"{method.name} {_short(method)}{promise}, Adult, 8 columns"
            yield Row(name, seconds, limit, 1, 0.5, "limit", told, is_limit=True)
    if large:
        people = adult_table(grown(1_000_000), QI8)
        for method, limit in methods:
            seconds, _, masked = cpu(lambda m=method: _mask(m, people, PROMISES[0]))  # type: ignore[misc]
            told = f"{masked.frame.height:,} rows"
            name = f"{method.name} {_short(method)}{PROMISES[0]}, 1 M records, 8 columns"
            yield Row(name, seconds, 2 * limit, 1, 0.5, "limit", told, is_limit=True)


def _short(method: NoisyMethod) -> str:
    return f"{method.consistent.value}, " if isinstance(method, DPHistogram) else ""


def _mask(method: NoisyMethod, people: Table, promise: DifferentialPrivacy) -> MaskedRecords:
    task = Task(people.attributes, ILoss(), rng=secure_generator(1))
    return method.mask(people, All([promise]), task)
