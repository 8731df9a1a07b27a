"""From a table to a release whose values are separated, replaced or made up."""

from __future__ import annotations

import secrets
import time
from functools import partial

import numpy as np
from attrs import evolve

from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.noise import KEY_BITS, secure_generator
from unlinkable.tables.data import Table, canonical_values, keep_rows, replaced_column
from unlinkable.tables.methods.base import MaskedRecords, RecordMethod, Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import Metric
from unlinkable.tables.models.base import All, BindingContext, GroupModel, NoiseModel
from unlinkable.tables.publishing.anonymizing.apply import Applied
from unlinkable.tables.publishing.anonymizing.job import Job, broken, refuse
from unlinkable.tables.publishing.anonymizing.masked_flaws import masked_flaws
from unlinkable.tables.publishing.anonymizing.stopping import stopping_gently
from unlinkable.tables.publishing.releases.masked import MaskedRelease, evidence_of, published_of

__all__ = ["mask", "require_metric"]


def mask(job: Job, method: RecordMethod, metric: Metric | None) -> MaskedRelease:
    """Make what is to be published, and judge it.

    Raises
    ------
    InfeasibleError
        If the promise cannot be kept.
    UnsupportedError
        If the table is not of a kind that the method can treat.
    """
    table, method = job.table, method.opened(job.side)
    # Whether anybody is in the table at all is among what noise has to hide.
    if not len(table) and All(job.models).budget(1) is None:
        raise InfeasibleError("the table has no records: there is nothing to publish")
    seed = secrets.randbits(KEY_BITS) if job.seed is None else job.seed
    # Nothing is searched for by a metric here; the guide of generalizing searches stands in.
    task = Task(table.attributes, ILoss(), job.suppression, _chance(job, seed))
    if job.progress is not None:
        task = evolve(task, progress=job.progress)
    bound = time.perf_counter()
    with stopping_gently(task.progress, if_=method.stoppable) as is_stopped:
        masked = method.mask(table, All(job.models), evolve(task, is_stopped=is_stopped))
    made = time.perf_counter()
    refuse(method, masked_flaws(table, masked, method, task.may_suppress(len(table))))
    masked = _tellable(_with_identifiers(job, masked))
    masked = _mixed(masked) if job.is_shuffled else masked
    require_metric(metric, table, masked)
    models = _with_ledger(job, masked)
    finding = evidence_of(table, masked, models).judge(models)
    refuse(method, broken(finding))
    return MaskedRelease(
        table=table,
        side=job.side,
        applied=Applied(masked.frame, masked.rows),
        models=models,
        finding=finding,
        method=method,
        metric=metric,
        masked=masked,
        identifiers=job.identifiers,
        seed=seed,
        seconds={
            "read": bound - job.started,
            "search": made - bound,
            "apply and verify": time.perf_counter() - made,
        },
    )


def _chance(job: Job, seed: int) -> np.random.Generator:
    """Give the source of chance: one that nobody can repeat if a promise rests on noise.

    Whoever guessed the seed could take the noise away, and what was promised does not allow for it.
    """
    rests_on_noise = All(job.models).budget(max(len(job.table), 1)) is not None
    return secure_generator(None if rests_on_noise else seed)


def require_metric(metric: Metric | None, table: Table, masked: MaskedRecords) -> None:
    """Refuse a metric that makes no sense for this kind of release, before it is published.

    Raises
    ------
    UnsupportedError
        If it does not.
    """
    if metric is not None and not isinstance(published_of(table, masked), metric.reads):
        metric.measure(published_of(table, masked))


def _with_ledger(job: Job, masked: MaskedRecords) -> tuple[GroupModel, ...]:
    """Open the ledger for promises about noise."""
    context = evolve(
        BindingContext.of(job.table.schema, job.side),
        ledger=masked.ledger,
        n_records=len(job.table),
    )
    return tuple(m for model in job.models for m in model.bind(context))


def _with_identifiers(job: Job, masked: MaskedRecords) -> MaskedRecords:
    """Put pseudonyms and masks of identifiers beside the records that they belong to."""
    if not job.identifiers:
        return masked
    if masked.rows is None or any(isinstance(m, NoiseModel) for m in job.models):
        raise UnsupportedError(
            "no published record is a certain person's, so that there is nobody to give "
            f"pseudonyms to: drop {', '.join(map(repr, job.identifiers))}"
        )
    original, frame = keep_rows(job.table.frame, masked.rows), masked.frame
    for name, how in job.identifiers.items():
        treated = replaced_column(original, name, partial(how.apply, key=job.key))
        if treated is not None:
            frame = frame.with_columns(treated)
    first = [name for name in job.table.frame.columns if name in frame.columns]
    rest = [name for name in frame.columns if name not in first]
    return evolve(masked, frame=frame.select([*first, *rest]))


def _mixed(masked: MaskedRecords) -> MaskedRecords:
    """Put the records in an order that tells nothing of the one they came in."""
    order = secure_generator().permutation(masked.frame.height)
    return evolve(
        masked,
        frame=keep_rows(masked.frame, order),
        rows=None if masked.rows is None else masked.rows[order],
        whose=None if masked.whose is None else masked.whose[order],
    )


def _tellable(masked: MaskedRecords) -> MaskedRecords:
    """Write every value in one way only, so that what is judged is what is read from the files."""
    told = evolve(masked, frame=canonical_values(masked.frame, masked.frame.columns))
    if masked.buckets is None:
        return told
    hidden = canonical_values(masked.buckets.hidden, masked.buckets.hidden.columns)
    return evolve(told, buckets=evolve(masked.buckets, hidden=hidden))
