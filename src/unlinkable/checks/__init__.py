"""Contracts that everything exported must meet.

Each check takes a thing and something to try it on, and raises `BrokenContractError` if the thing
is not what it claims to be. They need no test framework: authors of a model or a metric can run
them on tables of their own. The project's tests run them on all that it exports.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
