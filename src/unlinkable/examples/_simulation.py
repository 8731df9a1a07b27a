"""The simulation behind the hospital table: who is admitted, when, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
from attrs import frozen

from unlinkable.examples._diagnoses import BLOCKS, DIAGNOSES
from unlinkable.examples._geography import zip_weights
from unlinkable.examples._occupations import BRANCHES, INSURANCES, N_AGES, profession_weights
from unlinkable.examples._sampling import curve, draw
from unlinkable.typing import BoolArray, CodeArray, FloatArray

__all__ = ["FIRST_DAY", "LAST_DAY", "Patients", "Stays", "admit", "treat"]

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
