"""Studio: all projects, all jobs, and what joins them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, field

from unlinkable.studio.contracts import AttackSuite, Document
from unlinkable.studio.errors import StudioError, TaskError
from unlinkable.studio.files import read_json
from unlinkable.studio.jobs import Job, Jobs, Pool
from unlinkable.studio.project import Project, Projects
from unlinkable.studio.security.uploads import safe_name
from unlinkable.studio.workbench import Workbench

__all__ = ["Studio"]

_WITHOUT_PLAN = ("history", "invent", "try_reading")
"""Tasks that make sense before there is any data."""


@define(eq=False)
class Studio:
    """The application, apart from pages and addresses.

    Attributes
    ----------
    projects
        All pieces of work.
    jobs
        All that workers do.
    largest_upload
        How many bytes a file may have that is handed in.
    """

    projects: Projects
    jobs: Jobs = field(factory=Jobs)
    largest_upload: int = 2 * 1024**3
    _entries: dict[str, list[Document]] = field(factory=dict, repr=False)
    _editing: dict[str, asyncio.Lock] = field(factory=dict, repr=False)

    def workbench(self, key: str) -> Workbench:
        """Open a project for a page; NotFoundError if there is none."""
        project = self.projects.open(key)
        if project.plan is not None:
            self.jobs.warm(project.folder, Pool.INTERACTIVE)
        return Workbench(self, project)

    def start(
        self,
        project: Project,
        pool: Pool,
        task: str,
        arguments: Mapping[str, Any],
        *,
        title: str = "",
        is_quiet: bool = False,
        replaces: str | None = None,
        after: Callable[[Job], None] | None = None,
        undo: Callable[[Job], None] | None = None,
    ) -> Job:
        """Have a worker do something with the plan as it is now.

        Raises
        ------
        StudioError
            If there is no data yet, or too much is waiting.
        """
        plan = project.plan
        if plan is None and task not in _WITHOUT_PLAN:
            raise StudioError("there is no data yet: hand in a file first")
        whole = {**arguments, "plan": plan, "granted": project.granted}
        return self.jobs.start(
            project.folder,
            pool,
            task,
            whole,
            title=title,
            is_quiet=is_quiet,
            replaces=replaces,
            after=after,
            undo=undo,
        )

    # Plans, by way of the plan worker

    async def entries(self, kind: str) -> list[Document]:
        """Give the registry; it never changes while the server runs."""
        if kind not in self._entries:
            self._entries[kind] = await self._ask_plan_worker("registry", kind=kind)
        return self._entries[kind]

    async def texts(self, project: Project, plan: Document | None, out: str) -> dict[str, str]:
        """Write a plan as Python, as a command line and as TOML."""
        if plan is None:
            raise StudioError("there is no plan yet: hand in a file first")
        found: dict[str, str] = await self._ask_plan_worker(
            "texts", folder=str(project.folder), plan=plan, out=out
        )
        return found

    async def edit_plan(self, project: Project, changes: Sequence[Document]) -> None:
        """Change the plan of a project; StudioError if the result is none."""
        columns = ((project.description or {}).get("description") or {}).get("columns", [])
        async with self._edits(project):
            plan = project.plan
            if plan is None:
                raise StudioError("there is no plan yet: hand in a file first")
            made = await self._ask_plan_worker(
                "edit_plan",
                folder=str(project.folder),
                plan=plan,
                changes=list(changes),
                suggested={c["name"]: c["taxonomy"] for c in columns},
                granted=project.granted,
            )
            project.save_plan(made["toml"])

    async def replace_plan(self, project: Project, toml: str) -> None:
        """Replace the plan of a project by a text; StudioError if it is none."""
        async with self._edits(project):
            made = await self._ask_plan_worker(
                "check_plan", folder=str(project.folder), toml=toml, granted=project.granted
            )
            project.save_plan(made["toml"])

    def _edits(self, project: Project) -> asyncio.Lock:
        """Have changes of a plan made one after the other: none may undo another."""
        return self._editing.setdefault(project.key, asyncio.Lock())

    async def import_plan(self, file: Path) -> Project:
        """Make a project of a plan elsewhere on this machine, or open the one that it became.

        Only for plans that were named on the command line: what they name may be read.
        """
        whole = file.resolve()
        if (key := self.projects.recent.get(str(whole))) is not None:
            try:
                return self.projects.open(key)
            except StudioError:
                pass
        project = self.projects.create(whole.stem if whole.stem != "plan" else whole.parent.name)
        try:
            made = await self._ask_plan_worker(
                "import_plan", file=str(whole), folder=str(project.folder)
            )
        except TaskError:
            self.projects.delete(project.key)
            raise
        project.remember(granted=made["granted"])
        project.save_plan(made["toml"])
        self.projects.remember_plan(whole, project)
        return project

    async def _ask_plan_worker(self, task: str, **arguments: Any) -> Any:
        job = self.jobs.start(self.projects.home, Pool.PLANS, task, arguments, is_quiet=True)
        return await job.wait()

    # Long work

    def look_at(self, project: Project, data: Mapping[str, Any]) -> Job:
        """Look at data, and begin a plan with what is suggested."""

        def keep(job: Job) -> None:
            project.save_plan(job.result["toml"])
            kept = {key: job.result[key] for key in ("description", "warnings")}
            project.save_description(kept)

        name = Path(str(data["source"])).name
        return self.jobs.start(
            project.folder,
            Pool.INTERACTIVE,
            "look_at",
            {"data": dict(data), "granted": project.granted},
            title=f"Looking at {name}",
            after=keep,
        )

    def anonymize(
        self,
        project: Project,
        method: str | None,
        levels: Sequence[int] | None,
        title: str | None,
    ) -> Job:
        """Run a method, and keep what comes out."""
        if project.plan is None:
            raise StudioError("there is no data yet: hand in a file first")
        run = project.new_run()
        arguments = {
            "run": run,
            "method": method,
            "levels": None if levels is None else list(levels),
            "title": title,
        }
        named = title or method or "the method of the plan"
        words = f"Run {run}: {named}" if levels is None else f"Run {run}: chosen levels"
        return self.start(
            project,
            Pool.BATCH,
            "anonymize",
            arguments,
            title=words,
            after=lambda job: project.notify("runs"),
            undo=lambda job: project.drop_run(run),
        )

    def attack(self, project: Project, run: int | None, seconds: float) -> Job:
        """Try all attacks that apply."""
        if run is not None:
            project.outcome(run)
        return self.start(
            project,
            Pool.BATCH,
            "attack",
            {"run": run, "seconds": seconds},
            title="Attacks on the table" if run is None else f"Attacks on run {run}",
            after=lambda job: project.notify("attacks"),
        )

    def risk(self, project: Project, run: int | None, asked: Mapping[str, Any]) -> Job:
        """Assess the risk of the table, or of a run."""
        if run is not None:
            project.outcome(run)
        where = "the table" if run is None else f"run {run}"
        arguments = {"run": run, "asked": dict(asked)}
        return self.start(project, Pool.BATCH, "risk", arguments, title=f"Risk of {where}")

    def check(self, project: Project, privacy: Sequence[str] | None) -> Job:
        """Judge the table as it stands, by promises in written form or by those of the plan."""
        arguments = {"privacy": None if privacy is None else list(privacy)}
        return self.start(
            project, Pool.BATCH, "check", arguments, title="Judging the table as it stands"
        )

    def attack_suite(self, project: Project, run: int | None) -> AttackSuite | None:
        """Give what came of the attacks that were tried last."""
        name = "attack-table.json" if run is None else f"attack-{run:03d}.json"
        found: AttackSuite | None = read_json(project.folder / "findings" / name)
        return found

    def publish(self, project: Project, run: int, name: str) -> Job:
        """Publish a run as a bundle."""
        project.outcome(run)
        name = safe_name(name)
        if name == "history" or name in project.bundle_names():
            raise StudioError(f"there is a bundle {name!r} already: choose another name")
        return self.start(
            project,
            Pool.BATCH,
            "publish",
            {"run": run, "name": name},
            title=f"Publishing run {run}",
            after=lambda job: project.notify("bundles"),
        )

    def publish_next(self, project: Project, recipient: str | None, *, dry_run: bool) -> Job:
        """Publish the next release of the project's series."""
        return self.start(
            project,
            Pool.BATCH,
            "publish_next",
            {"recipient": recipient, "dry_run": dry_run},
            title="Trying the next release" if dry_run else "Publishing the next release",
            after=lambda job: project.notify("bundles"),
        )
