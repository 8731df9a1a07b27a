"""Whether what recipients are told beside the manifest is as the files say."""

from __future__ import annotations

from pathlib import Path

from unlinkable.errors import BundleError, UnlinkableError
from unlinkable.release.bundle import ABOUT, read_about
from unlinkable.tables.metrics.base import Metric
from unlinkable.tables.publishing.bundles.about import About
from unlinkable.tables.publishing.bundles.manifest import Manifest
from unlinkable.tables.publishing.bundles.private_half import PrivateHalf
from unlinkable.tables.publishing.judging.stated import is_close
from unlinkable.tables.publishing.releases.drawing import loss_by_attribute

__all__ = ["wrong_about"]


def wrong_about(public: Path, manifest: Manifest, half: PrivateHalf | None) -> list[str]:
    """Say where ``about.json`` is damaged or, with the private half, tells another loss.

    Figures about the original records are as the holder counted them, and are not repeated.
    """
    try:
        about = read_about(About, public, manifest)
    except BundleError as error:
        return [str(error)]
    problems = [
        f"{ABOUT} has not as many shares of {one.column!r} as values"
        for one in about.distributions
        if not len(one.labels) == len(one.before) == len(one.after)
    ]
    if about.loss is None or half is None or not half.tells_groups:
        return problems
    try:
        found, _ = loss_by_attribute(half.public_shown(), Metric.read(about.loss.metric))
    except UnlinkableError:
        return problems  # A metric that is not known here.
    told = about.loss.columns
    if found.keys() != told.keys():
        return [*problems, f"{ABOUT} tells what {', '.join(told)} lost, and not all columns"]
    wrong = [name for name in told if not is_close(min(max(found[name], 0), 1), told[name])]
    return problems + [
        f"the column {name} lost {found[name]}, and {ABOUT} says {told[name]}" for name in wrong
    ]
