"""Figures that a manifest states, and whether they are those that are found."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from unlinkable.errors import BundleError
from unlinkable.tables.metrics.base import Metric, SizeMetric
from unlinkable.tables.publishing.bundles.manifest import Manifest

if TYPE_CHECKING:
    from unlinkable.tables.publishing.bundles.opened import Bundle

__all__ = ["is_close", "listed", "stated_loss"]

_CLOSE = 1e-9
"""Figures this close, relative to their size, are the same: sums may be taken in another order."""


def is_close(found: float | None, stated: float | None) -> bool:
    """Whether a figure is the one that was stated. What is infinite is not stated."""
    if found is None or stated is None or not math.isfinite(found):
        return stated is None and (found is None or not math.isfinite(found))
    return math.isclose(found, stated, rel_tol=_CLOSE, abs_tol=_CLOSE)


def listed(manifest: Manifest) -> str:
    """Name the metrics that a manifest states."""
    return ", ".join(manifest.metrics) or "none"


def stated_loss(bundle: Bundle, metric: Metric) -> float:
    """Give a loss as recipients know it: counted from what is published, or else as it is stated.

    Raises
    ------
    BundleError
        If the manifest does not have this metric, or the published records contradict it.
    """
    manifest = bundle.manifest
    stated = manifest.metrics.get(str(metric))
    if (
        isinstance(metric, SizeMetric)
        and bundle.is_generalized
        and (left_out := manifest.n_suppressed) is not None
    ):
        counted = metric.of_sizes(bundle.sizes, left_out)
        if str(metric) in manifest.metrics and not is_close(counted, stated):
            raise BundleError(
                f"{bundle.folder}: the metric {metric} is {counted}, and the manifest says "
                f"{stated}: verify the bundle"
            )
        return counted
    if stated is None:
        raise BundleError(
            f"{bundle.folder} has no private half, and {metric} needs to know what there was "
            f"before: the manifest has {listed(manifest)}"
        )
    return float(stated)
