"""Ceilings on who is found: how sure an adversary can be whose a record is, or who is there.

Each function is given a promise and the adversary, and says how high the promise lets him come in
the unit of the attack, or None if it says nothing about him.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from unlinkable.tables.attacks.base.attack import Attack

__all__ = ["RECORD_CEILINGS", "Bound", "least", "record_ceiling"]

Bound: TypeAlias = float | Fraction | None
"""The most that is reached; None if nothing is said."""


def least(bounds: Iterable[Bound]) -> float | None:
    """Give the least of several bounds, and never more than 1; None if there is none."""
    return min((min(float(b), 1.0) for b in bounds if b is not None), default=None)


def record_ceiling(model: Any, attack: Attack) -> Bound:
    """Bound 1 / records that look like the victim's: so many does a promise ask for."""
    match model.name:
        case "k-anonymity" | "alpha-k-anonymity" | "kc-anonymity" | "lkc-privacy":
            return Fraction(1, model.k)
        case "multirelational-k-anonymity" | "ke-anonymity" | "xy-anonymity":
            return Fraction(1, model.k)
        case "distinct-l-diversity" | "recursive-cl-diversity":
            return Fraction(1, model.l)
        case "frequency-l-diversity" | "entropy-l-diversity":
            return 1 / Fraction(model.l)
        case "crowd-entropy":
            return float(2.0 ** -float(model.bits))
        case "xy-privacy":
            return Fraction(1, model.k) if model.count.value == "records" else None
    return None


def _presence(model: Any, attack: Any) -> Bound:
    return Fraction(model.high) if model.name == "delta-presence" else None


def _advantage(model: Any, attack: Any) -> Bound:
    """Bound how much oftener members are taken for members than others are.

    Outcomes whose chances differ by a factor of at most exp(e) are told apart with an advantage of
    at most tanh(e / 2). Distributional privacy compares the table that a member is in with another
    one from the same population, which he is not in; that fails for a share beta of them.
    """
    match model.name:
        case "differential-privacy":
            e = float(model.epsilon)
            return math.tanh(e / 2) + 2 * float(model.delta) / (1 + math.exp(e))
        case "distributional-privacy":
            return math.tanh(float(model.alpha) / 2) + float(model.beta)
    return None


RECORD_CEILINGS: Mapping[str, Callable[[Any, Any], Bound]] = {
    "membership": _advantage,
    "record-linkage": record_ceiling,
    "table-linkage": _presence,
}
"""By the name of an attack, what promises let it reach."""
