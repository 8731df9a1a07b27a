"""Attack: what adversaries could do, with the table as it stands and with a result."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.contracts import Assault
from unlinkable.studio.pages.attacks.comparison import comparison
from unlinkable.studio.pages.attacks.findings import Summaries, findings, limits, not_tried
from unlinkable.studio.pages.attacks.fronts import fresh, fronts, start_both
from unlinkable.studio.pages.chosen import chosen
from unlinkable.studio.pages.live import live, told
from unlinkable.studio.pages.looks import looks
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.workbench import Workbench

__all__ = ["page"]


def page(work: Workbench) -> None:
    """Show what can be attacked, what came of it, and what it does not show."""
    looks()
    tag(
        "p",
        "A promise that was never attacked is a hope. Here you play the adversary: he takes what "
        "is published, adds what he may know of people, and sees of whom he becomes how sure.",
    )

    @ui.refreshable
    def both() -> None:
        start_both(work)

    fronts(work)
    both()
    live(work, both.refresh, on={"attacks", "jobs", "runs", "state"}, seen=lambda: fresh(work))
    _found(work)
    limits()


def _found(work: Workbench) -> None:
    """Show the findings. They are drawn anew only when there are others."""
    summaries = Summaries()
    shown = {"whom": "result"}

    @ui.refreshable
    def found() -> None:
        before, after = _assaults(work)
        if before is not None and after is not None:
            comparison(before, after, f"Result {after['run']}")
        told_of = after or before
        if told_of is None:
            return
        tag("h2", "Findings, the strongest first", "text-lg font-semibold m-0")
        if before is not None and after is not None:
            _switch(shown, after["run"], found.refresh)
            told_of = before if shown["whom"] == "table" else after
        findings(work, told_of, summaries)
        not_tried(told_of)

    async def explain() -> None:
        with told():
            entries = await work.entries("attack")
            summaries.learn({entry["name"]: entry["summary"] for entry in entries})

    found()
    ui.timer(0.1, explain, once=True)
    live(work, found.refresh, on={"attacks", "runs", "state"}, seen=lambda: _assaults(work))


def _switch(shown: dict[str, str], run: int | None, redraw: object) -> None:
    """Let the findings on the other one be read, too."""

    def switch(whom: str) -> None:
        shown["whom"] = whom
        assert callable(redraw)
        redraw()

    names = {"result": f"On result {run}", "table": "On the table as it stands"}
    ui.radio(names, value=shown["whom"], on_change=lambda e: switch(e.value)).props(
        'inline aria-label="Findings to read"'
    )


def _assaults(work: Workbench) -> tuple[Assault | None, Assault | None]:
    outcome = chosen(work)
    return work.assault(None), None if outcome is None else work.assault(outcome["run"])
