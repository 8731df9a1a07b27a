"""Sample: how many groups of which size were drawn from a population."""

from __future__ import annotations

from typing import Self

import numpy as np
from attrs import define

from unlinkable.errors import ParameterError
from unlinkable.typing import CountArray

__all__ = ["Sample"]


@define(eq=False, frozen=True)
class Sample:
    """People drawn at random from a population, put together by how they look.

    Attributes
    ----------
    sizes, counts
        There are ``counts[i]`` groups of ``sizes[i]`` people; sizes rise.
    fraction
        The share of the population that was drawn.
    """

    sizes: CountArray
    counts: CountArray
    fraction: float

    @classmethod
    def of(cls, sizes: CountArray, fraction: float) -> Self:
        """Count groups by size; empty groups are nothing.

        Raises
        ------
        ParameterError
            If the fraction is no share.

        Examples
        --------
        >>> sample = Sample.of(np.array([3, 1, 0, 1]), 0.1)
        >>> sample.sizes.tolist(), sample.counts.tolist(), sample.n_population
        ([1, 3], [2, 1], 50)
        """
        if not 0 < fraction <= 1:
            raise ParameterError(f"fraction must lie in (0, 1], got {fraction}")
        by_size = np.bincount(sizes, minlength=1)
        by_size[0] = 0
        found = np.flatnonzero(by_size)
        return cls(found, by_size[found], float(fraction))

    @property
    def n_people(self) -> int:
        """Number of people who were drawn."""
        return int((self.sizes * self.counts).sum())

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return int(self.counts.sum())

    @property
    def n_population(self) -> int:
        """Number of people in the population, to the nearest whole number."""
        return max(round(self.n_people / self.fraction), self.n_people)

    def n_of_size(self, size: int) -> int:
        """Count the groups of one size."""
        return int(self.counts[self.sizes == size].sum())
