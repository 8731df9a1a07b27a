"""A project with a file of sixty people, and a worker's session in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studio.tasks.sixty_people import ILLS, ROWS
from unlinkable.studio.project import Project, Projects
from unlinkable.studio.tasks import lattices, promises
from unlinkable.studio.tasks.session import Session


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Projects(tmp_path).create("tasks")
    lines = [f"{i},{a},{z},{s},{ILLS[n % 3]}" for n, (i, a, z, s) in enumerate(ROWS)]
    (made.uploads / "a.csv").write_text("\n".join(["id,age,zip,sex,ill", *lines]) + "\n")
    return made


@pytest.fixture
def session(project: Project, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session that takes its time: on a busy machine, nothing is left open."""
    for module, name in (
        (promises, "_TIME_LIMIT"),
        (promises, "_SEARCH"),
        (lattices, "_TIME_LIMIT"),
    ):
        monkeypatch.setattr(module, name, 600.0)
    return Session(project.folder)
