"""``unlinkable collect``: what is handed in, what it costs, and what is learned from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

ASK = "randomized-response(values=[yes, no], truth=0.75)"
NOISE = "bayes-reconstruction(scale=20, distribution=uniform, low=0, high=100, bins=5)"


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    """Write what 400 people would say if they trusted whoever asks."""
    lines = [f"{i % 100},{'yes' if i % 4 == 0 else 'no'}" for i in range(400)]
    file = tmp_path / "survey.csv"
    file.write_text("\n".join(["age,smokes", *lines]) + "\n", encoding="utf-8")
    return file


def test_answers_are_randomized_and_estimated(run: Run, survey: Path, tmp_path: Path) -> None:
    before = survey.read_bytes()
    ran = run(
        "collect", "randomize", survey, "--column", "smokes", "--with", ASK, "--out", "out.csv",
        "--ledger", "ledger.json", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert ran.json["records"] == 400
    assert ran.json["column"] == "smokes"
    assert ran.json["epsilon"] == pytest.approx(1.0986, abs=1e-4)
    assert survey.read_bytes() == before
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["age", *(str(i % 100) for i in range(400))]
    event = json.loads((tmp_path / "ledger.json").read_text())["events"][0]
    assert event["mechanism"] == "randomized-response"
    found = run("collect", "reconstruct", "out.csv", "--column", "smokes", "--with", ASK, "--json")
    assert found.code == 0, found.err
    share = found.json["shares"][0]
    assert share["value"] == "yes"
    assert 0 < share["share"] < 0.5
    assert share["low"] < share["share"] < share["high"]


def test_numbers_are_randomized_and_reconstructed(run: Run, survey: Path) -> None:
    args = ["--column", "age", "--with", NOISE]
    ran = run("collect", "randomize", survey, *args, "--out", "out.csv", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["epsilon"] is None
    assert ran.json["ledger"] is None
    found = run("collect", "reconstruct", "out.csv", *args, "--json").json
    assert found["converged"]
    assert [interval["from"] for interval in found["intervals"]] == [0, 20, 40, 60, 80]
    assert sum(interval["share"] for interval in found["intervals"]) == pytest.approx(1)


def test_people_read_tables_on_standard_error(run: Run, survey: Path) -> None:
    told = run("collect", "randomize", survey, "-c", "smokes", "--with", ASK, "-o", "a.csv")
    assert (told.code, told.out) == (0, "")
    assert "400 values of smokes randomized" in told.err
    assert "epsilon = 1.099" in told.err
    assert "The other column is as before" in told.err
    shown = run("collect", "reconstruct", "a.csv", "-c", "smokes", "--with", ASK)
    assert (shown.code, shown.out) == (0, "")
    assert "Shares of smokes" in shown.err
    density = run("collect", "reconstruct", survey, "-c", "age", "--with", NOISE)
    assert "Distribution of age" in density.err
    assert "80 to 100" in density.err


def test_says_when_it_did_not_converge_or_was_widened(run: Run, survey: Path) -> None:
    few = "bayes-reconstruction(scale=5, distribution=uniform, low=0, high=50, bins=5, rounds=1)"
    ran = run("collect", "reconstruct", survey, "-c", "age", "--with", few)
    assert ran.code == 0
    assert "warning: it did not converge" in ran.err
    assert "warning: 5 intervals had to be added" in ran.err
    without = run("collect", "reconstruct", survey, "-c", "age", "--with",
                  "bayes-reconstruction(scale=5, resamples=0)")  # fmt: skip
    assert "Distribution of age" in without.err


def test_a_seed_repeats_chance_and_is_warned_of(run: Run, survey: Path, tmp_path: Path) -> None:
    made = []
    for name, seed in (("a.csv", 1), ("b.csv", 1), ("c.csv", 2)):
        args = ["-c", "smokes", "--with", ASK, "-o", name, "--seed", seed]
        ran = run("collect", "randomize", survey, *args)
        assert "with the seed, the noise can be removed" in ran.err
        made.append((tmp_path / name).read_text())
    assert made[0] == made[1] != made[2]
    quiet = run("collect", "randomize", survey, "-c", "smokes", "--with", ASK, "-o", "d.csv")
    assert "seed" not in quiet.err
    assert (tmp_path / "d.csv").read_text() not in made


def test_additive_noise_is_a_way_to_hand_in(run: Run, survey: Path) -> None:
    args = ["-c", "age", "--with", "additive-noise(scale=5)", "-o", "a.csv", "--json"]
    ran = run("collect", "randomize", survey, *args)
    assert ran.code == 0, ran.err
    assert ran.json["with"] == "additive-noise(scale=5)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-c", "smoke", "--with", ASK, "-o", "o.csv"], "did you mean 'smokes'"),
        (["-c", "smokes", "--with", "randomised-response", "-o", "o.csv"], "did you mean"),
        (["-c", "smokes", "--with", "randomized-response", "-o", "o.csv"], "needs a value for"),
        (["-c", "smokes", "--with", "k(", "-o", "o.csv"], "cannot read"),
        (["-c", "age", "--with", ASK, "-o", "o.csv"], "400 of 400 answers are missing or none"),
        (["-c", "smokes", "--with", NOISE, "-o", "o.csv"], "holds categories"),
        (["-c", "smokes", "--with", "mining-reconstructed", "-o", "o.csv"], "is no way to hand in"),
        (["-c", "age", "--with", NOISE, "-o", "o.csv", "--ledger", "l.json"], "has no price"),
        (
            ["-c", "smokes", "--with", ASK, "-o", "survey.csv"],
            "is not replaced",
        ),
        (["-c", "smokes", "--with", ASK, "-o", "there.csv"], "there.csv exists"),
        (["-c", "smokes", "--with", ASK, "-o", "x.csv", "--ledger", "x.csv"], "must be two files"),
        (["-c", "smokes", "--with", ASK, "-o", "o.doc"], "no format '.doc'"),
        (["-c", "smokes", "--with", ASK, "-o", "nowhere/o.csv"], "there is no folder"),
        (["-c", "smokes", "--with", ASK], "Missing option '--out'"),
    ],
)
def test_wrong_use_ends_with_2_and_writes_nothing(
    run: Run, survey: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "there.csv").write_text("a\n1\n", encoding="utf-8")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    ran = run("collect", "randomize", survey, *arguments, "--json")
    assert ran.code == 2
    assert message in ran.json["error"]
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_file_is_replaced_if_that_is_said(run: Run, survey: Path, tmp_path: Path) -> None:
    (tmp_path / "there.csv").write_text("a\n1\n", encoding="utf-8")
    args = ["-c", "smokes", "--with", ASK, "-o", "there.csv", "--overwrite"]
    assert run("collect", "randomize", survey, *args).code == 0
    assert (tmp_path / "there.csv").read_text().startswith("age,smokes")
    same = ["-c", "smokes", "--with", ASK, "-o", "survey.csv", "--overwrite"]
    assert run("collect", "randomize", survey, *same).code == 2


def test_reconstruct_refuses_what_does_not_say_how(run: Run, survey: Path) -> None:
    args = ["-c", "age", "--with", "mining-reconstructed", "--json"]
    ran = run("collect", "reconstruct", survey, *args)
    assert ran.code == 2
    assert "does not say how to take noise away" in ran.json["error"]


@pytest.mark.parametrize("verb", ["randomize", "reconstruct"])
def test_every_verb_explains_itself(run: Run, verb: str) -> None:
    ran = run("collect", verb, "--help")
    assert ran.code == 0
    assert "--with" in ran.out
