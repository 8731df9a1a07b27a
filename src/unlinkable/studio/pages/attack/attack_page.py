"""The page Attack: what adversaries could do, with the table as it stands and with a result."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from unlinkable.studio.contracts import AttackSuite, Document
from unlinkable.studio.jobs import Job
from unlinkable.studio.pages.attack.attack_findings import (
    SECONDS,
    Summaries,
    attack_verdict,
    confidence_words,
    draw_findings,
    draw_limits,
    draw_meter,
    draw_skipped,
    may_succeed,
    name_of,
    title_of,
)
from unlinkable.studio.pages.elements import job_progress, scroll_area, tag
from unlinkable.studio.pages.formatting import result_name
from unlinkable.studio.pages.live import live, notify_errors
from unlinkable.studio.workbench import Workbench

__all__ = [
    "change",
    "is_outdated",
    "page",
    "running_attack",
    "sides",
    "unattacked_run",
]


def page(work: Workbench) -> None:
    """Show what can be attacked, what came of it, and what it does not show."""
    tag(
        "p",
        "Test your promises before others do. Here you act as the adversary, who combines what is "
        "published with background knowledge about people.",
    )

    @ui.refreshable
    def both() -> None:
        _draw_start_both(work)

    _draw_targets(work)
    both()
    live(
        work,
        both.refresh,
        on={"attacks", "jobs", "runs", "state"},
        seen=lambda: unattacked_run(work),
    )
    _draw_findings(work)
    draw_limits()


def _draw_findings(work: Workbench) -> None:
    """Show the findings. They are drawn anew only when there are others."""
    summaries = Summaries()
    shown = {"whom": "result"}

    @ui.refreshable
    def found() -> None:
        before, after = _suites(work)
        if before is not None and after is not None:
            _draw_comparison(before, after, f"Result {after['run']}")
        told_of = after or before
        if told_of is None:
            return
        tag("h2", "Findings, the strongest first", "text-lg font-semibold m-0")
        if before is not None and after is not None:
            _switch(shown, after["run"], found.refresh)
            told_of = before if shown["whom"] == "table" else after
        draw_findings(work, told_of, summaries)
        draw_skipped(told_of)

    async def explain() -> None:
        with notify_errors():
            entries = await work.entries("attack")
            summaries.learn({entry["name"]: entry["summary"] for entry in entries})

    found()
    ui.timer(0.1, explain, once=True)
    live(work, found.refresh, on={"attacks", "runs", "state"}, seen=lambda: _suites(work))


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


def _suites(work: Workbench) -> tuple[AttackSuite | None, AttackSuite | None]:
    outcome = work.chosen_run()
    return work.attack_suite(None), None if outcome is None else work.attack_suite(outcome["run"])


def running_attack(work: Workbench, run: int | None) -> Job | None:
    """Find the attacks that are being tried on a run, or on the table."""
    found = (job for job in work.jobs() if job.task == "attack" and not job.is_over)
    return next((job for job in found if job.arguments["run"] == run), None)


def is_outdated(work: Workbench, suite: AttackSuite) -> bool:
    """Whether roles, taxonomies or data have changed since the table was attacked."""
    made = suite.get("plan")
    now = work.plan or {}
    if not isinstance(made, dict) or suite["run"] is not None:
        return False
    return any(made.get(part) != now.get(part) for part in ("data", "columns"))


def _draw_targets(work: Workbench) -> None:
    """Show both, with what came of the last attacks, and buttons to attack."""
    with ui.element("div").classes("grid grid-cols-1 md:grid-cols-2 gap-4 w-full"):
        for draw, look in ((_draw_table, _table_now), (_draw_result, _result_now)):
            card = ui.card().classes("w-full gap-2").props("flat bordered")
            _draw_card(work, card, draw, look)


def _draw_card(
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
    outcome = work.chosen_run()
    runs = [o["run"] for o in work.runs()]
    return None if outcome is None else (_now(work, outcome["run"]), outcome.get("is_stale"), runs)


def _now(work: Workbench, run: int | None) -> object:
    job, suite = running_attack(work, run), work.attack_suite(run)
    if suite is None:
        return run, job and job.key
    return run, job and job.key, suite["summary"], is_outdated(work, suite)


def _draw_table(work: Workbench) -> None:
    tag("h2", "The table as it stands", "text-lg font-semibold m-0")
    tag("p", "What an adversary could do if you published it unchanged.")
    _draw_state(work, None, "the table as it stands")


def _draw_result(work: Workbench) -> None:
    tag("h2", "The result you chose", "text-lg font-semibold m-0")
    outcome = work.chosen_run()
    if outcome is None:
        tag("p", "There is no result yet. Make one under Explore, then come back.")
        ui.link("Go to Explore", f"/project/{work.project.key}/explore")
        return
    _choice(work, outcome["run"])
    if outcome.get("is_stale"):
        words = "This result was made before the last changes of data, roles or promises."
        tag("p", words, "studio-note")
    _draw_state(work, outcome["run"], f"result {outcome['run']}")


def _choice(work: Workbench, now: int) -> None:
    names = {outcome["run"]: result_name(outcome) for outcome in reversed(work.runs())}
    ui.select(
        names,
        value=now,
        label="Result to attack",
        on_change=lambda e: work.choose_run(int(e.value)),
    ).classes("w-full").props("outlined dense options-dense")


def _draw_state(work: Workbench, run: int | None, whom: str) -> None:
    """Show what came of the last attacks, or how far the present ones are."""
    job, suite = running_attack(work, run), work.attack_suite(run)
    if job is not None:
        tag("p", f"Trying all attacks that apply on {whom}.")
        job_progress(work, job, f"attacks on {whom}")
        return
    if suite is not None:
        _draw_verdict(work, suite, whom)
    again = "Attack again" if suite is not None else f"Attack {whom}"
    button = ui.button(again, icon="bolt", on_click=lambda: _start(work, run))
    button.props(f'no-caps outline aria-label="Attack {whom}"')


def _draw_verdict(work: Workbench, suite: AttackSuite, whom: str) -> None:
    somebody, line, sentence = attack_verdict(suite, whom)
    with ui.row().classes("items-center gap-2 no-wrap"):
        ui.icon("warning" if somebody else "shield").classes(
            f"text-2xl {'text-negative' if somebody else 'text-positive'}"
        ).props("aria-hidden=true")
        tag("strong", line)
    tag("p", sentence)
    if is_outdated(work, suite):
        tag("p", "Roles or data have changed since: attack again.", "studio-note")


def unattacked_run(work: Workbench) -> int | None:
    """Give the result to go on with, if neither it nor the table was attacked yet."""
    outcome = work.chosen_run()
    runs = (None, None if outcome is None else outcome["run"])
    if any(work.attack_suite(run) or running_attack(work, run) for run in runs):
        return None
    return runs[1]


def _draw_start_both(work: Workbench) -> None:
    """Offer to attack both at once, if neither was attacked yet."""
    if (run := unattacked_run(work)) is None:
        return

    def start() -> None:
        _start(work, None)
        _start(work, run)

    button = ui.button("Attack both, and compare", icon="compare_arrows", on_click=start)
    button.props("no-caps unelevated")


def _start(work: Workbench, run: int | None) -> None:
    with notify_errors():
        if running_attack(work, run) is None:
            work.attack(run, seconds=SECONDS)


Side = Document | str | None
"""What came of an attack, why it was not tried, or None if nothing is known of it."""


def sides(before: AttackSuite, after: AttackSuite) -> list[tuple[str, Side, Side]]:
    """Put both outcomes of every attack side by side, the strongest on the result first."""
    told = [_by_name(after), _by_name(before)]
    names = list(dict.fromkeys(name for side in told for name in side))
    tried = [n for n in names if any(isinstance(side.get(n), dict) for side in told)]
    return [(name, told[1].get(name), told[0].get(name)) for name in tried]


def _by_name(suite: AttackSuite) -> dict[str, Side]:
    found: dict[str, Side] = {name_of(o["attack"]): o for o in suite["attacks"]["attacks"]}
    return found | {name_of(s["attack"]): s["why"] for s in suite["attacks"]["skipped"]}


def change(before: Side, after: Side) -> str:
    """Say what the result changed."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return "cannot be compared"
    was, now = int(before["succeeded"]), int(after["succeeded"])
    if was and not now:
        return "not stopped for certain" if may_succeed(after) else "stopped"
    if now < was:
        return f"{was - now:,} people fewer"
    if now > was:
        return f"{now - was:,} people more"
    return "no change" if now else "nobody, before and after"


