"""Project: one folder for one piece of work.

::

    my-patients/
      studio.json          what the studio itself remembers: name, revision, what may be read
      plan.toml            the plan, the same as of the command line
      description.json     the look that was taken at the data
      uploads/             files that were handed in
      taxonomies/          hierarchy files
      edits/               what was done to taxonomies by hand, to be undone
      pseudonyms.key       the key for pseudonyms, if a column gets any
      runs/001/            what a run found: outcome.json, plan.toml and the bundle
      bundles/NAME/        what was published
      history.db           releases over time

Everything can be used without the studio: ``unlinkable anonymize my-patients/plan.toml``.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from attrs import define, field

from unlinkable.studio.contracts import Document, Outcome
from unlinkable.studio.errors import NotFoundError, StudioError
from unlinkable.studio.files import Kept, private_folder, read_json, write_json, write_text

__all__ = ["Project", "now"]

_STATE, _PLAN, _DESCRIPTION = "studio.json", "plan.toml", "description.json"


@define(eq=False)
class Project:
    """One piece of work, in a folder of its own.

    Attributes
    ----------
    folder
        Where it is.
    """

    folder: Path
    _watchers: list[Callable[[str], None]] = field(factory=list, repr=False)
    _read: tuple[int, Document] | None = field(default=None, repr=False)
    _kept: Kept = field(factory=Kept, repr=False)

    @property
    def key(self) -> str:
        """What it is called in addresses: the name of its folder."""
        return self.folder.name

    @property
    def name(self) -> str:
        """What people call it."""
        return str(self.state.get("name") or self.key)

    @property
    def state(self) -> Document:
        """What the studio remembers of it."""
        found = read_json(self.folder / _STATE)
        return found if isinstance(found, dict) else {}

    @property
    def revision(self) -> int:
        """A number that grows with every change."""
        found = self.state.get("revision", 0)
        return found if isinstance(found, int) else 0

    @property
    def uploads(self) -> Path:
        """Where files go that are handed in."""
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
        """The look that was taken at the data: ``description`` and ``warnings``, or None."""
        found = self._kept.read(self.folder / _DESCRIPTION)
        return found if isinstance(found, dict) else None

    def remember(self, **facts: Any) -> None:
        """Keep something in the state of the studio, and tell all tabs."""
        write_json(self.folder / _STATE, {**self.state, **facts, "revision": self.revision + 1})
        self.tell("state")

    def save_plan(self, toml: str) -> None:
        """Write a plan that was found valid, and tell all tabs."""
        write_text(self.folder / _PLAN, toml)
        self._touch()
        self.tell("plan")

    def save_description(self, described: Document | None) -> None:
        """Keep the look that was taken at the data, or forget it, and tell all tabs."""
        if described is None:
            (self.folder / _DESCRIPTION).unlink(missing_ok=True)
        else:
            write_json(self.folder / _DESCRIPTION, described)
        self._touch()
        self.tell("data")

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
        outcomes = (self._kept.read(file) for file in found)
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
        found = self._kept.read(self.run_folder(run) / "outcome.json")
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
        self.tell("runs")

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
        """Name the files that were handed in, or those of taxonomies."""
        folder = self.uploads if kind == "uploads" else self.taxonomies
        return sorted(f.name for f in folder.iterdir() if f.is_file() and f.name[0] != ".")

    # Watching

    def watch(self, watcher: Callable[[str], None]) -> Callable[[], None]:
        """Have a function called with what has changed: plan, data, state, runs or bundles.

        Gives a function that ends it.
        """
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    def tell(self, what: str) -> None:
        """Tell all who watch that something has changed."""
        for watcher in list(self._watchers):
            watcher(what)


def now() -> str:
    """Say what time it is, as it stands in files."""
    return datetime.now(UTC).isoformat(timespec="seconds")
