"""The page Privacy: what is promised, what it costs, and against whom nothing is promised."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from functools import partial

from nicegui import ui
from nicegui.element import Element

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import Document, PromiseText
from unlinkable.studio.errors import TaskError
from unlinkable.studio.pages.elements import ListEntry, Slider, StableList, draw_when_ready, tag
from unlinkable.studio.pages.formatting import join_words, percent
from unlinkable.studio.pages.live import Debounce, PlanBinding, live, notify_errors
from unlinkable.studio.pages.parameter_form import ParameterForm, fields_of, starting_values
from unlinkable.studio.pages.privacy.promise_card import (
    THREAT_LABELS,
    THREATS,
    PromiseCard,
    PromiseList,
    filter_models,
)
from unlinkable.studio.workbench import Workbench

__all__ = ["Summary", "page", "promises_by_threat", "suppression_words"]


def page(work: Workbench) -> None:
    """Show the promises of a project, and let people choose and try others."""
    draw_when_ready(
        lambda: work.entries("model"),
        lambda cards: _Page(PromiseList(work, {card["name"]: card for card in cards})).draw(),
    )


class _Page:
    """All parts of the page, and how they hear of changes."""

    def __init__(self, promise_list: PromiseList) -> None:
        self._promise_list = promise_list
        self._cards: dict[int, PromiseCard] = {}
        self._summary = Summary(promise_list.cards)
        self._chooser = _ModelChooser(promise_list)
        self._asked, self._is_quiet = Debounce(), False
        self._allowing = PlanBinding(self._allow, self._show_suppression)

    def draw(self) -> None:
        with ui.element("div").classes("privacy-page"):
            with ui.column().classes("promised gap-4 min-w-0"):
                tag("h2", "What you promise", "section-title")
                self._list = StableList(ui.column().classes("w-full gap-4"))
                self._draw_suppression()
            with ui.column().classes("aside gap-4 min-w-0"):
                self._summary.draw()
            with ui.column().classes("choosing gap-3 min-w-0"):
                self._chooser.draw()
        self._draw_promises()
        live(self._promise_list.work, self._changed, on={"plan", "data"})
        ui.timer(0, self._look, once=True)

    def _draw_promises(self) -> None:
        """Show all promises. Those that stay are not drawn anew, as somebody may be at them."""
        models = [promise["model"] for promise in self._promise_list.promises]
        shown = [
            ListEntry(i, name, partial(self._draw_promise, i)) for i, name in enumerate(models)
        ]
        self._list.show(shown or [ListEntry("", None, _draw_nothing)])
        self._cards = {i: self._cards[i] for i in range(len(models))}

    def _draw_promise(self, index: int) -> Element:
        self._cards[index] = PromiseCard(self._promise_list, index)
        return self._cards[index].draw()

    def _draw_suppression(self) -> None:
        with ui.card().classes("w-full gap-1").props("flat bordered"):
            tag("h3", "Suppression", "text-lg font-semibold m-0")
            with ui.row().classes("w-full items-center gap-4 no-wrap"):
                self._share = Slider(min=0, max=30, step=0.5).classes("grow")
                self._share.props('aria-label="Maximum percentage of suppressed records"')
                self._share.props('data-testid="suppression"')
                self._percent = tag("span", "", "w-14 text-right tabular-nums")
            self._allowed = tag("p", "", "m-0 muted").props('aria-live="polite"')
            self._show_suppression()
            self._share.on_value_change(self._slid)

    def _show_suppression(self) -> None:
        share = self._promise_list.suppression
        if abs(self._slider_share() - share) > 1e-9:
            self._is_quiet = True
            self._share.value = 100 * share
            self._is_quiet = False
        self._percent.text = f"{100 * share:g} %"
        self._allowed.text = suppression_words(share, self._promise_list.records)

    def _slider_share(self) -> float:
        return float(self._share.value or 0) / 100

    def _slid(self) -> Coroutine[object, object, None] | None:
        if self._is_quiet:
            return None
        self._percent.text = f"{100 * self._slider_share():g} %"
        return self._allowing.changed()

    async def _allow(self) -> None:
        share = self._slider_share()
        if abs(share - self._promise_list.suppression) > 1e-9:
            with notify_errors():
                await self._promise_list.allow(share)

    async def _changed(self) -> None:
        """Take over what some tab has changed."""
        self._draw_promises()
        for card in self._cards.values():
            card.show()
        self._allowing.plan_changed()
        await self._look()

    async def _look(self) -> None:
        """Ask for all that has to be counted; what was asked before does not matter any more."""
        mine = self._asked.begin()
        promises = self._promise_list.promises
        try:
            told_promises = await self._promise_list.in_words() if promises else []
        except TaskError as error:
            if error.kind != "Cancelled":
                ui.notify(str(error), type="negative")
            return
        if not self._asked.is_current(mine):
            return
        self._summary.show(promises, told_promises)
        for card, one in zip(self._cards.values(), told_promises, strict=False):
            card.tell(one)
        for card in list(self._cards.values()):
            await card.look()
            if not self._asked.is_current(mine):
                return


def _draw_nothing() -> Element:
    return tag(
        "p",
        "Nothing is promised yet. Start with k-anonymity: most other promises build on it.",
        "m-0 muted",
    ).props('data-testid="no-promises"')


def promises_by_threat(
    promises: Sequence[Document], cards: Mapping[str, Document]
) -> dict[str, list[str]]:
    """Tell for every threat which promises are about it."""
    names = list(dict.fromkeys(promise["model"] for promise in promises))
    return {
        threat: [name for name in names if threat in cards.get(name, {}).get("threats", [])]
        for threat in THREATS
    }


def suppression_words(share: float, records: int | None) -> str:
    """Write how many records may be suppressed."""
    if share == 0:
        return "No record may be suppressed: values are generalized until every promise holds."
    said = f"Up to {percent(share)} of the records"
    if records is not None:
        said += f" ({int(share * records):,} of {records:,})"
    return f"{said} may be suppressed, so that the others keep more detail."


class Summary:
    """The panel that says what is promised, and against whom nothing is."""

    def __init__(self, cards: Mapping[str, Document]) -> None:
        self._cards = cards
        self._promises: list[Document] = []
        self._told: list[PromiseText] = []
        self._draw = ui.refreshable(self._drawn)

    def draw(self) -> None:
        """Put it on the page."""
        with ui.card().classes("w-full gap-3 summary").props("flat bordered"):
            tag("h2", "Summary", "section-title")
            with ui.column().classes("w-full gap-3").props('aria-live="polite"'):
                self._draw()

    def show(self, promises: list[Document], told: list[PromiseText]) -> None:
        """Show new texts."""
        if (promises, told) != (self._promises, self._told):
            self._promises, self._told = promises, told
            self._draw.refresh()

    def _drawn(self) -> None:
        if not self._promises:
            tag("p", "Nothing is promised yet. Add at least one promise below.", "m-0")
            return
        if problems := [one for one in self._told if one["problem"]]:
            which = join_words([one["model"] for one in problems])
            tag("p", f"⚠ {which} cannot be kept with this table. See there.", "m-0 problem")
        with tag("ul", "", "said-list"):
            for one in self._told:
                tag("li", one["promised"])
        tag("h3", "Threats", "text-base font-semibold m-0")
        with tag("ul", "", "threats"):
            for threat, names in promises_by_threat(self._promises, self._cards).items():
                _draw_threat(THREATS[threat], names)
        self._draw_gaps()

    def _draw_gaps(self) -> None:
        gaps = [(one["model"], gap) for one in self._told for gap in one["not_promised"]]
        if not gaps:
            return
        title = f"What is not promised ({quantity(len(gaps), 'gap')})"
        with ui.expansion(title, icon="report_gmailerrorred").classes("w-full").props("dense"):
            for one in self._told:
                tag("p", f"{one['model']}, by itself:", "m-0 mt-2 text-sm font-semibold")
                with tag("ul", "", "said-list text-sm"):
                    for gap in one["not_promised"]:
                        tag("li", gap)


def _draw_threat(words: str, names: list[str]) -> None:
    with tag("li", "", "threat" + ("" if names else " open")):
        tag("span", "✓" if names else "✗", "mark").props('aria-hidden="true"')
        with tag("span"):
            tag("strong", words)
            tag("span", f"covered by {join_words(names)}" if names else "not covered", "block")


class _ModelChooser:
    """Cards of models, the common ones first."""

    def __init__(self, promise_list: PromiseList) -> None:
        self._promise_list = promise_list
        self._threat: str | None = None
        self._words = ""
        self._shows_all = False
        self._filters: dict[str | None, ui.button] = {}

    def draw(self) -> None:
        """Put the filter and the cards on the page."""
        tag("h2", "Add a promise", "section-title")
        tag(
            "p",
            "What should nobody be able to do? All promises hold together.",
            "m-0 muted",
        )
        with ui.row().classes("w-full items-center gap-2"):
            self._draw_filters()
            search = ui.input("Search models").props("outlined dense clearable debounce=250")
            search.classes("grow min-w-48").on_value_change(lambda e: self._search(e.value))
            search.props('type="search"')
        self._nothing = tag("p", "No model matches.", "muted")
        self._nothing.props('role="status"')
        self._cards = StableList(ui.element("div").classes("card-grid").props('role="list"'))
        self._more = ui.button(on_click=self._toggle).props("flat no-caps")
        self._window = ui.element("div")
        self._show()

    def _draw_filters(self) -> None:
        with ui.row().classes("gap-1").props('role="group" aria-label="What is to be stopped"'):
            for threat, words in [(None, "Everything"), *THREAT_LABELS.items()]:
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
        common, others = filter_models(
            list(self._promise_list.cards.values()), self._threat, self._words
        )
        shows_all = self._shows_all or bool(self._words)
        shown = [*common, *others] if shows_all else common
        self._nothing.set_visibility(not common and not others)
        self._cards.show(ListEntry(c["name"], None, partial(self._draw_card, c)) for c in shown)
        words = "Show fewer" if shows_all else f"Show {quantity(len(others), 'more model')}"
        self._more.set_text(words)
        self._more.set_icon("expand_less" if shows_all else "expand_more")
        self._more.props(f'aria-expanded="{str(shows_all).lower()}"')
        self._more.set_visibility(bool(others) and not self._words)

    def _draw_card(self, card: Document) -> Element:
        name = card["name"]
        with ui.card().classes("gap-1 model-card").props('flat bordered role="listitem"') as box:
            tag("h3", name, "text-base font-semibold m-0")
            tag("p", card["summary"], "m-0")
            if card["stops"]:
                _draw_line("✓ Stops", card["stops"])
            _draw_line("✗ Leaves open", card.get("limit") or card["does_not_stop"])
            ui.space()
            add = ui.button("Add", icon="add", on_click=lambda: self._add(card))
            add.props(f'flat no-caps dense aria-label="Add {name}" data-testid="add-{name}"')
        return box

    async def _add(self, card: Document) -> None:
        values = starting_values(fields_of(card), self._promise_list.work.columns("sensitive"))
        if values is None:
            self._ask(card)
            return
        with notify_errors():
            await self._promise_list.add(card["name"], values)
            ui.notify(f"{card['name']} was added", type="positive")

    def _ask(self, card: Document) -> None:
        """Ask for what cannot be guessed, in a window of its own."""
        name, fields = card["name"], fields_of(card)
        form = ParameterForm(self._promise_list.work, name, fields)
        self._window.clear()
        with self._window, ui.dialog() as dialog, ui.card().classes("w-full max-w-xl gap-2"):
            tag("h2", f"Add {name}", "text-lg font-semibold m-0")
            tag("p", card["summary"], "m-0")
            form.draw({f.name: f.start for f in fields if f.start is not None})
            complaint = tag("p", "", "m-0 problem").props('role="alert"')

            async def add() -> None:
                if missing := form.missing():
                    complaint.text = f"Please fill in: {', '.join(missing)}."
                    return
                with notify_errors():
                    await self._promise_list.add(name, form.values())
                    dialog.close()

            with ui.row().classes("w-full justify-end"):
                ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
                ui.button("Add", on_click=add).props("unelevated no-caps")
        dialog.open()


def _draw_line(head: str, words: str) -> None:
    with tag("p", "", "m-0 text-sm"):
        tag("strong", f"{head}: ")
        tag("span", words)
