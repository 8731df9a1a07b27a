"""What came of every attack, the strongest finding first, and the people who are exposed."""

from __future__ import annotations

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from unlinkable.studio.contracts import AttackSuite, Document
from unlinkable.studio.pages.attack.attack_words import (
    confidence_words,
    exposed_words,
    may_succeed,
    sentence,
    share_of_limit,
    skip_reason,
    title_of,
    verdict_word,
)
from unlinkable.studio.pages.elements import scroll_area, tag
from unlinkable.studio.pages.formatting import percent, plural
from unlinkable.studio.workbench import Workbench

__all__ = [
    "SECONDS",
    "Summaries",
    "draw_findings",
    "draw_limits",
    "draw_meter",
    "draw_people",
    "draw_skipped",
    "exposed_people",
]


def draw_meter(outcome: Document) -> None:
    """Draw the bar, with a mark at the limit. Its words say the same."""
    highest, limit = share_of_limit(outcome)
    passes = bool(outcome["succeeded"])
    label = f"{percent(highest)}, the limit is {percent(limit)}"
    colour = "bg-negative" if passes else "bg-positive"
    with (
        ui.element("div")
        .classes("relative w-full h-3 my-1 rounded studio-meter")
        .props(f'role=img aria-label="{label}"')
    ):
        ui.element("div").classes(f"h-3 rounded {colour}").style(f"width: {highest * 100:.1f}%")
        mark = ui.element("div").classes("absolute studio-limit")
        mark.style(f"left: calc({limit * 100:.1f}% - 1px)")


_MOST = 25


def exposed_people(outcome: Document) -> list[Document]:
    """Give the people who fall, the surest first, as far as they are listed.

    Examples
    --------
    >>> listed = [{"confidence": 0.9, "people": 2}, {"confidence": 0.8}, {"confidence": 0.7}]
    >>> exposed_people({"succeeded": 3, "limit": 0.5, "victims": listed})
    [{'confidence': 0.9, 'people': 2}, {'confidence': 0.8}]
    """
    limit, left = outcome["limit"] or 0.0, int(outcome["succeeded"])
    found: list[Document] = []
    for victim in outcome.get("victims") or []:
        if victim["confidence"] > limit and left > 0 and len(found) < _MOST:
            found.append(victim)
            left -= victim.get("people") or 1
    return found


def draw_people(outcome: Document) -> None:
    """Offer to show who falls. Nothing of them is on the page before somebody asks."""
    victims = exposed_people(outcome)
    if not outcome["succeeded"] or not victims:
        return
    button = ui.button("Show the people affected", icon="visibility").props("no-caps outline")
    dialog = ui.dialog().props(f'aria-label="People affected by {title_of(outcome["attack"])}"')

    def ask() -> None:
        dialog.clear()
        with dialog, ui.card().classes("w-full max-w-4xl gap-3"):
            _draw_list(outcome, victims)
            with ui.row().classes("w-full justify-end"):
                ui.button("Close", on_click=dialog.close).props("no-caps autofocus")
        dialog.open()

    button.on_click(ask)
    dialog.on("hide", dialog.clear)


def _draw_list(outcome: Document, victims: list[Document]) -> None:
    tag("h2", f"{title_of(outcome['attack'])}: people affected", "text-lg font-semibold m-0")
    tag(
        "p",
        "Personal data. What follows comes from your records and describes real people. Look at "
        "it alone, and share neither pictures nor copies of it.",
        "studio-note",
    )
    total = int(outcome["succeeded"])
    tag("p", f"{plural(total, 'person falls', 'people fall')}; the surest first, at most {_MOST}.")
    with scroll_area("People affected", "max-h-[55vh]"), ui.element("table") as table:
        table.classes("w-full text-left studio-table")
        tag("caption", "People whom the attack finds", "sr-only")
        with ui.element("thead"), ui.element("tr"):
            for title in ("Who", "What is learned", "How far", "People like this"):
                tag("th", title, "py-1 pr-4").props("scope=col")
        with ui.element("tbody"):
            for victim in victims:
                with ui.element("tr").classes("align-top"):
                    for text in _row(victim):
                        tag("td", text, "py-1 pr-4")


def _row(victim: Document) -> tuple[str, str, str, str]:
    who = ", ".join(f"{name} {value}" for name, value in victim["who"].items())
    learned = ", ".join(f"{name}: {value}" for name, value in (victim["learned"] or {}).items())
    count = victim.get("people")
    return (
        who,
        learned or "that it is this person",
        percent(victim["confidence"]),
        f"{count or 1:,}",
    )


SECONDS = 5.0
"""How long an attack may try that could go on for ever."""


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


def draw_findings(work: Workbench, suite: AttackSuite, summaries: Summaries) -> None:
    """List all attacks that were tried; the strongest is open."""
    outcomes = suite["attacks"]["attacks"]
    if (doubt := suite["attacks"]["doubt"]) is not None:
        tag("p", f"Read with care: {doubt}.", "studio-note")
    for place, outcome in enumerate(outcomes):
        _draw_finding(work, outcome, summaries, is_open=place == 0 and bool(outcome["succeeded"]))


def _draw_finding(
    work: Workbench, outcome: Document, summaries: Summaries, *, is_open: bool
) -> None:
    is_feared = bool(outcome["succeeded"]) or may_succeed(outcome)
    title, word = title_of(outcome["attack"]), verdict_word(outcome)
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
            tag("div", f"{exposed_words(outcome)}, {confidence_words(outcome)}", "text-sm")
    with box, ui.element("div").classes("flex flex-col gap-3"):
        _draw_details(work, outcome, summaries)


def _draw_details(work: Workbench, outcome: Document, summaries: Summaries) -> None:
    name = outcome["attack"].partition("(")[0]
    summaries.show(name, tag("p", "", "italic"))
    draw_meter(outcome)
    facts = {
        "Who falls and why": outcome["found"],
        "How sure that is": _certainty(outcome),
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
        draw_people(outcome)
    tag("p", f"Written: {outcome['attack']}", "text-xs studio-quiet")


def _certainty(outcome: Document) -> str:
    said = (
        f"{sentence(outcome['sureness'])} The limit is {percent(outcome['limit'])}: beyond it, a "
    )
    if outcome["interval"] is None:
        return f"{said}person counts as exposed."
    return f"{said}person counts as exposed, if all that it may be is beyond."


def draw_skipped(suite: AttackSuite) -> None:
    """Name the attacks that do not apply, and why."""
    skipped, is_table = suite["attacks"]["skipped"], suite["run"] is None
    if not skipped:
        return
    tag("h2", "Attacks that were not tried", "text-lg font-semibold m-0")
    with ui.element("ul").classes("list-disc pl-6 m-0 flex flex-col gap-1"):
        for attack in skipped:
            with ui.element("li"):
                tag("strong", f"{title_of(attack['attack'])}: ")
                tag("span", skip_reason(attack["attack"], attack["why"], is_table=is_table))


def draw_limits() -> None:
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
