"""Plans: changes to them, and the programs that do the same."""

from __future__ import annotations

from typing import Any

import pytest

import unlinkable as ul
from tests.studio.tasks.sixty_people import PLAN, asked, run_of
from tests.studio.test_confinement import silent
from unlinkable.errors import ParameterError, PlanError
from unlinkable.studio.project import Project
from unlinkable.studio.tasks import plans
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.publishing.plans.plan import Plan


def edited(session: Session, *changes: dict[str, Any]) -> Any:
    suggested = {"ill": {"auto": True}, "id": None}
    folder = str(session.folder)
    return plans.edit_plan(session, silent, folder, PLAN, changes, suggested)["plan"]


def test_changes_are_made_together_or_not_at_all(session: Session) -> None:
    made = edited(
        session,
        {"set": ["columns", "age", "weight"], "to": 2.0},
        {"drop": ["columns", "zip", "taxonomy"]},
        {"set": ["privacy"], "to": [{"model": "k-anonymity", "k": 7}]},
        {"metric": "discernibility"},
        {"method": "mondrian(strict=true)", "suppression": None},
    )
    assert made["columns"]["age"]["weight"] == 2.0
    assert "taxonomy" not in made["columns"]["zip"]
    assert made["privacy"] == [{"model": "k-anonymity", "k": 7}]
    assert made["utility"] == {"metric": "discernibility"}
    assert made["method"]["name"] == "mondrian"
    assert made["method"]["suppression"] == 0.1
    assert PLAN["columns"]["zip"]["taxonomy"] == {"mask": 5, "keep": [5, 3, 0]}


def test_a_role_brings_and_takes_what_belongs_to_it(session: Session) -> None:
    columns = edited(session, {"role": "age", "to": "sensitive"})["columns"]
    assert columns["age"] == {"role": "sensitive", "taxonomy": {"intervals": [5, 10, 20]}}
    columns = edited(session, {"role": "age", "to": "insensitive"})["columns"]
    assert columns["age"] == {"role": "insensitive"}
    columns = edited(session, {"role": "ill", "to": "quasi-identifier"})["columns"]
    assert columns["ill"] == {"role": "quasi-identifier", "taxonomy": {"auto": True}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"role": "age", "to": "hero"}, "no role 'hero'"),
        ({"set": ["privacy"], "to": [{"model": "k-anonymity", "k": 0}]}, "k must be at least 1"),
        ({"set": [], "to": 1}, "a place in a plan"),
        ({"set": ["columns", 3], "to": 1}, "a place in a plan"),
        ({"set": ["nonsense"], "to": 1}, "nonsense"),
        ({"method": "optimal("}, "optimal"),
        ({"what": 1}, "no such change"),
        ({"drop": ["data", "source"]}, "source"),
    ],
)
def test_what_makes_no_plan_is_refused(
    session: Session, change: dict[str, Any], message: str
) -> None:
    with pytest.raises((PlanError, ParameterError), match=message):
        edited(session, change)


def test_the_equivalent_program_makes_the_same_release(
    session: Session, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.folder)
    plan = {**PLAN, "utility": {"metric": "discernibility"}}
    plan["columns"] = {**PLAN["columns"], "age": {**PLAN["columns"]["age"], "weight": 2.0}}
    told = plans.texts(session, silent, str(project.folder), plan, "out")
    made: dict[str, Any] = {}
    exec(told["python"], made)
    release = made["release"]
    expected = run_of(session, project, **asked(**plan))
    assert dict(release.node) == expected["release"]["node"]
    assert ul.verify("out").holds
    assert told["shell"].startswith("unlinkable anonymize plan.toml --out out")
    assert Plan.from_dict(PLAN).form.data.source in told["toml"]


def test_a_plan_that_says_more_is_loaded_from_its_file(session: Session) -> None:
    plan = {**PLAN, "data": {"source": "uploads/a.csv", "missing": ["?"]}}
    told = plans.texts(session, silent, str(session.folder), plan, "o'ut")
    assert 'ul.Plan.load("plan.toml")' in told["python"]
    assert "--out 'o'\"'\"'ut'" in told["shell"]
    compile(told["python"], "told", "exec")
