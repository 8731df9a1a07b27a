"""The map of levels on the page: drawn on demand, nodes can be looked at and used."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from unlinkable.studio.contracts import LatticeMap, LatticeNode, NodeDetails
from unlinkable.studio.errors import TaskError
from unlinkable.studio.job import JobState
from unlinkable.studio.pages.exploring.bench import Bench
from unlinkable.studio.pages.exploring.lattice_drawing import counts, drawn
from unlinkable.studio.pages.exploring.lattice_layout import (
    STATES,
    Form,
    best_nodes,
    form_of,
    in_words,
)
from unlinkable.studio.pages.exploring.node_panel import NodePanel
from unlinkable.studio.pages.labelled import labelled
from unlinkable.studio.pages.live import told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.said import counted, number
from unlinkable.studio.pages.scrolling import scrolled
from unlinkable.studio.pages.under_way import progress

__all__ = ["LatticeView"]

_SHOW = """
    const words = document.getElementById('lattice-words');
    if (words) words.textContent = node.getAttribute('aria-label');
"""

_LOOK = f"(e) => {{ const node = e.target.closest('[data-node]'); if (node) {{ {_SHOW} }} }}"

_PICK = """
    for (const old of node.closest('.lattice').querySelectorAll('.chosen'))
      old.classList.remove('chosen');
    node.classList.add('chosen');
    emit(Number(node.dataset.node));
    const panel = document.querySelector('.node-panel');
    if (panel) panel.scrollIntoView({block: 'nearest', behavior: 'smooth'});
