"""Manifest: what recipients are told of a release of a table.

It is the manifest of all kinds of data, with columns, roles and taxonomies as far as they are
published.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from unlinkable.noise import Ledger
from unlinkable.release.bundle import Figure, NoiseEvents
from unlinkable.release.bundle import Manifest as AnyManifest
from unlinkable.release.plan import Many
from unlinkable.tables.publishing.bundles.manifest_sections import PublishedColumn

__all__ = ["Manifest", "MaskedManifest", "Treatment"]


def _no_events(value: object) -> object:
    if value not in ([], ()):
        raise ValueError("format 1 has no noise: the list must be empty")
    return value


class Manifest(AnyManifest):
    """What recipients are told of a release whose values are generalized: formats 1 and 3.

    Both say the same. From format 3 on the private half has a digest of its own, and is signed if
    the manifest is: nobody can take that back without changing the manifest.

    Attributes
    ----------
    columns
        What is published, with roles, and taxonomies as far as they are published.
    node
        The level of every column if all its values are on the same one.
    noise
        The ledger of noise events: empty, nothing in this format uses noise.
    """

    formats: ClassVar[tuple[int, ...]] = (1, 3)
    written_order: ClassVar[tuple[str, ...]] = (
        *("format", "created", "version", "records", "groups", "suppressed", "columns", "models"),
        *("method", "optimal", "node", "metrics", "noise", "files"),
    )

    format: int = 3
    columns: Many[PublishedColumn] = Field(description="list what is published")
    node: dict[str, int] | None = None
    noise: Annotated[Many[object], BeforeValidator(_no_events)] = ()

    def listed(self) -> dict[str, list[str]]:
        return {"column": [column.name for column in self.columns], **super().listed()}

    @property
    def covers_private(self) -> bool:
        return self.format >= Manifest.formats[-1]

    def summary(self, models: list[dict[str, object]]) -> dict[str, object]:
        return {**super().summary(models), "node": self.node}


Treatment = Literal["bucketized", "perturbed", "generalized", "projected"]
"""What was done to values that were not all generalized alike."""


class MaskedManifest(Manifest):
    """What recipients are told of a release whose records were not all generalized alike.

    Formats 2 and 4, which differ as formats 1 and 3 do.

    Attributes
    ----------
    treatment
        What was done: hidden values are told for whole buckets, values were replaced, they were
        made coarser, but those of newcomers by themselves, or each different row is told once.
    buckets
        The column that tells in which bucket a record is; the second table has it, too.
    counts
        The column that tells for how many people a record stands.
    told
        What else one has to know to make use of the release, such as the scale of noise.
    noise
        The ledger of all noise, for promises about noise.
    """

    formats: ClassVar[tuple[int, ...]] = (2, 4)
    written_order: ClassVar[tuple[str, ...]] = (
        *Manifest.written_order,
        *("treatment", "buckets", "counts", "told"),
    )

    format: int = 4
    treatment: Treatment = Field(description="say what was done")
    buckets: str | None = None
    counts: str | None = None
    told: dict[str, Figure | str] = Field(default_factory=dict)
    noise: NoiseEvents = None  # type: ignore[assignment]

    @property
    def ledger(self) -> Ledger | None:
        """All noise that was spent."""
        return None if self.noise is None else Ledger.from_json(self.noise)
