"""Sweep: against the same written out, for every promise."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given

from tests.strategies import RandomTable, tables
from tests.tables.methods.regions.setting import Promised, Setting, promised
from unlinkable.tables.groups import Partition
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.range_prices import Landscape
from unlinkable.tables.methods.regions.shared.sweep import swept
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All


@given(tables(min_records=1, max_records=14, max_qid=3, owner=False), promised())
def test_every_record_goes_to_the_first_node_that_has_company_for_it(
    random: RandomTable, promise: Promised
) -> None:
    setting = Setting.of(random)
    finest, privacy = setting.finest, All(promise.models)
    assume(privacy.holds(Partition.whole(finest).groups()))
    land = Landscape.of(finest, setting.attributes, ILoss(), in_taxonomy=True)
    judge, keeps = Judge.of(finest, privacy), setting.keeps(promise)
    stop_rule = StopRule.of(setting.task, None, None)
    parts, n_parts, n_looked = swept(finest, judge, land, stop_rule, setting.task.progress)
    waiting, expected = set(range(len(finest))), []
    nodes = land.nodes()
    for node in nodes:
        sets: dict[tuple[int, ...], list[int]] = {}
        for row in sorted(waiting):
            shown = tuple(
                int(a.taxonomy.levels[level].blocks[code])
                for a, level, code in zip(setting.attributes, node, finest.keys[row], strict=True)
            )
            sets.setdefault(shown, []).append(row)
        for rows in sets.values():
            if keeps(rows):
                expected.append(rows)
                waiting -= set(rows)
    found = [np.flatnonzero(parts == g).tolist() for g in range(n_parts)]
    assert found == expected
    assert set(np.flatnonzero(parts < 0).tolist()) == waiting
    assert n_looked <= len(nodes)


@given(tables(min_records=1, max_records=5, owner=False))
def test_a_sweep_that_is_stopped_leaves_records_waiting(random: RandomTable) -> None:
    setting = Setting.of(random)
    stop_rule = StopRule(None, np.inf, lambda: True)
    judge = Judge.of(setting.finest, All([KAnonymity(1)]))
    land = Landscape.of(setting.finest, setting.attributes, ILoss(), in_taxonomy=True)
    parts, *counts = swept(setting.finest, judge, land, stop_rule, setting.task.progress)
    assert counts == [0, 0]
    assert (parts == -1).all()
