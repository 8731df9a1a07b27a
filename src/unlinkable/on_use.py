"""On use: packages that load what they export when it is asked for, and not before.

A command that needs one method should not wait for all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

__all__ = ["load_on_use"]


def load_on_use(package: str, where: Mapping[str, str]) -> Callable[[str], object]:
    """Make the ``__getattr__`` of a package.

    Parameters
    ----------
    package
        Its name.
    where
        For each name that it exports the module of the package that has it.

    Examples
    --------
    >>> load = load_on_use("unlinkable", {"load_on_use": "on_use"})
    >>> load("load_on_use") is load_on_use
    True
    >>> load("all_at_once")
    Traceback (most recent call last):
    ...
    AttributeError: module 'unlinkable' has no attribute 'all_at_once'
    """

    def load(name: str) -> object:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{where[name]}"), name)

    return load
