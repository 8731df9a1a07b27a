"""Published series: all that was published of the same people, to be looked at and attacked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import numpy as np

from unlinkable.errors import ParameterError
from unlinkable.tables.attacks.base import Outcome
from unlinkable.tables.attacks.series import Series, SeriesAttack
from unlinkable.tables.operations import check_key
from unlinkable.tables.publishing.attacking import (
    Assault,
    attack_series,
    attack_series_all,
    made_series_attack,
)
from unlinkable.tables.series.database import Database
from unlinkable.tables.series.ledger import Ledger
from unlinkable.tables.series.line import About, Line
from unlinkable.tables.series.recognition import Names
from unlinkable.typing import Progress

__all__ = ["WAIT", "PublishedSeries"]

WAIT = 30.0
"""For how many seconds to wait if somebody else is publishing."""


class PublishedSeries:
    """What a history tells of the releases that are out, see `History`."""

    def __init__(
        self, address: str | Path, *, key: bytes | None = None, wait: float = WAIT
    ) -> None:
        if wait < 0:
            raise ParameterError(f"wait must be some seconds, got {wait}")
        if key is not None:
            check_key(key)
        self._database = Database(address, wait)
        self._key = key

    def __len__(self) -> int:
        return len(self.releases())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._database.shown!r})"

    def about(self) -> About | None:
        """Give what holds for all releases; None if nothing was published yet."""
        with self._reading() as ledger:
            return None if ledger is None else ledger.about()

    def releases(self) -> tuple[Line, ...]:
        """List what was published, the first release first.

        Raises
        ------
        HistoryError
            If the database cannot be read, or is of a later version.
        """
        with self._reading() as ledger:
            return () if ledger is None else ledger.lines()

    def series(self) -> Series:
        """Give all releases as whoever holds them all has them, and whose their records are."""
        with self._reading() as ledger:
            if ledger is None:
                return Series(())
            keys = ledger.keys()
            nobody = np.zeros(0, np.int64)
            return Series(ledger.editions(), Names(nobody, None, keys))

    def attack(
        self,
        attack: str | SeriesAttack,
        *,
        limit: float | str | Fraction | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        **given: object,
    ) -> Outcome:
        """Try an attack on all releases together, with all that the worst adversary knows.

        Parameters
        ----------
        attack
            The attack, its name, or its written form.
        limit
            How sure the adversary may be at most of anybody.
        seed
            Makes chance repeatable.
        progress
            Whom to tell how far the attack is.
        given
            Parameters of the attack.

        Raises
        ------
        ParameterError
            If there is no such attack or parameter.
        UnsupportedError, SchemaError, DataError
            As the attack itself.
        """
        made = made_series_attack(attack, given, limit)
        return attack_series(self.series(), made, seed=seed, progress=progress)

    def attack_all(
        self,
        *,
        limit: float | str | Fraction | None = None,
        k: int | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> Assault:
        """Say what an adversary who holds all releases can infer now, by every attack that applies.

        Parameters
        ----------
        limit, k
            How sure he may be at most of anybody, and how many people must be left at least. If not
            given, what the last release was held to, for attacks that it was made to withstand.
        seed, progress
            As of `attack`.
        """
        last = self.releases()[-1:]
        guarded = [str(found["attack"]) for line in last for found in line.findings]
        return attack_series_all(
            self.series(), limit=limit, k=k, guarded=guarded, seed=seed, progress=progress
        )

    @contextmanager
    def _reading(self) -> Iterator[Ledger | None]:
        if not self._database.exists:
            yield None
            return
        with self._database.reading() as connection:
            yield Ledger.opened(connection, self._database.shown)
