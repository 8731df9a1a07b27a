"""Home: all projects, and how to begin another."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from nicegui import ui

from unlinkable.spelling import quantity
from unlinkable.studio.pages.elements import tag
from unlinkable.studio.pages.layout import top
from unlinkable.studio.pages.live import notify_errors
from unlinkable.studio.project import Project
from unlinkable.studio.studio import Studio

__all__ = ["page"]

_HEADING = "text-lg font-semibold m-0"


def page(studio: Studio) -> None:
    """Draw the first page."""
    with top(studio, "Projects"):
        _leave_button()
    with ui.column().classes("w-full max-w-screen-lg mx-auto q-pa-md gap-6"):
        with ui.column().classes("gap-1"):
            tag("h1", "Publish data, protect the people in it", "text-2xl font-bold m-0")
            tag(
                "p",
                "From a file to a verified release: choose what to protect, compare methods, "
                "attack the result, and publish it.",
                "m-0 muted max-w-prose",
            )
        _new_project(studio)
        _projects(studio)
        _recent(studio)
        ui.label(f"Everything is in {studio.projects.home}. Nothing leaves this machine.").classes(
            "text-sm muted"
        )


def _new_project(studio: Studio) -> None:
    def create() -> None:
        with notify_errors():
            project = studio.projects.create(name.value or "")
            ui.navigate.to(f"/project/{project.key}/data")

    with ui.card().classes("w-full").props("flat bordered"):
        tag("h2", "Begin a new project", _HEADING)
        with ui.row().classes("w-full items-center"):
            name = (
                ui.input("Name", placeholder="Patients 2026")
                .classes("grow")
                .props("outlined dense data-testid=new-name")
            )
            name.on("keydown.enter", create)
            button = ui.button("Create", icon="add", on_click=create)
            button.props("no-caps unelevated data-testid=create")


def _projects(studio: Studio) -> None:
    @ui.refreshable
    def listed() -> None:
        projects = studio.projects.list()
        if not projects:
            ui.label("There are no projects yet.").classes("muted")
        for project in projects:
            _project(studio, project, listed.refresh)

    tag("h2", "Projects", _HEADING)
    with ui.column().classes("w-full gap-2"):
        listed()


def _project(studio: Studio, project: Project, refresh: object) -> None:
    state, runs = project.state, project.n_runs
    about = [_since(str(state.get("created", ""))), quantity(runs, "result")]
    source = None
    with notify_errors():
        source = None if project.plan is None else project.plan["data"]["source"]
    about.append("no data yet" if source is None else Path(str(source)).name)
    with (
        ui.card().classes("w-full").props(f"flat bordered data-testid=project-{project.key}"),
        ui.row().classes("w-full items-center no-wrap"),
    ):
        with ui.column().classes("gap-0"):
            address = f"/project/{project.key}/{'data' if source is None else 'explore'}"
            ui.link(project.name, address).classes("text-lg").props("data-testid=open")
            ui.label(" · ".join(filter(None, about))).classes("text-sm muted")
        ui.space()
        button = ui.button(icon="delete_outline", color=None)
        button.on_click(lambda: _ask_delete(studio, project, refresh))
        button.props(f'flat round aria-label="Delete {project.key}" data-testid=delete')


def _ask_delete(studio: Studio, project: Project, refresh: object) -> None:
    def delete() -> None:
        dialog.close()
        with notify_errors():
            studio.jobs.close(project.key)
            studio.projects.delete(project.key)
        if callable(refresh):
            refresh()

    with ui.dialog(value=True) as dialog, ui.card():
        ui.label(f"Delete {project.name} with its data, runs and published bundles?")
        with ui.row().classes("w-full justify-end"):
            ui.button("Keep it", on_click=dialog.close).props("flat no-caps")
            ui.button("Delete", color="negative", on_click=delete).props(
                "no-caps unelevated data-testid=really-delete"
            )


def _recent(studio: Studio) -> None:
    """List plans elsewhere on this machine that were opened from the command line."""
    recent = studio.projects.recent
    if not recent:
        return
    tag("h2", "Recent plans", _HEADING)
    for file in recent:

        async def reopen(file: str = file) -> None:
            with notify_errors():
                project = await studio.import_plan(Path(file))
                ui.navigate.to(f"/project/{project.key}/data")

        ui.button(file, icon="description", on_click=reopen).props("flat no-caps").props(
            "data-testid=recent"
        )


def _leave_button() -> None:
    ui.button(icon="logout", on_click=lambda: ui.navigate.to("/leave")).props(
        'flat round color=white aria-label="Log out"'
    ).props("data-testid=logout")


def _since(created: str) -> str:
    try:
        return datetime.fromisoformat(created).strftime("%d %b %Y")
    except ValueError:
        return ""
