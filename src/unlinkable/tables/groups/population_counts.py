"""Population counts: how many people of a population look like the records of a group.

How many people of a population look like a group adds up like everything else in a row of `Groups`,
so it is counted like a hidden column: under a name that no column has, with one code.
"""

from __future__ import annotations

import numpy as np

from unlinkable.errors import ParameterError, in_short
from unlinkable.tables.groups.histogram import Histogram
from unlinkable.typing import CountArray

__all__ = ["POPULATION_PREFIX", "head_count", "population_column"]

POPULATION_PREFIX = "@"
"""What the names of such columns begin with."""


def population_column(population: str) -> str:
    """Name the hidden column that counts the people of a population.

    Raises
    ------
    ParameterError
        If the table itself is given in place of its name.

    Examples
    --------
    >>> population_column("people.csv")
    '@people.csv'
    """
    if not isinstance(population, str):
        raise ParameterError(
            "a promise has the name of its side table, like population='people', and the table is "
            f"given with side={{'people': ...}}: got {in_short(population)} for the name"
        )
    return POPULATION_PREFIX + population


def head_count(people: CountArray) -> Histogram:
    """Take the number of people who look like each group as a hidden column.

    Examples
    --------
    >>> head_count(np.array([3, 0, 2])).distinct.tolist()
    [1, 0, 1]
    """
    is_met = people > 0
    indptr = np.append(0, np.cumsum(is_met)).astype(np.int64)
    counts = people[is_met].astype(np.int64)
    return Histogram(indptr, np.zeros(counts.size, np.int32), counts, 1)
