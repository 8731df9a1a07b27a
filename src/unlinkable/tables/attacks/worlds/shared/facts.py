"""Facts: confidence in a value given facts on the victim and on others."""

from __future__ import annotations

import numpy as np

from unlinkable.kernels.linkage import first_peaks
from unlinkable.release.attacks import Outcome, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.shared.victims import SharedValues, most_confident
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import KnowledgeAmounts, confidences
from unlinkable.typing import CountArray, FloatArray

__all__ = ["CLOSE", "attack_with_facts"]

CLOSE = 1e-9
"""Confidence above the limit by no more than this counts as equal: it may be rounding."""


def attack_with_facts(
    attack: Attack, target: Target, column: str, known: KnowledgeAmounts
) -> Outcome:
    """Try all knowledge of an amount on everybody, and report what tells most."""
    counted = target.counted([(column,)])
    sizes, hidden = counted.finest.sizes, counted.finest.histograms[column,]
    n = int(sizes.sum())
    known = KnowledgeAmounts(min(known.l, hidden.n_values), min(known.k, n), min(known.m, n))
    sure = confidences(hidden, sizes, known)
    best = first_peaks(hidden.indptr, sure)
    by_group = sure[best]
    fallen = by_group > float(attack.limit) + CLOSE
    highest, n_fallen = float(by_group.max(initial=0)), int(sizes[fallen].sum())
    without = float((hidden.peak / np.maximum(sizes, 1)).max(initial=0))
    return Outcome(
        attack=attack,
        n_attacked=n,
        n_fallen=n_fallen,
        highest=highest,
        victims=_victims(
            SharedValues(target, counted.labels), column, counted.finest, by_group, best
        ),
        found=(
            f"Who {_in_words(known)} can be up to {highest:.4g} sure of what somebody has in "
            f"{column!r}, and surer than {float(attack.limit):.4g} of {n_fallen:,} of "
            f"{quantity(n, 'person', 'people')}; without, up to {without:.4g}."
        ),
        details={
            "column": column,
            "ruled_out": known.l,
            "others_known": known.k,
            "same_value": known.m,
            "highest_without_knowledge": without,
            "groups_fallen": int(fallen.sum()),
        },
    )


def _victims(
    shared_values: SharedValues, column: str, groups: Groups, sure: FloatArray, best: CountArray
) -> tuple[Victim, ...]:
    """Tell of the groups that most is told of, and what."""
    hidden, sizes = groups.histograms[column,], groups.sizes
    return tuple(
        Victim(
            who=shared_values.of(g),
            confidence=float(sure[g]),
            learned={column: hidden.text(int(hidden.values[best[g]]))},
            records=int(sizes[g]),
            people=int(sizes[g]),
        )
        for g in most_confident(sure).tolist()
    )


def _in_words(known: KnowledgeAmounts) -> str:
    parts = []
    if known.l:
        parts.append(f"can rule out {quantity(known.l, 'value')}")
    if known.k:
        parts.append(f"knows what {quantity(known.k, 'other person has', 'other people have')}")
    if known.m:
        people = quantity(known.m, "person", "people")
        parts.append(f"knows {people} who can have a value only if the victim has it")
    return " and ".join(parts) or "knows nothing but the group of the victim"
