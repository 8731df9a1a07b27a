"""The methods that are guided by a class, made from their written form."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

import attrs

from unlinkable.errors import ParameterError, unknown
from unlinkable.spelling import read_call
from unlinkable.tables.methods.base.search import Search

__all__ = ["masker"]

_GUIDES = ("target", "targets")
"""The parameters by which methods are told the class."""


def masker(written: str, label: str) -> Search:
    """Make a method that is guided by a class, and give it the column with that class.

    Raises
    ------
    ParameterError
        If there is no such method, it takes no class, or the class is already named.

    Examples
    --------
    >>> str(masker("infogain-mondrian(strict=false)", "cluster"))
    'infogain-mondrian(targets=["cluster"], strict=false)'
    """
    name, arguments = read_call(written)
    known = _guided_methods()
    if name not in known:
        raise ParameterError(f"{unknown('method', name, sorted(known))} that is guided by a class")
    kind, guide = known[name]
    if guide in arguments:
        raise ParameterError(
            f"cannot mask by {written}: it is guided by the clusters, leave out {guide}"
        )
    parameters = sorted(f.alias or f.name for f in _fields(kind) if not f.name.startswith("_"))
    for argument in arguments:
        if argument not in parameters:
            raise ParameterError(f"{name}: {unknown('parameter', argument, parameters)}")
    return kind(**arguments, **{guide: label})


def _guided_methods() -> Mapping[str, tuple[type[Search], str]]:
    """Find all methods with a class to guide them, by name, and by which parameter it is told."""
    found: dict[str, tuple[type[Search], str]] = {}
    for room in _rooms():
        for exported in room.__all__:
            kind = getattr(room, exported)
            if isinstance(kind, type) and issubclass(kind, Search):
                guides = [f.name for f in _fields(kind) if f.name in _GUIDES]
                found.update((kind.name, (kind, guide)) for guide in guides)
    return found


def _fields(kind: type[Search]) -> tuple[attrs.Attribute[object], ...]:
    return tuple(attrs.fields(kind)) if attrs.has(kind) else ()


def _rooms() -> tuple[ModuleType, ...]:
    # These rooms import this file: they are complete by the time that somebody asks.
    from unlinkable.tables.methods import cuts, lattice, regions

    return cuts, lattice, regions
