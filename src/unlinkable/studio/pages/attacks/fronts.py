"""What can be attacked: the table as it stands, and the result that was chosen."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from unlinkable.studio.contracts import Assault
from unlinkable.studio.job import Job
from unlinkable.studio.pages.attacks.words import verdict
from unlinkable.studio.pages.chosen import choose, chosen, result_name
from unlinkable.studio.pages.live import live, told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.under_way import progress
from unlinkable.studio.workbench import Workbench

__all__ = ["SECONDS", "fresh", "fronts", "is_outdated", "start_both", "under_way"]

SECONDS = 5.0
"""How long an attack may try that could go on for ever."""


def under_way(work: Workbench, run: int | None) -> Job | None:
    """Find the attacks that are being tried on a run, or on the table."""
    found = (job for job in work.jobs() if job.task == "attack" and not job.is_over)
    return next((job for job in found if job.arguments["run"] == run), None)


def is_outdated(work: Workbench, assault: Assault) -> bool:
    """Whether roles, taxonomies or data have changed since the table was attacked."""
    made = assault.get("plan")
    now = work.plan or {}
    if not isinstance(made, dict) or assault["run"] is not None:
        return False
    return any(made.get(part) != now.get(part) for part in ("data", "columns"))


def fronts(work: Workbench) -> None:
    """Show both, with what came of the last attacks, and buttons to attack."""
    with ui.element("div").classes("grid grid-cols-1 md:grid-cols-2 gap-4 w-full"):
        for draw, look in ((_table, _table_now), (_result, _result_now)):
            card = ui.card().classes("w-full gap-2").props("flat bordered")
            _kept(work, card, draw, look)


def _kept(
    work: Workbench,
    card: ui.card,
    draw: Callable[[Workbench], None],
    look: Callable[[Workbench], object],
) -> None:
    """Keep a card up to date.

    It is drawn anew only if it would look different: no button is replaced under a finger.
    """

    def redraw() -> None:
        card.clear()
        with card:
            draw(work)

    redraw()
    on = {"attacks", "jobs", "runs", "state", "plan"}
    live(work, redraw, on=on, seen=lambda: look(work))


def _table_now(work: Workbench) -> object:
    return _now(work, None)


def _result_now(work: Workbench) -> object:
    outcome = chosen(work)
    runs = [o["run"] for o in work.runs()]
    return None if outcome is None else (_now(work, outcome["run"]), outcome.get("is_stale"), runs)


def _now(work: Workbench, run: int | None) -> object:
    job, assault = under_way(work, run), work.assault(run)
    if assault is None:
        return run, job and job.key
    return run, job and job.key, assault["summary"], is_outdated(work, assault)


def _table(work: Workbench) -> None:
    tag("h2", "The table as it stands", "text-lg font-semibold m-0")
    tag("p", "What an adversary could do if you published it without any change.")
    _state(work, None, "the table as it stands")


def _result(work: Workbench) -> None:
    tag("h2", "The result you chose", "text-lg font-semibold m-0")
    outcome = chosen(work)
    if outcome is None:
        tag("p", "There is no result yet. Make one under Explore, then come back.")
        ui.link("Go to Explore", f"/project/{work.project.key}/explore")
        return
    _choice(work, outcome["run"])
    if outcome.get("is_stale"):
        words = "This result was made before the last changes of data, roles or promises."
        tag("p", words, "studio-note")
    _state(work, outcome["run"], f"result {outcome['run']}")


def _choice(work: Workbench, now: int) -> None:
    names = {outcome["run"]: result_name(outcome) for outcome in reversed(work.runs())}
    ui.select(
        names, value=now, label="Result to attack", on_change=lambda e: choose(work, int(e.value))
    ).classes("w-full").props("outlined dense options-dense")


def _state(work: Workbench, run: int | None, whom: str) -> None:
    """Show what came of the last attacks, or how far the present ones are."""
    job, assault = under_way(work, run), work.assault(run)
    if job is not None:
        tag("p", f"Trying all attacks that apply on {whom}.")
        progress(work, job, f"attacks on {whom}")
        return
    if assault is not None:
        _verdict(work, assault, whom)
    again = "Attack again" if assault is not None else f"Attack {whom}"
    button = ui.button(again, icon="bolt", on_click=lambda: _start(work, run))
    button.props(f'no-caps outline aria-label="Attack {whom}"')


def _verdict(work: Workbench, assault: Assault, whom: str) -> None:
    somebody, line, sentence = verdict(assault, whom)
    with ui.row().classes("items-center gap-2 no-wrap"):
        ui.icon("warning" if somebody else "shield").classes(
            f"text-2xl {'text-negative' if somebody else 'text-positive'}"
        ).props("aria-hidden=true")
        tag("strong", line)
    tag("p", sentence)
    if is_outdated(work, assault):
        tag("p", "Roles or data have changed since: attack again.", "studio-note")


def fresh(work: Workbench) -> int | None:
    """Give the result to go on with, if neither it nor the table was attacked yet."""
    outcome = chosen(work)
    runs = (None, None if outcome is None else outcome["run"])
    if any(work.assault(run) or under_way(work, run) for run in runs):
        return None
    return runs[1]


def start_both(work: Workbench) -> None:
    """Offer to attack both at once, if neither was attacked yet."""
    if (run := fresh(work)) is None:
        return

    def start() -> None:
        _start(work, None)
        _start(work, run)

    button = ui.button("Attack both, and compare", icon="compare_arrows", on_click=start)
    button.props("no-caps unelevated")


def _start(work: Workbench, run: int | None) -> None:
    with told():
        if under_way(work, run) is None:
            work.attack(run, seconds=SECONDS)
