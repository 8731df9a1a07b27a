"""Bundle: a release on disk, opened."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from attrs import define, evolve

from unlinkable.errors import BundleError
from unlinkable.registry import make
from unlinkable.release.bundle import halves
from unlinkable.tables.data import Frame
from unlinkable.tables.metrics.base import (
    Generalized,
    GroupMetric,
    Measurement,
    Metric,
    Published,
    Shown,
)
from unlinkable.tables.publishing.anonymizing.written import as_metric
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest
from unlinkable.tables.publishing.bundles.manifest_file import read_manifest
from unlinkable.tables.publishing.bundles.private_half import PrivateHalf, open_private
from unlinkable.tables.publishing.bundles.provenance import Provenance
from unlinkable.tables.publishing.judging.evidence import Evidence
from unlinkable.tables.publishing.judging.published_tables import read_tables
from unlinkable.tables.publishing.judging.stated import listed, stated_loss
from unlinkable.typing import CountArray, Progress

if TYPE_CHECKING:
    from unlinkable.release.plan import Statement
    from unlinkable.report import Report
    from unlinkable.tables.charts import Chart

__all__ = ["Bundle", "open_bundle"]


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
        return self._tables[0]

    @cached_property
    def hidden(self) -> Frame | None:
        """What whole buckets of records hide, if it is published so."""
        return self._tables[1] if len(self._tables) > 1 else None

    @cached_property
    def _tables(self) -> list[Frame]:
        return read_tables(self.public, self.manifest)

    def for_recipients(self) -> Self:
        """Give the bundle without its private half. What was read of the public one stays read."""
        if self.private is None:
            return self
        alone = evolve(self, private=None)
        vars(alone).update(frame=self.frame, hidden=self.hidden)
        return alone

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
                f"were before: the manifest has {listed(self.manifest)}"
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
        return self.evaluate(as_metric(metric), original).value

    def evaluate(
        self,
        metric: Metric,
        original: str | Path | None = None,
        progress: Progress | None = None,
    ) -> Measurement:
        """Measure what was lost, with the numbers that the result is made of.

        ``original`` is the file of the original records, where a metric needs them; if it is not
        given, they are looked for where they were.

        Raises
        ------
        BundleError
            As `measure` does.
        """
        if self.private is None:
            return Measurement(stated_loss(self, metric))
        if isinstance(metric, GroupMetric) and metric.boxes_suffice and self.is_generalized:
            return metric.measure_groups(self.shown())
        return metric.measure(self.published(metric, original), progress)

    def published(
        self, metric: Metric | None = None, original: str | Path | None = None
    ) -> Published:
        """Give the published records beside the original ones, with what a metric needs counted.

        Raises
        ------
        BundleError
            If there is no private half, or the original records are not where they were.
        """
        from unlinkable.tables.publishing.bundles.reopened import reopened

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
        from unlinkable.tables.charts import draw_before_after
        from unlinkable.tables.metrics import ILoss
        from unlinkable.tables.publishing.releases.drawing import BEFORE_AFTER, charts_of

        published = self.published(None, original)
        if not isinstance(published, Generalized):
            return {BEFORE_AFTER: draw_before_after(published)}
        models = [make("model", promise.model) for promise in self.manifest.models]
        return charts_of(self.shown(), models, ILoss(), published)

    def report(
        self,
        *,
        holder: bool = False,
        original: str | Path | None = None,
        statement: Statement | None = None,
        attacks: bool = False,
        explain: bool = False,
    ) -> Report:
        """Explain the release on a page, for recipients or for its holder.

        Parameters
        ----------
        original
            Where the original records are now, for the holder.
        holder, statement, attacks, explain
            As in `Release.report`; a statement changes what the page says of whom it is for.

        Raises
        ------
        BundleError
            If the report for the holder is asked for and there is no private half, or ``original``
            is not what the release was made from.
        ParameterError
            If something is asked for that recipients must not see.
        """
        from unlinkable.tables.publishing.reported.reports import report_of_bundle

        return report_of_bundle(
            self,
            holder=holder,
            original=original,
            statement=statement,
            attacks=attacks,
            explain=explain,
        )

    @cached_property
    def sizes(self) -> CountArray:
        """The sizes of the groups of equal published records."""
        quasi = [c.name for c in self.manifest.columns if c.role == "quasi-identifier"]
        return Evidence(self.frame, tuple(quasi), {}).groups(frozenset()).sizes

    @cached_property
    def _shown(self) -> Shown:
        assert self.private is not None
        return self.private.shown()


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
