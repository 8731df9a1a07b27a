"""Searches that are checked against earlier releases: what they cut, and what they output."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from attrs import define
from hypothesis import given

from tests.tables.series.growing import JOBS, Growing, growing, publish_all
from tests.tables.series.worst_adversary import (
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
from unlinkable.tables.series.incremental.channels import MONOTONE, Channels
from unlinkable.tables.series.incremental.checked_lattice import CheckedIncognito, CheckedOptimal
from unlinkable.tables.series.incremental.checked_mondrian import CheckedMondrian
from unlinkable.tables.series.incremental.growth import raw_series
from unlinkable.tables.series.incremental.incremental import Incremental
from unlinkable.tables.series.policy import Past, Request
from unlinkable.typing import CodeArray


@define(eq=False, frozen=True, slots=False)
class SlowChannels(Channels):
    """Channels by an adversary who goes through everything."""

    def exposes(self, attack: str, labels: CodeArray) -> bool:
        """Whether the adversary finds somebody if records are grouped so."""
        k, c = self.bounds["s0"]
        *then, now = raw_series(self.request, self.past).sheets("s0")
        kept = labels >= 0
        new = Sheet.of(now.people[kept], labels[kept], now.values[kept])
        releases = [sheet(one) for one in (*then, new)]
        if attack == "intersection":
            return bool(by_intersection(releases, c))
        find = by_tracing if attack == "record-tracing" else by_difference
        return bool(find(releases, k, c))


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
def test_what_mondrian_cuts_opens_no_channel_by_differences_or_traces(grown: Growing) -> None:
    n, past = before_the_last(grown)
    if not len(past):
        return
    slow = channels(SlowChannels, grown, n, past)
    with suppress(InfeasibleError):
        method = Incremental().method_for(slow.request, past)
        if isinstance(method, CheckedMondrian):
            partition = searched(method, slow.request).partition
            for attack in MONOTONE:
                assert slow.is_safe(partition.labels, (attack,))


def every_safe_node(known: SlowChannels) -> dict[tuple[int, ...], float]:
    """Try all nodes of the lattice; give the loss of those that may be published."""
    request = known.request
    privacy, attributes = All(request.models), request.table.attributes
    counted = count(request.table, privacy.needs())
    safe = {}
    for node in Lattice.of(attributes).nodes():
        partition = Partition.at_levels(counted.finest, attributes, node)
        if privacy.holds(partition.groups()) and known.is_safe(partition.labels):
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
        "rounds": 3,
        "cuts_tried": 4,
        "cuts_made": 3,
        "groups_judged": 8,
    }
