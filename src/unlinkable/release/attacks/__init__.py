"""Attacks: what comes of an adversary's attempt, whatever kind of data was published."""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
