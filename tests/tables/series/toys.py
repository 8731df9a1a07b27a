"""A way to publish again that is easy to see through, and an attack that it guards against."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import polars as pl
from attrs import frozen

import unlinkable as ul
from unlinkable.tables.attacks.base.attack import Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge
from unlinkable.tables.attacks.series.series import Series
from unlinkable.tables.attacks.series.shared.series_attack import SeriesAttack
from unlinkable.tables.data import Table
from unlinkable.tables.data.release_columns import Frame
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.models.base import Threat
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.series.history import History, Publication
from unlinkable.tables.series.policy import Past, Policy, Request


@frozen
class Shrinking(SeriesAttack):
    """Find out who has left: succeeds if there are fewer records than before."""

    name: ClassVar[str] = "shrinking"
    reference: ClassVar[str] = "nobody"
    threat: ClassVar[Threat] = Threat.TABLE
    needs: ClassVar[str] = "two releases"
    remedy: ClassVar[str] = "publish no fewer"
    stopped_by: ClassVar[tuple[str, ...]] = ("growing",)

    limit: Fraction = Fraction(1, 2)

    def attack(self, series: Series, knowledge: AdversaryKnowledge) -> Outcome:
        sizes = [len(edition.target) for edition in series.editions]
        fallen = max(sizes[:-1]) - sizes[-1]
        return Outcome(
            attack=self,
            n_attacked=sizes[-1],
            n_fallen=max(fallen, 0),
            highest=float(fallen > 0),
            found=f"{fallen} records are missing" if fallen > 0 else "nobody has left",
        )


@frozen
class Growing(Policy):
    """Publish as if nothing had been published before, unless there are fewer records.

    Remembers how often somebody was published.
    """

    name: ClassVar[str] = "growing"
    reference: ClassVar[str] = "nobody"
    scenario: ClassVar[str] = "anything"
    guards: ClassVar[tuple[str, ...]] = ("shrinking",)

    def method_for(self, request: Request, past: Past) -> Method:
        return request.method or ul.Mondrian()

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        return (Shrinking(),)

    def remember(self, release: Release, request: Request, past: Past) -> dict[str, Frame]:
        before = past.memory.get("times")
        times = np.zeros(max(past.n_people, int(request.people.max()) + 1), np.int64)
        if before is not None:
            times[: before.height] = before.get_column("n").to_numpy()
        times[request.people] += 1
        return {"times": pl.DataFrame({"n": times})}


def people(first: int, n: int) -> Table:
    """Invent some people: the first one has the number ``first``."""
    numbers = range(first, first + n)
    return ul.as_table(
        {
            "pid": [f"p{i}" for i in numbers],
            "age": [20 + i * 7 % 40 for i in numbers],
            "job": [["cook", "clerk", "smith"][i % 3] for i in numbers],
            "ill": [["flu", "hiv", "cold", "none"][i * 5 % 4] for i in numbers],
        },
        identifiers="pid",
        quasi=["age", "job"],
        sensitive="ill",
    )


PROMISE = ul.KAnonymity(2)


def publish(history: History, first: int = 0, n: int = 12, **more: Any) -> Publication:
    """Publish some invented people with a history."""
    return history.publish(people(first, n), policy=Growing(), privacy=PROMISE, **more)
