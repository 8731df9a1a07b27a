"""The main job: from a table to a release that keeps its promises."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping
from fractions import Fraction

import numpy as np
from attrs import evolve

from unlinkable.engines import count
from unlinkable.errors import (
    DataError,
    ParameterError,
    SchemaError,
    UnlinkableError,
    UnsupportedError,
    unknown,
)
from unlinkable.groups.crowd import CROWD
from unlinkable.methods import Optimal
from unlinkable.methods.base import Method, Task
from unlinkable.params import exact
from unlinkable.privacy.base import All, GroupModel, Scene
from unlinkable.recoding import Pseudonymization
from unlinkable.release.apply import apply
from unlinkable.release.evidence import Evidence
from unlinkable.release.registry import make
from unlinkable.release.release import Release
from unlinkable.release.stopping import stopping_gently
from unlinkable.release.truthfulness import flaws, misfits, untruths
from unlinkable.table import ANY, Kind, Role, Table
from unlinkable.table.crowds import among
from unlinkable.table.side import Side
from unlinkable.typing import Progress
from unlinkable.utility import ILoss
from unlinkable.utility.base import GroupMetric, Metric

__all__ = ["BrokenPromiseError", "anonymize", "as_guide"]


class BrokenPromiseError(UnlinkableError):
    """A method proposed a release that does not keep its promise; nothing was published."""


def anonymize(
    table: Table,
    *,
    privacy: GroupModel | Iterable[GroupModel],
    method: Method | None = None,
    metric: Metric | str | None = None,
    suppression: float | str | Fraction = 0,
    identifiers: Mapping[str, Pseudonymization] | None = None,
    key: bytes | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    side: Mapping[str, object] | Side | None = None,
) -> Release:
    """Find the release that loses least among those that keep the promises, and check it.

    Parameters
    ----------
    table
        The records, with the roles of their columns.
    privacy
        What is promised. A model about a sensitive column that names none is meant for all of them.
    method
        How to search; `Optimal` if not given.
    metric
        What is to be kept small, or its written form; `ILoss` if not given.
    suppression
        Share of the records that may be left out.
    identifiers
        How to treat columns that name people; those that are not listed are dropped.
    key
        The holder's key for pseudonyms.
    seed
        Makes a search that uses chance repeatable.
    progress
        Whom to tell how far the search is.
    side
        The tables that promises refer to, by name: populations, prior beliefs, and so on. What is
        not given is read from the file of that name.

    Raises
    ------
    InfeasibleError
        If no release of this table keeps the promises.
    UnsupportedError
        If the method cannot serve them.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [30, 31, 45, 46], "job": ["cook", "clerk", "cook", "clerk"]},
    ...     quasi=["age", "job"])
    >>> release = ul.anonymize(people, privacy=ul.KAnonymity(2))
    >>> release.holds
    True
    """
    started = time.perf_counter()
    beside = side if isinstance(side, Side) else Side.of(side)
    asked = [privacy] if isinstance(privacy, GroupModel) else list(privacy)
    models = _bind(table, asked, beside)
    table, crowds = _among(table, models, beside)
    _check_identifiers(table, identifiers or {})
    method = (method or Optimal()).bind(table.schema)
    guide = as_guide(metric).bind(table.schema)
    seed = secrets.randbits(63) if seed is None else seed
    task = _task(table, guide, suppression, seed, progress)
    method.require(All(models), may_suppress=task.suppression > 0)
    _refuse_reserved_texts(table)
    needs = {*All(models).needs(), *guide.needs(table.schema), *method.needs(table.schema)}
    counted = count(table, needs, crowds)
    everything = All(models).prepared(counted.finest)
    found = time.perf_counter()
    with stopping_gently(task.progress, if_=method.stoppable) as is_stopped:
        asked_for = evolve(task, is_stopped=is_stopped)
        solution = method.search(counted.finest, everything, asked_for)
    searched = time.perf_counter()
    _refuse(method, flaws(solution, counted.finest, task))
    _refuse(method, misfits(method, solution, task))
    solution = evolve(solution, partition=solution.partition.inhabited())
    applied = apply(table, counted, solution, task.attributes, identifiers or {}, key)
    _refuse(method, untruths(table, applied, task.attributes))
    finding = Evidence.of(table, applied, models, crowds).judge(models)
    _refuse(method, [f"does not keep {v.model}" for v in finding.verdicts if not v.holds])
    return Release(
        table=table,
        crowds=crowds,
        side=beside,
        counted=counted,
        applied=applied,
        models=models,
        finding=finding,
        method=method,
        metric=guide,
        task=task,
        solution=solution,
        identifiers=dict(identifiers or {}),
        seed=seed,
        seconds={
            "count": found - started,
            "search": searched - found,
            "apply and verify": time.perf_counter() - searched,
        },
    )


def _refuse(method: Method, faults: list[str]) -> None:
    if faults:
        raise BrokenPromiseError(
            f"{method} proposed a release that {' and '.join(faults)}: nothing was published. This "
            "is a defect of the method; please report it"
        )


def as_guide(metric: Metric | str | None) -> GroupMetric:
    """Take a metric for the guide of a search.

    Raises
    ------
    UnsupportedError
        If it measures releases, but knows nothing of groups.
    """
    if metric is None:
        return ILoss()
    if isinstance(metric, str):
        metric = make("metric", metric)
    if not isinstance(metric, GroupMetric):
        raise UnsupportedError(
            f"{metric} can measure a release, but not guide the search for one: guide it by iloss "
            "or another metric of groups, and measure what comes out"
        )
    return metric


def _bind(table: Table, models: list[GroupModel], side: Side) -> tuple[GroupModel, ...]:
    if not models:
        raise ParameterError("nothing is promised: give at least one model, like k-anonymity(k=5)")
    scene = Scene.of(table.schema, side)
    return tuple(bound for model in models for bound in model.bind(scene))


def _among(
    table: Table, models: tuple[GroupModel, ...], side: Side
) -> tuple[Table, dict[str, Table]]:
    """Take the table together with the populations that promises refer to."""
    counted = {name for names in All(models).needs() for name in names}
    people = sorted(n.removeprefix(CROWD) for n in counted if n.startswith(CROWD))
    return among(table, {name: side.open(name) for name in people})


def _task(
    table: Table,
    metric: GroupMetric,
    suppression: float | str | Fraction,
    seed: int,
    progress: Progress | None,
) -> Task:
    share = exact(suppression)
    if not 0 <= share < 1:
        raise ParameterError(f"suppression must lie in [0, 1), got {suppression}")
    rng = np.random.default_rng(seed)
    if progress is None:
        return Task(table.attributes, metric, share, rng)
    return Task(table.attributes, metric, share, rng, progress)


def _check_identifiers(table: Table, identifiers: Mapping[str, Pseudonymization]) -> None:
    known = table.schema.with_role(Role.IDENTIFIER)
    for name in identifiers:
        if name not in known:
            raise SchemaError(f"{unknown('identifier', name, known)} to treat")


def _refuse_reserved_texts(table: Table) -> None:
    for name in table.schema.quasi:
        domain = table.numbered(name).observed.domain
        if domain.kind is Kind.CATEGORY and ANY in domain.values.tolist():
            raise DataError(
                f"column {name!r} holds the text {ANY!r}, which a release uses for values that are "
                "left out: rename it, or make it missing"
            )
