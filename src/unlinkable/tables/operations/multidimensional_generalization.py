"""Multidimensional generalization: one function of all values of a record together.

References
----------
.. [1] K. LeFevre, D. J. DeWitt, R. Ramakrishnan. "Mondrian multidimensional k-anonymity." ICDE
   2006.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 3.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError
from unlinkable.tables.groups import number_rows
from unlinkable.tables.operations.base.operation import Scheme, as_texts
from unlinkable.tables.operations.base.recoding import Recoding
from unlinkable.tables.operations.shared.nodes import n_generalizations
from unlinkable.tables.taxonomies import read_range
from unlinkable.typing import CodeArray

__all__ = ["MultidimensionalGeneralization"]


def _as_regions(regions: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(region) for region in regions)


@frozen
class MultidimensionalGeneralization(Scheme):
    """Every record shows the first of several regions that it lies in.

    Records with the same values show the same, but records that share a value on one column may
    show different ones there, depending on their other values.

    Parameters
    ----------
    columns
        The columns that a region is made of.
    regions
        For each region what it shows on these columns, as it is published. If a record lies in
        several, the first of them counts.

    Guarantees
    ----------
    Records stay true. A value may be published beside one that covers it: see `overlaps`.

    Examples
    --------
    >>> from unlinkable.tables.operations import recode
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> people = as_table({"job": ["Engineer", "Engineer"], "sex": ["m", "f"]},
    ...     quasi=["job", "sex"], taxonomies={"job": jobs})
    >>> regions = [["Professional", "f"], ["Engineer", "*"]]
    >>> done = recode(people, [MultidimensionalGeneralization(["job", "sex"], regions)])
    >>> done.texts("job"), done.texts("sex")
    (['Engineer', 'Professional'], ['*', 'f'])
    """

    name: ClassVar[str] = "multidimensional-generalization"
    reference: ClassVar[str] = "LeFevre, DeWitt and Ramakrishnan 2006"

    columns: tuple[str, ...] = field(converter=as_texts)
    regions: tuple[tuple[str, ...], ...] = field(converter=_as_regions)

    @regions.validator
    def _fit_the_columns(self, attribute: object, value: tuple[tuple[str, ...], ...]) -> None:
        for region in value:
            if len(region) != len(self.columns):
                raise ParameterError(
                    f"a region has {len(region)} values, and there are {len(self.columns)} columns"
                )

    def apply(self, recoding: Recoding) -> Recoding:
        at = [recoding.at(name) for name in self.columns]
        lo, hi = np.zeros((2, len(self.regions), len(at)), np.int32)
        for i, region in enumerate(self.regions):
            for place, (j, text) in enumerate(zip(at, region, strict=True)):
                taxonomy = recoding.taxonomies[j]
                lo[i, place], hi[i, place] = read_range(taxonomy, text, recoding.columns[j])
        chosen = _first_covering(recoding.codes[:, at], lo, hi)
        if (chosen < 0).any():
            raise ParameterError(
                f"{int((chosen < 0).sum())} records lie in none of the regions: add one for them"
            )
        new_lo, new_hi = recoding.lo.copy(), recoding.hi.copy()
        new_lo[:, at] = np.minimum(new_lo[:, at], lo[chosen])
        new_hi[:, at] = np.maximum(new_hi[:, at], hi[chosen])
        return evolve(recoding, lo=new_lo, hi=new_hi)

    @classmethod
    def flaws(cls, recoding: Recoding) -> list[str]:
        found = []
        if not recoding.is_truthful:
            found.append("some records show ranges that do not hold their values")
        if not recoding.is_function_of_record():
            found.append("records with the same values show different ones")
        return found

    @classmethod
    def count(cls, recoding: Recoding) -> int:
        _, first = number_rows(recoding.codes)
        distinct = recoding.codes[first]
        return math.prod(
            math.prod(n_generalizations(taxonomy)[distinct[:, j]].tolist())
            for j, taxonomy in enumerate(recoding.taxonomies)
        )


def _first_covering(codes: CodeArray, lo: CodeArray, hi: CodeArray) -> CodeArray:
    """Find the first box that each row lies in; -1 if there is none."""
    chosen = np.full(len(codes), -1, np.int32)
    for i in reversed(range(len(lo))):
        chosen[((codes >= lo[i]) & (codes < hi[i])).all(axis=1)] = i
    return chosen
