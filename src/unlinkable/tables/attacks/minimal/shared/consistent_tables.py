"""Consistent tables: keep of all possible tables those that lead to a release.

All of them are asked about, or as many as can be are drawn. Tables that are drawn and kept are
independent of each other, and each is as likely as any other that could be kept: shares of them are
honest estimates, however few of those drawn are kept. No walk from one kept table to the next is
made instead: it would find more of them, but nobody could say whether it has seen all kinds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from attrs import define

from unlinkable.errors import DataError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.minimal.shared.algorithm_replay import Replay
from unlinkable.tables.attacks.minimal.shared.possible_tables import PossibleTables
from unlinkable.tables.attacks.minimal.shared.world_beliefs import WorldBeliefs
from unlinkable.typing import Columns, CountArray, Progress

__all__ = ["ConsistencyCheck", "ConsistentTables"]

_LEAST_KEPT = 20
"""Shares of fewer tables tell nothing."""

_ENOUGH = 2_000
"""Shares of so many tables are known well enough."""

_LOOK = 2_000
"""After so many tables it is looked whether most of them are kept; then these will do."""

_FIRST = 10
"""After so many tables it is known how long one takes."""

_TELLING = "asking what would have been published"


@define(eq=False, frozen=True)
class ConsistentTables:
    """What is believed after the inconsistent tables are ruled out.

    Attributes
    ----------
    beliefs
        By column, what people have in the tables that were kept.
    n_asked
        How many tables were asked about.
    n_kept
        How many of these lead to the release.
    n_tables, n_consistent
        How many tables there are, and how many of them lead to the release; None if tables were
        drawn.
    is_mostly_kept
        Whether tables were drawn until a number that was fixed beforehand, and most were kept.
    """

    beliefs: tuple[WorldBeliefs, ...]
    n_asked: int
    n_kept: int
    n_tables: int | None = None
    n_consistent: int | None = None
    is_mostly_kept: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether all tables were asked about."""
        return self.n_tables is not None


@define(eq=False, frozen=True)
class ConsistencyCheck:
    """The tables that are to be asked about, and within which bounds.

    Attributes
    ----------
    tables, target, columns
        The tables, the release, and the columns to believe something of.
    values
        The values that count; all if not given.
    most
        How many tables are asked about at most.
    seconds
        About how long this may take.
    progress
        Progress callback.
    """

    tables: PossibleTables
    target: Target
    columns: Columns
    values: Columns | None
    most: int
    seconds: float
    progress: Progress

    def all(self, asks: Replay) -> ConsistentTables | None:
        """Ask about a table of every class; None if these are too many, or it takes too long."""
        n_classes = self.tables.n_classes(self.most)
        if n_classes > self.most:
            return None
        beliefs, started = self._beliefs(), time.perf_counter()
        n_kept = n_tables = n_consistent = 0
        for i, (records, weight) in enumerate(self.tables.classes()):
            if i == _FIRST and (time.perf_counter() - started) * n_classes > self.seconds * _FIRST:
                return None
            self.progress(i / n_classes, _TELLING)
            n_tables += weight
            if asks.keeps(records):
                n_kept, n_consistent = n_kept + 1, n_consistent + weight
                for column in beliefs:
                    column.add(records, weight)
        return ConsistentTables(beliefs, n_classes, n_kept, n_tables, n_consistent)

    def some(self, asks: Replay, rng: np.random.Generator) -> ConsistentTables:
        """Ask about tables drawn at random, until enough are kept.

        Raises
        ------
        UnsupportedError
            If too few are kept.
        """
        beliefs = self._beliefs()
        n_drawn = n_kept = 0
        for n_drawn, records in enumerate(self._drawn(rng), start=1):
            is_kept = asks.keeps(records)
            n_kept += is_kept
            for column in beliefs:
                column.add(records, is_kept=is_kept)
            if n_drawn == _LOOK and 2 * n_kept >= n_drawn:
                break
            if n_kept == _ENOUGH or (n_kept == 0 and 10 * n_drawn > self.most):
                break
        if n_kept < min(_LEAST_KEPT, self.most):
            raise UnsupportedError(
                f"of {n_drawn:,} possible tables drawn at random {n_kept} lead to this release, "
                "too few to say how likely anything is: allow more (most_worlds=..., "
                "seconds=...), or attack a smaller release of the same kind"
            )
        return ConsistentTables(
            beliefs, n_drawn, n_kept, is_mostly_kept=n_drawn <= _LOOK and 2 * n_kept >= n_drawn
        )

    def _drawn(self, rng: np.random.Generator) -> Iterator[CountArray]:
        started = time.perf_counter()
        for i in range(self.most):
            spent = (time.perf_counter() - started) / self.seconds
            if i and spent >= 1:
                return
            self.progress(min(max(i / self.most, spent), 1.0), _TELLING)
            yield self.tables.draw(rng)

    def _beliefs(self) -> tuple[WorldBeliefs, ...]:
        found = tuple(
            WorldBeliefs(self.tables, self.target, name, self.values) for name in self.columns
        )
        for value in self.values or ():
            if not any(column.has(value) for column in found):
                where = " or ".join(map(repr, self.columns))
                raise DataError(f"no record has {value!r} in {where}: check how it is written")
        return found
