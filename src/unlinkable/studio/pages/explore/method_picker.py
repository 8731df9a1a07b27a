"""Choosing methods: the recommended ones first, parameters folded away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from attrs import evolve
from nicegui import ui
from nicegui.element import Element

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import Document, MethodFit
from unlinkable.studio.pages.elements import ListEntry, StableList, tag
from unlinkable.studio.pages.explore.explore_state import ExploreState, write_method
from unlinkable.studio.pages.formatting import join_words
from unlinkable.studio.pages.live import Debounce, PlanBinding, notify_errors
from unlinkable.studio.pages.parameter_form import Field, ParameterForm, fields_of

__all__ = ["MethodPicker", "Offer", "default_methods", "rank_methods"]

Offer = tuple[Document, str | None]
"""The card of a method, and why it cannot be used here; None if it can."""

_FIRST = (
    "optimal",
    "mondrian",
    "best",
    "top-down-specialization",
    "anatomize",
    "mdav",
    "dp-synthetic",
    "dp-histogram",
    "pram",
    "r-robust-bucketization",
    "greedy-personalized",
)

_MOST_RECOMMENDED = 4

_MOST_SUGGESTED = 2


def rank_methods(
    cards: Sequence[Document], serving: Sequence[MethodFit]
) -> tuple[list[Offer], list[Offer]]:
    """Give the recommended methods, and all others: those that can be used before the rest."""
    refusals = {entry["method"]: entry["refusal"] for entry in serving}
    offers: dict[str, Offer] = {c["name"]: (c, refusals.get(c["name"])) for c in cards}
    usable = [name for name in _FIRST if name in offers and offers[name][1] is None]
    first = usable[:_MOST_RECOMMENDED]
    rest = sorted(
        (name for name in offers if name not in first),
        key=lambda name: (offers[name][1] is not None, name not in _FIRST, name),
    )
    return [offers[name] for name in first], [offers[name] for name in rest]


def default_methods(recommended: Sequence[Offer]) -> list[str]:
    """Name the methods that are selected by default."""
    return [card["name"] for card, _ in recommended[:_MOST_SUGGESTED]]


class MethodPicker:
    """Ticking methods and running them side by side."""

    def __init__(self, explore: ExploreState) -> None:
        self._explore = explore
        self._serving: list[MethodFit] = []
        self._picked: dict[str, Document] = {}
        self._boxes: dict[str, ui.checkbox] = {}
        self._forms: dict[str, ParameterForm] = {}
        self._editing: dict[str, PlanBinding] = {}
        self._asked = Debounce()
        self._shows_all, self._words, self._is_quiet = False, "", False

    def draw(self, serving: list[MethodFit]) -> None:
        """Put all on the page."""
        self._serving = serving
        self._recommended = StableList(ui.element("div").classes("method-grid"))
        self._more = ui.button(on_click=self._toggle).props("flat no-caps dense")
        self._search = ui.input("Search methods").classes("w-full max-w-md")
        self._search.props('outlined dense clearable debounce=250 type="search"')
        self._search.on_value_change(lambda e: self._look_for(e.value))
        self._others = StableList(ui.element("div").classes("method-grid"))
        with ui.row().classes("w-full items-center gap-3"):
            self._run = ui.button("Run", icon="play_arrow", on_click=self._start)
            self._run.props('no-caps unelevated data-testid="run-methods"')
            self._hint = tag("span", "", "muted text-sm")
        self._show()

    async def renew(self) -> None:
        """Ask again which methods can be used, after the promises have changed."""
        mine = self._asked.begin()
        serving = await self._explore.serving()
        if self._asked.is_current(mine) and not self._run.is_deleted:
            self._serving = serving
            self._show()

    def show(self) -> None:
        """Take over what was ticked in another tab."""
        if self._explore.picked not in (None, self._picked):
            self._show()

    def _show(self) -> None:
        self._refresh()
        self._fill()
        self._is_quiet = True
        for name, box in self._boxes.items():
            box.value = name in self._picked
        self._is_quiet = False
        for editing in self._editing.values():
            editing.plan_changed()
        self._count()

    def _refresh(self) -> None:
        recommended, rest = self._offers()
        usable = {card["name"] for card, refusal in [*recommended, *rest] if refusal is None}
        picked = self._explore.picked
        if picked is None:
            picked = {name: {} for name in default_methods(recommended)}
        self._picked = {name: given for name, given in picked.items() if name in usable}

    def _offers(self) -> tuple[list[Offer], list[Offer]]:
        return rank_methods(list(self._explore.cards.values()), self._serving)

    def _fill(self) -> None:
        """Show the cards that are asked for. Those that stay are not drawn anew."""
        recommended, rest = self._offers()
        words = "Fewer methods" if self._shows_all else quantity(len(rest), "more method")
        self._more.set_text(words)
        self._more.props(f'aria-expanded="{str(self._shows_all).lower()}"')
        self._more.props(f"icon={'expand_less' if self._shows_all else 'expand_more'}")
        self._search.set_visibility(self._shows_all)
        work = self._explore.work
        roles = {role: work.columns(role) for role in (None, "sensitive", "target")}
        made_of = roles, work.project.files()
        for cards, offers in ((self._recommended, recommended), (self._others, rest)):
            cards.show(
                ListEntry(offer[0]["name"], (offer[1], made_of), partial(self._draw_offer, offer))
                for offer in offers
                if cards is self._recommended or self._is_wanted(offer[0])
            )
        self._boxes = {name: box for name, box in self._boxes.items() if not box.is_deleted}
        self._forms = {name: self._forms[name] for name in self._boxes if name in self._forms}
        self._editing = {name: self._editing[name] for name in self._forms}

    def _is_wanted(self, card: Document) -> bool:
        return self._fits(card) if self._shows_all else card["name"] in self._picked

    def _fits(self, card: Document) -> bool:
        text = f"{card['name']} {card['summary']} {card.get('family')}".lower()
        return all(word in text for word in self._words.lower().split())

    def _draw_offer(self, offer: Offer) -> Element:
        card, refusal = offer
        name = card["name"]
        self._forms.pop(name, None)
        with ui.card().classes("gap-0 method-card").props("flat bordered") as drawn:
            box = ui.checkbox(name, value=name in self._picked)
            box.classes("font-semibold").props(f'dense data-testid="method-{name}"')
            box.on_value_change(lambda e: self._tick(name, bool(e.value)))
            tag("p", card["summary"], "m-0 mt-1 text-sm")
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
        title = f"Settings, changed: {join_words(changed)}" if changed else "Settings"
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

        editing = PlanBinding(keep, lambda: form.show(self._picked.get(name, {})))
        form = ParameterForm(self._explore.work, name, fields, editing.changed)
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
        self._explore.pick(self._picked)
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
        self._run.text = f"Run {quantity(n, 'method')}" if n else "Run"
        self._run.set_enabled(n > 0)
        self._hint.text = "" if n else "Tick at least one method."

    def _start(self) -> None:
        with notify_errors():
            for name, given in _in_order(self._picked):
                self._explore.work.anonymize(write_method(name, given))


def _in_order(picked: dict[str, Document]) -> Sequence[tuple[str, Document]]:
    """Put what is known to be slow last."""
    return sorted(picked.items(), key=lambda item: item[0] in ("best", "genetic", "greedy-cell"))
