"""Forecast: what the join with all earlier releases would tell after a step."""

from __future__ import annotations

from attrs import define

from unlinkable.typing import CountArray, FloatArray

__all__ = ["Forecast"]


@define(eq=False, frozen=True)
class Forecast:
    """What the join would tell of some records after a step.

    Attributes
    ----------
    rows
        The distinct records that the step concerns.
    sure, kinds
        For each question, and each of these records, how sure the join makes of a value and how
        many values are left, in the worst group with it.
    is_kept
        Whether the promise is, by the join and by the release itself.
    is_kept_alone
        Whether the release itself keeps it.
    """

    rows: CountArray
    sure: FloatArray
    kinds: CountArray
    is_kept: bool
    is_kept_alone: bool
