"""Registry: everything that has a name, and how to make it from what is written.

The registry is what the packages export. A model that is added to
``unlinkable.tables.models.__all__`` is from then on known to the command line, to plan files and to
every form, with its summary, its parameters and its reference; nothing is registered anywhere.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, TypeGuard, overload

from unlinkable.errors import ParameterError, unknown
from unlinkable.registry.entry import Entry
from unlinkable.spelling import read_call

if TYPE_CHECKING:
    from unlinkable.tables.attacks.base import Adversary
    from unlinkable.tables.methods.base import Method
    from unlinkable.tables.metrics.base import Metric
    from unlinkable.tables.models.base import GroupModel
    from unlinkable.tables.operations.base import Operation

__all__ = [
    "KINDS",
    "as_asked",
    "entries",
    "find",
    "look_up",
    "make",
    "make_from",
]

_PACKAGES = {
    "model": "unlinkable.tables.models",
    "metric": "unlinkable.tables.metrics",
    "method": "unlinkable.tables.methods",
    "operation": "unlinkable.tables.operations",
    "collection": "unlinkable.collection",
    "attack": "unlinkable.tables.attacks",
    "risk": "unlinkable.tables.risk",
    "policy": "unlinkable.tables.series",
}

KINDS = tuple(_PACKAGES)
"""What kinds of things have names."""


def entries(kind: str | None = None) -> tuple[Entry, ...]:
    """List everything of a kind, or of all kinds, in the order of the names.

    Raises
    ------
    ParameterError
        If there is no such kind.

    Examples
    --------
    >>> [entry.usage for entry in entries("model") if entry.name == "k-anonymity"]
    ['k-anonymity(k=...)']
    """
    if kind is None:
        return tuple(entry for known in KINDS for entry in entries(known))
    if kind not in _PACKAGES:
        raise ParameterError(unknown("kind", kind, KINDS))
    return _entries_of(kind)


def find(kind: str, name: str) -> Entry:
    """Look a name up. An operation that replaces values can stand in place of a method.

    Raises
    ------
    ParameterError
        If there is no such kind, or nothing of this kind with that name.

    Examples
    --------
    >>> find("metric", "iloss").reference
    'Xiao and Tao 2006'
    """
    if kind not in _PACKAGES:
        raise ParameterError(unknown("kind", kind, KINDS))
    entry = look_up(kind, name)
    if entry is None:
        raise ParameterError(unknown(kind, name, [known.name for known in entries(kind)]))
    return entry


def look_up(kind: str, name: str) -> Entry | None:
    """Look a name up that may be of another kind; nothing but what is called so is loaded.

    Examples
    --------
    >>> look_up("policy", "optimal") is None
    True
    """
    entry = _entry(kind, name)
    return _operation(name) if entry is None and kind == "method" else entry


@overload
def make(kind: Literal["model"], text: str) -> GroupModel: ...
@overload
def make(kind: Literal["metric"], text: str) -> Metric: ...
@overload
def make(kind: Literal["method"], text: str) -> Method: ...
@overload
def make(kind: Literal["operation"], text: str) -> Operation: ...
@overload
def make(kind: Literal["attack"], text: str) -> Adversary: ...
@overload
def make(kind: Literal["collection", "risk", "policy"], text: str) -> object: ...
def make(kind: str, text: str) -> object:
    """Make what a written form says. ``str`` of it gives the form back.

    Raises
    ------
    ParameterError
        If the form cannot be read, or name or parameters mean nothing.

    Examples
    --------
    >>> make("model", "k-anonymity(k=5, qid=[age, zip])")
    KAnonymity(k=5, qid=('age', 'zip'))
    >>> str(make("model", "k-anonymity(k=5, qid=[age, zip])"))
    'k-anonymity(k=5, qid=["age", "zip"])'
    """
    name, arguments = read_call(text)
    return _made(kind, name, arguments)


@overload
def make_from(kind: Literal["model"], name: str, arguments: Mapping[str, object]) -> GroupModel: ...
@overload
def make_from(kind: Literal["metric"], name: str, arguments: Mapping[str, object]) -> Metric: ...
@overload
def make_from(kind: Literal["method"], name: str, arguments: Mapping[str, object]) -> Method: ...
@overload
def make_from(
    kind: Literal["operation"], name: str, arguments: Mapping[str, object]
) -> Operation: ...
@overload
def make_from(kind: Literal["attack"], name: str, arguments: Mapping[str, object]) -> Adversary: ...
@overload
def make_from(
    kind: Literal["collection", "risk", "policy"], name: str, arguments: Mapping[str, object]
) -> object: ...
def make_from(kind: str, name: str, arguments: Mapping[str, object]) -> object:
    """Make a named thing with these parameters.

    Raises
    ------
    ParameterError
        If name or parameters mean nothing.

    Examples
    --------
    >>> make_from("model", "k-anonymity", {"k": 5})
    KAnonymity(k=5, qid=None)
    """
    return _made(kind, name, arguments)


def _made(kind: str, name: str, arguments: Mapping[str, object]) -> object:
    return as_asked(kind, find(kind, name).construct(arguments))


def as_asked(kind: str, made: object) -> object:
    """Take an operation that stands in place of a method for the method that does it."""
    if kind != "method":
        return made
    from unlinkable.tables.methods import as_method

    return as_method(made)  # type: ignore[arg-type]


def _operation(name: str) -> Entry | None:
    """Find an operation that can stand in place of a method: one that replaces values."""
    from unlinkable.tables.operations.base import Perturbation

    entry = _entry("operation", name)
    return entry if entry is not None and issubclass(entry.make, Perturbation) else None


class _Named(Protocol):
    """What the classes behind names have in common."""

    name: ClassVar[str]
    reference: ClassVar[str]


@cache
def _entry(kind: str, name: str) -> Entry | None:
    """Load what is called so and nothing else: a class has the letters of its name."""
    package = import_module(_PACKAGES[kind])
    for called in package.__all__:
        if called.lower() == name.replace("-", ""):
            found = getattr(package, called)
            if _is_named(found) and found.name == name:
                return Entry.of(kind, found.name, found.reference, found)
    return None


@cache
def _entries_of(kind: str) -> tuple[Entry, ...]:
    package = import_module(_PACKAGES[kind])
    exported = (getattr(package, name) for name in package.__all__)
    found = [_entry(kind, x.name) for x in exported if _is_named(x)]
    return tuple(sorted(filter(None, found), key=lambda entry: entry.name))


def _is_named(exported: object) -> TypeGuard[type[_Named]]:
    # Bases have no name of their own, and conjunctions no reference.
    return inspect.isclass(exported) and bool(getattr(exported, "reference", None))
