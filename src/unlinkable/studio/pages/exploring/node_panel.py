"""One node of the lattice, looked at closely."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from unlinkable.studio.contracts import LatticeMap, LatticeNode, NodeDetails
from unlinkable.studio.errors import TaskError
from unlinkable.studio.pages.exploring.bench import Bench
from unlinkable.studio.pages.exploring.lattice_layout import STATES, in_words
from unlinkable.studio.pages.live import told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.said import counted, number, percent

__all__ = ["NodePanel"]

_FEW = 4


class NodePanel:
    """What a node would publish, and a button to use it."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
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
            tag("p", in_words(found, node), "m-0")
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
        left_out = f"{number(details['suppressed'])} records ({percent(share)}) would be left out."
        groups = (
            f"{counted(details['groups'], 'group')} of people who look alike, "
            f"{number(round(details['average'], 1))} people each on average; the smallest has "
            f"{number(details['smallest'])} before anything is left out."
        )
        loss = [] if details["loss"] is None else [f"Loss: {number(details['loss'])}."]
        return [*loss, left_out, groups]

    def _use(self) -> Any:
        with told():
            words = "·".join(map(str, self._levels))
            self._bench.work.anonymize(levels=self._levels, title=f"levels {words}")
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
