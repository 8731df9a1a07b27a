"""The list of published bundles: what is in them, where they are, whether they hold."""

from __future__ import annotations

from functools import partial

from nicegui import ui
from nicegui.element import Element

from unlinkable.studio.pages.addresses import bundle_address, report_address
from unlinkable.studio.pages.copying import copy_button
from unlinkable.studio.pages.kept_list import Entry, KeptList
from unlinkable.studio.pages.live import told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.publishing.bundle_facts import (
    BundleFacts,
    bundles,
    remember_verified,
)
from unlinkable.studio.pages.said import counted, percent
from unlinkable.studio.project import now
from unlinkable.studio.workbench import Workbench

__all__ = ["bundle_card", "bundle_list"]


def bundle_list(work: Workbench, place: KeptList) -> None:
    """Show all bundles."""
    found = [Entry(f.name, f, partial(bundle_card, work, f)) for f in bundles(work)]
    place.show(found or [Entry("", None, _nothing)])


def _nothing() -> Element:
    return tag("p", "Nothing was published yet.", "studio-quiet")


def bundle_card(work: Workbench, facts: BundleFacts) -> Element:
    """Draw one bundle."""
    with ui.card().classes("w-full gap-2").props("flat bordered") as card:
        with ui.row().classes("items-center justify-between w-full"):
            tag("h3", facts.name, "text-base font-semibold m-0")
            _badge(facts)
        tag("p", _about(facts))
        _problems(facts)
        with ui.row().classes("studio-place items-center gap-1 w-full no-wrap"):
            tag("code", str(facts.folder), "text-xs break-all")
            copy_button(str(facts.folder), f"Copy where {facts.name} is")
        _buttons(work, facts)
    return card


def _badge(facts: BundleFacts) -> None:
    if facts.verified is None:
        icon, colour, words = "help_outline", "muted", "Not checked here yet"
    elif facts.verified["holds"]:
        icon, colour, words = "verified", "text-positive", f"Verified {facts.verified['when'][:10]}"
    else:
        icon, colour, words = "dangerous", "text-negative", "Do not trust it"
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
        f"{counted(records, 'record')} in {counted(groups, 'group')} "
        f"as {facts.format}, {percent(manifest['suppressed'])} left out. Promised: {promises}. "
        f"Made on {str(manifest['created'])[:10]}."
    )


def _problems(facts: BundleFacts) -> None:
    if scope := (facts.verified or {}).get("scope"):
        tag("p", scope, "studio-note")
    for problem in (facts.verified or {}).get("problems", []):
        tag("p", f"Problem: {problem}", "studio-note")


def _buttons(work: Workbench, facts: BundleFacts) -> None:
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
    with ui.context.client, told():  # The button may be drawn anew meanwhile.
        job = work.start("verify", title=f"Verifying {name}", bundle=name)
        found = await job.wait()
        remember_verified(work, name, now(), found)
        if found["holds"]:
            ui.notify(f"{name} is whole, and every promise holds.", type="positive")
        else:
            ui.notify(f"{name} is not what was published: do not trust it.", type="negative")
