"""Picking methods: the recommended ones first, parameters folded away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import evolve
from nicegui import ui

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
from unlinkable.studio.pages.live import told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.promises.form import ParameterForm
from unlinkable.studio.pages.promises.parameters import Field, fields_of
from unlinkable.studio.pages.said import counted, listed

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
        self._drawn: object = None
        self._shows_all, self._words, self._is_quiet = False, "", False
        self._rows: Any = ui.refreshable(self._draw_rows)

    def draw(self, serving: list[Serving]) -> None:
        """Put all on the page."""
        self._serving = serving
        self._take_over()
        self._rows()
        with ui.row().classes("w-full items-center gap-3"):
            self._run = ui.button("Run", icon="play_arrow", on_click=self._start)
            self._run.props('no-caps unelevated data-testid="run-methods"')
            self._hint = tag("span", "", "muted text-sm")
        self._count()

    async def renew(self) -> None:
        """Ask again which methods can be used, after the promises have changed."""
        self._serving = await self._bench.serving()
        self._take_over()
        if self._seen() != self._drawn:
            self._rows.refresh()
        self._count()

    def _seen(self) -> object:
        """Say what cards and settings are made of, to know when they are others."""
        work = self._bench.work
        roles = {role: work.columns(role) for role in (None, "sensitive", "target")}
        return self._serving, roles, work.project.files()

    def show(self) -> None:
        """Take over what was ticked in another tab."""
        if self._bench.picked in (None, self._picked):
            return
        self._take_over()
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

    def _draw_rows(self) -> None:
        self._boxes, self._forms, self._editing = {}, {}, {}
        self._drawn = self._seen()
        recommended, rest = self._offers()
        with ui.element("div").classes("method-grid"):
            for offer in recommended:
                self._draw_offer(offer)
        others = [o for o in rest if self._fits(o[0])]
        ticked = [o for o in rest if o[0]["name"] in self._picked]
        words = "Fewer methods" if self._shows_all else f"{counted(len(rest), 'more method')}"
        toggle = ui.button(words, on_click=self._toggle)
        toggle.props(f'flat no-caps dense aria-expanded="{str(self._shows_all).lower()}"')
        toggle.props(f"icon={'expand_less' if self._shows_all else 'expand_more'}")
        if self._shows_all:
            search = ui.input("Search methods", value=self._words).classes("w-full max-w-md")
            search.props('outlined dense clearable debounce=250 type="search"')
            search.on_value_change(lambda e: self._search(e.value))
        with ui.element("div").classes("method-grid"):
            for offer in others if self._shows_all else ticked:
                self._draw_offer(offer)

    def _fits(self, card: Document) -> bool:
        text = f"{card['name']} {card['summary']} {gist(card)} {card.get('family')}".lower()
        return all(word in text for word in self._words.lower().split())

    def _draw_offer(self, offer: Offer) -> None:
        card, refusal = offer
        name = card["name"]
        with ui.card().classes("gap-0 method-card").props("flat bordered"):
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
        self._rows.refresh()

    def _search(self, words: str | None) -> None:
        self._words = words or ""
        self._rows.refresh()

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
