"""methods/lattice."""

from __future__ import annotations
