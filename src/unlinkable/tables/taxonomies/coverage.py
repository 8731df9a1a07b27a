"""What published values cover among the values of another table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unlinkable.tables.taxonomies.domain import Domain, Kind
from unlinkable.tables.taxonomies.notation import first_at, read_plain
from unlinkable.tables.taxonomies.taxonomy import ANY, Taxonomy
from unlinkable.typing import CodeArray

__all__ = ["covered_by"]

_NOTHING = (0, 0)
"""A published value that no value of the other table can have come from."""


def covered_by(
    taxonomy: Taxonomy, texts: Sequence[str | None], domain: Domain
) -> tuple[CodeArray, CodeArray]:
    """Find which numbers or dates of another table each published text covers.

    An interval covers whatever lies between its ends, also numbers that did not occur when it was
    made; a node covers what its rule says, or what lies between the first and the last of
    its values. A text that covers nothing gets an empty range.

    Examples
    --------
    >>> from unlinkable.tables.taxonomies.builders import Intervals
    >>> from unlinkable.tables.taxonomies import Kind, observe
    >>> ages = Intervals(10).build(observe("age", [31, 36, 42]))
    >>> other = Domain(Kind.NUMBER, np.array([33, 39, 42]))
    >>> lo, hi = covered_by(ages, ["[30-40)", "[31-37)", "42", "36", "*"], other)
    >>> list(zip(lo.tolist(), hi.tolist()))
    [(0, 2), (0, 1), (2, 3), (0, 0), (0, 3)]
    """
    distinct = {text: _covered(taxonomy, text, domain) for text in dict.fromkeys(texts)}
    ranges = np.array([distinct[text] for text in texts], np.int32).reshape(-1, 2)
    return ranges[:, 0], ranges[:, 1]


def _covered(taxonomy: Taxonomy, text: str | None, domain: Domain) -> tuple[int, int]:
    assert domain.kind is not Kind.CATEGORY
    if text is None:
        return (domain.missing, domain.n) if domain.has_missing else _NOTHING
    if text in (taxonomy.root, ANY):
        return 0, domain.n
    if text not in taxonomy.named:
        return read_plain(domain, text) or _NOTHING
    i, node = taxonomy.named[text]
    level = taxonomy.levels[i]
    if level.edges is not None:
        edges = level.edges
        is_first, is_last = node == 0, node == len(edges.lower) - 1
        lo = 0 if is_first and edges.open_below else first_at(domain, edges.lower[node])
        is_open = is_last and edges.open_above
        return lo, domain.n_present if is_open else first_at(domain, edges.upper[node])
    values = taxonomy.domain.values
    first, last = values[level.starts[node]], values[level.starts[node + 1] - 1]
    return first_at(domain, first), first_at(domain, last + taxonomy.domain.unit)
