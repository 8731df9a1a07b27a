"""Elements that several pages use: lists, charts, progress bars, texts to copy."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar

from attrs import define, field, frozen
from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

from unlinkable.studio.errors import StudioError
from unlinkable.studio.jobs import Job
from unlinkable.studio.workbench import Workbench

__all__ = [
    "INK",
    "Chart",
    "ListEntry",
    "Slider",
    "StableList",
    "aria_label",
    "copy_button",
    "draw_when_ready",
    "job_progress",
    "scroll_area",
    "tag",
    "text_block",
    "text_table",
]


def tag(name: str, text: str = "", classes: str = "") -> TextElement:
    """Put an element with a text on the page: a heading, a paragraph, a cell of a table.

    The text is shown as it is, never read as HTML.
    """
    return TextElement(tag=name, text=text).classes(classes)


ElementT = TypeVar("ElementT", bound=Element)


def aria_label(element: ElementT, words: str) -> ElementT:
    """Give an element a name for screen readers; the words may hold whatever data and people say.

    Within ``props``, a quotation mark in the name of a column would end it.
    """
    element.props["aria-label"] = words
    return element


def scroll_area(words: str, classes: str = "") -> ui.element:
    """Give a place that scrolls, with the keyboard too; the words say what is in it."""
    place = ui.element("div").classes(f"w-full overflow-x-auto {classes}")
    return aria_label(place.props("role=region tabindex=0"), words)


def text_table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Draw a table of texts whose first column names the rows."""
    with tag("table", "", "w-full text-left studio-table studio-stacked"):
        tag("caption", caption, "sr-only")
        with tag("thead"), tag("tr"):
            for heading in headings:
                tag("th", heading, "py-1 pr-4").props("scope=col")
        with tag("tbody"):
            for name, *cells in rows:
                with tag("tr", "", "align-top"):
                    tag("th", name, "py-1 pr-4").props("scope=row")
                    for heading, cell in zip(headings[1:], cells, strict=True):
                        tag("td", cell, "py-1 pr-4").props(f'data-title="{heading}"')


def copy_button(text: str, label: str) -> ui.button:
    """Offer to copy a text; `label` says which, for those who cannot see it."""

    def copy() -> None:
        ui.clipboard.write(text)
        ui.notify("Copied.", type="info")

    button = ui.button(icon="content_copy", on_click=copy).props(f'flat dense aria-label="{label}"')
    button.tooltip(label)
    return button


def text_block(text: str, label: str) -> None:
    """Show a text of several lines, to be read and copied."""
    with ui.element("div").classes("relative w-full"):
        block = tag("pre", text, "studio-code w-full overflow-auto max-h-96 m-0 p-3 pr-12 text-sm")
        block.props(f'tabindex=0 role=region aria-label="{label}"')
        copy_button(text, f"Copy {label}").classes("absolute top-1 right-1")


class Slider(ui.slider):
    """A number to be pushed."""

    LOOPBACK = False


INK = "currentColor"
"""The colour of words in a chart: that of the page around it, in light and in dark."""


class Chart(ui.echart, component="chart.js"):
    """A chart of shares in percent.

    The element of the toolkit draws a moment after it was put on the page, and fails if it is taken
    away in between, as pages do that are drawn anew. This one draws once there is room for it.

    Parameters
    ----------
    options
        What is drawn, as ECharts takes it.
    unknown
        What is said in place of a share that is not known.
    """

    def __init__(self, options: dict[str, Any], unknown: str = "not known") -> None:
        super().__init__(options)
        self._props["unknown"] = unknown

    def show(self, options: dict[str, Any]) -> None:
        """Draw something else in the same place, if it is something else."""
        if options != self._props["options"]:
            self._props["options"] = options
            self.update()


@frozen
class ListEntry:
    """One entry of a list.

    Attributes
    ----------
    key
        Which one it is.
    seen
        What there is to be seen of it: it is drawn anew only if that is something else.
    draw
        Draws it as one element, and gives that.
    """

    key: object
    seen: object
    draw: Callable[[], Element]


@define(eq=False)
class StableList:
    """Entries within an element that holds nothing else."""

    place: Element
    _drawn: dict[object, tuple[object, Element]] = field(factory=dict)

    def show(self, entries: Iterable[ListEntry]) -> None:
        """Show these entries, in this order."""
        wanted = {entry.key: entry for entry in entries}
        for key in [key for key in self._drawn if key not in wanted]:
            self._drawn.pop(key)[1].delete()
        for index, entry in enumerate(wanted.values()):
            element = self._element(entry)
            if self.place.default_slot.children.index(element) != index:
                element.move(target_index=index)

    def _element(self, entry: ListEntry) -> Element:
        seen, element = self._drawn.get(entry.key, (None, None))
        if element is None or seen != entry.seen:
            if element is not None:
                element.delete()
            with self.place:
                element = entry.draw()
            self._drawn[entry.key] = entry.seen, element
        return element


_REFRESH = 0.3
"""Seconds between two looks at the job."""


def job_progress(work: Workbench, job: Job, whom: str) -> None:
    """Show how far a job is. Whoever calls draws something else when it is over."""
    bar = ui.linear_progress(value=job.share, show_value=False)
    aria_label(bar.props("size=10px rounded"), f"Progress: {whom}")
    with ui.row().classes("items-center justify-between w-full no-wrap"):
        words = ui.label(_progress_text(job)).classes("text-sm min-w-0")
        cancel = ui.button("Cancel", icon="close", on_click=lambda: work.cancel(job))
        aria_label(cancel.props("no-caps flat dense"), f"Cancel: {whom}")

    def look() -> None:
        bar.set_value(job.share)
        words.set_text(_progress_text(job))

    ui.timer(_REFRESH, look)


def _progress_text(job: Job) -> str:
    return f"{job.share * 100:.0f} %: {job.text}"


Answer = TypeVar("Answer")


def draw_when_ready(
    ask: Callable[[], Awaitable[Answer]],
    draw: Callable[[Answer], object],
    words: str = "One moment …",
) -> None:
    """Ask for something that may take a while, and draw what came; the page is there at once.

    What goes wrong is said in place of the drawing, with a button to ask again.
    """
    place = ui.column().classes("w-full gap-4")

    async def fill() -> None:
        place.clear()
        with place, ui.row().classes("items-center gap-3").props('role="status"'):
            ui.spinner()
            tag("p", words, "m-0")
        try:
            found = await ask()
        except StudioError as error:
            place.clear()
            with place:
                tag("p", str(error), "m-0").props('role="alert"')
                ui.button("Try again", on_click=fill).props("no-caps outline")
            return
        place.clear()
        with place:
            draw(found)

    ui.timer(0, fill, once=True)
