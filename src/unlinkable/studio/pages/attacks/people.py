"""The people whom an attack finds: personal data, shown on request alone."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.attacks.words import title_of
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.said import counted, percent
from unlinkable.studio.pages.scrolling import scrolled

__all__ = ["people", "shown"]

_MOST = 25


def shown(outcome: Document) -> list[Document]:
    """Give the people who fall, the surest first, as far as they are listed.

    Examples
    --------
    >>> listed = [{"confidence": 0.9, "people": 2}, {"confidence": 0.8}, {"confidence": 0.7}]
    >>> shown({"succeeded": 3, "limit": 0.5, "victims": listed})
    [{'confidence': 0.9, 'people': 2}, {'confidence': 0.8}]
    """
    limit, left = outcome["limit"] or 0.0, int(outcome["succeeded"])
    found: list[Document] = []
    for victim in outcome.get("victims") or []:
        if victim["confidence"] > limit and left > 0 and len(found) < _MOST:
            found.append(victim)
            left -= victim.get("people") or 1
    return found


def people(outcome: Document) -> None:
    """Offer to show who falls. Nothing of them is on the page before somebody asks."""
    victims = shown(outcome)
    if not outcome["succeeded"] or not victims:
        return
    button = ui.button("Show the people affected", icon="visibility").props("no-caps outline")
    dialog = ui.dialog().props(f'aria-label="People affected by {title_of(outcome["attack"])}"')

    def ask() -> None:
        dialog.clear()
        with dialog, ui.card().classes("w-full max-w-4xl gap-3"):
            _list(outcome, victims)
            with ui.row().classes("w-full justify-end"):
                ui.button("Close", on_click=dialog.close).props("no-caps autofocus")
        dialog.open()

    button.on_click(ask)
    dialog.on("hide", dialog.clear)


def _list(outcome: Document, victims: list[Document]) -> None:
    tag("h2", f"{title_of(outcome['attack'])}: people affected", "text-lg font-semibold m-0")
    tag(
        "p",
        "Personal data. What follows comes from your records and describes real people. Look at "
        "it alone, and share neither pictures nor copies of it.",
        "studio-note",
    )
    total = int(outcome["succeeded"])
    tag("p", f"{counted(total, 'person falls', 'people fall')}; the surest first, at most {_MOST}.")
    with scrolled("People affected", "max-h-[55vh]"), ui.element("table") as table:
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
