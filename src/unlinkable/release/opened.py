"""Bundle: a release on disk, opened."""

from __future__ import annotations

import math
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define

from unlinkable.errors import BundleError
from unlinkable.release.evidence import Evidence
from unlinkable.release.manifest import MANIFEST, Manifest, MaskedManifest, read_manifest
from unlinkable.release.private_half import PrivateHalf, Provenance, open_private
from unlinkable.release.registry import make
from unlinkable.table.recoded import Frame
from unlinkable.table.told import read_told
from unlinkable.typing import CountArray, Progress
from unlinkable.utility.base import (
    Generalized,
    GroupMetric,
    Measured,
    Metric,
    Published,
    Shown,
    SizeMetric,
)

if TYPE_CHECKING:
    from unlinkable.utility.charts import Chart

__all__ = [
    "PRIVATE",
    "PUBLIC",
    "Bundle",
    "data_files",
    "halves",
    "is_close",
    "n_suppressed",
    "open_bundle",
]

PUBLIC, PRIVATE = "public", "private"
"""What the two halves are called."""

_CLOSE = 1e-9
"""Figures this close, relative to their size, are the same: sums may be taken in another order."""


@define(eq=False, frozen=True, slots=False)
class Bundle:
    """A release on disk. Opening it does not verify it.

    Attributes
    ----------
    folder
        The bundle, or its public half if that is all there is.
    public
        The public half.
    manifest
        What recipients are told.
    private
        The private half, if it is there.
    """

    folder: Path
    public: Path
    manifest: Manifest
    private: PrivateHalf | None

    @cached_property
    def frame(self) -> Frame:
        """The published records, as they stand in the file: texts, if it is CSV."""
        return read_told(data_files(self.public, self.manifest)[0])

    @cached_property
    def hidden(self) -> Frame | None:
        """What whole buckets of records hide, if it is published so."""
        tables = data_files(self.public, self.manifest)
        return read_told(tables[1]) if len(tables) > 1 else None

    @property
    def is_generalized(self) -> bool:
        """Whether values were generalized, and not separated from people or replaced."""
        return not isinstance(self.manifest, MaskedManifest)

    @property
    def provenance(self) -> Provenance | None:
        """Where the release came from; None without the private half."""
        return None if self.private is None else self.private.provenance

    def shown(self) -> Shown:
        """Give what the release shows of its records, so that any metric can be measured.

        Raises
        ------
        BundleError
            Without the private half: how many values there were is not published.
        """
        if self.private is None:
            raise BundleError(
                f"{self.folder} has no private half, and only that tells how many values there "
                f"were before: the manifest has {_listed(self.manifest)}"
            )
        if not self.is_generalized:
            raise BundleError(f"{self.folder} is not generalized: its records form no groups")
        return self._shown

    def measure(self, metric: str | Metric, original: str | Path | None = None) -> float:
        """Measure what was lost.

        Without the private half, figures that depend on the sizes of groups alone are counted from
        the published records, and others are those of the manifest.

        Raises
        ------
        BundleError
            If there is no private half and the manifest does not have this metric, or the
            published records contradict it; or if the metric needs the original records, and they
            are not where they were.
        """
        chosen = make("metric", metric) if isinstance(metric, str) else metric
        return self.evaluate(chosen, original).value

    def evaluate(
        self,
        metric: Metric,
        original: str | Path | None = None,
        progress: Progress | None = None,
    ) -> Measured:
        """Measure what was lost, with the numbers that the result is made of.

        ``original`` is the file of the original records, where a metric needs them; if it is not
        given, they are looked for where they were.

        Raises
        ------
        BundleError
            As `measure` does.
        """
        if self.private is None:
            return Measured(self._stated(metric))
        if isinstance(metric, GroupMetric) and metric.boxes_suffice and self.is_generalized:
            return metric.measured(self.shown())
        return metric.evaluated(self.published(metric, original), progress)

    def published(
        self, metric: Metric | None = None, original: str | Path | None = None
    ) -> Published:
        """Give the published records beside the original ones, with what a metric needs counted.

        Raises
        ------
        BundleError
            If there is no private half, or the original records are not where they were.
        """
        from unlinkable.release.reopened import reopened

        if self.private is None:
            raise BundleError(
                f"{self.folder} has no private half, and only that tells which record is which"
            )
        return reopened(self, self.private, metric, original)

    def charts(self, original: str | Path | None = None) -> dict[str, Chart]:
        """Draw what `Release.charts` draws.

        Raises
        ------
        BundleError
            If there is no private half, or the original records are not where they were.
        """
        from unlinkable.release.drawing import BEFORE_AFTER, charts_of
        from unlinkable.utility.charts import draw_before_after
        from unlinkable.utility.iloss import ILoss

        published = self.published(None, original)
        if not isinstance(published, Generalized):
            return {BEFORE_AFTER: draw_before_after(published)}
        models = [make("model", promise.model) for promise in self.manifest.models]
        return charts_of(self.shown(), models, ILoss(), published)

    def _stated(self, chosen: Metric) -> float:
        stated = self.manifest.metrics.get(str(chosen))
        if (
            isinstance(chosen, SizeMetric)
            and self.is_generalized
            and (left_out := n_suppressed(self.manifest)) is not None
        ):
            counted = chosen.of_sizes(self._sizes, left_out)
            if str(chosen) in self.manifest.metrics and not is_close(counted, stated):
                raise BundleError(
                    f"{self.folder}: the metric {chosen} is {counted}, and the manifest says "
                    f"{stated}: verify the bundle"
                )
            return counted
        if stated is None:
            raise BundleError(
                f"{self.folder} has no private half, and {chosen} needs to know what there was "
                f"before: the manifest has {_listed(self.manifest)}"
            )
        return float(stated)

    @cached_property
    def _shown(self) -> Shown:
        assert self.private is not None
        return self.private.shown()

    @cached_property
    def _sizes(self) -> CountArray:
        quasi = [c.name for c in self.manifest.columns if c.role == "quasi-identifier"]
        return Evidence(self.frame, tuple(quasi), {}).groups(frozenset()).sizes


