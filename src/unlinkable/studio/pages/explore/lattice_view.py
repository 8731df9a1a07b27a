"""The map of levels: drawn on demand; its nodes can be looked at closely and published."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from unlinkable.spelling import quantity
from unlinkable.studio.contracts import LatticeMap, LatticeNode, NodeDetails
from unlinkable.studio.errors import TaskError
from unlinkable.studio.jobs import JobState
from unlinkable.studio.pages.elements import aria_label, job_progress, scroll_area, tag
from unlinkable.studio.pages.explore.explore_state import ExploreState
from unlinkable.studio.pages.explore.lattice_drawing import (
    STATES,
    Form,
    best_nodes,
    draw_lattice,
    form_of,
    node_words,
    state_counts,
)
from unlinkable.studio.pages.formatting import number, percent
from unlinkable.studio.pages.live import notify_errors

__all__ = ["LatticeView", "NodePanel"]

_FEW = 4


class NodePanel:
    """What a node would publish, and a button to use it."""

    def __init__(self, explore: ExploreState) -> None:
        self._explore = explore
        self._levels: list[int] = []

    def draw(self) -> None:
        """Put the empty panel on the page."""
        with ui.card().classes("w-full gap-2 node-panel").props("flat bordered") as box:
            box.props('aria-live="polite" data-testid="node-panel"')
            self._place = ui.column().classes("w-full gap-2")
            with self._place:
                tag("p", "Choose a mark to see what it would publish.", "m-0 muted")

    def wait(self, found: LatticeMap, node: LatticeNode) -> None:
        """Show what is known already, while the rest is looked at."""
        self._levels = list(node["levels"])
        self._place.clear()
        with self._place:
            tag("p", node_words(found, node), "m-0")
            ui.spinner()

    def fail(self, error: TaskError) -> None:
        """Say why it could not be looked at."""
        if error.kind != "Cancelled":
            self._place.clear()
            with self._place:
                tag("p", str(error), "m-0 problem").props('role="alert"')

    def show(self, found: LatticeMap, details: NodeDetails) -> None:
        """Show it, unless another node was chosen meanwhile."""
        if details["levels"] != self._levels:
            return
        self._place.clear()
        is_valid = details["state"] == "valid"
        with self._place:
            mark = "✓" if is_valid else "×"  # noqa: RUF001
            tag(
                "h3",
                f"{mark} {STATES[details['state']].capitalize()}",
                "text-base font-semibold m-0",
            )
            for words in self._facts(found, details):
                tag("p", words, "m-0 text-sm")
            for name, level, height in zip(
                found["columns"], details["levels"], found["heights"], strict=True
            ):
                _draw_column(name, f"level {level} of {height}", details)
            use = ui.button("Use this one", icon="play_arrow", on_click=self._use)
            use.props('no-caps unelevated data-testid="use-node"')
            use.set_enabled(is_valid)

    def _facts(self, found: LatticeMap, details: NodeDetails) -> list[str]:
        share = details["suppressed"] / found["records"] if found["records"] else 0.0
        left_out = f"{number(details['suppressed'])} records ({percent(share)}) suppressed."
        groups = (
            f"{quantity(details['groups'], 'group')} of equal quasi-identifiers, "
            f"{number(round(details['average'], 1))} people each on average; the smallest has "
            f"{number(details['smallest'])} before suppression."
        )
        loss = [] if details["loss"] is None else [f"Loss: {number(details['loss'])}."]
        return [*loss, left_out, groups]

    def _use(self) -> Any:
        with notify_errors():
            words = "·".join(map(str, self._levels))
            self._explore.work.anonymize(levels=self._levels, title=f"levels {words}")
            ui.notify("It runs. See Results.", type="positive")


def _draw_column(name: str, level: str, details: NodeDetails) -> None:
    loss = details["losses"].get(name)
    examples = details["examples"].get(name, [])
    shown = ", ".join(examples[:_FEW]) + (", …" if len(examples) > _FEW else "")
    with ui.column().classes("w-full gap-0"):
        with ui.row().classes("w-full justify-between no-wrap text-sm"):
            tag("strong", name)
            tag("span", level if loss is None else f"{level}, {percent(loss)} lost")
        with ui.element("div").classes("loss-bar").props('aria-hidden="true"'):
            ui.element("div").style(f"width: {100 * min(max(loss or 0.0, 0.0), 1.0):.1f}%")
        tag("span", shown, "text-xs muted break-words")


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

    def __init__(self, explore: ExploreState) -> None:
        self._explore = explore
        self._panel = NodePanel(explore)
        self._found: LatticeMap | None = None
        self._drawn: object = None
        self.draw: Any = ui.refreshable(self._draw)

    def renew(self) -> None:
        """Redraw it only if something has changed: a map may be large."""
        if self._seen() != self._drawn:
            self.draw.refresh()

    def _seen(self) -> object:
        jobs = [(job.key, job.state) for job in self._explore.jobs("lattice")]
        return jobs[-1:], self._explore.lattice()[1]

    def _draw(self) -> None:
        self._drawn = self._seen()
        tag(
            "p",
            "Every mark is one way to give each column a level: the coarsest at the top, the "
            "table as it is at the bottom. Choose one to see what it would publish.",
            "m-0 muted",
        )
        self._found, is_current = self._explore.lattice()
        running = [job for job in self._explore.jobs("lattice") if not job.is_over]
        if running:
            with ui.card().classes("w-full gap-1").props("flat bordered"):
                tag("p", "Looking at all levels", "m-0 font-medium")
                job_progress(self._explore.work, running[-1], "Looking at all levels")
        else:
            self._draw_button(is_current)
        if self._found is not None:
            self._draw_map(self._found)

    def _draw_button(self, is_current: bool) -> None:
        failed = self._explore.jobs("lattice")[-1:]
        if failed and failed[0].state is JobState.FAILED:
            tag("p", str(failed[0].error), "m-0 problem").props('role="alert"')
        if self._found is not None and not is_current:
            tag("p", "⟳ The plan has changed since this map was drawn.", "m-0 stale")
        if self._found is None or not is_current:
            words = "Draw the map" if self._found is None else "Draw it again"
            button = ui.button(words, icon="grid_view", on_click=self._start)
            button.props('no-caps unelevated data-testid="draw-lattice"')

    def _start(self) -> None:
        with notify_errors():
            self._explore.work.start("lattice", title="Map of all levels")

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
        limit = f"At most {number(found['limit'])} of {number(found['records'])} records suppressed"
        tag(
            "p",
            f"{quantity(found['n_nodes'], 'combination')} of levels of "
            f"{', '.join(found['columns'])}. {limit}.",
            "m-0",
        )
        if form_of(found) is Form.LIST:
            return
        with tag("ul", "", "lattice-legend"):
            if found["best"] is not None:
                _entry("★", "node valid best", "loses the least")
            for state, mark, n in state_counts(found):
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
        nodes = ui.html(draw_lattice(found), sanitize=False).classes("lattice")
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
            details: NodeDetails = await self._explore.work.node(node["levels"])
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
        with scroll_area("The best that were found"), tag("table") as table:
            table.classes("plain-table w-full best-nodes")
            tag("caption", "Levels of the best releases", "sr-only")
            with tag("tr"):
                for heading in ("Loss", "Suppressed", *found["columns"], ""):
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
                aria_label(
                    look.props("flat dense no-caps"), f"Look closer: {node_words(found, node)}"
                )


def _entry(mark: str, classes: str, words: str) -> None:
    with tag("li"):
        tag("span", mark, classes).props('aria-hidden="true"')
        tag("span", words)
