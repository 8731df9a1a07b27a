"""Provenance of a table: where a release came from, as its holder keeps it."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from unlinkable.release.bundle import Provenance as AnyProvenance

__all__ = ["Provenance"]


class Provenance(AnyProvenance):
    """Where a release of a table came from.

    Attributes
    ----------
    trace
        What the search did step by step.
    owner
        The column that tells which records belong to the same person.
    hidden
        The taxonomies of the hidden columns that promises refer to.
    taxonomies
        Those of published columns that are as they were, where one was given or people guard
        something of it.
    side
        By name, the files of the tables that promises refer to.
    importance, suppressed_records, suppressed_weight
        What metrics need to know besides groups.
    """

    written_order: ClassVar[tuple[str, ...]] = (
        *("format", "created", "source", "digest", "plan", "folder", "seed", "engine", "seconds"),
        *("effort", "complete", "facts", "trace", "versions", "owner", "hidden", "taxonomies"),
        *("side", "importance", "suppressed_records", "suppressed_weight", "manifest", "files"),
    )

    trace: list[dict[str, object]] = Field(default_factory=list)
    owner: str | None = None
    hidden: dict[str, dict[str, object]] = Field(default_factory=dict)
    taxonomies: dict[str, dict[str, object]] = Field(default_factory=dict)
    side: dict[str, str] = Field(default_factory=dict)
    importance: dict[str, float] = Field(description="say how much every column weighs")
    suppressed_records: int = Field(ge=0, description="say how many records were left out")
    suppressed_weight: float = Field(ge=0, description="say how much they weigh")
