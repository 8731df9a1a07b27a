"""Tables: records in rows, and what is known of people in columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from attrs import evolve

from unlinkable.registry import Entry, look_up
from unlinkable.release import Kind

if TYPE_CHECKING:
    from unlinkable.release.bundle import Manifest as AnyManifest
    from unlinkable.release.bundle import PrivateHalf as AnyPrivateHalf
    from unlinkable.release.plan import Plan as AnyPlan
    from unlinkable.release.verify import Judgement
    from unlinkable.tables.publishing.bundles.manifest import Manifest
    from unlinkable.tables.publishing.bundles.opened import Bundle
    from unlinkable.tables.publishing.bundles.private_half import PrivateHalf
    from unlinkable.tables.publishing.plans.plan import Plan
    from unlinkable.tables.publishing.releases.release import Release
    from unlinkable.typing import Progress

__all__ = ["KIND", "TableKind"]


class TableKind(Kind):
    """Tables: records in rows, and what is known of people in columns."""

    name: ClassVar[str] = "tables"
    summary: ClassVar[str] = "Records in rows, and what is known of people in columns."
    packages: ClassVar[Mapping[str, str]] = {
        "model": "unlinkable.tables.models",
        "metric": "unlinkable.tables.metrics",
        "method": "unlinkable.tables.methods",
        "operation": "unlinkable.tables.operations",
        "attack": "unlinkable.tables.attacks",
        "risk": "unlinkable.tables.risk",
        "policy": "unlinkable.tables.series",
    }

    def stand_in(self, kind: str, name: str) -> Entry | None:
        """Give an operation that replaces values for a method."""
        if kind != "method":
            return None
        from unlinkable.tables.methods import as_method
        from unlinkable.tables.operations.base import Perturbation

        entry = look_up("operation", name)
        if entry is None or not issubclass(entry.make, Perturbation):
            return None
        return evolve(entry, convert=cast("Callable[[object], object]", as_method))

    @property
    def plan(self) -> type[Plan]:
        from unlinkable.tables.publishing.plans.plan import Plan

        return Plan

    @property
    def manifests(self) -> tuple[type[Manifest], ...]:
        from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest

        return Manifest, MaskedManifest

    @property
    def private_half(self) -> type[PrivateHalf]:
        from unlinkable.tables.publishing.bundles.private_half import PrivateHalf

        return PrivateHalf

    def takes(self, data: object) -> bool:
        from unlinkable.tables.data import Table

        return isinstance(data, Table)

    def anonymize(self, data: object, **options: object) -> Release:
        from unlinkable.tables.publishing.anonymizing.anonymize import anonymize

        return anonymize(data, **options)  # type: ignore[call-overload, no-any-return]

    def run(self, plan: AnyPlan, progress: Progress | None = None) -> Release:
        from unlinkable.tables.publishing.anonymizing.run import run

        return run(cast("Plan", plan), progress=progress)

    def open(
        self, folder: Path, public: Path, manifest: AnyManifest, private: AnyPrivateHalf | None
    ) -> Bundle:
        from unlinkable.tables.publishing.bundles.opened import Bundle

        half = cast("PrivateHalf | None", private)
        return Bundle(folder, public, cast("Manifest", manifest), half)

    def judge(
        self, public: Path, manifest: AnyManifest, private: AnyPrivateHalf | None
    ) -> Judgement:
        from unlinkable.tables.publishing.judging.judged_bundle import judge_bundle

        half = cast("PrivateHalf | None", private)
        return judge_bundle(public, cast("Manifest", manifest), half)


KIND = TableKind()
"""Tables, as a kind of data."""
