"""Who of a population looks like whom in a release, read from the published texts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import evolve

from unlinkable.tables.data import Table
from unlinkable.tables.engines import count_people
from unlinkable.tables.groups import Groups, Histogram, head_count, population_column
from unlinkable.typing import Columns

__all__ = ["NOBODY", "met", "renamed"]

NOBODY = -1
"""What a group shows that stands for all people who look like no published record."""


def met(table: Table, groups: Groups, crowds: Mapping[str, Table]) -> Groups:
    """Count the people of populations who look like each group, and those who look like none.

    Parameters
    ----------
    table
        The published texts, as values that mean nothing.
    groups
        Its groups.
    crowds
        Populations, with taxonomies that the texts can be read with.
    """
    if not crowds:
        return groups
    found = {name: count_people(table, groups, crowd) for name, crowd in crowds.items()}
    if any(outside for _, outside in found.values()):
        groups = _with_nobody(groups)
        found = {name: (np.append(met, out), 0) for name, (met, out) in found.items()}
    heads: dict[Columns, Histogram] = {
        (population_column(name),): head_count(people) for name, (people, _) in found.items()
    }
    return evolve(
        groups,
        histograms={**groups.histograms, **heads},
        whole={**groups.whole, **{names: h.total for names, h in heads.items()}},
    )


def renamed(groups: Groups, names: Mapping[Columns, Columns]) -> Groups:
    """Give counted columns the names that promises know them by."""
    return evolve(
        groups,
        histograms={names.get(key, key): h for key, h in groups.histograms.items()},
        whole={names.get(key, key): whole for key, whole in groups.whole.items()},
    )


def _with_nobody(groups: Groups) -> Groups:
    """Add a group without records."""
    empty = {
        names: evolve(h, indptr=np.append(h.indptr, h.indptr[-1]))
        for names, h in groups.histograms.items()
    }
    shown = np.full((1, len(groups.columns)), NOBODY, np.int32)
    return evolve(
        groups,
        sizes=np.append(groups.sizes, 0),
        weights=np.append(groups.weights, 0.0),
        histograms=empty,
        keys=np.concatenate([groups.keys, shown]),
    )
