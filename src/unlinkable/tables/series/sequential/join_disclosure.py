"""Join disclosure: what the join with all earlier releases would tell after each step of a search.

Records of the next release that look alike on x are a group of it, and every group of the join
shows what one of these does. A step splits the groups that show the value it refines, and no
others: so only these are joined again, and what the join tells of the rest is remembered. In the
words of the paper: Tree1 are the earlier releases, Tree2 the groups of the next one, and what is
remembered for each is the X-tree, of which only the worst matters.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from attrs import define, field

from unlinkable.kernels.counting import joined_counts as at
from unlinkable.kernels.counting import sum_by_label
from unlinkable.tables.attacks.series import Hidden, JoinTarget, Question, Tree, ask_groups, match
from unlinkable.tables.groups import number_rows
from unlinkable.tables.methods.cuts import Cut
from unlinkable.tables.models import is_within
from unlinkable.tables.series.sequential.forecast import Forecast
from unlinkable.tables.series.sequential.join_problem import JoinProblem
from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["JoinDisclosure"]

_VAST = 1 << 62
"""No group has so many different values."""

_Found = tuple[FloatArray, CountArray, bool]
"""By group how sure the join makes, and how many values are left; and whether that is allowed."""


@define(eq=False, slots=False)
class JoinDisclosure:
    """What the join tells at present, and after each candidate.

    Attributes
    ----------
    earlier
        What is fixed.
    cut
        What columns show, and what could be told next.
    sure, kinds
        For each question and each distinct record, how sure the join makes of a value and how many
        values are left, in the worst group with it.
    n_joined
        How many parts of the next release were joined.
    """

    earlier: JoinProblem
    cut: Cut
    sure: FloatArray = field(init=False)
    kinds: CountArray = field(init=False)
    n_joined: int = field(default=0, init=False)
    _known: dict[int, Forecast] = field(factory=dict, init=False)

    def begin(self) -> Forecast:
        """Join what is shown at present, and say what that tells."""
        n = len(self.earlier.atoms.keys)
        now = self._join(np.arange(n), *self._shown(np.arange(n)))
        self.sure, self.kinds = now.sure, now.kinds
        return now

    def forecast(self, candidate: int) -> Forecast:
        """Say what the join would tell after a step."""
        if candidate not in self._known:
            cut, keys = self.cut, self.earlier.atoms.keys
            j, split = cut.column(candidate), cut.split(candidate)
            first = int(cut.first_code[j])
            rows = np.flatnonzero(cut.state.value[first + keys[:, j]] == split.value)
            values, lo, hi = self._shown(rows)
            branch = split.target[keys[rows, j]]
            begins = np.array([*split.begins, cut.state.hi[split.value]], np.int32)
            values[:, j] = split.parts[branch]
            lo[:, j], hi[:, j] = begins[branch], begins[branch + 1]
            self._known[candidate] = self._join(rows, values, lo, hi)
        return self._known[candidate]

    def lost(self, candidate: int) -> float:
        """Measure how much less private the join would be after a step.

        That is how much surer it makes, and how many values fewer are left, in the worst group.
        """
        then = self.forecast(candidate)
        others = np.ones(self.sure.shape[1], bool)
        others[then.rows] = False
        lost = 0.0
        for q, (_, question) in enumerate(self.earlier.questions):
            if question.most < 1:
                rest = self.sure[q, others].max(initial=0.0)
                lost += max(then.sure[q].max(initial=0.0), rest) - self.sure[q].max(initial=0.0)
            if question.k > 1:
                left = min(_least(then.kinds[q]), _least(self.kinds[q, others]))
                lost += max(_least(self.kinds[q]) - left, 0)
        return max(lost, 0.0)

    def perform(self, candidate: int) -> None:
        """Take note of a step, which is about to be made."""
        then, cut, keys = self.forecast(candidate), self.cut, self.earlier.atoms.keys
        self.sure[:, then.rows], self.kinds[:, then.rows] = then.sure, then.kinds
        touched = {candidate}
        for j, first in enumerate(cut.first_code[:-1].tolist()):
            if j != cut.column(candidate):
                touched.update(np.unique(cut.state.value[first + keys[then.rows, j]]).tolist())
        self._known = {c: known for c, known in self._known.items() if c not in touched}

    def _shown(self, rows: CountArray) -> tuple[CodeArray, CodeArray, CodeArray]:
        """Give what distinct records show: the value of each column, and the codes it covers."""
        state, keys = self.cut.state, self.earlier.atoms.keys[rows]
        values = state.value[self.cut.first_code[:-1][None, :] + keys]
        return values, state.lo[values], state.hi[values]

    def _join(self, rows: CountArray, values: CodeArray, lo: CodeArray, hi: CodeArray) -> Forecast:
        """Join the groups of some distinct records, all of which show these values."""
        earlier = self.earlier
        which, atoms = self._atoms_of(rows)
        known = values[which][:, self._known_columns]
        x, first = number_rows(np.column_stack([known, earlier.atoms.known[atoms]]))
        weight, n_questions = earlier.atoms.weight[atoms], len(earlier.questions)
        sure = np.zeros((n_questions, rows.size))
        kinds = np.full((n_questions, rows.size), _VAST)
        is_kept = is_kept_alone = True
        tree = None if self.is_settled else self._tree(x, which, atoms, lo, hi)
        self.n_joined += first.size if tree is None else len(tree)
        for q, (item, question) in enumerate(earlier.questions):
            is_mine = question.release == len(earlier.trees)
            if tree is not None:
                found = self._ask(tree, atoms, item, question, is_mine=is_mine)
            elif is_mine:
                found = self._look(x, weight, atoms, item, question, first.size)
            else:
                found = self._fixed[q]
            np.maximum.at(sure[q], which, np.broadcast_to(found[0], first.size)[x])
            np.minimum.at(kinds[q], which, np.broadcast_to(found[1], first.size)[x])
            is_kept &= found[2]
        for item, question in earlier.alone:
            alone = self._look(x, weight, atoms, item, question, first.size)
            is_kept_alone &= alone[2]
        return Forecast(rows, sure, kinds, is_kept and is_kept_alone, is_kept_alone)

    def _look(
        self,
        x: CodeArray,
        weight: CountArray,
        atoms: CountArray,
        item: JoinTarget,
        question: Question,
        n: int,
    ) -> _Found:
        """Count what groups of the next release hide: that is what the join tells."""
        hidden = Hidden.of(x, self.earlier.atoms.y[item.column][atoms], weight)
        wholes = sum_by_label(weight, x, n)
        counts = np.where(question.is_asked[hidden.y], hidden.count, 0)
        starts = hidden.by_part(n)
        peak = np.maximum.reduceat(counts, starts[:-1]) if n else counts
        kinds = np.diff(starts)
        is_good = bool(is_within(peak, question.most, wholes).all() and (kinds >= question.k).all())
        return peak / np.maximum(wholes, 1), kinds, is_good

    def _ask(
        self, tree: Tree, atoms: CountArray, item: JoinTarget, question: Question, *, is_mine: bool
    ) -> _Found:
        """Join groups of the next release with all earlier ones."""
        before = self._before(item, question, is_mine=is_mine)
        mine = tree.everything()
        if is_mine:
            codes = self.earlier.atoms.y[item.column][atoms]
            mine = Hidden.of(tree.labels, codes, self.earlier.atoms.weight[atoms])
        matches = match(tree.nodes, before[0].nodes, self.earlier.sizes)
        levels, _ = ask_groups(before, (tree, mine), matches, question, is_last=is_mine)
        kinds = np.where(levels[:, at.GROUPS] > 0, levels[:, at.LEAST_KINDS], _VAST)
        return levels[:, at.PART] / levels[:, at.WHOLE], kinds, not levels[:, at.BAD].any()

    def _tree(
        self, x: CodeArray, which: CodeArray, atoms: CountArray, lo: CodeArray, hi: CodeArray
    ) -> Tree:
        earlier = self.earlier
        shown = {name: (a[atoms], b[atoms]) for name, (a, b) in earlier.atoms.shown.items()}
        for name, labels in earlier.labels.items():
            j = earlier.quasi.index(name)
            shown[name] = labels.look_up(lo[which, j], hi[which, j])
        return Tree.of(x[:, None], earlier.nodes(shown, x.size), earlier.atoms.weight[atoms])

    def _before(
        self, item: JoinTarget, question: Question, *, is_mine: bool
    ) -> tuple[Tree, Hidden]:
        """Join the earlier releases with each other, once for each that tells something."""
        key = (-1, None) if is_mine else (question.release, item)
        if key not in self._joined:
            trees = self.earlier.trees
            hides = [
                question.hidden if i == key[0] else tree.everything()
                for i, tree in enumerate(trees)
            ]
            tree, hidden = trees[0], hides[0]
            for other, its in zip(trees[1:], hides[1:], strict=True):
                tree, hidden = tree.join(other, hidden, its, self.earlier.sizes)
            self._joined[key] = tree, hidden
        return self._joined[key]

    def _atoms_of(self, rows: CountArray) -> tuple[CodeArray, CountArray]:
        """Give the atoms of some distinct records, and for each the place of its record."""
        place = np.full(len(self.earlier.atoms.keys), -1, np.int32)
        place[rows] = np.arange(rows.size, dtype=np.int32)
        which = place[self.earlier.atoms.row]
        atoms = np.flatnonzero(which >= 0)
        return which[atoms], atoms

    @cached_property
    def is_settled(self) -> bool:
        """Whether the shares of a release are those of the join; see `JoinProblem.doubts`."""
        return not self.earlier.doubts

    @cached_property
    def _known_columns(self) -> list[int]:
        return [j for j, name in enumerate(self.earlier.quasi) if name in self.earlier.promise.x]

    @cached_property
    def _joined(self) -> dict[tuple[int, JoinTarget | None], tuple[Tree, Hidden]]:
        return {}

    @cached_property
    def _fixed(self) -> dict[int, _Found]:
        """What earlier releases tell, which no step changes."""
        found = {}
        for q, (_, question) in enumerate(self.earlier.questions):
            if question.release < len(self.earlier.trees):
                tree, hidden = self.earlier.trees[question.release], question.hidden
                counts = np.where(question.is_asked[hidden.y], hidden.count, 0)
                wholes = tree.size[hidden.part]
                kinds = np.diff(hidden.by_part(len(tree)))
                is_good = is_within(counts, question.most, wholes).all()
                found[q] = (
                    (counts / wholes).max(keepdims=True, initial=0.0),
                    kinds.min(keepdims=True, initial=_VAST),
                    bool(is_good and (kinds >= question.k).all()),
                )
        return found


def _least(kinds: CountArray) -> int:
    return int(kinds.min(initial=_VAST))
