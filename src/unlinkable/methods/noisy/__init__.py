"""Methods that publish nothing but what noise has paid for."""

from __future__ import annotations

from unlinkable.methods.noisy.dp_histogram import DPHistogram
from unlinkable.methods.noisy.dp_synthetic import DPSynthetic

__all__ = ["DPHistogram", "DPSynthetic"]
