"""Figures about the original: told only if approved, never of few records, never under noise."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.publishing import maskings
from tests.tables.publishing.saved_bundles import (
    change,
    patients,
    release_of,
    rewrite_manifest,
    rewrite_provenance,
)
from unlinkable.errors import BundleError, ParameterError, PlanError, UnsupportedError
from unlinkable.release.bundle import ABOUT, read_about
from unlinkable.release.plan.statement import Statement
from unlinkable.release.verify import verify
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.models import DifferentialPrivacy, KAnonymity
from unlinkable.tables.publishing import anonymize, open_bundle
from unlinkable.tables.publishing.bundles.about import About
from unlinkable.tables.publishing.bundles.approved import FEWEST, merge_rare
from unlinkable.tables.publishing.plans.plan import Plan
from unlinkable.tables.publishing.releases.drawing import loss_by_attribute
from unlinkable.tables.taxonomies.builders import Intervals


def many() -> Table:
    return as_table(
        {
            "age": [30 + i % 37 for i in range(200)] + [99],
            "ill": ["flu", "cold"] * 100 + ["canary-disease"],
        },
        quasi="age",
        sensitive="ill",
        taxonomies={"age": Intervals(5, 10, 50)},
    )


def test_approved_figures_are_in_the_public_half_and_its_report(tmp_path: Path) -> None:
    said = Statement(approve=["risk-before", "distribution:age", "distribution:ill"])
    release = anonymize(many(), privacy=KAnonymity(20), suppression=0.01)
    folder = release.save(tmp_path / "release", statement=said)
    assert verify(folder).holds
    about = read_about(About, folder / "public", open_bundle(folder).manifest)
    assert about.risk_before is not None
    # Whoever is 99 is left out; at least five people have every other age.
    assert release.n_suppressed == 1
    assert about.risk_before.highest == 1 / 5
    assert about.risk_before.unique == 0
    assert [d.column for d in about.distributions] == ["age", "ill"]
    assert all(sum(d.before) == pytest.approx(1, abs=0.05) for d in about.distributions)
    written = (folder / "public" / "report.html").read_text(encoding="utf-8")
    assert open_bundle(folder / "public").report().to_html() == written
    assert "Before: 20 %" in written
    assert "canary" not in written
    assert "canary" not in (folder / "public" / ABOUT).read_text(encoding="utf-8")


def test_what_is_not_approved_is_not_told(tmp_path: Path) -> None:
    folder = release_of().save(tmp_path / "release")
    about = read_about(About, folder / "public", open_bundle(folder).manifest)
    assert about.risk_before is None
    assert about.distributions == ()
    assert "Before" not in open_bundle(folder).report().to_markdown().replace("Before is", "")


def test_what_each_column_lost_is_told_of_what_is_published(tmp_path: Path) -> None:
    for suppression, n_left_out in (("0.1", 1), ("0", 0)):
        release = release_of(suppression=suppression)
        assert release.n_suppressed == n_left_out
        folder = release.save(tmp_path / f"release{n_left_out}")
        about = read_about(About, folder / "public", open_bundle(folder).manifest)
        assert about.loss is not None
        alone = release.published_alone(release.metric)
        expected, metric = loss_by_attribute(alone.shown, release.metric)
        assert about.loss.metric == str(metric)
        assert about.loss.columns == pytest.approx(expected)
        is_same = about.loss.columns == pytest.approx(release.loss_by_attribute())
        assert is_same == (n_left_out == 0)


@given(
    st.lists(st.integers(0, 40), min_size=1, max_size=12),
    st.booleans(),
)
def test_nothing_is_told_of_few_records(counts: list[int], ordered: bool) -> None:
    labels = [f"v{i}" for i in range(len(counts))]
    after = np.arange(len(counts), dtype=float)
    merged = merge_rare(labels, np.array(counts, np.int64), after, ordered=ordered)
    assert merged.counts.sum() == sum(counts)
    assert merged.after.sum() == after.sum()
    assert len(merged.labels) == merged.counts.size == merged.after.size
    if len(merged.labels) > 1:
        assert (merged.counts >= FEWEST).all()


def test_noise_would_have_to_pay(tmp_path: Path) -> None:
    method = maskings.Counted()
    release = anonymize(maskings.people(), privacy=DifferentialPrivacy(1), method=method)
    with pytest.raises(UnsupportedError, match="'risk-before' cannot be approved: it is counted"):
        release.save(tmp_path / "release", statement=Statement(approve=["risk-before"]))
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_told_safely_is_refused(tmp_path: Path) -> None:
    said = Statement(approve=["distribution:stay"])
    weighed = release_of(patients(insensitive=[], weight="stay"))
    with pytest.raises(UnsupportedError, match=r"records have a weight \('stay'\)"):
        weighed.save(tmp_path / "release", statement=Statement(approve=["distribution:ill"]))
    with pytest.raises(ParameterError, match="no column 'name' among"):
        release_of().save(tmp_path / "release", statement=Statement(approve="distribution:name"))
    buckets = anonymize(maskings.people(), privacy=[], method=maskings.Halves())
    with pytest.raises(UnsupportedError, match="need not be approved"):
        buckets.save(tmp_path / "release", statement=Statement(approve=["distribution:age"]))
    assert said.approve == ("distribution:stay",)


@pytest.mark.parametrize("text", ["risk", "distribution", "distribution:", "risk-before:age"])
def test_what_cannot_be_approved_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="that can be approved"):
        Statement(approve=[text])


def test_a_plan_says_for_whom_and_what_is_approved() -> None:
    document = {
        "data": {"source": "people.csv"},
        "columns": {"age": {"role": "quasi-identifier"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "release": {
            "holder": "Clinic",
            "recipient": "Registry",
            "purpose": "Study",
            "approve": ["risk-before", "distribution:age"],
        },
    }
    plan = Plan.from_dict(document)
    assert plan.statement() == Statement(
        holder="Clinic",
        recipient="Registry",
        purpose="Study",
        approve=["risk-before", "distribution:age"],
    )
    assert Plan.from_dict(plan.to_dict()) == plan
    document["release"] = {"approve": ["everything"]}
    with pytest.raises(PlanError, match=r"\[release\] approve number 1: no figure 'everything'"):
        Plan.from_dict(document)


def test_a_damaged_or_later_file_is_refused(tmp_path: Path) -> None:
    folder = release_of().save(tmp_path / "release")
    manifest, file = open_bundle(folder).manifest, folder / "public" / ABOUT
    file.write_text('{"format": 2}', encoding="utf-8")
    with pytest.raises(BundleError, match="has format 2, and this version reads formats up to 1"):
        read_about(About, folder / "public", manifest)
    file.write_text('{"format": 1, "purpose": 5}', encoding="utf-8")
    with pytest.raises(BundleError, match="is damaged: purpose: must be text"):
        read_about(About, folder / "public", manifest)
    file.unlink()
    with pytest.raises(BundleError, match="cannot read"):
        read_about(About, folder / "public", manifest)


def test_a_loss_that_is_told_wrongly_is_found_with_the_private_half(tmp_path: Path) -> None:
    folder = release_of().save(tmp_path / "release")
    file = folder / "public" / ABOUT
    about = read_about(About, folder / "public", open_bundle(folder).manifest)
    assert about.loss is not None
    changed = about.model_copy(
        update={"loss": about.loss.model_copy(update={"columns": {"age": 0.0, "job": 0.0}})}
    )
    file.unlink()
    changed.write(folder / "public")
    rewrite_manifest(folder / "public")
    digest = hashlib.sha256((folder / "public" / "release.json").read_bytes()).hexdigest()
    rewrite_provenance(folder / "private", change("manifest", to=digest))
    assert verify(folder / "public").holds
    problems = verify(folder).problems
    assert any("the column age lost" in p and "about.json says 0.0" in p for p in problems)


def test_about_tells_nothing_if_there_is_nothing_to_tell() -> None:
    assert About().is_empty
    assert not About(purpose="a study").is_empty
