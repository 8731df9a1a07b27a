"""Promises that a release can keep, one per file."""

from __future__ import annotations

from unlinkable.privacy.k_anonymity import KAnonymity

__all__ = ["KAnonymity"]
