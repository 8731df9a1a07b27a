"""Cutting for adversaries who know some columns only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.methods.regions.by_definition import Region
from tests.tables.methods.regions.setting import Promised, Setting, regions_of
from tests.witness import promises as witness
from tests.witness.models import Row
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import All


def published(setting: Setting, regions: Sequence[Region]) -> list[Row]:
    """Write what regions show: the smallest box, or any value where some are missing."""
    keys = setting.finest.keys
    shown: dict[int, dict[str, tuple[int, int]]] = {}
    for region in regions:
        box = {}
        for j, (name, a) in enumerate(zip(setting.random.qid, setting.attributes, strict=True)):
            lo, hi = int(keys[region, j].min()), int(keys[region, j].max()) + 1
            mixes = a.taxonomy.mixes_missing(np.array([lo]), np.array([hi]))[0]
            box[name] = (0, a.taxonomy.n) if mixes else (lo, hi)
        shown |= dict.fromkeys(region, box)
    pairs = zip(setting.random.rows, setting.labels, strict=True)
    return [{**row, **shown[at]} for row, at in pairs]


@given(tables(min_records=2, max_qid=3, max_records=16), st.data(), st.booleans())
def test_every_quasi_identifier_keeps_its_k_and_no_single_cut_is_left(
    random: RandomTable, data: st.DataObject, strict: bool
) -> None:
    setting = Setting.of(random)
    sets = st.sets(st.sampled_from(random.qid), min_size=1).map(lambda s: tuple(sorted(s)))
    wanted = data.draw(st.lists(st.tuples(sets, st.integers(1, 4)), min_size=1, max_size=2))
    promise = Promised(
        tuple(KAnonymity(k, qid=qid) for qid, k in wanted),
        tuple(witness.k_anonymous(k, qid=qid, owner=random.owner) for qid, k in wanted),
        1,
    )

    def holds(regions: Sequence[Region]) -> bool:
        return witness.hold(promise.by_definition, published(setting, regions), random.qid)

    assume(holds([list(range(len(setting.finest)))]))
    method = Mondrian(strict=strict)
    regions = regions_of(setting.search(method, promise))
    assert holds(regions)
    literal = setting.literal(method, promise, [False] * len(random.qid))
    for region in regions:
        others = [r for r in regions if r is not region]
        for j in literal.by_width(region):
            assert not holds([*others, *literal.even_cuts(region, j)[0]])


def test_knowing_less_allows_finer_groups() -> None:
    rng = np.random.default_rng(3)
    data = {name: rng.integers(0, 4, 300) for name in "abcd"}
    people = as_table(data, quasi=list("abcd"))
    finest, task = count(people).finest, Task(people.attributes, ILoss())
    all_four = Mondrian().search(finest, All([KAnonymity(9)]), task)
    two_each = All([KAnonymity(9, qid=["a", "b"]), KAnonymity(9, qid=["c", "d"])])
    pairs = Mondrian().search(finest, two_each, task)
    assert two_each.holds(pairs.partition.groups())
    assert (all_four.partition.n_parts, pairs.partition.n_parts) == (26, 60)
    assert dict(pairs.effort) == {
        "rounds": 18,
        "cuts_tried": 385,
        "cuts_made": 59,
        "groups_judged": 14454,
    }


@pytest.mark.parametrize(
    "method",
    [Mondrian(), Mondrian(labels="taxonomy"), Mondrian(split="best"), Mondrian(strict=False)],
    ids=str,
)
def test_other_promises_are_judged_on_what_is_published(method: Mondrian) -> None:
    rng = np.random.default_rng(4)
    data = {name: rng.integers(0, 6, 200) for name in "abs"}
    people = as_table(data, quasi=["a", "b"], sensitive="s")
    privacy = All([KAnonymity(8, qid=["a"]), DistinctLDiversity(3, sensitive="s")])
    finest = count(people, privacy.needs()).finest
    told: list[float] = []
    task = Task(people.attributes, ILoss(), progress=lambda share, words: told.append(share))
    found = method.search(finest, privacy, task)
    assert told[-1] == 1.0
    assert privacy.holds(found.partition.groups())
    assert found.partition.n_parts > 5


def test_where_regions_are_many_cuts_are_given_up_in_batches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(5)
    data = {name: rng.integers(0, 5, 300) for name in "abc"}
    people = as_table(data, quasi=list("abc"))
    privacy = All([KAnonymity(9, qid=["a", "b"]), KAnonymity(9, qid=["b", "c"])])
    finest, task = count(people).finest, Task(people.attributes, ILoss())
    patient = Mondrian().search(finest, privacy, task)
    monkeypatch.setattr("unlinkable.tables.methods.regions.shared.joint_bisection._WORK", 1 << 8)
    hasty = Mondrian().search(finest, privacy, task)
    assert privacy.holds(hasty.partition.groups())
    assert hasty.effort["groups_judged"] < patient.effort["groups_judged"]
    assert hasty.partition.n_parts <= patient.partition.n_parts
