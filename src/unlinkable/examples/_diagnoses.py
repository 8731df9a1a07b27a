"""What the invented patients suffer from: diagnoses in blocks, blocks in chapters.

The codes are shaped like those of the ICD-10; the labels are everyday words. Each diagnosis has
its own ages, share of women, season, length and cost, so that the columns of the table hang
together as they do in a real hospital. The numbers are plausible, not measured.
"""

from __future__ import annotations

from typing import NamedTuple

from unlinkable.examples._sampling import Knots

__all__ = ["BLOCKS", "DIAGNOSES", "WARDS", "Block", "Diagnosis", "diagnosis_tree"]


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
