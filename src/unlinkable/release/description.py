"""Description: what data look like before anything is done to them, ready to be shown."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import TYPE_CHECKING

from unlinkable.release.listing import Listing

if TYPE_CHECKING:
    from unlinkable.release.plan.plan import Plan

__all__ = ["Description"]


class Description(abc.ABC):
    """What data look like before anything is done to them."""

    @abc.abstractmethod
    def sentences(self) -> Sequence[str]:
        """Say what matters most."""

    @abc.abstractmethod
    def listings(self) -> Sequence[Listing]:
        """Give the figures."""

    @abc.abstractmethod
    def to_json(self) -> dict[str, object]:
        """Give it as ``describe --json`` prints it."""

    @abc.abstractmethod
    def suggested_plan(self) -> Plan:
        """Give a plan to begin with."""
