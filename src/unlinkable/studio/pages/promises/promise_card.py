"""One promise: its parameters, what they cost, and what is wrong with them."""

from __future__ import annotations

from nicegui import ui
from nicegui.element import Element

from unlinkable.studio.contracts import Document, Effect, PromiseInWords
from unlinkable.studio.errors import StudioError, TaskError
from unlinkable.studio.pages.chart import Chart
from unlinkable.studio.pages.editing import Editing
from unlinkable.studio.pages.labelled import labelled
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.promises.board import Board
from unlinkable.studio.pages.promises.catalogue import gist
from unlinkable.studio.pages.promises.charts import effect_chart, effect_rows, effect_sentence
from unlinkable.studio.pages.promises.form import ParameterForm
from unlinkable.studio.pages.promises.parameters import fields_of
from unlinkable.studio.pages.promises.probes import main_field, probes
from unlinkable.studio.pages.scrolling import scrolled
from unlinkable.studio.pages.settling import Settling

__all__ = ["PromiseCard"]


class PromiseCard:
    """One promise of the plan, on the page."""

    def __init__(self, board: Board, index: int) -> None:
        self._board, self._index = board, index
        self._promise = board.promises[index]
        self._card = board.cards.get(self._promise["model"]) or _unknown(self._promise["model"])
        self._fields = fields_of(self._card)
        self._main = main_field(self._card, self._fields)
        self._editing = Editing(self._hand_in, self._take_over)
        self._form = ParameterForm(
            board.work, self._promise["model"], self._fields, self._editing.changed
        )
        self._asked = Settling()
        self._known: str | None = None

    def draw(self) -> Element:
        """Put it on the page."""
        name = self._promise["model"]
        with ui.card().classes("w-full gap-2").props("flat bordered") as box:
            box.props('role="group"')
            labelled(box, f"Promise {self._index + 1}: {name}")
            box.props(f'data-testid="promise-{self._index}"')
            with ui.row().classes("w-full items-center justify-between no-wrap"):
                tag("h3", name, "text-lg font-semibold m-0")
                remove = ui.button(icon="delete_outline", color=None, on_click=self._remove)
                labelled(remove.props("flat round dense"), f"Take back {name}")
                remove.tooltip("Take this promise back")
            self._says = tag("p", gist(self._card), "m-0 text-base")
            self._problem = tag("p", "", "m-0 problem").props('role="alert"')
            self._problem.set_visibility(False)
            with ui.element("div").classes("promise-parts"):
                with ui.column().classes("gap-1 min-w-0"):
                    self._form.draw(self._promise)
                self._draw_effect()
        return box

    def _draw_effect(self) -> None:
        if self._main is None:
            return
        with ui.column().classes("gap-1 min-w-0 effect"):
            self._sentence = tag("p", "Counting …", "m-0 font-medium").props('aria-live="polite"')
            self._sentence.props('data-testid="effect"')
            self._chart = Chart({"series": []}).classes("w-full h-52").props('aria-hidden="true"')
            with ui.expansion("The same as a table").classes("w-full").props("dense"):
                self._rows = scrolled(f"What {self._main.label} costs")

    def show(self) -> None:
        """Show what stands in the plan now, as soon as nobody is changing it here."""
        self._editing.came_back()

    def _take_over(self) -> None:
        promises = self._board.promises
        if self._index < len(promises) and promises[self._index] != self._promise:
            self._promise, self._known = promises[self._index], None
            self._form.show(self._promise)
            self._complain(None)

    def tell(self, told: PromiseInWords) -> None:
        """Show what the promise means in words, and why it cannot be kept if it cannot."""
        self._says.text = told["promised"]
        self._known = told["problem"]
        self._complain(self._known)

    async def look(self) -> None:
        """Ask what the main parameter would cost, and show it unless something newer was asked."""
        if self._main is None:
            return
        value = self._promise.get(self._main.name)
        now = value if isinstance(value, int | float) else self._main.start or 1
        mine = self._asked.renewed()
        tried = probes(self._main, now)
        try:
            effect = await self._board.effect(self._index, self._main.name, list(tried))
        except TaskError as error:
            if self._is_wanted(mine) and error.kind != "Cancelled":
                self._sentence.text = f"What it costs is not known: {error}"
            return
        if self._is_wanted(mine):
            self._show_effect(effect, now)

    def _is_wanted(self, asked: int) -> bool:
        """Whether nothing newer was asked, and the promise was not taken back."""
        return self._asked.is_current(asked) and not self._says.is_deleted

    def _show_effect(self, effect: Effect, now: float) -> None:
        self._sentence.text = effect_sentence(effect, now) or "What it costs is not known in time."
        self._chart.show(effect_chart(effect, now, self._board.suppression))
        self._rows.clear()
        with self._rows, tag("table", "", "plain-table"):
            with tag("tr"):
                for heading in (
                    effect["parameter"],
                    "with coarser values",
                    "with values as they are",
                ):
                    tag("th", heading).props('scope="col"')
            for row in effect_rows(effect):
                with tag("tr"):
                    for cell in row:
                        tag("td", cell)

    async def _hand_in(self) -> None:
        if missing := self._form.missing():
            self._complain(f"Please fill in: {', '.join(missing)}.")
            return
        values = self._form.values()
        standing = next(iter(self._board.promises[self._index :]), None)
        if standing is None or standing["model"] != self._promise["model"]:
            return  # Taken back in another tab: the page is about to be drawn anew.
        if standing == {"model": self._promise["model"], **values}:
            self._complain(self._known)
            return
        try:
            await self._board.change(self._index, values)
        except StudioError as error:
            self._complain(str(error))

    async def _remove(self) -> None:
        try:
            await self._board.remove(self._index)
        except StudioError as error:
            self._complain(str(error))

    def _complain(self, problem: str | None) -> None:
        self._problem.text = "" if problem is None else f"⚠ This cannot be kept: {problem}"
        if problem is not None and problem.startswith("Please"):
            self._problem.text = problem
        self._problem.set_visibility(problem is not None)


def _unknown(model: str) -> Document:
    return {"name": model, "summary": "", "parameters": [], "threats": [], "stops": ""}
