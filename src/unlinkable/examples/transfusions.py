"""Blood transfusions: a table of many columns about invented patients.

The case study that LKC-privacy was made for [1]_ is about the records of a blood transfusion
service: 41 columns that others may know, the blood group as the class, and 15 categories of
diagnoses that nobody may find out. That table is private. This one has its shape, and nobody in it
exists.

References
----------
.. [1] N. Mohammed, B. C. M. Fung, P. C. K. Hung, C. Lee. "Anonymizing healthcare data: a case
   study on the blood transfusion service." KDD 2009.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from unlinkable.examples._sampling import Knots, curve, draw, seeded
from unlinkable.typing import CodeArray, FloatArray

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "BLOOD_GROUPS",
    "COLUMNS",
    "DIAGNOSES",
    "GIVEN",
    "NEGATIVE",
    "NUMBERS",
    "ORIGIN",
    "RARE",
    "transfusions",
    "transfusions_taxonomies",
]


def transfusions(n: int = 10_000, seed: int = 0) -> pl.DataFrame:
    """Make up ``n`` blood transfusions, one row each.

    The diagnosis comes first, and traits of the patient go with it: age, how ill somebody is,
    whether there was an operation. Every other column leans on some of these traits. The blood
    group depends on the origin, and the blood that is given on the blood group; who has a rare one
    is treated elsewhere, with less.

    Parameters
    ----------
    n
        Number of transfusions.
    seed
        The same numbers give the same table.

    Returns
    -------
    polars.DataFrame
        41 columns that others may know, of which five are numbers, then ``blood_group`` of 8
        values and ``diagnosis`` of 15.

    Raises
    ------
    ParameterError
        If ``n`` or ``seed`` is negative or no whole number.

    Examples
    --------
    >>> given = transfusions(1_000, seed=7)
    >>> given.shape
    (1000, 43)
    >>> given.equals(transfusions(1_000, seed=7))
    True
    """
    import polars as pl

    rng = seeded(n, seed)
    common = np.array([[d.weight for d in DIAGNOSES]])
    diagnosis = draw(rng, common, np.zeros(int(n), np.int32))
    traits = _traits(rng, diagnosis)
    values, weights = zip(*leaves(ORIGIN.tree), strict=True)
    origin = _lean(rng, traits, np.array(weights), ORIGIN.leans)
    groups = np.array([*BLOOD_GROUPS.values()], np.float64).T
    group = draw(rng, groups, _branches(ORIGIN.tree)[origin])
    traits |= {"negative": _of(group, NEGATIVE), "rare": _of(group, RARE)}
    shown = {
        number.name: pl.Series(
            _lean(rng, traits, number.weights(), number.leans).astype(np.int64) * number.step
            + number.first
        )
        for number in NUMBERS
    }
    shown["origin"] = _labelled(values, origin)
    for column in COLUMNS:
        values, weights = zip(*leaves(column.tree), strict=True)
        codes = _lean(rng, traits, np.array(weights), column.leans)
        shown[column.name] = _labelled(values, codes)
    given = draw(rng, np.array([*GIVEN.values()], np.float64).T, group)
    shown["given"] = _labelled([*GIVEN], given)
    shown["blood_group"] = _labelled([*BLOOD_GROUPS], group)
    shown["diagnosis"] = _labelled([d.label for d in DIAGNOSES], diagnosis)
    return pl.DataFrame(shown)


def transfusions_taxonomies() -> dict[str, object]:
    """Give the taxonomies of the columns that others may know, as they stand in a plan file.

    Examples
    --------
    >>> taxonomies = transfusions_taxonomies()
    >>> len(taxonomies), taxonomies["units"], taxonomies["sex"]
    (41, {'intervals': [2, 4, 8]}, {'flat': True})
    """
    found: dict[str, object] = {n.name: {"intervals": [*n.intervals]} for n in NUMBERS}
    for column in (ORIGIN, *COLUMNS):
        is_flat = not any(isinstance(below, Mapping) for below in column.tree.values())
        found[column.name] = {"flat": True} if is_flat else {"tree": _labels(column.tree)}
    return {**found, "given": {"flat": True}}


def _labels(tree: Tree) -> dict[str, object]:
    """Nest the values of a tree in lists, without their weights."""
    return {label: [*below] for label, below in tree.items() if isinstance(below, Mapping)}


def _branches(tree: Tree) -> CodeArray:
    """Tell for each value of a tree below which branch it is."""
    sizes = [len(below) if isinstance(below, Mapping) else 1 for below in tree.values()]
    return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)


def _of(group: CodeArray, members: Sequence[str]) -> CodeArray:
    """Tell which blood groups are among some."""
    return np.array([name in members for name in BLOOD_GROUPS], np.int32)[group]


def _traits(rng: np.random.Generator, diagnosis: CodeArray) -> dict[str, CodeArray]:
    """Draw the traits of patients, by their diagnosis where it bears on them."""
    found = {}
    for name, levels in TRAITS.items():
        if name in ("negative", "rare"):
            continue
        pull = [[getattr(d, name, 0.0)] for d in DIAGNOSES]
        found[name] = draw(rng, np.exp(np.array(pull) * np.array([levels])), diagnosis)
    return found


def _lean(
    rng: np.random.Generator,
    traits: Mapping[str, CodeArray],
    weights: FloatArray,
    leans: Mapping[str, float],
) -> CodeArray:
    """Draw values that are as common as they weigh, tilted by the traits that they lean on."""
    kinds = np.zeros(len(next(iter(traits.values()))), np.int32)
    pull = np.zeros(1)
    for name, strength in leans.items():
        levels = TRAITS[name]
        kinds = kinds * np.int32(len(levels)) + traits[name]
        pull = np.add.outer(pull, strength * np.array(levels)).ravel()
    place = np.linspace(-0.5, 0.5, weights.size)
    return draw(rng, weights * np.exp(np.outer(pull, place)), kinds)


def _labelled(values: Sequence[str], codes: CodeArray) -> pl.Series:
    import polars as pl

    return pl.Series(values, dtype=pl.Enum(values)).gather(codes.astype(np.uint32))


__all__ += ["TRAITS", "Column", "Number", "leaves"]

Tree: TypeAlias = Mapping[str, float | Mapping[str, float]]
"""Values with how common they are, or such values under labels."""

TRAITS: Mapping[str, tuple[float, ...]] = {
    "age": (-1.5, -0.5, 0.0, 0.6, 1.2),
    "ill": (-1.0, 0.0, 1.0, 2.0),
    "poor": (-1.0, 0.0, 1.0),
    "woman": (-1.0, 1.0),
    "operated": (-1.0, 1.0),
    "blood": (-1.0, 1.0),
    "rural": (-1.0, 1.0),
    "far": (-1.0, 1.0),
    "negative": (-1.0, 1.0),
    "rare": (-1.0, 1.0),
}
"""Traits of a patient: the levels that each has, as numbers that lean on values. The last two come
from the blood group: its rhesus factor, and whether it is hard to find."""


class Column(NamedTuple):
    """A column of categories: a tree of weights, and how strongly each trait moves values."""

    name: str
    tree: Tree
    leans: Mapping[str, float]


class Number(NamedTuple):
    """A column of numbers: a curve of weights from its first to its last value, in steps."""

    name: str
    knots: Knots
    first: int
    step: int
    leans: Mapping[str, float]
    intervals: tuple[int, ...]

    def weights(self) -> FloatArray:
        """Read the curve at all numbers."""
        return curve(self.knots, int(self.knots[-1][0]) + 1)


class Diagnosis(NamedTuple):
    """A category of diagnoses: how common it is, and the traits of those who have it."""

    label: str
    weight: float
    age: float
    ill: float
    woman: float
    operated: float
    blood: float


def leaves(tree: Tree) -> Iterator[tuple[str, float]]:
    """Walk through the values of a tree with their weights."""
    for label, below in tree.items():
        if isinstance(below, Mapping):
            yield from below.items()
        else:
            yield label, below


D = Diagnosis
"""Short, so that a diagnosis fits a line."""

DIAGNOSES: tuple[Diagnosis, ...] = (
    D("Circulation", 13.5, 0.9, 0.3, -0.2, 0.3, -0.3),
    D("Cancer of organs", 12.0, 0.6, 0.5, 0.0, 0.3, 0.2),
    D("Digestion", 11.0, 0.3, 0.1, -0.1, 0.2, 0.0),
    D("Injuries", 10.0, -0.2, 0.2, -0.3, 0.6, -0.4),
    D("Blood and immunity", 8.5, 0.1, 0.3, 0.1, -0.9, 1.4),
    D("Bones and joints", 8.0, 0.7, -0.4, 0.3, 0.9, -0.5),
    D("Pregnancy and birth", 7.0, -1.0, -0.3, 2.5, 0.2, -0.3),
    D("Leukaemia and lymphoma", 6.5, 0.0, 0.9, -0.1, -0.9, 1.5),
    D("Kidneys and bladder", 6.0, 0.5, 0.2, -0.1, 0.0, 0.1),
    D("Airways", 5.0, 0.4, 0.4, -0.1, -0.3, -0.2),
    D("Infections", 4.0, 0.0, 0.6, 0.0, -0.5, 0.1),
    D("Liver", 3.0, 0.2, 0.7, -0.4, 0.0, 0.3),
    D("Metabolism", 2.5, 0.3, 0.0, 0.1, -0.3, 0.0),
    D("Newborns", 2.0, -1.8, 0.6, 0.0, -0.6, 0.3),
    D("Other", 1.0, 0.0, 0.0, 0.0, 0.0, 0.0),
)
"""The sensitive column, most common first."""

BLOOD_GROUPS: Mapping[str, tuple[float, ...]] = {
    "O+": (36, 42, 48, 45),
    "A+": (35, 26, 24, 20),
    "B+": (8, 24, 17, 22),
    "AB+": (3, 6, 4, 5),
    "O-": (7, 0.8, 4, 4),
    "A-": (7, 0.5, 2, 2),
    "B-": (2, 0.5, 0.8, 1.5),
    "AB-": (1, 0.2, 0.2, 0.5),
}
"""The class: how common each group is in people from the four parts of the world."""

NEGATIVE, RARE = ("O-", "A-", "B-", "AB-"), ("B+", "AB+", "B-", "AB-")
"""Groups without the rhesus factor, and groups for which blood is hard to find."""

NUMBERS: tuple[Number, ...] = (
    Number("age", ((0, 2), (3, 0.6), (18, 1), (40, 1.6), (70, 3.2), (85, 2), (99, 0.05)), 0, 1,
           {"age": 2.4}, (5, 10, 20, 40)),
    Number("haemoglobin", ((0, 0.1), (6, 2), (9, 4), (13, 2), (24, 0.1)), 40, 5,
           {"ill": -0.5, "blood": -0.5}, (10, 20, 40, 80)),
    Number("weight", ((0, 0.3), (6, 1), (13, 4), (18, 2), (28, 0.05)), 5, 5,
           {"age": 0.7, "woman": -0.5}, (10, 20, 40, 80)),
    Number("units", ((0, 6), (1, 9), (3, 3), (6, 1), (19, 0.05)), 1, 1,
           {"ill": 0.7, "operated": 0.4, "rare": -0.5}, (2, 4, 8)),
    Number("days_in_hospital", ((0, 3), (3, 5), (8, 3), (15, 1), (59, 0.02)), 1, 1,
           {"ill": 0.9, "age": 0.4}, (7, 14, 28)),
)  # fmt: skip
"""Columns of numbers."""


def _rare(name: str, share: float, **leans: float) -> Column:
    """Make a column of yes and no, of which yes is the rarer."""
    return Column(name, {"no": 1 - share, "yes": share}, leans)


ORIGIN = Column("origin", {
    "Here": {"City": 40, "Country": 26},
    "East": {"Near east": 8, "Far east": 9},
    "South": {"North of the desert": 5, "South of the desert": 4},
    "Overseas": {"Northern": 5, "Southern": 3},
}, {"poor": 0.3, "far": 2.2})  # fmt: skip
"""Where people come from: the branches are the parts of the world that blood groups go by."""

COLUMNS: tuple[Column, ...] = (
    Column("sex", {"male": 48, "female": 52}, {"woman": 6.0}),
    Column("region", {
        "North": {"Coast": 14, "Hills": 9, "Lakes": 6},
        "Centre": {"Capital": 26, "Plain": 12},
        "South": {"Valley": 15, "Mountains": 10, "Border": 8},
    }, {"rural": 0.6, "far": 0.5}),
    Column("marital_status", {
        "Alone": {"Single": 26, "Divorced": 11, "Widowed": 13},
        "Together": {"Married": 42, "Partner": 8},
    }, {"age": 0.4, "far": 0.4}),
    Column("education", {
        "School": {"Basic": 24, "Middle": 33}, "Higher": {"Vocational": 25, "University": 18},
    }, {"poor": -0.8}),
    Column("work", {
        "Working": {"Office": 16, "Manual": 13, "Service": 13},
        "Not working": {"Learning": 10, "At home": 10, "Retired": 38},
    }, {"age": 1.3}),
    Column("insurance", {"Statutory": 78, "Private": 14, "Other": 8}, {"poor": -0.5, "far": 0.4}),
    Column("housing", {"Own": 45, "Rented": 43, "Care home": 12}, {"poor": 0.6, "age": 0.3}),
    Column("smoking", {"Never": 55, "Formerly": 25, "Now": 20},
           {"poor": 0.3, "woman": -0.2, "far": 0.4}),
    Column("alcohol", {"None": 35, "Some": 52, "Much": 13}, {"woman": -0.4}),
    Column("language", {"First": 78, "Second": 15, "Other": 7}, {"poor": 0.2, "far": 2.0}),
    Column("hospital", {
        "University": {"Old campus": 22, "New campus": 18},
        "General": {"East side": 14, "West side": 12, "Harbour": 10},
        "Small": {"Hillside": 9, "Lakeside": 8, "Saint Mary": 7},
    }, {"rural": 0.7, "ill": -0.2, "rare": -0.7}),
    Column("ward", {
        "Surgical": {"General surgery": 20, "Orthopaedics": 12, "Heart surgery": 8},
        "Medical": {"Internal medicine": 24, "Oncology": 12, "Haematology": 9},
        "Other": {"Maternity": 7, "Emergency": 8},
    }, {"operated": -1.2, "blood": 0.3}),
    Column("admission", {"Planned": 48, "Emergency": 40, "Transfer": 12},
           {"ill": 0.5, "rare": 0.6}),
    Column("quarter", {
        "First half": {"Winter": 27, "Spring": 25}, "Second half": {"Summer": 23, "Autumn": 25},
    }, {}),
    Column("weekday", {
        "Weekdays": {"Early in the week": 31, "Midweek": 29, "Friday": 15},
        "Weekend": {"Saturday": 13, "Sunday": 12},
    }, {}),
    Column("shift", {"Day": 58, "Evening": 27, "Night": 15}, {"ill": 0.3}),
    Column("operation", {
        "None": {"No operation": 50},
        "Planned": {"Heart": 9, "Joint": 12, "Bowel": 10},
        "Urgent": {"Injury": 10, "Bleeding": 9},
    }, {"operated": 2.2}),
    Column("anaesthesia", {"None": 48, "Local": 12, "General": 40}, {"operated": 2.0}),
    Column("urgency", {"Routine": 60, "Urgent": 28, "At once": 12}, {"ill": 0.6}),
    Column("product", {
        "Red cells": {"Standard": 52, "Washed": 7},
        "Other": {"Plasma": 18, "Platelets": 17, "Several": 6},
    }, {"blood": 0.4, "ill": 0.3, "rare": 0.7}),
    Column("earlier_transfusions", {"None": 55, "Few": 28, "Many": 17}, {"blood": 0.9}),
    Column("pregnancies", {"None": 66, "One": 14, "More": 20}, {"woman": 1.4}),
    Column("antibodies", {"None": 88, "One": 9, "Several": 3}, {"blood": 0.3, "negative": 1.2}),
    Column("anticoagulant", {"None": 60, "Tablets": 22, "Injections": 18}, {"age": 0.5}),
    Column("platelets", {"Low": 22, "Normal": 66, "High": 12}, {"blood": -0.5}),
    Column("clotting", {"Normal": 72, "Slow": 20, "Very slow": 8}, {"ill": 0.4}),
    Column("iron", {"Low": 38, "Normal": 52, "High": 10}, {"woman": -0.3}),
    _rare("intensive_care", 0.22, ill=0.7, operated=0.2),
    _rare("ventilated", 0.13, ill=0.8),
    _rare("dialysis", 0.07, ill=0.4, age=0.2),
    _rare("irradiated", 0.14, blood=0.8),
    _rare("warmed", 0.11, operated=0.4),
    _rare("reaction", 0.04, blood=0.2, rare=0.3),
    _rare("iron_therapy", 0.24, woman=0.2),
)  # fmt: skip
"""Columns of categories, besides the origin and the group of the blood that was given."""

GIVEN: Mapping[str, tuple[float, ...]] = {
    "O": (97, 9, 10, 8, 97, 9, 10, 8),
    "A": (1, 89, 1, 14, 1, 89, 1, 14),
    "B": (1, 1, 88, 14, 1, 1, 88, 14),
    "AB": (1, 1, 1, 64, 1, 1, 1, 64),
}
"""The group of the blood that was given: how common it is for patients of each group."""
