"""A kind of data that the centre has never heard of: all commands serve it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import unlinkable as ul
from unlinkable.cli.describe import describe
from unlinkable.cli.options import Reading
from unlinkable.errors import BundleError, ParameterError, PlanError, UnsupportedError
from unlinkable.registry import data_kinds, kinds_of_data, lookup
from unlinkable.registry.kinds_of_data import _others, data_kind
from unlinkable.registry.lookup import entries, entry_kinds, look_up
from unlinkable.release import Description, Listing, Release, kind_called, kind_of_file
from unlinkable.release.bundle import PUBLIC, open_bundle
from unlinkable.release.plan import Plan, load_plan, plan_from
from unlinkable.tables.models.base import GroupModel

PACKAGE = Path(__file__).parent / "words_kind"
"""A package with a kind of data, as it would be installed."""

WORDS = ("ill", "well", "ill", "rare", "well", "ill")


@pytest.fixture
def _words(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the package for the time of a test."""
    caches = (data_kind, _others, entry_kinds, look_up, lookup._packages, lookup._entries_of)
    for cached in caches:
        cached.cache_clear()
    monkeypatch.syspath_prepend(str(PACKAGE))
    yield
    sys.modules.pop("words", None)
    for cached in caches:
        cached.cache_clear()


@pytest.fixture
def release(_words: None) -> Release:
    return ul.anonymize(WORDS, kind="words", privacy=["many-users(k=2)"])


def test_the_whole_kind_is_short() -> None:
    assert len((PACKAGE / "words.py").read_text(encoding="utf-8").splitlines()) < 200


@pytest.mark.usefixtures("_words")
def test_it_is_known_by_its_name_its_data_and_its_files() -> None:
    assert data_kinds() == ("tables", "words")
    assert kind_called("words").name == "words"
    assert kind_of_file("diary.WORDS").name == "words"
    assert kind_of_file("diary.csv").name == "tables"
    assert type(ul.anonymize(WORDS, privacy=["many-users(k=2)"])).__name__ == "WordRelease"
    with pytest.raises(ParameterError, match="no kind of data 'word' among 2"):
        kind_called("word")


@pytest.mark.usefixtures("_words")
def test_its_names_are_in_the_registry() -> None:
    assert {"many-users", "k-anonymity"} <= {entry.name for entry in entries("model")}
    assert "word-guess" in {entry.name for entry in entries("attack")}
    assert "many-users" not in {entry.name for entry in entries("metric")}


def test_a_release_is_saved_verified_measured_and_attacked(
    release: Release, tmp_path: Path
) -> None:
    folder = release.save(tmp_path / "out")
    found = ul.verify(folder)
    assert found.holds, found.problems
    assert found.to_json()["records"] == 5
    bundle = open_bundle(folder)
    assert bundle.manifest.format == 5
    assert bundle.evaluate("kept-share").value == pytest.approx(5 / 6)
    assert bundle.attackable().attack("word-guess", limit="1/3").n_fallen == 2
    assert release.attack("word-guess", limit="1/2").n_fallen == 0
    assert "Every word was used at least 2 times" in bundle.report().to_markdown()
    assert "Where it came from" in bundle.report(holder=True).to_markdown()


