"""Random small series of releases, and how the library sees them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction

import numpy as np
import polars as pl
from hypothesis import strategies as st

from tests.witness.series import Record, Release
from unlinkable.release.attacks import Outcome
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.series import NOBODY, Edition, Series

__all__ = ["as_series", "drawn_series", "fallen", "read_edition"]


@st.composite
def drawn_series(
    draw: st.DrawFn,
    *,
    max_people: int = 7,
    max_releases: int = 3,
    least: int = 1,
    grows: bool = False,
    made_up: int = 0,
    passing: Sequence[Hashable] = (),
    values: Sequence[Hashable] = ("x", "y", "z"),
) -> list[list[Record]]:
    """Draw who is in which group of which release, and what everybody has.

    Parameters
    ----------
    max_people, max_releases
        How large it gets.
    least
        How many records a group has at least, if there are as many in the release.
    grows
        Whether nobody leaves; otherwise people leave and come back.
    made_up
        How many records of a release are made up at most.
    passing
        Values that somebody may exchange for one another.
    """
    n = draw(st.integers(3, max_people))
    hidden = [draw(st.sampled_from(values)) for _ in range(n)]
    inside: set[int] = set()
    releases = []
    for _ in range(draw(st.integers(2, max_releases))):
        came = draw(st.sets(st.integers(0, n - 1), min_size=2))
        inside = inside | came if grows else came
        hidden = [draw(st.sampled_from(passing)) if s in passing else s for s in hidden]
        records: list[tuple[int | None, Hashable]] = [(p, hidden[p]) for p in sorted(inside)]
        n_made_up = draw(st.integers(0, made_up))
        records.extend((None, draw(st.sampled_from(values))) for _ in range(n_made_up))
        order = draw(st.permutations(records))
        n_groups = draw(st.integers(1, max(1, len(order) // least)))
        releases.append(
            [
                Record(owner, min(i // least, n_groups - 1) if least > 1 else i % n_groups, value)
                for i, (owner, value) in enumerate(order)
            ]
        )
    return releases


def as_series(releases: Sequence[Release]) -> Series:
    """Give releases as an attack sees them: what a record shows is its group."""
    return Series(
        tuple(
            Edition(
                Target(
                    pl.DataFrame(
                        {
                            "g": [f"group {record.group}" for record in release],
                            "s": [str(record.value) for record in release],
                        }
                    ),
                    ("g",),
                    ("s",),
                ),
                np.array([NOBODY if r.owner is None else r.owner for r in release], np.int64),
                f"release {i}",
            )
            for i, release in enumerate(releases)
        )
    )


def read_edition(edition: Edition, sensitive: str) -> list[Record]:
    """Read what was published of whom, from nothing but the published texts."""
    assert edition.people is not None
    shown = edition.target.frame.select(edition.target.alike).rows()
    hidden = edition.target.frame.get_column(sensitive).to_list()
    return [
        Record(None if owner == NOBODY else int(owner), group, value)
        for owner, group, value in zip(edition.people, shown, hidden, strict=True)
    ]


def fallen(outcome: Outcome, limit: Fraction | None = None) -> set[int]:
    """Say who is told to be a victim, or only of whom the adversary is surer than a limit."""
    return {
        int(victim.who["person"]) - 1
        for victim in outcome.victims
        if limit is None or Fraction(victim.confidence).limit_denominator(100) > limit
    }
