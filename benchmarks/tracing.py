"""Intersecting and tracing: a new release against a history of ten, and while it is made."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import polars as pl
from attrs import evolve

import unlinkable as ul
from benchmarks.data import QI8, adult_frame, folder
from benchmarks.differences import HISTORY, HISTORY_LIMIT, N_RECORDS, SEED, growing, released, split
from benchmarks.measure import Row, cpu
from unlinkable.examples import hospital
from unlinkable.tables.attacks.series.intersection import Intersection
from unlinkable.tables.attacks.series.record_tracing import RecordTracing
from unlinkable.tables.attacks.series.series import Edition, Series, Sheet
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.data.storage import frame_from_bytes, frame_to_bytes
from unlinkable.tables.series.incremental.inferable import Inferable
from unlinkable.tables.series.incremental.intersection_watch import IntersectionWatch
from unlinkable.tables.series.incremental.recalling import Recalled, stored
from unlinkable.tables.series.incremental.tracing_watch import TracingWatch
from unlinkable.tables.series.incremental.whereabouts import Whereabouts
from unlinkable.tables.series.policy import Past
from unlinkable.typing import CodeArray, CountArray

K, C = 5, Fraction(1, 2)
WATCHES = ("intersection", "record-tracing")


def rows(large: bool) -> Iterator[Row]:
    """Time attacks on eleven releases, and splits and checks with ten earlier ones."""
    editions = [released(n, ul.Mondrian(), K) for n in growing(HISTORY + 1)]
    attacks: list[SeriesAttack] = [Intersection(limit=C), RecordTracing(k=K, limit=C)]
    if large:
        attacks.append(RecordTracing(k=K, limit=C, edges="all"))
    for attack in attacks:
        attack.run(Series(tuple(editions[:2])))
        seconds, _, outcome = cpu(lambda attack=attack: attack.run(Series(tuple(editions))))
        task = f"{attack.name}, {HISTORY + 1} releases, the last with {N_RECORDS:,} records"
        note = f"{attack}: {outcome.n_fallen:,} of {outcome.n_attacked:,} fall"
        yield Row(task, seconds, HISTORY_LIMIT, 1, 0.1, "limit", note, is_limit=True)
    yield from _recalling(editions)
    yield from _watching()


def _recalling(editions: list[Edition]) -> Iterator[Row]:
    """Check the last release by what was written down, as read from a database."""
    *earlier, last = editions
    (column,) = last.target.sensitive
    table = Recalled.empty()
    for edition in earlier:
        table = table.updated(edition, column)
    frames = table.known.to_frames() | table.followed.to_frames()
    written = {f"{column}: {name}": frame_to_bytes(frame) for name, frame in frames.items()}

    def check() -> list[bool]:
        memory = {name: frame_from_bytes(content) for name, content in written.items()}
        known = stored(Past(tuple(earlier), memory), column)
        assert known is not None
        alone = Series((last,))
        texts = tuple(dict.fromkeys((*alone.texts(column), *known.followed.texts)))
        new, followed = alone.sheets(column)[0], known.followed.told_in(texts)
        sheets = [*followed.sheets, evolve(new, n_values=len(texts))]
        return [
            watch.is_safe(new.groups)
            for watch in (
                IntersectionWatch(known.known.told_in(texts), new.people, new.values, C),
                TracingWatch(sheets, K, C, earlier=followed.traces),
            )
        ]

    check()
    seconds, _, safe = cpu(check)
    size = sum(map(len, written.values())) / 1e6
    note = f"{sum(safe)} of {len(safe)} safe; the table takes {size:.1f} MB"
    task = (
        f"{' and '.join(WATCHES)} from the history table, {N_RECORDS:,} records, {HISTORY} earlier"
    )
    yield Row(task, seconds, HISTORY_LIMIT, 1, 0.1, "limit", note, is_limit=True)


def _watching() -> Iterator[Row]:
    """Split a table again and again, each time with a view to all releases before."""
    columns, values = _numbers()
    past, followed = Inferable.empty(), Whereabouts.empty()
    texts = tuple(map(str, range(int(values.max()) + 1)))
    for n in growing(HISTORY + 1):
        table = Sheet.of(range(n), [0] * n, values[:n], len(texts))
        watches = _Watches(table, past, followed, texts)
        labels, n_asked = split(watches, columns[:n], K)  # type: ignore[arg-type]
        made = Sheet(table.people, labels, table.values, int(labels.max()) + 1, len(texts))
        past, followed = past.updated(made, texts), followed.updated(made, texts)
    who = f"{n:,} records, {HISTORY} earlier releases"
    for name, spent in zip(WATCHES, watches.spent, strict=True):
        note = f"{n_asked:,} splits asked for, {labels.max() + 1:,} groups"
        task = f"{name} watched while splitting, {who}"
        yield Row(task, spent, HISTORY_LIMIT, 1, 0.5, "limit", note, is_limit=True)
    for name, watch in zip(WATCHES, watches.watches, strict=True):
        seconds, _, is_safe = cpu(lambda watch=watch: watch.is_safe(labels))
        note = "safe" if is_safe else "NOT SAFE"
        task = f"{name} checked, {who}"
        yield Row(task, seconds, HISTORY_LIMIT, 1, 0.1, "limit", note, is_limit=True)


class _Watches:
    """Both watches and the promise of the release itself, and the seconds that watches take."""

    def __init__(
        self, table: Sheet, past: Inferable, followed: Whereabouts, texts: tuple[str, ...]
    ) -> None:
        self.spent = [0.0, 0.0]
        self._values, self._labels = table.values, np.zeros(len(table), np.int32)
        self.watches: list[IntersectionWatch | TracingWatch] = []
        if past.n_releases:
            known, limit = past.told_in(texts), C
            sheets = [*followed.sheets, table]
            self.spent[0], _, first = cpu(
                lambda: IntersectionWatch(known, table.people, table.values, limit)
            )
            self.spent[1], _, second = cpu(
                lambda: TracingWatch(sheets, K, limit, earlier=followed.traces)
            )
            self.watches = [first, second]

    def allows(self, group: int, right: CountArray) -> bool:
        whole = np.bincount(self._values[self._labels == group])
        part = np.bincount(self._values[right], minlength=whole.size)
        if any(counts.max() > C * int(counts.sum()) for counts in (part, whole - part)):
            return False
        for i, watch in enumerate(self.watches):
            seconds, _, allowed = cpu(lambda watch=watch: watch.allows(group, right))
            self.spent[i] += seconds
            if not allowed:
                return False
        return True

    def split(self, group: int, right: CountArray, new: int) -> None:
        self._labels[right] = new
        for i, watch in enumerate(self.watches):
            seconds, _, _ = cpu(lambda watch=watch: watch.split(group, right, new))
            self.spent[i] += seconds


def _numbers() -> tuple[CountArray, CodeArray]:
    """Give what others may know of everybody, and what is hidden, in numbers."""
    if folder() is None:
        frame, quasi, hidden = hospital(N_RECORDS, seed=SEED), ("age", "sex", "zip"), "diagnosis"
    else:
        frame = adult_frame().sample(fraction=1.0, shuffle=True, seed=SEED)[:N_RECORDS]
        quasi, hidden = QI8, "occupation"
    ranks = [frame[name].rank("dense").fill_null(0).cast(pl.Int64).to_numpy() for name in quasi]
    return np.column_stack(ranks), frame[hidden].rank("dense").cast(pl.Int32).to_numpy() - 1
