"""Changes: what values that do not stay become, drawn at random."""

from __future__ import annotations

import numpy as np

from unlinkable.params import Choice
from unlinkable.tables.operations.shared.strata import Shares, draw_outside, happens
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Change", "draw_changes"]


class Change(Choice, noun="kind of change"):
    """What a value that does not stay becomes."""

    UNIFORM = "uniform"
    """Any other value, all as likely."""
    FREQUENCY = "frequency"
    """Any other value, as likely as it is frequent."""
    INVARIANT = "invariant"
    """In two steps, so that every value is expected to come out as often as it went in."""


def draw_changes(
    change: Change,
    truth: float,
    codes: CodeArray,
    strata: CodeArray,
    n_values: int | None,
    rng: np.random.Generator,
) -> CodeArray:
    """Draw what each value becomes.

    Parameters
    ----------
    change
        What those become that do not stay.
    truth
        The probability to stay; in the first of two steps if the change is invariant.
    codes, strata
        The values, and the stratum of each: values become others of the same stratum.
    n_values
        Where there is one stratum only, how many values there are: a uniform change goes to any of
        them, whether or not it occurs.
    rng
        The source of chance.

    Examples
    --------
    >>> codes, strata = np.array([0, 0, 1, 1], np.int32), np.zeros(4, np.int32)
    >>> draw_changes(Change.UNIFORM, 0.0, codes, strata, 2, np.random.default_rng(0)).tolist()
    [1, 1, 0, 0]
    """
    stays = happens(truth, codes.size, rng)
    if change is Change.UNIFORM and n_values is not None:
        own = codes.astype(np.int64)
        ends = np.zeros_like(own), np.full_like(own, n_values)
        drawn = draw_outside(*ends, own, own + 1, rng)
        return np.where(stays | (drawn < 0), codes, drawn).astype(np.int32)
    shares = Shares.of(strata, codes)
    if change is Change.FREQUENCY:
        return np.where(stays, codes, shares.other_record(shares.kind, rng)).astype(np.int32)
    drawn = shares.other_kind(shares.kind, rng)
    between = np.where(stays | (drawn < 0), shares.kind, drawn)
    if change is Change.UNIFORM:
        return shares.kinds[between]
    return _back(shares, between, truth, rng)


def _back(shares: Shares, between: CountArray, truth: float, rng: np.random.Generator) -> CodeArray:
    """Take values of the first step back to where they may have come from."""
    own = (shares.end - shares.start)[between]
    n_kinds, n = shares.kinds_hi - shares.kinds_lo, shares.hi - shares.lo
    stayed = np.where(n_kinds > 1, truth * own, own)
    came = (1 - truth) / np.maximum(n_kinds - 1, 1) * (n - own)
    was_there = rng.random(own.size) * (stayed + came) < stayed
    return np.where(was_there, shares.kinds[between], shares.other_record(between, rng))
