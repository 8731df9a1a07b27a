"""Projects: one folder each, the same plan as the command line, changes that all tabs see."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from unlinkable.studio.errors import NotFoundError, StudioError
from unlinkable.studio.project import Projects

PLAN = '[data]\nsource = "uploads/a.csv"\n\n[columns.age]\nrole = "quasi-identifier"\n'


@pytest.fixture
def projects(tmp_path: Path) -> Projects:
    return Projects(tmp_path / "home")


def test_there_is_nothing_at_first(projects: Projects) -> None:
    assert projects.list() == []
    assert not projects.home.exists()


def test_a_project_is_a_folder_that_only_its_owner_can_see(projects: Projects) -> None:
    project = projects.create("Patients 2026")
    assert (project.name, project.key) == ("Patients 2026", "patients-2026")
    assert stat.S_IMODE(project.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((project.folder / "studio.json").stat().st_mode) == 0o600
    assert (project.plan, project.description, project.runs()) == (None, None, [])


@pytest.mark.parametrize(
    ("name", "key"),
    [("../../etc", "etc"), ("Ärzte & Pflege", "arzte-pflege"), ("患者", "project"), ("a/b", "a-b")],
)
def test_names_become_harmless_folders(projects: Projects, name: str, key: str) -> None:
    project = projects.create(name)
    assert project.key == key
    assert project.folder.parent == projects.home
    assert project.name == name


def test_two_projects_of_the_same_name_have_two_folders(projects: Projects) -> None:
    assert [projects.create("a").key for _ in range(3)] == ["a", "a-2", "a-3"]


@pytest.mark.parametrize("name", ["", "   ", "\n\t", "x" * 101])
def test_a_project_needs_a_name(projects: Projects, name: str) -> None:
    with pytest.raises(StudioError, match="give the project a name"):
        projects.create(name)


@pytest.mark.parametrize("key", ["..", ".", "", "a/../b", "A", "nobody", "x" * 65, "a\0b"])
def test_what_is_no_project_cannot_be_opened(projects: Projects, key: str) -> None:
    projects.create("a")
    with pytest.raises(NotFoundError):
        projects.open(key)


def test_everything_survives_a_restart(projects: Projects) -> None:
    project = projects.create("a")
    project.save_plan(PLAN)
    project.remember(chosen=3)
    again = Projects(projects.home).open("a")
    assert again.plan == {
        "data": {"source": "uploads/a.csv"},
        "columns": {"age": {"role": "quasi-identifier"}},
    }
    assert again.state["chosen"] == 3
    assert again.revision == project.revision == 2


def test_all_who_watch_are_told_until_they_go(projects: Projects) -> None:
    project = projects.create("a")
    heard: list[str] = []
    other: list[str] = []
    end = project.watch(heard.append)
    projects.open("a").watch(other.append)
    project.save_plan(PLAN)
    project.remember(x=1)
    end()
    end()
    project.notify("runs")
    assert heard == ["plan", "state"]
    assert other == ["plan", "state", "runs"]


def test_a_plan_that_was_edited_by_hand_is_read_again(projects: Projects) -> None:
    project = projects.create("a")
    project.save_plan(PLAN)
    assert project.plan is not None
    file = project.folder / "plan.toml"
    file.write_text(PLAN.replace("age", "zip"))
    assert list(project.plan["columns"]) == ["zip"]
    file.write_text("[data\n")
    with pytest.raises(StudioError, match=r"plan\.toml cannot be read"):
        _ = project.plan


def test_runs_are_numbered_and_a_number_is_never_used_twice(projects: Projects) -> None:
    project = projects.create("a")
    assert [project.new_run(), project.new_run()] == [1, 2]
    for run in (1, 2):
        (project.run_folder(run) / "outcome.json").write_text(f'{{"run": {run}}}')
    project.drop_run(2)
    assert project.new_run() == 3
    assert [outcome["run"] for outcome in project.runs()] == [1]
    with pytest.raises(NotFoundError, match="no run 2"):
        project.outcome(2)


def test_runs_that_did_not_end_are_gone_after_a_restart(projects: Projects) -> None:
    project = projects.create("a")
    (project.run_folder(project.new_run()) / "part.csv").write_text("x")
    finished = project.run_folder(project.new_run())
    (finished / "outcome.json").write_text('{"run": 2}')
    Projects(projects.home).open("a")
    assert [folder.name for folder in (project.folder / "runs").iterdir()] == ["002"]


def test_bundles_are_found_by_name_and_nothing_else_is(projects: Projects) -> None:
    project = projects.create("a")
    for name in ("first", "history/001", ".half.part"):
        (project.bundles / name / "public").mkdir(parents=True)
    (project.bundles / "other").mkdir()
    assert project.bundle_names() == ["first", "history/001"]
    assert project.bundle("history/001") == project.bundles / "history/001"
    for name in ("other", "../../b", ".half.part", "", "history"):
        with pytest.raises(NotFoundError):
            project.bundle(name)


def test_a_deleted_project_is_gone_with_all_its_files(projects: Projects) -> None:
    project = projects.create("a")
    heard: list[str] = []
    project.watch(heard.append)
    projects.delete("a")
    assert heard == ["deleted"]
    assert projects.list() == []
    assert list(projects.home.iterdir()) == []


def test_plans_opened_lately_come_first(projects: Projects, tmp_path: Path) -> None:
    a, b = projects.create("a"), projects.create("b")
    projects.remember_plan(tmp_path / "a.toml", a)
    projects.remember_plan(tmp_path / "b.toml", b)
    projects.remember_plan(tmp_path / "a.toml", a)
    assert projects.recent == {str(tmp_path / "a.toml"): "a", str(tmp_path / "b.toml"): "b"}


def test_a_damaged_state_does_not_stop_anything(projects: Projects) -> None:
    project = projects.create("a")
    (project.folder / "studio.json").write_text("{not json")
    assert (project.name, project.revision, project.granted) == ("a", 0, [])
    project.remember(name="b")
    assert project.name == "b"
