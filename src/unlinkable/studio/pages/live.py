"""Live: pages that stay up to date while people and jobs change the project."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager

from attrs import define, field
from nicegui import Client, background_tasks, ui

from unlinkable.errors import UnlinkableError
from unlinkable.studio.errors import TaskError
from unlinkable.studio.jobs import Job
from unlinkable.studio.workbench import Workbench

__all__ = ["Debounce", "PlanBinding", "live", "live_jobs", "notify_errors"]

_SOON = 0.05
"""Seconds within which several changes are drawn as one."""


def live(
    work: Workbench,
    redraw: Callable[[], object],
    on: Collection[str] | None = None,
    seen: Callable[[], object] | None = None,
) -> None:
    """Have something drawn anew when the project changes, in this tab and as long as it is there.

    Parameters
    ----------
    work
        The project.
    redraw
        What draws it, such as ``refresh`` of a refreshable function; it may be a coroutine
        function.
    on
        Which changes matter: ``plan``, ``data``, ``state``, ``files``, ``runs``, ``attacks``,
        ``bundles``, and ``jobs`` (one starts or ends); all but ``jobs`` if not given.
    seen
        Gives what there is to be seen: it is drawn anew only if that is something else, so that
        no button is replaced under a finger and no form while it is filled in.
    """
    soon = _Delayed(ui.context.client, redraw if seen is None else _if_different(redraw, seen))
    ends = [work.watch(lambda what: soon() if on is None or what in on else None)]
    if on is not None and "jobs" in on:
        states: dict[str, str] = {}

        def heard(job: Job) -> None:
            if states.get(job.key) != job.state.value:
                states[job.key] = job.state.value
                soon()

        ends.append(work.watch_jobs(heard))
    _end_with(soon.client, ends)


def live_jobs(work: Workbench, show: Callable[[Job], object]) -> None:
    """Have something called with every job that gets further, in this tab."""
    client = ui.context.client

    def heard(job: Job) -> None:
        if not client.is_deleted:
            with client:
                show(job)

    _end_with(client, [work.watch_jobs(heard)])


@contextmanager
def notify_errors() -> Iterator[None]:
    """Show errors of the library as notifications, instead of failing.

    Cancelled requests are not shown. Use it as ``with notify_errors(): await work.edit(...)``.
    """
    client = ui.context.client
    try:
        yield
    except UnlinkableError as error:
        is_cancelled = isinstance(error, TaskError) and error.kind == "Cancelled"
        if not is_cancelled and not client.is_deleted:
            with client:  # What was clicked on may have been drawn anew meanwhile.
                ui.notify(
                    str(error), type="negative", multi_line=True, close_button="Close", timeout=0
                )


def _if_different(redraw: Callable[[], object], seen: Callable[[], object]) -> Callable[[], object]:
    drawn = [seen()]

    def perhaps() -> object:
        if drawn == (now := [seen()]):
            return None
        drawn[:] = now
        return redraw()

    return perhaps


class _Delayed:
    """Draws once, a moment after the first of several changes."""

    def __init__(self, client: Client, redraw: Callable[[], object]) -> None:
        self.client = client
        self._redraw = redraw
        self._is_due = False

    def __call__(self) -> None:
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_later(_SOON, self._draw)

    def _draw(self) -> None:
        self._is_due = False
        if self.client.is_deleted:
            return
        with self.client:
            found = self._redraw()
            if inspect.iscoroutine(found):
                background_tasks.create(self._finish(found))

    async def _finish(self, drawing: Coroutine[object, object, object]) -> None:
        with self.client, notify_errors():
            await drawing


def _end_with(client: Client, ends: list[Callable[[], None]]) -> None:
    client.on_delete(lambda: [end() for end in ends])


@define(eq=False)
class Debounce:
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
        mine = self.begin()
        await asyncio.sleep(self.seconds)
        return self.is_current(mine)

    def begin(self) -> int:
        """Begin something that makes all that was begun before pointless; gives its number."""
        self._last += 1
        return self._last

    def is_current(self, number: int) -> bool:
        """Whether nothing was begun after it."""
        return number == self._last


@define(eq=False)
class PlanBinding:
    """Controls that change something of the plan, and show it.

    What was submitted a moment ago comes back from the plan while the controls change further.
    Shown then, it would reset them, and the changes made meanwhile would be lost.

    Attributes
    ----------
    submit
        Takes what stands in the controls to the plan.
    refresh
        Puts what stands in the plan into the controls.
    """

    submit: Callable[[], Awaitable[None]]
    refresh: Callable[[], None]
    _settling: Debounce = field(factory=Debounce)
    _in_turn: asyncio.Lock = field(factory=asyncio.Lock)
    _under_way: int = 0
    _has_missed: bool = False

    async def changed(self) -> None:
        """Submit a change, as soon as nothing more changes for a moment."""
        self._under_way += 1
        try:
            if await self._settling.is_last():
                async with self._in_turn:
                    await self.submit()
        finally:
            self._under_way -= 1
            if not self._under_way and self._has_missed:
                self._has_missed = False
                self.refresh()

    def plan_changed(self) -> None:
        """Show what is in the plan now, or later if a control is changing."""
        self._has_missed = self._under_way > 0
        if not self._has_missed:
            self.refresh()
