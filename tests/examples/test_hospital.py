"""The hospital table: it can be repeated, and its columns hang together.

The statistical checks compare shares or means on fixed seeds. Wherever they say "clearly", the
difference must exceed 6 standard errors, and the generator is built for at least 10: with a fresh
seed each check fails with a probability below 1e-4, and it fails surely if the effect is absent.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import numpy as np
import polars as pl
import pytest

from unlinkable.errors import ParameterError
from unlinkable.examples import hospital

KINDS = {
    "patient_id": pl.String,
    "name": pl.String,
    "age": pl.Int64,
    "sex": pl.String,
    "zip": pl.String,
    "admission_date": pl.Date,
    "profession": pl.String,
    "insurance": pl.String,
    "diagnosis": pl.String,
    "ward": pl.String,
    "length_of_stay": pl.Int64,
    "cost": pl.Float64,
    "readmitted": pl.String,
}


@pytest.fixture(scope="module")
def patients() -> pl.DataFrame:
    return hospital(100_000, seed=1)


def is_clearly_higher(frame: pl.DataFrame, value: pl.Expr, where: pl.Expr) -> bool:
    """Whether the mean of a value is higher where a condition holds, by 6 standard errors."""
    values = frame.select(value.cast(pl.Float64).alias("value"), where.alias("where"))
    inside = values.filter(pl.col("where"))["value"]
    outside = values.filter(~pl.col("where"))["value"]
    assert min(len(inside), len(outside)) > 100
    a, b = inside.to_numpy(), outside.to_numpy()
    error = np.sqrt(a.var() / len(a) + b.var() / len(b))
    return bool(a.mean() - b.mean() > 6 * error)


def chapter(letters: str) -> pl.Expr:
    return pl.col("diagnosis").str.slice(0, 1).is_in(list(letters))


def test_the_same_seed_gives_the_same_table() -> None:
    assert hospital(500, seed=3).equals(hospital(500, seed=3))
    assert hospital().equals(hospital(10_000, seed=0))


def test_another_seed_gives_another_table_in_every_column() -> None:
    one, other = hospital(500, seed=3), hospital(500, seed=4)
    assert [name for name in one.columns if one[name].equals(other[name])] == []


@pytest.mark.parametrize("n", [0, 1, 1_000])
def test_columns_and_their_types_do_not_depend_on_the_number_of_patients(n: int) -> None:
    frame = hospital(n)
    assert frame.height == n
    assert dict(frame.schema) == KINDS


def test_patients_have_unique_numbers_with_a_leading_letter(patients: pl.DataFrame) -> None:
    assert patients["patient_id"].is_unique().all()
    assert patients["patient_id"].str.contains(r"^P\d{7}$").all()


def test_zip_codes_are_five_digits_and_some_begin_with_zero(patients: pl.DataFrame) -> None:
    assert patients["zip"].str.contains(r"^\d{5}$").all()
    assert 20_000 < patients["zip"].str.starts_with("0").sum() < 80_000


def test_towns_differ_in_size(patients: pl.DataFrame) -> None:
    sizes = patients.group_by(pl.col("zip").str.slice(0, 3)).len()["len"].sort()
    assert len(sizes) == 9
    assert sizes[-1] > 5 * sizes[0]


def test_ages_and_dates_stay_within_bounds(patients: pl.DataFrame) -> None:
    assert patients["age"].min() == 0
    assert patients["age"].max() == 100
    years = patients["admission_date"].dt.year().unique().sort()
    assert years.to_list() == [2022, 2023, 2024]
    assert patients["length_of_stay"].min() == 1
    assert patients.select((pl.col("cost") > 0).all()).item()


def test_only_professions_and_insurances_are_missing_and_only_a_few(patients: pl.DataFrame) -> None:
    """Counts of 100,000 draws at 2 % and 1 %, within 8 standard errors: false alarm below 1e-14."""
    missing = {name: patients[name].null_count() for name in patients.columns}
    assert {name for name, count in missing.items() if count} == {"profession", "insurance"}
    assert abs(missing["profession"] - 2_000) < 8 * 45
    assert abs(missing["insurance"] - 1_000) < 8 * 32


def test_the_young_learn_and_the_old_are_retired(patients: pl.DataFrame) -> None:
    known = patients.drop_nulls("profession")

    def between(first: int, last: int) -> set[str]:
        return set(known.filter(pl.col("age").is_between(first, last))["profession"])

    assert between(0, 5) == {"Child"}
    assert between(6, 15) == {"Pupil"}
    assert between(67, 100) == {"Retired"}
    assert not between(19, 66) & {"Child", "Pupil"}
    assert known.filter(profession="Doctor")["age"].min() == 25
    assert known["profession"].n_unique() == 43


def test_the_ward_follows_from_the_diagnosis(patients: pl.DataFrame) -> None:
    pairs = patients.select("diagnosis", "ward").unique()
    assert len(pairs) == patients["diagnosis"].n_unique() > 60
    assert pairs["ward"].n_unique() > 10


def test_women_give_birth_men_have_a_prostate_and_names_tell_them_apart(
    patients: pl.DataFrame,
) -> None:
    assert set(patients.filter(chapter("O"))["sex"]) == {"female"}
    assert set(patients.filter(diagnosis="C61 Prostate cancer")["sex"]) == {"male"}
    given = patients.select("sex", pl.col("name").str.split(" ").list.first()).unique()
    assert given["name"].is_unique().all()


def test_rare_diseases_are_rare_but_there(patients: pl.DataFrame) -> None:
    """Poisson counts with means near 100, 30 and 20: each bound is passed by chance below 1e-5."""
    counts = dict(patients["diagnosis"].value_counts().iter_rows())
    assert 50 < counts["B20 HIV disease"] < 160
    assert 5 < counts["C69 Eye cancer"] < 70
    assert 2 < counts["C74 Adrenal cancer"] < 50
    assert counts["O80 Birth"] > 5_000


RURAL = ["047", "052", "216", "228", "709"]
HEAVY = ["Bricklayer", "Carpenter", "Electrician", "Plumber", "Farmer", "Machinist", "Mechanic"]
INFECTIONS = ["J10 Influenza", "J18 Pneumonia", "J20 Acute bronchitis"]
MONTH, WEEKDAY = pl.col("admission_date").dt.month(), pl.col("admission_date").dt.weekday()
AGE, STAY, COST = pl.col("age"), pl.col("length_of_stay"), pl.col("cost")
JOB, INSURANCE, RETURNS = pl.col("profession"), pl.col("insurance"), pl.col("readmitted") == "yes"
CLAIMS = {
    "airway infections come in winter": (
        MONTH.is_in([12, 1, 2]),
        pl.col("diagnosis").is_in(INFECTIONS),
    ),
    "planned stays begin on weekdays": (WEEKDAY <= 5, pl.col("ward") == "Oncology"),
    "diseases of the circulation come with age": (AGE, chapter("I")),
    "the old stay longer": (STAY, AGE > 80),
    "the mind takes its time to heal": (STAY, chapter("F")),
    "long stays cost more": (COST, STAY > 10),
    "cancer costs more": (COST, chapter("C")),
    "private patients pay more": (COST / (STAY + 4), INSURANCE == "Private"),
    "teachers are civil servants": (INSURANCE == "Civil service", JOB == "Teacher"),
    "the accident fund pays for injuries": (INSURANCE == "Accident fund", chapter("ST")),
    "farmers live in the country": (pl.col("zip").str.slice(0, 3).is_in(RURAL), JOB == "Farmer"),
    "most nurses are women": (pl.col("sex") == "female", JOB == "Nurse"),
    "the old come back": (RETURNS, AGE > 70),
    "heart failure comes back": (RETURNS, pl.col("diagnosis") == "I50 Heart failure"),
    "who stayed long comes back": (RETURNS, STAY > 14),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_columns_hang_together(patients: pl.DataFrame, claim: str) -> None:
    value, where = CLAIMS[claim]
    shown = patients.drop_nulls()
    assert is_clearly_higher(shown, value, where)
    shuffled = shown.with_columns(shown[name].shuffle(seed=i) for i, name in enumerate(KINDS))
    assert not is_clearly_higher(shuffled, value, where)


def test_heavy_work_wears_out_the_bones_of_men_of_working_age(patients: pl.DataFrame) -> None:
    men = patients.drop_nulls().filter(AGE.is_between(25, 60), sex="male")
    assert is_clearly_higher(men, JOB.is_in(HEAVY), chapter("MST"))


def test_within_a_diagnosis_age_still_lengthens_the_stay(patients: pl.DataFrame) -> None:
    pneumonia = patients.filter(diagnosis="J18 Pneumonia")
    assert is_clearly_higher(pneumonia, pl.col("length_of_stay"), pl.col("age") > 60)


def test_coming_back_is_the_exception_but_no_rarity(patients: pl.DataFrame) -> None:
    share = patients.select((pl.col("readmitted") == "yes").mean()).item()
    assert 0.1 < share < 0.2


def test_the_effort_in_python_does_not_grow_with_the_table() -> None:
    def n_calls(n: int) -> int:
        calls = 0

        def count(frame: FrameType, event: str, _: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        sys.setprofile(count)
        try:
            hospital(n)
        finally:
            sys.setprofile(None)
        return calls

    n_calls(10)  # the first call imports
    assert n_calls(100_000) == n_calls(1_000)


@pytest.mark.parametrize(
    ("n", "seed", "message"),
    [
        (-1, 0, "n must be at least 0, got -1"),
        (10, -3, "seed must be at least 0, got -3"),
        (2.5, 0, "n must be a whole number, got 2.5"),
        (True, 0, "n must be a whole number, got True"),
        (10, "x", "seed must be a whole number, got 'x'"),
    ],
)
def test_refuses_numbers_that_mean_nothing(n: Any, seed: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        hospital(n, seed)
