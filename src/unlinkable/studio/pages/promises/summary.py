"""What is promised, in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nicegui import ui

from unlinkable.studio.contracts import Document, PromiseInWords
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.promises.catalogue import THREATS
from unlinkable.studio.pages.said import counted, listed, percent

__all__ = ["Summary", "guarded", "suppression_words"]


def guarded(promises: Sequence[Document], cards: Mapping[str, Document]) -> dict[str, list[str]]:
    """Tell for every threat which promises are about it."""
    names = list(dict.fromkeys(promise["model"] for promise in promises))
    return {
        threat: [name for name in names if threat in cards.get(name, {}).get("threats", [])]
        for threat in THREATS
    }


def suppression_words(share: float, records: int | None) -> str:
    """Say how many records may be left out."""
    if share == 0:
        return "No record may be left out: values become coarser until every record fits."
    said = f"Up to {percent(share)} of the records"
    if records is not None:
        said += f" ({int(share * records):,} of {records:,})"
    return f"{said} may be left out, so that the others can be told more precisely."


class Summary:
    """The panel that says what is promised, and against whom nothing is."""

    def __init__(self, cards: Mapping[str, Document]) -> None:
        self._cards = cards
        self._promises: list[Document] = []
        self._told: list[PromiseInWords] = []
        self._draw = ui.refreshable(self._drawn)

    def draw(self) -> None:
        """Put it on the page."""
        with ui.card().classes("w-full gap-3 summary").props("flat bordered"):
            tag("h2", "In plain words", "section-title")
            with ui.column().classes("w-full gap-3").props('aria-live="polite"'):
                self._draw()

    def show(self, promises: list[Document], told: list[PromiseInWords]) -> None:
        """Say it anew."""
        if (promises, told) != (self._promises, self._told):
            self._promises, self._told = promises, told
            self._draw.refresh()

    def _drawn(self) -> None:
        if not self._promises:
            tag("p", "Nothing is promised yet. Add at least one promise below.", "m-0")
            return
        if problems := [one for one in self._told if one["problem"]]:
            which = listed([one["model"] for one in problems])
            tag("p", f"⚠ {which} cannot be kept with this table. See there.", "m-0 problem")
        with tag("ul", "", "said-list"):
            for one in self._told:
                tag("li", one["promised"])
        tag("h3", "Against what", "text-base font-semibold m-0")
        with tag("ul", "", "threats"):
            for threat, names in guarded(self._promises, self._cards).items():
                _threat(THREATS[threat], names)
        self._draw_gaps()

    def _draw_gaps(self) -> None:
        gaps = [(one["model"], gap) for one in self._told for gap in one["not_promised"]]
        if not gaps:
            return
        title = f"What is not promised ({counted(len(gaps), 'gap')})"
        with ui.expansion(title, icon="report_gmailerrorred").classes("w-full").props("dense"):
            for one in self._told:
                tag("p", f"{one['model']}, by itself:", "m-0 mt-2 text-sm font-semibold")
                with tag("ul", "", "said-list text-sm"):
                    for gap in one["not_promised"]:
                        tag("li", gap)


def _threat(words: str, names: list[str]) -> None:
    with tag("li", "", "threat" + ("" if names else " open")):
        tag("span", "✓" if names else "✗", "mark").props('aria-hidden="true"')
        with tag("span"):
            tag("strong", words)
            tag("span", f"held off by {listed(names)}" if names else "not held off", "block")
