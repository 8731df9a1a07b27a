"""Candidate steps of worked examples, counted in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unlinkable.tables.metrics.shared.search_steps import Steps, mean_anonymity, sum_of_squares
from unlinkable.typing import CountArray

__all__ = ["Worked", "class_counts", "covers"]

Value = str | int
Row = Mapping[str, Any]
Candidate = Mapping[str, Any]
"""An attribute, a value of it, and the children that replace it."""


@dataclass
class Worked:
    """A table in which all values are at the top, and are refined one after the other.

    Attributes
    ----------
    rows
        Distinct records, with as many of each class as stands in the class columns.
    classes
        The class columns.
    trees
        Nested taxonomies by attribute; intervals are read from their names.
    qids
        The quasi-identifiers.
    """

    rows: Sequence[Row]
    classes: Sequence[str]
    trees: Mapping[str, Any]
    qids: Sequence[Sequence[str]]
    shown: dict[tuple[str, Value], Value] = field(default_factory=dict)

    def steps(self, candidates: Sequence[Candidate]) -> Steps:
        """Count what each candidate concerns: attribute, value and children."""
        above, below, starts = [], [], [0]
        for candidate in candidates:
            a, children = candidate["attribute"], list(candidate["children"])
            counted = [self._classes(a, child) for child in children]
            above.append([sum(column) for column in zip(*counted, strict=True)])
            below += counted
            starts.append(len(below))
        before = [[self._anonymity(qid) for qid in self.qids] for _ in candidates]
        after = [[self._anonymity(qid, c) for qid in self.qids] for c in candidates]
        contains = np.array([[c["attribute"] in qid for qid in self.qids] for c in candidates])
        return Steps(
            above=above,
            starts=starts,
            below=below,
            anonymity_above=mean_anonymity(before, contains),
            anonymity_below=mean_anonymity(after, contains),
            squares_above=self._squares(candidates, refined=False),
            squares_below=self._squares(candidates, refined=True),
        )

    def refine(self, candidate: Candidate) -> None:
        """Replace a value by its children."""
        a = candidate["attribute"]
        for row in self.rows:
            self.shown[a, row[a]] = self._label(row, a, candidate)

    def _label(self, row: Row, a: str, candidate: Candidate | None) -> Value:
        raw: Value = row[a]
        if candidate is not None and candidate["attribute"] == a:
            met = [c for c in candidate["children"] if covers(c, raw, self.trees.get(a, {}))]
            if met:
                return str(met[0])
        return self.shown.get((a, raw), "*")

    def _classes(self, a: str, child: str) -> list[int]:
        met = [row for row in self.rows if covers(child, row[a], self.trees.get(a, {}))]
        return [sum(row[c] for row in met) for c in self.classes]

    def _groups(
        self, qid: Sequence[str], candidate: Candidate | None
    ) -> Counter[tuple[Value, ...]]:
        groups: Counter[tuple[Value, ...]] = Counter()
        for row in self.rows:
            key = tuple(self._label(row, a, candidate) for a in qid)
            groups[key] += sum(row[c] for c in self.classes)
        return groups

    def _anonymity(self, qid: Sequence[str], candidate: Candidate | None = None) -> int:
        return min(self._groups(qid, candidate).values())

    def _squares(self, candidates: Sequence[Candidate], *, refined: bool) -> CountArray:
        """Look at the groups on all attributes that hold the value, or a child of it."""
        every = sorted({a for qid in self.qids for a in qid})
        sizes, steps = [], []
        for s, candidate in enumerate(candidates):
            a, step = candidate["attribute"], candidate if refined else None
            labels = {self._label(row, a, step) for row in self.rows if self._meets(row, candidate)}
            groups = self._groups(every, step)
            met = [n for key, n in groups.items() if key[every.index(a)] in labels]
            sizes += met
            steps += [s] * len(met)
        return sum_of_squares(np.array(sizes), np.array(steps, np.int32), len(candidates))

    def _meets(self, row: Row, candidate: Candidate) -> bool:
        a = candidate["attribute"]
        return any(covers(c, row[a], self.trees.get(a, {})) for c in candidate["children"])


def class_counts(given: Mapping[str, Any], classes: Sequence[str]) -> list[list[int]]:
    """Read the class columns of a table of a worked example."""
    places = [given["columns"].index(c) for c in classes]
    return [[row[i] for i in places] for row in given["rows"]]


def covers(label: str, raw: Value, tree: Mapping[str, Any]) -> bool:
    """Tell whether a value lies in an interval ``[lo-hi)``, or under a node of a nested tree."""
    if isinstance(raw, int):
        lo, hi = label.strip("[)").split("-")
        return int(lo) <= raw < int(hi)
    if label == raw:
        return True
    for node, below in tree.items():
        if node == label:
            return _holds(below, raw)
        if covers(label, raw, below):
            return True
    return False


def _holds(tree: Mapping[str, Any], raw: Value) -> bool:
    return raw in tree or any(_holds(below, raw) for below in tree.values())
