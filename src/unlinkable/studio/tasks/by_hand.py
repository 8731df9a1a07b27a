"""A whole taxonomy to be arranged by hand: every value, where it stands, and its records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unlinkable.studio.contracts import Document, Rule, WholeTree
from unlinkable.studio.tasks.session import Session
from unlinkable.studio.tasks.taxonomies import tried_plan
from unlinkable.tables.taxonomies import Taxonomy, write_level
from unlinkable.typing import Progress

__all__ = ["by_hand"]

_MOST_VALUES = 50_000
"""A tree with more values is not arranged by hand."""


def by_hand(
    session: Session,
    tell: Progress,
    plan: Document,
    granted: Sequence[str],
    column: str,
    rule: Rule | None,
) -> WholeTree:
    """Build the taxonomy of a column, by the rule of the plan or by one that is tried."""
    made = session.plan(tried_plan(plan, column, rule), granted)
    tell(0.1, "reading the table")
    table = session.tried(made)
    built = table.taxonomy(column)
    n = built.domain.n_present
    counts = np.bincount(table.codes(column), minlength=built.n)
    found: WholeTree = {
        "root": built.root,
        "values": n,
        "missing": int(counts[n:].sum()),
        "nested": None,
        "records": {},
    }
    if 0 < n <= _MOST_VALUES:
        texts = [built.domain.text(code) for code in range(n)]
        found["nested"] = _nested(built, texts)
        found["records"] = dict(zip(texts, counts[:n].tolist(), strict=True))
    return found


def _nested(taxonomy: Taxonomy, texts: Sequence[str]) -> Any:
    """Write what is under the root as nested tables and lists, as the rule ``tree`` has them."""
    n = len(texts)
    below: list[Any] = list(texts)
    starts = np.arange(n + 1, dtype=np.int32)
    for level in range(1, taxonomy.height):
        blocks = taxonomy.levels[level].starts
        blocks = np.append(blocks[blocks < n], np.int32(n))
        labels = write_level(taxonomy, level, blocks[:-1])
        cuts = np.searchsorted(starts, blocks).tolist()
        below = [
            {str(label): below[a:b]}
            for label, a, b in zip(labels, cuts[:-1], cuts[1:], strict=True)
        ]
        starts = blocks
    return below
