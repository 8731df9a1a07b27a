"""Priors: how likely people of a kind have a value, known before anything is published.

A prior is a side table. Its columns ``value`` and ``p`` say how likely a value is, all others are
columns of the table and say for whom:

====== =========== =====
sex    value       p
====== =========== =====
male   lung cancer 0.1
female lung cancer 0.003
====== =========== =====

The values of these other columns are the *signature* of a person. A missing value is an empty cell.
"""

from __future__ import annotations

from typing import Self, TypeAlias

import numpy as np
from attrs import define

from unlinkable.errors import DataError
from unlinkable.params import exact
from unlinkable.tables.data import SideTable
from unlinkable.typing import BoolArray, Columns, FloatArray

__all__ = ["CHANCE", "VALUE", "Prior", "Signature"]

VALUE = "value"
"""The column of a prior with the value that somebody may have."""

CHANCE = "p"
"""The column of a prior with the probability of the value."""

_SLACK = 1e-9
"""Chances that add up to 1 may miss it by this much: they were rounded."""

Signature: TypeAlias = tuple[str | None, ...]
"""What somebody shows on the columns of a prior; None for a missing value."""


@define(eq=False, frozen=True)
class Prior:
    """How likely each value is for people of each signature.

    Attributes
    ----------
    name
        The side table.
    columns
        The columns that make up a signature.
    signatures, values
        What the prior speaks of.
    shares, others
        How likely each signature has each value, and how likely it has not; NaN where nothing is
        said.

    Examples
    --------
    >>> from unlinkable.tables.data.side import Side
    >>> side = Side.of({"us": {"sex": ["m", "f"], "value": ["flu", "flu"], "p": [0.1, 0.003]}})
    >>> prior = Prior.read(side.open("us"))
    >>> prior.columns, prior.shares.tolist(), prior.others.tolist()
    (('sex',), [[0.1], [0.003]], [[0.9], [0.997]])
    """

    name: str
    columns: Columns
    signatures: tuple[Signature, ...]
    values: Signature
    shares: FloatArray
    others: FloatArray

    @classmethod
    def read(cls, table: SideTable) -> Self:
        """Take a side table for a prior.

        Raises
        ------
        SchemaError
            If a column is missing.
        DataError
            If it says something twice, or nothing that can be true.
        """
        table.require(VALUE, CHANCE)
        columns = tuple(name for name in table.columns if name not in (VALUE, CHANCE))
        if not columns:
            raise DataError(
                f"prior {table.name!r} does not say whom it is about: beside {VALUE!r} and "
                f"{CHANCE!r}, it needs one or more columns of the table"
            )
        keys = list(zip(*(table.texts(name) for name in columns), strict=True))
        texts, chances = table.texts(VALUE), _chances(table)
        if len(set(zip(keys, texts, strict=True))) < len(keys):
            raise DataError(f"prior {table.name!r} says twice how likely somebody has a value")
        row_of = {key: i for i, key in enumerate(dict.fromkeys(keys))}
        place_of = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        shares = np.full((len(row_of), len(place_of)), np.nan)
        others = shares.copy()
        at = [row_of[key] for key in keys], [place_of[text] for text in texts]
        shares[at] = chances
        # Floats hardly know the difference of 1 and 0.9999999999.
        others[at] = [float(1 - exact(p)) for p in chances.tolist()]
        prior = cls(table.name, columns, tuple(row_of), tuple(place_of), shares, others)
        prior._refuse(np.nansum(shares, axis=1) > 1 + _SLACK, "more than 1", "correct it")
        return prior

    def refuse_less_than_all(self) -> None:
        """Refuse a prior whose chances do not add up to 1 for everybody.

        Raises
        ------
        DataError
            If they do not.
        """
        remedy = "say how likely every value is, or take one value at a time"
        self._refuse(np.nansum(self.shares, axis=1) < 1 - _SLACK, "less than 1", remedy)

    def describe(self, row: int) -> str:
        """Describe the quasi-identifier of a signature."""
        shown = zip(self.columns, self.signatures[row], strict=True)
        return ", ".join(f"{name} {text or 'missing'}" for name, text in shown)

    def _refuse(self, bad: BoolArray, how: str, remedy: str) -> None:
        if bad.any():
            raise DataError(
                f"the chances of prior {self.name!r} add up to {how} for {int(bad.sum())} of "
                f"{bad.size} signatures: {remedy}"
            )


def _chances(table: SideTable) -> FloatArray:
    chances = table.numbers(CHANCE)
    if not ((chances >= 0) & (chances <= 1)).all():
        raise DataError(
            f"column {CHANCE!r} of {table.name!r} must hold chances, from 0 to 1, and has "
            f"{chances.min():g} to {chances.max():g}"
        )
    return chances
