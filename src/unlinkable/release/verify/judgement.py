"""Judgement: what was found about the promises of a release on disk."""

from __future__ import annotations

from attrs import define

from unlinkable.release.finding import Finding

__all__ = ["Judgement"]


@define(eq=False, frozen=True)
class Judgement:
    """What was found about the promises of a manifest.

    Attributes
    ----------
    finding
        What the published data keep; None if they could not be judged.
    problems, notes
        What is wrong, and what could not be looked at.
    """

    finding: Finding | None
    problems: list[str]
    notes: list[str]
