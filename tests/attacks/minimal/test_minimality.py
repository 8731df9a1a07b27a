"""The minimality attack: the book's example, all tables one by one, and our own methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from attrs import evolve, frozen
from hypothesis import assume, given
from hypothesis import strategies as st

import unlinkable as ul
from tests import cases
from unlinkable.attacks.base import Outcome
from unlinkable.attacks.minimal.asking import Asks, AsksMethod
from unlinkable.attacks.minimal.minimality import Minimality
from unlinkable.attacks.minimal.possible_tables import PossibleTables
from unlinkable.attacks.minimal.weeding import Weeding
from unlinkable.attacks.target import Arms, Oracle, Target
from unlinkable.errors import (
    DataError,
    InfeasibleError,
    ParameterError,
    SchemaError,
    UnsupportedError,
)
from unlinkable.privacy import ConfidenceBounding, DistinctLDiversity, FrequencyLDiversity
from unlinkable.release.oracle import MethodOracle
from unlinkable.release.release import Release
from unlinkable.release.targets import target_of, truth_of
from unlinkable.table import Table, observe
from unlinkable.table.side import Side

Row = tuple[Any, ...]
Posterior = dict[tuple[int, Any], Fraction]

JOBS = ul.Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})


def permutations(values: Sequence[Any]) -> Iterator[Row]:
    """Give every way to deal values out, each once."""
    if not values:
        yield ()
        return
    for value in dict.fromkeys(values):
        rest = list(values)
        rest.remove(value)
        for others in permutations(rest):
            yield (value, *others)


def by_enumeration(
    people: Sequence[Row], told: Sequence[Row], publish: Callable[[Sequence[Row]], list[Row] | None]
) -> tuple[int, Posterior]:
    """Run an algorithm on all tables of these people and values; keep those it makes this of.

    Gives the number of tables kept, and for each person and value the share of them.
    """
    shown, kept = Counter(told), []
    for values in permutations([row[-1] for row in told]):
        answer = publish([(*person, value) for person, value in zip(people, values, strict=True)])
        if answer is not None and Counter(answer) == shown:
            kept.append(values)
    found = Counter((i, value) for values in kept for i, value in enumerate(values))
    return len(kept), {key: Fraction(n, len(kept)) for key, n in found.items()}


@frozen
class Plain:
    """An algorithm of a few lines: the first recoding in which no value has too large a share.

    It writes values like ``a0`` as they are, as ``a`` or as ``*``, all values of a column alike.
    """

    share: Fraction
    is_random: bool = False

    @property
    def algorithm(self) -> str:
        return "the first recoding that will do"

    def recoded(self, rows: Sequence[Row]) -> list[Row] | None:
        """Give the rows as they are published; None if no recoding will do."""
        for levels in product((2, 1, 0), repeat=len(rows[0]) - 1):
            found = [
                (*(v[:n] or "*" for v, n in zip(row[:-1], levels, strict=True)), row[-1])
                for row in rows
            ]
            groups: dict[Row, list[str]] = {}
            for row in found:
                groups.setdefault(row[:-1], []).append(row[-1])
            if all(max(Counter(g).values()) <= self.share * len(g) for g in groups.values()):
                return found
        return None

    def publish(self, table: Table, rng: np.random.Generator) -> Target:
        found = self.recoded(table.frame.rows())
        if found is None:
            raise InfeasibleError("nothing keeps the promise")
        return told_of(found)


def told_of(rows: Sequence[Row]) -> Target:
    """Take rows for a release, the last column being sensitive."""
    names = tuple(f"q{j}" for j in range(len(rows[0]) - 1))
    tree = ul.Tree({"a": ["a0", "a1"], "b": ["b0", "b1"]}).build(observe("q", ["a0"]))
    frame = pl.DataFrame(rows, schema=[*names, "s"], orient="row")
    return Target(frame, names, ("s",), dict.fromkeys(names, tree))


def against(people: Sequence[Row], told: Sequence[Row], oracle: Oracle) -> tuple[Target, Arms]:
    """Take a release, and a list of people who are called by their number."""
    target = told_of(told)
    listed: dict[str, list[str]] = {"name": [f"{i}" for i in range(len(people))]}
    listed |= {name: [row[j] for row in people] for j, name in enumerate(target.quasi)}
    return target, Arms(Side.of({"external": listed}), oracle=oracle)


def arms_of(release: Release, **changes: Any) -> Arms:
    """Arm whoever attacks a release as its holder would."""
    quasi = release.table.frame.select(release.table.schema.quasi)
    arms = Arms(Side.of({"external": quasi}), truth_of(release), MethodOracle(release))
    return evolve(arms, **changes)


class TestTheBook:
    """Example 5.1."""

    @pytest.fixture
    def case(self) -> dict[str, Any]:
        return cases.load("book-ch05-ex5.1-minimality-attack")

    @pytest.fixture
    def target(self, case: dict[str, Any]) -> Target:
        given = case["input"]["published"]
        asked = case["input"]["requirement"]
        promise = ConfidenceBounding(
            f"{', '.join(asked['qid'])} -> Disease = {asked['value']} <= {asked['h']}"
        )
        return Target(
            pl.DataFrame(given["rows"], schema=given["columns"], orient="row"),
            ("Job", "Sex"),
            ("Disease",),
            taxonomies={
                "Job": JOBS.build(observe("Job", ["Engineer", "Lawyer"])),
                "Sex": ul.Flat().build(observe("Sex", ["Male"])),
            },
            promises=(promise,),
        )

    @pytest.fixture
    def staff(self, case: dict[str, Any]) -> Arms:
        given = case["input"]["external"]
        people = pl.DataFrame(given["rows"], schema=given["columns"], orient="row")
        return Arms(Side.of({"external": people}))

    @pytest.mark.parametrize("assumes", [None, "minimal", "one-step"])
    def test_two_people_are_found_out(
        self, case: dict[str, Any], target: Target, staff: Arms, assumes: str | None
    ) -> None:
        outcome = Minimality(assumes=assumes).run(target, staff)
        wanted = case["expected"]
        assert outcome.details["worlds"] == wanted["possible_worlds"]
        assert outcome.details["consistent_worlds"] == wanted["worlds_consistent_with_minimality"]
        assert outcome.details["asked"] == 3
        believed = {v.who["Name"]: (v.learned["Disease"], v.confidence) for v in outcome.victims}
        for name, chance in wanted["posterior_HIV"].items():
            assert believed[name] == (("HIV", chance) if chance else ("Flu", 1.0))
        assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (7, 7, 1.0)
        assert outcome.interval is None

    def test_the_groups_alone_say_two_in_seven(
        self, case: dict[str, Any], target: Target, staff: Arms
    ) -> None:
        outcome = Minimality().run(target, staff)
        wanted = case["expected"]["naive_posterior_HIV"]
        assert outcome.details["naive_confidence"] == pytest.approx(1 - wanted)
        outcome = Minimality(values="HIV").run(target, staff)
        assert outcome.details["naive_confidence"] == pytest.approx(wanted)
        assert [(v.who["Name"], v.confidence) for v in outcome.victims] == [
            ("Andy", 1.0),
            ("Bob", 1.0),
        ]
        assert (outcome.n_fallen, outcome.details["more_exposed_people"]) == (2, 2)

    @pytest.mark.parametrize("method", ["optimal", "top-down-specialization", "datafly"])
    def test_the_method_itself_tells_the_same(self, case: dict[str, Any], method: str) -> None:
        given = case["input"]["original"]
        table = ul.as_table(
            pl.DataFrame(given["rows"], schema=given["columns"], orient="row"),
            quasi=["Job", "Sex"],
            sensitive="Disease",
            taxonomies={"Job": JOBS},
        )
        promise = ConfidenceBounding("Job, Sex -> Disease = HIV <= 60%")
        release = ul.anonymize(table, privacy=promise, method=method)
        outcome = Minimality().run(target_of(release), arms_of(release))
        assert outcome.details["assumed"] == "method"
        assert outcome.highest == 1.0
        assert (outcome.details["worlds"], outcome.details["consistent_worlds"]) == (21, 1)


@st.composite
def releases(draw: st.DrawFn) -> tuple[list[Row], list[Row], Plain]:
    """Draw people, what is published of them, and the algorithm that did."""
    n, width = draw(st.integers(2, 6)), draw(st.integers(1, 2))
    values = st.sampled_from(["a0", "a1", "b0", "b1"])
    people = draw(st.lists(st.tuples(*[values] * width), min_size=n, max_size=n))
    hidden = draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    plain = Plain(Fraction(draw(st.integers(1, 4)), 4))
    told = plain.recoded([(*p, v) for p, v in zip(people, hidden, strict=True)])
    assume(told is not None)
    assert told is not None
    return people, told, plain


def believed(outcome: Outcome) -> dict[int, float]:
    """Say how sure the adversary is of each person."""
    return {int(v.who["name"]): v.confidence for v in outcome.victims}


def surest(posterior: Posterior, n: int) -> list[Fraction]:
    return [max(p for (who, _), p in posterior.items() if who == i) for i in range(n)]


@given(releases(), st.randoms(use_true_random=False))
def test_equals_running_the_algorithm_on_all_tables(
    release: tuple[list[Row], list[Row], Plain], random: Random
) -> None:
    people, told, plain = release
    random.shuffle(told)
    n_kept, posterior = by_enumeration(people, told, plain.recoded)
    target, arms = against(people, told, plain)
    outcome = Minimality(limit="1/3").run(target, arms)
    wanted = surest(posterior, len(people))
    assert believed(outcome) == pytest.approx(dict(enumerate(map(float, wanted))), abs=1e-12)
    assert outcome.highest == pytest.approx(float(max(wanted)), abs=1e-12)
    assert outcome.n_fallen == sum(p > Fraction(1, 3) for p in wanted)
    # People of whom nothing is open are not counted.
    consistent = outcome.details["consistent_worlds"]
    assert isinstance(consistent, int)
    assert n_kept % consistent == 0
    for victim in outcome.victims:
        told_value = posterior[int(victim.who["name"]), victim.learned["s"]]
        assert float(told_value) == pytest.approx(victim.confidence, abs=1e-12)


@given(releases())
def test_knowing_that_nothing_is_done_without_need_is_judging_the_original_values(
    release: tuple[list[Row], list[Row], Plain],
) -> None:
    people, told, plain = release
    groups: dict[Row, list[int]] = {}
    for i, row in enumerate(told):
        groups.setdefault(row[:-1], []).append(i)
    kept = []
    for values in permutations([row[-1] for row in told]):
        if any(
            Counter(values[i] for i in members) != Counter(told[i][-1] for i in members)
            for members in groups.values()
        ):
            continue
        parts: dict[Row, list[str]] = {}
        for person, value in zip(people, values, strict=True):
            parts.setdefault(person, []).append(value)
        if any(max(Counter(p).values()) > plain.share * len(p) for p in parts.values()):
            kept.append(values)
    target, arms = against(people, told, plain)
    target = evolve(target, promises=(FrequencyLDiversity(1 / plain.share, sensitive="s"),))
    outcome = Minimality(assumes="minimal").run(target, arms)
    if kept:
        found = Counter((i, value) for values in kept for i, value in enumerate(values))
        wanted = surest({k: Fraction(n, len(kept)) for k, n in found.items()}, len(people))
    else:
        assert outcome.details["consistent_worlds"] == 0
        assert "another reason" in outcome.found
        wanted = [
            Fraction(max(Counter(told[i][-1] for i in members).values()), len(members))
            for who in range(len(people))
            for members in groups.values()
            if who in members
        ]
    assert believed(outcome) == pytest.approx(dict(enumerate(map(float, wanted))), abs=1e-12)


def small_table(seed: int, n: int = 6) -> Table:
    rng = np.random.default_rng(seed)
    return ul.as_table(
        {
            "age": rng.integers(20, 50, n).tolist(),
            "job": rng.choice(["Engineer", "Lawyer", "Dancer", "Writer"], n).tolist(),
            "ill": ["flu"] * (n // 2)
            + ["hiv", *rng.choice(["flu", "cold", "hiv"], n - n // 2 - 1)],
        },
        quasi=["age", "job"],
        sensitive="ill",
        taxonomies={"job": JOBS, "age": ul.Intervals(10)},
    )


@pytest.mark.parametrize(
    ("method", "seed"),
    [
        ("optimal", 3),
        ("optimal", 7),
        ("datafly", 5),
        ("datafly", 7),
        ("incognito", 7),
        ("flash", 11),
        ("mondrian", 0),
        ("mondrian", 21),
        ("top-down-specialization", 16),
        ("top-down-specialization", 21),
    ],
)
def test_our_own_methods_give_away_what_running_them_on_all_tables_tells(
    method: str, seed: int
) -> None:
    """On these tables more than the groups say."""
    table = small_table(seed)
    promise = DistinctLDiversity(2)
    release = ul.anonymize(table, privacy=promise, method=method)

    def publish(rows: Sequence[Row]) -> list[Row] | None:
        frame = pl.DataFrame(rows, schema=table.frame.schema, orient="row")
        try:
            made = ul.anonymize(Table(frame, table.schema), privacy=promise, method=method)
        except InfeasibleError:
            return None
        return made.applied.frame.rows()

    told = release.applied.frame.rows()
    _, posterior = by_enumeration(table.frame.select("age", "job").rows(), told, publish)
    names = {"external": table.frame.select("age", "job").with_row_index("name")}
    outcome = Minimality().run(target_of(release), arms_of(release, side=Side.of(names)))
    wanted = surest(posterior, len(table))
    assert believed(outcome) == pytest.approx(dict(enumerate(map(float, wanted))), abs=1e-12)
    assert outcome.details["more_exposed_people"]


def test_what_does_not_look_at_hidden_values_gives_nothing_away() -> None:
    release = ul.anonymize(small_table(3, 9), privacy=ul.KAnonymity(3), method="mondrian")
    outcome = Minimality().run(target_of(release), arms_of(release))
    assert outcome.details["worlds"] == outcome.details["consistent_worlds"]
    assert outcome.highest == outcome.details["naive_confidence"]
    assert outcome.details["more_exposed_people"] == 0


class TestDrawnTables:
    """What is estimated lies within its bounds of what is exact."""

    ERROR = 1e-8
    """How likely a belief is outside of its bounds: five tests of six beliefs, 3e-7 in all."""

    def weeding(self, n: int, hidden: str, share: str, most: int) -> tuple[Weeding, Asks]:
        """Publish n people of one kind and others of another, who have these values."""
        people, plain = [("a0",)] * n + [("a1",)] * (len(hidden) - n), Plain(Fraction(share))
        told = plain.recoded([(*p, v) for p, v in zip(people, hidden, strict=True)])
        assert told is not None
        target, arms = against(people, told, plain)
        tables = PossibleTables.of(target, arms.side.open("external"), ("s",))
        asks = AsksMethod(tables, target, plain, np.random.default_rng(0))
        return Weeding(tables, target, ("s",), None, most, 60.0, lambda share, words: None), asks

    @pytest.mark.parametrize(
        ("n", "hidden", "share", "n_kept"),
        [
            (3, "xyyyzzz", "2/3", 32 / 140),
            (2, "xxxzz", "2/3", 4 / 10),
            (2, "xxyzz", "1/2", 18 / 30),
            (3, "xxxyzzz", "1/2", 104 / 140),
        ],
    )
    def test_estimates_are_within_their_bounds(
        self, n: int, hidden: str, share: str, n_kept: float
    ) -> None:
        is_mostly_kept = n_kept > 0.5
        weeding, asks = self.weeding(n, hidden, share, 800)
        exactly, drawn = weeding.all(asks), weeding.some(asks, np.random.default_rng(5))
        assert exactly is not None
        assert exactly.n_tables is not None
        assert exactly.n_consistent == pytest.approx(n_kept * exactly.n_tables)
        assert drawn.is_mostly_kept == is_mostly_kept
        wanted = exactly.beliefs[0].believed().means
        found, low, high = drawn.beliefs[0].estimated(self.ERROR, is_mostly_kept=is_mostly_kept)
        assert (low <= wanted + 1e-12).all()
        assert (wanted <= high + 1e-12).all()
        assert (low <= found.means).all()
        assert (found.means <= high).all()
        assert (high - low).max() < 0.5

    def test_a_wrong_belief_is_outside_of_the_bounds(self) -> None:
        """Bounds that hold anything would hold the beliefs of the groups, too."""
        weeding, asks = self.weeding(2, "xxxzz", "2/3", 800)
        drawn = weeding.some(asks, np.random.default_rng(5))
        naive = drawn.beliefs[0].naive().means
        _, low, high = drawn.beliefs[0].estimated(self.ERROR, is_mostly_kept=False)
        assert ((naive < low) | (high < naive)).any()

    def test_an_estimate_says_so(self) -> None:
        release = ul.anonymize(small_table(5, 6), privacy=DistinctLDiversity(2), method="optimal")
        outcome = Minimality(most_worlds=100).run(target_of(release), arms_of(release))
        assert outcome.interval is None
        release = ul.anonymize(small_table(5, 24), privacy=DistinctLDiversity(2), method="optimal")
        outcome = Minimality(most_worlds=100).run(target_of(release), arms_of(release))
        assert outcome.interval is not None
        low, high = outcome.interval
        assert low <= outcome.highest <= high
        assert outcome.details["worlds"] is None
        assert outcome.details["asked"] == 100
        assert "drawn at random" in outcome.found

    def test_it_is_the_same_with_the_same_seed(self) -> None:
        release = ul.anonymize(small_table(5, 24), privacy=DistinctLDiversity(2), method="optimal")
        outcomes = [
            Minimality(most_worlds=60).run(target_of(release), arms_of(release)) for _ in range(2)
        ]
        assert outcomes[0].to_json() == outcomes[1].to_json()

    def test_a_method_that_draws_by_chance_gives_away_little(self) -> None:
        """Anatomize picks records at random: all tables lead to the same buckets as likely."""
        table = ul.as_table(
            {"age": [20, 31, 42, 53], "ill": ["flu", "flu", "hiv", "cold"]},
            quasi="age",
            sensitive="ill",
        )
        release = ul.anonymize(table, privacy=FrequencyLDiversity(2), method="anatomize", seed=0)
        outcome = Minimality(most_worlds=200).run(target_of(release), arms_of(release))
        assert outcome.interval is not None
        assert outcome.interval[0] <= 0.5 <= outcome.interval[1]
        assert outcome.n_fallen == 0


def test_people_may_fit_several_groups() -> None:
    """The method tells which of them they were in."""

    class Lazy:
        """Puts people with x into one group, and tells of the others as much as it can."""

        algorithm, is_random = "lazy", False

        def recoded(self, rows: Sequence[Row]) -> list[Row]:
            return [("*" if v == "x" and q == "a0" else q[:1], v) for q, v in rows]

        def publish(self, table: Table, rng: np.random.Generator) -> Target:
            return told_of(self.recoded(table.frame.rows()))

    people, lazy = [("a0",), ("a1",), ("a0",), ("b0",)], Lazy()
    told = lazy.recoded([(*p, v) for p, v in zip(people, "xyzx", strict=True)])
    n_kept, posterior = by_enumeration(people, told, lazy.recoded)
    assert n_kept == 4  # one of the two with a0 has x, and another of the three left has it
    target, arms = against(people, told, lazy)
    outcome = Minimality().run(target, arms)
    assert outcome.details["worlds"] == 12
    wanted = dict(enumerate(map(float, surest(posterior, 4))))
    assert believed(outcome) == pytest.approx(wanted)


@given(releases())
def test_no_step_without_need_tells_at_least_as_much_of_tables_as_no_generalizing_without_need(
    release: tuple[list[Row], list[Row], Plain],
) -> None:
    people, told, plain = release
    target, arms = against(people, told, plain)
    target = evolve(target, promises=(FrequencyLDiversity(1 / plain.share, sensitive="s"),))
    finest, step = (
        Minimality(assumes=assumes).run(target, arms).details["consistent_worlds"]
        for assumes in ("minimal", "one-step")
    )
    # A table that breaks the promise one step further down breaks it with the original values, for
    # shares only rise when groups are divided. Nothing to undo is nothing to learn from.
    if any(len(text) < 2 for row in told for text in row[:-1]):
        assert isinstance(step, int)
        assert isinstance(finest, int)
        assert step <= finest


def test_one_step_is_undone_on_all_values_of_a_column() -> None:
    """Two levels up, a level too many: the step in between keeps the promise in some tables."""
    people = [("a0",), ("a1",), ("b0",), ("b1",)]
    told = [("*", "x"), ("*", "x"), ("*", "y"), ("*", "y")]
    target, arms = against(people, told, Plain(Fraction(1, 2)))
    target = evolve(target, promises=(FrequencyLDiversity(2, sensitive="s"),))
    finest = Minimality(assumes="minimal").run(target, arms)
    step = Minimality(assumes="one-step").run(target, arms)
    # Alone, everybody breaks the promise; as a and b, two of six tables do: xx and yy.
    assert (finest.details["worlds"], finest.details["consistent_worlds"]) == (6, 6)
    assert (step.details["worlds"], step.details["consistent_worlds"]) == (6, 2)
    assert step.highest == 0.5


def test_people_left_out_are_listed_as_well() -> None:
    """The only baker was left out; who knows why learns what the baker may have."""
    table = ul.as_table(
        {"job": ["cook"] * 4 + ["baker"], "ill": ["flu", "hiv", "flu", "hiv", "flu"]},
        quasi="job",
        sensitive="ill",
    )
    release = ul.anonymize(table, privacy=ul.KAnonymity(2), suppression="1/5")
    assert release.n_suppressed == 1
    target = target_of(release)
    in_release = {"name": list("ABCD"), "job": ["cook"] * 4}
    for listed in (in_release, {"name": list("ABCDE"), "job": ["cook"] * 4 + ["baker"]}):
        outcome = Minimality().run(target, arms_of(release, side=Side.of({"external": listed})))
        assert outcome.n_attacked == 5
        assert outcome.details["worlds"] == 4  # the baker has what any of four records tells
        assert outcome.highest == 0.5
    assert {"job": "baker"} not in [v.who for v in outcome.victims]


def test_a_promise_of_m_confidentiality_bounds_who_knows_that_nothing_is_done_without_need() -> (
    None
):
    jobs = ["Engineer"] * 2 + ["Lawyer"] * 5 + ["Dancer"] * 3 + ["Writer"] * 4
    ill = ["hiv", "hiv", *["flu"] * 5, "hiv", "flu", "cold", *["cold"] * 4]
    table = ul.as_table(
        {"job": jobs, "ill": ill}, quasi="job", sensitive="ill", taxonomies={"job": JOBS}
    )
    share = ul.ConfidenceBounding("job -> ill = hiv <= 50%")
    confident = ul.MConfidentiality(2, h="1/2", values="hiv")
    reached = {}
    for name, models in (("share", [share]), ("both", [share, confident])):
        release = ul.anonymize(table, privacy=models, method="optimal")
        target = evolve(target_of(release), promises=release.models[:1])
        attack = Minimality(assumes="minimal", values="hiv")
        reached[name] = attack.run(target, arms_of(release)).highest
    assert reached["share"] > 0.5
    assert reached["both"] <= 0.5


@pytest.mark.parametrize("assumes", ["method", "minimal"])
def test_columns_that_nobody_looks_at_change_nothing(assumes: str) -> None:
    told = []
    for more in ({}, {"town": [f"town {i}" for i in range(7)]}):
        table = ul.as_table(
            {"job": ["Engineer"] * 3 + ["Lawyer"] * 4, "ill": list("xxxyyzz"), **more},
            quasi="job",
            sensitive="ill",
            insensitive=[*more],
            taxonomies={"job": JOBS},
        )
        release = ul.anonymize(table, privacy=FrequencyLDiversity("3/2"))
        outcome = Minimality(assumes=assumes).run(target_of(release), arms_of(release))
        told.append((outcome.details, [v.confidence for v in outcome.victims]))
    assert told[0] == told[1]
    assert told[0][0]["more_exposed_people"]


def test_progress_is_told() -> None:
    told: list[float] = []
    release = ul.anonymize(small_table(5), privacy=DistinctLDiversity(2), method="optimal")
    arms = arms_of(release, progress=lambda share, words: told.append(share))
    outcome = Minimality().run(target_of(release), arms)
    assert len(told) == outcome.details["asked"]
    assert told == sorted(told)
    assert 0 <= min(told) <= max(told) <= 1


def test_more_than_the_time_that_is_allowed_is_not_taken() -> None:
    release = ul.anonymize(small_table(5, 9), privacy=DistinctLDiversity(2), method="optimal")
    hurried = Minimality(most_worlds=10_000, seconds="1/100")
    with pytest.raises(UnsupportedError, match="too few to say how likely anything is"):
        hurried.run(target_of(release), arms_of(release))


class TestRefusals:
    """What is refused, and what to do instead."""

    PEOPLE = (("a0",), ("a1",), ("b0",), ("b1",))
    TOLD = (("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"))

    @pytest.fixture
    def target(self) -> Target:
        return told_of(self.TOLD)

    @pytest.fixture
    def arms(self) -> Arms:
        return against(self.PEOPLE, self.TOLD, Plain(Fraction(1, 2)))[1]

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"sensitive": ()}, "no column is sensitive"),
            ({"is_truthful": False}, "was replaced"),
            ({"frame": told_of(TOLD).frame.clear()}, "no record is published"),
        ],
    )
    def test_some_releases(
        self, target: Target, arms: Arms, changes: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(UnsupportedError, match=message):
            Minimality().run(evolve(target, **changes), arms)

    def test_nobody_is_listed(self, target: Target) -> None:
        with pytest.raises(UnsupportedError, match=r"a list of everybody .* external=\.\.\."):
            Minimality().run(target)

    def test_no_method(self, target: Target, arms: Arms) -> None:
        with pytest.raises(UnsupportedError, match="not at hand: let assumes=minimal"):
            Minimality(assumes="method").run(target, evolve(arms, oracle=None))

    def test_no_promise(self, target: Target, arms: Arms) -> None:
        with pytest.raises(UnsupportedError, match="not told what was promised"):
            Minimality().run(target, evolve(arms, oracle=None))

    def test_a_promise_about_something_that_is_not_told(self, target: Target, arms: Arms) -> None:
        strange = evolve(target, promises=(DistinctLDiversity(2, sensitive="pay"),))
        with pytest.raises(UnsupportedError, match="refers to 'pay', which is not told"):
            Minimality(assumes="minimal").run(strange, arms)

    def test_buckets_that_are_only_said_to_be_needed(self, target: Target, arms: Arms) -> None:
        frame = target.frame.with_columns(group=pl.Series([1, 1, 2, 2]))
        bucketed = evolve(target, frame=frame, bucket="group")
        with pytest.raises(UnsupportedError, match="nothing is generalized in buckets"):
            Minimality(assumes="minimal").run(bucketed, arms)

    def test_people_of_several_groups_without_the_method(self, arms: Arms) -> None:
        told = told_of((("a", "x"), ("*", "y"), ("b", "x"), ("b", "y")))
        promised = evolve(told, promises=(DistinctLDiversity(1, sensitive="s"),))
        with pytest.raises(UnsupportedError, match="fit several groups"):
            Minimality(assumes="minimal").run(promised, arms)

    def test_values_that_mean_nothing_cannot_be_told_more_precisely(
        self, target: Target, arms: Arms
    ) -> None:
        promised = evolve(target, promises=(DistinctLDiversity(2, sensitive="s"),))
        told = (("a0", "x"), ("a1", "y"), ("b0", "x"), ("b1", "y"))
        plain = evolve(promised, frame=told_of(told).frame, taxonomies={})
        with pytest.raises(DataError, match="what the values of 'q0' mean"):
            Minimality(assumes="one-step").run(plain, arms)

    def test_a_list_of_other_people(self, target: Target) -> None:
        _, arms = against((*self.PEOPLE, ("a0",)), self.TOLD, Plain(Fraction(1, 2)))
        with pytest.raises(DataError, match="3 people in the list fit groups with 2 records"):
            Minimality().run(target, arms)

    def test_a_value_that_nobody_has(self, target: Target, arms: Arms) -> None:
        with pytest.raises(DataError, match="no record has one of the values in 's'"):
            Minimality(values="w").run(target, arms)

    def test_a_list_without_a_column(self, target: Target) -> None:
        arms = Arms(Side.of({"external": {"name": ["A"]}}), oracle=Plain(Fraction(1, 2)))
        with pytest.raises(SchemaError, match="no column 'q0'"):
            Minimality().run(target, arms)

    def test_a_method_that_does_something_else(self, target: Target, arms: Arms) -> None:
        with pytest.raises(UnsupportedError, match="none of the 4 tables"):
            Minimality().run(target, evolve(arms, oracle=Plain(Fraction(1))))

    def test_a_release_that_is_not_made_again(self) -> None:
        release = ul.anonymize(small_table(5), privacy=DistinctLDiversity(2), method="optimal")
        other = ul.anonymize(small_table(5), privacy=ul.KAnonymity(2), method="optimal")
        arms = arms_of(release, oracle=MethodOracle(other))
        with pytest.raises(UnsupportedError, match="does not make this release again"):
            Minimality().run(target_of(release), arms)

    def test_a_method_that_cannot_be_asked(self) -> None:
        release = ul.anonymize(small_table(5), privacy=DistinctLDiversity(2), method="optimal")
        other = ul.anonymize(small_table(5), privacy=DistinctLDiversity(2), method="optimal")
        strict = evolve(other, models=(DistinctLDiversity(9, sensitive="ill"),))
        arms = arms_of(release, oracle=MethodOracle(strict))
        with pytest.raises(UnsupportedError, match="the method cannot be asked: no release"):
            Minimality().run(target_of(release), arms)

    def test_a_list_that_lacks_somebody(self) -> None:
        release = ul.anonymize(small_table(5), privacy=DistinctLDiversity(2), method="optimal")
        some = release.table.frame.select("age", "job").head(4)
        arms = arms_of(release, side=Side.of({"external": some}))
        with pytest.raises(DataError, match=r"the list has 4 people, and .* 6 records"):
            Minimality().run(target_of(release), arms)

    def test_a_table_drawn_hardly_ever_leads_there(self) -> None:
        table = ul.as_table(
            {"age": list(range(20)), "ill": ["flu", "hiv"] * 10}, quasi="age", sensitive="ill"
        )
        release = ul.anonymize(table, privacy=FrequencyLDiversity(2), method="anatomize", seed=1)
        with pytest.raises(UnsupportedError, match=r"of 21 possible tables .* 0 lead"):
            Minimality(most_worlds=200).run(target_of(release), arms_of(release))

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"assumes": "nothing"}, "no assumption 'nothing' among 3"),
            ({"most_worlds": 0}, "most_worlds must be at least 1"),
            ({"seconds": 0}, "seconds must be greater than 0"),
            ({"limit": 2}, r"limit must lie in \(0, 1\]"),
        ],
    )
    def test_parameters_that_mean_nothing(self, parameters: dict[str, Any], message: str) -> None:
        with pytest.raises(ParameterError, match=message):
            Minimality(**parameters)
