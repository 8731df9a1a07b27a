"""A release at a glance, for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from unlinkable.errors import MissingExtraError
from unlinkable.tables.publishing.releases.drawing import group_sizes_chart

if TYPE_CHECKING:
    from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
    from unlinkable.tables.publishing.releases.release import Release

__all__ = ["losses_html", "summary_html"]

_BAR = (
    '<svg width="200" height="10" role="img" aria-label="{share:.0%}">'
    '<rect width="200" height="10" fill="#ddd"/>'
    '<rect width="{width:.0f}" height="10" fill="#c33"/></svg>'
)


def summary_html(release: Release, more: str = "") -> str:
    """Write what was promised and reached as HTML, with more of it below.

    Nothing but published figures goes in; all texts are escaped.
    """
    total = release.n_records + release.n_suppressed
    left_out = release.n_suppressed / total if total else 0.0
    promises = "".join(
        f"<tr><td>{escape(str(verdict.model))}</td>"
        f"<td>{'holds' if verdict.holds else '<b>does not hold</b>'}</td>"
        f"<td>{escape(_reached(verdict.achieved))}</td></tr>"
        for verdict in release.finding.verdicts
    )
    measured = "" if release.metric is None else f", {escape(str(release.metric))} "
    measured += "" if release.metric is None else f"{release.measure():.4g}"
    return (
        f"<p><b>{release.n_records:,}</b> of {total:,} records in {release.n_groups:,} groups, "
        f"{left_out:.1%} left out; {escape(str(release.method))}{measured}</p>"
        f"<table><tr><th>promised</th><th>verdict</th><th>reached</th></tr>{promises}</table>"
        f"{more}"
    )


def losses_html(release: GeneralizedRelease) -> str:
    """Write what each column of a generalized release lost, and how large its groups are."""
    losses = "".join(
        f"<tr><td>{escape(name)}</td><td>{loss:.1%}</td>"
        f"<td>{_BAR.format(share=loss, width=200 * min(loss, 1.0))}</td></tr>"
        for name, loss in release.loss_by_attribute().items()
    )
    table = f"<table><tr><th>column</th><th>lost</th><th></th></tr>{losses}</table>"
    return f"{table}{_groups(release)}"


def _groups(release: GeneralizedRelease) -> str:
    """Show how large the groups are, if charts can be drawn here."""
    try:
        chart = group_sizes_chart(release.shown, release.models)._repr_html_()
    except MissingExtraError:
        return ""
    return f"<p>{chart}</p>"


def _reached(achieved: dict[str, float | None]) -> str:
    return ", ".join(f"{k} = {'none' if v is None else f'{v:.4g}'}" for k, v in achieved.items())
