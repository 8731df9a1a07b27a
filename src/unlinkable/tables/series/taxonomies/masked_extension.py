"""Masked extension: new texts beside those that they are masked with, where no set is parted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.taxonomies import Domain, Level, Taxonomy
from unlinkable.tables.taxonomies.builders import Mask, Observed, Step, number_runs, stack
from unlinkable.typing import BoolArray, CodeArray, CountArray

__all__ = ["with_masked_values"]


def with_masked_values(
    old: Taxonomy, builder: Mask, observed: Observed, sets: Iterable[Sequence[str]]
) -> Taxonomy:
    """Mask old and new texts, and keep the old ones in their order.

    A new text stands within the least node that has old ones: after all of them, or, if that would
    part a published set, wherever it would not. If there is no such place, the set is parted, and
    what was published cannot be compared with what comes. If the rule is another one than it was,
    texts come in its order.

    Parameters
    ----------
    old
        The taxonomy of earlier releases.
    builder
        The rule.
    observed
        The texts of the records that are to be published.
    sets
        The sets of texts that were published.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies import observe
    >>> zips = Mask(5, keep=(3,)).build(observe("zip", ["13053", "13068", "14850"]))
    >>> further = observe("zip", ["13053", "13060", "14853"])
    >>> with_masked_values(zips, Mask(5, keep=(3,)), further, []).domain.values.tolist()
    ['13053', '13068', '13060', '14850', '14853']
    >>> sets = [["13068", "14850"]]
    >>> with_masked_values(zips, Mask(5, keep=(3,)), further, sets).domain.values.tolist()
    ['13053', '13060', '13068', '14850', '14853']
    """
    known = old.domain.values
    values = np.union1d(known, observed.domain.values)
    has_missing = old.domain.has_missing or observed.domain.has_missing
    domain = Domain(old.domain.kind, values, has_missing)
    whole = builder.build(Observed(observed.name, domain, np.ones(domain.n, np.int64)))
    code = old.domain.locate(whole.domain.values)
    nodes = [_Nodes.of(level.blocks[: code.size], code) for level in whole.levels[1:]]
    is_taken = np.zeros(known.size + 1, bool)
    for members in sets:
        codes = old.domain.locate(np.array(members, object))
        is_taken[codes.min() + 1 : codes.max() + 1] |= bool((codes >= 0).all())
    last = 2 * len(nodes) + 2
    places = [
        (at, last, i) if at >= 0 else (*_place(i, nodes, is_taken), i)
        for i, at in enumerate(code.tolist())
    ]
    order = np.array([i for *_, i in sorted(places)], np.int64)
    steps = [_step(level, order) for level in whole.levels[1:-1]]
    if any(step is None for step in steps):
        return whole
    ordered = Domain(domain.kind, whole.domain.values[order], has_missing)
    return stack(observed.name, ordered, [step for step in steps if step], whole.root)


@define(eq=False, frozen=True)
class _Nodes:
    """The nodes of one level, as ranges of old codes.

    Attributes
    ----------
    of_values
        The node of each value.
    first, end
        The least and the last of the old codes of each node, and one more; equal if it has none.
    of_old
        The node of each old code.
    """

    of_values: CodeArray
    first: CodeArray
    end: CodeArray
    of_old: CodeArray

    @classmethod
    def of(cls, blocks: CodeArray, code: CodeArray) -> Self:
        is_old, n = code >= 0, int(blocks.max(initial=-1)) + 1
        of_old = np.empty(int(is_old.sum()), np.int32)
        of_old[code[is_old]] = blocks[is_old]
        first, end = np.full(n, of_old.size, np.int32), np.zeros(n, np.int32)
        np.minimum.at(first, blocks[is_old], code[is_old])
        np.maximum.at(end, blocks[is_old], code[is_old] + 1)
        return cls(blocks, np.minimum(first, end), end, of_old)


def _place(value: int, nodes: Sequence[_Nodes], is_taken: BoolArray) -> tuple[int, int]:
    """Say before which old code a new value stands, and its rank among those that stand there."""
    node = [level.of_values[value] for level in nodes]
    depth = next(i for i, level in enumerate(nodes) if level.end[node[i]] > level.first[node[i]])
    first, end = nodes[depth].first[node[depth]], nodes[depth].end[node[depth]]
    for at in range(end, first - 1, -1):
        below = nodes[depth - 1].of_old if depth else None
        parts = first < at < end and below is not None and below[at - 1] == below[at]
        if not (is_taken[at] or parts):
            break
    else:
        at = end
    # Left of it come those whose node ends here, the lowest first; those whose node begins here
    # come last, the lowest at the end.
    height = len(nodes)
    rank = depth if at == end else 2 * height + 1 - depth if at == first else height
    return int(at), int(rank)


def _step(level: Level, order: CountArray) -> Step | None:
    """Put a level in another order; None if its nodes would be torn."""
    nodes = level.blocks[order]
    blocks = number_runs(nodes)
    first = np.flatnonzero(np.diff(blocks, prepend=-1))
    if np.unique(nodes).size < first.size:
        return None
    labels = level.labels
    return Step(blocks, None if labels is None else tuple(labels[n] for n in nodes[first]))
