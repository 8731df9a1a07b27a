"""A release explained: the public report from the public half alone, the holder's with more."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from attrs import evolve

from tests.report.samples import HOSTILE, Page
from tests.tables.publishing import maskings
from tests.tables.publishing.saved_bundles import contents, patients, release_of
from unlinkable.errors import BundleError, ParameterError
from unlinkable.release.bundle import MANIFEST
from unlinkable.release.bundle.bundle_files import REPORT
from unlinkable.release.plan.statement import Statement
from unlinkable.release.report.glossary_part import GLOSSARY
from unlinkable.release.verify import verify
from unlinkable.report import Card, Report
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods import PRAM, Anatomize, DPHistogram, DPSynthetic
from unlinkable.tables.methods.base.record_method import RecordMethod
from unlinkable.tables.models import (
    DifferentialPrivacy,
    FrequencyLDiversity,
    KAnonymity,
    LKCPrivacy,
)
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing import anonymize, open_bundle
from unlinkable.tables.taxonomies.builders import Tree

SECTIONS = [
    "What was published",
    "What is promised",
    "What is not promised",
    "How likely somebody is found",
    "What was lost",
    "How large the groups are",
    "How values are distributed",
    "Attacks that were tried",
    "How it was made",
    "Glossary",
]


def titles(report: Report) -> list[str]:
    return [section.title for section in report.sections]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release_of().save(tmp_path_factory.mktemp("saved") / "release")


def test_every_bundle_has_both_reports_and_verifies_them(folder: Path, tmp_path: Path) -> None:
    assert verify(folder).holds
    for half in ("public", "private"):
        broken = tmp_path / half
        shutil.copytree(folder, broken)
        page = broken / half / REPORT
        page.write_text(page.read_text(encoding="utf-8").replace("kept", "lept"), encoding="utf-8")
        assert any("report.html was changed" in p for p in verify(broken).problems)
        page.unlink()
        assert any("report.html is missing" in p for p in verify(broken).problems)


def test_the_public_report_is_a_function_of_the_public_half(folder: Path, tmp_path: Path) -> None:
    written = (folder / "public" / REPORT).read_text(encoding="utf-8")
    alone = tmp_path / "given"
    shutil.copytree(folder / "public", alone)
    (alone / REPORT).unlink()
    assert open_bundle(folder).report().to_html() == written
    assert open_bundle(alone).report().to_html() == written


def listed(n: int, sexes: str, ills: str) -> Table:
    """Give people of whom all values are listed beforehand."""
    trees = {"sex": Tree({"any": ["f", "m"]}), "ill": Tree({"any": [*"abc"]})}
    data = {
        "sex": [sexes[i % len(sexes)] for i in range(n)],
        "ill": [ills[i % 3] for i in range(n)],
    }
    return as_table(data, quasi="sex", sensitive="ill", taxonomies=trees)


@pytest.mark.parametrize("method", [maskings.Counted(), DPHistogram(), DPSynthetic(), PRAM()])
def test_under_a_promise_about_noise_nothing_public_is_from_the_original(
    method: RecordMethod, tmp_path: Path
) -> None:
    """Where noise happens to give the same for other people, recipients get the same bytes."""
    release = anonymize(listed(40, "ffm", "abc"), privacy=DifferentialPrivacy(2), method=method)
    others = evolve(release, table=listed(57, "mmmf", "ccb"))
    one, other = release.save(tmp_path / "one"), others.save(tmp_path / "other")
    assert contents(one / "private") != contents(other / "private")
    public = contents(one / "public")
    assert public == contents(other / "public")
    assert {REPORT, MANIFEST} < public.keys()
    assert "about.json" not in public
    page = Page(public[REPORT].decode()).text
    assert "under a promise about noise it is not told" in page
    assert "left out" not in page


def test_a_signature_changes_nothing_in_the_report(tmp_path: Path) -> None:
    from unlinkable.release.bundle.signing import new_signing_key

    folder = release_of().save(tmp_path / "release", signing_key=new_signing_key())
    written = (folder / "public" / REPORT).read_text(encoding="utf-8")
    assert open_bundle(folder).report().to_html() == written


def test_nothing_of_the_original_is_in_the_public_report(tmp_path: Path) -> None:
    table = patients()
    source = tmp_path / "canary-source.csv"
    source.write_text("canary", encoding="utf-8")
    release = release_of(evolve(table, source=str(source)))
    assert release.n_suppressed == 1
    folder = release.save(tmp_path / "release")
    public = (folder / "public" / REPORT).read_text(encoding="utf-8")
    private = (folder / "private" / REPORT).read_text(encoding="utf-8")
    for secret in ("unheard-of", "Patient3", "canary-source", str(release.seed), "seconds"):
        assert secret not in public
    assert "unheard-of" in private
    assert "canary-source" in private
    assert str(release.seed) not in private


def test_the_report_of_a_release_is_that_of_its_bundle(folder: Path) -> None:
    made, saved = release_of().report(), open_bundle(folder).report()
    assert titles(made) == titles(saved) == SECTIONS
    assert made.lead == saved.lead
    assert made.sections == saved.sections


def test_the_holder_is_told_more(folder: Path) -> None:
    for report in (open_bundle(folder).report(holder=True), release_of().report(holder=True)):
        assert titles(report)[-1] == "Glossary"
        assert {"What costs the most", "Where it came from"} <= set(titles(report))
        assert "for the holder of the data alone" in report.to_markdown()
    markdown = release_of().report(holder=True).to_markdown()
    assert "Before: 100 %" in markdown
    assert "| unheard-of | 8.3 % | 0 % |" in markdown


def test_the_holder_can_try_all_attacks_and_what_would_help() -> None:
    report = release_of().report(holder=True, attacks=True, explain=True)
    markdown = report.to_markdown()
    assert "All attacks were tried" in markdown
    assert "### record-linkage" in markdown
    assert "The release loses" in markdown
    assert "Patient" not in markdown


def test_promises_are_said_in_plain_words_with_what_they_do_not_promise() -> None:
    markdown = release_of().report().to_markdown()
    assert "What was promised: kept" in markdown
    assert "Everybody looks like at least 1 other people" in markdown
    assert "k of at least 2" in markdown
    assert "It was counted on the published values themselves" in markdown
    assert "It says nothing about what people who look alike have in common" in markdown
    assert (
        "| Table linkage | a person is found to be in the data at all | not guarded |" in markdown
    )


def test_columns_that_single_people_out_are_named() -> None:
    data = {"age": [30, 31, 32, 33] * 3, "cost": [*range(100, 112)], "ward": ["a", "b"] * 6}
    table = as_table(data, quasi="age", insensitive=["cost", "ward"])
    markdown = anonymize(table, privacy=KAnonymity(2)).report().to_markdown()
    assert "Most records have a value of their own in cost: whoever knows it" in markdown
    table = as_table({n: data[n] for n in ("age", "ward")}, quasi="age", insensitive="ward")
    without = anonymize(table, privacy=KAnonymity(2)).report().to_markdown()
    assert "value of their own" not in without


def test_what_attacks_reach_is_called_by_its_name() -> None:
    sections = {section.title: section for section in release_of().report().sections}
    cards = [c for c in sections["Attacks that were tried"].blocks if isinstance(c, Card)]
    reached = {card.title: card.facts.rows[0][0] for card in cards}
    assert reached["skewness"] == "Highest gain in likelihood"
    assert reached["attribute-linkage"] == "Highest confidence"


def test_records_that_were_left_out_count_as_lost() -> None:
    said = "Records that were left out count as lost."
    assert said in release_of().report().to_markdown()
    whole = release_of(suppression="0")
    assert whole.n_suppressed == 0
    assert said not in whole.report().to_markdown()


def test_a_release_that_does_not_hold_says_so() -> None:
    release = release_of()
    verdicts = tuple(evolve(v, holds=False) for v in release.finding.verdicts)
    broken = evolve(release, finding=evolve(release.finding, verdicts=verdicts))
    assert "What was promised: not kept" in broken.report().to_markdown()


def test_a_statement_says_for_whom_it_is(tmp_path: Path) -> None:
    said = Statement(holder="St <b>Mary</b>", recipient="Registry", purpose="Cancer study")
    folder = release_of().save(tmp_path / "release", statement=said)
    page = Page((folder / "public" / REPORT).read_text(encoding="utf-8"))
    assert "Published by St <b>Mary</b> For Registry Purpose Cancer study" in page.text
    other = open_bundle(folder).report(statement=Statement(recipient="Press"))
    assert "**For:** Press" in other.to_markdown()
    assert "Cancer study" in other.to_markdown()
    assert "**For:** not stated" in release_of().report().to_markdown()


KINDS: list[tuple[RecordMethod, list[GroupModel], str]] = [
    (maskings.Turned(), [], "No promise was made"),
    (maskings.Halves(), [], "told for whole buckets"),
    (maskings.Coarse(), [KAnonymity(4)], "Values were replaced"),
    (maskings.Counted(), [DifferentialPrivacy(1)], "how many people have which values"),
]


@pytest.mark.parametrize(("method", "models", "said"), KINDS, ids=lambda x: getattr(x, "name", ""))
def test_every_kind_of_release_has_a_report(
    method: RecordMethod, models: list[GroupModel], said: str
) -> None:
    release = anonymize(maskings.people(), privacy=models, method=method)
    report = release.report()
    assert said in report.to_markdown()
    assert said in Page(report.to_html()).text
    assert release.report(holder=True).to_html()


def test_nobody_is_said_to_be_hidden_by_buckets() -> None:
    ill = ["flu", "hiv", "cold", "flu", "hiv", "cold"]
    table = as_table({"age": range(30, 36), "ill": ill}, quasi="age", sensitive="ill")
    release = anonymize(table, privacy=FrequencyLDiversity(3), method=Anatomize())
    said = release.report().to_markdown()
    assert "| Record linkage | a person is linked to a record | not guarded | no promise |" in said
    assert "**Guards against:** attribute linkage\n" in said
    assert "Of people of a bucket, at most one in 3 has the same value" in said
    assert "6 records in 2 buckets" in said
    assert "groups of equal published values" not in said


def test_codes_are_counted_one_by_one_and_numbers_by_ranges() -> None:
    codes = [f"{n:05}" for n in (4103, 4104, 4105, 50667) for _ in range(15)]
    others = [f"{20000 + n}" for n in range(20)] * 3
    data = {"zip": [*codes, *others], "cost": [*range(120)], "ill": ["flu", "cold"] * 60}
    table = as_table(data, quasi="zip", sensitive="ill", insensitive="cost")
    release = anonymize(table, privacy=FrequencyLDiversity(2), method=Anatomize())
    said = release.report().to_markdown()
    assert "| 04103 |" in said
    assert "| 0 to 9 |" in said


def test_all_that_was_asked_for_is_told() -> None:
    release = anonymize(patients(), privacy=LKCPrivacy(l=1, k=2, c="0.9"))
    asked = "**Asked for:** k of at least 2, with l = 1 and c = 0.9"
    assert asked in release.report().to_markdown()


def test_hostile_names_and_values_stay_texts(tmp_path: Path) -> None:
    data: dict[str, Any] = {
        HOSTILE: ["<img src=x onerror=alert(1)>", "b", "b", "b", None, "b", "b", "b"],
        "a" * 300: ["long " * 400] * 8,
        "day": [f"2026-01-0{i + 1}" for i in range(8)],
    }
    table = as_table(pl.DataFrame(data), quasi=[HOSTILE], sensitive="a" * 300, insensitive="day")
    release = anonymize(table, privacy=KAnonymity(2))
    folder = release.save(tmp_path / "release")
    for half in ("public", "private"):
        page = Page((folder / half / REPORT).read_text(encoding="utf-8"))
        assert not page.open
        assert not page.all("script") + page.all("img")
        assert " ".join(HOSTILE.split()) in page.text


def test_a_report_loads_no_method_that_it_does_not_tell_of() -> None:
    code = (
        "import sys\n"
        "import unlinkable.tables.publishing.reported.reports\n"
        "print(*[m for m in sys.modules if m.startswith('unlinkable.tables.methods.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {module.split(".")[3] for module in done.stdout.split()}
    assert loaded == {"base", "shared"}


def test_a_tiny_release_has_a_report() -> None:
    release = anonymize(as_table({"age": [30, 31]}, quasi="age"), privacy=KAnonymity(2))
    assert "2 records, published on" in release.report().to_markdown()


def test_the_glossary_explains_what_is_used_and_nothing_else() -> None:
    terms = [term.name for term in release_of().report().sections[-1].blocks[0].items]  # type: ignore[union-attr]
    assert {"k-anonymity", "l-diversity", "Group", "Sensitive value"} <= set(terms)
    assert {"Bucket", "Noise", "Pseudonym", "Epsilon"}.isdisjoint(terms)
    assert terms == sorted(terms, key=str.lower)
    assert len({name for name, _, _ in GLOSSARY}) == len(GLOSSARY)


def test_what_recipients_must_not_see_is_refused(folder: Path) -> None:
    bundle = open_bundle(folder)
    with pytest.raises(ParameterError, match="attacks need the original records"):
        bundle.report(attacks=True)
    with pytest.raises(ParameterError, match="explain need the original records"):
        release_of().report(explain=True)
    with pytest.raises(ParameterError, match="does not look at the original records"):
        bundle.report(original="patients.csv")
    with pytest.raises(ParameterError, match="cannot approve more"):
        bundle.report(statement=Statement(approve=["risk-before"]))
    with pytest.raises(BundleError, match="has no private half, and the report for the holder"):
        open_bundle(folder / "public").report(holder=True)


def test_bundles_without_reports_open_verify_and_are_explained(
    folder: Path, tmp_path: Path
) -> None:
    """Earlier versions wrote neither reports nor about.json."""
    from tests.tables.publishing.saved_bundles import rewrite_manifest

    public = tmp_path / "public"
    shutil.copytree(folder / "public", public)
    (public / REPORT).unlink()
    (public / "about.json").unlink()

    def without(told: dict[str, Any]) -> None:
        told["files"] = [file for file in told["files"] if file["name"] == "data.csv"]

    told = (public / MANIFEST).read_text(encoding="utf-8")
    for name in (REPORT, "about.json"):  # What is rewritten lists files that must be there.
        (public / name).touch()
    rewrite_manifest(public, without)
    for name in (REPORT, "about.json"):
        (public / name).unlink()
    assert told != (public / MANIFEST).read_text(encoding="utf-8")
    assert verify(public).holds
    report = open_bundle(public).report()
    assert titles(report) == SECTIONS
    assert "What each column lost" not in report.to_markdown()
