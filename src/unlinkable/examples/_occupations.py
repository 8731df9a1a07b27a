"""What the invented patients do for a living, and how they are insured.

What somebody does for a living depends on age and
sex; how somebody is insured depends on the branch of the profession.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unlinkable.examples._sampling import Knots, curve
from unlinkable.typing import FloatArray

__all__ = [
    "BRANCHES",
    "INSURANCES",
    "N_AGES",
    "PROFESSIONS",
    "Branch",
    "Job",
    "branch_tree",
    "profession_weights",
]

N_AGES = 101
"""Ages run from 0 to 100."""

INSURANCES: tuple[str, ...] = ("Statutory", "Private", "Civil service", "Accident fund", "Self-pay")
"""Kinds of insurance, in the order of the weights of a branch."""


class Job(NamedTuple):
    """A profession: how common, how many of those who have it are women, from which age."""

    label: str
    weight: float
    female: float = 0.5
    first_age: int = 18


class Branch(NamedTuple):
    """Professions of a kind, under a sector; how often its people live in the country."""

    sector: str
    label: str
    jobs: tuple[Job, ...]
    insurance: tuple[float, float, float, float, float] = (85, 10, 0, 0, 5)
    rural: float = 1.0


BRANCHES: tuple[Branch, ...] = (
    Branch("Not in work", "In education", (Job("Child", 1), Job("Pupil", 1), Job("Student", 1))),
    Branch(
        "Not in work",
        "Out of work life",
        (Job("Homemaker", 1), Job("Jobseeker", 1), Job("Retired", 1)),
        (88, 9, 0, 0, 3),
    ),
    Branch(
        "Manual work",
        "Construction",
        (
            Job("Bricklayer", 3, 0.02, 16),
            Job("Carpenter", 3, 0.05, 16),
            Job("Electrician", 3.5, 0.04, 16),
            Job("Painter", 2, 0.12, 16),
            Job("Plumber", 2.5, 0.03, 16),
        ),
        rural=1.6,
    ),
    Branch(
        "Manual work",
        "Farming and industry",
        (
            Job("Farmer", 3, 0.25, 16),
            Job("Gardener", 2, 0.35, 16),
            Job("Machinist", 4, 0.10, 16),
            Job("Mechanic", 3.5, 0.06, 16),
            Job("Welder", 1.5, 0.04, 16),
        ),
        rural=3.0,
    ),
    Branch(
        "Manual work",
        "Transport",
        (
            Job("Bus driver", 2, 0.15, 21),
            Job("Courier", 2, 0.15),
            Job("Lorry driver", 3, 0.04, 21),
            Job("Warehouse worker", 5, 0.30, 16),
        ),
        rural=1.4,
    ),
    Branch(
        "Service work",
        "Care and health",
        (
            Job("Carer", 6, 0.84, 17),
            Job("Doctor", 2, 0.48, 25),
            Job("Nurse", 6, 0.80, 17),
            Job("Pharmacist", 1, 0.70, 24),
            Job("Physiotherapist", 1.5, 0.68, 20),
        ),
        (78, 17, 1, 0, 4),
    ),
    Branch(
        "Service work",
        "Trade and hospitality",
        (
            Job("Cleaner", 5, 0.75),
            Job("Cook", 4, 0.40, 16),
            Job("Hairdresser", 2, 0.85, 16),
            Job("Shop assistant", 8, 0.70, 16),
            Job("Waiter", 3, 0.60, 16),
        ),
        (89, 3, 0, 0, 8),
    ),
    Branch(
        "Desk work",
        "Public service",
        (
            Job("Firefighter", 1, 0.06),
            Job("Lecturer", 1, 0.42, 26),
            Job("Librarian", 0.7, 0.75, 21),
            Job("Police officer", 2.5, 0.28, 19),
            Job("Teacher", 6, 0.72, 23),
        ),
        (25, 14, 60, 0, 1),
    ),
    Branch(
        "Desk work",
        "Office and law",
        (
            Job("Accountant", 4, 0.62, 19),
            Job("Clerk", 8, 0.68, 17),
            Job("Estate agent", 1, 0.45, 20),
            Job("Lawyer", 1.5, 0.42, 26),
        ),
        (70, 26, 1, 0, 3),
        0.7,
    ),
    Branch(
        "Desk work",
        "Technology",
        (
            Job("Engineer", 5, 0.18, 23),
            Job("Programmer", 4, 0.20, 19),
            Job("Scientist", 1.5, 0.42, 24),
            Job("Technician", 4, 0.15, 17),
        ),
        (68, 29, 1, 0, 2),
        0.6,
    ),
)
"""All branches; the first two are the stations of life without work."""

PROFESSIONS: tuple[str, ...] = tuple(job.label for branch in BRANCHES for job in branch.jobs)
"""All professions, in the order of branches."""

STATIONS: dict[str, tuple[Knots, Knots]] = {
    "Child": (((5, 1), (6, 0)),) * 2,
    "Pupil": (((5, 0), (6, 1), (15, 1), (16, 0.7), (18, 0.4), (19, 0)),) * 2,
    "Student": (((17, 0), (18, 0.2), (20, 0.4), (23, 0.4), (26, 0.15), (31, 0)),) * 2,
    "Homemaker": (
        ((18, 0), (30, 0.02), (66, 0.02), (67, 0)),
        ((18, 0), (28, 0.12), (45, 0.12), (66, 0.2), (67, 0)),
    ),
    "Jobseeker": (((17, 0), (20, 0.06), (60, 0.06), (66, 0.02), (67, 0)),) * 2,
    "Retired": (((50, 0), (58, 0.04), (62, 0.2), (66, 0.7), (67, 1)),) * 2,
}
"""Share of men and of women of an age at each station without work; all others work."""


def branch_tree() -> dict[str, object]:
    """Nest the professions under their branches, and these under their sectors."""
    tree: dict[str, dict[str, list[str]]] = {}
    for branch in BRANCHES:
        tree.setdefault(branch.sector, {})[branch.label] = [job.label for job in branch.jobs]
    return dict(tree)


def profession_weights(manual: float) -> FloatArray:
    """Weigh the professions by sex and age where manual work is ``manual`` times as frequent.

    Row ``sex * N_AGES + age``, with sex 0 for men and 1 for women; a column per profession.
    """
    ages = np.arange(N_AGES)
    weights = np.zeros((2, N_AGES, len(PROFESSIONS)))
    for sex in (0, 1):
        for label, curves in STATIONS.items():
            weights[sex, :, PROFESSIONS.index(label)] = curve(curves[sex], N_AGES)
        at_work = 1 - weights[sex].sum(axis=1)
        jobs = np.zeros((N_AGES, len(PROFESSIONS)))
        for branch in BRANCHES:
            factor = manual if branch.sector == "Manual work" else 1.0
            for job in branch.jobs:
                share = factor * job.weight * (job.female if sex else 1 - job.female)
                if job.label not in STATIONS:
                    jobs[:, PROFESSIONS.index(job.label)] = share * (ages >= job.first_age)
        weights[sex] += at_work[:, None] * jobs / np.maximum(jobs.sum(axis=1, keepdims=True), 1e-9)
    return weights.reshape(2 * N_AGES, -1).clip(min=0)
