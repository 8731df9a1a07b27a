"""The numbers behind the outcome of an attack."""

from __future__ import annotations

from unlinkable.release.attacks import Outcome


def numbers(outcome: Outcome) -> dict[str, float]:
    """Give the details that are numbers."""
    return {name: n for name, n in outcome.details.items() if isinstance(n, int | float)}
