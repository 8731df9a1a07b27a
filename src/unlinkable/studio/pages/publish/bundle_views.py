"""Bundles on the page: the form that publishes one, and the list of those that are published."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from urllib.parse import quote

from attrs import define, frozen
from nicegui import ui
from nicegui.element import Element

from unlinkable.containment import find_file, read_file
from unlinkable.errors import BundleError
from unlinkable.spelling import quantity
from unlinkable.studio.contracts import Document, Outcome
from unlinkable.studio.pages.attack.attack_findings import may_succeed
from unlinkable.studio.pages.elements import ListEntry, StableList, copy_button, tag
from unlinkable.studio.pages.formatting import percent, result_name
from unlinkable.studio.pages.live import notify_errors
from unlinkable.studio.project import now
from unlinkable.studio.workbench import Workbench

__all__ = [
    "BundleFacts",
    "Draft",
    "before_you_publish",
    "bundle_address",
    "bundle_card",
    "bundle_facts",
    "bundle_form",
    "bundle_list",
    "free_name",
    "list_bundles",
    "remember_verified",
    "report_address",
]


def bundle_address(work: Workbench, name: str) -> str:
    """Say where the public half of a bundle is, as a ZIP archive."""
    return f"{_home(work)}/bundles/{quote(name, safe='')}"


def report_address(work: Workbench, name: str, *, half: str = "public") -> str:
    """Say where the report of a bundle is."""
    return f"{bundle_address(work, name)}/report?half={half}"


def _home(work: Workbench) -> str:
    return f"/api/v1/projects/{quote(work.project.key)}"


_VERIFIED = "verified"


@frozen
class BundleFacts:
    """One published bundle.

    Attributes
    ----------
    name
        Its folder below ``bundles/``; ``history/001`` if it belongs to a series.
    folder
        Where it is on this machine.
    manifest
        ``public/release.json``; empty if that cannot be read.
    has_report
        Whether the report for recipients is in it.
    verified
        ``{"when", "holds", "problems", "scope"}`` of the last check, or None.
    """

    name: str
    folder: Path
    manifest: Document
    has_report: bool
    verified: Document | None

    @property
    def format(self) -> str:
        """The format of the published table."""
        names = [str(file["name"]) for file in self.manifest.get("files", [])]
        return "Parquet" if any(name.endswith(".parquet") for name in names) else "CSV"

    @property
    def promises(self) -> list[str]:
        """What is promised, in written form."""
        return [str(model["model"]) for model in self.manifest.get("models", [])]


def bundle_facts(work: Workbench, name: str) -> BundleFacts:
    """Look into a bundle."""
    folder = work.project.bundles / name
    manifest = _manifest(folder / "public")
    return BundleFacts(
        name=name,
        folder=folder,
        manifest=manifest,
        has_report=_has_report(folder / "public"),
        verified=_verified(work).get(name),
    )


def _manifest(public: Path) -> Document:
    try:
        found = json.loads(read_file(public, "release.json"))
    except (BundleError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _has_report(public: Path) -> bool:
    try:
        return find_file(public, "report.html").is_file()
    except BundleError:
        return False


def list_bundles(work: Workbench) -> list[BundleFacts]:
    """Look into all bundles, the one that was written last first."""
    found = [bundle_facts(work, name) for name in work.project.bundle_names()]
    return sorted(found, key=lambda facts: facts.folder.stat().st_ctime, reverse=True)


def free_name(work: Workbench) -> str:
    """Propose a name that no bundle has yet."""
    taken = set(work.project.bundle_names())
    names = ("release" if n == 1 else f"release-{n}" for n in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def remember_verified(work: Workbench, name: str, when: str, document: Document) -> None:
    """Keep what came of a check, for all tabs."""
    told = {
        "when": when,
        "holds": bool(document["holds"]),
        "problems": list(document.get("problems", [])),
        "scope": str(document.get("scope", "")),
    }
    work.project.remember(**{_VERIFIED: {**_verified(work), name: told}})


def _verified(work: Workbench) -> Document:
    found = work.project.state.get(_VERIFIED)
    return found if isinstance(found, dict) else {}


_FORMATS = {"csv": "CSV: opens everywhere", "parquet": "Parquet: smaller, keeps types"}


def before_you_publish(work: Workbench, outcome: Outcome) -> list[tuple[bool, str]]:
    """List what is to be looked at before a result goes out: whether it is fine, and words."""
    release = outcome["release"]
    records, left_out = quantity(release["records"], "record"), f"{release['suppressed']:,}"
    checks = [
        (bool(m["holds"]), f"{m['model']}: {'holds' if m['holds'] else 'DOES NOT HOLD'}")
        for m in release["models"]
    ]
    checks = checks or [(False, "Nothing is promised about this result.")]
    checks.append((True, f"{records} published, {left_out} suppressed."))
    if outcome.get("is_stale"):
        checks.append((False, "Data, roles or promises have changed since this result was made."))
    return [*checks, _attacked(work, outcome["run"])]


def _attacked(work: Workbench, run: int) -> tuple[bool, str]:
    suite = work.attack_suite(run)
    if suite is None:
        return False, "This result was not attacked yet."
    outcomes = suite["attacks"]["attacks"]
    strong, tried = [o for o in outcomes if o["succeeded"]], len(outcomes)
    if strong:
        return False, f"{len(strong)} of {tried} attacks succeed: see the page Attack."
    if n_open := sum(map(may_succeed, outcomes)):
        return False, f"{n_open} of {tried} attacks may succeed: see the page Attack."
    return True, f"All of {tried} attacks were resisted."


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
            on_change=lambda e: work.choose_run(int(e.value)),
        ).props("outlined dense").classes("w-full")
        if draft.name in work.project.bundle_names():
            draft.name = None  # That one is published.
        name = ui.input("Name of the bundle", value=draft.name or free_name(work))
        name.props("outlined dense").classes("w-full")
        name.on_value_change(lambda e: setattr(draft, "name", e.value))
    _draw_checklist(work, outcome)
    with ui.row().classes("items-center gap-3"):
        button = ui.button("Publish as a bundle", icon="inventory_2").props("no-caps unelevated")
        tag(
            "span", f"as {_format_of(outcome)}, verified before it is there", "text-sm studio-quiet"
        )
    button.on_click(lambda: _publish(work, outcome["run"], name.value or ""))
    _draw_formats(work)


def _draw_checklist(work: Workbench, outcome: Outcome) -> None:
    with ui.element("ul").classes("list-none p-0 m-0 flex flex-col gap-1"):
        for fine, words in before_you_publish(work, outcome):
            with ui.element("li").classes("row no-wrap items-start gap-2"):
                ui.icon("check_circle" if fine else "error_outline").classes(
                    f"text-xl {'text-positive' if fine else 'text-warning'}"
                ).props(f'role=img aria-label="{"fine" if fine else "look at this"}"')
                tag("span", words)


def _format_of(outcome: Outcome) -> str:
    return str((outcome["plan"].get("release") or {}).get("format", "csv")).upper()


def _draw_formats(work: Workbench) -> None:
    """Let the format of later results be chosen: a bundle is what was explored, byte by byte."""

    async def change(value: str) -> None:
        with notify_errors():
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
    with notify_errors():
        if not name.strip():
            ui.notify("Give the bundle a name.", type="warning")
            return
        job = work.publish(run, name)
        with client, notify_errors():
            found = await job.wait()
            remember_verified(work, found["name"], now(), found["document"])
            ui.notify(f"Published and verified: {found['name']}", type="positive")


def bundle_list(work: Workbench, place: StableList) -> None:
    """Show all bundles."""
    found = [ListEntry(f.name, f, partial(bundle_card, work, f)) for f in list_bundles(work)]
    place.show(found or [ListEntry("", None, _draw_nothing)])


def _draw_nothing() -> Element:
    return tag("p", "Nothing was published yet.", "studio-quiet")


def bundle_card(work: Workbench, facts: BundleFacts) -> Element:
    """Draw one bundle."""
    with ui.card().classes("w-full gap-2").props("flat bordered") as card:
        with ui.row().classes("items-center justify-between w-full"):
            tag("h3", facts.name, "text-base font-semibold m-0")
            _draw_badge(facts)
        tag("p", _about(facts))
        _draw_problems(facts)
        with ui.row().classes("studio-place items-center gap-1 w-full no-wrap"):
            tag("code", str(facts.folder), "text-xs break-all")
            copy_button(str(facts.folder), f"Copy where {facts.name} is")
        _draw_buttons(work, facts)
    return card


def _draw_badge(facts: BundleFacts) -> None:
    if facts.verified is None:
        icon, colour, words = "help_outline", "muted", "Not checked here yet"
    elif facts.verified["holds"]:
        icon, colour, words = "verified", "text-positive", f"Verified {facts.verified['when'][:10]}"
    else:
        icon, colour, words = "dangerous", "text-negative", "Not trustworthy"
    with ui.row().classes("items-center gap-1 no-wrap"):
        ui.icon(icon).classes(f"text-xl {colour}").props("aria-hidden=true")
        tag("span", words, "font-medium")


def _about(facts: BundleFacts) -> str:
    manifest = facts.manifest
    if not manifest:
        return "Its manifest cannot be read."
    promises = ", ".join(facts.promises) or "nothing"
    records, groups = int(manifest["records"]), int(manifest["groups"])
    return (
        f"{quantity(records, 'record')} in {quantity(groups, 'group')} "
        f"as {facts.format}, {percent(manifest['suppressed'])} suppressed. Promised: {promises}. "
        f"Made on {str(manifest['created'])[:10]}."
    )


def _draw_problems(facts: BundleFacts) -> None:
    if scope := (facts.verified or {}).get("scope"):
        tag("p", scope, "studio-note")
    for problem in (facts.verified or {}).get("problems", []):
        tag("p", f"Problem: {problem}", "studio-note")


def _draw_buttons(work: Workbench, facts: BundleFacts) -> None:
    report = report_address(work, facts.name)
    with ui.row().classes("gap-2"):
        _link("Download for recipients", "download", bundle_address(work, facts.name), "download")
        if facts.has_report:
            _link("Open the report", "open_in_new", report, "target=_blank")
            _link("Download the report", "description", f"{report}&download=1", "download")
        ui.button(
            "Verify again", icon="fact_check", on_click=lambda: _verify(work, facts.name)
        ).props(f'no-caps outline aria-label="Verify {facts.name} again"')


def _link(text: str, icon: str, address: str, how: str) -> None:
    ui.button(text, icon=icon).props(f'no-caps outline href="{address}" {how}')


async def _verify(work: Workbench, name: str) -> None:
    with ui.context.client, notify_errors():  # The button may be drawn anew meanwhile.
        job = work.start("verify", title=f"Verifying {name}", bundle=name)
        found = await job.wait()
        remember_verified(work, name, now(), found)
        if found["holds"]:
            ui.notify(f"{name} is unchanged, and every promise holds.", type="positive")
        else:
            ui.notify(
                f"{name} was changed since it was published: do not trust it.", type="negative"
            )
