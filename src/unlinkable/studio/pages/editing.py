"""Editing: what somebody is changing is not overwritten by what comes back of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from attrs import define, field

from unlinkable.studio.pages.settling import Settling

__all__ = ["Editing"]


@define(eq=False)
class Editing:
    """Controls that change something of the plan, and show it.

    What was handed in a moment ago comes back from the plan while somebody turns further. Shown
    then, it would set the controls back, and what was turned meanwhile would be lost.

    Attributes
    ----------
    hand_in
        Takes what stands in the controls to the plan.
    take_over
        Puts what stands in the plan into the controls.
    """

    hand_in: Callable[[], Awaitable[None]]
    take_over: Callable[[], None]
    _settling: Settling = field(factory=Settling)
    _in_turn: asyncio.Lock = field(factory=asyncio.Lock)
    _under_way: int = 0
    _has_missed: bool = False

    async def changed(self) -> None:
        """Hand in what somebody has changed, as soon as nothing more is changed for a moment."""
        self._under_way += 1
        try:
            if await self._settling.is_last():
                async with self._in_turn:
                    await self.hand_in()
        finally:
            self._under_way -= 1
            if not self._under_way and self._has_missed:
                self._has_missed = False
                self.take_over()

    def came_back(self) -> None:
        """Take over what stands in the plan now, or later if somebody is changing something."""
        self._has_missed = self._under_way > 0
        if not self._has_missed:
            self.take_over()
