"""Bundle: a release on disk, opened."""

from __future__ import annotations

import abc
from pathlib import Path
from typing import TYPE_CHECKING, Self

from attrs import define, evolve

from unlinkable.errors import UnsupportedError
from unlinkable.release.bundle.bundle_files import halves
from unlinkable.release.bundle.manifest import Manifest
from unlinkable.release.bundle.manifest_file import read_manifest
from unlinkable.release.bundle.private_half import PrivateHalf
from unlinkable.release.bundle.provenance import Provenance
from unlinkable.release.kind import kind_called
from unlinkable.typing import Progress

if TYPE_CHECKING:
    from unlinkable.release.attacks.attack import Attackable
    from unlinkable.release.explanation import Explanation
    from unlinkable.release.measurement import Measurement
    from unlinkable.release.plan.statement import Statement
    from unlinkable.release.report.view import ReportView
    from unlinkable.report import Report

__all__ = ["Bundle", "open_bundle"]


@define(eq=False, frozen=True, slots=False)
class Bundle(abc.ABC):
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

    @property
    def provenance(self) -> Provenance | None:
        """Where the release came from; None without the private half."""
        return None if self.private is None else self.private.provenance

    @abc.abstractmethod
    def evaluate(
        self,
        metric: str,
        original: str | Path | None = None,
        progress: Progress | None = None,
    ) -> Measurement:
        """Measure what was lost, with the numbers that the result is made of.

        ``original`` is the file of the original data, where a metric needs them; if it is not
        given, they are looked for where they were.

        Raises
        ------
        BundleError
            If a half is missing that the metric needs, or the original data are not there.
        """

    @abc.abstractmethod
    def usual_metrics(self) -> tuple[str, ...]:
        """Name the metrics that are measured where none is named.

        Raises
        ------
        ParameterError
            If there are none for such a release.
        """

    @abc.abstractmethod
    def attackable(self, original: Path | None = None) -> Attackable:
        """Take the release as adversaries do, with all that the private half adds.

        Raises
        ------
        BundleError
            If ``original`` is not what the release was made from.
        UnsupportedError
            If there is nothing to attack.
        """

    def for_recipients(self) -> Self:
        """Give the bundle without its private half."""
        return evolve(self, private=None)

    def view(self, statement: Statement | None = None) -> ReportView:
        """Take the public half as a report sees it; nothing in it follows from the private one.

        A statement says for whom the release is, if that is not as the bundle says.
        """
        from unlinkable.release.report.view import ReportView

        return ReportView(self.for_recipients(), statement)

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
        """Explain the release on a page, for recipients or for its holder.

        Parameters
        ----------
        original
            Where the original data are now, for the holder.
        holder, statement, attacks, explain, progress
            As in `Release.report`; a statement changes what the page says of whom it is for.

        Raises
        ------
        BundleError
            If the report for the holder is asked for and there is no private half, or ``original``
            is not what the release was made from.
        ParameterError
            If something is asked for that recipients must not see.
        """
        from unlinkable.release.report.standard import standard_report

        return standard_report(
            self,
            self.view(statement),
            holder=holder,
            original=original,
            attacks=attacks,
            explain=explain,
            progress=progress,
        )

    def explain(self, original: str | None = None, progress: Progress | None = None) -> Explanation:
        """Say what cost the most, and what would help.

        Raises
        ------
        UnsupportedError
            If that is not known of such releases.
        """
        raise UnsupportedError(
            f"a release of {self.manifest.data_kind} made by {self.manifest.method} cannot be "
            "explained"
        )


def open_bundle(folder: str | Path) -> Bundle:
    """Open a bundle, or its public half alone.

    Raises
    ------
    BundleError
        If it is none, is damaged, or comes from a later version.
    """
    public, private = halves(Path(folder))
    manifest = read_manifest(public)
    kind = kind_called(manifest.data_kind)
    half = None if private is None else kind.private_half.open(private)
    return kind.open(Path(folder), public, manifest, half)
