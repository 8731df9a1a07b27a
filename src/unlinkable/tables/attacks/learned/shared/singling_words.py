"""Who is singled out, in words and figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.tables.attacks.base.attack import MOST_SHOWN, Victim
from unlinkable.tables.attacks.learned.shared.axis import Axis
from unlinkable.tables.attacks.learned.shared.predicates import Predicates
from unlinkable.tables.attacks.shared.rates import Interval
from unlinkable.tables.models import number_of
from unlinkable.typing import CountArray

__all__ = ["found_by_singling_out", "on_one_column", "singled_out_victims"]


def on_one_column(
    guesses: Predicates, axes: Sequence[Axis], counts: CountArray
) -> dict[str, int | float | str | None]:
    """Count the descriptions that speak of one column only, and those that single out."""
    used = np.array([[axis.attribute.taxonomy.n for axis in axes]])
    is_single = ((guesses.lo > 0) | (guesses.hi < used)).sum(axis=1) == 1
    return {
        "descriptions on one column": int(is_single.sum()),
        "singled out on one column": int((is_single & (counts == 1)).sum()),
    }


def found_by_singling_out(
    n_tried: int, counts: CountArray, chance: str, n_fallen: int, interval: Interval
) -> str:
    """Say how many descriptions fit one person, and whether that is more than chance.

    What chance does is told in words: how many would, or could at most where nobody knows.
    """
    n_alone = int((counts == 1).sum())
    told = (
        f"{n_alone:,} of {n_tried:,} descriptions made of the release fit exactly one original "
        f"record; {chance} by chance."
    )
    if n_fallen:
        people = number_of(n_fallen, "person is", "people are")
        return f"{told} About {people} singled out because of the release."
    if interval[1] <= 0:
        return f"{told} The release singles out nobody beyond that."
    return f"{told} That is not more than chance explains and the limit allows."


def singled_out_victims(
    guesses: Predicates, axes: Sequence[Axis], rows: CountArray, rate: float
) -> tuple[Victim, ...]:
    """Show descriptions that single out, one for each person."""
    isolating = np.flatnonzero(rows >= 0)
    _, first = np.unique(rows[isolating], return_index=True)
    shown = np.sort(isolating[first])[:MOST_SHOWN].tolist()
    return tuple(Victim(guesses.describe(axes, at), rate, records=1) for at in shown)
