"""Values of the hospital table: diagnoses, occupations, towns and names, and their frequencies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unlinkable.examples._sampling import Knots, curve
from unlinkable.typing import FloatArray

__all__ = [
    "BLOCKS",
    "BRANCHES",
    "DIAGNOSES",
    "FAMILY_NAMES",
    "FEMALE_NAMES",
    "INSURANCES",
    "MALE_NAMES",
    "N_AGES",
    "PROFESSIONS",
    "TOWNS",
    "WARDS",
    "ZIP_CODES",
    "Block",
    "Branch",
    "Diagnosis",
    "Job",
    "Town",
    "branch_tree",
    "diagnosis_tree",
    "profession_weights",
    "zip_weights",
]


class Ages:
    """How often people of each age have a diagnosis, for typical shapes."""

    NEWBORN = ((0, 1), (1, 0))
    INFANTS = ((0, 4), (2, 1), (5, 0))
    CHILDREN = ((0, 2), (4, 4), (12, 2), (18, 1), (40, 0.2), (60, 0))
    YOUNG = ((8, 0), (15, 3), (28, 4), (45, 1.5), (70, 0.5), (95, 0))
    MOTHERS = ((15, 0), (20, 0.6), (26, 2.5), (33, 3), (40, 0.8), (47, 0))
    ADULTS = ((14, 0), (22, 2), (45, 4), (65, 2.5), (85, 0.6), (98, 0))
    ELDERLY = ((35, 0), (50, 1), (66, 3), (80, 3.5), (90, 1.2), (100, 0.05), (101, 0))
    AGED = ((55, 0), (68, 1), (80, 4), (90, 2.5), (100, 0.15), (101, 0))
    ENDS = ((0, 3), (4, 2), (10, 0.6), (50, 0.7), (70, 2), (84, 2.5), (97, 0.2), (101, 0))
    EVERYONE = ((0, 1), (20, 1.2), (50, 1.2), (75, 1.6), (95, 0.2), (101, 0))


class Season:
    """How often people are admitted on each day of the year."""

    STEADY = ((0, 1), (365, 1))
    WINTER = ((0, 2.4), (45, 2.6), (110, 0.9), (200, 0.4), (280, 0.9), (340, 1.9), (365, 2.4))
    SUMMER = ((0, 0.8), (100, 0.9), (200, 1.5), (300, 0.9), (365, 0.8))


class Diagnosis(NamedTuple):
    """A diagnosis: how common, at what ages; mean days, basic cost, risk of coming back (0-3)."""

    label: str
    weight: float
    ages: Knots
    days: float
    cost: float
    risk: float
    female: float = 0.5
    season: Knots = Season.STEADY
    is_planned: bool = False


class Block(NamedTuple):
    """Diagnoses of a kind, under a chapter; they share a ward."""

    chapter: str
    label: str
    ward: str
    diagnoses: tuple[Diagnosis, ...]
    comes_from_strain: bool = False
    is_accident: bool = False


D = Diagnosis
"""Short, so that a diagnosis fits a line."""

BLOCKS: tuple[Block, ...] = (
    Block("A-B Infections", "A00-A49 Bacteria and gut", "Infectious diseases", (
        D("A09 Gastroenteritis", 20, Ages.ENDS, 3.5, 900, 0.6, 0.52, Season.SUMMER),
        D("A15 Tuberculosis", 1, Ages.ADULTS, 15, 3500, 1.2, 0.38),
        D("A41 Sepsis", 9, Ages.ELDERLY, 12, 7200, 2.2, 0.46),
    )),
    Block("A-B Infections", "B00-B99 Viruses", "Infectious diseases", (
        D("B18 Chronic hepatitis", 1.6, Ages.ADULTS, 5, 2400, 1.4, 0.40),
        D("B20 HIV disease", 0.6, Ages.ADULTS, 9, 4300, 1.8, 0.24),
    )),
    Block("C Cancer", "C15-C39 Digestion and chest", "Oncology", (
        D("C18 Colon cancer", 7, Ages.ELDERLY, 10, 8200, 1.9, 0.46, is_planned=True),
        D("C25 Pancreatic cancer", 2, Ages.ELDERLY, 13, 9800, 2.5, 0.48, is_planned=True),
        D("C34 Lung cancer", 7, Ages.ELDERLY, 9, 7600, 2.4, 0.42, is_planned=True),
    )),
    Block("C Cancer", "C40-C80 Other organs", "Oncology", (
        D("C50 Breast cancer", 9, Ages.ELDERLY, 5, 6400, 1.5, 0.99, is_planned=True),
        D("C61 Prostate cancer", 7, Ages.ELDERLY, 6, 6600, 1.3, 0.0, is_planned=True),
        D("C69 Eye cancer", 0.2, Ages.ELDERLY, 6, 7900, 1.6, 0.5, is_planned=True),
        D("C74 Adrenal cancer", 0.12, Ages.ADULTS, 9, 9200, 2.2, 0.55, is_planned=True),
    )),
    Block("C Cancer", "C81-C96 Blood cancer", "Oncology", (
        D("C83 Lymphoma", 2.5, Ages.ELDERLY, 9, 9400, 2.1, 0.45, is_planned=True),
        D("C91 Leukaemia", 1.8, Ages.ENDS, 16, 14500, 2.6, 0.44),
    )),
    Block("E Metabolism", "E10-E14 Diabetes", "General medicine", (
        D("E10 Type 1 diabetes", 3.5, Ages.YOUNG, 6, 1700, 1.4, 0.47),
        D("E11 Type 2 diabetes", 13, Ages.ELDERLY, 8, 2200, 1.6, 0.46),
    )),
    Block("E Metabolism", "E15-E90 Weight and water", "General medicine", (
        D("E66 Obesity", 3, Ages.ADULTS, 5, 6100, 0.7, 0.70, is_planned=True),
        D("E86 Dehydration", 10, Ages.ENDS, 4, 800, 1.2, 0.57, Season.SUMMER),
    )),
    Block("F Mental health", "F10-F29 Addiction and psychosis", "Psychiatry", (
        D("F10 Alcohol dependence", 16, Ages.ADULTS, 9, 1200, 2.3, 0.28),
        D("F20 Schizophrenia", 6, Ages.YOUNG, 24, 2600, 2.4, 0.44),
    )),
    Block("F Mental health", "F30-F59 Mood and eating", "Psychiatry", (
        D("F32 Depression", 13, Ages.ADULTS, 26, 2400, 1.5, 0.62),
        D("F50 Eating disorder", 1.2, Ages.YOUNG, 34, 3900, 1.7, 0.92),
    )),
    Block("G-H Nerves and senses", "G00-G99 Nerves", "Neurology", (
        D("G20 Parkinson disease", 4, Ages.AGED, 11, 2600, 1.6, 0.42),
        D("G35 Multiple sclerosis", 3, Ages.YOUNG, 6, 3100, 1.5, 0.71),
        D("G40 Epilepsy", 8, Ages.ENDS, 5, 1500, 1.6, 0.46),
    )),
    Block("G-H Nerves and senses", "H00-H95 Eye and ear", "Eye and ear", (
        D("H25 Cataract", 11, Ages.AGED, 1.4, 1400, 0.2, 0.58, is_planned=True),
        D("H66 Ear infection", 5, Ages.CHILDREN, 2.5, 700, 0.4, 0.46, Season.WINTER),
    )),
    Block("I Circulation", "I10-I25 Pressure and heart vessels", "Cardiology", (
        D("I10 High blood pressure", 15, Ages.ELDERLY, 4, 1000, 0.8, 0.62),
        D("I20 Angina", 14, Ages.ELDERLY, 4, 3300, 1.2, 0.36),
        D("I21 Heart attack", 13, Ages.ELDERLY, 7, 6800, 1.6, 0.34),
        D("I25 Chronic heart disease", 11, Ages.ELDERLY, 4, 4100, 1.3, 0.28, is_planned=True),
    )),
    Block("I Circulation", "I26-I52 Heart rhythm and strength", "Cardiology", (
        D("I48 Atrial fibrillation", 19, Ages.ELDERLY, 4, 2600, 1.2, 0.47),
        D("I50 Heart failure", 27, Ages.AGED, 10, 3300, 2.6, 0.52),
    )),
    Block("I Circulation", "I60-I99 Other vessels", "Neurology", (
        D("I63 Stroke", 16, Ages.AGED, 12, 5200, 1.6, 0.48),
        D("I70 Narrowed arteries", 9, Ages.ELDERLY, 9, 5400, 1.7, 0.33, is_planned=True),
    )),
    Block("J Respiratory", "J00-J22 Airway infections", "Lung medicine", (
        D("J10 Influenza", 9, Ages.ENDS, 5, 1200, 0.8, 0.5, Season.WINTER),
        D("J18 Pneumonia", 22, Ages.ENDS, 9, 2700, 1.7, 0.45, Season.WINTER),
        D("J20 Acute bronchitis", 10, Ages.ENDS, 4, 900, 0.8, 0.47, Season.WINTER),
        D("J21 Bronchiolitis", 5, Ages.INFANTS, 4, 1300, 0.9, 0.42, Season.WINTER),
    )),
    Block("J Respiratory", "J30-J99 Chronic airway disease", "Lung medicine", (
        D("J35 Tonsil disease", 8, Ages.CHILDREN, 3, 1500, 0.4, 0.51, is_planned=True),
        D("J44 Chronic obstruction", 16, Ages.ELDERLY, 8, 2500, 2.4, 0.44, Season.WINTER),
        D("J45 Asthma", 5, Ages.YOUNG, 4, 1100, 1.2, 0.55, Season.WINTER),
    )),
    Block("K Digestion", "K20-K38 Stomach and appendix", "Abdominal surgery", (
        D("K25 Stomach ulcer", 4, Ages.ELDERLY, 6, 2300, 1.0, 0.44),
        D("K35 Appendicitis", 9, Ages.YOUNG, 4, 2700, 0.4, 0.46),
    )),
    Block("K Digestion", "K40-K93 Bowel, liver and bile", "Abdominal surgery", (
        D("K40 Groin hernia", 11, Ages.ADULTS, 2, 2100, 0.2, 0.11, is_planned=True),
        D("K57 Diverticular disease", 9, Ages.ELDERLY, 7, 2600, 1.2, 0.57),
        D("K70 Alcoholic liver disease", 4, Ages.ELDERLY, 11, 4100, 2.5, 0.27),
        D("K80 Gallstones", 15, Ages.ADULTS, 5, 3100, 0.6, 0.63),
    )),
    Block("M Bones and joints", "M00-M25 Joints", "Orthopaedics", (
        D("M16 Hip arthrosis", 12, Ages.ELDERLY, 9, 7600, 0.6, 0.58, is_planned=True),
        D("M17 Knee arthrosis", 12, Ages.ELDERLY, 8, 7300, 0.6, 0.63, is_planned=True),
    ), comes_from_strain=True),
    Block("M Bones and joints", "M40-M54 Back", "Orthopaedics", (
        D("M51 Slipped disc", 10, Ages.ADULTS, 6, 3400, 0.8, 0.46),
        D("M54 Back pain", 13, Ages.ADULTS, 6, 1100, 0.9, 0.56),
    ), comes_from_strain=True),
    Block("N Kidneys and bladder", "N00-N29 Kidneys", "Urology", (
        D("N18 Chronic kidney disease", 5, Ages.AGED, 9, 4700, 2.5, 0.43),
        D("N20 Kidney stones", 9, Ages.ADULTS, 3, 2000, 0.7, 0.33, Season.SUMMER),
    )),
    Block("N Kidneys and bladder", "N30-N51 Bladder and prostate", "Urology", (
        D("N39 Urinary infection", 13, Ages.AGED, 6, 1400, 1.3, 0.68),
        D("N40 Enlarged prostate", 7, Ages.ELDERLY, 5, 2900, 0.6, 0.0, is_planned=True),
    )),
    Block("O-P Birth", "O00-O99 Pregnancy and birth", "Maternity", (
        D("O80 Birth", 40, Ages.MOTHERS, 3, 2100, 0.2, 1.0),
        D("O82 Birth by caesarean", 18, Ages.MOTHERS, 5, 3900, 0.5, 1.0),
    )),
    Block("O-P Birth", "P00-P96 Newborns", "Newborn care", (
        D("P07 Premature birth", 5, Ages.NEWBORN, 22, 12500, 1.4, 0.47),
        D("P59 Newborn jaundice", 7, Ages.NEWBORN, 3, 900, 0.5, 0.46),
    )),
    Block("S-T Injuries", "S00-S99 Injuries of a part", "Trauma surgery", (
        D("S06 Concussion", 17, Ages.EVERYONE, 2.5, 900, 0.4, 0.43),
        D("S52 Forearm fracture", 11, Ages.EVERYONE, 3, 3000, 0.3, 0.55, Season.SUMMER),
        D("S72 Hip fracture", 14, Ages.AGED, 14, 7700, 1.5, 0.71),
        D("S82 Lower leg fracture", 11, Ages.ADULTS, 6, 4500, 0.5, 0.48),
    ), comes_from_strain=True, is_accident=True),
    Block("S-T Injuries", "T00-T98 Burns and allergy", "Trauma surgery", (
        D("T30 Burn", 1.5, Ages.EVERYONE, 10, 5600, 0.7, 0.37),
        D("T78 Allergic shock", 3, Ages.EVERYONE, 2, 900, 0.3, 0.51, Season.SUMMER),
    ), comes_from_strain=True, is_accident=True),
)  # fmt: skip
"""All blocks, in the order of codes."""

DIAGNOSES: tuple[Diagnosis, ...] = tuple(d for block in BLOCKS for d in block.diagnoses)
"""All diagnoses, in the order of codes."""

WARDS: tuple[str, ...] = tuple(block.ward for block in BLOCKS for _ in block.diagnoses)
"""The ward of each diagnosis."""


def diagnosis_tree() -> dict[str, object]:
    """Nest the diagnoses under their blocks, and these under their chapters."""
    tree: dict[str, dict[str, list[str]]] = {}
    for block in BLOCKS:
        tree.setdefault(block.chapter, {})[block.label] = [d.label for d in block.diagnoses]
    return dict(tree)


class Town(NamedTuple):
    """A town: its zip codes are the prefix and two digits, one per district."""

    prefix: str
    n_districts: int
    weight: float
    is_rural: bool


TOWNS: tuple[Town, ...] = (
    Town("041", 18, 34.0, False),
    Town("043", 10, 15.0, False),
    Town("047", 6, 7.0, True),
    Town("052", 3, 3.0, True),
    Town("213", 12, 20.0, False),
    Town("216", 5, 6.0, True),
    Town("228", 3, 2.5, True),
    Town("704", 8, 9.0, False),
    Town("709", 4, 3.5, True),
)
"""The hospital stands in the first; the others are smaller or further away."""

ZIP_CODES: tuple[str, ...] = tuple(
    f"{town.prefix}{1 + 3 * district:02d}" for town in TOWNS for district in range(town.n_districts)
)
"""All zip codes, in the order of towns and districts."""


def zip_weights(rural: float) -> FloatArray:
    """Weigh the zip codes for people who prefer the country ``rural`` times as much."""
    weights = []
    for town in TOWNS:
        # Districts of a town differ in size too: each is smaller than the one before.
        shares = 1.0 / np.sqrt(np.arange(1, town.n_districts + 1))
        attraction = town.weight * (rural if town.is_rural else 1.0)
        weights.append(attraction * shares / shares.sum())
    return np.concatenate(weights)


_MALE = """
Aldo Barun Corven Dario Edrin Farel Gorrim Hanno Ivar Joren Kelmo Lorin Maro Nevin Orlan Perrin
Quillo Rasto Sorel Tavin Ulmo Varro Wendel Yorick Zeno
"""

_FEMALE = """
Alenka Belisa Corinda Delia Elvane Fiora Gisela Hela Isaura Jovanka Kiria Liora Maritta Nolwa
Orsina Perla Quena Rosella Silvane Tamsa Ulrisa Velia Wilma Ysolde Zarina
"""

_FAMILY = """
Abelsund Arvenholt Barroway Bellwick Brandow Caldermoor Castelmar Dornfeld Drummel Eastvale
Elmgren Farrowin Fenmark Gallowen Grevin Halvarsen Harksen Ilmarin Jansel Jorvald Kaldorin
Kestrelby Lambrick Lindqvar Marloway Merrind Norvell Oakhursten Olanderby Pellin Prendermoor
Quistrand Ravensholt Rowanside Sandviken Selmerin Thornbyrne Tolvane Umberfield Vandermoor
Vargasund Westergan Winslomar Yarrowick Zellerin
"""

MALE_NAMES: tuple[str, ...] = tuple(_MALE.split())
"""Given names of men."""

FEMALE_NAMES: tuple[str, ...] = tuple(_FEMALE.split())
"""Given names of women."""

FAMILY_NAMES: tuple[str, ...] = tuple(_FAMILY.split())
"""Family names."""

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
