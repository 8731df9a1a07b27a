"""X attacks: by adversaries who know x of everybody, and so who is in which group of every release.

Whoever joins releases takes every match for as likely as any other. Where several releases tell the
same column, somebody who knows the people can do better: everybody has one value, which is one of
his group's in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from unlinkable.tables.attacks.series import (
    CriticalAbsence,
    Edition,
    JoinTarget,
    Series,
    SeriesAttack,
    change_misfit,
)
from unlinkable.tables.series.membership_attacks import WORLDS, membership_attacks, releases_with
from unlinkable.tables.series.sequential.atoms import JoinPromise

__all__ = ["x_attacks"]


def x_attacks(promise: JoinPromise, series: Series) -> Iterator[tuple[SeriesAttack, Series]]:
    """Name the attacks of whoever knows x, and what each of them is tried on.

    These are the releases that tell a column which is to stay hidden, with their records in groups
    that show the same on x. Of single values, critical-absence alone can be asked: by somebody who
    knows that no value ever changes, and, whose worlds are fewer, by one who knows it of these.

    Parameters
    ----------
    promise
        What is promised of the join: the same is to hold here, but for the number of values.
    series
        All releases.
    """
    for item in promise.asked:
        if (item.limit or promise.h) < 1:
            known = tuple(_known_by_x(edition, item, promise) for edition in series.editions)
            seen = releases_with(Series(known, series.names), item.column)
            for attack in _attacks(item, promise, seen):
                yield attack, seen


def _attacks(item: JoinTarget, promise: JoinPromise, seen: Series) -> Iterator[SeriesAttack]:
    limit = item.limit or promise.h
    if item.value is None:
        yield from membership_attacks({item.column: (1, limit)})
        return
    one = CriticalAbsence(item.column, permanent=(item.value,), limit=limit, worlds=WORLDS)
    if len(seen) > 1 and change_misfit(seen, item.column) is None:
        yield evolve(one, permanent=None, values=(item.value,))
    yield one


def _known_by_x(edition: Edition, item: JoinTarget, promise: JoinPromise) -> Edition:
    """Put the records that show the same on x into one group."""
    there = edition.target.frame.columns
    x, told = (tuple(n for n in names if n in there) for names in (promise.x, (item.column,)))
    return evolve(edition, target=evolve(edition.target, quasi=x, sensitive=told))
