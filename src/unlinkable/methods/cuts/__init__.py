"""Methods that choose a cut through every taxonomy: subtree generalization and suppression."""

from __future__ import annotations

__all__: list[str] = []