def open_bundle(folder: str | Path) -> Bundle:
    """Open a bundle, or its public half alone.

    Raises
    ------
    BundleError
        If it is none, is damaged, or comes from a later version.
    """
    public, private = halves(Path(folder))
    half = None if private is None else open_private(private)
    return Bundle(Path(folder), public, read_manifest(public), half)


def halves(folder: Path) -> tuple[Path, Path | None]:
    """Find the public half and, if it is there, the private one.

    Raises
    ------
    BundleError
        If there is no public half.
    """
    if not folder.is_dir():
        raise BundleError(f"no folder {folder}: name a bundle, or its public half")
    if (folder / PUBLIC).is_dir():
        private = folder / PRIVATE
        return folder / PUBLIC, private if private.is_dir() else None
    if not (folder / MANIFEST).is_file():
        raise BundleError(
            f"{folder} is no bundle: it has neither a folder {PUBLIC!r} nor a file {MANIFEST!r}"
        )
    return folder, None


def data_files(public: Path, manifest: Manifest) -> list[Path]:
    """Find the published records, and what whole buckets of them hide if that is published.

    Raises
    ------
    BundleError
        If the manifest does not list as many tables, in a known format.
    """
    is_bucketized = isinstance(manifest, MaskedManifest) and manifest.buckets is not None
    tables = [file.name for file in manifest.files if file.rows is not None]
    known = all(name.endswith((".csv", ".parquet")) for name in tables)
    if len(tables) != (2 if is_bucketized else 1) or not known:
        wanted = "two tables" if is_bucketized else "one table"
        raise BundleError(
            f"{public / MANIFEST} must list {wanted}, as CSV or Parquet, and lists {tables}"
        )
    return [public / name for name in tables]


def n_suppressed(manifest: Manifest) -> int | None:
    """Tell how many records were left out; None if none is left to tell it from."""
    share = manifest.suppressed
    return round(manifest.records * share / (1 - share)) if share < 1 else None


def _listed(manifest: Manifest) -> str:
    return ", ".join(manifest.metrics) or "none"


def is_close(found: float | None, stated: float | None) -> bool:
    """Whether a figure is the one that was stated. What is infinite is not stated."""
    if found is None or stated is None or not math.isfinite(found):
        return stated is None and (found is None or not math.isfinite(found))
    return math.isclose(found, stated, rel_tol=_CLOSE, abs_tol=_CLOSE)
