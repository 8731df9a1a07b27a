"""Promises about noise: they bound what noise on a table may cost."""

from __future__ import annotations

import abc

from unlinkable.noise import Budget
from unlinkable.tables.models.base.model import GroupModel

__all__ = ["NoiseModel"]


class NoiseModel(GroupModel):
    """A promise about the noise that is added to what is published of a table."""

    @abc.abstractmethod
    def budget(self, n_records: int) -> Budget:
        """State what noise on a table of this size may cost."""
