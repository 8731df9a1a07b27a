"""Studio: all projects, all jobs, and what they share."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from attrs import define, field

from unlinkable.studio.contracts import Document
from unlinkable.studio.errors import StudioError, TaskError
from unlinkable.studio.jobs import Job, Jobs, Pool
from unlinkable.studio.project import Project, Projects
from unlinkable.studio.workbench import Workbench

__all__ = ["Studio"]


@define(eq=False)
class Studio:
    """The application, apart from pages and addresses.

    Attributes
    ----------
    projects
        All projects.
    jobs
        All requests to workers.
    largest_upload
        Maximum number of bytes of an uploaded file.
    """

    projects: Projects
    jobs: Jobs = field(factory=Jobs)
    largest_upload: int = 2 * 1024**3
    _entries: dict[str, list[Document]] = field(factory=dict, repr=False)
    _editing: dict[str, asyncio.Lock] = field(factory=dict, repr=False)

    def workbench(self, key: str) -> Workbench:
        """Open a project; NotFoundError if there is none."""
        return Workbench(self, self.projects.open(key))

    def edits(self, project: Project) -> asyncio.Lock:
        """Have changes of a plan made one after the other: none may undo another."""
        return self._editing.setdefault(project.key, asyncio.Lock())

    async def entries(self, kind: str) -> list[Document]:
        """Give the registry; it never changes while the server runs."""
        if kind not in self._entries:
            self._entries[kind] = await self.ask_plan_worker("registry", kind=kind)
        return self._entries[kind]

    async def import_plan(self, file: Path) -> Project:
        """Make a project of a plan elsewhere on this machine, or open the one that it became.

        Only for plans that were named on the command line: the files that they name may be read.
        """
        whole = file.resolve()
        if (key := self.projects.recent.get(str(whole))) is not None:
            try:
                return self.projects.open(key)
            except StudioError:
                pass
        project = self.projects.create(whole.stem if whole.stem != "plan" else whole.parent.name)
        try:
            made = await self.ask_plan_worker(
                "import_plan", file=str(whole), folder=str(project.folder)
            )
        except TaskError:
            self.projects.delete(project.key)
            raise
        project.remember(granted=made["granted"])
        project.save_plan(made["toml"])
        self.projects.remember_plan(whole, project)
        return project

    async def ask_plan_worker(self, task: str, **arguments: Any) -> Any:
        """Have the worker for plans do something, and wait for the answer."""
        home = self.projects.home
        return await self.jobs.start(Job(home, Pool.PLANS, task, arguments, is_quiet=True)).wait()
