"""Tasks that make releases: a method is run, and what came out is kept as a bundle."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import asdict

from unlinkable.release.plan import changed
from unlinkable.studio.contracts import AttributeOutcome, Document, Outcome, SizeBand
from unlinkable.studio.files import write_json, write_text
from unlinkable.studio.project import now
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.charts import shares_of
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base import Search
from unlinkable.tables.metrics.base import Bucketized, Generalized, Perturbed
from unlinkable.tables.publishing.anonymizing import anonymize as find_release
from unlinkable.tables.publishing.plans import Plan
from unlinkable.tables.publishing.releases import GeneralizedRelease, Release, release_document
from unlinkable.tables.risk import exposure
from unlinkable.tables.taxonomies import write_ranges
from unlinkable.typing import CountArray, Progress

__all__ = ["anonymize"]

_BANDS = (1, 2, 3, 4, 5, 10, 20, 50, 100, 1000)
"""Where bands of group sizes begin."""

_FEW = 12
"""How many published values of an attribute are shown."""


def anonymize(
    session: Session,
    tell: Progress,
    plan: Document,
    granted: Sequence[str],
    run: int,
    method: str | None,
    levels: Sequence[int] | None,
    title: str | None,
) -> Outcome:
    """Find a release, save it as a bundle, and say all that pages show of it."""
    folder = session.folder / "runs" / f"{run:03d}"
    made = session.plan(plan, granted)
    if levels is not None:
        method = f"optimal(levels={[int(level) for level in levels]})"
    if method is not None:
        made = changed(made, method=method)
    tell(0.02, "reading the table")
    table, chosen = session.table(made), made.method()
    release = find_release(
        table,
        privacy=made.models(),
        method=chosen,
        # A metric that guides searches can say nothing of values that were replaced.
        metric=made.metric() if isinstance(chosen, Search) else None,
        suppression=made.suppression,
        identifiers=made.identifiers(),
        key=made.key(),
        seed=made.form.release.seed,
        progress=lambda share, words: tell(0.05 + 0.65 * share, words),
        side=made.side(),
    )
    tell(0.7, "writing and verifying the bundle")
    release.save(
        folder / "bundle",
        format=made.form.release.format,
        signing_key=made.signing_key(),
        plan=made,
        overwrite=True,
    )
    tell(0.9, "measuring")
    outcome = _outcome(run, title, made, release, folder)
    write_text(folder / "plan.toml", made.to_toml())
    write_json(folder / "outcome.json", outcome)
    return outcome


def _outcome(run: int, title: str | None, plan: Plan, release: Release, folder: Path) -> Outcome:
    published = release.n_records + release.n_suppressed
    document: dict[str, Any] = release_document(release, folder / "bundle")
    document["bundle"] = f"runs/{run:03d}/bundle"
    is_generalized = isinstance(release, GeneralizedRelease)
    exposed = release.exposure()
    return {
        "run": run,
        "title": title or str(release.method),
        "created": now(),
        "release": _finite(document),
        "kind": _kind(release),
        "plan": plan.to_dict(),
        "metric": None if release.metric is None else str(release.metric),
        "loss": None if release.metric is None else _number(release.measure()),
        "suppression": release.n_suppressed / published if published else 0.0,
        "attributes": _attributes(release) if isinstance(release, GeneralizedRelease) else [],
        "sizes": bands(release.finding.sizes),
        "exposure": None if exposed is None else asdict(exposed),
        "exposure_before": _before(release.table) if is_generalized else None,
    }


def _kind(release: Release) -> str:
    published = release.published()
    for kind in (Generalized, Bucketized, Perturbed):
        if isinstance(published, kind):
            return kind.kind
    return "other"


def _before(table: Table) -> dict[str, float]:
    sensitive = [(name,) for name in table.schema.sensitive]
    return asdict(exposure(count(table, sensitive).finest, sensitive))


def _attributes(release: GeneralizedRelease) -> list[AttributeOutcome]:
    losses, shown = release.loss_by_attribute(), release.shown
    published = release.published()
    found: list[AttributeOutcome] = []
    for j, attribute in enumerate(release.task.attributes):
        taxonomy, name = attribute.taxonomy, attribute.name
        spans = np.column_stack([shown.lo[:, j], shown.hi[:, j]])
        distinct, inverse = np.unique(spans, axis=0, return_inverse=True)
        counts = np.bincount(inverse.ravel(), weights=shown.sizes, minlength=len(distinct))
        most = np.argsort(-counts, kind="stable")[:_FEW]
        texts: Iterable[str | None] = ()
        if len(most):
            texts = write_ranges(taxonomy, distinct[most, 0], distinct[most, 1])
        shares = shares_of(published, name)
        found.append(
            {
                "name": name,
                "loss": _number(losses[name]),
                "level": None if release.node is None else int(release.node[name]),
                "height": taxonomy.height,
                "distinct_before": int((shown.before[j] > 0).sum()),
                "distinct_after": len(distinct),
                "before": list(zip(shares.labels, shares.before.tolist(), strict=True)),
                "after": list(zip(shares.labels, shares.after.tolist(), strict=True)),
                "examples": [
                    ("(missing)" if text is None else str(text), int(counts[i]))
                    for text, i in zip(texts, most.tolist(), strict=True)
                ],
            }
        )
    return found


def bands(sizes: CountArray) -> list[SizeBand]:
    """Count groups and records by the size of groups."""
    ends = [*(low - 1 for low in _BANDS[1:]), int(sizes.max(initial=_BANDS[-1]))]
    told: list[SizeBand] = []
    for low, high in zip(_BANDS, ends, strict=True):
        inside = sizes[(sizes >= low) & (sizes <= high)]
        if inside.size:
            told.append(
                {"low": low, "high": high, "groups": inside.size, "records": int(inside.sum())}
            )
    return told


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _finite(value: Any) -> Any:
    """Take numbers that are not finite for nothing, however deep they stand."""
    match value:
        case float():
            return _number(value)
        case dict():
            return {key: _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case np.generic():
            return _finite(value.item())
        case _:
            return value
