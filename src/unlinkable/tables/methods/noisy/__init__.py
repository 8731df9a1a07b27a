"""Methods that publish nothing but what noise has paid for.

Each is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unlinkable.on_use import load_on_use

if TYPE_CHECKING:
    from unlinkable.tables.methods.noisy.dp_histogram import DPHistogram as DPHistogram
    from unlinkable.tables.methods.noisy.dp_synthetic import DPSynthetic as DPSynthetic

_WHERE = {
    "DPHistogram": "dp_histogram",
    "DPSynthetic": "dp_synthetic",
}
"""The file of each name."""

__all__ = [*_WHERE]

__getattr__ = load_on_use(__name__, _WHERE)
