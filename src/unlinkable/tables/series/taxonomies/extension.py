"""Extension: a taxonomy that was made from records, with the values of further records in it.

Every node keeps all that it had. Numbers and dates between the ends of the taxonomy go to the node
before them, and its lowest nodes are divided further once they hold many. What lies beyond the
ends, and all new categories, come before or after everything else: on each level as so many nodes
of their own as they have records for, or as part of the first or last node if they have too few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from attrs import define, evolve
from numpy.typing import NDArray

from unlinkable.tables.taxonomies import Domain, Kind, Taxonomy, read_bound
from unlinkable.tables.taxonomies.builders import (
    Auto,
    Flat,
    Observed,
    Step,
    TaxonomyBuilder,
    number_runs,
    stack,
)
from unlinkable.typing import BoolArray, CodeArray

__all__ = ["extended"]


def extended(old: Taxonomy, builder: Auto | Flat, observed: Observed) -> Taxonomy:
    """Put the values of further records into a taxonomy whose nodes are called by their values.

    Parameters
    ----------
    old
        The taxonomy.
    builder
        The rule that it was made by, for what is new.
    observed
        The values of the records that are to be published. Of the old ones some may be missing.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.published_values import write_level
    >>> ages = Auto().build(observe("age", [20, 22, 31, 38]))
    >>> write_level(ages, 1, np.arange(4)).tolist()
    ['[20-23)', '[20-23)', '[31-39)', '[31-39)']
    >>> then = extended(ages, Auto(), observe("age", [20, 21, 22, 25, 31, 38, 50, 57]))
    >>> write_level(then, 2, np.arange(8)).tolist()
    ['[20-26)', '[20-26)', '[20-26)', '[20-26)', '[31-58)', '[31-58)', '[31-58)', '[31-58)']
    """
    is_new = old.domain.find(evolve(observed.domain, has_missing=False)) < 0
    is_category = old.domain.kind is Kind.CATEGORY
    parts = (_in_order if is_category else _on_a_line)(old, builder, observed, is_new)
    has_missing = old.domain.has_missing or observed.domain.has_missing
    domain, levels = Domain(old.domain.kind, parts.values, has_missing), list[CodeArray]()
    if isinstance(builder, Auto):
        levels = list(_levels(_blocks(old), parts, builder.groups))
        if is_new.any() and not is_category:
            levels = [*_finer(builder, observed, domain, levels), *levels]
    return stack(observed.name, domain, [Step(blocks) for blocks in levels], old.root)


@define(eq=False, frozen=True)
class _Run:
    """New values on one side of all others: how many records they have, and their levels."""

    n_values: int
    n_records: int
    levels: Sequence[CodeArray]

    def parted(self, most: int) -> CodeArray:
        """Give the finest level that has at most so many nodes."""
        finest = np.arange(self.n_values, dtype=np.int32)
        levels = [finest, *self.levels, np.zeros(self.n_values, np.int32)]
        return next(level for level in levels if int(level.max(initial=-1)) < most)


@define(eq=False, frozen=True)
class _Parts:
    """All values in their order: what comes first, the old and those between, what comes last.

    Attributes
    ----------
    values
        The values.
    before, after
        New values on both sides.
    anchors
        For each value between them the old code whose node it is in.
    n_records
        How many records have one of these.
    """

    values: NDArray[Any]
    before: _Run
    anchors: CodeArray
    after: _Run
    n_records: int


def _in_order(
    old: Taxonomy, builder: TaxonomyBuilder, observed: Observed, is_new: BoolArray
) -> _Parts:
    """Put new categories after the old ones."""
    made, run = _run(builder, observed, is_new)
    values = np.concatenate([old.domain.values, made.domain.values])
    anchors = np.arange(old.domain.n_present, dtype=np.int32)
    n_records = int(observed.counts[: is_new.size][~is_new].sum())
    return _Parts(values, _Run(0, 0, ()), anchors, run, n_records)


def _on_a_line(
    old: Taxonomy, builder: TaxonomyBuilder, observed: Observed, is_new: BoolArray
) -> _Parts:
    """Put new numbers or dates where they belong."""
    known, new = old.domain.values, observed.domain.values
    # What was published of the last value reaches up to here, whichever numbers come later.
    end = read_bound(old.domain, old.domain.text_after(known.size - 1))
    is_before, is_after = is_new & (new < known[0]), is_new & (new >= end)
    inside = np.union1d(known, new[~is_before & ~is_after])
    values = np.concatenate([new[is_before], inside, new[is_after]])
    anchors = (np.searchsorted(known, inside, "right") - 1).astype(np.int32)
    runs = [_run(builder, observed, side)[1] for side in (is_before, is_after)]
    n_records = int(observed.counts[: new.size][~is_before & ~is_after].sum())
    return _Parts(values, runs[0], anchors, runs[1], n_records)


def _run(builder: TaxonomyBuilder, observed: Observed, chosen: BoolArray) -> tuple[Taxonomy, _Run]:
    """Make a taxonomy of some of the values alone."""
    n = chosen.size
    part = Observed(
        observed.name,
        Domain(observed.domain.kind, observed.domain.values[chosen]),
        observed.counts[:n][chosen],
        None if observed.hidden is None else observed.hidden[:n][chosen],
    )
    made = builder.build(part)
    return made, _Run(int(chosen.sum()), int(part.counts.sum()), _blocks(made))


def _levels(old: Sequence[CodeArray], parts: _Parts, groups: int) -> Iterator[CodeArray]:
    """Give all levels between the values and the root, from fine to coarse.

    Above the old ones there are more, as long as what is new has more records than all else.
    """
    for blocks in old:
        yield _level(blocks[parts.anchors], parts, int(blocks.max(initial=0)) + 1, 1)
    share, together = 1, np.zeros(parts.anchors.size, np.int32)
    while max(parts.before.n_records, parts.after.n_records) >= share * max(parts.n_records, 1):
        made = _level(together, parts, 1, share)
        if int(made[-1]) + 1 < made.size:
            yield made
        share *= groups


def _level(blocks: CodeArray, parts: _Parts, n_nodes: int, share: int) -> CodeArray:
    """Put new values beside the nodes of a level, or into the first and the last of them.

    They get so many nodes as there would be if every node had as many records.
    """
    where, which = [np.ones(blocks.size, np.int32)], [blocks]
    for at, run, end in ((0, parts.before, 0), (2, parts.after, -1)):
        most = run.n_records * n_nodes // (max(parts.n_records, 1) * share)
        where.insert(at, np.full(run.n_values, at if most else 1, np.int32))
        which.insert(at, run.parted(most) if most else np.full(run.n_values, blocks[end]))
    return number_runs(np.concatenate(where), np.concatenate(which))


def _finer(
    builder: Auto, observed: Observed, domain: Domain, levels: Sequence[CodeArray]
) -> list[CodeArray]:
    """Divide the lowest nodes as the rule would, each time into twice as many at least."""
    counts = np.zeros(domain.n_present, np.int64)
    counts[domain.locate(observed.domain.values)] = observed.counts[: observed.domain.n_present]
    whole = builder.build(Observed(observed.name, Domain(domain.kind, domain.values), counts))
    lowest = levels[0] if levels else np.zeros(domain.n_present, np.int32)
    n_nodes, found = int(lowest[-1]) + 1, list[CodeArray]()
    for blocks in reversed(_blocks(whole)):
        both = number_runs(blocks, lowest)
        n = int(both[-1]) + 1
        if builder.groups * n_nodes <= n < domain.n_present:
            found.insert(0, both)
            n_nodes = n
    return found


def _blocks(taxonomy: Taxonomy) -> list[CodeArray]:
    """Give the nodes of all present values, on every level between the values and the root."""
    n = taxonomy.domain.n_present
    return [level.blocks[:n] for level in taxonomy.levels[1:-1]]
