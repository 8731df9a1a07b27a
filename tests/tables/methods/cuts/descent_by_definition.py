"""Top-down searches word by word, on lists of records: every candidate is tried in every state.

Blocks are ranges of codes; ``None`` is the block of all codes of a column that are suppressed. See
Fung, Wang, Fu and Yu, "Introduction to Privacy-Preserving Data Publishing", 2010: algorithms 6.3.1
and 7.2.4, equations 4.4, 4.7 to 4.10, 6.1 to 6.3 and 7.2.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

__all__ = ["Along", "Block", "Literal", "Move", "Splits", "State", "Values"]

Block = tuple[int, int] | None
State = tuple[Mapping[int, Block], ...]
"""For every column and every code of it the block that is shown."""
Keeps = Callable[[Sequence[tuple[Block, ...]]], bool]


@dataclass(frozen=True)
class Along:
    """A column with a tree: the children of every node that has any."""

    n: int
    children: Mapping[tuple[int, int], Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class Splits:
    """A column of numbers; ``missing`` is the code of missing values, or -1."""

    n: int
    missing: int


@dataclass(frozen=True)
class Values:
    """A column whose values are disclosed one by one."""

    n: int


@dataclass(frozen=True)
class Move:
    """Replace a block of a column by others; ``begins`` is what a trace says of it."""

    column: int
    block: Block
    parts: tuple[Block, ...]
    begins: tuple[int, ...]

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands among moves that are equally good."""
        return self.column, self.begins[0]


