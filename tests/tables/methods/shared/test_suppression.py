"""Which groups are left out: no other set loses less where that is claimed, and none where none is.

Groups that are compared with the published table, or seen together with others by an adversary who
knows only some columns, may be mended by leaving out others, good ones included.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from attrs import frozen
from hypothesis import assume, given
from hypothesis import strategies as st

import unlinkable as ul
from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of
from tests.tables.methods.cuts.every_split import cuts_of, n_ways
from tests.tables.methods.lattice.example import run
from tests.tables.methods.lattice.setting import Promised, Setting
from tests.witness import closeness, emd, promises
from tests.witness.emd import Distribution
from tests.witness.methods import Node, Problem, exhaustive_loss, releases
from tests.witness.models import Row, groups
from tests.witness.skyline import is_skyline_private
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.data import Table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods import Datafly, KOptimize, MinGen, Optimal
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.methods.cuts.shared import set_enumeration
from unlinkable.tables.methods.lattice import OLA, SPALM, Flash, Incognito
from unlinkable.tables.methods.lattice.shared import survey
from unlinkable.tables.methods.shared.suppression import Allowance, RecordLosses, choose, kept
from unlinkable.tables.metrics import (
    AverageClassSize,
    Discernibility,
    ILoss,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.models.base import All, GroupModel, Merging, Threat
from unlinkable.typing import BoolArray, FloatArray

MONOTONE: list[GroupMetric] = [ILoss(), NormalizedCertaintyPenalty(), Discernibility()]
KINDS = "tohHbxlcsaek"
"""t-closeness (equal, ordered, hierarchical, Hellinger), beta-likeness, delta-disclosure, LKC,
confidence bounding on one column, skyline, (alpha, k), entropy and k-anonymity with owners."""


def small(rows: dict[str, str]) -> Table:
    """One quasi-identifying and one sensitive column: the hidden values of every group."""
    pairs = [(q, s) for q, values in rows.items() for s in values]
    columns = {"q": [q for q, _ in pairs], "s": [s for _, s in pairs]}
    return ul.as_table(columns, quasi="q", sensitive="s")


# Examples


HISTOGRAMS = {"g0": "xxyyyy", "g1": "xxyyzz", "g2": "xz", "g3": "xxyyyz"}


@pytest.mark.parametrize("method", [Optimal(), MinGen(), KOptimize()], ids=str)
def test_one_of_two_bad_groups_goes_if_that_mends_the_other(method: Search) -> None:
    release = ul.anonymize(
        small(HISTOGRAMS), privacy=ul.TCloseness("1/5"), method=method, suppression="1/4"
    )
    assert release.solution.optimal
    assert release.measure() == pytest.approx(0.1)
    assert release.solution.partition.n_suppressed == 2


@pytest.mark.parametrize("method", [Optimal(), MinGen(), KOptimize()], ids=str)
def test_a_good_group_goes_if_that_mends_a_bad_one(method: Search) -> None:
    release = ul.anonymize(
        small({"u": "xxyyzzz", "v": "z"}),
        privacy=ul.SkylinePrivacy([[0, 0, 1, "0.7"]]),
        method=method,
        suppression="1/2",
    )
    assert release.solution.optimal
    assert release.solution.partition.n_suppressed == 1


# Every set of groups, by definition


@dataclass(frozen=True)
class TablePromise(promises.Promise):
    """Nobody who knows a family of one is as sure of a value as ``c``: a bound on all groups."""

    sensitive: str = ""
    c: Fraction = Fraction(1)

    def good(self, rows: Sequence[Row], qid: Sequence[str]) -> list[bool]:
        buckets = [[row[self.sensitive] for row in part] for part in groups(rows, qid).values()]
        values = {value for bucket in buckets for value in bucket}
        skyline = {(0, 0, 1): self.c}
        holds = all(is_skyline_private(buckets, v, skyline, implied=True) for v in values)
        return [holds] * len(rows)


@st.composite
def promised(draw: st.DrawFn, kind: str, random: RandomTable) -> list[Promised]:
    s, tree = random.sensitive[0], random.trees[random.sensitive[0]]
    t = draw(st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2)]))
    share = draw(st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(3, 4)]))
    model: GroupModel
    match kind:
        case "t":
            return [(promises.t_close(t, s, emd.emd_equal), ul.TCloseness(t, sensitive=s))]
        case "o":

            def ordered(p: Distribution, q: Distribution) -> Fraction:
                return emd.emd_ordered(p, q, [leaf for leaf in tree.leaves if leaf in q])

            model = ul.TCloseness(t, sensitive=s, distance="ordered")
            return [(promises.t_close(t, s, ordered), model)]
        case "h":

            def hierarchical(p: Distribution, q: Distribution) -> Fraction:
                return emd.emd_hierarchical(p, q, tree)

            model = ul.TCloseness(t, sensitive=s, distance="hierarchical")
            return [(promises.t_close(t, s, hierarchical), model)]
        case "H":
            far = draw(st.sampled_from([0.29, 0.41]))
            plain = promises.nearly_close(far, s, closeness.hellinger)
            return [(plain, ul.HellingerCloseness(far, sensitive=s))]
        case "b":
            beta = draw(st.sampled_from([Fraction(1, 4), Fraction(1, 2), Fraction(1)]))
            return [(promises.beta_like(beta, s), ul.BetaLikeness(beta, sensitive=s))]
        case "x":
            delta = draw(st.sampled_from([0.5, 1.0, 1.5]))
            model = ul.DeltaDisclosure(delta, sensitive=s)
            return [(promises.delta_disclosing(delta, s), model)]
        case "l":
            L, K = draw(st.integers(1, 2)), draw(st.integers(1, 2))
            model = ul.LKCPrivacy(l=L, k=K, c=share, sensitive=s)
            parts = promises.lkc_private(random.qid, s, L=L, K=K, C=share)
            return [(part, model) for part in parts]
        case "c":
            value = draw(st.sampled_from(sorted({str(row[s]) for row in random.rows})))
            plain = promises.confident_at_most(share, s, value, qid=random.qid[:1])
            template = f"{random.qid[0]} -> {s} = {value} <= {share}"
            return [(plain, ul.ConfidenceBounding(template))]
        case "s":
            plain = TablePromise("skyline", lambda group, whole: True, sensitive=s, c=share)
            return [(plain, ul.SkylinePrivacy([[0, 0, 1, share]], sensitive=s))]
        case "a":
            plain = promises.alpha_k_anonymous(share, 2, s)
            return [(plain, ul.AlphaKAnonymity(alpha=share, k=2, sensitive=s))]
        case "e":
            plain = promises.entropy_l_diverse(Fraction(3, 2), s)
            return [(plain, ul.EntropyLDiversity("3/2", sensitive=s))]
        case _:
            plain = promises.k_anonymous(2, owner=random.owner)
            return [(plain, ul.KAnonymity(2))]


@st.composite
def problems(draw: st.DrawFn, metrics: Sequence[GroupMetric], kinds: str = KINDS) -> Setting:
    """Draw a small table, promises, a metric, and how many records may be left out."""
    kind = draw(st.sampled_from(kinds))
    random = draw(
        tables(
            min_records=2,
            max_records=5 if kind == "s" else 8,
            max_qid=2,
            max_sensitive=1,
            max_leaves=4,
            max_height=2,
            missing=False,
            owner=kind == "k",
        )
    )
    limit = draw(st.integers(0, len(random.rows) // 2))
    found = draw(promised(kind, random))
    if kind not in "ks" and draw(st.integers(0, 3)) == 0:
        found = [*found, *draw(promised("a", random))]
    return Setting(random, found, draw(st.sampled_from(metrics)), limit)


def check(setting: Setting, method: Search, least: Fraction | int | None) -> None:
    """Hold a method to what it claims; on so small a table the claim is made."""
    is_thrifty = setting.limit == 0 or setting.metric.monotone
    try:
        found = setting.search(method)
    except UnsupportedError:
        return
    except InfeasibleError:
        with pytest.raises(InfeasibleError, match=r"^no release"):
            setting.search(method)
        assert least is None
        return
    assert least is not None
    shown = Shown.of(found.partition, setting.task.attributes)
    loss = setting.metric.value(shown)
    assert loss >= float(least) * (1 - 1e-9)
    if found.optimal:
        assert loss == pytest.approx(float(least), rel=1e-9)
    if is_thrifty and method in (Optimal(), MinGen(), KOptimize()):
        assert found.optimal


ALL_NODES: list[Search] = [Optimal(), MinGen(), Incognito(), SPALM(), OLA(), Flash()]


@given(setting=problems(MONOTONE))
def test_no_set_of_groups_at_any_node_loses_less(setting: Setting) -> None:
    least = exhaustive_loss(setting.problem, setting.plain_metric)
    for method in ALL_NODES:
        check(setting, method, least)


@given(setting=problems([AverageClassSize(k=2)]))
def test_nothing_is_claimed_that_leaving_out_good_groups_refutes(setting: Setting) -> None:
    least = exhaustive_loss(setting.problem, setting.plain_metric)
    for method in ALL_NODES:
        check(setting, method, least)


@dataclass(frozen=True)
class Cuts(Problem):
    """A problem whose nodes are cuts: the place of one in the list of each column."""

    def nodes(self) -> list[Node]:
        found: list[Node] = [{}]
        for a in self.qid:
            n = len(cuts_of(self.trees[a]))
            found = [{**node, a: i} for node in found for i in range(n)]
        return found

    def generalize(self, node: Node) -> list[Row]:
        ways = {a: cuts_of(self.trees[a])[node[a]] for a in self.qid}
        return [{**row, **{a: _named(ways[a][row[a]]) for a in self.qid}} for row in self.rows]


def _named(values: frozenset[Hashable]) -> str:
    return " ".join(sorted(map(str, values)))


@given(setting=problems([Discernibility()]))
def test_no_set_of_groups_at_any_cut_loses_less(setting: Setting) -> None:
    random, n = setting.random, len(setting.random.rows)
    assume(n_ways({a: cuts_of(random.trees[a]) for a in random.qid}) <= 25)
    plain = setting.problem
    problem = Cuts(plain.rows, plain.qid, plain.trees, plain.promises, plain.limit)
    least: int | None = None
    for node in problem.nodes():
        recoded = problem.generalize(node)
        for records in releases(problem, node):
            parts = groups([recoded[i] for i in records], random.qid).values()
            loss = sum(len(part) ** 2 for part in parts) + n * (n - len(records))
            least = loss if least is None else min(least, loss)
    check(setting, KOptimize(), least)


# One table at a time


@st.composite
def models(draw: st.DrawFn) -> tuple[Groups, GroupModel, int]:
    setting = draw(problems([ILoss()]))
    whole = Partition.at_levels(
        finest_of(setting.random), setting.task.attributes, [0] * len(setting.random.qid)
    )
    return whole.groups(), setting.promised[0][1], setting.limit


def fewest(table: Groups, privacy: All, limit: int) -> int | None:
    """Count the records of the smallest set of groups whose loss leaves a release."""
    found = []
    for n in range(len(table) + 1):
        for gone in combinations(range(len(table)), n):
            keep = np.ones(len(table), bool)
            keep[list(gone)] = False
            n_gone = int(table.sizes[~keep].sum())
            if n_gone <= limit and privacy.good(table.select(keep).alone()).all():
                found.append(n_gone)
    return min(found, default=None)


@given(models(), st.sampled_from([0, 100, 1000]))
def test_what_was_not_tried_loses_no_less_than_the_floor(
    drawn: tuple[Groups, GroupModel, int], allowance: int
) -> None:
    table, model, limit = drawn
    privacy = All([model])
    least = fewest(table, privacy, limit)
    choice = choose(
        table, privacy, limit, RecordLosses(table.sizes), allowance=Allowance(allowance)
    )
    n_gone = int(table.sizes[~choice.keep].sum())
    if choice.is_release:
        assert privacy.good(table.select(choice.keep).alone()).all()
        assert least is not None
        assert limit >= n_gone >= least >= min(n_gone, choice.floor)
    elif choice.is_impossible:
        assert least is None
    else:
        assert least is None or least >= choice.floor


@given(models())
def test_sets_that_lose_too_much_are_of_no_use(drawn: tuple[Groups, GroupModel, int]) -> None:
    table, model, limit = drawn
    privacy, losses = All([model]), RecordLosses(table.sizes)
    assume(limit > 0)
    free = choose(table, privacy, limit, losses, allowance=Allowance())
    assume(free.is_release)
    n_gone = losses.of(free.keep)
    same = choose(table, privacy, limit, losses, most=n_gone, allowance=Allowance())
    assert same.is_release
    assert losses.of(same.keep) == n_gone
    if n_gone and not (model.local and not model.relative):
        none = choose(table, privacy, limit, losses, most=n_gone - 1, allowance=Allowance())
        assert not none.is_release
        assert not none.is_impossible
        assert none.floor == np.inf


def test_the_smaller_half_of_the_bad_groups_goes_first() -> None:
    table = small(HISTOGRAMS)
    model = ul.TCloseness("1/5", sensitive="s")
    finest = count(table, model.needs()).finest
    assert kept(finest, All([model])).tolist() == [True, True, False, True]


# What is not proved is not claimed


def no_more_than_needed(patch: pytest.MonkeyPatch) -> None:
    """Let searches try no more than one set of groups of every table."""
    for module in (survey, set_enumeration):
        patch.setattr(module, "Allowance", lambda is_over: Allowance(0))


@frozen
class Thirds(GroupModel):
    """The number of published records is a multiple of three: any group may mend it or break it."""

    name = "thirds"
    reference = "none"
    threats = Threat.TABLE
    parameter = "of"

    of: int = 3

    @property
    def merging(self) -> Merging:
        return Merging.UNSAFE

    @property
    def collective(self) -> bool:
        return True

    def judge(self, groups: Groups) -> BoolArray:
        return np.full(len(groups), groups.n_records % self.of == 0)

    def level(self, groups: Groups) -> FloatArray:
        return np.full(len(groups), float(groups.n_records % self.of))


THIRDS = {"a": "x", "b": "xx", "c": "xxxxx"}


def test_optimal_is_not_claimed_while_other_sets_may_be_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    promise = ul.TCloseness("1/5", distance="ordered", sensitive="s")
    table = small({"a": "wwxx", "b": "wxyz", "c": "yzzz", "d": "wxxyyz"})
    assert run(Optimal(), table, [promise], limit=4).optimal
    no_more_than_needed(monkeypatch)
    for method in (Optimal(), MinGen()):
        found = run(method, table, [promise], limit=4)
        assert found.optimal is False
        assert found.is_complete


@pytest.mark.parametrize("method", [Optimal(), MinGen(), KOptimize()], ids=str)
def test_sets_are_tried_until_one_is_a_release(method: Search) -> None:
    found = run(method, small(THIRDS), [Thirds()], limit=4)
    assert found.optimal
    assert found.partition.n_suppressed == 2


@pytest.mark.parametrize("method", [Optimal(), MinGen(), KOptimize()], ids=str)
def test_it_is_not_claimed_that_there_is_no_release_while_not_all_sets_were_tried(
    method: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_more_than_needed(monkeypatch)
    with pytest.raises(
        InfeasibleError,
        match=r"found no release .* does not prove that there is none: it looked at",
    ):
        run(method, small(THIRDS), [Thirds()], limit=4)


def test_chosen_levels_are_not_refused_for_sure_while_not_all_sets_were_tried() -> None:
    with pytest.raises(InfeasibleError, match="none of the sets of at most 4 of 8 records that"):
        run(Optimal(levels=[0]), small(THIRDS), [Thirds()], limit=4)


def test_a_way_up_that_finds_nothing_proves_nothing() -> None:
    with pytest.raises(
        InfeasibleError,
        match=r"datafly found no release .*: it goes one way up .* or use optimal",
    ):
        run(Datafly(), small(THIRDS), [Thirds()], limit=4)


def test_methods_that_are_compared_and_find_nothing_prove_nothing() -> None:
    with pytest.raises(
        InfeasibleError, match=r"best found no release .* As one group: .* ask for l of at most .*"
    ):
        run(ul.Best(), small(HISTOGRAMS), [ul.EntropyLDiversity(4, sensitive="s")], limit=4)


def test_what_no_release_of_any_kind_can_keep_is_said_to_be_so() -> None:
    with pytest.raises(InfeasibleError, match=r"no release that leaves out at most 4 of 8 records"):
        run(Datafly(), small(THIRDS), [ul.KAnonymity(9), Thirds()], limit=4)
    with pytest.raises(InfeasibleError, match="no release of this kind that leaves out at most 4"):
        run(Optimal(), small(THIRDS), [ul.EntropyLDiversity(2, sensitive="s")], limit=4)
