"""A tree that is arranged by hand, with workers and files and without a browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from unlinkable.studio.errors import StudioError
from unlinkable.studio.project import Projects
from unlinkable.studio.studio import Studio
from unlinkable.studio.taxonomy_editing.editor import editor_of
from unlinkable.studio.taxonomy_editing.tree import set_label
from unlinkable.studio.workbench import Workbench

JOBS = [f"a job whose name is rather long, number {i}" for i in range(8)]
PLAN = """[data]
source = "uploads/a.csv"

[columns.job]
role = "quasi-identifier"
taxonomy = { auto = true }
"""


def test_labels_stay_whole_and_edits_are_undone_after_a_restart(tmp_path: Path) -> None:
    projects = Projects(tmp_path)
    project = projects.create("a")
    lines = ["job,n", *(f'"{job}",{i}' for i, job in enumerate(JOBS * 2))]
    (project.uploads / "a.csv").write_text("\n".join(lines) + "\n")
    project.save_plan(PLAN.replace("[columns.job]", 'others = "drop"\n\n[columns.job]'))

    async def first() -> None:
        studio = Studio(projects)
        work = Workbench(studio, project)
        editor = editor_of(work, "job")
        try:
            await editor.open(work)
            assert editor.edits is not None
            before = await work.taxonomy("job")
            group = editor.edits.tree.above(JOBS[0])[-2]
            assert len(group) > 120
            await editor.do(work, "Renamed", lambda t: t.rename(t.above(JOBS[0])[0], "Own"))
            after = await work.taxonomy("job")
            assert sorted(v["levels"][2:] for v in after["preview"]) == sorted(
                v["levels"][2:] for v in before["preview"]
            )
            assert group in (project.plan or {})["columns"]["job"]["taxonomy"]["tree"]
            with pytest.raises(StudioError, match="means two things"):
                await editor.do(work, "Lied", lambda t: t.rename("Own", set_label(JOBS[1:3])))
            assert (editor.edits.last, "Own" in editor.edits.tree.by_label) == ("Renamed", True)
        finally:
            await studio.jobs.close_all()

    async def second() -> None:
        again = Projects(tmp_path)
        studio = Studio(again)
        work = Workbench(studio, again.open(project.key))
        editor = editor_of(work, "job")
        try:
            await editor.open(work)
            assert editor.edits is not None
            assert (editor.edits.last, editor.edits.next) == ("Renamed", None)
            assert await editor.undo(work) == "Renamed"
            assert (work.plan or {})["columns"]["job"]["taxonomy"] == {"auto": True}
            assert await editor.redo(work) == "Renamed"
            await work.set_taxonomy("job", {"flat": True})
            await editor.open(work)
            assert editor.edits.last is None
            assert not list((project.folder / "edits").iterdir())
        finally:
            await studio.jobs.close_all()

    asyncio.run(first())
    asyncio.run(second())
