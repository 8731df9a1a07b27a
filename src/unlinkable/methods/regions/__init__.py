"""methods/regions."""

from __future__ import annotations
