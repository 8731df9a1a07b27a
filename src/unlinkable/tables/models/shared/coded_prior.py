"""Coded priors: a prior in the codes of the groups that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import DataError
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.original_values_model import columns_of
from unlinkable.tables.models.shared.prior import Prior
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["CodedPrior"]


@define(eq=False, frozen=True)
class CodedPrior:
    """A prior, and where in it the signatures and values of a table are.

    Attributes
    ----------
    prior
        What is believed.
    row, place
        For every code of a signature its row in the prior, and for every code of a value that is
        asked about its column; -1 if there is none.
    codes
        What the codes mean.
    """

    prior: Prior
    row: CodeArray
    place: CodeArray
    codes: tuple[object, ...]

    @classmethod
    def of(
        cls, prior: Prior, seen: Histogram, hidden: Histogram, column: str, is_asked: BoolArray
    ) -> Self:
        """Look up the signatures of groups, and those of their values that are asked about.

        Raises
        ------
        DataError
            If the prior does not say what is asked.
        """
        row, place = _rows(prior, seen), _places(prior, hidden, is_asked)
        found, wanted = row[_occurring(seen)], place[_occurring(hidden) & is_asked]
        whom = ", ".join(map(repr, prior.columns))
        if (found < 0).any():
            raise DataError(
                f"prior {prior.name!r} says nothing of {int((found < 0).sum())} of {found.size} "
                f"combinations of {whom} that occur: add rows for them"
            )
        if (wanted < 0).any():
            raise DataError(
                f"prior {prior.name!r} says nothing of {int((wanted < 0).sum())} of {wanted.size} "
                f"values of {column!r}: add rows for them, or list the values that it is about"
            )
        if unsaid := int(np.isnan(prior.shares[np.ix_(np.unique(found), wanted)]).sum()):
            raise DataError(
                f"prior {prior.name!r} lacks {unsaid} pairs of {whom} and a value of {column!r}: "
                "add rows for them"
            )
        return cls(prior, row, place, _codes(seen, hidden))

    def fit(self, seen: Histogram, hidden: Histogram) -> bool:
        """Whether groups are coded like those that this was made for."""
        codes = _codes(seen, hidden)
        return len(codes) == len(self.codes) and all(map(_is, codes, self.codes))


def _is(one: object, other: object) -> bool:
    return one is other


def _codes(seen: Histogram, hidden: Histogram) -> tuple[object, ...]:
    """Give what the codes of histograms are made of: the same objects for all groups of a table."""
    return (seen.taxonomy, *(codes for _, codes in seen.parts), hidden.taxonomy)


def _rows(prior: Prior, seen: Histogram) -> CodeArray:
    """Find the row of every code of a signature."""
    parts = columns_of(seen)
    coded = [
        _codes_of(taxonomy.domain, [signature[i] for signature in prior.signatures])
        for i, (taxonomy, _) in enumerate(parts)
    ]
    row_of = {key: i for i, key in enumerate(zip(*coded, strict=True))}
    codes = zip(*(part.tolist() for _, part in parts), strict=True)
    return np.fromiter((row_of.get(key, -1) for key in codes), np.int32, seen.n_values)


def _places(prior: Prior, hidden: Histogram, is_asked: BoolArray) -> CodeArray:
    """Find the column of every code of a value that is asked about."""
    ((taxonomy, _),) = columns_of(hidden)
    place = np.full(hidden.n_values, -1, np.int32)
    for i, code in enumerate(_codes_of(taxonomy.domain, prior.values)):
        if code >= 0 and is_asked[code]:
            place[code] = i
    return place


def _occurring(counted: Histogram) -> BoolArray:
    occurs = np.zeros(counted.n_values, bool)
    occurs[counted.values] = True
    return occurs


def _codes_of(domain: Domain, texts: Sequence[str | None]) -> list[int]:
    """Find the codes of texts; -1 for those that the domain does not have."""
    return [_code_of(domain, text) for text in texts]


def _code_of(domain: Domain, text: str | None) -> int:
    if text is None:
        return domain.missing
    code = domain.code_of(text)
    if code >= 0 or domain.kind is not Kind.NUMBER:
        return code
    try:
        return domain.code_of(domain.text_of(float(text)))
    except ValueError:
        return -1
