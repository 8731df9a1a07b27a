"""Runs of methods, compared with the library, and findings about them."""

from __future__ import annotations

import json

import pytest

import unlinkable as ul
from tests.studio.tasks.sixty_people import PLAN, asked, run_of
from tests.studio.test_confinement import silent
from unlinkable.studio.errors import NotFoundError
from unlinkable.studio.project import Project
from unlinkable.studio.tasks import assessment
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.publishing.anonymizing.run import rerun
from unlinkable.tables.publishing.plans.plan import Plan


def test_a_run_keeps_what_the_command_line_would_have_made(
    session: Session, project: Project
) -> None:
    outcome = run_of(session, project, title="first")
    kept = project.outcome(1)
    assert json.loads(json.dumps(outcome)) == kept
    release = ul.anonymize(
        session.table(session.plan(PLAN)), privacy=ul.KAnonymity(3), suppression="1/10"
    )
    assert kept["release"]["node"] == dict(release.node or {})
    assert kept["loss"] == pytest.approx(release.measure())
    assert sum(band["records"] for band in kept["sizes"]) == release.n_records
    exposed, before = kept["exposure"], kept["exposure_before"]
    assert exposed is not None
    assert before is not None
    assert exposed["highest"] <= 1 / 3 < before["highest"]
    assert [a["name"] for a in kept["attributes"]] == ["age", "zip", "sex"]
    for attribute in kept["attributes"]:
        for shares in (attribute["before"], attribute["after"]):
            assert sum(share for _, share in shares) == pytest.approx(1)
    bundle = project.run_folder(1) / "bundle"
    assert ul.verify(bundle).holds
    assert rerun(bundle).node == release.node
    assert Plan.load(project.run_folder(1) / "plan.toml").form.privacy


def test_a_node_that_was_chosen_is_published_and_can_be_repeated(
    session: Session, project: Project
) -> None:
    outcome = run_of(session, project, levels=[3, 2, 1])
    assert outcome["release"]["node"] == {"age": 3, "zip": 2, "sex": 1}
    assert outcome["release"]["method"] == "optimal(levels=[3, 2, 1])"
    assert outcome["plan"]["method"]["levels"] == [3, 2, 1]
    assert rerun(project.run_folder(1) / "bundle").node == outcome["release"]["node"]


def test_methods_that_replace_values_are_run_too(session: Session, project: Project) -> None:
    columns = {**PLAN["columns"], "zip": {"role": "insensitive"}, "sex": {"role": "insensitive"}}
    outcome = run_of(session, project, method="mdav", **asked(columns=columns))
    assert (outcome["kind"], outcome["attributes"], outcome["loss"]) == ("perturbed", [], None)
    outcome = run_of(
        session,
        project,
        method="anatomize",
        **asked(privacy=[{"model": "distinct-l-diversity", "l": 2}]),
    )
    assert outcome["kind"] == "bucketized"


def test_findings_are_about_the_run_that_is_named(session: Session, project: Project) -> None:
    run_of(session, project)
    assert (
        assessment.risk(session, silent, run=1, **asked())["records"]
        == 60 - (project.outcome(1)["release"]["suppressed"])
    )
    assert assessment.risk(session, silent, **asked())["records"] == 60
    assert assessment.check(session, silent, **asked())["holds"] is False
    told = assessment.explain(session, silent, run=1, **asked())
    assert told["metric"] == "iloss"
    attacked = assessment.attack(session, silent, run=1, seconds=0.2, **asked())
    assert attacked["run"] == 1
    with pytest.raises(NotFoundError, match="no run 9"):
        assessment.risk(session, silent, run=9, **asked())
