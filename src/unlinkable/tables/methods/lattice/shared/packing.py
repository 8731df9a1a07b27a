"""Packing: the keys of groups as fields of bits in 64-bit words.

Every attribute has a field that is wide enough for its values, and so for the nodes of each of its
levels. Attributes share a word as long as they fit; any number of attributes of any size fits into
as many words as necessary.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from attrs import define, frozen
from numpy.typing import NDArray

from unlinkable.kernels.counting import append_code, find_keys, merge_equal
from unlinkable.typing import CodeArray, CountArray

__all__ = ["Field", "Packing", "Scratch"]

_WORD = 64
"""Bits in a word."""

Keys = NDArray[np.uint64]
"""``keys[w, g]`` is word w of what group g shows."""


@frozen
class Field:
    """The position of an attribute: which word, how far from its end, and how wide."""

    word: int
    shift: int
    mask: int


class Scratch:
    """Scratch memory for merging up to ``n`` keys: reused memory is faster than new memory."""

    def __init__(self, n: int) -> None:
        self._labels = np.empty(n, np.int32)
        self._distinct = np.empty(n, np.uint64)
        self._sums = np.empty(n, np.int64)
        self._slots = np.empty(1 << max(10, (4 * n).bit_length()), np.int32)

    def merge(
        self, keys: NDArray[np.uint64], sizes: CountArray
    ) -> tuple[CodeArray, NDArray[np.uint64], CountArray]:
        """Number the distinct keys and add up their sizes; valid until the next call."""
        labels = self._labels[: keys.size]
        n = merge_equal(keys, sizes, labels, self._distinct, self._sums, self._slots)
        return labels, self._distinct[:n], self._sums[:n]


@define(eq=False, frozen=True)
class Packing:
    """The fields of all attributes.

    Examples
    --------
    >>> packing = Packing.of([2, 100, 1 << 60])
    >>> packing.fields
    (Field(word=0, shift=7, mask=1), Field(word=0, shift=0, mask=127), Field(word=1, ...))
    >>> keys = packing.pack(np.array([[1, 99, 5], [1, 99, 5]], np.int32))
    >>> packing.merge(keys, np.array([3, 4]), Scratch(2))[2].tolist()
    [7]
    """

    fields: tuple[Field, ...]
    n_words: int

    @classmethod
    def of(cls, sizes: Sequence[int]) -> Self:
        """Make room for attributes with so many values."""
        bits = [max(size - 1, 0).bit_length() for size in sizes]
        words: list[list[int]] = [[]]
        for j, b in enumerate(bits):
            if sum(bits[i] for i in words[-1]) + b > _WORD:
                words.append([])
            words[-1].append(j)
        fields = []
        for w, inside in enumerate(words):
            shift = sum(bits[j] for j in inside)
            for j in inside:
                shift -= bits[j]
                fields.append(Field(w, shift, (1 << bits[j]) - 1))
        return cls(tuple(fields), len(words))

    def pack(self, rows: CodeArray) -> Keys:
        """Put every row of codes into its words."""
        keys = np.zeros((self.n_words, len(rows)), np.uint64)
        for j, field in enumerate(self.fields):
            append_code(keys[field.word], np.ascontiguousarray(rows[:, j]), field.mask + 1)
        return keys

    def codes(self, keys: Keys, column: int) -> CodeArray:
        """Take one attribute out of the words."""
        field = self.fields[column]
        word = keys[field.word] >> np.uint64(field.shift)
        codes: CodeArray = (word & np.uint64(field.mask)).astype(np.int32)
        return codes

    def merge(
        self, keys: Keys, sizes: CountArray, scratch: Scratch
    ) -> tuple[CodeArray, Keys, CountArray]:
        """Number the distinct keys as they appear, and add up their sizes.

        The numbers are in the scratch space, good until it is used again.
        """
        if self.n_words == 1:
            labels, distinct, sums = scratch.merge(keys[0], sizes)
            return labels, distinct[np.newaxis].copy(), sums.copy()
        joined = np.zeros(keys.shape[1], np.uint64)
        for word in keys:
            # Words are replaced by their numbers, of which there are fewer than 2^31, so the
            # product of two numbers fits into 64 bits however many words there are.
            inside, distinct, _ = scratch.merge(word, sizes)
            joined *= np.uint64(distinct.size)
            joined += inside.astype(np.uint64)
            labels, distinct, sums = scratch.merge(joined, sizes)
            joined = labels.astype(np.uint64)
        # Writing from the last to the first leaves the first position of every number.
        first = np.empty(distinct.size, np.int64)
        first[labels[::-1]] = np.arange(labels.size)[::-1]
        return labels, np.ascontiguousarray(keys[:, first]), sums.copy()

    def find(self, distinct: Keys, keys: Keys) -> CodeArray:
        """Tell where every key is among distinct ones, all of which occur."""
        if self.n_words == 1:
            labels: CodeArray = find_keys(distinct[0], keys[0])
            return labels
        # With several words the known keys come first, so their numbers are their positions.
        both = np.concatenate([distinct, keys], axis=1)
        n = both.shape[1]
        labels, _, _ = self.merge(both, np.zeros(n, np.int64), Scratch(n))
        return labels[distinct.shape[1] :]
