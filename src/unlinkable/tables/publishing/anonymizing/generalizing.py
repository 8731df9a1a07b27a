"""From a table to a release whose values are generalized."""

from __future__ import annotations

import secrets
import time

import numpy as np
from attrs import evolve

from unlinkable.errors import DataError
from unlinkable.noise import secure_generator
from unlinkable.tables.data import PublicDomains, Table, with_populations
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.groups import POPULATION_PREFIX
from unlinkable.tables.methods.base import Search, Solution, Task
from unlinkable.tables.metrics.base import GroupMetric
from unlinkable.tables.models.base import All
from unlinkable.tables.publishing.anonymizing.apply import Applied, apply, public_domains
from unlinkable.tables.publishing.anonymizing.job import Job, broken, refuse
from unlinkable.tables.publishing.anonymizing.stopping import stopping_gently
from unlinkable.tables.publishing.anonymizing.truthfulness import flaws, misfits, untruths
from unlinkable.tables.publishing.judging.evidence import Evidence
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.taxonomies import ANY, Attribute, Kind

__all__ = ["generalize"]


def generalize(job: Job, method: Search, guide: GroupMetric) -> GeneralizedRelease:
    """Search for groups, show them, and judge what is shown.

    Raises
    ------
    InfeasibleError
        If no release of this table keeps the promises.
    """
    models = job.models
    table, crowds = _among(job)
    seed = secrets.randbits(63) if job.seed is None else job.seed
    task = _task(job, table, guide, seed)
    _refuse_reserved_texts(table)
    needs = {*All(models).needs(), *guide.needs(table.schema), *method.needs(table.schema)}
    counted = count(table, needs, crowds)
    everything = All(models).prepared(counted.finest)
    found = time.perf_counter()
    with stopping_gently(task.progress, if_=method.stoppable) as is_stopped:
        asked_for = evolve(task, is_stopped=is_stopped)
        solution = method.search(counted.finest, everything, asked_for)
    searched = time.perf_counter()
    refuse(method, flaws(solution, counted.finest, task))
    refuse(method, misfits(method, solution, task))
    solution = evolve(solution, partition=solution.partition.inhabited())
    domains = public_domains(table, counted, solution, list(crowds.values()))
    applied = _applied(job, table, counted, solution, domains)
    told = [Attribute(name, table.taxonomy(name)) for name in solution.cells]
    refuse(method, untruths(table, applied, domains.attributes([*task.attributes, *told])))
    finding = Evidence.of(table, applied, models, domains, crowds).judge(models)
    refuse(method, broken(finding))
    return GeneralizedRelease(
        table=table,
        crowds=crowds,
        side=job.side,
        counted=counted,
        applied=applied,
        domains=domains,
        models=models,
        finding=finding,
        method=method,
        metric=guide,
        task=task,
        solution=solution,
        identifiers=job.identifiers,
        seed=seed,
        seconds={
            "count": found - job.started,
            "search": searched - found,
            "apply and verify": time.perf_counter() - searched,
        },
    )


def _among(job: Job) -> tuple[Table, dict[str, Table]]:
    """Take the table together with the populations that promises refer to."""
    counted = {name for names in All(job.models).needs() for name in names}
    people = sorted(
        n.removeprefix(POPULATION_PREFIX) for n in counted if n.startswith(POPULATION_PREFIX)
    )
    return with_populations(job.table, {name: job.side.open(name) for name in people})


def _task(job: Job, table: Table, guide: GroupMetric, seed: int) -> Task:
    task = Task(table.attributes, guide, job.suppression, np.random.default_rng(seed))
    return task if job.progress is None else evolve(task, progress=job.progress)


def _applied(
    job: Job, table: Table, counted: Counted, solution: Solution, domains: PublicDomains
) -> Applied:
    """Write the records as they are published, in another order if that is asked for."""
    applied = apply(table, counted, solution, table.attributes, domains, job.identifiers, job.key)
    return applied.mixed(secure_generator()) if job.is_shuffled else applied


def _refuse_reserved_texts(table: Table) -> None:
    for name in table.schema.quasi:
        domain = table.numbered(name).observed.domain
        if domain.kind is Kind.CATEGORY and ANY in domain.values.tolist():
            raise DataError(
                f"column {name!r} holds the text {ANY!r}, which a release uses for values that are "
                "left out: rename it, or make it missing"
            )
