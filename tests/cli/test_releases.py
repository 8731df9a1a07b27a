"""From a file to a bundle on the command line, and what can be asked of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import OPTIONS, Ran, Run


def test_prints_one_document_that_says_all(released: Ran, tmp_path: Path) -> None:
    assert released.code == 0, released.err
    document = released.json
    assert document["holds"]
    assert document["records"] + document["suppressed"] == 40
    assert {m["model"] for m in document["models"]} == {
        "k-anonymity(k=4)",
        'distinct-l-diversity(l=2, sensitive="disease")',
    }
    assert document["optimal"] is True
    assert set(document["node"]) == {"age", "sex", "zip"}
    assert {"iloss", "discernibility"} <= set(document["metrics"])
    assert document["bundle"] == "release"
    assert document["seconds"] > 0


def test_the_bundle_has_a_public_and_a_private_half(released: Ran, tmp_path: Path) -> None:
    public = {f.name for f in (tmp_path / "release" / "public").iterdir()}
    private = {f.name for f in (tmp_path / "release" / "private").iterdir()}
    assert {"data.csv", "release.json"} <= public
    assert {"provenance.json", "rows.parquet"} <= private
    public_text = (tmp_path / "release" / "public" / "release.json").read_text(encoding="utf-8")
    assert "patients.csv" not in public_text
    assert "seed" not in json.loads(public_text)


def test_verifies_what_it_wrote(run: Run, released: Ran) -> None:
    for folder in ("release", "release/public"):
        ran = run("verify", folder, "--json")
        assert ran.code == 0, ran.err
        assert ran.json["holds"]


def test_verify_finds_a_changed_byte(run: Run, released: Ran, tmp_path: Path) -> None:
    data = tmp_path / "release" / "public" / "data.csv"
    content = bytearray(data.read_bytes())
    content[-3] ^= 1
    data.write_bytes(content)
    ran = run("verify", "release", "--json")
    assert ran.code == 1
    assert not ran.json["holds"]
    assert any("data.csv" in problem for problem in ran.json["problems"])


def test_a_signed_bundle_needs_the_right_key(run: Run, patients: Path) -> None:
    for name in ("ours", "theirs"):
        assert run("key", name, "--for", "signing").code == 0
    made = run("anonymize", patients, *OPTIONS, "-o", "release", "--sign", "ours")
    assert made.code == 0, made.err
    assert run("verify", "release", "--key", "ours.pub").code == 0
    assert run("verify", "release", "--key", "theirs.pub").code == 1


def test_a_starting_plan_in_another_folder_names_the_same_files(
    run: Run, patients: Path, tmp_path: Path
) -> None:
    (tmp_path / "plans").mkdir()
    assert run("describe", patients.name, "--as", "zip=text", "--plan", "plans/p.toml").code == 0
    ran = run("anonymize", "plans/p.toml", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["bundle"] == "release"
    assert run("explain", "release").code == 0


def test_the_output_is_where_it_was_asked_for_though_the_plan_is_behind_a_link(
    run: Run, patients: Path, tmp_path: Path
) -> None:
    (tmp_path / "far" / "away").mkdir(parents=True)
    Path("link").symlink_to(tmp_path / "far" / "away")
    run("describe", patients, "--plan", "link/p.toml")
    ran = run("anonymize", "link/p.toml", "--out", "here", "--json")
    assert ran.code == 0, ran.err
    assert Path("here/public/data.csv").is_file()


def test_a_starting_plan_runs_as_it_is(run: Run, patients: Path) -> None:
    run("describe", patients, "--plan", "plan.toml")
    ran = run("anonymize", "plan.toml", "--json")
    assert ran.code == 0, ran.err
    assert run("verify", "release").code == 0


def test_an_existing_bundle_is_not_replaced_unless_asked(
    run: Run, patients: Path, released: Ran
) -> None:
    before = Path("release/public/data.csv").read_bytes()
    again = run("anonymize", patients, *OPTIONS, "-m", "mondrian", "-o", "release")
    assert again.code == 2
    assert Path("release/public/data.csv").read_bytes() == before
    assert run("anonymize", patients, *OPTIONS, "-o", "release", "--overwrite").code == 0


@pytest.mark.parametrize(
    ("option", "message"), [("--sign=nokey", "`unlinkable key FILE`"), ("--out=taken", "is a file")]
)
def test_what_cannot_be_saved_is_not_searched_for(
    run: Run, patients: Path, option: str, message: str
) -> None:
    Path("taken").touch()
    ran = run("anonymize", patients, *OPTIONS, "-p", "k-anonymity(k=41)", "-o", "r", option)
    assert ran.code == 2
    assert message in ran.err


def test_no_solution_ends_with_1_and_says_what_would_help(run: Run, patients: Path) -> None:
    ran = run("anonymize", patients, "-q", "age", "--others", "drop", "-p", "k-anonymity(k=41)",
              "-o", "release", "--json")  # fmt: skip
    assert ran.code == 1
    assert "at most 40" in ran.json["error"]
    assert not Path("release").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-q", "age", "-p", "k-anonymity(k=2)"], "no role for 'sex'"),
        (["-q", "age", "--others", "drop"], "--privacy"),
        (["-q", "age", "--others", "drop", "-p", "k-anonymity(k=2)", "-m", "optimum"], "optimal"),
        (["-q", "age", "-p", "k-anonymity(k=2)", "-t", "age=interval:5"], "expected intervals"),
        (["-q", "age", "-p", "k-anonymity(k=2)", "-t", "zip=mask:5"], "no column 'zip'"),
    ],
)
def test_wrong_use_is_refused(run: Run, patients: Path, arguments: list[str], message: str) -> None:
    ran = run("anonymize", patients, *arguments, "-o", "release")
    assert ran.code == 2
    assert message in " ".join(ran.err.split())
    assert not Path("release").exists()


def test_the_demo_runs_and_verifies(run: Run) -> None:
    ran = run("demo", "--patients", "500", "--out", "here")
    assert ran.code == 0, ran.err
    assert "Verified from its files alone: whole, and every promise holds." in ran.err
    assert Path("here/release/public/data.csv").is_file()
    assert run("demo", "--patients", "500", "--out", "here").code == 0


def test_the_demo_writes_over_nothing_but_a_demo(run: Run, patients: Path) -> None:
    before = patients.read_bytes()
    ran = run("demo", "--patients", "50", "--out", ".")
    assert ran.code == 2
    assert "is not of a demo" in ran.err
    assert patients.read_bytes() == before


@pytest.mark.parametrize("use", ["signing", "pseudonyms"])
def test_a_key_needs_a_file(run: Run, use: str) -> None:
    ran = run("key", ".", "--for", use)
    assert ran.code == 2
    assert "name the file" in ran.err


def test_a_warning_is_one_line(run: Run, patients: Path) -> None:
    run("key", "holder")
    Path("holder").chmod(0o644)
    ran = run("anonymize", patients, *OPTIONS, "-o", "r", "--sign", "holder", "--json")
    assert ran.code == 0
    assert set(ran.err.splitlines()) == {
        f"warning: key file {Path('holder').absolute()} is open to other users of this machine: "
        f"run `chmod 600 {Path('holder').absolute()}`"
    }
