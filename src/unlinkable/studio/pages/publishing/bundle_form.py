"""The form that publishes a result as a bundle."""

from __future__ import annotations

from attrs import define
from nicegui import ui

from unlinkable.studio.contracts import Outcome
from unlinkable.studio.pages.attacks.words import may_succeed
from unlinkable.studio.pages.chosen import choose, result_name
from unlinkable.studio.pages.live import told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.publishing.bundle_facts import free_name, remember_verified
from unlinkable.studio.pages.said import counted
from unlinkable.studio.project import now
from unlinkable.studio.workbench import Workbench

__all__ = ["Draft", "before_you_publish", "bundle_form"]

_FORMATS = {"csv": "CSV: opens everywhere", "parquet": "Parquet: smaller, keeps types"}


def before_you_publish(work: Workbench, outcome: Outcome) -> list[tuple[bool, str]]:
    """List what is to be looked at before a result goes out: whether it is fine, and words."""
    release = outcome["release"]
    records, left_out = counted(release["records"], "record"), f"{release['suppressed']:,}"
    checks = [
        (bool(m["holds"]), f"{m['model']}: {'holds' if m['holds'] else 'DOES NOT HOLD'}")
        for m in release["models"]
    ]
    checks = checks or [(False, "Nothing is promised about this result.")]
    checks.append((True, f"{records} published, {left_out} left out."))
    if outcome.get("is_stale"):
        checks.append((False, "Data, roles or promises have changed since this result was made."))
    return [*checks, _attacked(work, outcome["run"])]


def _attacked(work: Workbench, run: int) -> tuple[bool, str]:
    assault = work.assault(run)
    if assault is None:
        return False, "This result was not attacked yet."
    outcomes = assault["attacks"]["attacks"]
    strong, tried = [o for o in outcomes if o["succeeded"]], len(outcomes)
    if strong:
        return False, f"{len(strong)} of {tried} attacks succeed: read under Attack against whom."
    if n_open := sum(map(may_succeed, outcomes)):
        return False, f"{n_open} of {tried} attacks may succeed: read under Attack against whom."
    return True, f"All of {tried} attacks were withstood."


@define
class Draft:
    """What somebody has filled in: it stays when the form is drawn anew.

    Attributes
    ----------
    name
        What the bundle is to be called; None if nobody has said it.
    """

    name: str | None = None


def bundle_form(work: Workbench, outcome: Outcome, draft: Draft) -> None:
    """Draw the form."""
    runs = {o["run"]: result_name(o) for o in reversed(work.runs())}
    with ui.element("div").classes("grid grid-cols-1 md:grid-cols-2 gap-4 w-full"):
        ui.select(
            runs,
            value=outcome["run"],
            label="Result to publish",
            on_change=lambda e: choose(work, int(e.value)),
        ).props("outlined dense").classes("w-full")
        if draft.name in work.project.bundle_names():
            draft.name = None  # That one is published.
        name = ui.input("Name of the bundle", value=draft.name or free_name(work))
        name.props("outlined dense").classes("w-full")
        name.on_value_change(lambda e: setattr(draft, "name", e.value))
    _checklist(work, outcome)
    with ui.row().classes("items-center gap-3"):
        button = ui.button("Publish as a bundle", icon="inventory_2").props("no-caps unelevated")
        tag(
            "span", f"as {_format_of(outcome)}, verified before it is there", "text-sm studio-quiet"
        )
    button.on_click(lambda: _publish(work, outcome["run"], name.value or ""))
    _formats(work)


def _checklist(work: Workbench, outcome: Outcome) -> None:
    with ui.element("ul").classes("list-none p-0 m-0 flex flex-col gap-1"):
        for fine, words in before_you_publish(work, outcome):
            with ui.element("li").classes("row no-wrap items-start gap-2"):
                ui.icon("check_circle" if fine else "error_outline").classes(
                    f"text-xl {'text-positive' if fine else 'text-warning'}"
                ).props(f'role=img aria-label="{"fine" if fine else "look at this"}"')
                tag("span", words)


def _format_of(outcome: Outcome) -> str:
    return str((outcome["plan"].get("release") or {}).get("format", "csv")).upper()


def _formats(work: Workbench) -> None:
    """Let the format of later results be chosen: a bundle is what was explored, byte by byte."""

    async def change(value: str) -> None:
        with told():
            await work.edit({"set": ["release", "format"], "to": value})

    now_ = str(((work.plan or {}).get("release") or {}).get("format", "csv"))
    with ui.expansion("File format of results made from now on").classes("w-full").props("dense"):
        ui.radio(_FORMATS, value=now_, on_change=lambda e: change(e.value)).props(
            'aria-label="File format"'
        )
        tag("p", "A bundle holds exactly the files that were made and checked with its result. To "
            "publish one in another format, choose it here and run the method again.")  # fmt: skip


async def _publish(work: Workbench, run: int, name: str) -> None:
    client = ui.context.client  # The button is drawn anew meanwhile.
    with told():
        if not name.strip():
            ui.notify("Give the bundle a name.", type="warning")
            return
        job = work.publish(run, name)
        with client, told():
            found = await job.wait()
            remember_verified(work, found["name"], now(), found["document"])
            ui.notify(f"Published and verified: {found['name']}", type="positive")
