"""Plans are changed by the clerk, one change after the other, whichever tab they come from."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path

import pytest

from unlinkable.studio.errors import StudioError
from unlinkable.studio.project import Projects
from unlinkable.studio.studio import Studio
from unlinkable.studio.workbench import Workbench
from unlinkable.tables.operations import load_key

PLAN = """[data]
source = "uploads/a.csv"

[columns.age]
role = "quasi-identifier"

[columns.ill]
role = "sensitive"

[[privacy]]
model = "k-anonymity"
k = 5
"""


def test_changes_of_several_tabs_do_not_undo_each_other(tmp_path: Path) -> None:
    async def work() -> None:
        studio = Studio(Projects(tmp_path))
        project = studio.projects.create("a")
        project.save_plan(PLAN)
        tabs = [Workbench(studio, project) for _ in range(3)]
        heard: list[str] = []
        tabs[2].watch(heard.append)
        try:
            await asyncio.gather(
                tabs[0].set_promises([{"model": "k-anonymity", "k": 7}]),
                tabs[1].set_role("ill", "insensitive"),
                tabs[2].set_weight("age", 2.0),
                tabs[0].edit({"method": "mondrian", "suppression": 0.1}),
                tabs[1].edit({"metric": "discernibility"}),
                tabs[2].set_taxonomy("age", {"intervals": [5]}),
            )
            with pytest.raises(StudioError, match="no role 'hero'"):
                await tabs[0].set_role("age", "hero")
        finally:
            await studio.jobs.close_all()
        plan = project.plan
        assert plan is not None
        assert plan["privacy"] == [{"model": "k-anonymity", "k": 7}]
        assert plan["columns"] == {
            "age": {"role": "quasi-identifier", "weight": 2.0, "taxonomy": {"intervals": [5]}},
            "ill": {"role": "insensitive"},
        }
        assert plan["method"] == {"name": "mondrian", "suppression": 0.1}
        assert plan["utility"] == {"metric": "discernibility"}
        assert heard == ["plan"] * 6

    asyncio.run(work())


def test_without_data_there_is_nothing_to_change(tmp_path: Path) -> None:
    async def work() -> None:
        studio = Studio(Projects(tmp_path))
        tab = Workbench(studio, studio.projects.create("a"))
        with pytest.raises(StudioError, match="upload a file first"):
            await tab.set_role("age", "sensitive")
        with pytest.raises(StudioError, match="upload a file first"):
            tab.anonymize()
        assert (tab.plan, tab.runs(), tab.source, tab.columns()) == (None, [], None, [])

    asyncio.run(work())


def test_identifiers_are_treated_and_the_key_is_made_once(tmp_path: Path) -> None:
    async def work() -> None:
        studio = Studio(Projects(tmp_path))
        project = studio.projects.create("a")
        project.save_plan(PLAN)
        tab, key = Workbench(studio, project), project.folder / "pseudonyms.key"

        async def treat(to: str, **options: int) -> dict[str, object]:
            await tab.edit({"treatment": "name", "to": to, "with": options})
            return dict((project.plan or {})["columns"]["name"])

        try:
            await tab.set_role("name", "identifier")
            assert await treat("mask", keep_left=2, keep_right=0) == {
                "role": "identifier",
                "treatment": "mask",
                "keep_left": 2,
            }
            assert not key.exists()
            assert await treat("pseudonym") == {"role": "identifier", "treatment": "pseudonym"}
            assert (project.plan or {})["pseudonyms"] == {"key": "pseudonyms.key"}
            assert stat.S_IMODE(key.stat().st_mode) == 0o600
            made = load_key(key)
            with pytest.raises(StudioError, match="no treatment 'hide'"):
                await treat("hide")
            assert await treat("drop") == {"role": "identifier"}
            assert "pseudonyms" not in (project.plan or {})
            await treat("pseudonym")
            await tab.set_role("name", "insensitive")
            assert (project.plan or {})["columns"]["name"] == {"role": "insensitive"}
            assert "pseudonyms" not in (project.plan or {})
            assert load_key(key) == made
        finally:
            await studio.jobs.close_all()

    asyncio.run(work())
