"""A hospital's patients: a table about invented people that behaves like a real one.

Trying out a privacy tool needs a table that looks like the ones worth protecting: with columns
that depend on each other, common and rare values, seasons and gaps. Nobody in this one exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from unlinkable.examples._diagnoses import DIAGNOSES, WARDS, diagnosis_tree
from unlinkable.examples._geography import ZIP_CODES
from unlinkable.examples._names import FAMILY_NAMES, FEMALE_NAMES, MALE_NAMES
from unlinkable.examples._occupations import INSURANCES, PROFESSIONS, branch_tree
from unlinkable.examples._sampling import seeded
from unlinkable.examples._simulation import FIRST_DAY, Patients, Stays, admit, treat
from unlinkable.typing import CodeArray

if TYPE_CHECKING:
    import polars as pl

__all__ = ["hospital", "hospital_plan", "hospital_taxonomies"]


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
