"""Searches that are checked against earlier releases: what they cut, and what they output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import pytest
from attrs import define
from hypothesis import given

from tests.tables.series.growing import JOBS, Growing, growing, publish_all
from tests.tables.series.worst_adversary import (
    SlowWatch,
    by_difference,
    by_intersection,
    by_tracing,
    sheet,
)
from unlinkable.errors import InfeasibleError
from unlinkable.tables.attacks.series.series import Sheet
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Partition
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.lattice.shared.lattice import Lattice
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models.base import All
from unlinkable.tables.series.incremental.channels import Channels
from unlinkable.tables.series.incremental.checked_lattice import CheckedIncognito, CheckedOptimal
from unlinkable.tables.series.incremental.checked_mondrian import CheckedMondrian
from unlinkable.tables.series.incremental.growth import raw_series
from unlinkable.tables.series.incremental.incremental import Incremental
from unlinkable.tables.series.incremental.recalling import Recalled
from unlinkable.tables.series.incremental.watch import Watch
from unlinkable.tables.series.policy import Past, Request
from unlinkable.typing import CodeArray


@define(eq=False, frozen=True)
class SlowChannels(Channels):
    """Channels whose watches go through everything."""

    def found(self, column: str, labels: CodeArray) -> dict[str, bool]:
        """Tell which attacks find somebody if records are grouped so."""
        k, c = self.bounds[column]
        *then, now = raw_series(self.request, self.past).sheets(column)
        kept = labels >= 0
        new = Sheet.of(now.people[kept], labels[kept], now.values[kept])
        releases = [sheet(one) for one in (*then, new)]
        return {
            "intersection": bool(by_intersection(releases, c)),
            "record-tracing": bool(by_tracing(releases, k, c)),
            "difference": bool(by_difference(releases, k, c)),
        }

    def _watches(
        self, tables: Mapping[str, Recalled], old: Sequence[CodeArray]
    ) -> Mapping[str, Watch]:
        def watch(name: str) -> Watch:
            return SlowWatch(len(self.request.table), lambda labels: self.found("s0", labels)[name])

        return {name: watch(name) for name in ("intersection", "record-tracing", "difference")}


def channels(kind: type[Channels], grown: Growing, n: int, past: Past) -> Channels:
    return kind(grown.request(n), past, {"s0": (grown.k, grown.c)})


def searched(search: Search, request: Request) -> Solution:
    privacy = All(request.models)
    finest = count(request.table, privacy.needs()).finest
    return search.search(finest, privacy, Task(request.table.attributes, ILoss()))


def before_the_last(grown: Growing) -> tuple[int, Past]:
    """Publish all but the last time."""
    *_, last = grown.ends
    earlier = Growing(**{**vars(grown), "ends": grown.ends[:-1]})
    pasts = [past for _, _, past in publish_all(Incremental(), earlier)]
    return last, pasts[-1] if pasts else Past()


@given(grown=growing())
def test_mondrian_cuts_as_if_everything_were_gone_through(grown: Growing) -> None:
    n, past = before_the_last(grown)
    found: list[str] = []
    for kind in (Channels, SlowChannels):
        if len(past):
            known = channels(kind, grown, n, past)
            method = CheckedMondrian(policy=Incremental(), channels=known)
            try:
                partition = searched(method, known.request).partition
                found.append(f"{partition.labels.tolist()} {partition.lo.tolist()}")
            except InfeasibleError as error:
                found.append(str(error))
    assert len(set(found)) <= 1


def every_safe_node(known: SlowChannels) -> dict[tuple[int, ...], float]:
    """Try all nodes of the lattice; give the loss of those that may be published."""
    request = known.request
    privacy, attributes = All(request.models), request.table.attributes
    counted = count(request.table, privacy.needs())
    safe = {}
    for node in Lattice.of(attributes).nodes():
        partition = Partition.at_levels(counted.finest, attributes, node)
        labels = partition.labels[counted.labels]
        if privacy.holds(partition.groups()) and not any(known.found("s0", labels).values()):
            safe[node] = ILoss().value(Shown.of(partition, attributes))
    return safe


@pytest.mark.parametrize("kind", [CheckedIncognito, CheckedOptimal], ids=["incognito", "optimal"])
@given(grown=growing(n_people=9))
def test_full_domain_searches_find_the_best_of_all_safe_nodes(
    kind: type[CheckedIncognito] | type[CheckedOptimal], grown: Growing
) -> None:
    n, past = before_the_last(grown)
    if not len(past):
        return
    slow = channels(SlowChannels, grown, n, past)
    assert isinstance(slow, SlowChannels)
    safe = every_safe_node(slow)
    method = kind(policy=Incremental(), channels=channels(Channels, grown, n, past))
    try:
        found = searched(method, slow.request)
    except InfeasibleError:
        assert not safe
        return
    assert found.node is not None
    node = tuple(found.node.values())
    assert safe[node] == pytest.approx(min(safe.values()))
    assert all(tuple(other.values()) in safe for other in found.alternatives)


FIXED = Growing(
    [20 + i * i % 17 for i in range(60)],
    [(JOBS["maker"] + JOBS["teller"])[i * i % 7 % 4] for i in range(60)],
    {"s0": ["abcd"[i * i * i % 11 % 4] for i in range(60)]},
    [20, 40, 60],
    2,
    Fraction(1, 2),
)


class _OnlySearched(Incremental):
    """Publishes whatever the search finds."""

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        return ()


def test_the_effort_is_told_and_golden() -> None:
    *_, (_, found, _) = publish_all(_OnlySearched(), FIXED)
    assert found.release.outcome.effort == {
        "rounds": 7,
        "cuts_tried": 34,
        "cuts_made": 6,
        "groups_judged": 68,
        "prevented_by_intersection": 5,
        "prevented_by_record-tracing": 6,
    }


def test_nothing_is_refused_after_a_release_that_told_nothing() -> None:
    """If everybody showed the same, the next release is refused nothing but small batches."""
    whole = Growing(**{**vars(FIXED), "k": 20, "ends": [20, 60]})
    *_, (_, found, _) = publish_all(Incremental(), whole)
    groups = np.unique(found.edition.target.counted().labels).size
    assert groups == 2
