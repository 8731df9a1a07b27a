"""verify: what its first line says, and how it ends."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Ran, Run


def test_without_a_key_the_first_line_says_that_origin_was_not_checked(
    run: Run, released: Ran
) -> None:
    assert released.code == 0
    ran = run("verify", "release")
    assert ran.code == 0
    assert ran.err.splitlines()[0].startswith("Consistency was checked, not origin: ")
    told = run("verify", "release", "--json").json
    assert told["origin_checked"] is False
    assert told["promised"] == told["judged"] == 2


def test_a_key_says_who_made_a_bundle(run: Run, patients: Path) -> None:
    assert run("key", "holder").code == 0
    made = ["-q", "age", "-s", "disease", "--others", "drop", "-p", "k-anonymity(k=4)"]
    made += ["--sign", "holder"]
    assert run("anonymize", patients, *made, "-o", "signed").code == 0
    ran = run("verify", "signed", "--key", "holder.pub")
    assert ran.code == 0, ran.err
    assert ran.err.splitlines()[0].startswith("Consistency and origin were checked")
    assert run("verify", "signed", "--key", "holder.pub", "--json").json["origin_checked"] is True


def test_files_of_which_no_promise_can_be_judged_prove_nothing(run: Run, patients: Path) -> None:
    promise = 'k-map(k=2, population="patients.csv")'
    made = ["-q", "age,sex,zip", "-s", "disease", "-t", "age=intervals:5,10,20", "-p", promise]
    assert run("anonymize", patients, *made, "-o", "release").code == 0
    assert run("verify", "release").code == 0
    ran = run("verify", "release/public")
    assert ran.code == 1
    said = " ".join(ran.err.split())
    assert "No promise could be judged from these files: nothing is proved of them." in said
    assert "none of 1 promises was judged" in said
    told = run("verify", "release/public", "--json")
    assert (told.code, told.json["promised"], told.json["judged"]) == (1, 1, 0)
