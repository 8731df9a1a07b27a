"""Queues: orders of all rows, by values and by levels."""

from __future__ import annotations

from hypothesis import given

from tests.strategies import RandomTable, tables
from tests.tables.methods.regions.setting import Setting
from unlinkable.tables.methods.regions.shared.queues import queues


@given(tables(owner=False))
def test_every_queue_is_sorted_by_what_it_says(random: RandomTable) -> None:
    setting = Setting.of(random)
    attributes, keys = setting.attributes, setting.finest.keys.tolist()
    d = len(attributes)
    columns = sorted(range(d), key=lambda j: -attributes[j].taxonomy.n)
    most = max(len(a.taxonomy.levels) for a in attributes)
    found = [order.tolist() for order in queues(setting.finest, attributes)]
    assert len(found) == 2 * d
    for first in range(d):
        turned = columns[first:] + columns[:first]

        def by_levels(row: int, turned: list[int] = turned) -> list[int]:
            return [
                int(attributes[j].taxonomy.levels[level].blocks[keys[row][j]])
                for level in range(most - 1, -1, -1)
                for j in turned
                if level < len(attributes[j].taxonomy.levels)
            ]

        def by_values(row: int, turned: list[int] = turned) -> list[int]:
            return [keys[row][j] for j in turned]

        rows = range(len(keys))
        assert found[2 * first] == sorted(rows, key=by_values)
        assert found[2 * first + 1] == sorted(rows, key=by_levels)
