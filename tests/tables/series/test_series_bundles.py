"""Bundles of a series, as recipients and others see them who have nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

import unlinkable as ul
from unlinkable.errors import UnsupportedError
from unlinkable.tables.data import Table
from unlinkable.tables.publishing.attacking.attack_arguments import made_series_attack
from unlinkable.tables.publishing.attacking.bundle_targets import target_of_bundle
from unlinkable.tables.publishing.attacking.several import attack_series, series_of
from unlinkable.tables.publishing.bundles.manifest import MaskedManifest
from unlinkable.tables.publishing.bundles.opened import open_bundle
from unlinkable.tables.publishing.judging.verified_table import judge
from unlinkable.tables.publishing.reported.building import public_report
from unlinkable.tables.series.incremental.incremental import Incremental
from unlinkable.tables.series.invariance.m_invariance import MInvariance
from unlinkable.tables.series.policy import Policy
from unlinkable.tables.series.sequential.sequential import Sequential
from unlinkable.tables.series.views.multiple_views import MultipleViews

EVERYBODY = ("difference", "intersection", "record-tracing", "critical-absence")


def table(folder: Path, people: Iterable[int]) -> Table:
    """Give people who are kept in a file, and may be looked up there."""
    lines = [f"p{i},{20 + 7 * i % 30},{'mf'[i % 2]},{'abcd'[i % 4]}" for i in people]
    file = folder / f"{len(lines)}.csv"
    file.write_text("\n".join(["pid,age,sex,ill", *lines]) + "\n", encoding="utf-8")
    return ul.read(file, identifiers="pid", quasi=["age", "sex"], sensitive="ill")


def published(folder: Path, policy: Policy, *batches: Iterable[int]) -> ul.History:
    history = ul.History(folder / "history.db")
    promise = ul.KCAnonymity(2, "1/2") if policy.needs_promise else ()
    for people in batches:
        history.publish(table(folder, people), policy=policy, privacy=promise, out=folder / "out")
    return history


def told(folder: Path) -> str:
    return public_report(open_bundle(folder).view()).to_html()


def manifest_of(folder: Path) -> MaskedManifest:
    manifest = open_bundle(folder).manifest
    assert isinstance(manifest, MaskedManifest)
    return manifest


def test_merged_releases_are_true_and_can_be_attacked_from_their_bundles(tmp_path: Path) -> None:
    history = published(tmp_path, Incremental("merge"), range(8), range(16))
    second = tmp_path / "out" / "002"
    assert manifest_of(second).treatment == "generalized"
    assert "every published value is true" in told(second)
    assert "replaced" not in told(second)
    folders = (tmp_path / "out" / "001", second)
    series = series_of([(folder.name, open_bundle(folder)) for folder in folders], person="pid")
    for name in EVERYBODY:
        ours, theirs = (
            attack_series(series, made_series_attack(name, {}, None)),
            history.attack(name),
        )
        assert (ours.n_attacked, ours.n_fallen) == (theirs.n_attacked, theirs.n_fallen)
        assert ours.highest == theirs.highest
    for whole in (series, history.series()):
        with pytest.raises(UnsupportedError, match="were recoded by themselves"):
            attack_series(whole, made_series_attack("correspondence", {}, None))


def test_groups_with_made_up_records_can_be_attacked(tmp_path: Path) -> None:
    published(tmp_path, MInvariance(3), range(9), [*range(6), 11, 12])
    second = tmp_path / "out" / "002"
    assert manifest_of(second).treatment == "perturbed"
    target = target_of_bundle(open_bundle(second))
    assert target.is_grouped
    assert not target.is_truthful
    page = told(second)
    assert "at most 0.333 sure of a sensitive value" in page
    assert "Made up and nobody" in page


def test_rows_of_a_view_are_told_as_they_were(tmp_path: Path) -> None:
    published(tmp_path, MultipleViews(columns=["sex", "ill"]), range(16))
    first = tmp_path / "out" / "001"
    assert manifest_of(first).treatment == "projected"
    assert target_of_bundle(open_bundle(first)).is_truthful
    page = told(first)
    assert "as they were, each different one once" in page
    assert "replaced" not in page


def test_releases_that_promise_nothing_alone_are_saved_and_verified(tmp_path: Path) -> None:
    published(tmp_path, Sequential(), range(16))
    found = ul.verify(tmp_path / "out" / "001")
    assert found.holds
    assert "nothing is promised of this release alone: it is one of a series by sequential" in (
        found.notes
    )
    promising = open_bundle(tmp_path / "out" / "001").manifest.model_copy(
        update={"method": "incremental"}
    )
    judged = judge(open_bundle(tmp_path / "out" / "001").frame, promising, None)
    assert judged.problems == ["nothing is promised"]
