"""Tasks on taxonomies: the tree with its counts, what every level would publish, the whole tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unlinkable.studio.contracts import (
    Document,
    Rule,
    TaxonomyView,
    TreeNode,
    ValuePreview,
    WholeTree,
)
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.publishing.plans import Plan
from unlinkable.tables.taxonomies import Taxonomy, write_level
from unlinkable.tables.taxonomies.builders import to_plan
from unlinkable.typing import CountArray, Progress

__all__ = ["taxonomy", "tried_plan", "whole_tree"]

_MOST_CHILDREN = 100
"""How many children of a node are listed."""

_MOST_NODES = 3000
"""How many nodes of a tree are listed in all."""

_MOST_PREVIEWED = 40

_LONGEST_LABEL = 1000
"""Maximum characters of a label that is sent to pages."""

MISSING = "(missing)"
"""What the node of missing values is called on the screen."""


def taxonomy(
    session: Session,
    tell: Progress,
    plan: Document,
    granted: Sequence[str],
    column: str,
    rule: Rule | None,
) -> TaxonomyView:
    """Build the taxonomy of a column, by the rule of the plan or by one that is tried."""
    made = session.plan(tried_plan(plan, column, rule), granted)
    tell(0.1, "reading the table")
    table = session.tried(made)
    tell(0.5, "building the taxonomy")
    built = table.taxonomy(column)
    counts = np.bincount(table.codes(column), minlength=built.n).astype(np.int64)
    return {
        "column": column,
        "type": built.domain.kind.value,
        "rule": _rule(made, column),
        "height": built.height,
        "nodes": [level.n_nodes for level in built.levels],
        "tree": _Tree(built, counts).root(),
        "preview": _preview(built, counts),
    }


def tried_plan(plan: Document, column: str, rule: Rule | None) -> Document:
    """Give a plan in which a column can have a taxonomy, and has the one that is tried."""
    before = dict(plan["columns"].get(column, {"role": "quasi-identifier"}))
    if before["role"] not in ("quasi-identifier", "sensitive"):
        before = {"role": "quasi-identifier"}
    after = before if rule is None else {**before, "taxonomy": rule}
    return {**plan, "columns": {**plan["columns"], column: after}}


def _rule(plan: Plan, column: str) -> Rule:
    builder = plan.schema()[column].taxonomy
    return {} if builder is None else to_plan(builder, plan.folder)


class _Tree:
    """A taxonomy as nested nodes, with a limit on how many are listed."""

    def __init__(self, taxonomy: Taxonomy, counts: CountArray) -> None:
        self._taxonomy = taxonomy
        self._sums = np.append(0, np.cumsum(counts))
        self._left = _MOST_NODES

    def root(self) -> TreeNode:
        """Give the whole tree; the levels near the root are listed first."""
        taxonomy = self._taxonomy
        generation = self._nodes(taxonomy.height, [(0, taxonomy.n)])
        root = generation[0]
        spans = [(0, taxonomy.n)]
        for level in range(taxonomy.height - 1, -1, -1):
            listed = [self._listed(level, *span) for span in spans]
            below = iter(self._nodes(level, [span for part, _ in listed for span in part]))
            for node, (part, more) in zip(generation, listed, strict=True):
                node["children"], node["more"] = [next(below) for _ in part], more
            generation = [child for node in generation for child in node["children"]]
            spans = [span for part, _ in listed for span in part]
        return root

    def _listed(self, level: int, lo: int, hi: int) -> tuple[list[tuple[int, int]], int]:
        """Choose the children of a node as far as there is room, and count the others."""
        starts = self._taxonomy.levels[level].starts
        first, last = (int(at) for at in np.searchsorted(starts, [lo, hi]))
        n = min(last - first, _MOST_CHILDREN, max(self._left, 0))
        self._left -= n
        spans = [(int(starts[j]), int(starts[j + 1])) for j in range(first, first + n)]
        return spans, last - first - n

    def _nodes(self, level: int, spans: Sequence[tuple[int, int]]) -> list[TreeNode]:
        """Make nodes of a level without their children."""
        first = np.array([lo for lo, _ in spans], np.int32)
        texts: Sequence[object] = list(write_level(self._taxonomy, level, first)) if spans else []
        return [
            {
                "label": _shown(text, f" ({hi - lo:,} values)"),
                "level": level,
                "records": int(self._sums[hi] - self._sums[lo]),
                "values": hi - lo,
                "children": [],
                "more": 0,
            }
            for text, (lo, hi) in zip(texts, spans, strict=True)
        ]


def _preview(taxonomy: Taxonomy, counts: CountArray) -> list[ValuePreview]:
    """Show values on every level: some over the whole domain, the rarest and most frequent."""
    occurring = np.flatnonzero(counts)
    if not occurring.size:
        return []
    ranked = occurring[np.argsort(counts[occurring], kind="stable")]
    spread = occurring[np.linspace(0, occurring.size - 1, _MOST_PREVIEWED - 8).astype(int)]
    chosen = np.unique(np.concatenate([spread, ranked[:4], ranked[-4:]])).astype(np.int32)
    levels = [write_level(taxonomy, i, chosen) for i in range(taxonomy.height + 1)]
    return [
        {
            "records": int(counts[code]),
            "levels": [_shown(texts[i]) for texts in levels],
        }
        for i, code in enumerate(chosen.tolist())
    ]


def _shown(text: object, end: str = "") -> str:
    """Give a label as it is looked at: one that lists thousands of values is cut."""
    told = MISSING if text is None else str(text)
    return told if len(told) <= _LONGEST_LABEL else f"{told[:_LONGEST_LABEL]}…{end}"


_MOST_EDITABLE = 50_000
"""A tree with more values is not arranged by hand."""


def whole_tree(
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
    if 0 < n <= _MOST_EDITABLE:
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
