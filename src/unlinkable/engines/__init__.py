"""Where counting runs."""

from __future__ import annotations

from unlinkable.engines.local import Counted, count

__all__ = ["Counted", "count"]
