"""Privacy: what is promised, what it costs, and against whom nothing is promised."""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial

from nicegui import ui
from nicegui.element import Element

from unlinkable.studio.errors import TaskError
from unlinkable.studio.pages.editing import Editing
from unlinkable.studio.pages.kept_list import Entry, KeptList
from unlinkable.studio.pages.live import live, told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.promises.board import Board
from unlinkable.studio.pages.promises.chooser import Chooser
from unlinkable.studio.pages.promises.look import CSS
from unlinkable.studio.pages.promises.promise_card import PromiseCard
from unlinkable.studio.pages.promises.summary import Summary, suppression_words
from unlinkable.studio.pages.settling import Settling
from unlinkable.studio.pages.slider import Slider
from unlinkable.studio.pages.when_ready import when_ready
from unlinkable.studio.workbench import Workbench

__all__ = ["page"]


def page(work: Workbench) -> None:
    """Show the promises of a project, and let people choose and try others."""
    ui.add_css(CSS)
    when_ready(
        lambda: work.entries("model"),
        lambda cards: _Page(Board(work, {card["name"]: card for card in cards})).draw(),
    )


class _Page:
    """All parts of the page, and how they hear of changes."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._cards: dict[int, PromiseCard] = {}
        self._summary = Summary(board.cards)
        self._chooser = Chooser(board)
        self._asked, self._is_quiet = Settling(), False
        self._allowing = Editing(self._allow, self._show_suppression)

    def draw(self) -> None:
        with ui.element("div").classes("privacy-page"):
            with ui.column().classes("promised gap-4 min-w-0"):
                tag("h2", "What you promise", "section-title")
                self._list = KeptList(ui.column().classes("w-full gap-4"))
                self._draw_suppression()
            with ui.column().classes("aside gap-4 min-w-0"):
                self._summary.draw()
            with ui.column().classes("choosing gap-3 min-w-0"):
                self._chooser.draw()
        self._draw_promises()
        live(self._board.work, self._changed, on={"plan", "data"})
        ui.timer(0, self._look, once=True)

    def _draw_promises(self) -> None:
        """Show all promises. Those that stay are not drawn anew, as somebody may be at them."""
        models = [promise["model"] for promise in self._board.promises]
        shown = [Entry(i, name, partial(self._draw_promise, i)) for i, name in enumerate(models)]
        self._list.show(shown or [Entry("", None, _nothing)])
        self._cards = {i: self._cards[i] for i in range(len(models))}

    def _draw_promise(self, index: int) -> Element:
        self._cards[index] = PromiseCard(self._board, index)
        return self._cards[index].draw()

    def _draw_suppression(self) -> None:
        with ui.card().classes("w-full gap-1").props("flat bordered"):
            tag("h3", "Records that may be left out", "text-lg font-semibold m-0")
            with ui.row().classes("w-full items-center gap-4 no-wrap"):
                self._share = Slider(min=0, max=30, step=0.5).classes("grow")
                self._share.props('aria-label="Percentage of records that may be left out"')
                self._share.props('data-testid="suppression"')
                self._percent = tag("span", "", "w-14 text-right tabular-nums")
            self._allowed = tag("p", "", "m-0 muted").props('aria-live="polite"')
            self._show_suppression()
            self._share.on_value_change(self._slid)

    def _show_suppression(self) -> None:
        share = self._board.suppression
        if abs(self._slider_share() - share) > 1e-9:
            self._is_quiet = True
            self._share.value = 100 * share
            self._is_quiet = False
        self._percent.text = f"{100 * share:g} %"
        self._allowed.text = suppression_words(share, self._board.records)

    def _slider_share(self) -> float:
        return float(self._share.value or 0) / 100

    def _slid(self) -> Coroutine[object, object, None] | None:
        if self._is_quiet:
            return None
        self._percent.text = f"{100 * self._slider_share():g} %"
        return self._allowing.changed()

    async def _allow(self) -> None:
        share = self._slider_share()
        if abs(share - self._board.suppression) > 1e-9:
            with told():
                await self._board.allow(share)

    async def _changed(self) -> None:
        """Take over what some tab has changed."""
        self._draw_promises()
        for card in self._cards.values():
            card.show()
        self._allowing.came_back()
        await self._look()

    async def _look(self) -> None:
        """Ask for all that has to be counted; what was asked before does not matter any more."""
        mine = self._asked.renewed()
        promises = self._board.promises
        try:
            told_promises = await self._board.in_words() if promises else []
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


def _nothing() -> Element:
    return tag(
        "p",
        "Nothing is promised yet. Begin with k-anonymity: it is the promise that most others build "
        "on.",
        "m-0 muted",
    ).props('data-testid="no-promises"')
