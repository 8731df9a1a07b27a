"""Sixty people, a plan for them, and what tasks are asked with it."""

from __future__ import annotations

from typing import Any

from tests.studio.test_confinement import silent
from unlinkable.studio.project import Project
from unlinkable.studio.tasks import runs as running
from unlinkable.studio.tasks.session import Session

ROWS = [
    (f"p{i}", 20 + (7 * i) % 40, ["10115", "10117", "20095", "20097"][i % 4], ["f", "m"][i % 2])
    for i in range(60)
]
ILLS = ["flu", "hiv", "angina"]
PLAN: dict[str, Any] = {
    "data": {"source": "uploads/a.csv"},
    "columns": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "taxonomy": {"intervals": [5, 10, 20]}},
        "zip": {"role": "quasi-identifier", "taxonomy": {"mask": 5, "keep": [5, 3, 0]}},
        "sex": {"role": "quasi-identifier", "taxonomy": {"flat": True}},
        "ill": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}],
    "method": {"name": "optimal", "suppression": 0.1},
}


def asked(**tables: Any) -> dict[str, Any]:
    return {"plan": {**PLAN, **tables}, "granted": []}


def run_of(session: Session, project: Project, **options: Any) -> Any:
    given = {"method": None, "levels": None, "title": None, **asked(), **options}
    return running.anonymize(session, silent, run=project.new_run(), **given)
