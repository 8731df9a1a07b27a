"""Values that mean nothing, wherever they stand, are refused in words."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.cli.conftest import ROLES, Run

HUGE = "9" * 4000

OPTIONS = ["-q", "age", "-s", "ill", "-o", "release"]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    rows = "".join(f"{30 + i % 3},{('flu', 'hiv')[i % 2]}\n" for i in range(12))
    (tmp_path / "people.csv").write_text("age,ill\n" + rows, encoding="utf-8")
    return tmp_path / "people.csv"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["-p", f"k-anonymity(k={HUGE})"], "k must be at most 9223372036854775807"),
        (["-p", f"t-closeness(t={HUGE})"], "t must be a number of at most 300 digits, got a num"),
        (
            ["-p", "k-anonymity(k=2)", "--metric", f"average-class-size(k={HUGE})"],
            "k must be at most 9223372036854775807",
        ),
    ],
)
def test_numbers_of_too_many_digits_are_refused(
    run: Run, people: Path, asked: list[str], words: str
) -> None:
    ran = run("anonymize", people, *OPTIONS, *asked)
    assert ran.code == 2
    assert words in ran.err
    assert HUGE not in ran.err


def test_a_bound_that_bounds_nothing_is_kept_and_told(run: Run, people: Path) -> None:
    ran = run("anonymize", people, *OPTIONS, "-p", "delta-disclosure(delta=1e5)")
    assert ran.code == 0, ran.err
    page = people.with_name("release") / "public" / "report.html"
    assert "e^1e+05" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("mask = 5", "mask = 9223372036854775808", "length must be at most 9223372036854775807"),
        ("mask = 5", "mask = 1000000000", "length must be at most 10000"),
        ('"patients.csv"', '"\\u0000"', "no file is called '\\x00'"),
        ('"patients.csv"', '"patients.csv", encoding = "\\u0000"', "there is no encoding"),
    ],
)
def test_fields_of_a_plan_that_mean_nothing_are_refused(
    run: Run, patients: Path, old: str, new: str, words: str
) -> None:
    assert old in ROLES
    patients.with_name("plan.toml").write_text(ROLES.replace(old, new), encoding="utf-8")
    ran = run("anonymize", "plan.toml", "--out", "release")
    assert ran.code == 2
    assert words in ran.err


@pytest.mark.parametrize(
    "values",
    [
        [timedelta(days=i) for i in range(4)],
        [bytes([255, i]) for i in range(4)],
        [[i] for i in range(4)],
        [{"a": i} for i in range(4)],
    ],
    ids=["duration", "binary", "list", "struct"],
)
@pytest.mark.parametrize("role", ["-q", "-s", "--insensitive", "--target"])
def test_columns_that_have_no_text_are_refused_before_the_search(
    run: Run, tmp_path: Path, values: list[Any], role: str
) -> None:
    frame = pl.DataFrame({"age": [30, 30, 31, 31], "odd": values})
    frame.write_parquet(tmp_path / "people.parquet")
    asked = ["-q", "age", role, "odd", "-p", "k-anonymity(k=2)", "--format", "parquet"]
    ran = run("anonymize", "people.parquet", *asked, "-o", "release")
    assert ran.code == 2
    assert "column 'odd' holds" in ran.err
    assert "turn it into one of these, or leave the column out" in ran.err
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize("taxonomy", ["flat", "auto"])
def test_numbers_beyond_63_bits_are_generalized_as_what_they_are(
    run: Run, tmp_path: Path, taxonomy: str
) -> None:
    large = pl.Series([2**63 + i for i in range(4)], dtype=pl.UInt64)
    pl.DataFrame({"amount": large, "ill": ["a", "b"] * 2}).write_parquet(tmp_path / "p.parquet")
    asked = ["-q", "amount", "-s", "ill", "-t", f"amount={taxonomy}", "-p", "k-anonymity(k=2)"]
    ran = run("anonymize", "p.parquet", *asked, "-o", "release")
    assert ran.code == 0, ran.err
    assert run("verify", "release").code == 0
    shown = pl.read_csv(tmp_path / "release" / "public" / "data.csv")["amount"].unique().to_list()
    ranges = [
        "[9223372036854775808-9223372036854775810)",
        "[9223372036854775810-9223372036854775812)",
    ]
    assert sorted(shown) == (["*"] if taxonomy == "flat" else ranges)


@pytest.mark.parametrize("option", ["--missing", "--encoding", "--separator", "--as"])
def test_bytes_that_are_no_characters_are_refused(run: Run, people: Path, option: str) -> None:
    ran = run("describe", people, option, "\udcff")
    assert ran.code == 2
    assert "something went wrong" not in ran.err
