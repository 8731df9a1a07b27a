"""Given distances: the earth mover's distance over any ground distance that somebody knows.

Experts can say that two stomach diseases are nearer to each other than to a broken leg. The least
work of turning one distribution into another is then a transport problem [1]_.

References
----------
.. [1] N. Li, T. Li, S. Venkatasubramanian. "t-closeness: privacy beyond k-anonymity and
   l-diversity." ICDE 2007. Section 4.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Self

import numpy as np
from attrs import define
from numpy.typing import DTypeLike, NDArray

from unlinkable.errors import DataError
from unlinkable.kernels.distributions import transport, transport_of_any_size
from unlinkable.params import exact
from unlinkable.tables.data import SideTable
from unlinkable.tables.groups import Histogram
from unlinkable.tables.models.shared.distribution_distance import WIDEST, Reference, as_numbers
from unlinkable.tables.models.shared.earth_mover import EarthMover
from unlinkable.tables.taxonomies import Domain, Kind
from unlinkable.typing import BoolArray, CountArray

__all__ = ["GivenDistances", "GivenGround"]

Amounts = NDArray[Any]


@define(eq=False, frozen=True)
class GivenDistances:
    """How far apart values are, as a side table says.

    The side table has the columns ``from``, ``to`` and ``distance``, and a row for every pair of
    values, in either order. An empty value stands for a missing one. If no row has it, a missing
    value is as far from every other as the two that are furthest apart.

    Attributes
    ----------
    name
        What the side table is called.
    pairs
        The distances. The texts of a pair are in order.

    Examples
    --------
    >>> import polars as pl
    >>> rows = pl.DataFrame({"from": ["flu", "flu", "cold"], "to": ["cold", "hiv", "hiv"],
    ...     "distance": [0.1, 1, 1]})
    >>> GivenDistances.read(SideTable("near.csv", rows)).pairs["cold", "flu"]
    Fraction(1, 10)
    """

    name: str
    pairs: Mapping[tuple[str, str], Fraction]

    @classmethod
    def read(cls, table: SideTable) -> Self:
        """Read a side table.

        Raises
        ------
        SchemaError
            If it has not the three columns.
        DataError
            If a distance is no number, is less than 0, or contradicts another one.
        """
        table.require("from", "to", "distance")
        pairs: dict[tuple[str, str], Fraction] = {}
        ends = zip(table.texts("from"), table.texts("to"), strict=True)
        for (a, b), number in zip(ends, table.numbers("distance").tolist(), strict=True):
            pair = (min(a or "", b or ""), max(a or "", b or ""))
            far = exact(number)
            if far < 0:
                raise DataError(f"a distance in {table.name!r} is less than 0: {far}")
            if far and pair[0] == pair[1]:
                raise DataError(f"a value in {table.name!r} is {far} away from itself, not 0")
            if pairs.setdefault(pair, far) != far:
                raise DataError(
                    f"{table.name!r} has two distances, {pairs[pair]} and {far}, for the same two "
                    "values: the way back is as long, so give each pair once"
                )
        return cls(table.name, pairs)

    def ground(self, column: str, domain: Domain, whole: CountArray) -> GivenGround:
        """Lay the distances between the values that occur in a column out as a matrix.

        Raises
        ------
        DataError
            If a distance is missing.
        """
        return _ground(self, column, domain, (whole > 0).tobytes())

    def between(self, domain: Domain) -> Iterator[tuple[int, int, Fraction]]:
        """Yield the pairs of codes of a column whose distance is known."""
        code = {text: _code(domain, text) for pair in self.pairs for text in pair}
        for (a, b), far in self.pairs.items():
            if code[a] >= 0 and code[b] >= 0:
                yield code[a], code[b], far

    @property
    def furthest(self) -> Fraction:
        """The greatest distance."""
        return max(self.pairs.values(), default=Fraction(0))


@define(eq=False, frozen=True)
class GivenGround(EarthMover):
    """Two values are as far apart as is given, or as the shortest way over others is.

    Attributes
    ----------
    occurs
        For every code whether it has a row in the matrix.
    costs
        The distances between the codes that do, in whole numbers.
    unit
        What these are divided by.
    """

    occurs: BoolArray
    costs: Amounts
    unit: int

    @property
    def most(self) -> int:
        # Ways lead over as many values as there are, and are examined from both ends.
        return 4 * len(self.costs) * int(self.costs.max(initial=1))

    @property
    def furthest(self) -> float:
        return float(Fraction(int(self.costs.max(initial=0)), self.unit))

    def work(
        self, hidden: Histogram, sizes: CountArray, others: Reference, dtype: DTypeLike
    ) -> Amounts:
        is_plain = dtype is object or others.most(sizes) >= WIDEST
        rows, whole, totals = as_numbers(object if is_plain else np.int64, hidden, sizes, others)
        where = (np.cumsum(self.occurs) - 1, whole[:, self.occurs], totals, others.which)
        if is_plain:
            return transport_of_any_size(*rows, *where, self.costs, math.inf)
        endless = WIDEST if dtype is np.int64 else math.inf
        return transport(*rows, *where, self.costs.astype(dtype), endless)


@lru_cache(maxsize=32)
def _ground(given: GivenDistances, column: str, domain: Domain, occurs: bytes) -> GivenGround:
    there: BoolArray = np.frombuffer(occurs, bool)
    far = np.full((domain.n, domain.n), -1, object)
    np.fill_diagonal(far, 0)
    for a, b, distance in given.between(domain):
        far[a, b] = far[b, a] = distance
    missing = domain.missing
    if missing >= 0 and not any("" in pair for pair in given.pairs):
        far[missing, :missing] = far[:missing, missing] = given.furthest
    far = far[np.ix_(there, there)]
    n_unknown = int(np.count_nonzero(far < 0)) // 2
    if n_unknown:
        n = len(far) * (len(far) - 1) // 2
        raise DataError(
            f"{n_unknown} of {n} pairs of values of {column!r} have no distance in "
            f"{given.name!r}: give a row for every pair"
        )
    unit = math.lcm(*(Fraction(x).denominator for x in far.flat))
    return GivenGround(there, _shortest((far * unit).astype(object)), unit)


def _shortest(costs: Amounts) -> Amounts:
    """Replace distances by the shortest way over others, where that is shorter."""
    whole = np.array([[int(x) for x in row] for row in costs], object).reshape(costs.shape)
    if 2 * int(whole.max(initial=0)) < WIDEST:
        whole = whole.astype(np.int64)
    for over in range(len(whole)):
        whole = np.minimum(whole, whole[:, [over]] + whole[[over]])
    return whole.astype(object)


def _code(domain: Domain, text: str) -> int:
    """Find the code of a value by its text; numbers may be written in several ways."""
    if not text:
        return domain.missing
    code = domain.code_of(text)
    if code < 0 and domain.kind is Kind.NUMBER:
        try:
            return int(domain.locate(np.array([float(text)]))[0])
        except ValueError:
            return -1
    return code
