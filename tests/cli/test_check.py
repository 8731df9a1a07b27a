"""``unlinkable check``: documents, exit codes and messages."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests import cases
from tests.cli.conftest import Run


def write(file: Path, case: dict[str, list[object]]) -> Path:
    rows = [case["columns"], *case["rows"]]
    text = "\n".join(";".join(map(str, row)) for row in rows)  # type: ignore[call-overload]
    file.write_text(text + "\n", encoding="utf-8")
    return file


def test_table_2_4_is_3_anonymous_and_entropy_diverse_to_1_75(run: Run, tmp_path: Path) -> None:
    case = cases.load("book-ch02-ex2.7-entropy-l-diversity")["input"]
    given = case["table"]
    data = write(tmp_path / "published.csv", given)
    *quasi, sensitive = given["columns"]
    ran = run(
        "check", data, "--quasi", ",".join(quasi), "--sensitive", sensitive,
        "--privacy", "k-anonymity(k=3)", "--privacy", "entropy-l-diversity(l=1.7)", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    document = ran.json
    assert document["holds"]
    assert document["models"][0]["model"] == "k-anonymity(k=3)"
    assert document["models"][0]["achieved"] == {"k": 3}
    assert document["models"][0]["basis"] == "counted"
    assert document["models"][1]["achieved"]["l"] == pytest.approx(1.7548, abs=1e-4)


def test_a_broken_promise_ends_with_1_and_says_where(run: Run, patients: Path) -> None:
    ran = run("check", patients, "-q", "age,sex", "-p", "k-anonymity(k=2)", "--json")
    assert ran.code == 1
    model = ran.json["models"][0]
    assert not model["holds"]
    assert model["violating_groups"] == 40
    assert model["worst"]["records"] == 1
    assert set(model["worst"]["group"]) == {"age", "sex"}


def test_the_worst_group_is_shown_as_its_adversary_sees_it(run: Run, patients: Path) -> None:
    ran = run("check", patients, "-q", "age,sex", "-p", 'k-anonymity(k=21, qid=["sex"])', "--json")
    assert ran.code == 1
    assert ran.json["models"][0]["worst"] == {
        "group": {"sex": "f"},
        "records": 20,
        "why": "20 records here, and at least 21 must look alike",
    }


def test_people_read_a_table_on_standard_error(run: Run, patients: Path) -> None:
    ran = run("check", patients, "-q", "sex", "-p", "k-anonymity(k=2)")
    assert ran.code == 0
    assert ran.out == ""
    assert "k-anonymity(k=2)" in ran.err
    assert "holds" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-q", "age"], "nothing to check"),
        (["-q", "agee", "-p", "k-anonymity(k=2)"], "did you mean 'age'"),
        (["-q", "age", "-p", "k-anonymity(k=0)"], "k must be at least 1"),
        (["-q", "age", "-p", "k-anonimity(k=2)"], "did you mean 'k-anonymity'"),
        (["-q", "age", "-p", "k-anonymity(k=2"], "cannot read"),
        (["-q", "age", "-s", "age", "-p", "k-anonymity(k=2)"], "one role"),
        (["-p", "k-anonymity(k=2)"], "no column is a quasi-identifier"),
        (["-q", "age", "-p", "distinct-l-diversity(l=2)"], "sensitive"),
    ],
)
def test_wrong_use_ends_with_2_and_a_remedy(
    run: Run, patients: Path, arguments: list[str], message: str
) -> None:
    ran = run("check", patients, *arguments, "--json")
    assert ran.code == 2
    assert message in " ".join(ran.err.split())
    assert message in ran.json["error"]


def test_a_missing_file_is_named(run: Run) -> None:
    ran = run("check", "nowhere.csv", "-q", "a", "-p", "k-anonymity(k=2)")
    assert ran.code == 2
    assert "nowhere.csv" in ran.err
    assert "Traceback" not in ran.err


def test_a_guarded_value_that_nobody_has_is_warned_of(run: Run, patients: Path) -> None:
    promise = 'alpha-k-anonymity(alpha=0.9, k=1, values=["hvi"])'
    ran = run("check", patients, "-q", "sex", "-s", "disease", "-p", promise, "--json")
    assert "warning: alpha-k-anonymity" in ran.err
    assert "no value 'hvi'" in ran.err


def test_a_personalized_release_is_checked_again_by_the_command_of_its_page(
    run: Run, tmp_path: Path
) -> None:
    people = {
        "sex": ["f", "f", "f", "m", "m", "m"],
        "ill": ["hiv", "sars", "cut", "hiv", "hiv", "burn"],
        "minds": ["infection", None, None, "hiv", None, None],
    }
    pl.DataFrame(people).write_csv(tmp_path / "patients.csv")
    (tmp_path / "taxonomies").mkdir()
    lines = "hiv,infection,*\nsars,infection,*\ncut,injury,*\nburn,injury,*\n"
    (tmp_path / "taxonomies" / "ill.csv").write_text(lines, encoding="utf-8")
    told = ["-s", "ill", "--taxonomies", "taxonomies"]
    made = ["--guard", "minds", "-m", "greedy-personalized", "-p", "personalized-privacy(p=0.5)"]
    ran = run("anonymize", "patients.csv", "-q", "sex", *told, *made, "-o", "release", "--json")
    assert ran.code == 0, ran.err
    assert "infection" in (tmp_path / "release" / "public" / "data.csv").read_text("utf-8")
    file = ["release/public/data.csv", "--original", "patients.csv"]
    again = run(
        "check",
        *file,
        "-q",
        "sex",
        *told,
        "-p",
        'personalized-privacy(p=0.5, guard="minds")',
        "--json",
    )
    assert again.code == 0, again.err
    assert again.json["models"][0]["achieved"] == ran.json["models"][0]["achieved"]
