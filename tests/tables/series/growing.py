"""Small tables that grow, and their publication batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st

from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.models import KCAnonymity
from unlinkable.tables.series.next_release import Next, Terms, next_release
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.tables.taxonomies.builders import Tree

__all__ = ["Growing", "growing", "publish_all"]

JOBS = {"maker": ["cook", "smith"], "teller": ["bard", "clerk"]}


@dataclass(frozen=True)
class Growing:
    """A table that grows.

    Attributes
    ----------
    ages, jobs
        What people are known by.
    hidden
        What they hide, by sensitive column.
    ends
        How many people there are whenever the table is published.
    k, c
        What is promised.
    """

    ages: list[int | None]
    jobs: list[str]
    hidden: dict[str, list[str]]
    ends: list[int]
    k: int
    c: Fraction

    def table(self, n: int) -> Table:
        """Give the first records."""
        columns: dict[str, list[Any]] = {"age": self.ages, "job": self.jobs, **self.hidden}
        return as_table(
            {name: values[:n] for name, values in columns.items()},
            quasi=["age", "job"],
            sensitive=[*self.hidden],
            taxonomies={"job": Tree(JOBS)},
        )

    def request(self, n: int, method: Method | None = None) -> Request:
        """Ask for a release of the first records."""
        promises = tuple(KCAnonymity(self.k, self.c, sensitive=name) for name in self.hidden)
        return Request(self.table(n), np.arange(n), promises, method)


@st.composite
def growing(
    draw: st.DrawFn,
    *,
    n_people: int = 10,
    n_columns: int = 1,
    n_releases: int = 3,
    missing: bool = False,
) -> Growing:
    """Draw a table and the times at which it is published."""
    n = draw(st.integers(4, n_people))

    def column(values: st.SearchStrategy[object]) -> list:  # type: ignore[type-arg]
        return draw(st.lists(values, min_size=n, max_size=n))

    ages = st.integers(20, 29)
    return Growing(
        column(ages | st.none() if missing else ages),
        column(st.sampled_from([job for jobs in JOBS.values() for job in jobs])),
        {f"s{i}": column(st.sampled_from("abcd")) for i in range(n_columns)},
        sorted(draw(st.sets(st.integers(2, n), min_size=1, max_size=n_releases)) | {n}),
        draw(st.integers(1, 3)),
        draw(st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(1)])),
    )


def publish_all(
    policy: Policy, grown: Growing, method: Method | None = None
) -> Iterator[tuple[int, Next, Past]]:
    """Publish whenever it is time; where nothing can be published, wait for more."""
    past = Past()
    for n in grown.ends:
        try:
            found = next_release(policy, grown.request(n, method), past, Terms(seed=0))
        except InfeasibleError:
            continue
        past = Past((*past.editions, found.edition), found.memory, n)
        yield n, found, past
