"""Registry: everything that has a name, and how to make it from what is written.

The registry is what packages export. A model that is added to ``unlinkable.tables.models.__all__``
is from then on known to the command line, to plan files and to every form, with its summary, its
parameters and its reference; nothing is registered anywhere. Which packages these are is said by
the kinds of data.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import ClassVar, Protocol, TypeGuard

from unlinkable.errors import ParameterError, unknown
from unlinkable.registry.entry import Entry
from unlinkable.registry.kinds_of_data import data_kind, data_kinds
from unlinkable.spelling import read_call

__all__ = ["entries", "entry_kinds", "find", "look_up", "make"]

_SHARED = {"collection": "unlinkable.collection"}
"""Packages with names that belong to no kind of data."""


@cache
def entry_kinds() -> tuple[str, ...]:
    """Name the kinds of things that have names.

    Examples
    --------
    >>> entry_kinds()[:3]
    ('model', 'metric', 'method')
    """
    of_data = (data_kind(name).packages for name in data_kinds())
    return tuple(dict.fromkeys(kind for kinds in (*of_data, _SHARED) for kind in kinds))


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
        return tuple(entry for known in entry_kinds() for entry in entries(known))
    return _entries_of(kind)


def find(kind: str, name: str) -> Entry:
    """Look a name up; what can be used in its place is found as well.

    Raises
    ------
    ParameterError
        If there is no such kind, or nothing of this kind with that name.

    Examples
    --------
    >>> find("metric", "iloss").reference
    'Xiao and Tao 2006'
    """
    entry = look_up(kind, name)
    if entry is None:
        raise ParameterError(unknown(kind, name, [known.name for known in entries(kind)]))
    return entry


@cache
def look_up(kind: str, name: str) -> Entry | None:
    """Look a name up that may be of another kind; nothing but what is called so is loaded.

    Examples
    --------
    >>> look_up("policy", "optimal") is None
    True
    """
    for package in _packages(kind):
        if (entry := _exported(package, kind, name)) is not None:
            return entry
    in_place = (data_kind(data).stand_in(kind, name) for data in data_kinds())
    return next((entry for entry in in_place if entry is not None), None)


def make(kind: str, text: str, arguments: Mapping[str, object] | None = None) -> object:
    """Make what a written form says, or what is called so with these parameters.

    ``str`` of it gives the form back. `Registered.read` does the same, and knows the type.

    Raises
    ------
    ParameterError
        If the form cannot be read, or name or parameters mean nothing.

    Examples
    --------
    >>> make("model", "k-anonymity(k=5, qid=[age, zip])")
    KAnonymity(k=5, qid=('age', 'zip'))
    >>> str(make("model", "k-anonymity", {"k": 5}))
    'k-anonymity(k=5)'
    """
    name, written = (text, arguments) if arguments is not None else read_call(text)
    return find(kind, name).build(written)


class _Named(Protocol):
    """What the classes behind names have in common."""

    name: ClassVar[str]
    reference: ClassVar[str]


@cache
def _packages(kind: str) -> tuple[ModuleType, ...]:
    """Load the packages that export things of a kind."""
    if kind not in entry_kinds():
        raise ParameterError(unknown("kind", kind, entry_kinds()))
    of_data = [data_kind(name).packages for name in data_kinds()]
    return tuple(import_module(named[kind]) for named in (*of_data, _SHARED) if kind in named)


def _exported(package: ModuleType, kind: str, name: str) -> Entry | None:
    """Load what is called so and nothing else: a class has the letters of its name."""
    for called in package.__all__:
        if called.lower() == name.replace("-", ""):
            made = getattr(package, called)
            if _is_named(made) and made.name == name and _is_of(kind, made):
                return Entry.of(kind, made.name, made.reference, made)
    return None


@cache
def _entries_of(kind: str) -> tuple[Entry, ...]:
    listed = [entry for package in _packages(kind) for entry in _exports(package, kind)]
    return tuple(sorted(listed, key=lambda entry: entry.name))


def _exports(package: ModuleType, kind: str) -> Iterator[Entry]:
    for called in package.__all__:
        made = getattr(package, called)
        if _is_named(made) and _is_of(kind, made):
            entry = look_up(kind, made.name)
            assert entry is not None
            yield entry


def _is_of(kind: str, made: type) -> bool:
    """Whether something is of a kind: a package may export things of several."""
    return getattr(made, "entry_kind", kind) == kind


def _is_named(exported: object) -> TypeGuard[type[_Named]]:
    # Bases have no name of their own, and conjunctions no reference.
    return inspect.isclass(exported) and bool(getattr(exported, "reference", None))
