"""Bottom-up generalization: the book's example, every step by definition, claims and refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import load
from tests.strategies import RandomTable
from tests.tables.groups.plain import finest_of, table_of
from tests.tables.methods.cuts.plain_cuts import Range, children_of, nodes_of, published
from tests.tables.methods.cuts.shared.test_information_loss import education_table
from tests.tables.methods.lattice.example import run, table_with
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from tests.witness.promises import good_records
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.cuts.bottom_up_generalization import BottomUpGeneralization
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import EntropyLDiversity, KAnonymity
from unlinkable.tables.models.base import All

Step = tuple[str, Range]


class State:
    """A table on its way up, by definition."""

    def __init__(self, setting: Setting, target: str | None) -> None:
        self.random, self.limit, self.target = setting.random, setting.limit, target
        self.promises = [promise for promise, _ in setting.promised]
        is_bare = all(isinstance(m, KAnonymity) and m.qid is None for m in setting.privacy.models)
        self.counts_sizes = is_bare and not self.limit and self.random.owner is None
        self.leaves = {a: self.random.trees[a].leaves for a in self.random.qid}
        attributes = table_of(self.random).attributes
        self.nodes = {a.name: nodes_of(a.taxonomy) for a in attributes}
        self.shown: dict[str, dict[Hashable, Range]] = {
            a: {leaf: (i, i + 1) for i, leaf in enumerate(self.leaves[a])} for a in self.random.qid
        }

    def after(self, step: Step) -> State:
        column, (lo, hi) = step
        new = object.__new__(State)
        new.__dict__.update(self.__dict__)
        values = dict(self.shown[column])
        values.update(dict.fromkeys(self.leaves[column][lo:hi], (lo, hi)))
        new.shown = {**self.shown, column: values}
        return new

    @property
    def records(self) -> list[dict[str, Hashable]]:
        return [
            {**row, **{a: self.shown[a][row[a]] for a in self.random.qid}}
            for row in self.random.rows
        ]

    def broken(self) -> int:
        rows = self.records
        kept = list(range(len(rows)))
        while True:
            good = good_records(self.promises, [rows[i] for i in kept], self.random.qid)
            kept = [i for i, is_good in zip(kept, good, strict=True) if is_good]
            if all(good) or not self.limit:
                return len(rows) - len(kept)

    def holds(self) -> bool:
        return self.broken() <= min(self.limit, len(self.random.rows) - 1)

    def privacy(self) -> int:
        """A(QID), or how few records are broken."""
        if not self.counts_sizes:
            return -self.broken()
        return min(Counter(tuple(r[a] for a in self.random.qid) for r in self.records).values())

    def possible(self) -> list[Step]:
        found = []
        for a in self.random.qid:
            occurring = {row[a] for row in self.random.rows}
            for lo, hi in self.nodes[a]:
                under = {self.shown[a][v] for v in self.leaves[a][lo:hi] if v in occurring}
                if under and under <= set(children_of(self.nodes[a], (lo, hi))):
                    found.append((a, (lo, hi)))
        return found

    def lost(self, step: Step) -> float:
        column, (lo, hi) = step
        inside = [r for r in self.random.rows if r[column] in self.leaves[column][lo:hi]]
        if self.target is not None:
            before = [self.shown[column][r[column]] for r in inside]
            classes = [r[self.target] for r in inside]
            parts = [
                [c for c, b in zip(classes, before, strict=True) if b == v] for v in set(before)
            ]
            rest = sum(len(part) / len(classes) * entropy(part) for part in parts)
            return entropy(classes) - rest
        widths = [self.shown[column][r[column]] for r in inside]
        rise = sum((hi - lo) - (b - a) for a, b in widths)
        n_cells = len(self.random.rows) * len(self.random.qid)
        return float(Fraction(rise, len(self.leaves[column]) * n_cells))


def entropy(values: Sequence[Hashable]) -> float:
    n = len(values)
    return -sum(c / n * log2(c / n) for c in Counter(values).values())


@given(settings(kinds="kdert", metric=[ILoss()]), st.booleans())
def test_makes_the_step_that_the_definition_makes_until_the_promise_holds(
    setting: Setting, towards_class: bool
) -> None:
    target = "s0" if towards_class else None
    method = BottomUpGeneralization(target=target)
    state = State(setting, target)
    try:
        found = setting.search(method)
    except InfeasibleError:
        for a in state.random.qid:
            state = state.after((a, (0, len(state.leaves[a]))))
        assert not state.holds()
        return
    n_critical = 0
    for step in found.trace:
        assert not state.holds()  # hence undoing the last step breaks the promise
        possible = state.possible()
        gains = {s: state.after(s).privacy() - state.privacy() for s in possible}
        made = step.column, (step.lo, step.hi)
        assert made in possible
        assert list(step.parts) == [v[0] for v in children_of(state.nodes[step.column], made[1])]
        critical = {s: state.lost(s) / gain for s, gain in gains.items() if gain > 0}
        if critical:
            n_critical += 1
            assert step.score == pytest.approx(critical[made], abs=1e-9)
            assert critical[made] <= min(critical.values()) + 1e-9
        else:
            assert step.score == np.inf
            assert state.lost(made) <= min(map(state.lost, possible)) + 1e-9
        state = state.after(made)
    assert state.holds()
    assert (found.effort["steps"], found.effort["critical"]) == (len(found.trace), n_critical)
    assert found.partition.n_suppressed == state.broken()
    cuts = [sorted(set(values.values())) for values in state.shown.values()]
    finest = finest_of(setting.random)
    expected, kept = published(finest, cuts), found.partition.labels >= 0
    for ends in ("lo", "hi"):
        shown = getattr(found.partition, ends)[found.partition.labels[kept]]
        assert np.array_equal(shown, getattr(expected, ends)[expected.labels[kept]])


def test_table_6_3_becomes_table_6_7_in_one_step() -> None:
    table, case = education_table(), load("book-ch06-ex6.3-infogain-vs-igpl")
    finest = count(table, [("Class",)]).finest
    privacy = All([KAnonymity(case["input"]["requirement"]["k"])])
    method = BottomUpGeneralization(target="Class")
    found = method.search(finest, privacy, Task(table.attributes, ILoss()))
    assert [(step.column, step.lo, step.hi) for step in found.trace] == [("Education", 0, 3)]
    # IL is the gain of ANY_Edu, and the smallest group grows from 2 to 6 records.
    assert found.trace[0].score == pytest.approx(0.609987 / 4, abs=1e-6)
    classes = found.partition.groups().histograms["Class",]
    codes = {text: code for code, text in enumerate(classes.taxonomy.domain.values.tolist())}  # type: ignore[union-attr]
    rows = []
    for g, (lo, hi) in enumerate(zip(found.partition.lo, found.partition.hi, strict=True)):
        assert (lo[0], hi[0]) == (0, 3)
        at = slice(classes.indptr[g], classes.indptr[g + 1])
        counts = dict(zip(classes.values[at].tolist(), classes.counts[at].tolist(), strict=True))
        sex = table.attributes[1].taxonomy.domain.text(int(lo[1]))
        hours = "[40-99)" if lo[2] else "[1-40)"
        y, n = counts.get(codes["Y"], 0), counts.get(codes["N"], 0)
        rows.append(["ANY_Edu", sex, hours, y, n, y + n])
    assert sorted(rows) == sorted(case["expected"]["final_igpl_table_6_7"]["rows"])
    assert found.effort == {"steps": 1, "critical": 1, "tried": 3, "groups": 21}


def two_columns(pairs: Sequence[str]) -> RandomTable:
    tree = Tree({v: (v, "*") for v in "abc"})
    rows: list[dict[str, Hashable]] = [{"q0": p[0], "q1": p[1], "s0": "x"} for p in pairs]
    hidden = Tree({"x": ("x", "*")})
    return RandomTable(rows, ("q0", "q1"), ("s0",), {"q0": tree, "q1": tree, "s0": hidden}, None)


def test_an_earlier_step_may_turn_out_not_to_have_been_needed() -> None:
    # q0 makes the smallest group a little larger and costs little, but only q1 can do what is
    # asked, and would have done it alone.
    rows = [{"q0": p[0], "q1": p[1]} for p in WASTED]
    tree = Tree({v: (v, "*") for v in "abc"})
    table = table_with(rows, {"q0": tree, "q1": tree}, importance={"q1": 4.0})
    finest, privacy = count(table).finest, All([KAnonymity(3)])
    found = BottomUpGeneralization().search(finest, privacy, Task(table.attributes, ILoss()))
    assert [step.column for step in found.trace] == ["q0", "q1"]
    without_the_first = published(finest, [[(0, 1), (1, 2), (2, 3)], [(0, 3)]])
    assert privacy.holds(without_the_first.groups())


WASTED = ["aa", "ab", "ac", "ca", "cb", "cc"]


def test_of_equals_the_one_that_gains_more_then_the_first_is_made() -> None:
    # Both columns lose the same; without a class that tells anything, nothing is lost at all.
    random = two_columns(["aa", "ab", "ba", "bb"])
    finest, task = finest_of(random), Task(table_of(random).attributes, ILoss())
    found = BottomUpGeneralization().search(finest, All([KAnonymity(2)]), task)
    assert [step.column for step in found.trace] == ["q0"]
    # The second column gains 2, the first 1, and neither loses anything.
    random = two_columns(["aa", "ab", "ac"])
    method = BottomUpGeneralization(target="s0")
    found = method.search(finest_of(random), All([KAnonymity(3)]), task)
    assert [step.column for step in found.trace] == ["q1"]


def test_looks_at_no_more_generalizations_than_there_are_columns() -> None:
    random = two_columns(["aa", "ab", "ba", "bb", "cc", "ca"])
    finest, task = finest_of(random), Task(table_of(random).attributes, ILoss())
    found = BottomUpGeneralization().search(finest, All([KAnonymity(6)]), task)
    assert found.effort == {"steps": 2, "critical": 2, "tried": 3, "groups": 15}


def test_goes_by_the_class_if_the_table_has_a_target() -> None:
    data = {"job": ["a", "b", "a"], "sex": ["f", "m", "m"], "rich": ["y", "n", "y"]}
    with_class = as_table(data, quasi=["job", "sex"], target="rich")
    method = BottomUpGeneralization().bind(with_class.schema)
    assert str(method) == 'bottom-up-generalization(guide="class", target="rich")'
    assert method.needs(with_class.schema) == {("rich",)}
    by_metric = BottomUpGeneralization(guide="metric").bind(with_class.schema)
    assert by_metric.needs(with_class.schema) == frozenset()
    without = as_table(data, quasi=["job", "sex"], insensitive="rich")
    assert str(BottomUpGeneralization().bind(without.schema)).endswith('(guide="metric")')


def test_weights_and_importance_count() -> None:
    tree = Tree({v: (v, "*") for v in "ab"})
    # Both columns gain as much; the heavy records are those that differ on q0 alone.
    rows = [
        {"q0": "a", "q1": "a", "w": 1.0},
        {"q0": "b", "q1": "a", "w": 1.0},
        {"q0": "a", "q1": "b", "w": 1.0},
        {"q0": "b", "q1": "b", "w": 1.0},
    ]
    trees = {"q0": tree, "q1": tree}
    for importance, column in (({"q0": 2.0}, "q1"), ({"q1": 2.0}, "q0")):
        table = table_with(rows, trees, weight="w", importance=importance)
        found = run(BottomUpGeneralization(), table, [KAnonymity(2)])
        assert [step.column for step in found.trace] == [column]


def test_leaves_out_what_is_within_the_limit() -> None:
    random = two_columns(["aa", "aa", "bb", "bb", "cc"])
    table = table_of(random)
    found = run(BottomUpGeneralization(), table, [KAnonymity(2)], limit=1)
    assert (found.partition.n_suppressed, found.trace) == (1, ())
    found = run(BottomUpGeneralization(), table, [KAnonymity(2)])
    assert found.partition.n_suppressed == 0
    assert found.trace


def test_a_table_without_columns_or_with_one_value_is_published_as_it_is() -> None:
    finest = Groups(np.array([3]), np.array([3.0]), {}, {}, (), np.zeros((1, 0), np.int32))
    found = BottomUpGeneralization().search(finest, All([KAnonymity(2)]), Task((), ILoss()))
    assert found.partition.sizes.tolist() == [3]
    one = as_table({"job": ["cook", "cook"]}, quasi="job")
    found = run(BottomUpGeneralization(), one, [KAnonymity(2)])
    assert found.partition.sizes.tolist() == [2]


def test_refuses_promises_that_merging_breaks() -> None:
    table = table_of(two_columns(["aa"]))
    with pytest.raises(UnsupportedError, match="needs a promise that survives merging groups"):
        run(BottomUpGeneralization(), table, [AtMost(1)])


def test_says_what_is_missing_if_there_is_no_release() -> None:
    table = table_of(two_columns(["aa", "ab"]))
    with pytest.raises(InfeasibleError, match="needs at least 3 records, and the table has 2"):
        run(BottomUpGeneralization(), table, [KAnonymity(3)])
    empty = as_table({"job": np.array([], str)}, quasi="job")
    with pytest.raises(InfeasibleError, match="the table has no records"):
        run(BottomUpGeneralization(), empty, [KAnonymity(1)])
    with pytest.raises(InfeasibleError, match="needs at least 3 records"):
        run(BottomUpGeneralization(), table, [KAnonymity(3)], limit=1)


def test_says_if_there_was_none_on_the_way() -> None:
    # All records together have too much x; without one of them it would do.
    rows = [{"q": q, "s": s} for q, s in zip("aaabb", "xyxxy", strict=True)]
    table = table_with(rows, {"q": Tree({v: (v, "*") for v in "ab"})}, sensitive=["s"])
    promise = EntropyLDiversity(Fraction(199, 100), sensitive="s")
    with pytest.raises(InfeasibleError, match="came to the top without a release"):
        run(BottomUpGeneralization(), table, [promise], limit=1)


def test_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ParameterError, match="guide must be one of 'class', 'metric', got 'x'"):
        BottomUpGeneralization(guide="x")
    table = table_of(two_columns(["aa", "ab"]))
    with pytest.raises(SchemaError, match="name it with target="):
        run(BottomUpGeneralization(guide="class"), table, [KAnonymity(2)])
    nothing = as_table({"job": ["cook"]}, quasi="job")
    with pytest.raises(SchemaError, match="no column has the role target"):
        BottomUpGeneralization(guide="class").bind(nothing.schema)
