"""The library that all prices and all noise come from."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from unlinkable.table.reading.extras import load_extra

__all__ = ["opendp"]


@cache
def opendp() -> ModuleType:
    """Load OpenDP.

    Its functions carry proofs that are published beside them. *contrib* is what its authors call
    functions whose proofs were not all reviewed by its own process; there is nothing without them.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    dp = load_extra("opendp.prelude", "dp", "noise and its prices")
    dp.enable_features("contrib")
    return dp
