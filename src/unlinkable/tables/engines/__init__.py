"""Where counting runs."""

from __future__ import annotations

from unlinkable.tables.engines.local import Counted, count, count_parts

__all__ = ["Counted", "count", "count_parts"]
