"""Records as workers read, show and describe them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.studio.tasks.sixty_people import PLAN, asked
from tests.studio.test_confinement import silent
from unlinkable.studio.project import Project
from unlinkable.studio.tasks import data
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.publishing.anonymizing.planned import read_records
from unlinkable.tables.publishing.plans.plan import Plan


def test_the_first_records_are_shown_as_they_are(session: Session) -> None:
    shown = data.preview(session, silent, rows=2, **asked())
    assert shown["columns"] == ["id", "age", "zip", "sex", "ill"]
    assert shown["types"] == ["category", "number", "number", "category", "category"]
    assert shown["rows"][0] == ["p0", "20", "10115", "f", "flu"]
    assert (len(shown["rows"]), shown["records"]) == (2, 60)


def test_a_look_describes_warns_and_begins_a_plan(session: Session) -> None:
    found = data.look_at(session, silent, {"source": "uploads/a.csv"})
    assert found["description"]["records"] == 60
    assert ("id", "identifier") in [(w["column"], w["kind"]) for w in found["warnings"]]
    plan = Plan.from_dict(found["plan"], session.folder)
    assert plan.models()
    assert Plan.from_dict(json.loads(json.dumps(found["plan"])), session.folder) == plan


def test_records_are_read_once_until_the_file_changes(
    session: Session, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Plan] = []

    def counted(plan: Plan) -> Any:
        read.append(plan)
        return read_records(plan)

    monkeypatch.setattr("unlinkable.studio.tasks.session.read_records", counted)
    plan = session.plan(PLAN)
    first = session.table(plan)
    assert session.table(plan) is first
    other = {**PLAN, "columns": {**PLAN["columns"], "sex": {"role": "insensitive"}}}
    assert session.table(session.plan(other)).schema.quasi == ("age", "zip")
    assert len(read) == 1
    file = project.uploads / "a.csv"
    file.write_text(file.read_text() + "p99,33,10115,f,flu\n")
    assert len(session.table(plan)) == 61
    assert len(read) == 2
