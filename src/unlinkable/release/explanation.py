"""Explanation: what a release cost, and what would help, ready to be shown."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from unlinkable.release.listing import Listing

__all__ = ["Explanation"]


class Explanation(abc.ABC):
    """What a release cost, and what would help."""

    @abc.abstractmethod
    def sentences(self) -> Sequence[str]:
        """Say it in sentences."""

    @abc.abstractmethod
    def listings(self) -> Sequence[Listing]:
        """Give the figures behind it."""

    @abc.abstractmethod
    def to_json(self) -> dict[str, object]:
        """Give it as ``explain --json`` prints it."""
