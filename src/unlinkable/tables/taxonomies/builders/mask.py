"""Mask: characters replaced by ``*``, one after the other.

References
----------
.. [1] C. C. Aggarwal. "Data Mining: The Textbook." Springer 2015. Figure 20.2 (zip codes whose
   levels keep 5, 3, 2, 1 and 0 digits).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
from attrs import field, frozen
from attrs.validators import and_
from numpy.typing import NDArray

from unlinkable.errors import ParameterError, TaxonomyError
from unlinkable.params import at_least, at_most
from unlinkable.tables.taxonomies.builders.base import (
    Observed,
    Step,
    TaxonomyBuilder,
    named,
    number_runs,
    stack,
)
from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.taxonomy import ANY, Edges, Taxonomy
from unlinkable.typing import CountArray

__all__ = ["Mask"]

_LONGEST = 10_000
"""Characters that values may have: texts beyond are no codes."""

_LONGEST_NUMBER = 18
"""Number of digits that every 64-bit number can have."""


def _as_lengths(keep: Iterable[int] | None) -> tuple[int, ...] | None:
    return None if keep is None else tuple(keep)


@frozen
class Mask(TaxonomyBuilder):
    """Replace characters by ``*`` from the right: ``13053``, ``1305*``, ``130**``, ... up to ``*``.

    Values shorter than ``length`` are thought of as filled up with blanks on the side that is
    masked first: on the level that keeps three characters, ``J45`` and ``J45.1`` are both
    ``J45**``, and on the level that keeps four, ``J45 *`` and ``J45.*``. Longer values are refused.

    A column of whole numbers is masked like zip codes that lost their leading zeros: 1234 is
    ``0123*`` if ``length`` is 5. Only from the right; otherwise turn the column into text.

    Parameters
    ----------
    length
        Number of characters of the longest value.
    left
        Whether to mask from the left: ``*3053``, ``**053``, ...
    keep
        How many characters each level keeps, falling; the values themselves (``length``) and the
        root (0) may be listed or not. One less on every level if not given.

    Raises
    ------
    TaxonomyError
        If a value is longer, or the column holds something that cannot be masked.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> zips = Mask(5, keep=(5, 3, 2, 1, 0)).build(observe("zip", ["10547", "10598", "90210"]))
    >>> [level.labels for level in zips.levels[1:]]
    [('105**', '902**'), ('10***', '90***'), ('1****', '9****'), ('*',)]
    """

    length: int = field(validator=and_(at_least(1), at_most(_LONGEST)))
    left: bool = False
    keep: tuple[int, ...] | None = field(default=None, converter=_as_lengths)

    def __attrs_post_init__(self) -> None:
        keep = self.keep
        if keep is None:
            return
        if any(not isinstance(n, int) or not 0 <= n <= self.length for n in keep):
            raise ParameterError(
                f"keep must list numbers of characters from 0 to {self.length}, got {list(keep)}"
            )
        if any(a <= b for a, b in pairwise(keep)):
            raise ParameterError(f"keep must fall from level to level, got {list(keep)}")

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many characters the levels between the values and the root keep."""
        lengths = range(self.length - 1, 0, -1) if self.keep is None else self.keep
        return tuple(n for n in lengths if 0 < n < self.length)

    def build(self, observed: Observed) -> Taxonomy:
        domain = observed.domain
        if domain.kind is Kind.CATEGORY or not domain.n_present:
            return self._mask_texts(observed)
        if domain.kind is Kind.NUMBER and not self.left:
            return self._mask_numbers(observed)
        advice = "turn it into text first"
        if domain.kind is Kind.DATE:
            advice = "use Dates"
        raise TaxonomyError(
            f"column {observed.name!r} holds {domain.kind.value}s, which cannot be masked"
            f"{' from the left' if self.left else ''}: {advice}"
        )

    def _mask_texts(self, observed: Observed) -> Taxonomy:
        values = observed.domain.values.astype(object)
        self._refuse_longer(observed.name, values.tolist())
        texts = np.array(values, dtype=f"U{self.length}")
        fill = np.char.rjust if self.left else np.char.ljust
        filled = fill(texts, self.length) if texts.size else texts
        letters = filled.astype(texts.dtype).view(np.uint32).reshape(-1, self.length)
        if self.left:
            letters = np.ascontiguousarray(letters[:, ::-1])
        order = np.argsort(letters.view(texts.dtype).ravel(), kind="stable")
        letters = letters[order]
        steps = []
        for n in self.lengths:
            blocks = number_runs(*letters[:, :n].T)
            first = letters[np.flatnonzero(np.diff(blocks, prepend=-1)), :n]
            steps.append(Step(blocks, self._labels(first)))
        domain = Domain(Kind.CATEGORY, values[order], observed.domain.has_missing)
        return stack(observed.name, domain, steps)

    def _labels(self, letters: NDArray[np.uint32]) -> tuple[str, ...]:
        n = letters.shape[1]
        stars = ANY * (self.length - n)
        kept = np.ascontiguousarray(letters[:, ::-1] if self.left else letters).view(f"U{n}")
        texts = kept.ravel().tolist()
        return tuple(stars + text if self.left else text + stars for text in texts)

    def _mask_numbers(self, observed: Observed) -> Taxonomy:
        values = observed.domain.values
        if values[0] < 0 or (values != np.floor(values)).any() or self.length > _LONGEST_NUMBER:
            raise TaxonomyError(
                f"column {observed.name!r} cannot be masked as numbers, which must be whole, not "
                f"negative, and of at most {_LONGEST_NUMBER} digits: turn it into text, or use "
                "Intervals"
            )
        self._refuse_longer(observed.name, [str(int(v)) for v in values[-3:].tolist()])
        steps = []
        for n in self.lengths:
            width = 10 ** (self.length - n)
            digits: CountArray = values.astype(np.int64) // width
            blocks = number_runs(digits)
            kept = digits[np.flatnonzero(np.diff(blocks, prepend=-1))]
            stars = ANY * (self.length - n)
            labels = tuple(f"{d:0{n}d}{stars}" for d in kept.tolist())
            steps.append(Step(blocks, labels, Edges(kept * width, (kept + 1) * width)))
        return stack(observed.name, observed.domain, steps)

    def _refuse_longer(self, name: str, texts: list[str]) -> None:
        if longer := [text for text in texts if len(text) > self.length]:
            longest = max(map(len, longer))
            raise TaxonomyError(
                f"column {name!r} has values longer than {self.length} characters: "
                f"{named(longer)}: mask {longest}, or correct them"
            )
