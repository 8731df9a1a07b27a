"""Bundle: a release on disk, opened."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from attrs import define

from unlinkable.errors import BundleError
from unlinkable.release.manifest import MANIFEST, Manifest, read_manifest
from unlinkable.release.private_half import PrivateHalf, Provenance, open_private
from unlinkable.release.registry import make
from unlinkable.table.recoded import Frame
from unlinkable.table.told import read_told
from unlinkable.utility.base import Metric, Shown

__all__ = ["PRIVATE", "PUBLIC", "Bundle", "data_file", "halves", "open_bundle"]

PUBLIC, PRIVATE = "public", "private"
"""What the two halves are called."""


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
        return read_told(data_file(self.public, self.manifest))

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
                f"were before: the manifest has {', '.join(self.manifest.metrics)}"
            )
        return self.private.shown()

    def measure(self, metric: str | Metric) -> float:
        """Measure what was lost; without the private half, as the manifest says.

        Raises
        ------
        BundleError
            If there is no private half and the manifest does not have this metric.
        """
        chosen = make("metric", metric) if isinstance(metric, str) else metric
        stated = self.manifest.metrics.get(str(chosen))
        if self.private is None and stated is not None:
            return float(stated)
        return chosen.measure(self.shown())


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


def data_file(public: Path, manifest: Manifest) -> Path:
    """Find the published records.

    Raises
    ------
    BundleError
        If the manifest does not list exactly one table in a known format.
    """
    tables = [file.name for file in manifest.files if file.rows is not None]
    if len(tables) != 1 or not tables[0].endswith((".csv", ".parquet")):
        raise BundleError(
            f"{public / MANIFEST} must list one table, as CSV or Parquet, and lists {tables}"
        )
    return public / tables[0]