def test_what_does_not_hold_is_not_saved(release: Release, tmp_path: Path) -> None:
    del release
    broken = ul.anonymize(WORDS, kind="words", privacy=[])
    assert broken.holds
    from words import ManyUsers, judged  # type: ignore[import-not-found]

    object.__setattr__(broken, "finding", judged(WORDS, [ManyUsers(2)]))
    with pytest.raises(BundleError, match=r"does not keep many-users\(k=2\)"):
        broken.save(tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("change", ["byte", "extra", "missing"])
def test_every_change_of_its_files_is_found(release: Release, tmp_path: Path, change: str) -> None:
    public = release.save(tmp_path / "out") / PUBLIC
    if change == "byte":
        (public / "words.txt").write_text("ill\nill\nill\nwell\nhell\n", encoding="utf-8")
    elif change == "extra":
        (public / "more.txt").write_text("rare\n", encoding="utf-8")
    else:
        (public / "words.txt").unlink()
    assert not ul.verify(tmp_path / "out").holds


def test_without_its_package_a_bundle_cannot_be_read(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = release.save(tmp_path / "out")
    monkeypatch.undo()
    for cached in (data_kind, _others):
        cached.cache_clear()
    with pytest.raises(BundleError, match="no kind of data 'words' among 1"):
        open_bundle(folder)


@pytest.mark.usefixtures("_words")
def test_a_plan_names_the_kind_or_the_ending_tells_it(tmp_path: Path) -> None:
    privacy = [{"model": "many-users", "k": 2}]
    named = plan_from({"data": {"kind": "words", "source": "a.txt"}, "privacy": privacy})
    ended = plan_from({"data": {"source": "a.words"}, "privacy": privacy})
    assert named.form.data.kind == ended.form.data.kind == "words"
    named.save(tmp_path / "plan.toml")
    assert load_plan(tmp_path / "plan.toml").to_dict()["data"] == {
        "kind": "words",
        "source": os.path.relpath("a.txt", tmp_path).replace(os.sep, "/"),
    }
    with pytest.raises(PlanError, match="no kind of data 'wrods'"):
        plan_from({"data": {"kind": "wrods", "source": "a"}})
    with pytest.raises(PlanError, match="no table 'columns'"):
        plan_from({"data": {"kind": "words", "source": "a"}, "columns": {}})


def test_a_report_for_recipients_is_made_without_the_private_half(
    release: Release, tmp_path: Path
) -> None:
    bundle = open_bundle(release.save(tmp_path / "out"))
    assert bundle.private is not None
    assert bundle.view().bundle.private is None
    page = bundle.report().to_html()
    shutil.rmtree(tmp_path / "out" / "private")
    assert open_bundle(tmp_path / "out").report().to_html() == page


def test_what_is_not_known_of_it_is_refused(release: Release, tmp_path: Path) -> None:
    bundle = open_bundle(release.save(tmp_path / "out"))
    with pytest.raises(UnsupportedError, match="made by drop-rare cannot be explained"):
        bundle.report(holder=True, explain=True)
    with pytest.raises(ParameterError, match="explain need the original records"):
        bundle.report(explain=True)
    with pytest.raises(ParameterError, match="does not look at the original records"):
        bundle.report(original="a.words")
    with pytest.raises(ParameterError, match="cannot be used here: it is no GroupModel"):
        GroupModel.read("many-users(k=2)")
    with pytest.raises(ParameterError, match="cannot be used here: it is no GroupModel"):
        GroupModel.read_all("many-users(k=[2, 3])")


@pytest.mark.usefixtures("_words")
def test_a_broken_package_is_named() -> None:
    point = EntryPoint("words", "nowhere:KIND", "unlinkable.kinds")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kinds_of_data, "_others", lambda: {"words": point})
        data_kind.cache_clear()
        with pytest.raises(ParameterError, match="'words' cannot be loaded from nowhere:KIND"):
            kind_called("words")


def test_a_method_that_cannot_be_read_is_no_policy(release: Release, tmp_path: Path) -> None:
    manifest = open_bundle(release.save(tmp_path / "out")).manifest
    for method in ("K 5", "drop-rare", "a-later-one(x=1)"):
        assert manifest.model_copy(update={"method": method}).policy is None
    series = manifest.model_copy(update={"method": "m-invariance(m=2)"}).policy
    assert series is not None
    assert series.name == "m-invariance"


class Counts(Description):
    """What is told of words."""

    def sentences(self) -> list[str]:
        return ["6 words"]

    def listings(self) -> list[Listing]:
        return [Listing("Words", ("word", "times"), [("ill", "3")], right=("times",))]

    def to_json(self) -> dict[str, object]:
        return {"words": 6}

    def suggested_plan(self) -> Plan:
        return plan_from({"data": {"kind": "words", "source": "diary.words"}})


@pytest.mark.usefixtures("_words")
def test_it_is_described_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        type(kind_called("words")), "describe", lambda self, plan, progress=None: Counts()
    )
    describe("diary.words", plan=tmp_path / "plan.toml", reading=Reading())
    said = capsys.readouterr().err
    assert "6 words" in said
    assert "times" in said
    assert load_plan(tmp_path / "plan.toml").form.data.kind == "words"
    describe("diary.words", reading=Reading(), json=True)
    assert json.loads(capsys.readouterr().out) == {"words": 6}


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(PACKAGE), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "unlinkable.cli", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_same_commands_serve_it(tmp_path: Path) -> None:
    (tmp_path / "diary.words").write_text("\n".join(WORDS), encoding="utf-8")
    listed = json.loads(run(tmp_path, "list", "model", "--json").stdout)
    assert "many-users" in [entry["name"] for entry in listed]
    made = run(
        tmp_path, *["anonymize", "diary.words", "-p", "many-users(k=2)", "-o", "out", "--json"]
    )
    assert made.returncode == 0, made.stderr
    document = json.loads(made.stdout)
    assert document["holds"]
    assert document["metrics"] == {"kept-share": pytest.approx(5 / 6)}
    assert run(tmp_path, "verify", "out").returncode == 0
    refused = run(tmp_path, "describe", "diary.words")
    assert (refused.returncode, "words cannot be described" in refused.stderr) == (2, True)
    measured = json.loads(run(tmp_path, "measure", "out", "--json").stdout)
    assert measured["metrics"] == {"kept-share": pytest.approx(5 / 6)}
    attacked = run(tmp_path, *["attack", "word-guess", "out", "--limit", "1/3", "--json"])
    assert attacked.returncode == 1, attacked.stderr
    assert json.loads(attacked.stdout)["succeeded"] == 2
    assert run(tmp_path, *["report", "out", "--holder", "--out", "page.md"]).returncode == 0
    assert "many-users(k=2): kept" in (tmp_path / "page.md").read_text(encoding="utf-8")


def test_options_that_are_for_tables_are_refused(tmp_path: Path) -> None:
    (tmp_path / "diary.words").write_text("\n".join(WORDS), encoding="utf-8")
    refused = run(
        tmp_path, *["anonymize", "diary.words", "-q", "word", "-p", "many-users(k=2)", "-o", "out"]
    )
    assert refused.returncode == 2
    assert "roles and taxonomies are for tables" in refused.stderr
    assert not (tmp_path / "out").exists()
