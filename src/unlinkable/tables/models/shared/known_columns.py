"""Known columns: which columns an adversary knows, if a promise names them."""

from __future__ import annotations

from unlinkable.errors import ParameterError, SchemaError, unknown
from unlinkable.tables.groups import Knowledge
from unlinkable.tables.models.base.model import GroupModel
from unlinkable.typing import Columns

__all__ = ["is_about_all_of", "knowing", "refuse_none"]


def knowing(model: GroupModel, named: Columns | None, columns: Columns) -> Knowledge:
    """Give the named columns in the order of the quasi-identifier; all of it if none are named.

    Raises
    ------
    SchemaError
        If one is not quasi-identifying.
    """
    if named is None:
        return Knowledge(columns)
    for name in named:
        if name not in columns:
            raise SchemaError(f"{unknown('quasi-identifier', name, columns)} for {model}")
    return Knowledge(tuple(c for c in columns if c in named))


def is_about_all_of(named: Columns | None, others: Columns | None) -> bool:
    """Whether who knows the named columns knows the others; None is the whole quasi-identifier.

    Examples
    --------
    >>> is_about_all_of(None, ("age",)), is_about_all_of(("age",), None)
    (True, False)
    """
    return named is None or (others is not None and set(others) <= set(named))


def refuse_none(parameter: str, named: Columns | None) -> None:
    """Refuse a list of columns without a column.

    Raises
    ------
    ParameterError
        If it is empty.
    """
    if named is not None and not named:
        raise ParameterError(f"{parameter} must name at least one column; leave it out to mean all")
