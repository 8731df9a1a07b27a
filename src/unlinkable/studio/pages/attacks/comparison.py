"""Before and after: the same attacks on the table and on the result."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.contracts import Assault, Document
from unlinkable.studio.pages.attacks.meter import meter
from unlinkable.studio.pages.attacks.words import how_far, may_succeed, name_of, title_of
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.scrolling import scrolled

__all__ = ["change", "comparison", "sides"]

Side = Document | str | None
"""What came of an attack, why it was not tried, or None if nothing is known of it."""


def sides(before: Assault, after: Assault) -> list[tuple[str, Side, Side]]:
    """Put both outcomes of every attack side by side, the strongest on the result first."""
    told = [_by_name(after), _by_name(before)]
    names = list(dict.fromkeys(name for side in told for name in side))
    tried = [n for n in names if any(isinstance(side.get(n), dict) for side in told)]
    return [(name, told[1].get(name), told[0].get(name)) for name in tried]


def _by_name(assault: Assault) -> dict[str, Side]:
    found: dict[str, Side] = {name_of(o["attack"]): o for o in assault["attacks"]["attacks"]}
    return found | {name_of(s["attack"]): s["why"] for s in assault["attacks"]["skipped"]}


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


def comparison(before: Assault, after: Assault, name: str) -> None:
    """Draw the table."""
    tag("h2", "Before and after", "text-lg font-semibold m-0")
    tag("p", "How many people fall, and how far an adversary gets with the one he is surest of.")
    with scrolled("Before and after"), ui.element("table") as table:
        table.classes("w-full text-left studio-table studio-stacked")
        tag("caption", f"Attacks on the table as it stands and on {name}", "sr-only")
        with ui.element("thead"), ui.element("tr"):
            for title in ("Attack", "Table as it stands", name, "What changed"):
                tag("th", title, "py-2 pr-4").props("scope=col")
        with ui.element("tbody"):
            for attack, was, now in sides(before, after):
                with ui.element("tr").classes("align-top"):
                    tag("th", title_of(attack), "py-2 pr-4 font-medium").props("scope=row")
                    _cell(was, "Table as it stands")
                    _cell(now, name)
                    tag("td", change(was, now), "py-2").props('data-title="What changed"')


def _cell(side: Side, title: str) -> None:
    cell = ui.element("td").classes("py-2 pr-4 min-w-[7rem]").props(f'data-title="{title}"')
    with cell:
        if not isinstance(side, dict):
            tag("span", "not tried", "text-sm").tooltip(side or "it was not tried here")
            return
        tag("div", _people(side), "font-medium")
        meter(side)
        tag("div", how_far(side), "text-sm")


def _people(outcome: Document) -> str:
    count, tried = int(outcome["succeeded"]), int(outcome["attacked"])
    nobody = "nobody for certain" if may_succeed(outcome) else "nobody"
    return f"{count:,} of {tried:,}" if count else nobody
