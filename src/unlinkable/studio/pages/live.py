"""Live: pages that stay up to date, and that say what went wrong."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager

from nicegui import Client, background_tasks, ui

from unlinkable.errors import UnlinkableError
from unlinkable.studio.errors import TaskError
from unlinkable.studio.job import Job
from unlinkable.studio.workbench import Workbench

__all__ = ["live", "live_jobs", "told"]

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
        no button is replaced under a finger and no form under somebody who fills it in.
    """
    soon = _Soon(ui.context.client, redraw if seen is None else _if_other(redraw, seen))
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
def told() -> Iterator[None]:
    """Tell people what was refused, instead of failing.

    What was cancelled is not worth a word. Use it as ``with told(): await work.set_role(...)``.
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


def _if_other(redraw: Callable[[], object], seen: Callable[[], object]) -> Callable[[], object]:
    drawn = [seen()]

    def perhaps() -> object:
        if drawn == (now := [seen()]):
            return None
        drawn[:] = now
        return redraw()

    return perhaps


class _Soon:
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
        with self.client, told():
            await drawing


def _end_with(client: Client, ends: list[Callable[[], None]]) -> None:
    client.on_delete(lambda: [end() for end in ends])
