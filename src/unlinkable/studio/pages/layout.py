"""Layout: what is around every page of a project: its name, the steps, and what is being done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from nicegui import ui

from unlinkable.studio.job import Job, JobState
from unlinkable.studio.pages.kept_list import Entry, KeptList
from unlinkable.studio.pages.labelled import labelled
from unlinkable.studio.pages.live import live, live_jobs, told
from unlinkable.studio.pages.plain import tag
from unlinkable.studio.pages.steps import STEPS
from unlinkable.studio.studio import Studio
from unlinkable.studio.workbench import Workbench

__all__ = ["frame", "top"]

_CSS = """
.nicegui-link:not(.text-white) { color: var(--q-primary); }
.muted { color: #55606a; }
.body--dark .muted { color: #a9b2ba; }
.body--dark a:not(.bg-primary, [aria-current]), .body--dark .text-primary,
.body--dark .q-btn--outline, .body--dark .q-btn--flat, .body--dark .q-radio,
.body--dark .q-field { --q-primary: #8ec5ee; }
.q-btn.text-white > .q-focus-helper, .q-btn.text-white > .q-focus-helper::after {
  background: #000; }
.studio-steps { display: flex; flex-wrap: wrap; gap: 4px; }
@media (max-width: 640px) {
  .studio-steps { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .studio-steps .q-btn { padding: 4px 2px; font-size: 13px; line-height: 1.25; }
  .studio-steps .q-btn__content { flex-direction: column; justify-content: flex-start; gap: 2px; }
  .studio-steps .q-icon { margin: 0; }
}
:focus-visible { outline: 2px solid #1f5f8b; outline-offset: 2px; }
.body--dark :focus-visible { outline-color: #8ec5ee; }
.body--dark .q-tab-panels { background: none; }
"""

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
    ui.add_css(_CSS)
    ui.page_title(f"{title} · unlinkable studio")
    with ui.header().classes("items-center no-wrap q-py-xs"):
        home = ui.link("unlinkable", "/").classes("text-white text-bold no-underline text-lg")
        home.props("data-testid=home")
        ui.label(title).classes("text-white ellipsis").props("data-testid=project-name")
        ui.space()
        yield
        _look(studio)


def _look(studio: Studio) -> None:
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
    shown: dict[str, _Shown] = {}

    def listed() -> None:
        jobs = work.jobs()[:20]
        nothing.set_visibility(not jobs)
        entries.show(Entry(job.key, job.is_over, partial(drawn, job)) for job in jobs)

    def drawn(job: Job) -> ui.card:
        shown[job.key] = _Shown(work, job)
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
        nothing = ui.label("Nothing was started yet.").classes("muted")
        entries = KeptList(ui.column().classes("w-full gap-3"))
    listed()
    live(work, listed, on={"jobs"})
    live_jobs(work, further)
    return drawer


class _Shown:
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
                    labelled(stop, f"Cancel: {job.title}")
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
    with told():
        work.cancel(job)
