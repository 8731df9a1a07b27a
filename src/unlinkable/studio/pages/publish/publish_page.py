"""The page Publish: a bundle for recipients, the plan, and the next release of a series."""

from __future__ import annotations

from nicegui import ui

from unlinkable.studio.contracts import Document
from unlinkable.studio.jobs import Job
from unlinkable.studio.pages.elements import StableList, job_progress, tag, text_block
from unlinkable.studio.pages.live import live, notify_errors
from unlinkable.studio.pages.publish.bundle_views import (
    Draft,
    before_you_publish,
    bundle_form,
    bundle_list,
)
from unlinkable.studio.pages.publish.series_view import (
    draw_last_try,
    draw_past_releases,
    last_try,
    series_form,
)
from unlinkable.studio.workbench import Workbench

__all__ = ["page"]


def page(work: Workbench) -> None:
    """Draw the four parts of the page."""
    _part("Make a bundle")
    tag(
        "p",
        "A bundle has two halves. The public half is what recipients get: the published records, "
        "what is promised about them, and a report. The private half stays with you.",
    )
    _bundles(work)
    _part("The same without the studio")
    _texts(work)
    _part("Publish again later")
    tag(
        "p",
        "Each release may be safe alone, and two of them together may not be. The history of this "
        "project records what was published about whom, and refuses what would expose people.",
    )
    _series(work)


def _part(title: str) -> None:
    tag("h2", title, "text-xl font-semibold m-0 mt-2")


def _publishing(work: Workbench) -> Job | None:
    return next((j for j in work.jobs() if j.task == "publish" and not j.is_over), None)


def _form_seen(work: Workbench) -> object:
    """Say what the form shows, to know when that is something else."""
    outcome, job = work.chosen_run(), _publishing(work)
    if outcome is None or job is not None:
        return job and job.key
    names = [(o["run"], o["title"]) for o in work.runs()]
    return names, outcome["run"], before_you_publish(work, outcome), work.project.bundle_names()


def _bundles(work: Workbench) -> None:
    draft = Draft()

    @ui.refreshable
    def form() -> None:
        outcome, job = work.chosen_run(), _publishing(work)
        if outcome is None:
            tag("p", "There is no result yet. Make one under Explore, then come back.")
            ui.link("Go to Explore", f"/project/{work.project.key}/explore")
        elif job is not None:
            job_progress(work, job, "publishing")
        else:
            bundle_form(work, outcome, draft)

    form()
    _part("Published bundles")
    bundles = StableList(ui.column().classes("w-full gap-4"))
    bundle_list(work, bundles)
    on = {"runs", "state", "plan", "bundles", "attacks", "jobs"}
    live(work, form.refresh, on=on, seen=lambda: _form_seen(work))
    live(work, lambda: bundle_list(work, bundles), on={"bundles", "state"})


def _texts(work: Workbench) -> None:
    @ui.refreshable
    def shown(texts: dict[str, str]) -> None:
        if texts:
            _draw_equivalents(texts)

    async def fetch() -> None:
        with notify_errors():
            shown.refresh({} if work.plan is None else await work.texts(bundle="release"))

    shown({})
    ui.timer(0.1, fetch, once=True)
    live(work, fetch, on={"plan"})


def _series(work: Workbench) -> None:
    @ui.refreshable
    def form(entries: list[Document]) -> None:
        if entries and work.plan is not None:
            series_form(work, entries)

    @ui.refreshable
    def tried() -> None:
        job = last_try(work)
        if job is not None and not job.is_over:
            job_progress(work, job, "the next release")
        elif job is not None:
            draw_last_try(job)

    @ui.refreshable
    def before(lines: list[Document] | None) -> None:
        if lines is not None:
            draw_past_releases(lines)

    async def fetch() -> None:
        with notify_errors():
            before.refresh(await work.ask("history"))

    async def begin() -> None:
        with notify_errors():
            form.refresh(await work.entries("policy"))
            await fetch()

    form([])
    tried()
    tag("h3", "What was published before", "text-base font-semibold m-0")
    before(None)
    ui.timer(0.1, begin, once=True)
    live(work, fetch, on={"bundles"})
    live(work, tried.refresh, on={"bundles", "jobs"}, seen=lambda: _tried_seen(work))


def _tried_seen(work: Workbench) -> object:
    job = last_try(work)
    return None if job is None else (job.key, job.is_over)


_KINDS = {"toml": "Plan file", "shell": "Command line", "python": "Python"}


def _draw_equivalents(texts: dict[str, str]) -> None:
    """Show the three texts, each with a button to copy it."""
    tag(
        "p",
        "Everything you did here is in one file, the plan. With it, the command line and Python "
        "make the same release, on this machine or another.",
    )
    with ui.tabs().props("no-caps align=left inline-label") as tabs:
        for kind, title in _KINDS.items():
            ui.tab(kind, title)
    with ui.tab_panels(tabs, value="toml").classes("w-full").props("animated=false"):
        for kind, title in _KINDS.items():
            with ui.tab_panel(kind).classes("p-0 pt-2"):
                text_block(texts[kind], f"the text: {title}")
    button = ui.button("Download the plan", icon="download").props("no-caps outline")
    button.on_click(lambda: ui.download.content(texts["toml"], "plan.toml", "application/toml"))