@dataclass(frozen=True)
class Literal:
    """A search.

    ``cell`` measures what a cell of a column loses that shows a block, per unit of weight.
    ``is_lazy`` searches look at the best candidate first and give it up for good if it is not
    valid; others look at all candidates in every state.
    """

    codes: Sequence[tuple[int, ...]]
    columns: Sequence[Along | Splits | Values]
    keeps: Keeps
    score: str
    classes: Sequence[Hashable] = ()
    qids: Sequence[Sequence[int]] = ()
    squares: str = "reduction"
    beneficial: bool = False
    weights: Sequence[float] = ()
    cell: Callable[[int, Block], float] = lambda column, block: 0.0
    is_lazy: bool = False
    given_up: set[tuple[int, Block, tuple[int, ...]]] = field(default_factory=set)

    def start(self) -> State:
        """Show nothing."""
        return tuple(
            {v: None if isinstance(c, Values) else (0, c.n) for v in range(c.n)}
            for c in self.columns
        )

    def show(self, state: State) -> list[tuple[Block, ...]]:
        """Tell what every record shows."""
        return [tuple(state[j][v] for j, v in enumerate(row)) for row in self.codes]

    def moves(self, state: State) -> list[Move]:
        """List the candidates."""
        found = []
        for j, column in enumerate(self.columns):
            held = sorted({row[j] for row in self.codes})
            for block in dict.fromkeys(state[j][v] for v in held):
                inside = [v for v in held if state[j][v] == block]
                found += self._moves(j, column, block, inside)
        return found

    def _moves(
        self, j: int, column: Along | Splits | Values, block: Block, inside: list[int]
    ) -> list[Move]:
        if isinstance(column, Values):
            told = inside if block is None else []
            return [Move(j, None, ((v, v + 1), None), (v,)) for v in told]
        assert block is not None
        if isinstance(column, Along):
            below = column.children.get(block, ())
            return [Move(j, block, tuple(below), tuple(lo for lo, _ in below))] if below else []
        lo, hi = block
        if len(inside) < 2:
            return []
        if lo <= column.missing < hi:
            return [self._cut(j, block, column.missing)]
        cuts = [self._cut(j, block, v) for v in inside[1:]]
        return [first_best(cuts, [self._worth_of_cut(cut) for cut in cuts])]

    def _cut(self, j: int, block: tuple[int, int], at: int) -> Move:
        return Move(j, block, ((block[0], at), (at, block[1])), (block[0], at))

    def _worth_of_cut(self, cut: Move) -> float:
        """Say how good a cut is by the records of its interval alone; anonymity plays no part."""
        parts = [self._holding_codes(cut.column, part) for part in cut.parts]
        match self.score:
            case "discernibility":
                return -float(sum(len(part) ** 2 for part in parts))
            case "loss":
                return self._saved(cut)
            case _:
                return self._gain(parts)

    def after(self, state: State, move: Move) -> State:
        """Make a move."""
        shown = dict(state[move.column])
        for part in move.parts:
            if part is not None:
                shown |= dict.fromkeys(range(*part), part)
        return (*state[: move.column], shown, *state[move.column + 1 :])

    def worth(self, state: State, move: Move) -> float:
        """Give the score of a move."""
        match self.score:
            case "information-gain":
                return self._gain(self._parts(state, move))
            case "igpl":
                qids = [q for q in self.qids if move.column in q]
                lost = [
                    self.anonymity(state, q) - self.anonymity(self.after(state, move), q)
                    for q in qids
                ]
                mean = sum(lost) / len(lost) if lost else 0
                return self._gain(self._parts(state, move)) / (mean + 1)
            case "loss":
                return self._saved(move)
        blocks = {move.block, *move.parts}
        before = self._squares(state, move.column, {move.block})
        after = self._squares(self.after(state, move), move.column, blocks)
        return {"before": before, "after": after, "reduction": before - after}[self.squares]

    def anonymity(self, state: State, qid: Sequence[int]) -> int:
        """A(QID): the number of records of the smallest group."""
        groups = Counter(tuple(row[j] for j in qid) for row in self.show(state))
        return min(groups.values())

    def is_beneficial(self, state: State, move: Move) -> bool:
        """Whether the records that hold the value have several classes."""
        held = [i for part in self._parts(state, move) for i in part]
        return len({self.classes[i] for i in held}) > 1

    def run(self, steps: int | None = None) -> tuple[list[tuple[Move, float]], State]:
        """Make the best valid move until there is none."""
        state: State = self.start()
        done: list[tuple[Move, float]] = []
        while steps is None or len(done) < steps:
            move = self._next(state)
            if move is None:
                break
            done.append((move, self.worth(state, move)))
            state = self.after(state, move)
        return done, state

    def _next(self, state: State) -> Move | None:
        moves = self.moves(state)
        if self.beneficial:
            moves = [m for m in moves if self.is_beneficial(state, m)]
        if not self.is_lazy:
            moves = [m for m in moves if self.keeps(self.show(self.after(state, m)))]
            return first_best(moves, [self.worth(state, m) for m in moves]) if moves else None
        moves = [m for m in moves if (m.column, m.block, m.begins) not in self.given_up]
        while moves:
            best = first_best(moves, [self.worth(state, m) for m in moves])
            if self.keeps(self.show(self.after(state, best))):
                return best
            self.given_up.add((best.column, best.block, best.begins))
            moves.remove(best)
        return None

    def _holding_codes(self, j: int, block: Block) -> list[int]:
        assert block is not None
        return [i for i, row in enumerate(self.codes) if block[0] <= row[j] < block[1]]

    def _parts(self, state: State, move: Move) -> list[list[int]]:
        """List the records of each part."""
        before, after = self.show(state), self.show(self.after(state, move))
        held = [i for i, row in enumerate(before) if row[move.column] == move.block]
        return [[i for i in held if after[i][move.column] == part] for part in move.parts]

    def _gain(self, parts: Sequence[Sequence[int]]) -> float:
        """E(T[v]) less the mean entropy of the parts, by their sizes."""
        whole = [i for part in parts for i in part]
        rest = sum(len(part) * self._entropy(part) for part in parts)
        gain = self._entropy(whole) - rest / len(whole) if whole else 0.0
        return 0.0 if gain < 1e-12 else gain

    def _entropy(self, records: Sequence[int]) -> float:
        counts, n = Counter(self.classes[i] for i in records), len(records)
        return -sum(c / n * math.log2(c / n) for c in counts.values())

    def _squares(self, state: State, j: int, blocks: set[Block]) -> float:
        groups = Counter(self.show(state))
        return float(sum(n * n for row, n in groups.items() if row[j] in blocks))

    def _saved(self, move: Move) -> float:
        j = move.column
        if move.block is None:
            (told, _) = move.parts
            moved = [(told, self._holding_codes(j, told))]
        else:
            moved = [(part, self._holding_codes(j, part)) for part in move.parts]
        return sum(
            (self.cell(j, move.block) - self.cell(j, part)) * sum(self.weights[i] for i in held)
            for part, held in moved
        )


def first_best(moves: Sequence[Move], worth: Sequence[float]) -> Move:
    """Choose the best move; the first of those that are equally good but for rounding."""
    top = max(worth)
    return min(
        (m for m, w in zip(moves, worth, strict=True) if w >= top - 1e-9 * abs(top)),
        key=lambda m: m.place,
    )
