"""Tasks that make releases: a method is run, and its release is saved and published."""

from __future__ import annotations

import math
import secrets
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import asdict

from unlinkable.errors import BundleError
from unlinkable.release.bundle import check_place
from unlinkable.studio.contracts import (
    AttributeOutcome,
    Document,
    Outcome,
    Published,
    SizeBand,
)
from unlinkable.studio.errors import NotFoundError
from unlinkable.studio.files import private_folder, write_json, write_text
from unlinkable.studio.project import now
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.charts import shares_of
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.methods.base import Search
from unlinkable.tables.metrics.base import Bucketized, Generalized, Perturbed
from unlinkable.tables.publishing.anonymizing import anonymize as find_release
from unlinkable.tables.publishing.anonymizing import changed
from unlinkable.tables.publishing.bundles import Bundle, open_bundle, save
from unlinkable.tables.publishing.judging import verify
from unlinkable.tables.publishing.plans import Plan
from unlinkable.tables.publishing.releases import (
    GeneralizedRelease,
    Release,
    release_document,
)
from unlinkable.tables.risk import exposure
from unlinkable.tables.series import History, publish_planned
from unlinkable.tables.taxonomies import write_ranges
from unlinkable.typing import CountArray, Progress

__all__ = [
    "anonymize",
    "bands",
    "bundle_folder",
    "bundle_of",
    "finite",
    "history",
    "publish",
    "publish_next",
]

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
    save(
        release,
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
        "release": finite(document),
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


def finite(value: Any) -> Any:
    """Replace numbers that are not finite by None, however deep they are nested."""
    match value:
        case float():
            return _number(value)
        case dict():
            return {key: finite(item) for key, item in value.items()}
        case list() | tuple():
            return [finite(item) for item in value]
        case np.generic():
            return finite(value.item())
        case _:
            return value


def bundle_of(session: Session, run: int) -> Bundle:
    """Open the bundle of a run.

    Raises
    ------
    NotFoundError
        If there is no such run.
    """
    folder = bundle_folder(session, run)
    if not folder.is_dir():
        raise NotFoundError(f"there is no run {run} in this project")
    return open_bundle(folder)


def bundle_folder(session: Session, run: int) -> Path:
    """Give the folder of the bundle of a run."""
    return session.folder / "runs" / f"{run:03d}" / "bundle"


def publish(
    session: Session, tell: Progress, plan: Document, granted: Sequence[str], run: int, name: str
) -> Published:
    """Publish a run: its bundle as it is, verified once more from its files.

    What was explored is what is published, byte by byte, also where chance was at work.
    """
    source = bundle_of(session, run).folder
    target = private_folder(session.folder / "bundles") / name
    check_place(target, overwrite=False)
    part = target.parent / f".{name}.{secrets.token_hex(4)}.part"
    try:
        tell(0.1, "copying the bundle")
        shutil.copytree(source, part)
        tell(0.4, "verifying what was written")
        found = verify(part)
        if not found.holds:
            said = "; ".join(found.problems)
            raise BundleError(f"nothing was published, because the bundle does not hold: {said}")
        check_place(target, overwrite=False)
        part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    document = {**found.to_json(), "bundle": f"bundles/{name}"}
    return {"name": name, "run": run, "verified": True, "document": document}


def publish_next(
    session: Session,
    tell: Progress,
    plan: Document,
    granted: Sequence[str],
    recipient: str | None,
    dry_run: bool,
) -> Published:
    """Publish the plan as the next release of the project's series."""
    made = session.plan(plan, granted)
    home = private_folder(session.folder / "bundles") / "history"
    series = History(str(session.folder / "history.db"))
    found = publish_planned(
        series,
        made,
        session.table(made),
        recipient=recipient,
        out=home,
        dry_run=dry_run,
        progress=tell,
    )
    name = "" if found.folder is None else f"history/{found.folder.name}"
    document = {**found.to_json(), "bundle": f"bundles/{name}" if name else None}
    return {"name": name, "run": None, "verified": found.release.holds, "document": document}


def history(
    session: Session, tell: Progress, plan: Document | None, granted: Sequence[str]
) -> list[Document]:
    """List the releases of the project's series, as ``history --json`` does."""
    file = session.folder / "history.db"
    if not file.is_file():
        return []
    home = session.folder
    told = [line.to_json() for line in History(str(file)).releases()]
    for line in told:
        folder = str(line["bundle"] or "")
        line["bundle"] = folder.removeprefix(f"{home.resolve()}/") or None
    return told
