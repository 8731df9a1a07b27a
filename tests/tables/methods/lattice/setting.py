"""Random searches, each twice: as the library is asked, and as the witnesses are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from attrs import frozen
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, table_of
from tests.witness import emd, metrics, promises
from tests.witness.methods import Metric as PlainMetric
from tests.witness.methods import Node as PlainNode
from tests.witness.methods import Problem
from tests.witness.metrics import Published
from unlinkable.release.attacks import Threat
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.metrics import (
    AverageClassSize,
    Discernibility,
    ILoss,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.metrics.base import GroupMetric
from unlinkable.tables.models import (
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
)
from unlinkable.tables.models.base import All, GroupModel, Merging
from unlinkable.typing import BoolArray, FloatArray

__all__ = ["AtMost", "Setting", "settings"]

Promised = tuple[promises.Promise, GroupModel]


@frozen
class AtMost(GroupModel):
    """At most ``most`` records in every group: the plainest promise that merging breaks."""

    name = "at-most"
    reference = "none"
    threats = Threat.TABLE
    parameter = "most"

    most: int

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    def judge(self, groups: Groups) -> BoolArray:
        return groups.sizes <= self.most

    def level(self, groups: Groups) -> FloatArray:
        return groups.sizes.astype(float)


@dataclass(frozen=True)
class Setting:
    """A table, promises, a metric and a limit, in both forms."""

    random: RandomTable
    promised: Sequence[Promised]
    metric: GroupMetric
    limit: int

    @property
    def problem(self) -> Problem:
        """What the witnesses are asked."""
        table = self.random
        return Problem(
            table.rows, table.qid, table.trees, [p for p, _ in self.promised], self.limit
        )

    @property
    def plain_metric(self) -> PlainMetric:
        """The metric as the witnesses measure it."""
        trees, qid = self.random.trees, self.random.qid

        def measure(release: Sequence[Published]) -> Fraction | int:
            match self.metric:
                case ILoss():
                    return metrics.iloss(release, trees, qid)
                case NormalizedCertaintyPenalty():
                    return metrics.normalized_certainty_penalty(release, trees, qid)
                case Discernibility():
                    return metrics.discernibility(release, qid)
                case AverageClassSize(k=k):
                    return metrics.average_class_size(release, qid, k)
            raise AssertionError(f"no witness for {self.metric}")

        return measure

    @property
    def privacy(self) -> All:
        """What is promised."""
        return All(model for _, model in self.promised)

    @property
    def task(self) -> Task:
        """What the search is asked for."""
        share = Fraction(self.limit, max(len(self.random.rows), 1))
        return Task(table_of(self.random).attributes, self.metric, share)

    def search(self, method: Search) -> Solution:
        """Run a method."""
        return method.search(finest_of(self.random), self.privacy, self.task)

    def node(self, solution: Solution) -> PlainNode:
        """The node of a solution."""
        assert solution.node is not None
        return dict(solution.node)

    def is_published_as_expected(self, solution: Solution) -> bool:
        """Whether the partition puts records together and leaves them out as its node says."""
        problem, node = self.problem, self.node(solution)
        shown, kept = problem.generalize(node), set(problem.kept(node))
        labels = solution.partition.labels[count(table_of(self.random)).labels].tolist()
        if [i for i, label in enumerate(labels) if label >= 0] != sorted(kept):
            return False
        pairs = {(tuple(shown[i][a] for a in self.random.qid), labels[i]) for i in kept}
        return len(pairs) == len({row for row, _ in pairs}) == solution.partition.n_parts


@st.composite
def settings(
    draw: st.DrawFn,
    *,
    kinds: str = "kdertu",
    metric: Sequence[GroupMetric] | None = None,
    suppression: bool = True,
    several_qids: bool = True,
) -> Setting:
    """Draw a search. ``kinds`` are the models that may occur, by their first letters.

    With t-closeness nothing may be left out: what the witnesses leave out is right only if leaving
    out others never mends a group.
    """
    random = draw(tables(min_records=1, max_records=16, max_qid=3, max_leaves=5))
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=2, unique=True))
    promised = [draw(_promise(kind, random, several_qids=several_qids)) for kind in chosen]
    n = len(random.rows)
    may_go = suppression and "t" not in chosen
    limit = draw(st.integers(0, n)) if may_go and draw(st.booleans()) else 0
    known: Sequence[GroupMetric] = (ILoss(), NormalizedCertaintyPenalty(), Discernibility())
    return Setting(random, promised, draw(st.sampled_from(metric or known)), limit)


@st.composite
def _promise(draw: st.DrawFn, kind: str, random: RandomTable, *, several_qids: bool) -> Promised:
    column = draw(st.sampled_from(random.sensitive))
    match kind:
        case "k":
            k, owner = draw(st.integers(1, 4)), random.owner
            qid = None
            if several_qids and draw(st.integers(0, 3)) == 0:
                qid = tuple(a for a in random.qid if draw(st.booleans())) or random.qid[:1]
            return promises.k_anonymous(k, owner=owner, qid=qid), KAnonymity(k, qid=qid)
        case "d":
            l = draw(st.integers(1, 3))  # noqa: E741
            return promises.distinct_l_diverse(l, column), DistinctLDiversity(l, sensitive=column)
        case "e":
            bound = draw(st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3)]))
            return (
                promises.entropy_l_diverse(bound, column),
                EntropyLDiversity(bound, sensitive=column),
            )
        case "r":
            c, l = draw(st.sampled_from([1, 2, 3])), draw(st.integers(1, 3))  # noqa: E741
            return (
                promises.recursive_cl_diverse(c, l, column),
                RecursiveCLDiversity(c=c, l=l, sensitive=column),
            )
        case "t":
            t = draw(st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2)]))
            return promises.t_close(t, column, emd.emd_equal), TCloseness(t, sensitive=column)
        case _:
            most = draw(st.integers(1, 6))
            plain = promises.Promise(f"at-most({most})", lambda group, whole: len(group) <= most)
            return plain, AtMost(most)
