"""Top-down searches, one refinement after the other, from a table that shows nothing.

A state has for every column the blocks of raw values that are published alike. What can be refined
depends on the column: a node of a tree is replaced by its children; of suppressed values one is
disclosed; an interval of numbers is cut in two where that tells most of the class, whatever that
does to anonymity. A refinement is valid if all promises hold afterwards.

Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: sections 4.1.3,
4.3, 5.1.2.5, 5.2.3, 6.2, 6.3 and 7.2.3.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from tests.witness.classes import gain_of_split, igpl_of_step
from tests.witness.cuts import Block, children, show
from tests.witness.models import Row, groups
from tests.witness.promises import Promise, hold
from tests.witness.tree import Tree

__all__ = ["HIDDEN", "Descent", "Numbers", "Refinement", "Score", "State", "Values", "best_cut"]

HIDDEN = "suppressed"
"""Marks the block of the values of a column that are not told; no value is called so."""


@dataclass(frozen=True)
class Values:
    """A column without a tree, all of whose values are suppressed at first."""

    domain: Sequence[Hashable]


@dataclass(frozen=True)
class Numbers:
    """A column of numbers, whose intervals are cut as the search goes."""

    domain: Sequence[Hashable]


class Score(Enum):
    """What the best refinement has the most of."""

    GAIN = "InfoGain"
    """Equation 6.1."""
    GAIN_PER_LOSS = "IGPL"
    """Equations 6.2 and 6.3."""
    SQUARES_BEFORE = "sum of the squared groups with v"
    """The definition of 6.2.2, case 2."""
    SQUARES_AFTER = "sum of the squared groups with a child of v"
    """Example 6.6."""
    SQUARES_REDUCED = "the first less the second"


@dataclass(frozen=True)
class Refinement:
    """A block and what it is replaced by. Of a disclosure, the value that is told comes first."""

    column: str
    whole: Block
    parts: tuple[Block, ...]


State = Mapping[str, frozenset[Block]]


def best_cut(
    numbers: Block, domain: Sequence[Hashable], values: Sequence[Hashable], labels: Sequence[str]
) -> tuple[Block, Block] | None:
    """Cut an interval where that tells most of the class; the lowest of equally good cuts.

    ``values`` and ``labels`` are those of the records. Only values that occur can be cut before; an
    interval in which one value occurs cannot be cut. Without labels, the most even cut is the best.
    Missing values, which no interval holds, are cut off first.

    >>> low, high = best_cut(frozenset({1, 2, 3}), [1, 2, 3], [1, 2, 3, 3], "yynn")
    >>> sorted(low), sorted(high)
    ([1, 2], [3])
    >>> low, high = best_cut(frozenset({1, 2, 3}), [1, 2, 3], [1, 1, 2, 3], "")
    >>> sorted(low), sorted(high)
    ([1], [2, 3])
    """
    inside = [v for v in domain if v in numbers]
    if None in inside and len(inside) > 1:
        return numbers - {None}, frozenset([None])
    present = [v for v in inside if v in values]
    best: tuple[float, tuple[Block, Block]] | None = None
    for at in present[1:]:
        low = frozenset(inside[: inside.index(at)])
        high = frozenset(inside[inside.index(at) :])
        sizes = [sum(v in part for v in values) for part in (low, high)]
        worth = -float(abs(sizes[0] - sizes[1]))
        if labels:
            pairs = list(zip(values, labels, strict=True))
            worth = gain_of_split([[c for v, c in pairs if v in part] for part in (low, high)])
        if best is None or worth > best[0] + 1e-12:
            best = worth, (low, high)
    return None if best is None else best[1]


@dataclass(frozen=True)
class Descent:
    """A table, its columns, what is promised, and what is looked for.

    ``qids`` are the quasi-identifiers whose anonymity counts; all columns if not given. ``labels``
    are the classes of the records; without any, all are of one class. ``beneficial`` leaves blocks
    alone whose records are all of one class.
    """

    rows: Sequence[Row]
    columns: Mapping[str, Tree | Values | Numbers]
    promises: Sequence[Promise]
    score: Score = Score.GAIN_PER_LOSS
    labels: Sequence[str] = ()
    qids: Sequence[Sequence[str]] = ()
    beneficial: bool = False

    @property
    def start(self) -> State:
        """Nothing is shown."""
        whole = {a: frozenset(_domain(column)) for a, column in self.columns.items()}
        hidden = {a for a, column in self.columns.items() if isinstance(column, Values)}
        return {a: frozenset([b | {HIDDEN} if a in hidden else b]) for a, b in whole.items()}

    def candidates(self, state: State) -> list[Refinement]:
        """List what can be refined, of blocks that some record is in."""
        found = []
        for a, column in self.columns.items():
            held = {row[a] for row in self.rows}
            for block in sorted(state[a], key=lambda b: _place(b, _domain(column))):
                if block & held and (not self.beneficial or self._has_classes(a, block)):
                    found += [Refinement(a, block, p) for p in self._parts(a, column, block)]
        return found

    def _has_classes(self, a: str, block: Block) -> bool:
        pairs = zip(self.rows, self._classes, strict=True)
        return len({c for row, c in pairs if row[a] in block}) > 1

    def _parts(
        self, a: str, column: Tree | Values | Numbers, block: Block
    ) -> list[tuple[Block, ...]]:
        if isinstance(column, Tree):
            below = children(column, block)
            return [tuple(below)] if below else []
        values = [row[a] for row in self.rows]
        if isinstance(column, Numbers):
            cut = best_cut(block, column.domain, values, self.labels)
            return [] if cut is None else [cut]
        if HIDDEN not in block:
            return []
        return [(frozenset([v]), block - {v}) for v in column.domain if v in block and v in values]

    def refine(self, state: State, step: Refinement) -> State:
        """Replace a block by its parts."""
        return {**state, step.column: (state[step.column] - {step.whole}) | set(step.parts)}

    def is_good(self, state: State) -> bool:
        """Whether all promises hold."""
        return hold(self.promises, show(self.rows, state), list(self.columns))

    def valid(self, state: State) -> list[Refinement]:
        """List the refinements after which all promises hold."""
        return [c for c in self.candidates(state) if self.is_good(self.refine(state, c))]

    def worth(self, state: State, step: Refinement) -> float:
        """Give the score of a refinement."""
        parts = [
            [c for row, c in zip(self.rows, self._classes, strict=True) if row[step.column] in part]
            for part in step.parts
        ]
        before, after = state, self.refine(state, step)
        match self.score:
            case Score.GAIN:
                return gain_of_split(parts)
            case Score.GAIN_PER_LOSS:
                qids = [q for q in self.qids or [list(self.columns)] if step.column in q]
                losses = [self.anonymity(before, q) - self.anonymity(after, q) for q in qids]
                return igpl_of_step(parts, losses)
            case Score.SQUARES_BEFORE:
                return self._squares(before, step)
            case Score.SQUARES_AFTER:
                return self._squares(after, step)
            case Score.SQUARES_REDUCED:
                return self._squares(before, step) - self._squares(after, step)

    def anonymity(self, state: State, qid: Sequence[str]) -> int:
        """A(QID): the number of records of the smallest group."""
        return min(map(len, groups(show(self.rows, state), qid).values()))

    def run(self) -> list[Refinement]:
        """Refine what is best among what is valid until nothing is; the first of equally good."""
        state, done = self.start, []
        while valid := self.valid(state):
            worth = [self.worth(state, step) for step in valid]
            best = valid[worth.index(max(worth))]
            state = self.refine(state, best)
            done.append(best)
        return done

    @property
    def _classes(self) -> Sequence[str]:
        return self.labels or [""] * len(self.rows)

    def _squares(self, state: State, step: Refinement) -> float:
        """Add up the squared sizes of the groups that hold a part of the block."""
        total = 0
        for key, group in groups(show(self.rows, state), list(self.columns)).items():
            block = dict(zip(self.columns, key, strict=True))[step.column]
            assert isinstance(block, frozenset)
            total += len(group) ** 2 if block <= step.whole else 0
        return float(total)


def _domain(column: Tree | Values | Numbers) -> Sequence[Hashable]:
    return column.leaves if isinstance(column, Tree) else column.domain


def _place(block: Block, domain: Sequence[Hashable]) -> int:
    return min((i for i, v in enumerate(domain) if v in block), default=len(domain))
