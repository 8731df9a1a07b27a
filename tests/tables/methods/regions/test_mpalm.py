"""MPALM: the literal search, what its regions must satisfy, and the refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests import cases
from tests.tables.groups.plain import rows_of_case, table_of
from tests.tables.methods.lattice.setting import AtMost
from tests.tables.methods.populations import Sampled, sampled
from tests.tables.methods.regions.setting import regions_of
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import SideTable, with_populations
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.lattice import SPALM
from unlinkable.tables.methods.regions.mpalm import MPALM, Division, PeopleCuts
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.region_cuts import Cuts
from unlinkable.tables.methods.regions.shared.region_layout import RegionLayout
from unlinkable.tables.metrics import Discernibility, ILoss, NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import GroupMetric, Shown
from unlinkable.tables.models import AverageRisk, DeltaPresence, KAnonymity, KMap
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.taxonomies.taxonomy import Attribute
from unlinkable.typing import CountArray, FloatArray

Cut = tuple[list[int], list[int]]
bounds = st.tuples(
    st.fractions(0, 1, max_denominator=6), st.fractions(0, 1, max_denominator=6)
).map(sorted)


@dataclass(frozen=True)
class Literal:
    """Regions cut one after the other, on plain lists of distinct people."""

    finest: Groups
    attributes: Sequence[Attribute]
    people: list[int]
    keeps: Callable[[int, int], bool]
    """Judges a half by its records and its people."""

    def run(self) -> list[list[int]]:
        return self._divide(list(range(len(self.finest))))

    def _divide(self, region: list[int]) -> list[list[int]]:
        cut = self._choose(region, only_even=True) or self._choose(region, only_even=False)
        return [region] if cut is None else [r for half in cut for r in self._divide(half)]

    def _choose(self, region: list[int], *, only_even: bool) -> Cut | None:
        best = None
        for j in range(len(self.attributes)):
            cuts = self._cuts(region, j)
            if only_even and cuts:
                cuts = [min(cuts, key=self._unevenness)]
            good = [cut for cut in cuts if all(self._is_good(half) for half in cut)]
            if good:
                cut = min(good, key=self._unevenness)
                loss = self.loss(cut[0]) + self.loss(cut[1])
                if best is None or loss < best[0]:
                    best = loss, cut
        return None if best is None else best[1]

    def _cuts(self, region: list[int], j: int) -> list[Cut]:
        codes = self.finest.keys[:, j].tolist()
        missing = self.attributes[j].taxonomy.domain.missing
        order = sorted(region, key=lambda i: codes[i])
        mixed = missing >= 0 and codes[order[0]] != missing == codes[order[-1]]
        cuts = [
            (order[:at], order[at:])
            for at in range(1, len(order))
            if codes[order[at - 1]] != codes[order[at]]
            and (not mixed or codes[order[at]] == missing)
        ]
        return [cut for cut in cuts if all(self._count(half) for half in cut)]

    def _count(self, half: list[int]) -> int:
        return sum(self.people[i] for i in half)

    def _unevenness(self, cut: Cut) -> int:
        return abs(self._count(cut[0]) - self._count(cut[1]))

    def _is_good(self, half: list[int]) -> bool:
        return self.keeps(int(self.finest.sizes[half].sum()), self._count(half))

    def loss(self, half: list[int]) -> float:
        lost = 0.0
        for j, attribute in enumerate(self.attributes):
            codes, taxonomy = self.finest.keys[half, j], attribute.taxonomy
            lo, hi = int(codes.min()), int(codes.max()) + 1
            if taxonomy.mixes_missing(np.array([lo]), np.array([hi]))[0]:
                lo, hi = 0, taxonomy.n
            lost += attribute.importance * (float(hi - lo) / taxonomy.n if hi - lo > 1 else 0.0)
        return lost * float(self.finest.sizes[half].sum())


def counted(drawn: Sampled, privacy: All) -> tuple[Groups, tuple[Attribute, ...]]:
    side = {"people": SideTable("people", drawn.population_frame)} if privacy.needs() else {}
    table, populations = with_populations(table_of(drawn.random), side)
    return count(table, privacy.needs(), populations).finest, table.attributes


def search(finest: Groups, attributes: tuple[Attribute, ...], privacy: All) -> Solution:
    task = Task(attributes, NormalizedCertaintyPenalty())
    return MPALM().search(finest, privacy.prepared(finest), task)


def check(drawn: Sampled, models: Sequence[GroupModel], keeps: Callable[[int, int], bool]) -> None:
    privacy = All(models)
    finest, attributes = counted(drawn, privacy)
    shown = Counter(tuple(row[a] for a in drawn.random.qid) for row in drawn.people)
    taxonomies = [a.taxonomy.domain for a in attributes]
    people = [
        shown[
            tuple(
                None if code == domain.missing else domain.text(code)
                for code, domain in zip(row, taxonomies, strict=True)
            )
        ]
        for row in finest.keys.tolist()
    ]
    literal = Literal(
        finest, attributes, people if privacy.needs() else finest.sizes.tolist(), keeps
    )
    whole = int(finest.sizes.sum()), sum(literal.people)
    if not keeps(*whole):
        with pytest.raises(InfeasibleError):
            search(finest, attributes, privacy)
        return
    found = search(finest, attributes, privacy)
    assert sorted(regions_of(found.partition)) == sorted(map(sorted, literal.run()))


@given(sampled(), bounds)
def test_cuts_a_population_where_the_literal_search_cuts(
    drawn: Sampled, bounds: list[Fraction]
) -> None:
    low, high = bounds
    check(
        drawn,
        [DeltaPresence(low, high, population="people")],
        lambda records, people: low <= Fraction(records, people) <= high,
    )


@given(sampled(), st.integers(1, 3), st.integers(1, 6))
def test_cuts_where_the_literal_search_cuts_for_two_promises(
    drawn: Sampled, k: int, among: int
) -> None:
    check(
        drawn,
        [KAnonymity(k), KMap(among, population="people")],
        lambda records, people: records == 0 or (records >= k and people >= among),
    )


@given(sampled(), st.integers(1, 4))
def test_a_table_is_its_own_population_if_there_is_no_other(drawn: Sampled, k: int) -> None:
    check(drawn, [KAnonymity(k)], lambda records, people: records >= k)


@given(sampled(), bounds)
def test_everybody_looks_like_one_region_and_the_release_is_verified(
    drawn: Sampled, bounds: list[Fraction]
) -> None:
    promise = DeltaPresence(*bounds, population="people")
    try:
        release = publish(table_of(drawn.random), drawn.population_frame, promise)
    except InfeasibleError:
        return
    assert release.holds
    assert release.n_suppressed == 0
    finest, _ = counted(drawn, All([promise]))
    boxes = release.solution.partition
    inside = ((boxes.lo <= finest.keys[:, None]) & (finest.keys[:, None] < boxes.hi)).all(axis=2)
    assert inside.sum(axis=1).max() == 1


def publish(
    table: ul.Table,
    people: object,
    promise: GroupModel,
    *,
    method: Search | None = None,
    metric: GroupMetric | None = None,
) -> ul.GeneralizedRelease:
    side = {"people": people}
    return ul.anonymize(table, privacy=promise, method=method or MPALM(), metric=metric, side=side)


# The literature


def test_example_2_8_of_the_book() -> None:
    case = cases.load("book-ch02-ex2.1-record-linkage-join")["input"]
    sick, people = (
        {k: [row[k] for row in rows_of_case(case[name])] for k in ("Job", "Sex", "Age")}
        for name in ("published", "external")
    )
    expected = cases.load("book-ch02-ex2.8-table-linkage-delta-presence")["expected"]
    promise = DeltaPresence(expected["min"], expected["max"], population="people")
    release = publish(ul.as_table(sick, quasi=["Job", "Sex", "Age"]), people, promise)
    # Four of five women and three of four men, as in the book; tighter bounds leave one group.
    assert sorted(release.solution.partition.sizes.tolist()) == [3, 4]
    assert release.finding.verdicts[0].achieved == {"high": expected["max"], "low": expected["min"]}


def test_less_is_lost_than_with_full_domain_generalization() -> None:
    table, people = study()
    metric, losses = NormalizedCertaintyPenalty(), []
    for method in (MPALM(), ul.Mondrian(), SPALM()):
        promise = DeltaPresence("0.1", "0.5", population="people")
        release = publish(table, people, promise, method=method, metric=metric)
        losses.append(metric.value(Shown.of(release.solution.partition, release.task.attributes)))
    assert losses == sorted(set(losses))


def study() -> tuple[ul.Table, pl.DataFrame]:
    """300 of 1,000 people, the old more often than the young."""
    rng = np.random.default_rng(11)
    age, zip_ = rng.integers(20, 80, 1000), rng.integers(0, 40, 1000)
    chance = age / age.sum()
    who = np.sort(rng.choice(1000, 300, replace=False, p=chance))
    people = pl.DataFrame({"age": age, "zip": zip_})
    return ul.as_table(people[who], quasi=["age", "zip"]), people


def test_effort_is_what_it_was() -> None:
    table, people = study()
    for bounds, effort in (
        (("0.1", "0.5"), (11, 1705, 210, 3410)),
        (("0", "0.5"), (12, 1756, 519, 3512)),
    ):
        release = publish(table, people, DeltaPresence(*bounds, population="people"))
        names = ("rounds", "cuts_tried", "cuts_made", "groups_judged")
        assert release.solution.effort == dict(zip(names, effort, strict=True))
        assert release.solution.optimal is None


def test_parts_of_the_population_without_records_are_cut_off_if_people_may_be_absent() -> None:
    sick = ul.as_table({"age": [20, 21, 40, 41]}, quasi="age")
    people = {"age": [20, 20, 21, 21, 30, 31, 32, 40, 40, 41, 41]}
    shown = {}
    for low in ("0", "0.1"):
        release = publish(sick, people, DeltaPresence(low, "0.5", population="people"))
        shown[low] = set(map(str, release.applied.frame["age"]))
    assert shown["0"] == {"20", "21", "40", "41"}
    assert shown["0.1"] == {"20", "[21-31)", "[31-41)", "41"}


def test_people_of_several_populations_are_added_up() -> None:
    sick = ul.as_table({"age": [1, 2, 3, 4]}, quasi="age")
    one, other = {"age": [1, 2, 3, 4]}, {"age": [1] * 9 + [2, 3, 4]}
    models = [KMap(2, population="one"), KMap(4, population="other")]
    release = ul.anonymize(sick, privacy=models, method=MPALM(), side={"one": one, "other": other})
    # Of 16 people, 10 are of age 1: cut there, they are parted most evenly, and one has too few.
    assert release.n_groups == 1


def test_a_metric_of_sizes_leaves_the_choice_to_the_certainty_penalty() -> None:
    table, people = study()
    promise = DeltaPresence("0.1", "0.5", population="people")
    by_size, by_cell = (
        publish(table, people, promise, metric=metric).solution.partition
        for metric in (Discernibility(), NormalizedCertaintyPenalty())
    )
    assert by_size.labels.tolist() == by_cell.labels.tolist()


def test_progress_is_told_to_the_end() -> None:
    table, people = study()
    told: list[float] = []
    ul.anonymize(
        table,
        privacy=DeltaPresence("0.1", "0.5", population="people"),
        method=MPALM(),
        side={"people": people},
        progress=lambda share, words: told.append(share),
    )
    assert told == sorted(told)
    assert told[-1] == 1.0


# Refusals


def refused(*models: GroupModel) -> None:
    people = ul.as_table({"a": [1, 2, 3], "b": [1, 1, 2]}, quasi=["a", "b"])
    MPALM().search(count(people).finest, All(models), Task(people.attributes, ILoss()))


def test_refuses_a_promise_that_merging_breaks() -> None:
    with pytest.raises(UnsupportedError, match=r"mpalm needs a promise that survives merging"):
        refused(AtMost(2))


@pytest.mark.parametrize("model", [KAnonymity(2, qid=("a",)), AverageRisk("0.5")], ids=str)
def test_refuses_what_must_be_judged_on_several_groups(model: GroupModel) -> None:
    with pytest.raises(UnsupportedError, match=r"mpalm judges halves one by one, and .* mondrian"):
        refused(model)


def test_refuses_a_table_that_breaks_the_promise_as_one_group() -> None:
    with pytest.raises(InfeasibleError, match=r"leaves out at most 0 of 3 records keeps k-anonymi"):
        refused(KAnonymity(4))


def test_refuses_a_table_without_records() -> None:
    people = ul.as_table({"a": pl.Series([], dtype=pl.Int64)}, quasi="a")
    with pytest.raises(InfeasibleError, match="the table has no records"):
        MPALM().search(count(people).finest, All([KAnonymity(2)]), Task(people.attributes, ILoss()))


def test_is_written_as_it_is_read() -> None:
    assert str(MPALM()) == "mpalm"


def no_loss(cuts: Cuts) -> FloatArray:
    return np.zeros(len(cuts))


def division(
    values: list[int | None], people: list[int], k: int = 1
) -> tuple[Division, Groups, Counter[str]]:
    """Take one record of each value, and as many people who look like it."""
    table = as_table({"a": values}, quasi="a")
    finest = count(table).finest
    layout = RegionLayout.of(finest, table.attributes, np.zeros(1, bool))
    layout.rows.sizes[:] = np.array(people)[np.argsort(np.argsort(finest.keys[:, 0]))]
    effort: Counter[str] = Counter()
    return Division(layout, Judge(0, All([KAnonymity(k)])), no_loss, effort), finest, effort


def cuts_of(values: list[int | None], people: list[int]) -> PeopleCuts:
    split, finest, _ = division(values, people)
    n, total = np.array([len(finest)]), np.array([sum(people)])
    regions = split.layout.regions(np.zeros(1, np.int64), n, total)
    return split._list(regions, np.array([0]), 0)


def test_sizes_count_records_and_evenness_counts_people() -> None:
    cuts = cuts_of([1, 2, 3, 4], [5, 1, 1, 1])
    assert cuts.lower.tolist() == [5, 6, 7]
    assert cuts.sizes.tolist() == [1, 3, 2, 2, 3, 1]
    even = cuts.most_even()
    assert (even.lower.tolist(), even.sizes.tolist()) == ([5], [1, 3])


def test_of_equally_even_cuts_the_lowest_is_taken() -> None:
    assert cuts_of([1, 2, 3], [2, 1, 2]).most_even().lower.tolist() == [2]


def test_missing_values_are_parted_from_others_before_anything_else() -> None:
    assert cuts_of([1, 2, 3, None], [1, 1, 1, 1]).lower.tolist() == [3]
    assert cuts_of([1, 2, 3], [1, 1, 1]).lower.tolist() == [1, 2]


def told(share: float, words: str) -> None:
    assert 0 <= share <= 1
    assert words.endswith("regions")


@pytest.mark.parametrize(
    ("k", "regions", "effort"),
    [(1, [0, 1, 2, 3], (4, 3, 3)), (2, [0, 2], (2, 8, 1)), (4, [0], (1, 4, 0))],
)
def test_cuts_until_no_cut_is_good(
    k: int, regions: list[int], effort: tuple[int, int, int]
) -> None:
    # The most even cut of the people parts one record from three.
    split, finest, taken = division([1, 2, 3, 4], [5, 1, 1, 1], k)
    found = split.run(told)
    starts: CountArray = np.sort(found.start)
    assert starts.tolist() == regions
    assert split.layout.partition(found).sizes.sum() == finest.n_records
    assert (taken["rounds"], taken["cuts_tried"], taken["cuts_made"]) == effort
