"""Picking methods: the recommended ones first, parameters folded away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from attrs import evolve
from nicegui import ui
from nicegui.element import Element

from unlinkable.studio.contracts import Document, Serving
from unlinkable.studio.pages.editing import Editing
from unlinkable.studio.pages.exploring.bench import Bench
from unlinkable.studio.pages.exploring.recommended import (
    Offer,
    called,
    gist,
    offered,
    suggested,
)
from unlinkable.studio.pages.kept_list import Entry, KeptList
from unlinkable.studio.pages.live import told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.promises.form import ParameterForm
from unlinkable.studio.pages.promises.parameters import Field, fields_of
from unlinkable.studio.pages.said import counted, listed
from unlinkable.studio.pages.settling import Settling

__all__ = ["Picker"]


class Picker:
    """Ticking methods and running them side by side."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._serving: list[Serving] = []
        self._picked: dict[str, Document] = {}
        self._boxes: dict[str, ui.checkbox] = {}
        self._forms: dict[str, ParameterForm] = {}
        self._editing: dict[str, Editing] = {}
        self._asked = Settling()
        self._shows_all, self._words, self._is_quiet = False, "", False

    def draw(self, serving: list[Serving]) -> None:
        """Put all on the page."""
        self._serving = serving
        self._recommended = KeptList(ui.element("div").classes("method-grid"))
        self._more = ui.button(on_click=self._toggle).props("flat no-caps dense")
        self._search = ui.input("Search methods").classes("w-full max-w-md")
        self._search.props('outlined dense clearable debounce=250 type="search"')
        self._search.on_value_change(lambda e: self._look_for(e.value))
        self._others = KeptList(ui.element("div").classes("method-grid"))
        with ui.row().classes("w-full items-center gap-3"):
            self._run = ui.button("Run", icon="play_arrow", on_click=self._start)
            self._run.props('no-caps unelevated data-testid="run-methods"')
            self._hint = tag("span", "", "muted text-sm")
        self._show()

    async def renew(self) -> None:
        """Ask again which methods can be used, after the promises have changed."""
        mine = self._asked.renewed()
        serving = await self._bench.serving()
        if self._asked.is_current(mine) and not self._run.is_deleted:
            self._serving = serving
            self._show()

    def show(self) -> None:
        """Take over what was ticked in another tab."""
        if self._bench.picked not in (None, self._picked):
            self._show()

    def _show(self) -> None:
        self._take_over()
        self._fill()
        self._is_quiet = True
        for name, box in self._boxes.items():
            box.value = name in self._picked
        self._is_quiet = False
        for editing in self._editing.values():
            editing.came_back()
        self._count()

    def _take_over(self) -> None:
        recommended, rest = self._offers()
        usable = {card["name"] for card, refusal in [*recommended, *rest] if refusal is None}
        picked = self._bench.picked
        if picked is None:
            picked = {name: {} for name in suggested(recommended)}
        self._picked = {name: given for name, given in picked.items() if name in usable}

    def _offers(self) -> tuple[list[Offer], list[Offer]]:
        return offered(list(self._bench.cards.values()), self._serving)

    def _fill(self) -> None:
        """Show the cards that are asked for. Those that stay are not drawn anew."""
        recommended, rest = self._offers()
        words = "Fewer methods" if self._shows_all else counted(len(rest), "more method")
        self._more.set_text(words)
        self._more.props(f'aria-expanded="{str(self._shows_all).lower()}"')
        self._more.props(f"icon={'expand_less' if self._shows_all else 'expand_more'}")
        self._search.set_visibility(self._shows_all)
        work = self._bench.work
        roles = {role: work.columns(role) for role in (None, "sensitive", "target")}
        made_of = roles, work.project.files()
        for cards, offers in ((self._recommended, recommended), (self._others, rest)):
            cards.show(
                Entry(offer[0]["name"], (offer[1], made_of), partial(self._draw_offer, offer))
                for offer in offers
                if cards is self._recommended or self._is_wanted(offer[0])
            )
        self._boxes = {name: box for name, box in self._boxes.items() if not box.is_deleted}
        self._forms = {name: self._forms[name] for name in self._boxes if name in self._forms}
        self._editing = {name: self._editing[name] for name in self._forms}

    def _is_wanted(self, card: Document) -> bool:
        return self._fits(card) if self._shows_all else card["name"] in self._picked

    def _fits(self, card: Document) -> bool:
        text = f"{card['name']} {card['summary']} {gist(card)} {card.get('family')}".lower()
        return all(word in text for word in self._words.lower().split())

    def _draw_offer(self, offer: Offer) -> Element:
        card, refusal = offer
        name = card["name"]
        self._forms.pop(name, None)
        with ui.card().classes("gap-0 method-card").props("flat bordered") as drawn:
            box = ui.checkbox(name, value=name in self._picked)
            box.classes("font-semibold").props(f'dense data-testid="method-{name}"')
            box.on_value_change(lambda e: self._tick(name, bool(e.value)))
            tag("p", gist(card), "m-0 mt-1 text-sm")
            if refusal is not None:
                box.disable()
                with ui.expansion("Why it cannot be used here").props("dense").classes("w-full"):
                    tag("p", refusal, "m-0 text-sm")
            elif card["parameters"]:
                self._boxes[name] = box
                self._draw_settings(card)
            else:
                self._boxes[name] = box
        return drawn

    def _draw_settings(self, card: Document) -> None:
        name = card["name"]
        fields = [evolve(f, is_advanced=False, start=None) for f in fields_of(card)]
        changed = [f.label for f in fields if f.name in self._picked.get(name, {})]
        title = f"Settings, changed: {listed(changed)}" if changed else "Settings"
        settings = ui.expansion(title, icon="tune").classes("w-full more-settings")
        settings.props(f'dense aria-label="Settings of {name}"')

        def fill() -> None:
            if name not in self._forms and settings.value:
                with settings:
                    self._draw_form(name, fields)

        settings.on_value_change(fill)

    def _draw_form(self, name: str, fields: Sequence[Field]) -> None:
        async def keep() -> None:
            if self._forms.get(name) is form:
                self._set(name, form.values())

        editing = Editing(keep, lambda: form.show(self._picked.get(name, {})))
        form = ParameterForm(self._bench.work, name, fields, editing.changed)
        self._forms[name], self._editing[name] = form, editing
        form.draw(self._picked.get(name, {}))

    def _set(self, name: str, values: Document) -> None:
        self._picked[name] = values
        self._is_quiet = True
        self._boxes[name].value = True
        self._is_quiet = False
        self._keep()

    def _tick(self, name: str, is_on: bool) -> None:
        if self._is_quiet:
            return
        if is_on:
            form = self._forms.get(name)
            self._picked[name] = {} if form is None else form.values()
        else:
            self._picked.pop(name, None)
        self._keep()

    def _keep(self) -> None:
        self._bench.pick(self._picked)
        self._count()

    def _toggle(self) -> None:
        self._shows_all, self._words = not self._shows_all, ""
        self._search.value = ""
        self._fill()

    def _look_for(self, words: str | None) -> None:
        self._words = words or ""
        self._fill()

    def _count(self) -> None:
        n = len(self._picked)
        self._run.text = f"Run {counted(n, 'method')}" if n else "Run"
        self._run.set_enabled(n > 0)
        self._hint.text = "" if n else "Tick at least one method."

    def _start(self) -> None:
        with told():
            for name, given in _in_order(self._picked):
                self._bench.work.anonymize(called(name, given))


def _in_order(picked: dict[str, Document]) -> Sequence[tuple[str, Document]]:
    """Put what is known to be slow last."""
    return sorted(picked.items(), key=lambda item: item[0] in ("best", "genetic", "greedy-cell"))
