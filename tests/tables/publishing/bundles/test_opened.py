"""Bundles that are opened again: what they tell, and which are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from tests.tables.publishing.saved_bundles import (
    patients,
    release_of,
    rewrite_manifest,
    rewrite_provenance,
)
from unlinkable.errors import BundleError
from unlinkable.release.bundle import MANIFEST, PROVENANCE
from unlinkable.tables.methods import Mondrian, Optimal
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.metrics import AverageClassSize
from unlinkable.tables.metrics.defaults import DEFAULT_METRICS
from unlinkable.tables.publishing import GeneralizedRelease, open_bundle
from unlinkable.tables.publishing.bundles.provenance import PRIVATE_FORMAT


@pytest.fixture(scope="module")
def release() -> GeneralizedRelease:
    return release_of()


def test_a_folder_without_a_bundle_is_not_opened(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"no folder .*: name a bundle, or its public half"):
        open_bundle(tmp_path / "nothing")
    with pytest.raises(BundleError, match="is no bundle: it has neither a folder 'public' nor"):
        open_bundle(tmp_path)


def test_a_manifest_must_list_one_table(release: GeneralizedRelease, tmp_path: Path) -> None:
    opened = open_bundle(release.save(tmp_path / "release"))
    without = evolve(opened, manifest=opened.manifest.model_copy(update={"files": ()}))
    with pytest.raises(BundleError, match="must list one table, as CSV or Parquet, and lists"):
        _ = without.frame


def test_a_private_half_of_a_later_version_is_refused(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    folder = release.save(tmp_path / "release")
    rewrite_provenance(folder / "private", lambda told: told.update(format=PRIVATE_FORMAT + 1))
    with pytest.raises(BundleError, match="reads formats up to 2: upgrade unlinkable"):
        open_bundle(folder)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda told: told.pop("seed"), "damaged: key 'seed' is missing: give the seed"),
        (lambda told: told.update(seed="7"), "damaged: seed: must be a whole number, got '7'"),
        (lambda told: told.update(sead=7), r"no key 'sead' among 24 \(did you mean 'seed'\?\)"),
    ],
)
def test_a_malformed_provenance_is_refused(
    release: GeneralizedRelease, tmp_path: Path, edit: Any, message: str
) -> None:
    folder = release.save(tmp_path / "release")
    rewrite_provenance(folder / "private", edit)
    with pytest.raises(BundleError, match=message):
        open_bundle(folder)


def test_a_private_half_without_its_files_is_refused(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    folder = release.save(tmp_path / "release")
    opened = open_bundle(folder)
    assert opened.private is not None
    for name in ("rows.parquet", "groups.parquet", "taxonomies.json"):
        (folder / "private" / name).unlink()
        with pytest.raises(BundleError, match="the private half is damaged"):
            opened.private.rows() if name == "rows.parquet" else opened.shown()
    (folder / "private" / PROVENANCE).unlink()
    with pytest.raises(BundleError, match=r"cannot read .*provenance\.json"):
        open_bundle(folder)


def test_rows_say_which_record_is_which(tmp_path: Path) -> None:
    table = patients(owner="name", identifiers=())
    release = release_of(table)
    opened = open_bundle(release.save(tmp_path / "release"))
    assert opened.private is not None
    rows, groups, owners = opened.private.rows()
    assert owners is not None
    assert owners.to_list() == table.frame["name"].to_list()
    assert rows.tolist() == [*range(11), -1]
    assert groups[-1] == -1
    assert np.bincount(groups[:-1]).min() >= 2
    assert json.loads((opened.public / MANIFEST).read_text())["models"][0]["needs_private"]


@pytest.mark.parametrize("method", [Optimal(), Mondrian()], ids=str)
def test_any_metric_can_be_measured_from_a_whole_bundle(tmp_path: Path, method: Search) -> None:
    weighted = patients(weight="stay", insensitive=(), importance={"age": 3.0})
    release = release_of(weighted, method=method)
    opened = open_bundle(release.save(tmp_path / "release"))
    for metric in DEFAULT_METRICS:
        assert opened.measure(metric) == pytest.approx(release.measure(metric))
        alone = metric.measure(release.published_alone(metric)).value
        assert opened.manifest.metrics[str(metric)] == pytest.approx(alone)


def test_the_public_half_alone_measures_what_it_can(
    release: GeneralizedRelease, tmp_path: Path
) -> None:
    public = release.save(tmp_path / "release") / "public"
    opened = open_bundle(public)
    assert opened.provenance is None
    for metric in DEFAULT_METRICS:
        alone = metric.measure(release.published_alone(metric)).value
        assert opened.measure(metric) == pytest.approx(alone)
    other = AverageClassSize(k=7)
    assert opened.measure(str(other)) == pytest.approx(release.measure(other))
    with pytest.raises(BundleError, match=r"no private half.*the manifest has .*iloss"):
        opened.shown()
    rewrite_manifest(public, lambda told: told.update(metrics={"discernibility": 1}))
    with pytest.raises(BundleError, match="has no private half"):
        open_bundle(public).measure("iloss")
    with pytest.raises(BundleError, match=r"the metric discernibility is 4\d\.0, and the manifest"):
        open_bundle(public).measure("discernibility")
