"""Tabs of the same project: what one asks for is not taken away by another."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from unlinkable.studio.errors import TaskError
from unlinkable.studio.project import Projects
from unlinkable.studio.studio import Studio
from unlinkable.studio.taxonomy_editing.editor import whole_tree
from unlinkable.studio.workbench import Workbench

PLAN = """[data]
source = "uploads/a.csv"
others = "drop"

[columns.job]
role = "quasi-identifier"
"""


def test_a_question_is_replaced_by_a_later_one_of_the_same_tab_alone(tmp_path: Path) -> None:
    async def work() -> None:
        studio = Studio(Projects(tmp_path))
        project = studio.projects.create("a")
        (project.uploads / "a.csv").write_text("job,n\ncook,1\nclerk,2\n")
        project.save_plan(PLAN)
        first, second = Workbench(studio, project), Workbench(studio, project)
        try:
            busy = asyncio.create_task(first.preview())
            await asyncio.sleep(0)
            early = asyncio.create_task(first.taxonomy("job"))
            await asyncio.sleep(0)
            await asyncio.gather(
                *(tab.taxonomy("job") for tab in (first, second)),
                *(whole_tree(tab, "job", None) for tab in (first, second)),
                *(tab.try_reading("a.csv", {}) for tab in (first, second)),
                busy,
            )
            with pytest.raises(TaskError, match="cancelled"):
                await early
        finally:
            await studio.jobs.close_all()

    asyncio.run(work())
