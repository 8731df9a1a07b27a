"""Workbench: what a page works with: one project, seen from one browser tab.

Pages never touch records, files of the project or worker processes. They read what is known
(`plan`, `description`, `runs`), change the plan (`set_role` and so on), ask workers (`ask` for what
is quick, `start` for what takes long), and are notified of changes by any tab
(`watch`, `watch_jobs`). All answers are plain values, described in `unlinkable.studio.contracts`.

Everything here returns at once or is awaited: nothing blocks the server. What is refused is a
`StudioError` whose text is meant for people: show it as it is.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field

from unlinkable.studio.contracts import (
    AttackSuite,
    Document,
    Effect,
    LatticeMap,
    NodeDetails,
    Outcome,
    Preview,
    Rule,
    SampleTable,
    TaxonomyView,
    TrialPreview,
)
from unlinkable.studio.errors import StudioError
from unlinkable.studio.files import read_json
from unlinkable.studio.jobs import Job, Pool
from unlinkable.studio.project import Project
from unlinkable.studio.security.uploads import safe_name

if TYPE_CHECKING:
    from unlinkable.studio.studio import Studio

__all__ = ["Workbench"]


@define(eq=False, frozen=True)
class Workbench:
    """One project, seen from one browser tab.

    Attributes
    ----------
    studio
        The whole application: all projects, all jobs, the registry of names.
    project
        The project: `project.name`, `project.key` (in addresses: ``/project/KEY/data``),
        `project.files()`, `project.bundle_names()`, `project.revision`.
    tab
        Tells the tab from all others.
    """

    studio: Studio
    project: Project
    tab: str = field(factory=lambda: secrets.token_hex(4))

    # What is known. All of it comes from files and survives a restart.

    @property
    def plan(self) -> Document | None:
        """The plan as nested tables, exactly as in the reference of plan files; None before data.

        ``plan["columns"]["age"] == {"role": "quasi-identifier", "taxonomy": {"intervals": [5]}}``;
        ``plan["privacy"] == [{"model": "k-anonymity", "k": 5}]``; ``plan.get("method")``. Tables
        that say nothing beyond the defaults may be missing. Do not change it in place: use the
        verbs below.
        """
        return self.project.plan

    @property
    def description(self) -> Document | None:
        """The look at the data: ``{"description": {...}, "warnings": [...]}``, see `Suggestion`."""
        return self.project.description

    @property
    def source(self) -> str | None:
        """The name of the file with the records, None before there is one."""
        plan = self.plan
        return None if plan is None else str(plan["data"]["source"]).rpartition("/")[2]

    def columns(self, role: str | None = None) -> list[str]:
        """Name the columns of the plan, or those with a role such as ``"quasi-identifier"``."""
        columns = (self.plan or {}).get("columns", {})
        return [name for name, c in columns.items() if role is None or c["role"] == role]

    def runs(self) -> list[Outcome]:
        """Give the outcomes of all finished runs, the first one first, with ``is_stale``."""
        return [self._aged(outcome) for outcome in self.project.runs()]

    def run(self, number: int) -> Outcome:
        """Give the outcome of a run; NotFoundError if there is none."""
        return self._aged(self.project.outcome(number))

    def chosen_run(self) -> Outcome | None:
        """Give the result that people go on with: the chosen one, or else the last one."""
        runs, number = self.runs(), self.project.state.get("chosen")
        matching = [outcome for outcome in runs if outcome["run"] == number]
        return next(iter(matching or runs[-1:]), None)

    def choose_run(self, run: int) -> None:
        """Go on with another result, on all pages and in all tabs."""
        if self.project.state.get("chosen") != run:
            self.project.remember(chosen=run)

    async def entries(self, kind: str) -> list[Document]:
        """Give the registry, as `unlinkable list KIND --json` prints it.

        ``kind`` is ``model``, ``method``, ``metric``, ``attack`` or ``policy``. Each
        entry has name, summary, parameters (name, type, required, default, bounds, about) and
        reference; models also ``stops`` and ``does_not_stop`` (a sentence each) and ``threats``;
        methods also ``family``, ``scheme``, ``full_domain``, ``generalizes``, ``stoppable``.
        Asked once per server, then at once.
        """
        return await self.studio.entries(kind)

    # Changes of the plan: checked by the library, then written, then all tabs are notified.

    def look_at(self, file: str, reading: Mapping[str, object] | None = None) -> Job:
        """Take a file of ``uploads/`` as the data, look at it, and begin a plan with suggestions.

        ``reading`` has keys of ``[data]``: separator, encoding, header, sheet, missing, types,
        infer. The result of the job is a `Suggestion`; plan and description are written by the
        time it is done. A plan that was there is replaced.
        """
        data = {**(reading or {}), "source": f"uploads/{file}"}

        def save(job: Job) -> None:
            self.project.save_plan(job.result["toml"])
            described = {key: job.result[key] for key in ("description", "warnings")}
            self.project.save_description(described)

        return self.studio.jobs.start(
            Job(
                self.project.folder,
                Pool.INTERACTIVE,
                "look_at",
                {"data": data, "granted": self.project.granted},
                title=f"Looking at {Path(file).name}",
                after=save,
            )
        )

    async def edit(self, *changes: Document) -> None:
        """Change the plan; all changes together or none.

        A change is ``{"set": PATH, "to": VALUE}`` or ``{"drop": PATH}``, where PATH is a list like
        ``["columns", "age", "weight"]`` or ``["method", "suppression"]``. StudioError with the
        library's message if the result is no valid plan; then nothing has changed.
        """
        columns = ((self.description or {}).get("description") or {}).get("columns", [])
        async with self.studio.edits(self.project):
            made = await self.studio.ask_plan_worker(
                "edit_plan",
                folder=str(self.project.folder),
                plan=self._require_plan(),
                changes=list(changes),
                suggested={c["name"]: c["taxonomy"] for c in columns},
                granted=self.project.granted,
            )
            self.project.save_plan(made["toml"])

    async def replace_plan(self, toml: str) -> None:
        """Replace the whole plan by a text; StudioError with line or key if it is no plan."""
        async with self.studio.edits(self.project):
            made = await self.studio.ask_plan_worker(
                "check_plan",
                folder=str(self.project.folder),
                toml=toml,
                granted=self.project.granted,
            )
            self.project.save_plan(made["toml"])

    async def set_role(self, column: str, role: str) -> None:
        """Give a column another role.

        What makes no sense for that role is taken away; a column that becomes a quasi-identifier
        gets its suggested taxonomy.
        """
        await self.edit({"role": column, "to": role})

    async def set_taxonomy(self, column: str, rule: Rule | None) -> None:
        """Give a column a taxonomy, or the default (None).

        A rule as in plan files: ``{"intervals": [5, 10]}``, ``{"mask": 5}``, ``{"dates": ["month",
        "year"]}``, ``{"csv": "taxonomies/age.csv"}``, ``{"tree": {...}}``, ``{"flat": True}``,
        ``{"auto": True}``. The rule is not tried on the data here: `taxonomy` does that.
        """
        path = ["columns", column, "taxonomy"]
        await self.edit({"drop": path} if rule is None else {"set": path, "to": rule})

    async def set_weight(self, column: str, weight: float) -> None:
        """Say how much a loss on a quasi-identifier counts against the others; 1 is the default."""
        await self.edit({"set": ["columns", column, "weight"], "to": weight})

    async def set_promises(self, promises: Sequence[Document]) -> None:
        """Say what is promised: ``[{"model": "k-anonymity", "k": 5}, ...]``."""
        await self.edit({"set": ["privacy"], "to": [dict(promise) for promise in promises]})

    # Quick questions, answered by the interactive worker.

    async def preview(self, rows: int = 50) -> Preview:
        """Give the first records."""
        found: Preview = await self.ask("preview", rows=rows)
        return found

    async def taxonomy(self, column: str, rule: Rule | None = None) -> TaxonomyView:
        """Build the taxonomy of a column, by the rule of the plan or by one that is only tried.

        TaskError if the rule does not fit the values. Asking again for the same column, in this
        tab, replaces a question that is still waiting: that one ends with TaskError of kind
        ``Cancelled``.
        """
        found: TaxonomyView = await self.ask(
            "taxonomy", replaces=f"taxonomy {column}", column=column, rule=rule
        )
        return found

    async def effect(self, promise: int, parameter: str, values: Sequence[object]) -> Effect:
        """Tell what values of a parameter would cost, for a promise by its place in the plan."""
        found: Effect = await self.ask(
            "effect",
            replaces=f"effect {promise} {parameter}",
            promise=promise,
            parameter=parameter,
            values=list(values),
        )
        return found

    async def lattice(self) -> LatticeMap:
        """Survey all full-domain generalizations under the promises of the plan.

        May take seconds: with more than a few thousand nodes, ``nodes`` is empty. To show
        progress, use ``start("lattice")`` and `Job.wait`.
        """
        found: LatticeMap = await self.ask("lattice", replaces="lattice")
        return found

    async def node(self, levels: Sequence[int]) -> NodeDetails:
        """Look at a node of the lattice more closely."""
        found: NodeDetails = await self.ask("node", replaces="node", levels=list(levels))
        return found

    async def texts(self, run: int | None = None, bundle: str = "release") -> dict[str, str]:
        """Give the equivalent ``python``, ``shell`` and ``toml`` of the plan, or of a run."""
        plan = self._require_plan() if run is None else self.run(run)["plan"]
        found: dict[str, str] = await self.studio.ask_plan_worker(
            "texts", folder=str(self.project.folder), plan=plan, out=bundle
        )
        return found

    async def ask(self, task: str, *, replaces: str | None = None, **arguments: Any) -> Any:
        """Have the interactive worker do something that is quick, and wait for the answer.

        ``replaces`` is a word: a question of this tab with the same word that is still waiting is
        not needed any more. TaskError if it fails.
        """
        word = None if replaces is None else self.own(replaces)
        arguments |= {"plan": self._plan_for(task), "granted": self.project.granted}
        return await self._ask(task, arguments, word)

    # Before there is a plan: trying how a file is read, and sample data.

    async def try_reading(self, file: str, reading: Mapping[str, object]) -> TrialPreview:
        """Give the first records of a file of ``uploads/`` as it would be read.

        Asking again replaces a question that is still waiting: that one ends with TaskError of kind
        ``Cancelled``.
        """
        data = {**reading, "source": f"uploads/{file}"}
        if (plan := self.plan) and plan["data"]["source"].rpartition("/")[2] == file:
            data["source"] = plan["data"]["source"]
        arguments = {"data": data, "rows": 30, "granted": self.project.granted}
        found: TrialPreview = await self._ask("try_reading", arguments, self.own("reading"))
        return found

    async def sheets(self, file: str) -> list[str]:
        """Name the sheets of a workbook of ``uploads/``; none if it is something else."""
        found: list[str] = await self._ask("sheets", {"file": file})
        return found

    async def invent(self, records: int = 10_000) -> SampleTable:
        """Write a table about people who do not exist to ``uploads/``."""
        found: SampleTable = await self._ask("invent", {"records": records})
        return found

    async def _ask(self, task: str, arguments: Document, replaces: str | None = None) -> Any:
        folder = self.project.folder
        job = Job(folder, Pool.INTERACTIVE, task, arguments, is_quiet=True, replaces=replaces)
        return await self.studio.jobs.start(job).wait()

    def own(self, word: str) -> str:
        """Make a word one of this tab: what is asked in another one does not replace it."""
        return f"{self.tab} {word}"

    # Long work, done by the batch workers: gives a job at once, which all tabs can see and cancel.

    def anonymize(
        self,
        method: str | None = None,
        *,
        levels: Sequence[int] | None = None,
        title: str | None = None,
    ) -> Job:
        """Run a method (written form; that of the plan if None) under the promises of the plan.

        With ``levels``, publish this node of the lattice instead of searching. The result is an
        `Outcome`, kept as a run. Start several: they run side by side as far as there are cores.
        """
        self._require_plan()
        run = self.project.new_run()
        label = "chosen levels" if levels is not None else title or method or "method of the plan"
        arguments = {
            "run": run,
            "method": method,
            "levels": None if levels is None else list(levels),
            "title": title,
        }
        return self._start_batch(
            "anonymize",
            arguments,
            f"Run {run}: {label}",
            after=lambda job: self.project.notify("runs"),
            undo=lambda job: self.project.drop_run(run),
        )

    def attack(self, run: int | None = None, *, seconds: float = 10.0) -> Job:
        """Try all attacks that apply, on a run or on the table as it stands (None).

        The result is an `AttackSuite`; the last one of every run is kept: see `attack_suite`.
        """
        return self._start_batch(
            "attack",
            {"run": run, "seconds": seconds},
            f"Attacks on {self._name_of(run)}",
            after=lambda job: self.project.notify("attacks"),
        )

    def attack_suite(self, run: int | None = None) -> AttackSuite | None:
        """Give what came of the attacks that were tried last on a run, or on the table."""
        name = "attack-table.json" if run is None else f"attack-{run:03d}.json"
        found: AttackSuite | None = read_json(self.project.folder / "findings" / name)
        return found

    def risk(self, run: int | None = None, **asked: Any) -> Job:
        """Assess risk, of a run or of the table: the result is that of `unlinkable risk --json`."""
        return self._start_batch(
            "risk", {"run": run, "asked": asked}, f"Risk of {self._name_of(run)}"
        )

    def check(self, privacy: Sequence[str] | None = None) -> Job:
        """Judge the table as it stands, by promises in written form or by those of the plan."""
        given = None if privacy is None else list(privacy)
        return self._start_batch("check", {"privacy": given}, "Judging the table as it stands")

    def explain(self, run: int) -> Job:
        """Say why a run came out so: the result is that of `unlinkable explain --json`."""
        return self._start_batch("explain", {"run": run}, f"Explaining run {run}")

    def publish(self, run: int, name: str) -> Job:
        """Publish a run as the bundle ``bundles/NAME``, verified; the result is a `Published`."""
        self.project.outcome(run)
        name = safe_name(name)
        if name == "history" or name in self.project.bundle_names():
            raise StudioError(f"there is a bundle {name!r} already: choose another name")
        return self._start_batch(
            "publish",
            {"run": run, "name": name},
            f"Publishing run {run}",
            after=lambda job: self.project.notify("bundles"),
        )

    def publish_next(self, recipient: str | None = None, *, dry_run: bool = False) -> Job:
        """Publish the plan into the history of the project, checked against earlier releases.

        The result is a `Published`. If it is refused, the job fails with kind ``ChannelError`` or
        ``InfeasibleError``, and `Job.details` has ``channels``.
        """
        return self._start_batch(
            "publish_next",
            {"recipient": recipient, "dry_run": dry_run},
            "Trying the next release" if dry_run else "Publishing the next release",
            after=lambda job: self.project.notify("bundles"),
        )

    def start(self, task: str, *, title: str = "", **arguments: Any) -> Job:
        """Have a batch worker do something; BusyError if too much is waiting."""
        return self._start_batch(task, arguments, title or task)

    def cancel(self, job: Job) -> None:
        """Stop a job, if it is not over yet."""
        self.studio.jobs.cancel(job.key)

    def jobs(self) -> list[Job]:
        """Give the jobs of the project that are worth showing, the last one first.

        `Job`: key, task, title, state, share (0 to 1), text, error, result, is_over, `wait`.
        """
        return self.studio.jobs.of(self.project.key)

    # Notifications of changes. Pages use `unlinkable.studio.pages.live`, which also ends them.

    def watch(self, watcher: Callable[[str], None]) -> Callable[[], None]:
        """Have a function called with what changed in the project, by any tab or job.

        That is ``plan``, ``data``, ``state``, ``files``, ``runs``, ``attacks``, ``bundles`` or
        ``deleted``. Gives a function that ends it.
        """
        return self.project.watch(watcher)

    def watch_jobs(self, watcher: Callable[[Job], None]) -> Callable[[], None]:
        """Have a function called whenever a job of the project gets further or ends."""

        def heard(job: Job) -> None:
            if job.project == self.project.key and (not job.is_quiet or job.lacks_worker):
                watcher(job)

        return self.studio.jobs.watch(heard)

    def _start_batch(
        self,
        task: str,
        arguments: Document,
        title: str,
        after: Callable[[Job], None] | None = None,
        undo: Callable[[Job], None] | None = None,
    ) -> Job:
        folder = self.project.folder
        arguments |= {"plan": self._plan_for(task), "granted": self.project.granted}
        job = Job(folder, Pool.BATCH, task, arguments, title=title, after=after, undo=undo)
        return self.studio.jobs.start(job)

    def _plan_for(self, task: str) -> Document | None:
        """Give the plan as it is now; only the history can be asked for without one."""
        return self.plan if task == "history" else self._require_plan()

    def _require_plan(self) -> Document:
        if (plan := self.plan) is None:
            raise StudioError("there is no data yet: upload a file first")
        return plan

    def _name_of(self, run: int | None) -> str:
        """Name what is attacked or assessed; NotFoundError if there is no such run."""
        return "the table" if run is None else f"run {self.project.outcome(run)['run']}"

    def _aged(self, outcome: Outcome) -> Outcome:
        plan = self.plan or {}
        parts = ("data", "columns", "privacy")
        same = all(plan.get(part) == outcome["plan"].get(part) for part in parts)
        return {**outcome, "is_stale": not same}
