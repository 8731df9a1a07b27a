"""Methods that cut the space of quasi-identifying values into regions."""

from __future__ import annotations

from unlinkable.methods.regions.mondrian import Mondrian
from unlinkable.methods.regions.options import Along, Labels, Split

__all__ = ["Along", "Labels", "Mondrian", "Split"]
