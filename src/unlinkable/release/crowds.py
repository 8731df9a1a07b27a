"""Who of a population looks like whom in a release, read from the published texts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import evolve

from unlinkable.engines import count
from unlinkable.errors import DataError
from unlinkable.groups import Groups, Histogram
from unlinkable.groups.crowd import crowd_column, head_count
from unlinkable.kernels.covering import count_covered
from unlinkable.table import Taxonomy
from unlinkable.table.published import read_range
from unlinkable.table.table import Table
from unlinkable.typing import CodeArray, Columns, CountArray

__all__ = ["NOBODY", "met", "renamed"]

NOBODY = -1
"""What a group shows that stands for all people who look like no published record."""

_NOTHING = (0, 0)


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
    found = {name: _count_people(table, groups, crowd) for name, crowd in crowds.items()}
    if any(outside for _, outside in found.values()):
        groups = _with_nobody(groups)
        found = {name: (np.append(met, out), 0) for name, (met, out) in found.items()}
    heads: dict[Columns, Histogram] = {
        (crowd_column(name),): head_count(people) for name, (people, _) in found.items()
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


def _count_people(table: Table, groups: Groups, crowd: Table) -> tuple[CountArray, int]:
    people = count(crowd).finest
    lo, hi = np.zeros((2, len(groups), len(groups.columns)), np.int32)
    for j, name in enumerate(groups.columns):
        ranges = _ranges(table.taxonomy(name), crowd.taxonomy(name))
        lo[:, j], hi[:, j] = ranges[groups.keys[:, j]].T
    return count_covered(lo, hi, people.keys, people.sizes)


def _ranges(published: Taxonomy, taxonomy: Taxonomy) -> CodeArray:
    """Read every published text as a range of the population's values."""
    domain = published.domain
    texts = [None if code == domain.missing else domain.text(code) for code in range(domain.n)]
    return np.array([_range(taxonomy, text) for text in texts], np.int32).reshape(-1, 2)


def _range(taxonomy: Taxonomy, text: str | None) -> tuple[int, int]:
    try:
        return read_range(taxonomy, text)
    except DataError:
        # A text that stands for no value of the population: nobody looks like it.
        return _NOTHING


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
