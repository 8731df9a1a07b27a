"""The library that all prices and all noise come from."""

from __future__ import annotations

from functools import cache
from types import ModuleType

from unlinkable.extras import load_extra

__all__ = ["opendp"]


@cache
def opendp() -> ModuleType:
    """Load OpenDP.

    It draws noise with exact arithmetic, and publishes proofs beside its functions. *contrib* marks
    those whose proofs have not gone through all of its own review; that is so of all that is used
    here, which is why the tests hold noise and prices against their definitions.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    dp = load_extra("opendp.prelude", "dp", "noise and its prices")
    dp.enable_features("contrib")
    return dp
