"""Choosing a promise: cards of all models, to be searched and filtered."""

from __future__ import annotations

from functools import partial

from nicegui import ui
from nicegui.element import Element

from unlinkable.studio.contracts import Document
from unlinkable.studio.pages.kept_list import Entry, KeptList
from unlinkable.studio.pages.live import told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.promises.board import Board
from unlinkable.studio.pages.promises.catalogue import AIMS, THREATS, found, gist
from unlinkable.studio.pages.promises.form import ParameterForm
from unlinkable.studio.pages.promises.parameters import fields_of, starting_values
from unlinkable.studio.pages.said import counted

__all__ = ["Chooser"]


class Chooser:
    """Cards of models, the common ones first."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._threat: str | None = None
        self._words = ""
        self._shows_all = False
        self._filters: dict[str | None, ui.button] = {}

    def draw(self) -> None:
        """Put the filter and the cards on the page."""
        tag("h2", "Add a promise", "section-title")
        tag("p", "What should nobody be able to do? All promises hold together.", "m-0 muted")
        with ui.row().classes("w-full items-center gap-2"):
            self._draw_filters()
            search = ui.input("Search models").props("outlined dense clearable debounce=250")
            search.classes("grow min-w-48").on_value_change(lambda e: self._search(e.value))
            search.props('type="search"')
        self._nothing = tag("p", "No model is called or described like that.", "muted")
        self._nothing.props('role="status"')
        self._cards = KeptList(ui.element("div").classes("card-grid").props('role="list"'))
        self._more = ui.button(on_click=self._toggle).props("flat no-caps")
        self._window = ui.element("div")
        self._show()

    def _draw_filters(self) -> None:
        with ui.row().classes("gap-1").props('role="group" aria-label="What is to be stopped"'):
            for threat, words in [(None, "Everything"), *AIMS.items()]:
                button = ui.button(words, on_click=lambda _, t=threat: self._filter(t))
                button.props('no-caps dense padding="xs md"')
                if threat is not None:
                    button.tooltip(THREATS[threat])
                self._filters[threat] = button

    def _filter(self, threat: str | None) -> None:
        self._threat = threat
        self._show()

    def _search(self, words: str | None) -> None:
        self._words = words or ""
        self._show()

    def _toggle(self) -> None:
        self._shows_all = not self._shows_all
        self._show()

    def _show(self) -> None:
        """Show the cards that are asked for. Those that stay are not drawn anew."""
        for threat, button in self._filters.items():
            is_on = threat == self._threat
            button.props(f'aria-pressed="{str(is_on).lower()}"')
            looks = ("outline", "unelevated")
            button.props(add=looks[is_on], remove=looks[not is_on])
        common, others = found(list(self._board.cards.values()), self._threat, self._words)
        shows_all = self._shows_all or bool(self._words)
        shown = [*common, *others] if shows_all else common
        self._nothing.set_visibility(not common and not others)
        self._cards.show(Entry(c["name"], None, partial(self._draw_card, c)) for c in shown)
        words = "Show fewer" if shows_all else f"Show {counted(len(others), 'more model')}"
        self._more.set_text(words)
        self._more.set_icon("expand_less" if shows_all else "expand_more")
        self._more.props(f'aria-expanded="{str(shows_all).lower()}"')
        self._more.set_visibility(bool(others) and not self._words)

    def _draw_card(self, card: Document) -> Element:
        name = card["name"]
        with ui.card().classes("gap-1 model-card").props('flat bordered role="listitem"') as box:
            tag("h3", name, "text-base font-semibold m-0")
            tag("p", gist(card), "m-0")
            if card["stops"]:
                _line("✓ Stops", card["stops"])
            _line("✗ Leaves open", card.get("limit") or card["does_not_stop"])
            ui.space()
            add = ui.button("Add", icon="add", on_click=lambda: self._add(card))
            add.props(f'flat no-caps dense aria-label="Add {name}" data-testid="add-{name}"')
        return box

    async def _add(self, card: Document) -> None:
        values = starting_values(fields_of(card), self._board.work.columns("sensitive"))
        if values is None:
            self._ask(card)
            return
        with told():
            await self._board.add(card["name"], values)
            ui.notify(f"{card['name']} is promised now", type="positive")

    def _ask(self, card: Document) -> None:
        """Ask for what cannot be guessed, in a window of its own."""
        name, fields = card["name"], fields_of(card)
        form = ParameterForm(self._board.work, name, fields)
        self._window.clear()
        with self._window, ui.dialog() as dialog, ui.card().classes("w-full max-w-xl gap-2"):
            tag("h2", f"Add {name}", "text-lg font-semibold m-0")
            tag("p", gist(card), "m-0")
            form.draw({f.name: f.start for f in fields if f.start is not None})
            complaint = tag("p", "", "m-0 problem").props('role="alert"')

            async def add() -> None:
                if missing := form.missing():
                    complaint.text = f"Please fill in: {', '.join(missing)}."
                    return
                with told():
                    await self._board.add(name, form.values())
                    dialog.close()

            with ui.row().classes("w-full justify-end"):
                ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
                ui.button("Add", on_click=add).props("unelevated no-caps")
        dialog.open()


def _line(head: str, words: str) -> None:
    with tag("p", "", "m-0 text-sm"):
        tag("strong", f"{head}: ")
        tag("span", words)
