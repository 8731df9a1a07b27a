"""Planned releases: what a plan says of the next release of a series, carried out."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from unlinkable.tables.data import Table
from unlinkable.tables.publishing.plans import Plan
from unlinkable.tables.series.history import History, Publication
from unlinkable.tables.series.policy import Policy
from unlinkable.typing import Progress

__all__ = ["publish_planned"]


def publish_planned(
    history: History,
    plan: Plan,
    table: Table,
    *,
    recipient: str | None = None,
    out: Path | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Publication:
    """Publish the next release of a series as a plan says.

    Parameters
    ----------
    history
        What was published before.
    plan, table
        How to publish, and the records.
    recipient, out, dry_run, progress
        As of `History.publish`.

    Raises
    ------
    UnlinkableError
        As `History.publish`.
    """
    return history.publish(
        table,
        policy=cast("Policy | None", plan.policy()),
        privacy=plan.promises(),
        method=plan.asked_method(),
        person=plan.form.series.person,
        recipient=recipient,
        metric=plan.metric(),
        suppression=plan.suppression,
        identifiers=plan.identifiers(),
        key=plan.key(),
        seed=plan.form.release.seed,
        side=plan.side(),
        progress=progress,
        out=out,
        format=plan.form.release.format,
        signing_key=plan.signing_key(),
        plan=plan,
        dry_run=dry_run,
    )
