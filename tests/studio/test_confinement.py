"""Plans from the browser name nothing outside of their project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from unlinkable.studio.errors import StudioError
from unlinkable.studio.tasks.confinement import require_confined
from unlinkable.studio.tasks.plans import edit_plan, import_plan
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.publishing.plans.plan import Plan

COLUMNS = {"age": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}}


def silent(share: float, words: str) -> None:
    pass


def plan_of(folder: Path, **tables: Any) -> Plan:
    document = {"data": {"source": "uploads/a.csv"}, "columns": COLUMNS, **tables}
    return Plan.from_dict(document, folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / "uploads").mkdir(parents=True)
    (made / "people.csv").write_text("age\n1\n")
    (tmp_path / "secret.csv").write_text("age\n1\n")
    return made


@pytest.mark.parametrize(
    "tables",
    [
        {"data": {"source": "../secret.csv"}},
        {"data": {"source": "/etc/passwd"}},
        {"data": {"source": "uploads/../../secret.csv"}},
        {"data": {"source": "uploads/a.csv", "join": ["../secret.csv"]}},
        {"columns": {"age": {"role": "quasi-identifier", "taxonomy": {"csv": "../secret.csv"}}}},
        {"privacy": [{"model": "k-map", "k": 2, "population": "../secret.csv"}]},
        {"privacy": [{"model": "k-map", "k": 2, "population": "/etc/passwd"}]},
        {"privacy": [{"model": "r-robustness", "r": 2, "prior": ["people.csv", "../secret.csv"]}]},
        {"pseudonyms": {"key": "../secret.csv"}},
        {"release": {"sign": "../key"}},
        {"release": {"out": "../out"}},
        {"release": {"out": "/tmp/out"}},
    ],
)
def test_what_leads_out_of_the_project_is_refused(folder: Path, tables: dict[str, Any]) -> None:
    with pytest.raises(StudioError, match="outside of the project"):
        require_confined(plan_of(folder, **tables), folder)


def test_databases_are_refused(folder: Path) -> None:
    plan = plan_of(folder, data={"source": "postgresql://host/db", "query": "select 1"})
    with pytest.raises(StudioError, match="opens no databases"):
        require_confined(plan, folder)
    require_confined(plan, folder, ["postgresql://host/db"])


def test_a_link_out_of_the_project_is_refused(folder: Path) -> None:
    (folder / "uploads" / "a.csv").symlink_to(folder.parent / "secret.csv")
    with pytest.raises(StudioError, match="outside of the project"):
        require_confined(plan_of(folder), folder)


def test_what_is_in_the_project_or_was_granted_is_allowed(folder: Path) -> None:
    promise = {"model": "k-map", "k": 2, "population": "people.csv"}
    require_confined(plan_of(folder, privacy=[promise], release={"out": "bundles/x"}), folder)
    outside = plan_of(folder, data={"source": "../secret.csv"})
    require_confined(outside, folder, [str(folder.parent / "secret.csv")])


def test_a_plan_from_elsewhere_may_read_what_it_names_and_no_more(folder: Path) -> None:
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "patients.csv").write_text("age,ill\n1,flu\n")
    plan = elsewhere / "plan.toml"
    plan_of(elsewhere, data={"source": "patients.csv"}, release={"out": "o"}).save(plan)
    session = Session(folder)
    made = import_plan(session, silent, str(plan), str(folder))
    assert made["granted"] == [str(elsewhere / "patients.csv")]
    assert "out" not in made["plan"].get("release", {})
    assert len(session.records(session.plan(made["plan"], made["granted"]))) == 1
    with pytest.raises(StudioError, match="outside"):
        session.plan(made["plan"])
    change = {"set": ["data", "source"], "to": "../secret.csv"}
    with pytest.raises(StudioError, match="outside"):
        edit_plan(session, silent, str(folder), made["plan"], [change], {}, made["granted"])
