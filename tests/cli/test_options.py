"""Options: names, pairs and types, and the plan that they stand for."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.conftest import Run
from unlinkable.cli.options import Taxonomies, names
from unlinkable.errors import ParameterError

ODD = '"last, first",a=b,"say ""hi""",plain\n'


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    file = tmp_path / "odd.csv"
    rows = "".join(f'"N{i % 2}",{i % 2},q,p{i % 2}\n' for i in range(8))
    file.write_text(ODD + rows, encoding="utf-8")
    return file


@given(st.lists(st.text(min_size=1).filter(lambda name: name.strip())))
def test_any_name_can_be_given_in_quotes(listed: list[str]) -> None:
    quoted = ",".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in listed)
    assert names([quoted]) == listed


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["a,b", "c"], ["a", "b", "c"]),
        ([" a , b,, "], ["a", "b"]),
        (['5" tube,b'], ['5" tube', "b"]),
        (['"open', "b"], ['"open', "b"]),
        (['" a "'], [" a "]),
        (None, []),
    ],
)
def test_names_are_separated_by_commas(given: list[str] | None, expected: list[str]) -> None:
    assert names(given) == expected


def test_columns_with_odd_names_can_be_given(run: Run, odd: Path) -> None:
    ran = run(
        "anonymize", odd, "-q", '"last, first",a=b', "-q", 'say "hi"', "--others", "drop",
        "-t", "a=b=flat", "-t", "last, first=flat", "-p", "k-anonymity(k=2)", "-o", "r", "--json",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert set(ran.json["node"]) == {"last, first", "a=b", 'say "hi"'}


def test_the_longest_column_that_fits_gets_the_taxonomy() -> None:
    parts = Taxonomies(taxonomy=["a=b=flat", "a=auto"]).of(["a", "a=b"])
    assert parts == {"a=b": {"flat": True}, "a": {"auto": True}}


def test_types_are_how_to_read_the_table(run: Run, patients: Path) -> None:
    ran = run("describe", patients, "--as", "age=text,zip=integer", "--json")
    types = {c["name"]: c["type"] for c in ran.json["columns"]}
    assert (types["age"], types["zip"]) == ("category", "number")


@pytest.mark.parametrize(
    ("given", "message"),
    [("zip", "write it as COLUMN=VALUE"), ("zip=txt", "did you mean 'text'"), ("z=text", "'z'")],
)
def test_types_that_mean_nothing_are_refused(
    run: Run, patients: Path, given: str, message: str
) -> None:
    ran = run("describe", patients, "--as", given)
    assert ran.code == 2
    assert message in ran.err


def test_a_column_given_twice_is_refused(run: Run, patients: Path) -> None:
    ran = run("check", patients, "-q", "age,age", "-p", "k-anonymity(k=2)")
    assert ran.code == 2
    assert "'age' is given twice as quasi-identifier" in ran.err


def test_a_file_without_a_header_can_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("1,x\n1,x\n", encoding="utf-8")
    assert run("describe", "d.csv", "--no-header", "--json").json["records"] == 2


@pytest.mark.parametrize(
    "option", ["--separator=;", "--no-header", "--others=drop", "--as=age=text", "--missing=NA"]
)
def test_a_plan_is_not_overruled_in_silence(run: Run, patients: Path, option: str) -> None:
    run("describe", patients, "--plan", "plan.toml")
    ran = run("anonymize", "plan.toml", option)
    assert ran.code == 2
    assert "is a plan" in ran.err


def test_a_folder_of_taxonomies_that_is_not_there_is_refused() -> None:
    with pytest.raises(ParameterError, match="nowhere: no such folder"):
        Taxonomies(taxonomies=Path("nowhere")).of(["a"])


def test_a_plan_that_cannot_be_written_is_refused_before_the_table_is_read(run: Run) -> None:
    ran = run("describe", "nowhere.csv", "--plan", "no/folder/plan.toml")
    assert ran.code == 2
    assert f"there is no folder {Path('no/folder')}" in ran.err