def _draw_comparison(before: AttackSuite, after: AttackSuite, name: str) -> None:
    """Draw the table."""
    tag("h2", "Before and after", "text-lg font-semibold m-0")
    tag("p", "How many people are exposed, and the highest confidence of the adversary.")
    with scroll_area("Before and after"), ui.element("table") as table:
        table.classes("w-full text-left studio-table studio-stacked")
        tag("caption", f"Attacks on the table as it stands and on {name}", "sr-only")
        with ui.element("thead"), ui.element("tr"):
            for title in ("Attack", "Table as it stands", name, "What changed"):
                tag("th", title, "py-2 pr-4").props("scope=col")
        with ui.element("tbody"):
            for attack, was, now in sides(before, after):
                with ui.element("tr").classes("align-top"):
                    tag("th", title_of(attack), "py-2 pr-4 font-medium").props("scope=row")
                    _draw_cell(was, "Table as it stands")
                    _draw_cell(now, name)
                    tag("td", change(was, now), "py-2").props('data-title="What changed"')


def _draw_cell(side: Side, title: str) -> None:
    cell = ui.element("td").classes("py-2 pr-4 min-w-[7rem]").props(f'data-title="{title}"')
    with cell:
        if not isinstance(side, dict):
            tag("span", "not tried", "text-sm").tooltip(side or "it was not tried here")
            return
        tag("div", _people(side), "font-medium")
        draw_meter(side)
        tag("div", confidence_words(side), "text-sm")


def _people(outcome: Document) -> str:
    count, tried = int(outcome["succeeded"]), int(outcome["attacked"])
    nobody = "nobody for certain" if may_succeed(outcome) else "nobody"
    return f"{count:,} of {tried:,}" if count else nobody
