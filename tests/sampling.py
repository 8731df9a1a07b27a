"""How much of many generated cases is tried.

``make test`` tries a part of them, always the same one, in which everything that cases consist of
occurs at least once. ``make test-deep`` tries all of them, or another part every day where there
are too many even for that.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TypeVar

__all__ = ["DEEP", "SEED", "go_deep", "is_deep", "sample", "seed"]

DEEP = "UNLINKABLE_TESTS_DEEP"
"""Environment variable that is set while everything is tried: for processes that tests start."""

SEED = "UNLINKABLE_TESTS_SEED"
"""Environment variable with the seed of what is tried: set it to repeat the tests of a day."""

Case = TypeVar("Case")


def go_deep() -> None:
    """Try everything from now on, in this process and in those that it starts."""
    os.environ[DEEP] = "1"
    # Processes that run side by side must agree on the day, also when one of them starts later.
    os.environ.setdefault(SEED, datetime.now(UTC).date().isoformat())


def is_deep() -> bool:
    """Tell whether everything is tried."""
    return bool(os.environ.get(DEEP))


def seed() -> str:
    """Give the seed of the day; for ``make test`` it is always the same."""
    return os.environ.get(SEED, "make test")


def sample(cases: Sequence[Case], *, at_most: int, deep: int | None = None) -> list[Case]:
    """Take some of the cases, in their order: ``at_most`` so many, or ``deep`` where all are tried.

    Cases that are tuples are taken such that every entry of every place occurs, even if that needs
    more cases than were asked for.

    Examples
    --------
    >>> cases = [(method, k) for method in "abc" for k in range(9)]
    >>> some = sample(cases, at_most=12, deep=12)
    >>> len(some), {method for method, _ in some} == {*"abc"}, len({k for _, k in some})
    (12, True, 9)
    """
    most = deep if is_deep() else at_most
    if most is None or len(cases) <= most:
        return list(cases)
    order = random.Random(seed()).sample(range(len(cases)), len(cases))
    seen: set[tuple[int, str]] = set()
    taken = set()
    for i in order:
        case = cases[i]
        parts = (
            {(j, str(part)) for j, part in enumerate(case)} if isinstance(case, tuple) else set()
        )
        if not parts <= seen:
            taken.add(i)
            seen |= parts
    for i in order:
        if len(taken) >= most:
            break
        taken.add(i)
    return [cases[i] for i in sorted(taken)]
