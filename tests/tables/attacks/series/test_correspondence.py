"""correspondence: the book's examples, the definitions word by word, the claims, the refusals.

What links records without any attack: numbers of cases, and the order of records.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from tests.tables.attacks.series.generators import (
    Drawn,
    Record,
    generators,
    growing_series,
    is_generator,
    most_alike,
)
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.series.correspondence import Correspondence, case_ids, in_order
from unlinkable.tables.attacks.series.series import Edition, Series
from unlinkable.tables.attacks.series.shared.crack_candidates import Crack
from unlinkable.tables.attacks.series.shared.record_classes import Numbers
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Tree

BORN = Tree({"Europe": ["UK", "France"], "America": ["Canada"]}).build(observe("Birthplace", []))
JOB = Tree({"Professional": ["Lawyer", "Doctor"]}).build(observe("Job", []))
COVERED = {"Europe": ["UK", "France"], "Professional": ["Lawyer", "Doctor"]}
CASE = cases.load("book-ch10-ex10.3-10.10-correspondence-attacks")
QUASI = ("Birthplace", "Job")
ANYTHING = Fraction(1)


def book(case: dict[str, Any], *, knows_people: bool = False) -> Series:
    editions = []
    for name in ("R1", "R2"):
        rows = case["input"][name]["rows"]
        frame = pl.DataFrame(
            {column: [row[j + 1] for row in rows] for j, column in enumerate((*QUASI, "Disease"))}
        )
        target = Target(frame, QUASI, ("Disease",), {"Birthplace": BORN, "Job": JOB})
        people = np.arange(len(rows)) if knows_people else None
        editions.append(Edition(target, people, name))
    return Series(tuple(editions))


def plain_records(case: dict[str, Any], release: str) -> list[Record]:
    return [
        (tuple(frozenset(COVERED.get(text, [text])) for text in row[1:3]), row[3])
        for row in case["input"][release]["rows"]
    ]


def of(*shown: dict[str, list[Any]], people: list[list[int]] | None = None) -> Series:
    """Releases with the quasi-identifying columns q and r, if there, and all others hidden."""
    editions = []
    for i, columns in enumerate(shown):
        quasi = tuple(name for name in columns if name in ("q", "r"))
        hidden = ("s",) if "s" in columns else ()
        target = Target(pl.DataFrame(columns), quasi, hidden)
        whose = None if people is None else np.array(people[i], np.int64)
        editions.append(Edition(target, whose, f"R{i + 1}"))
    return Series(tuple(editions))


def test_examples_10_3_to_10_10_have_the_crack_sizes_of_the_book() -> None:
    series, stated = book(CASE), CASE["expected"]["stated"]
    for name, crack, cracked in (
        ("scenario_I_F_attack", Crack.F, 1),
        ("scenario_II_C_attack", Crack.C, 2),
        ("scenario_III_B_attack", Crack.B, 2),
    ):
        scenario = stated[name]
        since = int(scenario["target"]["timestamp"][1:])
        who = dict(zip(QUASI, scenario["target"]["QID"], strict=True))
        groups = Correspondence().explain(series, who, since).releases[cracked]
        assert groups is not None
        sizes = {
            g.value: sum(n for (how, _), n in g.cracks.items() if how is crack) for g in groups
        }
        assert sizes == {value: told["crack"] for value, told in scenario["groups"].items()}
        left = scenario[f"candidates_left_in_qid{cracked}"]
        assert sum(group.left for group in groups) == left


def test_examples_10_3_to_10_10_have_fa_ca_and_ba_of_four() -> None:
    computed = CASE["expected"]["computed"]
    details = Correspondence(limit=1).run(book(CASE)).details
    assert {name: details[name] for name in ("FA", "CA", "BA")} == {
        name: computed[name] for name in ("FA", "CA", "BA")
    }
    for k, holds in computed["BCF_anonymity_holds_for_k"].items():
        for targets in ("possible", "actual"):
            attack = Correspondence(int(k), limit=1, targets=targets)
            assert attack.run(book(CASE, knows_people=True)).succeeded is not holds


def test_example_10_4_has_valid_generators_and_1200_assignments() -> None:
    case = cases.load("book-ch10-ex10.4-generators")
    first, second = plain_records(case, "R1"), plain_records(case, "R2")
    for told in case["expected"]["stated"]["valid_generators"]:
        buddies = [
            (int(a[1:]) - 1, int(b[1:]) - 1, tuple(raw[:2]), raw[2])
            for a, b, raw in told["buddies"]
        ]
        assert is_generator(first, second, buddies)
        twice = [(a, 0, point, hidden) for a, _, point, hidden in buddies]
        assert not is_generator(first, second, twice)
        assert not is_generator(first, second, buddies[1:])
    flu, hiv = (
        sum(1 for _ in generators([[r for r in some if r[1] == value] for some in (first, second)]))
        for value in ("Flu", "HIV")
    )
    assert (
        flu * hiv
        == case["expected"]["computed"]["number_of_injective_comparable_buddy_assignments"]
    )


@given(growing_series(2, (4, 3)), st.integers(1, 3))
def test_says_what_the_definitions_say(drawn: Drawn, k: int) -> None:
    outcome = Correspondence(k, limit=1).run(drawn.series)
    left: dict[int, list[int]] = {0: [], 1: []}
    for (since, _), found in most_alike(drawn.releases, drawn.domain).items():
        left[since].append(sum(found.values()))
    assert outcome.details["FA"] == min(left[0])
    assert outcome.details["BA"] == (min(left[1]) if drawn.sizes[1] else None)
    fewest = min([*left[0], *(left[1] if drawn.sizes[1] else [])])
    assert outcome.details["least_left"] == fewest
    assert outcome.succeeded == (fewest < k)


@given(growing_series(3, (3, 2, 2), has_people=True), st.integers(1, 3))
def test_whoever_is_there_falls_only_if_somebody_like_him_could(drawn: Drawn, k: int) -> None:
    for limit in (Fraction(1, 2), ANYTHING):
        possible = Correspondence(k, limit=limit).run(drawn.series)
        actual = Correspondence(k, limit=limit, targets="actual").run(drawn.series)
        assert actual.n_attacked == possible.n_attacked == len(drawn.releases[-1])
        assert actual.n_fallen <= possible.n_fallen
        assert actual.highest <= possible.highest
        for name in ("FA", "BA", "least_left"):
            if possible.details[name] is not None:
                assert actual.details[name] >= possible.details[name]  # type: ignore[operator]


def test_fa_rises_as_a_target_vanishes_who_could_not_be() -> None:
    # Nobody is in a1 and b2; as soon as R2 tells a as well, nobody seems to be.
    first = {"q": ["0", "0", "1", "1"], "r": ["*"] * 4, "s": ["x", "x", "y", "x"]}
    before = {"q": ["*"] * 4, "r": ["0", "0", "1", "1"], "s": first["s"]}
    after = {"q": first["q"], "r": before["r"], "s": first["s"]}
    people = [[0, 1, 2, 3]] * 2
    for targets, fa in (("possible", [1, 2]), ("actual", [2, 2])):
        attack = Correspondence(1, limit=1, targets=targets)
        series = [of(first, second, people=people) for second in (before, after)]
        assert [attack.run(some).details["FA"] for some in series] == fa


def test_without_new_people_there_is_no_b_attack() -> None:
    first = {"q": ["*"] * 4, "s": ["x", "x", "y", "y"]}
    second = {"q": ["0", "0", "1", "1"], "s": ["x", "y", "x", "y"]}
    details = Correspondence(limit=1).run(of(first, second)).details
    assert (details["FA"], details["CA"], details["BA"]) == (2, 2, None)


def test_after_an_empty_release_only_classes_count() -> None:
    empty = {"q": pl.Series([], dtype=pl.String), "s": pl.Series([], dtype=pl.String)}
    second = {"q": ["0", "0", "0", "1", "1"], "s": ["x", "y", "x", "x", "y"]}
    details = Correspondence(limit=1).run(of(empty, second)).details  # type: ignore[arg-type]
    assert (details["FA"], details["CA"], details["BA"]) == (None, None, 2)


def test_a_class_that_is_comparable_to_none_counts_whole() -> None:
    first = {"q": ["[0-2)"] * 3, "s": ["x"] * 3}
    second = {"q": ["[0-2)"] * 3 + ["3"], "s": ["x"] * 4}
    details = Correspondence(limit=1).run(of(first, second)).details
    assert (details["FA"], details["CA"]) == (3, 1)


def test_what_is_left_may_be_too_much_alike() -> None:
    first = {"q": ["*"] * 4, "s": ["x", "x", "y", "y"]}
    second = {"q": ["0"] * 3 + ["1"] * 3, "s": ["x", "x", "y", "y", "y", "x"]}
    at_two_thirds = Correspondence(2, limit="2/3").run(of(first, second))
    assert not at_two_thirds.succeeded
    assert at_two_thirds.highest == pytest.approx(2 / 3)
    below = Correspondence(2, limit="0.66").run(of(first, second))
    assert below.succeeded
    assert below.victims[0].learned in ({"s": "x"}, {"s": "y"})
    assert "or more than 0.66 of them with the same value" in below.found


def test_only_the_column_that_is_asked_for_is_judged() -> None:
    hidden = {"s": ["x", "x", "x", "x"], "t": ["a", "b", "c", "d"]}
    frame = pl.DataFrame({"q": ["*"] * 4, **hidden})
    series = Series((Edition(Target(frame, ("q",), ("s", "t"))),) * 2)
    assert Correspondence(1).run(series).highest == 1
    assert Correspondence(1, sensitive="t").run(series).highest == 0.25
    with pytest.raises(SchemaError, match="no sensitive column of all releases 'u' among 2"):
        Correspondence(sensitive="u").run(series)


def test_without_hidden_columns_it_is_about_records() -> None:
    outcome = Correspondence(3).run(of({"q": ["*"] * 4}, {"q": ["0", "0", "1", "1"]}))
    assert (outcome.details["FA"], outcome.n_fallen, outcome.highest) == (2, 4, 0.5)


def test_a_number_of_the_case_links_all_records_and_is_named() -> None:
    case = ["a", "b", "c", "d"]
    hidden = {"s": ["x", "y", "x", "y"], "case": case}
    second = {"q": ["0", "0", "1", "1"], **hidden}
    outcome = Correspondence(limit=1).run(of({"q": ["*"] * 4, **hidden}, second))
    assert outcome.details["case_ids"] == "case"
    assert outcome.details["FA"] == 2
    assert "'case' tells every record from all others" in outcome.found


def test_records_in_order_are_told() -> None:
    rng = np.random.default_rng(0)
    hidden = rng.choice([*"xyz"], 40).tolist()
    series = of({"q": ["*"] * 30, "s": hidden[:30]}, {"q": ["*"] * 40, "s": hidden})
    outcome = Correspondence(limit=1).run(series)
    assert outcome.details["rows_in_order"] == 1
    assert "shuffle them" in outcome.found


def test_victims_are_the_worst_classes_or_the_people_themselves() -> None:
    first = {"q": ["*"] * 4, "s": ["x", "x", "y", "y"]}
    second = {"q": ["0"] * 3 + ["1"] * 3, "s": ["x", "y", "y", "x", "x", "y"]}
    people = [[0, 1, 2, 3], [0, 2, 3, 1, 4, 5]]
    worst = Correspondence(3, limit=1).run(of(first, second, people=people)).victims[0]
    assert worst.who == {"q": "0", "first in": "R2"}
    assert worst.records == 2
    actual = Correspondence(3, limit=1, targets="actual").run(of(first, second, people=people))
    assert [victim.who for victim in actual.victims[:2]] == [{"person": "5"}, {"person": "6"}]
    assert actual.n_fallen == 2


def test_more_than_two_releases_say_that_more_might_be_found() -> None:
    shown = {"q": ["*"] * 2, "s": ["x", "y"]}
    assert Correspondence().run(of(shown, shown)).basis is None
    assert "may strike out more" in Correspondence().run(of(shown, shown, shown)).sureness


SHOWN = {"q": ["*"] * 2, "s": ["x", "y"]}


def bucketed() -> Series:
    frame = pl.DataFrame({"q": ["1", "2"], "s": ["x", "y"], "bucket": [1, 1]})
    return Series((Edition(Target(frame, ("q",), ("s",), bucket="bucket"), None, "R1"),) * 2)


def replaced() -> Series:
    target = Target(pl.DataFrame(SHOWN), ("q",), ("s",), is_truthful=False)
    return Series((Edition(target, None, "R1"),) * 2)


@pytest.mark.parametrize(
    ("series", "targets", "message"),
    [
        (bucketed(), "possible", "R1 has buckets .* subtracts an older release sees the new"),
        (replaced(), "possible", "values of R1 are not true"),
        (of(SHOWN, {**SHOWN, "r": ["1", "2"]}), "possible", "other quasi-identifying columns"),
        (of(SHOWN, SHOWN), "actual", "whose records are is not known"),
        (of(SHOWN, SHOWN, people=[[0, 1], [0, 0]]), "possible", "several records in R2"),
        (of(SHOWN, SHOWN, people=[[0, 1], [0, 2]]), "possible", "people of R1 are not in R2"),
        (of(SHOWN, SHOWN, people=[[0, -1], [0, 1]]), "possible", "R1 has records of nobody"),
        (
            of({"q": ["[0-3)"] * 2, "s": ["x", "y"]}, {"q": ["[2-5)"] * 2, "s": ["x", "y"]}),
            "possible",
            "overlap and are not nested.*difference, intersection and record-tracing.*incremental",
        ),
        (of(SHOWN, {**SHOWN, "s": ["x", "x"]}), "possible", "what is published of them has"),
        (of(SHOWN), "possible", "give two or more"),
    ],
    ids=[
        "buckets",
        "untrue",
        "other columns",
        "nobody known",
        "repeated",
        "gone",
        "made up",
        "crossing",
        "changed",
        "one",
    ],
)
def test_refuses_releases_that_it_says_nothing_about(
    series: Series, targets: str, message: str
) -> None:
    with pytest.raises(UnsupportedError, match=message):
        Correspondence(targets=targets).run(series)


def test_refuses_to_explain_what_it_cannot_attack() -> None:
    with pytest.raises(UnsupportedError, match="R1 has buckets"):
        Correspondence().explain(bucketed(), {"q": 1}, since=1)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": 0}, "k must be at least 1, got 0"),
        ({"limit": 2}, r"limit must lie in \(0, 1\], got 2"),
        ({"targets": "all"}, "no kind of targets 'all'"),
    ],
    ids=["k", "limit", "targets"],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Correspondence(**parameters)


def test_has_a_written_form() -> None:
    assert str(Correspondence(5, targets="actual")) == 'correspondence(k=5, targets="actual")'


RNG = np.random.default_rng(0)
ILL = RNG.choice(["flu", "hiv", "cold"], 40).tolist()
BORN_GIVEAWAYS = RNG.choice(["UK", "FR"], 40).tolist()


def series(order: list[int], **more: list[str]) -> Series:
    """The first thirty records, and all forty in some order."""
    frame = pl.DataFrame({"born": BORN_GIVEAWAYS, "ill": ILL, **more})
    shown = (frame[:30], frame[order])
    return Series(tuple(Edition(Target(f, ("born",), ("ill",))) for f in shown))


def is_in_order(some: Series) -> bool:
    numbers = Numbers.of(some)
    (earlier, later), (then, now) = numbers.classes, numbers.of_records
    return in_order(earlier, later, then, now)


def test_records_in_the_same_order_give_themselves_away() -> None:
    assert is_in_order(series([*range(40)]))


def test_shuffled_records_do_not() -> None:
    assert not is_in_order(series(RNG.permutation(40).tolist()))


@pytest.mark.parametrize("n", [1, 2])
def test_few_records_may_be_in_order_by_chance(n: int) -> None:
    frame = pl.DataFrame({"born": BORN_GIVEAWAYS[:n], "ill": ILL[:n]})
    both = Series(tuple(Edition(Target(frame, ("born",), ("ill",))) for _ in range(2)))
    assert not is_in_order(both)


def test_a_shorter_release_after_a_longer_one_is_not_in_order() -> None:
    longer, shorter = reversed(series([*range(40)]).editions)
    assert not is_in_order(Series((longer, shorter)))


def test_a_column_that_tells_all_records_apart_is_named() -> None:
    numbered = series([*range(39, -1, -1)], case=[f"c{i}" for i in range(40)], ward=ILL)
    assert case_ids(numbered, ("ill", "case", "ward")) == ("case",)
