"""Findings: what every attack came to, the strongest first."""

from __future__ import annotations

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from unlinkable.studio.contracts import Assault, Document
from unlinkable.studio.pages.attacks.fronts import SECONDS
from unlinkable.studio.pages.attacks.meter import meter
from unlinkable.studio.pages.attacks.people import people
from unlinkable.studio.pages.attacks.words import (
    fallen,
    how_far,
    may_succeed,
    reason,
    sentence,
    title_of,
    word_for,
)
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.said import percent
from unlinkable.studio.workbench import Workbench

__all__ = ["Summaries", "findings", "limits", "not_tried"]


class Summaries:
    """What every attack does, in a sentence; told as soon as it is known, without drawing anew."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._places: list[tuple[str, TextElement]] = []

    def show(self, name: str, place: TextElement) -> None:
        """Put the sentence on an attack into a place, now or later."""
        self._places.append((name, place))
        place.set_text(self._known.get(name, ""))

    def learn(self, known: dict[str, str]) -> None:
        """Take what is known now, and put it where it is missing."""
        self._known = known
        self._places = [(name, place) for name, place in self._places if not place.is_deleted]
        for name, place in self._places:
            place.set_text(known.get(name, ""))


def findings(work: Workbench, assault: Assault, summaries: Summaries) -> None:
    """List all attacks that were tried; the strongest is open."""
    outcomes = assault["attacks"]["attacks"]
    if (doubt := assault["attacks"]["doubt"]) is not None:
        tag("p", f"Read with care: {doubt}.", "studio-note")
    for place, outcome in enumerate(outcomes):
        _finding(work, outcome, summaries, is_open=place == 0 and bool(outcome["succeeded"]))


def _finding(work: Workbench, outcome: Document, summaries: Summaries, *, is_open: bool) -> None:
    is_feared = bool(outcome["succeeded"]) or may_succeed(outcome)
    title, word = title_of(outcome["attack"]), word_for(outcome)
    box = ui.expansion(value=is_open).classes("w-full studio-box")
    box.props(f'header-class="items-center" aria-label="{word}: {title}"')
    with (
        box.add_slot("header"),
        ui.element("div").classes("row no-wrap items-center gap-3 w-full"),
    ):
        ui.icon("warning" if is_feared else "shield").classes(
            f"text-xl {'text-negative' if is_feared else 'text-positive'}"
        ).props("aria-hidden=true")
        with ui.element("div").classes("min-w-0"):
            tag("div", f"{word}: {title}", "font-bold")
            tag("div", f"{fallen(outcome)}, {how_far(outcome)}", "text-sm")
    with box, ui.element("div").classes("flex flex-col gap-3"):
        _details(work, outcome, summaries)


def _details(work: Workbench, outcome: Document, summaries: Summaries) -> None:
    name = outcome["attack"].partition("(")[0]
    summaries.show(name, tag("p", "", "italic"))
    meter(outcome)
    facts = {
        "Who falls and why": outcome["found"],
        "How sure that is": _sureness(outcome),
        "What the adversary needs": sentence(outcome["needs"]),
        "What would stop it": sentence(outcome["remedy"]),
    }
    with ui.element("dl").classes("grid grid-cols-1 md:grid-cols-[12rem_1fr] gap-x-4 gap-y-2 m-0"):
        for term, text in facts.items():
            tag("dt", term, "font-medium")
            tag("dd", text, "m-0")
    with ui.row().classes("gap-2"):
        if outcome["succeeded"]:
            button = ui.button("Change the promises", icon="tune")
            button.props(f'no-caps outline href="/project/{work.project.key}/privacy"')
        people(outcome)
    tag("p", f"Written: {outcome['attack']}", "text-xs studio-quiet")


def _sureness(outcome: Document) -> str:
    said = (
        f"{sentence(outcome['sureness'])} The limit is {percent(outcome['limit'])}: beyond it, a "
    )
    if outcome["interval"] is None:
        return f"{said}person counts as fallen."
    return f"{said}person counts as fallen, if all that it may be is beyond."


def not_tried(assault: Assault) -> None:
    """Name the attacks that do not apply, and why."""
    skipped, is_table = assault["attacks"]["skipped"], assault["run"] is None
    if not skipped:
        return
    tag("h2", "Attacks that were not tried", "text-lg font-semibold m-0")
    with ui.element("ul").classes("list-disc pl-6 m-0 flex flex-col gap-1"):
        for attack in skipped:
            with ui.element("li"):
                tag("strong", f"{title_of(attack['attack'])}: ")
                tag("span", reason(attack["attack"], attack["why"], is_table=is_table))


def limits() -> None:
    """Say what all of this does not show."""
    tag("h2", "What this does not show", "text-lg font-semibold m-0")
    with ui.element("ul").classes("list-disc pl-6 m-0 flex flex-col gap-1"):
        for text in (
            "That these attacks fail is no proof of safety: somebody may know what none of them "
            "supposes. What is proved is what you promise under Privacy.",
            "An attack can succeed although every promise holds: then the promise was not made "
            "against this adversary.",
            f"Every attack is tried with its usual settings, and those that could go on for ever "
            f"stop after {SECONDS:.0f} seconds. Other settings, and tables of an adversary, are "
            "for the command line: unlinkable attack.",
            "Each result is attacked by itself. Several releases of the same people are attacked "
            "together under Publish, before the next one goes out.",
        ):
            tag("li", text)
