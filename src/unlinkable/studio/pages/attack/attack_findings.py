"""What came of every attack, the strongest finding first, and the people who are exposed."""

from __future__ import annotations

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import AttackSuite, Document
from unlinkable.studio.pages.elements import scroll_area, tag, text_table
from unlinkable.studio.pages.formatting import percent, sentence
from unlinkable.studio.workbench import Workbench

__all__ = [
    "SECONDS",
    "Summaries",
    "attack_verdict",
    "confidence_words",
    "draw_findings",
    "draw_limits",
    "draw_meter",
    "draw_people",
    "draw_skipped",
    "exposed_people",
    "exposed_words",
    "may_succeed",
    "name_of",
    "share_of_limit",
    "skip_reason",
    "title_of",
    "verdict_word",
]

_BEYOND = {
    "skewness": "a value up to {} points more likely than for everybody",
    "membership": "up to {} points better than a blind guess",
    "singling-out": "up to {} points better than by chance",
}
"""Attacks whose strength is an advantage over guessing, not a confidence."""

_ON_TABLE = {
    "membership": "Not needed: the table as it stands is the records themselves.",
    "minimality": "There is no method to work back from: nothing was changed yet.",
    "singling-out": "Not needed: who has the table as it stands sees every single person.",
}
"""Why attacks are not tried on the table as it stands, where the library says it for programs."""

_OPTIONS = {
    "external=...": "--external on the command line",
    "as 'population'": "with --population on the command line",
}


def skip_reason(attack: str, why: str, *, is_table: bool) -> str:
    """Say why an attack was not tried."""
    if is_table and (known := _ON_TABLE.get(name_of(attack))) is not None:
        return known
    for given, words in _OPTIONS.items():
        why = why.replace(given, words)
    return sentence(why)


def name_of(attack: str) -> str:
    """Take the name out of a written form."""
    return attack.partition("(")[0]


def title_of(attack: str) -> str:
    """Write the name of an attack as a heading.

    Examples
    --------
    >>> title_of("corruption(n=1)"), title_of("record-linkage")
    ('Corruption', 'Record linkage')
    """
    return name_of(attack).replace("-", " ").capitalize()


def confidence_words(outcome: Document) -> str:
    """Say how far the adversary gets at most."""
    highest = float(outcome["highest_confidence"] or 0.0)
    beyond = _BEYOND.get(name_of(outcome["attack"]))
    if beyond is not None:
        return beyond.format(f"{highest * 100:.0f}")
    said = percent(highest)
    return f"confidence {said}" if said.startswith("over") else f"confidence up to {said}"


def exposed_words(outcome: Document) -> str:
    """Say how many people fall.

    Examples
    --------
    >>> exposed_words({"succeeded": 11, "attacked": 1576})
    '11 of 1,576 people'
    >>> exposed_words({"succeeded": 0, "attacked": 9})
    'nobody of 9 people'
    """
    count, tried = int(outcome["succeeded"]), int(outcome["attacked"])
    return f"{count:,} of {tried:,} people" if count else f"nobody of {tried:,} people"


def may_succeed(outcome: Document) -> bool:
    """Whether nobody is exposed for certain, but people may be by the estimate.

    Examples
    --------
    >>> may_succeed({"succeeded": 0, "interval": [0.4, 0.6], "limit": 0.5})
    True
    >>> may_succeed({"succeeded": 0, "interval": None, "limit": 0.5})
    False
    """
    interval, limit = outcome["interval"], outcome["limit"]
    return bool(not outcome["succeeded"] and interval and interval[1] > (limit or 0.0))


def verdict_word(outcome: Document) -> str:
    """Say in a word what came of an attack."""
    if outcome["succeeded"]:
        return "Succeeds"
    return "May succeed" if may_succeed(outcome) else "Resisted"


def share_of_limit(outcome: Document) -> tuple[float, float]:
    """Give how far the adversary gets and how far he may get, both from 0 to 1."""
    highest, limit = outcome["highest_confidence"] or 0.0, outcome["limit"] or 0.0
    return min(max(float(highest), 0.0), 1.0), min(max(float(limit), 0.0), 1.0)


def attack_verdict(suite: AttackSuite, whom: str) -> tuple[bool, str, str]:
    """Give a line and a sentence on all attacks; first whether anybody may be exposed."""
    tried = suite["attacks"]["attacks"]
    strong = [outcome for outcome in tried if outcome["succeeded"]]
    if not tried:
        return False, "No attack could be tried", f"On {whom}, nothing applied: see below why."
    n_open = sum(map(may_succeed, tried))
    if not strong:
        line = f"Resisted: {len(tried) - n_open} of {len(tried)} attacks"
        told = "no attack exceeds its limit"
        told += " for certain; those that may succeed are listed below." if n_open else "."
        return bool(n_open), line, f"On {whom}, {told}"
    first = strong[0]
    return (
        True,
        f"{len(strong)} of {len(tried)} attacks succeed",
        f"On {whom}, the strongest is “{title_of(first['attack'])}”: {exposed_words(first)} "
        f"are exposed, {confidence_words(first)}.",
    )


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
    """Give the people who are exposed, highest confidence first, as far as they are listed.

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
    """Offer to show who is exposed. Personal data are on the page only on request."""
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
    tag(
        "p",
        f"{quantity(total, 'person is exposed', 'people are exposed')}; the highest confidence "
        f"first, at most {_MOST}.",
    )
    headings = ("Person", "What is learned", "Confidence", "People like this")
    with scroll_area("People affected", "max-h-[55vh]"):
        text_table("People exposed by the attack", headings, map(_row, victims))


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
"""Time limit of attacks that could run indefinitely."""


class Summaries:
    """What every attack does, in a sentence, filled in as soon as it is loaded."""

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
        "Who is exposed and why": outcome["found"],
        "Certainty": _certainty(outcome),
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
            "That these attacks fail is no proof of safety: an adversary may know what none of "
            "them assumes. What is proved is what you promise under Privacy.",
            "An attack can succeed although every promise holds: then the promise was not made "
            "against this adversary.",
            f"Every attack runs with its default settings, and those that could run indefinitely "
            f"stop after {SECONDS:.0f} seconds. Other settings, and tables of an adversary, are "
            "for the command line: unlinkable attack.",
            "Each result is attacked by itself. Several releases of the same people are attacked "
            "together under Publish, before the next one goes out.",
        ):
            tag("li", text)
