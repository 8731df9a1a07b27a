"""Waiting until somebody has stopped turning a knob."""

from __future__ import annotations

import asyncio

from attrs import define

__all__ = ["Settling"]


@define(eq=False)
class Settling:
    """Lets only the last of several quick changes through.

    Attributes
    ----------
    seconds
        How long nothing must have changed.
    """

    seconds: float = 0.35
    _last: int = 0

    async def is_last(self) -> bool:
        """Wait a moment; tell whether nothing has been changed meanwhile."""
        mine = self.renewed()
        await asyncio.sleep(self.seconds)
        return self.is_current(mine)

    def renewed(self) -> int:
        """Begin something that makes all that was begun before pointless; gives its number."""
        self._last += 1
        return self._last

    def is_current(self, number: int) -> bool:
        """Whether nothing was begun after it."""
        return number == self._last
