"""The main job: from a table to a release that keeps its promises."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypedDict, Unpack, overload

from unlinkable.errors import ParameterError, SchemaError, UnsupportedError, in_short, unknown
from unlinkable.methods.base import Method, Search
from unlinkable.methods.masking import Masking
from unlinkable.methods.operating import as_method
from unlinkable.params import exact
from unlinkable.privacy.base import All, GroupModel, Scene
from unlinkable.recoding import Pseudonymization
from unlinkable.recoding.base import Operation
from unlinkable.recoding.perturbation import Perturbation
from unlinkable.release.generalized import GeneralizedRelease
from unlinkable.release.generalizing import generalize
from unlinkable.release.job import BrokenPromiseError, Job
from unlinkable.release.masked import MaskedRelease
from unlinkable.release.masking import mask
from unlinkable.release.registry import make
from unlinkable.release.release import Release
from unlinkable.table import Role, Table
from unlinkable.table.side import Side
from unlinkable.typing import Progress
from unlinkable.utility import ILoss
from unlinkable.utility.base import GroupMetric, Metric

__all__ = ["BrokenPromiseError", "anonymize", "as_guide", "carry_out"]


class _Options(TypedDict, total=False):
    """What may be asked for beside promises and method."""

    metric: Metric | str | None
    suppression: float | str | Fraction
    identifiers: Mapping[str, Pseudonymization] | None
    key: bytes | None
    seed: int | None
    progress: Progress | None
    side: Mapping[str, object] | Side | None


@overload
def anonymize(
    table: Table,
    *,
    privacy: GroupModel | Iterable[GroupModel],
    method: Search | None = None,
    **options: Unpack[_Options],
) -> GeneralizedRelease: ...
@overload
def anonymize(
    table: Table,
    *,
    privacy: GroupModel | Iterable[GroupModel] = (),
    method: Masking | Perturbation,
    **options: Unpack[_Options],
) -> MaskedRelease: ...
@overload
def anonymize(
    table: Table,
    *,
    privacy: GroupModel | Iterable[GroupModel] = (),
    method: Method | Perturbation | str,
    **options: Unpack[_Options],
) -> Release: ...
def anonymize(
    table: Table,
    *,
    privacy: GroupModel | Iterable[GroupModel] = (),
    method: Method | Perturbation | str | None = None,
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
        Methods that replace values may be used without any promise.
    method
        How to search, or what else to do to the records, or its written form; `Optimal` if not
        given. A perturbing operation, such as `AdditiveNoise`, can be given in place of a method.
    metric
        What is to be kept small, or its written form; `ILoss` if not given. For methods that do
        not generalize it is only what is measured first.
    suppression
        Share of the records that may be left out.
    identifiers
        How to treat columns that name people; those that are not listed are dropped.
    key
        The holder's key for pseudonyms.
    seed
        Makes chance repeatable. Whoever knows it can take noise away: it stays with the holder.
        Where a promise rests on noise, such as differential privacy, chance is never repeatable,
        whichever method draws it.
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
    chosen = _chosen(method)
    models = _bind(table, asked, beside, chosen)
    _check_identifiers(table, identifiers or {})
    chosen = chosen.bind(table.schema)
    share = _share(suppression)
    job = Job(table, models, beside, share, dict(identifiers or {}), key, seed, progress, started)
    return carry_out(job, chosen, metric)


def carry_out(job: Job, method: Method, metric: Metric | str | None) -> Release:
    """Publish by a method that is bound to the table, and check what comes out.

    Raises
    ------
    UnsupportedError
        If the method cannot serve the promises.
    InfeasibleError
        If no release of this table keeps them.
    """
    may_suppress = job.suppression > 0
    if isinstance(method, Masking):
        measured = make("metric", metric) if isinstance(metric, str) else metric
        method.require(All(job.models), may_suppress=may_suppress)
        return mask(job, method, measured)
    assert isinstance(method, Search)
    guide = as_guide(metric).bind(job.table.schema)
    method.require(All(job.models), may_suppress=may_suppress)
    return generalize(job, method, guide)


def _chosen(method: Method | Perturbation | str | None) -> Method:
    """Take a method, an operation in place of one, or the written form of either.

    Raises
    ------
    ParameterError
        If it is nothing of these.
    """
    if isinstance(method, str):
        return make("method", method)
    if method is None:
        from unlinkable.methods import Optimal

        return Optimal()
    if not isinstance(method, Method | Perturbation):
        shown = str(method) if isinstance(method, Operation) else in_short(method)
        raise ParameterError(
            f"{shown} is no method: see `unlinkable list method`, or `unlinkable "
            "list operation` for what can be given in place of one"
        )
    return as_method(method)


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


def _bind(
    table: Table, models: list[GroupModel], side: Side, method: Method
) -> tuple[GroupModel, ...]:
    may_promise_nothing = isinstance(method, Masking) and not method.needs_promise
    if not models and not may_promise_nothing:
        raise ParameterError("nothing is promised: give at least one model, like k-anonymity(k=5)")
    scene = Scene.of(table.schema, side)
    return tuple(bound for model in models for bound in model.bind(scene))


def _share(suppression: float | str | Fraction) -> Fraction:
    share = exact(suppression)
    if not 0 <= share < 1:
        raise ParameterError(f"suppression must lie in [0, 1), got {suppression}")
    return share


def _check_identifiers(table: Table, identifiers: Mapping[str, Pseudonymization]) -> None:
    known = table.schema.with_role(Role.IDENTIFIER)
    for name in identifiers:
        if name not in known:
            raise SchemaError(f"{unknown('identifier', name, known)} to treat")
