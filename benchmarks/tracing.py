"""Intersecting and tracing: a new release against a history of ten."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from attrs import evolve

import unlinkable as ul
from benchmarks.differences import HISTORY, HISTORY_LIMIT, N_RECORDS, growing, released
from benchmarks.measure import Row, cpu
from unlinkable.tables.attacks.series.intersection import Intersection
from unlinkable.tables.attacks.series.record_tracing import RecordTracing
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.data.storage import frame_from_bytes, frame_to_bytes
from unlinkable.tables.series.incremental.channels import ATTACKS, ColumnChannels
from unlinkable.tables.series.incremental.history_table import HistoryTable, stored_table
from unlinkable.tables.series.policy import Past

K, C = 5, Fraction(1, 2)


def rows(large: bool) -> Iterator[Row]:
    """Time attacks on eleven releases, and checks with ten earlier ones."""
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
    yield from _from_table(editions)


def _from_table(editions: list[Edition]) -> Iterator[Row]:
    """Check the last release by the history table, as read from a database."""
    *earlier, last = editions
    (column,) = last.target.sensitive
    table = HistoryTable.empty()
    for edition in earlier:
        table = table.updated(edition, column)
    frames = table.inferences.to_frames() | table.groups.to_frames()
    written = {f"{column}: {name}": frame_to_bytes(frame) for name, frame in frames.items()}

    def check() -> list[str]:
        memory = {name: frame_from_bytes(content) for name, content in written.items()}
        known = stored_table(Past(tuple(earlier), memory), column)
        assert known is not None
        alone = Series((last,))
        texts = tuple(dict.fromkeys((*alone.texts(column), *known.groups.texts)))
        new = evolve(alone.sheets(column)[0], n_values=len(texts))
        channels = ColumnChannels(K, C, known.with_texts(texts), new)
        return [attack for attack in ATTACKS if channels.exposes(attack, new.groups)]

    check()
    seconds, _, found = cpu(check)
    size = sum(map(len, written.values())) / 1e6
    note = f"{len(found)} of {len(ATTACKS)} expose somebody; the table takes {size:.1f} MB"
    task = f"checked by the history table, {N_RECORDS:,} records, {HISTORY} earlier releases"
    yield Row(task, seconds, HISTORY_LIMIT, 1, 0.1, "limit", note, is_limit=True)