"""

_CLICK = f"(e) => {{ const node = e.target.closest('[data-node]'); if (node) {{ {_PICK} }} }}"

_KEY = f"""(e) => {{
  const node = e.target.closest('[data-node]');
  if (!node) return;
  const way = {{ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right'}}[e.key];
  if (way) {{
    e.preventDefault();
    const next = document.getElementById(node.dataset[way] || '');
    if (next) {{ node.tabIndex = -1; next.tabIndex = 0; next.focus(); }}
  }} else if (e.key === 'Enter' || e.key === ' ') {{
    e.preventDefault();
    {_PICK}
  }}
}}"""


class LatticeView:
    """All full-domain generalizations, by what they cost."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._panel = NodePanel(bench)
        self._found: LatticeMap | None = None
        self._drawn: object = None
        self.draw: Any = ui.refreshable(self._draw)

    def renew(self) -> None:
        """Draw it anew if there is something new: a large map is not sent for nothing."""
        if self._seen() != self._drawn:
            self.draw.refresh()

    def _seen(self) -> object:
        jobs = [(job.key, job.state) for job in self._bench.jobs("lattice")]
        return jobs[-1:], self._bench.lattice()[1]

    def _draw(self) -> None:
        self._drawn = self._seen()
        tag(
            "p",
            "Every mark is one way to give each column a level: the coarsest at the top, the "
            "table as it is at the bottom. Choose one to see what it would publish.",
            "m-0 muted",
        )
        self._found, is_current = self._bench.lattice()
        running = [job for job in self._bench.jobs("lattice") if not job.is_over]
        if running:
            with ui.card().classes("w-full gap-1").props("flat bordered"):
                tag("p", "Looking at all levels", "m-0 font-medium")
                progress(self._bench.work, running[-1], "Looking at all levels")
        else:
            self._draw_button(is_current)
        if self._found is not None:
            self._draw_map(self._found)

    def _draw_button(self, is_current: bool) -> None:
        failed = self._bench.jobs("lattice")[-1:]
        if failed and failed[0].state is JobState.FAILED:
            tag("p", str(failed[0].error), "m-0 problem").props('role="alert"')
        if self._found is not None and not is_current:
            tag("p", "⟳ The plan has changed since this map was drawn.", "m-0 stale")
        if self._found is None or not is_current:
            words = "Draw the map" if self._found is None else "Draw it again"
            button = ui.button(words, icon="grid_view", on_click=self._start)
            button.props('no-caps unelevated data-testid="draw-lattice"')

    def _start(self) -> None:
        with told():
            self._bench.work.start("lattice", title="Map of all levels")

    def _draw_map(self, found: LatticeMap) -> None:
        self._draw_legend(found)
        with ui.element("div").classes("lattice-parts"):
            with ui.column().classes("min-w-0 gap-2"):
                if form_of(found) is Form.LIST:
                    self._draw_list(found)
                else:
                    self._draw_nodes(found)
            self._panel.draw()

    def _draw_legend(self, found: LatticeMap) -> None:
        limit = f"At most {number(found['limit'])} of {number(found['records'])} records left out"
        tag(
            "p",
            f"{counted(found['n_nodes'], 'combination')} of levels of "
            f"{', '.join(found['columns'])}. {limit}.",
            "m-0",
        )
        if form_of(found) is Form.LIST:
            return
        with tag("ul", "", "lattice-legend"):
            if found["best"] is not None:
                _entry("★", "node valid best", "loses the least")
            for state, mark, n in counts(found):
                _entry(mark, f"node {state} shade-1", f"{STATES[state]} ({n:,})")
            with tag("li"):
                for shade in range(5):
                    tag("span", "", f"node valid shade-{shade}").props('aria-hidden="true"')
                tag("span", "loses little … loses much")

    def _draw_nodes(self, found: LatticeMap) -> None:
        words = tag(
            "p", "Point at a mark, or go there with Tab and the arrow keys.", "lattice-words"
        )
        words.props('id="lattice-words" aria-hidden="true"')
        nodes = ui.html(drawn(found), sanitize=False).classes("lattice")
        nodes.props('data-testid="lattice"')
        nodes.on("mouseover", js_handler=_LOOK)
        nodes.on("focusin", js_handler=_LOOK)
        nodes.on("click", lambda e: self._pick(int(e.args)), js_handler=_CLICK)
        nodes.on("keydown", lambda e: self._pick(int(e.args)), js_handler=_KEY)

    async def _pick(self, index: int) -> None:
        if self._found is not None and 0 <= index < len(self._found["nodes"]):
            await self._look(self._found["nodes"][index])

    async def _look(self, node: LatticeNode) -> None:
        found = self._found
        if found is None:
            return
        self._panel.wait(found, node)
        try:
            details: NodeDetails = await self._bench.work.node(node["levels"])
        except TaskError as error:
            self._panel.fail(error)
        else:
            self._panel.show(found, details)

    def _draw_list(self, found: LatticeMap) -> None:
        best = best_nodes(found)
        if not best:
            tag("p", "There are too many to draw, and none was found that keeps the promises.")
            return
        tag("p", "There are too many to draw. These are the best that were found:", "m-0")
        with scrolled("The best that were found"), tag("table") as table:
            table.classes("plain-table w-full best-nodes")
            tag("caption", "Levels of the best releases", "sr-only")
            with tag("tr"):
                for heading in ("Loss", "Left out", *found["columns"], ""):
                    tag("th", heading).props('scope="col"')
            for node in best:
                self._draw_listed(found, node)

    def _draw_listed(self, found: LatticeMap, node: LatticeNode) -> None:
        star = "★ " if node["levels"] == found["best"] else ""
        with tag("tr"):
            tag("th", f"{star}{number(node['loss'])}").props('scope="row"')
            tag("td", number(node["suppressed"]))
            for level, height in zip(node["levels"], found["heights"], strict=True):
                tag("td", f"{level} of {height}")
            with tag("td"):
                look = ui.button("Look closer", on_click=lambda: self._look(node))
                labelled(look.props("flat dense no-caps"), f"Look closer: {in_words(found, node)}")


def _entry(mark: str, classes: str, words: str) -> None:
    with tag("li"):
        tag("span", mark, classes).props('aria-hidden="true"')
        tag("span", words)
