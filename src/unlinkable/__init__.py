"""Privacy-preserving data publishing."""

from __future__ import annotations
