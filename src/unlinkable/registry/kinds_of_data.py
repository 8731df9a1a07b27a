"""Kinds of data: tables, and whatever else can be published, each found by its name.

A kind of data is one object. Those of the library are listed here; a package of its own adds one by
an entry point, and nothing else has to be changed:

.. code-block:: toml

    [project.entry-points."unlinkable.kinds"]
    words = "words:KIND"
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Protocol, cast

from unlinkable.errors import ParameterError, unknown

if TYPE_CHECKING:
    from unlinkable.registry.entry import Entry

__all__ = ["DEFAULT_KIND", "DataKind", "data_kind", "data_kinds"]

DEFAULT_KIND = "tables"
"""The kind of data where nothing is said of it."""

_BUILT_IN = {"tables": "unlinkable.tables.publishing:KIND"}
"""Where the kinds of the library are."""

_GROUP = "unlinkable.kinds"
"""The entry points of other packages."""


class DataKind(Protocol):
    """What the registry wants to know of a kind of data."""

    @property
    def name(self) -> str:
        """What it is called in plans and on the command line."""

    @property
    def packages(self) -> Mapping[str, str]:
        """Which package exports its models, its methods and so on, by kind of entry."""

    def stand_in(self, kind: str, name: str) -> Entry | None:
        """Give an entry of another kind that can be used as one of this kind; None if none can."""


def data_kinds() -> tuple[str, ...]:
    """Name all kinds of data: those of the library, and those of other packages.

    Examples
    --------
    >>> "tables" in data_kinds()
    True
    """
    return (*_BUILT_IN, *sorted(set(_others()) - set(_BUILT_IN)))


@cache
def data_kind(name: str) -> DataKind:
    """Load a kind of data.

    Raises
    ------
    ParameterError
        If there is none of this name, or the package that adds it is broken.

    Examples
    --------
    >>> data_kind("tables").packages["model"]
    'unlinkable.tables.models'
    """
    if name in _BUILT_IN:
        module, _, attribute = _BUILT_IN[name].partition(":")
        return cast("DataKind", getattr(import_module(module), attribute))
    others = _others()
    if name not in others:
        raise ParameterError(unknown("kind of data", name, data_kinds()))
    try:
        return cast("DataKind", others[name].load())
    except Exception as error:
        raise ParameterError(
            f"the kind of data {name!r} cannot be loaded from {others[name].value} "
            f"({type(error).__name__}): repair or remove the package that adds it"
        ) from error


@cache
def _others() -> Mapping[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=_GROUP)}
