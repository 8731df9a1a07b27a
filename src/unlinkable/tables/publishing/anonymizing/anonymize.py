"""The main job: from a table to a release that keeps its promises."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Unpack, overload

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.params import exact
from unlinkable.tables.data import AttributeRoles, Side, Table, as_side
from unlinkable.tables.methods.base import Method, RecordMethod, Search
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import GroupMetric, Metric
from unlinkable.tables.models.base import All, BindingContext, GroupModel, bind_all
from unlinkable.tables.operations import Pseudonymization
from unlinkable.tables.operations.base import Perturbation
from unlinkable.tables.publishing.anonymizing.generalizing import generalize
from unlinkable.tables.publishing.anonymizing.job import BrokenPromiseError, Job
from unlinkable.tables.publishing.anonymizing.masking import mask
from unlinkable.tables.publishing.anonymizing.written import (
    AnyMethod,
    Promises,
    as_metric,
    as_models,
    chosen_method,
    given_records,
    require_progress,
    require_seed,
)
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease
from unlinkable.tables.publishing.releases.masked import MaskedRelease
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.tables.risk import people_warnings, require_no_numbers
from unlinkable.typing import Progress

__all__ = ["BrokenPromiseError", "anonymize", "as_guide", "carry_out"]


class _Options(AttributeRoles, total=False):
    """What may be asked for beside promises and method, and the roles of the columns of a frame."""

    metric: Metric | str | None
    suppression: float | str | Fraction
    identifiers: str | Iterable[str] | Mapping[str, Pseudonymization] | None
    key: bytes | None
    seed: int | None
    progress: Progress | None
    side: Mapping[str, object] | Side | None


@overload
def anonymize(
    table: object,
    *,
    privacy: Promises,
    method: Search | None = None,
    **options: Unpack[_Options],
) -> GeneralizedRelease: ...
@overload
def anonymize(
    table: object,
    *,
    privacy: Promises = (),
    method: RecordMethod | Perturbation,
    **options: Unpack[_Options],
) -> MaskedRelease: ...
@overload
def anonymize(
    table: object,
    *,
    privacy: Promises = (),
    method: AnyMethod,
    **options: Unpack[_Options],
) -> Release: ...
def anonymize(
    table: object,
    *,
    privacy: Promises = (),
    method: AnyMethod | None = None,
    metric: Metric | str | None = None,
    suppression: float | str | Fraction = 0,
    identifiers: str | Iterable[str] | Mapping[str, Pseudonymization] | None = None,
    key: bytes | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
    side: Mapping[str, object] | Side | None = None,
    **roles: Unpack[AttributeRoles],
) -> Release:
    """Find the release that loses least among those that keep the promises, and check it.

    Parameters
    ----------
    table
        The records: a table with roles, or a frame of any kind or a file, whose columns get roles
        by the arguments of `as_table`.
    privacy
        What is promised, or its written form: ``"k-anonymity(k=5)"``. A model about a sensitive
        column that names none is meant for all of them.
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
        How to treat columns that name people; those that are not listed are dropped. Of a frame
        also which columns do.
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
    roles
        The roles of the columns of a frame, and their taxonomies: ``quasi``, ``sensitive`` and so
        on.

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

    A frame goes in with its roles, and comes out as it went in.

    >>> ul.anonymize({"age": [30, 31, 45, 46]}, quasi="age", privacy="k-anonymity(k=2)").frame
    {'age': ['[30-32)', '[30-32)', '[45-47)', '[45-47)']}
    """
    started = time.perf_counter()
    beside = as_side(side)
    records, treated = given_records(table, identifiers, roles)
    require_no_numbers(records)
    for fault in people_warnings(records.frame, records.schema):
        warnings.warn(fault, stacklevel=2)
    from unlinkable.tables.methods.lattice import Optimal

    chosen = Optimal() if method is None else chosen_method(method)
    models = _bind(records, as_models(privacy), beside, chosen)
    chosen = chosen.bind(records.schema)
    share = _share(suppression)
    require_seed(seed)
    require_progress(progress)
    job = Job(records, models, beside, share, treated, key, seed, progress, started)
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
    if isinstance(method, RecordMethod):
        measured = None if metric is None else as_metric(metric)
        method.require(All(job.models), may_suppress=may_suppress)
        return mask(job, method, measured)
    assert isinstance(method, Search)
    guide = as_guide(metric).bind(job.table.schema)
    method.require(All(job.models), may_suppress=may_suppress)
    return generalize(job, method, guide)


def as_guide(metric: Metric | str | None) -> GroupMetric:
    """Take a metric for the guide of a search.

    Raises
    ------
    UnsupportedError
        If it measures releases, but knows nothing of groups.
    """
    if metric is None:
        return ILoss()
    metric = as_metric(metric)
    if not isinstance(metric, GroupMetric):
        raise UnsupportedError(
            f"{metric} can measure a release, but not guide the search for one: guide it by iloss "
            "or another metric of groups, and measure what comes out"
        )
    return metric


def _bind(
    table: Table, models: list[GroupModel], side: Side, method: Method
) -> tuple[GroupModel, ...]:
    may_promise_nothing = isinstance(method, RecordMethod) and not method.needs_promise
    if not models and not may_promise_nothing:
        raise ParameterError("nothing is promised: give at least one model, like k-anonymity(k=5)")
    return bind_all(models, BindingContext.at(table, side))


def _share(suppression: float | str | Fraction) -> Fraction:
    share = exact(suppression)
    if not 0 <= share < 1:
        raise ParameterError(f"suppression must lie in [0, 1), got {suppression}")
    return share
