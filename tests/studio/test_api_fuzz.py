"""The JSON interface, fuzzed from its own description: no input makes it fail or break its word."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from unlinkable.studio.api.interface import build_api
from unlinkable.studio.jobs import Jobs, JobState, Pool
from unlinkable.studio.project import Project, Projects
from unlinkable.studio.studio import Studio

PLAN = '[data]\nsource = "uploads/a.csv"\n\n[columns.age]\nrole = "quasi-identifier"\n'
EXAMPLES = int(os.environ.get("UNLINKABLE_FUZZ", "15"))
KNOWN = {"key": "tiny", "name": "first", "run": 1, "job": "none", "kind": "model"}
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


class Idle(Jobs):
    """Jobs that are over at once: what workers do is tested elsewhere."""

    def _pump(self, *given: object) -> None:
        for job in list(self._jobs.values()):
            if job.state is JobState.QUEUED and job.pool is Pool.PLANS:
                self._end(job, JobState.FAILED, "plan.toml: no plan", "PlanError")
            elif job.state is JobState.QUEUED:
                job.state = JobState.RUNNING
                self._finish(job, {"toml": PLAN, "description": {}, "warnings": []})


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    studio = Studio(Projects(tmp_path), Idle())
    for name in ("tiny", "empty"):
        project = studio.projects.create(name)
    fill(studio.projects.open("tiny"))
    assert project.plan is None
    return build_api(studio)


def fill(project: Project) -> None:
    """Give a project something of everything."""
    (project.uploads / "a.csv").write_text("age\n30\n")
    project.save_plan(PLAN)
    project.save_description({"description": {"records": 1}, "warnings": []})
    run = project.run_folder(project.new_run())
    (run / "outcome.json").write_text('{"run": 1, "release": {"holds": true}}')
    public = project.bundles / "first" / "public"
    public.mkdir(parents=True)
    (public / "data.csv").write_text("age\n30\n")
    (public / "report.html").write_text("<p>")


def fuzz(app: FastAPI, path: str, method: str) -> None:
    """Send whatever fits the description of an address, and much that does not."""
    operation = schemathesis.openapi.from_asgi("/openapi.json", app)[path][method]
    modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
    strategies = [operation.as_strategy(generation_mode=mode) for mode in modes]

    @hypothesis.settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(case=st.one_of(*strategies), is_there=st.booleans())
    def fuzzed(case: Any, is_there: bool) -> None:
        for name in case.path_parameters if is_there else ():
            case.path_parameters[name] = KNOWN[name]
        case.call_and_validate(checks=CHECKS)

    fuzzed()


def described() -> list[tuple[str, str]]:
    """All addresses, with what can be done there."""
    paths = build_api(Studio(Projects(Path("nowhere")))).openapi()["paths"]
    return [(path, method.upper()) for path, methods in paths.items() for method in methods]


@pytest.mark.parametrize(("path", "method"), described())
def test_no_input_breaks_it(app: FastAPI, path: str, method: str) -> None:
    fuzz(app, path, method)


def test_the_fuzzer_can_object() -> None:
    broken = FastAPI()

    @broken.get("/x/{key}")
    async def fail(key: int) -> int:
        return 1 // (key - key)

    with pytest.raises(BaseException, match="by zero"):
        fuzz(broken, "/x/{key}", "GET")
