"""Projects: the folder that has a folder for every piece of work, and plans opened lately."""

from __future__ import annotations

import re
import secrets
import shutil
import unicodedata
from pathlib import Path
from typing import Any

from attrs import define, field

from unlinkable.studio.errors import NotFoundError, StudioError
from unlinkable.studio.files import hold, private_folder, read_json, write_json
from unlinkable.studio.project import Project, now

__all__ = ["Projects", "default_home"]

_KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_LONGEST_NAME = 100
_MOST_RECENT = 20


def default_home() -> Path:
    """Say where projects are if nobody says otherwise."""
    return Path.home() / "unlinkable-projects"


@define(eq=False)
class Projects:
    """All pieces of work below one folder.

    Attributes
    ----------
    home
        The folder. It is made when it is needed.
    """

    home: Path
    _open: dict[str, Project] = field(factory=dict, repr=False)

    def hold(self) -> None:
        """Keep other studios away: each would tidy up what the other is doing.

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
        """Begin a new piece of work.

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
        project.tell("deleted")

    @property
    def preferences(self) -> dict[str, Any]:
        """What people like, whatever they work on."""
        found = read_json(self.home / "preferences.json")
        return found if isinstance(found, dict) else {}

    def prefer(self, **liked: Any) -> None:
        """Remember what people like."""
        private_folder(self.home)
        write_json(self.home / "preferences.json", {**self.preferences, **liked})

    @property
    def recent(self) -> dict[str, str]:
        """Plans elsewhere that were opened, the last one first, with the projects they became."""
        found = read_json(self.home / "recent.json")
        return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}

    def remember_plan(self, plan: Path, project: Project) -> None:
        """Put a plan on top of those that were opened lately."""
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
