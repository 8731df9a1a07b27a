"""Bundle: a release of a table on disk, opened."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from attrs import define, evolve

from unlinkable.errors import BundleError
from unlinkable.release import Measurement
from unlinkable.release.bundle import Bundle as AnyBundle
from unlinkable.release.bundle import open_bundle as open_any
from unlinkable.tables.data import Frame
from unlinkable.tables.metrics import DEFAULT_METRICS
from unlinkable.tables.metrics.base import (
    Bucketized,
    Generalized,
    GroupMetric,
    Metric,
    Perturbed,
    Published,
    Shown,
)
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.anonymizing.written import as_metric
from unlinkable.tables.publishing.bundles.manifest import Manifest, MaskedManifest
from unlinkable.tables.publishing.bundles.private_half import PrivateHalf
from unlinkable.tables.publishing.bundles.provenance import Provenance
from unlinkable.tables.publishing.judging.evidence import Evidence
from unlinkable.tables.publishing.judging.published_tables import read_tables
from unlinkable.tables.publishing.judging.stated import listed, stated_loss
from unlinkable.typing import CountArray, Progress

if TYPE_CHECKING:
    from unlinkable.release.plan import Statement
    from unlinkable.report import Report
    from unlinkable.tables.charts import Chart
    from unlinkable.tables.publishing.attacking.attackable import Attackable
    from unlinkable.tables.publishing.releases.explanation import Explanation
    from unlinkable.tables.publishing.reported.public_view import PublicView
    from unlinkable.tables.taxonomies.builders import TaxonomyBuilder

__all__ = ["Bundle", "open_bundle"]


@define(eq=False, frozen=True, slots=False)
class Bundle(AnyBundle):
    """A release of a table on disk. Opening it does not verify it."""

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
        # What was read of the public half stays read.
        if self.private is None:
            return self
        alone = super().for_recipients()
        vars(alone).update(frame=self.frame, hidden=self.hidden)
        return alone

    @property
    def is_generalized(self) -> bool:
        """Whether values were generalized, and not separated from people or replaced."""
        return not isinstance(self.manifest, MaskedManifest)

    @property
    def provenance(self) -> Provenance | None:
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
        return self.evaluate(metric, original).value

    def evaluate(
        self,
        metric: str | Metric,
        original: str | Path | None = None,
        progress: Progress | None = None,
    ) -> Measurement:
        metric = as_metric(metric)
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
        models = [GroupModel.read(promise.model) for promise in self.manifest.models]
        return charts_of(self.shown(), models, ILoss(), published)

    def usual_metrics(self) -> tuple[str, ...]:
        from unlinkable.tables.publishing.releases.measuring import no_usual_metrics

        if self.is_generalized:
            return tuple(map(str, DEFAULT_METRICS))
        raise no_usual_metrics(Perturbed if self.hidden is None else Bucketized)

    def attackable(
        self,
        original: Path | None = None,
        builders: Mapping[str, TaxonomyBuilder] | None = None,
    ) -> Attackable:
        from unlinkable.tables.publishing.attacking.attackable import Attackable

        return Attackable.of_bundle(self, original, builders)

    @cached_property
    def public_view(self) -> PublicView:
        """The public half as a report sees it: what is worked out of it is worked out once."""
        from unlinkable.tables.publishing.reported.public_view import PublicView

        return PublicView(self.for_recipients(), None)

    def view(self, statement: Statement | None = None) -> PublicView:
        return (
            self.public_view if statement is None else evolve(self.public_view, statement=statement)
        )

    def report(
        self,
        *,
        holder: bool = False,
        original: str | Path | None = None,
        statement: Statement | None = None,
        attacks: bool = False,
        explain: bool = False,
        progress: Progress | None = None,
    ) -> Report:
        from unlinkable.tables.publishing.reported.reports import report_of_bundle

        return report_of_bundle(
            self,
            holder=holder,
            original=original,
            statement=statement,
            attacks=attacks,
            explain=explain,
            progress=progress,
        )

    def explain(self, original: str | None = None, progress: Progress | None = None) -> Explanation:
        from unlinkable.tables.publishing.anonymizing.run import rerun

        return rerun(self, original, progress=progress).explain()

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
    """Open a bundle of a table, or its public half alone.

    Raises
    ------
    BundleError
        If it is none, is damaged, comes from a later version, or is not of a table.
    """
    bundle = open_any(folder)
    if not isinstance(bundle, Bundle):
        raise BundleError(
            f"{folder} is a bundle of {bundle.manifest.data_kind}, and not of a table"
        )
    return bundle
