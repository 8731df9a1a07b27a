"""Optional libraries: loaded only where they are used, and named in the error when absent."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from unlinkable.errors import MissingExtraError

__all__ = ["load_extra"]


def load_extra(module: str, extra: str, purpose: str) -> ModuleType:
    """Import a library of an extra, or say how to install it.

    Raises
    ------
    MissingExtraError
        If the library is not installed.

    Examples
    --------
    >>> load_extra("csv", "excel", "Excel files").__name__
    'csv'
    >>> load_extra("no_such_library", "excel", "Excel files")
    Traceback (most recent call last):
    ...
    unlinkable.errors.MissingExtraError: Excel files need no_such_library, which is not installed:
    pip install "unlinkable[excel]"
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name or module
        raise MissingExtraError(
            f'{purpose} need {missing}, which is not installed: pip install "unlinkable[{extra}]"'
        ) from None
