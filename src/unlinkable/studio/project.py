"""Project: one folder for one piece of work, and the folder of all projects.

::

    my-patients/
      studio.json          what the studio itself stores: name, revision, what may be read
      plan.toml            the plan, the same as of the command line
      description.json     the description of the data
      uploads/             uploaded files
      taxonomies/          hierarchy files
      edits/               edits of taxonomies by hand, to be undone
      pseudonyms.key       the key for pseudonyms, if a column gets any
      runs/001/            the result of a run: outcome.json, plan.toml and the bundle
      bundles/NAME/        published bundles
      history.db           releases over time

Everything can be used without the studio: ``unlinkable anonymize my-patients/plan.toml``.
"""

from __future__ import annotations

import re
import secrets
import shutil
import tomllib
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from attrs import define, field

from unlinkable.studio.contracts import Document, Outcome
from unlinkable.studio.errors import NotFoundError, StudioError
from unlinkable.studio.files import (
    JsonCache,
    hold,
    private_folder,
    read_json,
    write_json,
    write_text,
)

__all__ = ["Project", "Projects", "default_home", "now"]

_STATE, _PLAN, _DESCRIPTION = "studio.json", "plan.toml", "description.json"


@define(eq=False)
class Project:
    """A project, in a folder of its own.

    Attributes
    ----------
    folder
        Where it is.
    """

    folder: Path
    _watchers: list[Callable[[str], None]] = field(factory=list, repr=False)
    _read: tuple[int, Document] | None = field(default=None, repr=False)
    _cache: JsonCache = field(factory=JsonCache, repr=False)

    @property
    def key(self) -> str:
        """Its name in addresses: that of its folder."""
        return self.folder.name

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.state.get("name") or self.key)

    @property
    def state(self) -> Document:
        """The stored state."""
        found = read_json(self.folder / _STATE)
        return found if isinstance(found, dict) else {}

    @property
    def revision(self) -> int:
        """A number that grows with every change."""
        found = self.state.get("revision", 0)
        return found if isinstance(found, int) else 0

    @property
    def uploads(self) -> Path:
        """Where uploaded files go."""
        return private_folder(self.folder / "uploads")

    @property
    def taxonomies(self) -> Path:
        """Where hierarchy files go."""
        return private_folder(self.folder / "taxonomies")

    @property
    def bundles(self) -> Path:
        """Where published bundles go."""
        return private_folder(self.folder / "bundles")

    @property
    def history(self) -> Path:
        """The history of releases, whether there is one yet or not."""
        return self.folder / "history.db"

    @property
    def granted(self) -> list[str]:
        """Files and addresses outside of the folder that its plan may name.

        They were named on the command line of this machine; the browser cannot add any.
        """
        found = self.state.get("granted", [])
        return [str(path) for path in found] if isinstance(found, list) else []

    @property
    def plan(self) -> Document | None:
        """The plan as nested tables; None before there is any data.

        The file may be edited by hand meanwhile: it is read again when it has changed.

        Raises
        ------
        StudioError
            If the file cannot be read as TOML.
        """
        file = self.folder / _PLAN
        try:
            stamp = file.stat().st_mtime_ns
            if self._read is None or self._read[0] != stamp:
                self._read = stamp, tomllib.loads(file.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            raise StudioError(f"plan.toml cannot be read: {error}") from None
        return self._read[1]

    @property
    def toml(self) -> str | None:
        """The plan as it stands in its file."""
        file = self.folder / _PLAN
        return file.read_text(encoding="utf-8-sig") if file.is_file() else None

    @property
    def description(self) -> Document | None:
        """The description of the data: ``description`` and ``warnings``, or None."""
        found = self._cache.read(self.folder / _DESCRIPTION)
        return found if isinstance(found, dict) else None

    def remember(self, **facts: Any) -> None:
        """Store something in the state, and notify all tabs."""
        write_json(self.folder / _STATE, {**self.state, **facts, "revision": self.revision + 1})
        self.notify("state")

    def save_plan(self, toml: str) -> None:
        """Write a valid plan, and notify all tabs."""
        write_text(self.folder / _PLAN, toml)
        self._touch()
        self.notify("plan")

    def save_description(self, described: Document | None) -> None:
        """Store the description of the data, or delete it, and notify all tabs."""
        if described is None:
            (self.folder / _DESCRIPTION).unlink(missing_ok=True)
        else:
            write_json(self.folder / _DESCRIPTION, described)
        self._touch()
        self.notify("data")

    def _touch(self) -> None:
        write_json(self.folder / _STATE, {**self.state, "revision": self.revision + 1})

    # Runs and bundles

    def run_folder(self, run: int) -> Path:
        """Find the folder of a run."""
        return self.folder / "runs" / f"{run:03d}"

    def new_run(self) -> int:
        """Take the next number for a run, and make its folder."""
        runs = private_folder(self.folder / "runs")
        taken = [int(f.name) for f in runs.iterdir() if f.name.isdigit()]
        number = max([*taken, int(self.state.get("last_run", 0))]) + 1
        self.run_folder(number).mkdir(mode=0o700)
        return number

    def runs(self) -> list[Outcome]:
        """Give what all finished runs found, the first one first."""
        found = sorted(
            self.folder.glob("runs/[0-9]*/outcome.json"), key=lambda f: int(f.parent.name)
        )
        outcomes = (self._cache.read(file) for file in found)
        return [outcome for outcome in outcomes if isinstance(outcome, dict)]  # type: ignore[misc]

    @property
    def n_runs(self) -> int:
        """How many runs have finished."""
        return sum(1 for _ in self.folder.glob("runs/[0-9]*/outcome.json"))

    def outcome(self, run: int) -> Outcome:
        """Give what a run found.

        Raises
        ------
        NotFoundError
            If there is no such run, or it has not finished.
        """
        found = self._cache.read(self.run_folder(run) / "outcome.json")
        if not isinstance(found, dict):
            raise NotFoundError(f"there is no run {run} in this project")
        return found  # type: ignore[return-value]

    def drop_run(self, run: int) -> None:
        """Delete a run. Bundles that were published from it stay."""
        state = self.state
        write_json(
            self.folder / _STATE, {**state, "last_run": max(int(state.get("last_run", 0)), run)}
        )
        shutil.rmtree(self.run_folder(run), ignore_errors=True)
        self._touch()
        self.notify("runs")

    def drop_unfinished(self) -> None:
        """Delete what is left of runs that did not come to an end."""
        folder = self.folder / "runs"
        for run in folder.iterdir() if folder.is_dir() else ():
            if not (run / "outcome.json").is_file():
                shutil.rmtree(run, ignore_errors=True)

    def bundle_names(self) -> list[str]:
        """Name the published bundles: ``first``, and ``history/001`` of a series."""
        home = self.bundles
        found = [*home.glob("*/public"), *home.glob("history/*/public")]
        halves = (half for half in found if half.is_dir() and not half.is_symlink())
        names = (half.parent.relative_to(home).as_posix() for half in halves)
        return sorted(name for name in names if not name.startswith(".") and "/." not in name)

    def bundle(self, name: str) -> Path:
        """Find a published bundle.

        Raises
        ------
        NotFoundError
            If there is none of that name.
        """
        if name not in self.bundle_names():
            raise NotFoundError(f"there is no bundle {name!r} in this project")
        return self.bundles / name

    def files(self, kind: str = "uploads") -> list[str]:
        """Name the uploaded files, or those of taxonomies."""
        folder = self.uploads if kind == "uploads" else self.taxonomies
        return sorted(f.name for f in folder.iterdir() if f.is_file() and f.name[0] != ".")

    # Watching

    def watch(self, watcher: Callable[[str], None]) -> Callable[[], None]:
        """Have a function called with what has changed: plan, data, state, runs or bundles.

        Gives a function that ends it.
        """
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    def notify(self, what: str) -> None:
        """Notify all watchers of a change."""
        for watcher in list(self._watchers):
            watcher(what)


def now() -> str:
    """Give the time as written to files."""
    return datetime.now(UTC).isoformat(timespec="seconds")


_KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")

_LONGEST_NAME = 100

_MOST_RECENT = 20


def default_home() -> Path:
    """Give the default folder of projects."""
    return Path.home() / "unlinkable-projects"


@define(eq=False)
class Projects:
    """All projects below one folder.

    Attributes
    ----------
    home
        The folder. It is made when it is needed.
    """

    home: Path
    _open: dict[str, Project] = field(factory=dict, repr=False)

    def hold(self) -> None:
        """Lock the folder: another studio would delete unfinished runs of this one.

        Raises
        ------
        StudioError
            If another one is at work here.
        """
        if hold(private_folder(self.home) / ".lock") is None:
            raise StudioError(
                f"another studio is at work in {self.home}: end it, or name another folder with "
                "--projects"
            )

    def list(self) -> list[Project]:
        """Give all projects, those that were changed last first."""
        if not self.home.is_dir():
            return []
        found = self.home.glob("*/studio.json")
        states = [file for file in found if _KEY.fullmatch(file.parent.name)]
        states.sort(key=lambda file: file.stat().st_mtime, reverse=True)
        return [self.open(file.parent.name) for file in states]

    def open(self, key: str) -> Project:
        """Open a project by the name of its folder.

        Raises
        ------
        NotFoundError
            If there is none.
        """
        folder = self.home / key
        if not _KEY.fullmatch(key) or not (folder / "studio.json").is_file():
            self._open.pop(key, None)
            raise NotFoundError(f"there is no project {key!r}")
        if key not in self._open:
            self._open[key] = Project(folder)
            self._open[key].drop_unfinished()
        return self._open[key]

    def create(self, name: str) -> Project:
        """Create a project.

        Raises
        ------
        StudioError
            If the name is empty or too long.
        """
        name = " ".join("".join(c if c.isprintable() else " " for c in name).split())
        if not name or len(name) > _LONGEST_NAME:
            raise StudioError(f"give the project a name of 1 to {_LONGEST_NAME} characters")
        private_folder(self.home)
        key = self._free_key(name)
        (self.home / key).mkdir(mode=0o700)
        state = {"format": 1, "name": name, "created": now(), "revision": 0}
        write_json(self.home / key / "studio.json", state)
        return self.open(key)

    def delete(self, key: str) -> None:
        """Delete a project with all that is in its folder.

        Raises
        ------
        NotFoundError
            If there is none.
        """
        project = self.open(key)
        del self._open[key]
        # Out of sight first: a deletion that is interrupted leaves nothing that looks like one.
        gone = project.folder.rename(self.home / f".{key}.{secrets.token_hex(4)}.gone")
        shutil.rmtree(gone, ignore_errors=True)
        project.notify("deleted")

    @property
    def preferences(self) -> dict[str, Any]:
        """Preferences for all projects."""
        found = read_json(self.home / "preferences.json")
        return found if isinstance(found, dict) else {}

    def prefer(self, **liked: Any) -> None:
        """Store preferences."""
        private_folder(self.home)
        write_json(self.home / "preferences.json", {**self.preferences, **liked})

    @property
    def recent(self) -> dict[str, str]:
        """Plans elsewhere that were opened, the latest first, with their projects."""
        found = read_json(self.home / "recent.json")
        return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}

    def remember_plan(self, plan: Path, project: Project) -> None:
        """Put a plan on top of the recent ones."""
        others = {k: v for k, v in self.recent.items() if k != str(plan)}
        kept = dict(list({str(plan): project.key, **others}.items())[:_MOST_RECENT])
        write_json(self.home / "recent.json", kept)

    def _free_key(self, name: str) -> str:
        """Make a name for a folder out of a name for people."""
        plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
        stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:50].strip("-") or "project"
        taken = {file.name for file in self.home.iterdir()}
        numbered = (stem if i == 1 else f"{stem}-{i}" for i in range(1, len(taken) + 3))
        return next(key for key in numbered if key not in taken)
