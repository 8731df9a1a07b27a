"""Layout: what surrounds every page of a project: its name, the steps, and the running jobs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path

from attrs import frozen
from nicegui import ui

from unlinkable.studio.errors import NotFoundError
from unlinkable.studio.jobs import Job, JobState
from unlinkable.studio.pages.elements import ListEntry, StableList, aria_label, tag
from unlinkable.studio.pages.live import live, live_jobs, notify_errors
from unlinkable.studio.studio import Studio
from unlinkable.studio.workbench import Workbench

__all__ = ["STEPS", "Step", "draw_step", "frame", "top"]


def _draw_no_data(work: Workbench) -> None:
    """Say where to begin; the page itself comes as soon as there are data."""
    with ui.card().classes("w-full items-start gap-3").props("flat bordered"):
        tag("h2", "There is no data yet", "text-lg font-semibold m-0")
        tag("p", "Start with a table of records, on the page Data.", "m-0 muted")
        go = ui.button("Go to Data", icon="table_chart")
        go.props(f'no-caps unelevated href="/project/{work.project.key}/data"')
    live(work, ui.navigate.reload, on={"plan"})


@frozen
class Step:
    """One page of a project.

    Attributes
    ----------
    key
        In addresses, and the name of the module that draws it.
    title, icon
        What people see.
    needs_plan
        Whether there is nothing to do before there is any data.
    """

    key: str
    title: str
    icon: str
    needs_plan: bool = True

    @property
    def module(self) -> str:
        """The module that draws it, with a function ``page(work)``."""
        return f"unlinkable.studio.pages.{self.key}.{self.key}_page"


STEPS = (
    Step("data", "Data", "table_chart", needs_plan=False),
    Step("roles", "Roles and taxonomies", "account_tree"),
    Step("privacy", "Privacy", "shield"),
    Step("explore", "Explore", "scatter_plot"),
    Step("attack", "Attack", "bug_report"),
    Step("publish", "Publish", "publish"),
)
"""The six pages of a project, in the order in which people go through them."""


async def draw_step(key: str, work: Workbench) -> None:
    """Draw a page; its function may be a coroutine function.

    Raises
    ------
    NotFoundError
        If there is no such page.
    """
    step = next((step for step in STEPS if step.key == key), None)
    if step is None:
        raise NotFoundError(f"there is no page {key!r}")
    if step.needs_plan and work.plan is None:
        _draw_no_data(work)
        return
    drawn = import_module(step.module).page(work)
    if drawn is not None:
        await drawn


_STYLES = Path(__file__).with_name("studio.css")

_COLOURS = {
    JobState.QUEUED: "grey",
    JobState.RUNNING: "primary",
    JobState.DONE: "positive",
    JobState.FAILED: "negative",
    JobState.CANCELLED: "grey",
}


@contextmanager
def top(studio: Studio, title: str) -> Iterator[None]:
    """Draw the bar that all pages have; what is drawn within comes to its right end."""
    ui.colors(primary="#1f5f8b", secondary="#4a6572", accent="#8e5ea2", positive="#2e7d32")
    ui.add_css(_STYLES)
    ui.page_title(f"{title} · unlinkable studio")
    with ui.header().classes("items-center no-wrap q-py-xs"):
        home = ui.link("unlinkable", "/").classes("text-white text-bold no-underline text-lg")
        home.props("data-testid=home")
        ui.label(title).classes("text-white ellipsis").props("data-testid=project-name")
        ui.space()
        yield
        _theme_button(studio)


def _theme_button(studio: Studio) -> None:
    """Let people choose between light and dark; all pages remember it."""
    dark = ui.dark_mode(studio.projects.preferences.get("dark"))

    def choose(value: bool | None) -> None:
        dark.set_value(value)
        studio.projects.prefer(dark=value)

    with ui.button(icon="contrast").props("flat round color=white data-testid=look") as button:
        button.props('aria-label="Light or dark"')
        with ui.menu():
            for words, value in (("Light", False), ("Dark", True), ("As the system", None)):
                ui.menu_item(words, on_click=lambda value=value: choose(value))


@contextmanager
def frame(work: Workbench, step: str) -> Iterator[None]:
    """Draw what is around a page of a project; what is drawn within is the page."""
    drawer = _jobs(work)
    with top(work.studio, work.project.name):
        _jobs_button(work, drawer)
    _steps(work, step)
    live(work, _leave, on={"deleted"})
    with (
        ui.column()
        .classes("w-full max-w-screen-2xl mx-auto q-pa-md gap-4")
        .props(f"data-testid=page-{step}")
    ):
        yield


def _leave() -> None:
    ui.navigate.to("/")


def _steps(work: Workbench, current: str) -> None:
    """Draw the steps as links: each is an address of its own, in any tab."""

    @ui.refreshable
    def links() -> None:
        has_plan = work.project.toml is not None
        for i, step in enumerate(STEPS, start=1):
            is_open = has_plan or not step.needs_plan
            link = ui.button(f"{i} {step.title}", icon=step.icon)
            link.props(f'flat no-caps href="/project/{work.project.key}/{step.key}"')
            link.props(f"data-testid=step-{step.key}").set_enabled(is_open)
            if step.key == current:
                link.props("unelevated color=primary aria-current=page", remove="flat")

    steps = ui.element("nav").props('aria-label="Steps"')
    with steps.classes("studio-steps w-full max-w-screen-2xl mx-auto q-px-md q-pt-sm"):
        links()
    live(work, links.refresh, on={"plan"}, seen=lambda: work.project.toml is None)


def _jobs_button(work: Workbench, drawer: ui.right_drawer) -> None:
    """Draw the button that shows what is being done, with how many things that are."""
    with ui.button(icon="checklist", on_click=drawer.toggle).props("flat round color=white") as b:
        b.props('aria-label="Jobs"').props("data-testid=jobs")
        badge = ui.badge(color="accent").props("floating")

    def count() -> None:
        n = sum(not job.is_over for job in work.jobs())
        badge.set_text(str(n))
        badge.set_visibility(n > 0)

    count()
    live(work, count, on={"jobs"})


def _jobs(work: Workbench) -> ui.right_drawer:
    """Draw the drawer with all jobs, how far they are, and what stops them."""
    shown: dict[str, _JobCard] = {}

    def listed() -> None:
        jobs = work.jobs()[:20]
        nothing.set_visibility(not jobs)
        entries.show(ListEntry(job.key, job.is_over, partial(drawn, job)) for job in jobs)

    def drawn(job: Job) -> ui.card:
        shown[job.key] = _JobCard(work, job)
        return shown[job.key].card

    def further(job: Job) -> None:
        if job.key in shown and not job.is_over:
            shown[job.key].further(job)

    drawer = (
        ui.right_drawer(value=False, bordered=True)
        .props("width=360 overlay")
        .props("data-testid=drawer")
    )
    with drawer:
        tag("h2", "Jobs", "text-lg font-semibold m-0")
        nothing = ui.label("No jobs yet.").classes("muted")
        entries = StableList(ui.column().classes("w-full gap-3"))
    listed()
    live(work, listed, on={"jobs"})
    live_jobs(work, further)
    return drawer


class _JobCard:
    """A job in the drawer."""

    def __init__(self, work: Workbench, job: Job) -> None:
        self.card = ui.card().classes("w-full gap-1 q-pa-sm").props("flat bordered")
        with self.card.props(f"data-testid=job-{job.key}"):
            with ui.row().classes("w-full items-center no-wrap"):
                ui.label(job.title).classes("ellipsis text-bold").tooltip(job.title)
                ui.space()
                self._badge = ui.badge(job.state.value, color=_COLOURS[job.state])
                if not job.is_over:
                    stop = ui.button(icon="close", on_click=lambda: _cancel(work, job))
                    stop.props("flat round dense size=sm data-testid=cancel")
                    aria_label(stop, f"Cancel: {job.title}")
            self._bar = ui.linear_progress(job.share, show_value=False, color=_COLOURS[job.state])
            self._bar.props('instant-feedback aria-label="Progress"')
            self._words = ui.label().classes("text-sm muted")
        self.further(job)

    def further(self, job: Job) -> None:
        """Show how far it is: nothing is drawn anew, so that no click on it is lost."""
        self._badge.set_text(job.state.value)
        for element in (self._badge, self._bar):
            element.props(f"color={_COLOURS[job.state]}")
        self._bar.set_value(round(job.share, 3))
        self._words.set_text(job.text)
        self._words.set_visibility(job.text != job.state.value)


def _cancel(work: Workbench, job: Job) -> None:
    with notify_errors():
        work.cancel(job)
