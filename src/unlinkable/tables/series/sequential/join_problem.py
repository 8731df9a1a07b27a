"""Join problem: what is fixed while the next release of other columns is searched for.

The earlier releases are out and cannot change. What they show, how the records of the next release
can match theirs whatever these will show, and what they hide is read once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np
from attrs import define

from unlinkable.tables.attacks.series import (
    Edition,
    Hidden,
    JoinColumn,
    JoinTarget,
    Nodes,
    Question,
    Releases,
    Tree,
    count_dangling,
    join_columns,
    match_all,
    nodes_of,
)
from unlinkable.tables.data import Frame, Table
from unlinkable.tables.data.reading import to_frame
from unlinkable.tables.methods.cuts import Tree as TaxonomyTree
from unlinkable.tables.series.sequential.atoms import (
    UNPUBLISHED,
    Atoms,
    JoinPromise,
    Labels,
    atoms_of,
    labels_of,
)
from unlinkable.tables.taxonomies import write_ranges
from unlinkable.typing import CodeArray, Columns

__all__ = ["JoinProblem"]

Questions = tuple[tuple[JoinTarget, Question], ...]
"""Everything that is asked."""


@define(eq=False, frozen=True, slots=False)
class JoinProblem:
    """What is fixed.

    Attributes
    ----------
    promise
        What is promised of the join.
    trees
        The earlier releases.
    columns
        The columns by which records are matched.
    atoms
        The records of the next release.
    labels
        By quasi-identifying column that is matched, what it can show.
    questions
        What is asked of the join, and which release tells it, by place; the next one comes last.
    alone
        What is asked of the next release by itself.
    quasi
        The quasi-identifier of the next release.
    """

    promise: JoinPromise
    trees: tuple[Tree, ...]
    columns: tuple[JoinColumn, ...]
    atoms: Atoms
    labels: Mapping[str, Labels]
    questions: Questions
    alone: Questions
    quasi: Columns

    @classmethod
    def of(cls, promise: JoinPromise, editions: Sequence[Edition], table: Table) -> Self:
        """Read the earlier releases, and the records of the next one."""
        quasi, targets = table.schema.quasi, [edition.target for edition in editions]
        there = [n for n in table.frame.columns if table.schema[n].role not in UNPUBLISHED]
        nodes = {name: TaxonomyTree.of(table.taxonomy(name)) for name in quasi}
        texts: dict[str, Frame] = {n: table.frame for n in there if n not in quasi}
        for name, tree in nodes.items():
            told = write_ranges(table.taxonomy(name), tree.lo, tree.hi).tolist()
            texts[name] = to_frame({name: told})[0]
        means = {n: table.taxonomy(n) for n in (*quasi, *table.schema.sensitive)}
        columns = join_columns(
            [*(dict.fromkeys(t.frame.columns, t.frame) for t in targets), texts],
            [*(t.taxonomies for t in targets), means],
            promise.rules,
            numbers=promise.numbers,
        )
        before = Releases(tuple(t.frame for t in targets), columns, promise.rules, promise.x)
        trees = tuple(
            Tree.of(before.known(i), before.nodes(i), np.ones(frame.height, np.int64))
            for i, frame in enumerate(before.frames)
        )
        shown = {c.name: part for c in columns if (part := c.parts[-1]) is not None}
        atoms = atoms_of(promise, table, {n: s for n, s in shown.items() if n not in quasi})
        labels = {n: labels_of(nodes[n], shown[n]) for n in quasi if n in shown}
        alone = _alone(promise, atoms, table, len(trees))
        questions = _questions(promise, before, trees, atoms, alone)
        return cls(promise, trees, columns, atoms, labels, questions, alone, quasi)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many codes the columns have by which values are matched."""
        return tuple(column.n_codes for column in self.columns if column.is_shared)

    def nodes(self, shown: Mapping[str, tuple[CodeArray, CodeArray]], n: int) -> Nodes:
        """Give how records of the next release match, if they show this."""
        return nodes_of(self.columns, self.promise.rules, shown, n)

    @property
    def told_again(self) -> Columns:
        """What is to stay hidden and was told before: records match by it, and x cannot have it."""
        hidden = {item.column for item in self.promise.asked}
        return tuple(c.name for c in self.columns if c.parts[-1] is not None and c.name in hidden)

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """Say why telling more might make the join tell less: then nothing is given up for good.

        If x tells how every record matches, the share of a value in a group of the join is its
        share in the release that tells it. It can only rise where groups are split, as long as
        every part still matches something; and that it does if every record as it is does.
        """
        if not self.trees:
            return ()
        found = []
        again = self.told_again
        if again:
            found.append(f"records match by {', '.join(map(repr, again))}, which is told again")
        mine = [c.name for c in self.columns if c.parts[-1] is not None]
        if free := [n for n in mine if n not in (*self.promise.x, *again)]:
            found.append(f"x does not have {', '.join(map(repr, free))}, by which records match")
        if not all(tree.tells_node for tree in self.trees):
            found.append("x does not tell how records of earlier releases match")
        n_dangling = self.n_dangling
        if n_dangling:
            found.append(f"{n_dangling:,} records match nothing in another release")
        return tuple(found)

    @cached_property
    def n_dangling(self) -> int:
        """Number of records of all releases that match nothing, with the next one as it is."""
        trees = [*self.trees, self.as_it_is()]
        _, which = match_all([tree.nodes for tree in trees], self.sizes)
        return sum(count_dangling(trees, which))

    def as_it_is(self) -> Tree:
        """Give the next release as it would be if it was not generalized."""
        atoms, shown = self.atoms, dict(self.atoms.shown)
        for name, labels in self.labels.items():
            codes = np.ascontiguousarray(atoms.keys[atoms.row, self.quasi.index(name)])
            shown[name] = labels.look_up(codes, codes + np.int32(1))
        nothing = np.zeros((atoms.row.size, 0), np.int32)
        return Tree.of(nothing, self.nodes(shown, atoms.row.size), atoms.weight)


def _questions(
    promise: JoinPromise, before: Releases, trees: Sequence[Tree], atoms: Atoms, alone: Questions
) -> Questions:
    """Say for everything that is asked which release tells it, as the attack does."""
    mine, found = dict(alone), []
    for item in promise.asked:
        if not before.having(item.column):
            found += [(item, mine[item])] if item in mine else []
            continue
        i = before.teller(item.column)
        codes, texts = before.of_teller(item.column, i)
        if item in mine and np.unique(atoms.y[item.column]).size >= np.unique(codes).size:
            found.append((item, mine[item]))
            continue
        is_asked = np.array([item.value in (None, text) for text in texts], bool)
        hidden = Hidden.of(trees[i].labels, codes, np.ones(codes.size, np.int64))
        found.append((item, Question(i, hidden, is_asked, *_bounds(promise, item))))
    return tuple(found)


def _alone(promise: JoinPromise, atoms: Atoms, table: Table, place: int) -> Questions:
    """Ask the next release itself, which comes at this place, for what it tells."""
    found = []
    for item in promise.asked:
        if item.column in atoms.y:
            domain = table.taxonomy(item.column).domain
            is_asked = np.full(domain.n, item.value is None)
            if item.value is not None and (code := domain.code_of(item.value)) >= 0:
                is_asked[code] = True
            none = np.zeros(0, np.int32)
            nothing = Hidden(none, none, none.astype(np.int64))
            found.append((item, Question(place, nothing, is_asked, *_bounds(promise, item))))
    return tuple(found)


def _bounds(promise: JoinPromise, item: JoinTarget) -> tuple[Fraction, int]:
    return item.limit or promise.h, promise.k if item.value is None else 1
