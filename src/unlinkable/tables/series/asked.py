"""Asked: what a publisher asks for, read at the border."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from unlinkable.errors import HistoryError, ParameterError
from unlinkable.params import exact
from unlinkable.registry import make
from unlinkable.spelling import read_call
from unlinkable.tables.series.line import About
from unlinkable.tables.series.policy import Policy

__all__ = ["as_policy", "as_share"]

_FIRST = "incremental"
"""How a history is published again of which nothing else is said."""


def as_policy(policy: Policy | str | None, about: About, shown: str) -> Policy:
    """Take the policy that was asked for; else the one that the history was begun with."""
    if policy is not None and not isinstance(policy, Policy | str):
        raise ParameterError(
            f"policy must be one, like MInvariance(3), or its written form, got {policy!r}"
        )
    text = policy if isinstance(policy, str) else None
    if policy is None:
        text = about.policy or _FIRST
    chosen = policy if isinstance(policy, Policy) else cast("Policy", make("policy", text or ""))
    before = None if about.policy is None else read_call(about.policy)[0]
    if before is not None and before != chosen.name:
        raise HistoryError(
            f"{shown} is of releases by {before}, and {chosen.name} would not guard against what "
            f"they tell: go on with {before}, or begin another history for other people"
        )
    return chosen


def as_share(suppression: float | str | Fraction) -> Fraction:
    """Take the share of records that may be left out."""
    share = exact(suppression)
    if not 0 <= share < 1:
        raise ParameterError(f"suppression must lie in [0, 1), got {suppression}")
    return share
