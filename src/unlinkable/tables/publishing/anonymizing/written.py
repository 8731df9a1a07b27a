"""Promises, methods and metrics in any form: as they are, or as they are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, cast

from unlinkable.errors import ParameterError, SchemaError, in_short, unknown
from unlinkable.tables.data import AttributeRoles, ColumnRoles, Role, Table, table_of
from unlinkable.tables.methods import as_method
from unlinkable.tables.methods.base import Method
from unlinkable.tables.metrics.base import Metric
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.operations import Pseudonymization
from unlinkable.tables.operations.base import Operation, Perturbation
from unlinkable.typing import Progress

__all__ = [
    "AnyMethod",
    "Promises",
    "as_list",
    "as_metric",
    "as_models",
    "chosen_method",
    "given_records",
    "require_progress",
    "require_seed",
]

Promises: TypeAlias = GroupModel | str | Iterable[GroupModel | str]
"""One promise or several, each as it is or as it is written: ``"k-anonymity(k=5)"``."""

AnyMethod: TypeAlias = Method | Perturbation | str
"""A method, an operation in place of one, or the written form of either."""


def as_models(privacy: Promises) -> list[GroupModel]:
    """Take one promise or several.

    Raises
    ------
    ParameterError
        If one is none.

    Examples
    --------
    >>> as_models(["k-anonymity(k=5)", "distinct-l-diversity(l=2)"])
    [KAnonymity(k=5, qid=None), DistinctLDiversity(l=2, sensitive=None)]
    """
    return [_as_model(model) for model in as_list("privacy", privacy, GroupModel)]


def as_metric(metric: Metric | str) -> Metric:
    """Take a metric.

    Raises
    ------
    ParameterError
        If it is none.
    """
    if isinstance(metric, str):
        return Metric.read(metric)
    if not isinstance(metric, Metric):
        raise ParameterError(
            f"{in_short(metric)} is no metric: give one, like ILoss(), or its written form; see "
            "`unlinkable list metric`"
        )
    return metric


def chosen_method(method: AnyMethod) -> Method:
    """Take a method, or what can stand in place of one.

    Raises
    ------
    ParameterError
        If it is nothing of these.
    """
    if isinstance(method, str):
        return Method.read(method)
    if not isinstance(method, Method | Perturbation):
        shown = str(method) if isinstance(method, Operation) else in_short(method)
        raise ParameterError(
            f"{shown} is no method: see `unlinkable list method`, or `unlinkable "
            "list operation` for what can be given in place of one"
        )
    return as_method(method)


def given_records(
    data: object,
    identifiers: str | Iterable[str] | Mapping[str, Pseudonymization] | None,
    roles: AttributeRoles,
) -> tuple[Table, dict[str, Pseudonymization]]:
    """Take a table, or a frame with roles, and how columns that name people are treated.

    Raises
    ------
    ParameterError, SchemaError, DataError
        If it is none, or something is treated that names nobody.
    """
    treated = dict(identifiers) if isinstance(identifiers, Mapping) else {}
    given = cast("ColumnRoles", dict(roles))
    if identifiers and not (treated and isinstance(data, Table)):
        given["identifiers"] = list(treated) or identifiers
    table = table_of(data, given)
    known = table.schema.with_role(Role.IDENTIFIER)
    for name, how in treated.items():
        if name not in known:
            raise SchemaError(f"{unknown('identifier', name, known)} to treat")
        if not isinstance(how, Pseudonymization):
            raise ParameterError(
                f"{name!r} is treated by a Pseudonymization, got {in_short(how)}: leave it out of "
                "identifiers to drop the column"
            )
    return table, treated


def require_seed(seed: int | None) -> None:
    """Refuse a seed that no chance can start from.

    Raises
    ------
    ParameterError
        If it is no whole number from 0 on.
    """
    is_whole = isinstance(seed, int) and not isinstance(seed, bool)
    if seed is not None and not (is_whole and seed >= 0):
        raise ParameterError(f"seed must be a whole number of at least 0, got {in_short(seed)}")


def require_progress(progress: Progress | None) -> None:
    """Refuse a progress callback that cannot be called.

    Raises
    ------
    ParameterError
        If it cannot.
    """
    if progress is not None and not callable(progress):
        raise ParameterError(
            f"progress must be a function of a share and a few words, got {in_short(progress)}"
        )


def as_list(name: str, given: object, *single: type) -> list[Any]:
    """Take one thing or several as a list; a text is one.

    Raises
    ------
    ParameterError
        If it is neither.
    """
    if isinstance(given, (str, *single)):
        return [given]
    if not isinstance(given, Iterable):
        raise ParameterError(f"{name} must be one or a list of them, got {in_short(given)}")
    return list(given)


def _as_model(model: GroupModel | str) -> GroupModel:
    if isinstance(model, str):
        return GroupModel.read(model)
    if not isinstance(model, GroupModel):
        raise ParameterError(
            f"{in_short(model)} is no promise: give a model, like KAnonymity(5), or its written "
            "form, like 'k-anonymity(k=5)'; see `unlinkable list model`"
        )
    return model
