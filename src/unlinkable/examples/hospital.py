"""A hospital's patients: a table about invented people that behaves like a real one.

Trying out a privacy tool needs a table that looks like the ones worth protecting: with columns
that depend on each other, common and rare values, seasons and gaps. Nobody in this one exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from unlinkable.examples._hospital_values import (
    BLOCKS,
    BRANCHES,
    DIAGNOSES,
    FAMILY_NAMES,
    FEMALE_NAMES,
    INSURANCES,
    MALE_NAMES,
    N_AGES,
    PROFESSIONS,
    WARDS,
    ZIP_CODES,
    branch_tree,
    diagnosis_tree,
    profession_weights,
    zip_weights,
)
from unlinkable.examples._sampling import curve, draw, seeded
from unlinkable.typing import BoolArray, CodeArray, FloatArray

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "FIRST_DAY",
    "LAST_DAY",
    "Patients",
    "Stays",
    "admit",
    "hospital",
    "hospital_plan",
    "hospital_taxonomies",
    "treat",
]


def hospital(n: int = 10_000, seed: int = 0) -> pl.DataFrame:
    """Make up the stays of ``n`` patients in a hospital, one row each.

    The diagnosis comes first and much follows from it: sex and age, the ward, the season and
    the weekday of admission, the length and cost of the stay, the risk of coming back. Age and
    sex decide on the profession, and that on the insurance and the zip code. Some professions
    and insurances are missing.

    Parameters
    ----------
    n
        Number of patients.
    seed
        The same numbers give the same table.

    Returns
    -------
    polars.DataFrame
        ``patient_id``, ``name``, ``age``, ``sex``, ``zip``, ``admission_date``, ``profession``,
        ``insurance``, ``diagnosis``, ``ward``, ``length_of_stay`` (days), ``cost``,
        ``readmitted``.

    Raises
    ------
    ParameterError
        If ``n`` or ``seed`` is negative or no whole number.

    Examples
    --------
    >>> patients = hospital(1_000, seed=7)
    >>> patients.shape
    (1000, 13)
    >>> patients.equals(hospital(1_000, seed=7))
    True
    """
    rng = seeded(n, seed)
    patients = admit(rng, int(n))
    return _frame(rng, patients, treat(rng, patients))


def hospital_taxonomies() -> dict[str, object]:
    """Give the taxonomies of the hospital table, as they stand in a plan file.

    In a ``tree``, tables nest and the innermost lists hold the values of the column.

    Examples
    --------
    >>> taxonomies = hospital_taxonomies()
    >>> taxonomies["age"], taxonomies["sex"]
    ({'intervals': [5, 10, 20]}, {'flat': True})
    """
    return {
        "age": {"intervals": [5, 10, 20]},
        "sex": {"flat": True},
        "zip": {"mask": 5},
        "admission_date": {"dates": ["month", "quarter", "year"]},
        "profession": {"tree": branch_tree()},
        "insurance": {"flat": True},
        "diagnosis": {"tree": diagnosis_tree()},
    }


def hospital_plan(source: str) -> dict[str, object]:
    """Plan the release of a hospital table that was written to ``source``.

    Examples
    --------
    >>> plan = hospital_plan("patients.csv")
    >>> plan["data"], plan["method"]
    ({'source': 'patients.csv'}, {'name': 'optimal', 'suppression': 0.05})
    """
    roles = {
        "patient_id": "identifier",
        "name": "identifier",
        "age": "quasi-identifier",
        "sex": "quasi-identifier",
        "zip": "quasi-identifier",
        "admission_date": "quasi-identifier",
        "profession": "quasi-identifier",
        "insurance": "insensitive",
        "diagnosis": "sensitive",
        "ward": "insensitive",
        "length_of_stay": "insensitive",
        "cost": "insensitive",
        "readmitted": "target",
    }
    taxonomies = hospital_taxonomies()
    columns: dict[str, dict[str, object]] = {name: {"role": role} for name, role in roles.items()}
    for name, role in roles.items():
        if role in ("quasi-identifier", "sensitive"):
            columns[name]["taxonomy"] = taxonomies[name]
    return {
        "data": {"source": source},
        "columns": columns,
        "privacy": [
            {"model": "k-anonymity", "k": 5},
            {"model": "entropy-l-diversity", "l": 3, "sensitive": "diagnosis"},
        ],
        "method": {"name": "optimal", "suppression": 0.05},
        "utility": {"metric": "iloss"},
        "release": {
            "holder": "a hospital that does not exist",
            "recipient": "whoever tries this",
            "purpose": "to show what a release and its report look like",
            "approve": ["risk-before", "distribution:age"],
        },
    }


def _frame(rng: np.random.Generator, patients: Patients, stays: Stays) -> pl.DataFrame:
    """Put labels for codes, add the identifiers, and lose a few values."""
    import polars as pl

    n = len(patients.age)

    def label(values: Sequence[str], codes: CodeArray, lost: float = 0.0) -> pl.Series:
        """Look the codes up; a share of them is lost."""
        shown = np.where(rng.random(n) < lost, len(values), codes)
        return pl.Series([*values, None], dtype=pl.String).gather(shown.astype(np.uint32))

    numbers = pl.Series(rng.integers(1, 4, n).cumsum()).cast(pl.String).str.zfill(7)
    given = rng.integers(len(MALE_NAMES), size=n, dtype=np.int32)
    family = rng.integers(len(FAMILY_NAMES), size=n, dtype=np.int32)
    first_names = label(MALE_NAMES + FEMALE_NAMES, given + patients.sex * len(MALE_NAMES))
    admission = stays.admission + np.datetime64(FIRST_DAY, "D")
    return pl.DataFrame(
        {
            "patient_id": "P" + numbers,
            "name": first_names + " " + label(FAMILY_NAMES, family),
            "age": patients.age.astype(np.int64),
            "sex": label(("male", "female"), patients.sex),
            "zip": label(ZIP_CODES, patients.zip_code),
            "admission_date": pl.Series(admission).cast(pl.Date),
            "profession": label(PROFESSIONS, patients.profession, lost=0.02),
            "insurance": label(INSURANCES, patients.insurance, lost=0.01),
            "diagnosis": label([d.label for d in DIAGNOSES], patients.diagnosis),
            "ward": label(WARDS, patients.diagnosis),
            "length_of_stay": stays.days.astype(np.int64),
            "cost": stays.cost,
            "readmitted": label(("no", "yes"), stays.readmitted.astype(np.int32)),
        }
    )


FIRST_DAY, LAST_DAY = date(2022, 1, 1), date(2024, 12, 31)
"""Patients are admitted from the first to the last of these days."""

PLANNED_BY_WEEKDAY = (1.5, 1.4, 1.3, 1.2, 0.8, 0.1, 0.3)
"""When patients come who can choose, from Monday to Sunday."""

URGENT_BY_WEEKDAY = (1.15, 1.0, 1.0, 1.0, 1.05, 0.9, 0.9)
"""When patients come who cannot."""


@frozen(eq=False)
class Patients:
    """Who came and why, as codes; sex is 1 for women."""

    diagnosis: CodeArray
    sex: CodeArray
    age: CodeArray
    profession: CodeArray
    zip_code: CodeArray
    insurance: CodeArray


@frozen(eq=False)
class Stays:
    """What became of the patients; admission counts days from the first."""

    admission: CodeArray
    days: CodeArray
    cost: FloatArray
    readmitted: BoolArray


def admit(rng: np.random.Generator, n: int) -> Patients:
    """Draw ``n`` patients: the diagnosis first, then what goes with it."""
    common = np.array([[d.weight for d in DIAGNOSES]])
    diagnosis = draw(rng, common, np.zeros(n, np.int32))
    women = np.array([d.female for d in DIAGNOSES])
    sex = draw(rng, np.column_stack([1 - women, women]), diagnosis)
    age = draw(rng, np.array([curve(d.ages, N_AGES) for d in DIAGNOSES]), diagnosis)

    strained = _per_diagnosis([block.comes_from_strain for block in BLOCKS])[diagnosis]
    jobs = np.concatenate([profession_weights(manual=1.0), profession_weights(manual=2.5)])
    profession = draw(rng, jobs, (strained * 2 + sex) * np.int32(N_AGES) + age)

    branch = np.repeat(np.arange(len(BRANCHES), dtype=np.int32), [len(b.jobs) for b in BRANCHES])
    homes = np.array([zip_weights(b.rural) for b in BRANCHES])
    zip_code = draw(rng, homes, branch[profession])

    insured = np.array([b.insurance for b in BRANCHES], np.float64)
    at_work = np.array([b.sector != "Not in work" for b in BRANCHES])
    after_accident = insured.copy()
    after_accident[at_work, INSURANCES.index("Accident fund")] = 60
    accident = _per_diagnosis([block.is_accident for block in BLOCKS])[diagnosis]
    payers = np.concatenate([insured, after_accident])
    insurance = draw(rng, payers, branch[profession] + accident * np.int32(len(BRANCHES)))
    return Patients(diagnosis, sex, age, profession, zip_code, insurance)


def treat(rng: np.random.Generator, patients: Patients) -> Stays:
    """Draw what becomes of the patients."""
    n, diagnosis, age = len(patients.age), patients.diagnosis, patients.age
    admission = _admissions(rng, diagnosis)

    usual = np.array([d.days for d in DIAGNOSES])[diagnosis] * (0.7 + 0.008 * age)
    days = np.rint(usual * rng.gamma(3.0, 1 / 3, n)).clip(1, 180).astype(np.int32)

    basic = np.array([d.cost for d in DIAGNOSES])[diagnosis]
    dearer = np.where(patients.insurance == INSURANCES.index("Private"), 1.25, 1.0)
    cost = (basic + 420.0 * days) * dearer * np.exp(0.12 * rng.standard_normal(n))

    risk = np.array([d.risk for d in DIAGNOSES])[diagnosis]
    odds = np.exp(-4.6 + 0.85 * risk + 0.015 * age + 0.35 * np.log(days))
    return Stays(admission, days, cost.round(2), rng.random(n) < odds / (1 + odds))


def _admissions(rng: np.random.Generator, diagnosis: CodeArray) -> CodeArray:
    """Draw the days of admission by the season and the weekdays of each diagnosis."""
    days = np.arange(FIRST_DAY.toordinal(), LAST_DAY.toordinal() + 1)
    firsts = [date.fromordinal(d).replace(month=1, day=1).toordinal() for d in days.tolist()]
    rhythms = [(d.season, d.is_planned) for d in DIAGNOSES]
    kinds = list(dict.fromkeys(rhythms))
    weekdays = np.array([URGENT_BY_WEEKDAY, PLANNED_BY_WEEKDAY])
    weights = [
        curve(season, 366)[days - firsts] * weekdays[int(is_planned), (days - 1) % 7]
        for season, is_planned in kinds
    ]
    kind = np.array([kinds.index(rhythm) for rhythm in rhythms], np.int32)
    return draw(rng, np.array(weights), kind[diagnosis])


def _per_diagnosis(flags: Sequence[bool]) -> CodeArray:
    """Hand a flag of each block on to its diagnoses."""
    return np.repeat(np.array(flags, np.int32), [len(block.diagnoses) for block in BLOCKS])
