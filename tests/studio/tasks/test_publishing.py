"""Runs are published as they were explored, and releases over time with a history."""

from __future__ import annotations

import pytest

import unlinkable as ul
from tests.studio.tasks.sixty_people import asked, run_of
from tests.studio.test_confinement import silent
from unlinkable.studio.project import Project
from unlinkable.studio.tasks import runs
from unlinkable.studio.tasks.session import Session


def test_what_is_published_is_what_was_explored(session: Session, project: Project) -> None:
    run_of(session, project)
    told = runs.publish(session, silent, run=1, name="first", **asked())
    assert told["verified"]
    made, kept = project.bundle("first"), project.run_folder(1) / "bundle"
    files = [file.relative_to(kept) for file in kept.rglob("*") if file.is_file()]
    assert files
    for file in files:
        assert (made / file).read_bytes() == (kept / file).read_bytes()


def test_a_run_that_was_tampered_with_is_not_published(session: Session, project: Project) -> None:
    run_of(session, project)
    file = project.run_folder(1) / "bundle" / "public" / "data.csv"
    file.write_bytes(file.read_bytes().replace(b"flu", b"hiv"))
    with pytest.raises(ul.errors.BundleError, match="nothing was published"):
        runs.publish(session, silent, run=1, name="first", **asked())
    assert project.bundle_names() == []
    assert list(project.bundles.iterdir()) == []


def test_releases_over_time_go_into_the_history(session: Session, project: Project) -> None:
    series = asked(series={"policy": "incremental", "person": "id"})
    tried = runs.publish_next(session, silent, recipient="a", dry_run=True, **series)
    assert tried["document"]["published"] is False
    assert runs.history(session, silent, **asked()) == []
    first = runs.publish_next(session, silent, recipient=None, dry_run=False, **series)
    assert first["name"] == "history/001"
    assert project.bundle_names() == ["history/001"]
    (line,) = runs.history(session, silent, **asked())
    assert (line["number"], line["bundle"]) == (1, "bundles/history/001")
