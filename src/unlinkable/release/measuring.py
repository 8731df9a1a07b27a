"""Measuring what a release on disk has lost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from unlinkable.registry import make
from unlinkable.release.bundle.opened import open_bundle
from unlinkable.release.measurement import Measurement
from unlinkable.typing import Progress

__all__ = ["measure_bundle"]


def measure_bundle(
    folder: Path,
    metrics: Sequence[str],
    original: Path | None = None,
    progress: Progress | None = None,
) -> dict[str, Measurement]:
    """Measure a bundle, from its private half or as its manifest says.

    Without metrics, those are measured that are usual for such a release.
    """
    bundle = open_bundle(folder)
    written = [str(make("metric", text)) for text in metrics or bundle.usual_metrics()]
    return {name: bundle.evaluate(name, original, progress) for name in written}
