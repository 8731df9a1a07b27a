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

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from unlinkable.examples._sampling import draw, seeded
from unlinkable.examples._transfusion_columns import (
    BLOOD_GROUPS,
    COLUMNS,
    DIAGNOSES,
    GIVEN,
    NEGATIVE,
    NUMBERS,
    ORIGIN,
    RARE,
    TRAITS,
    Tree,
    leaves,
)
from unlinkable.typing import CodeArray, FloatArray

if TYPE_CHECKING:
    import polars as pl

__all__ = ["transfusions", "transfusions_taxonomies"]


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
