"""``publish``, ``history``, and ``attack`` on several releases, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.conftest import Run
from unlinkable.release.verify import verify

PLAN = """
[data]
source = "january.csv"

[columns.pid]
role = "identifier"

[columns.age]
role = "quasi-identifier"

[columns.sex]
role = "quasi-identifier"

[columns.disease]
role = "sensitive"

[[privacy]]
model = "kc-anonymity"
k = 2
c = 0.5

[series]
policy = "incremental"
person = "pid"

[release]
out = "releases"
"""
PROMISED = '[[privacy]]\nmodel = "kc-anonymity"\nk = 2\nc = 0.5\n'
FEBRUARY = pl.DataFrame(
    {
        "pid": ["Tom", "Mike", "Bob", "Eve", "Alice", "Hank", "Sal"],
        "age": [21, 23, 52, 57, 27, 53, 59],
        "sex": ["m", "m", "m", "f", "f", "m", "f"],
        "disease": ["asthma", "flu", "alzheimer", "diabetes", "cancer", "hepatitis", "flu"],
    }
)


@pytest.fixture
def hospital(tmp_path: Path) -> Path:
    """Write a plan, and the patients of two months."""
    (tmp_path / "plan.toml").write_text(PLAN)
    FEBRUARY[:4].write_csv(tmp_path / "january.csv")
    FEBRUARY.write_csv(tmp_path / "february.csv")
    return tmp_path


def test_a_series_is_published_and_told(run: Run, hospital: Path) -> None:
    first = run("publish", "plan.toml", "--history", "h.db", "--recipient", "the ministry")
    assert first.code == 0, first.err
    assert "Release 1 published to the ministry: 4 records" in first.err
    assert "the ministry" in (hospital / "releases/001/public/report.html").read_text()
    tried = run(
        "publish", "plan.toml", "--history", "h.db", "--source", "february.csv", "--dry-run"
    )
    assert tried.code == 0, tried.err
    assert "Release 2 would be published (--dry-run) to everybody" in tried.err
    assert sorted(p.name for p in (hospital / "releases").iterdir()) == ["001"]
    second = run("publish", "plan.toml", "--history", "h.db", "--source", "february.csv", "--json")
    assert second.code == 0, second.err
    told = second.json
    assert (told["published"], told["number"], told["records"], told["new_people"]) == (
        True, 2, 7, 3,
    )  # fmt: skip
    assert {a["attack"].split("(")[0]: a["succeeded"] for a in told["attacks"]} == {
        "difference": 0, "intersection": 0, "record-tracing": 0, "critical-absence": 0,
    }  # fmt: skip
    assert told["bundle"] == "releases/002"
    assert verify(hospital / "releases" / "002").holds
    shown = run("history", "h.db", "--k", "2", "--limit", "1/2")
    assert shown.code == 0, shown.err
    assert "the ministry" in shown.err
    document = run("history", "h.db", "--json").json
    assert [r["records"] for r in document["releases"]] == [4, 7]
    assert document["attacks"]["succeeded"] is False


def test_a_starting_plan_goes_on_when_new_values_come_between(run: Run, tmp_path: Path) -> None:
    """With the method, the metric and the taxonomies that `describe` writes."""
    jobs = ["baker", "clerk", "dancer", "lawyer", "nurse", "pilot", "tailor", "usher", "writer"]
    late = ["actor", "cook", "judge", "miner", "zoologist"]
    people = pl.DataFrame(
        {
            "pid": [f"p{i}" for i in range(60)],
            "age": [20 + 7 * i % 41 for i in range(60)],
            "job": [jobs[i % 9] if i < 20 or i % 2 else late[i // 2 % 5] for i in range(60)],
            "disease": [["asthma", "flu", "cold", "gout"][i % 4] for i in range(60)],
        }
    )
    people[:20].write_csv(tmp_path / "patients.csv")
    assert run("describe", "patients.csv", "--plan", "plan.toml").code == 0
    plan = (tmp_path / "plan.toml").read_text()
    before, after = plan.split("[[privacy]]")[0], "[method]" + plan.split("[method]")[1]
    series = '[series]\npolicy = "incremental"\nperson = "pid"\n\n'
    (tmp_path / "plan.toml").write_text(before + PROMISED + series + after)
    for n in (20, 40, 60):
        people[:n].write_csv(tmp_path / "now.csv")
        told = run("publish", "plan.toml", "--history", "h.db", "--source", "now.csv")
        assert told.code == 0, told.err


def test_a_release_that_opens_a_channel_is_refused(run: Run, hospital: Path) -> None:
    run("publish", "plan.toml", "--history", "h.db")
    FEBRUARY[:5].write_csv(hospital / "one_more.csv")
    asked = ("publish", "plan.toml", "--history", "h.db", "--source", "one_more.csv")
    ran = run(*asked)
    assert ran.code == 1
    assert "refused:" in ran.err
    told = run(*asked, "--json")
    assert (told.code, told.json["published"]) == (1, False)
    assert len(run("history", "h.db", "--json").json["releases"]) == 1
    assert sorted(p.name for p in (hospital / "releases").iterdir()) == ["001"]


def test_releases_that_disregard_each_other_fall(run: Run, hospital: Path) -> None:
    for source in ("january.csv", "february.csv"):
        ran = run(
            "publish", "plan.toml", "--history", "h.db", "--source", source, "--policy",
            "incremental(strategy=static)",
        )  # fmt: skip
        assert ran.code == 0, ran.err
    attacked = run("attack", "difference(k=2)", "releases/001", "releases/002", "--json")
    assert attacked.code == 1, attacked.err
    assert attacked.json["succeeded"] > 0
    assert {v["who"]["person"] for v in attacked.json["victims"]} <= set(FEBRUARY["pid"])
    everything = run("attack", "--all", "releases/001", "releases/002", "--out", "found.md")
    assert everything.code == 1
    assert "difference" in (hospital / "found.md").read_text()
    assert not any(name in (hospital / "found.md").read_text() for name in FEBRUARY["pid"])
    assert run("history", "h.db").code == 1
    assert run("history", "h.db", "--no-attacks").code == 0


def test_tables_of_other_tools_are_attacked_together(run: Run, hospital: Path) -> None:
    for name, n in (("a.csv", 4), ("b.csv", 7)):
        FEBRUARY[:n].with_columns(age=pl.lit("*"), sex=pl.lit("*")).write_csv(hospital / name)
    asked = ("attack", "difference", "a.csv", "b.csv", "-q", "age,sex", "-s", "disease")
    assert run(*asked, "--person", "pid", "--limit", "1/2").code == 0
    without = run(*asked)
    assert without.code == 2
    assert "whose" in without.err


def test_nothing_was_published_yet(run: Run, hospital: Path) -> None:
    (hospital / "nothing.db").touch()
    ran = run("history", "nothing.db")
    assert (ran.code, "Nothing was published yet" in ran.err) == (0, True)
    assert run("history", "nothing.db", "--json").json == {"releases": [], "attacks": None}


def test_a_mistyped_history_is_no_good_news(run: Run, hospital: Path) -> None:
    ran = run("history", "histroy.db", "--limit", "1/2")
    assert (ran.code, "histroy.db: there is no such history" in ran.err) == (2, True)
    assert not (hospital / "histroy.db").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["publish", "plan.toml"], "--history"),
        (["publish", "plan.toml", "--history", "h.db", "--policy", "m-variance"], "no policy"),
        (["publish", "plan.toml", "--history", "h.db", "--person", "pit"], "no column 'pit'"),
        (["publish", "plan.toml", "--history", "no/h.db"], "there is no folder"),
        (["publish", "plan.toml", "--history", "plan.toml"], "it is no history; name another"),
        (
            ["publish", "plan.toml", "--history", "h.db", "--recipient", " "],
            "the recipient has no name",
        ),
        (["publish", "no.toml", "--history", "h.db"], "no.toml"),
        (["attack", "difference", "january.csv", "-q", "age"], "compares releases: give two"),
        (["attack", "skewness", "a", "b"], "there is no such bundle, plan or table"),
        (
            ["attack", "difference", "january.csv", "-q", "age", "--person", "pid"],
            "--person is for",
        ),
    ],
)
def test_wrong_use_is_told(run: Run, hospital: Path, arguments: list[str], message: str) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_a_plan_without_a_place_for_bundles_is_refused_before_anything_is_done(
    run: Run, hospital: Path
) -> None:
    (hospital / "plan.toml").write_text(PLAN.replace('out = "releases"', 'format = "csv"'))
    ran = run("publish", "plan.toml", "--history", "h.db")
    assert (ran.code, "say where the bundles go" in ran.err) == (2, True)
    assert not (hospital / "h.db").exists()
    assert run("publish", "plan.toml", "--history", "h.db", "--out", "here").code == 0
    assert (hospital / "here" / "001" / "public").is_dir()


def test_a_key_of_ones_own_is_needed_again(run: Run, hospital: Path) -> None:
    assert run("key", "mine.key", "--for", "pseudonyms").code == 0
    assert run("publish", "plan.toml", "--history", "h.db", "--key", "mine.key").code == 0
    without = run("publish", "plan.toml", "--history", "h.db", "--source", "february.csv")
    assert (without.code, "was begun with a key" in without.err) == (2, True)


def test_the_policies_are_listed(run: Run) -> None:
    listed = run("list", "policy", "--json").json
    assert [entry["name"] for entry in listed] == [
        "continuous", "hd-composition", "incremental", "m-invariance", "marginals",
        "multi-level-perturbation", "multiple-views", "sequential",
    ]  # fmt: skip


def test_a_policy_that_keeps_a_promise_of_its_own_needs_no_other(run: Run, hospital: Path) -> None:
    (hospital / "plan.toml").write_text(
        PLAN.replace(PROMISED, "")
        .replace('policy = "incremental"\nperson = "pid"\n', "")
        .replace('[columns.sex]\nrole = "quasi-identifier"', '[columns.sex]\nrole = "identifier"')
    )
    asked = ("publish", "plan.toml", "--history", "h.db")
    nothing = run(*asked, "--person", "pid")
    assert (nothing.code, "nothing is promised, and incremental" in nothing.err) == (2, True)
    how = ("--policy", "m-invariance(m=2)", "--person", "pid")
    assert run(*asked, "--source", "february.csv", *how).code == 0
    # As before: neither the plan nor the command says how.
    then = run(*asked, "--json")
    assert then.code == 0, then.err
    assert then.json["policy"] == "m-invariance(m=2)"
    n = then.json["told"]["counterfeits"]
    assert n > 0
    assert f"{4 + n} records, {n} of them made up, in" in run(*asked, "--dry-run").err
    kept = json.loads((hospital / "releases" / "001" / "private" / "provenance.json").read_text())
    assert kept["plan"]["series"] == {"policy": "m-invariance", "m": 2, "person": "pid"}


@pytest.mark.parametrize(
    "policy",
    ['hd-composition(l=2, permanent=["{}"])', 'sequential(y=["disease={}"])'],
)
def test_that_nobody_has_a_value_that_is_to_be_hidden_is_told(
    run: Run, hospital: Path, policy: str
) -> None:
    (hospital / "plan.toml").write_text(PLAN.replace(PROMISED, ""))
    asked = ("publish", "plan.toml", "--history", "h.db", "--dry-run", "--policy")
    mistyped = run(*asked, policy.format("astmah"))
    assert (mistyped.code, "warning: no value 'astmah' among 4" in mistyped.err) == (0, True)
    assert "did you mean 'asthma'?) of 'disease'" in mistyped.err
    assert run(*asked, policy.format("astmah"), "--json").json["unseen"][0].startswith("no value")
    right = run(*asked, policy.format("asthma"), "--json")
    assert right.json["unseen"] == [], right.err


def test_what_was_promised_cannot_be_taken_back(run: Run, hospital: Path) -> None:
    assert run("publish", "plan.toml", "--history", "h.db").code == 0
    (hospital / "less.toml").write_text(PLAN.replace("c = 0.5", "c = 0.9"))
    ran = run("publish", "less.toml", "--history", "h.db", "--source", "february.csv")
    assert (ran.code, "earlier releases promised at least 2 people" in ran.err) == (2, True)


@pytest.mark.parametrize("policy", ["incremental", "continuous"])
@pytest.mark.parametrize(
    ("column", "message"),
    [
        ('role = "insensitive"', "column 'pid' tells every record from all others"),
        ('role = "identifier"\ntreatment = "pseudonym"', "'pid' would be published as pseudonyms"),
    ],
)
def test_columns_that_link_records_are_refused(
    run: Run, hospital: Path, policy: str, column: str, message: str
) -> None:
    run("key", "mine.key", "--for", "pseudonyms")
    plan = PLAN.replace('role = "identifier"', column) + '\n[pseudonyms]\nkey = "mine.key"\n'
    (hospital / "plan.toml").write_text(plan)
    ran = run("publish", "plan.toml", "--history", "h.db", "--policy", policy)
    assert ran.code == 2
    assert message in ran.err


def test_that_nobody_is_recognized_is_told(run: Run, hospital: Path) -> None:
    asked = ("publish", "plan.toml", "--history", "h.db", "--policy", "m-invariance(m=2)")
    (hospital / "plan.toml").write_text(PLAN.replace(PROMISED, ""))
    assert run(*asked).code == 0
    FEBRUARY.with_columns(pl.col("pid").str.to_uppercase()).write_csv(hospital / "other.csv")
    ran = run(*asked, "--source", "other.csv")
    assert ran.code == 0, ran.err
    assert "warning: none of them was in an earlier release" in ran.err
    assert "nobody of them" not in run(*asked, "--source", "february.csv").err


def test_that_nothing_was_tried_is_told(run: Run, hospital: Path) -> None:
    how = "incremental(strategy=static)"
    static = ("publish", "plan.toml", "--history", "h.db", "--policy", how)
    run(*static)
    then = run(*static, "--source", "february.csv")
    assert "No attack was tried together with earlier releases" in then.err
    halves = ("releases/001/public", "releases/002/public")
    everything = run("attack", "--all", *halves)
    assert everything.code == 0
    assert "warning: No attack could be tried" in everything.err
    assert "Give bundles with their private halves" in run("attack", "difference", *halves).err


def test_what_was_not_published_is_told(run: Run, hospital: Path) -> None:
    eight = pl.DataFrame(
        {
            "pid": [*"abcdefgh"],
            "age": [22, 20, 21, 21, 26, 21, 25, 21],
            "sex": ["m"] * 8,
            "disease": [*"zwyzyxxy"],
        }
    )
    for name, n in (("january.csv", 4), ("february.csv", 8)):
        eight[:n].write_csv(hospital / name)
        found = run("publish", "plan.toml", "--history", "h.db", "--source", name)
        assert found.code == 0, found.err
    assert "with more detail was not published: correspondence would expose" in " ".join(
        found.err.split()
    )


def test_releases_are_attacked_as_they_were_to_withstand(run: Run, hospital: Path) -> None:
    for source in ("january.csv", "february.csv"):
        run("publish", "plan.toml", "--history", "h.db", "--source", source)
    tried = {a["attack"] for a in run("history", "h.db", "--json").json["attacks"]["attacks"]}
    assert {f'{n}(sensitive="disease")' for n in ("difference", "intersection")} <= tried
    looser = run("history", "h.db", "--json", "--k", "1", "--limit", "1").json["attacks"]["attacks"]
    assert 'difference(sensitive="disease", k=1, limit=1)' in {a["attack"] for a in looser}
    told = run("history", "h.db").err
    guarded = "difference, intersection, record-tracing, critical-absence"
    assert f"are protected against {guarded}, and no others" in told


def test_a_folder_is_no_history(run: Run, hospital: Path) -> None:
    folder = run("history", ".")
    assert (folder.code, "is a folder, and a history is a file" in folder.err) == (2, True)


@pytest.mark.parametrize("name", ["difference", "--all"])
def test_tables_that_no_attack_uses_are_refused(run: Run, hospital: Path, name: str) -> None:
    asked = ("attack", name, "january.csv", "february.csv", "-q", "age,sex", "-s", "disease")
    ran = run(*asked, "--external", "january.csv")
    assert (ran.code, "--external is of no use to" in ran.err) == (2, True)


def test_a_place_that_is_taken_is_found_before_the_search(run: Run, hospital: Path) -> None:
    (hospital / "releases" / "001").mkdir(parents=True)
    (hospital / "releases" / "001" / "note.txt").write_text("mine")
    ran = run("publish", "plan.toml", "--history", "h.db", "--dry-run")
    assert (ran.code, "holds something that is no bundle" in ran.err) == (2, True)


def test_a_release_of_a_series_is_not_explained_by_another_search(run: Run, hospital: Path) -> None:
    assert run("publish", "plan.toml", "--history", "h.db").code == 0
    ran = run("explain", "releases/001")
    assert (ran.code, "published by incremental as one of a series" in ran.err) == (2, True)
    assert run("attack", "--all", "releases/001", "--seconds", "0.1").code in (0, 1)
    told = run("report", "releases/001", "--json")
    assert told.code == 0, told.err


def test_it_is_told_of_how_many_people_nothing_is_known(
    hospital: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = "publish", hospital / "plan.toml", "--history", hospital / "h.db"
    later = *asked, "--source", hospital / "february.csv"
    assert run(*asked).code == 0
    assert "it is not known" not in run(*later, "--dry-run").err
    for name in ("WORLDS", "MORE_WORLDS"):
        monkeypatch.setattr(f"unlinkable.tables.series.membership_attacks.{name}", 1)
    told = run(*later)
    assert "warning: the confidence over all possible worlds is not known for 5 people" in told.err
    assert "Nobody of 7 people is known to fall. Of 5 it is not known" in told.err


def test_json_names_nobody_if_nobody_falls(hospital: Path, run: Run) -> None:
    asked = "publish", hospital / "plan.toml", "--history", hospital / "h.db", "--json"
    run(*asked)
    told = run(*asked, "--source", hospital / "february.csv")
    assert told.json["attacks"]
    assert not any(name in told.out for name in FEBRUARY["pid"])


def test_what_several_promises_find_alike_is_told_once(run: Run, hospital: Path) -> None:
    shown = PLAN.replace("kc-anonymity", "k-anonymity").replace("k = 2\nc = 0.5", "k = 1")
    (hospital / "shown.toml").write_text(shown.replace('"sensitive"', '"identifier"'))
    (hospital / "plan.toml").write_text(PLAN.replace(PROMISED, ""))
    how = ("--history", "h.db", "--source", "february.csv", "--person", "pid", "--policy")
    assert run("publish", "shown.toml", *how, "sequential").code == 0
    hidden = 'sequential(y=["disease=flu"], h=0.9)'
    assert run("publish", "plan.toml", *how, hidden).code == 0
    again = run("publish", "plan.toml", *how, hidden)
    assert (again.code, again.err.count("critical-absence")) == (0, 1), again.err
    FEBRUARY.vstack(
        pl.DataFrame({"pid": ["Zoe"], "age": [33], "sex": ["f"], "disease": ["flu"]})
    ).write_csv(hospital / "february.csv")
    refused = run("publish", "plan.toml", *how, hidden)
    assert (refused.code, refused.err.count("critical-absence finds")) == (1, 1)
    assert refused.err.count("Victims, highest confidence first") == 1
    told = run("history", "h.db").err
    assert told.count("Not tried: critical-absence:") == 1


def test_a_refusal_does_not_advise_what_is_refused_next(run: Run, hospital: Path) -> None:
    assert run("publish", "plan.toml", "--history", "h.db").code == 0
    FEBRUARY[1:].write_csv(hospital / "february.csv")
    gone = run("publish", "plan.toml", "--history", "h.db", "--source", "february.csv")
    assert (gone.code, "m-invariance, or hd-composition, from the first" in gone.err) == (2, True)
    FEBRUARY.with_columns(disease=pl.lit("flu")).write_csv(hospital / "february.csv")
    other = run("publish", "plan.toml", "--history", "h.db", "--source", "february.csv")
    assert (other.code, "use hd-composition from the first release on" in other.err) == (2, True)
