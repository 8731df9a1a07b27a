"""continuous: the book's run, series by plain definitions, the claims, the refusals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests import cases
from tests.attacks.series.generators import most_alike
from tests.history.growing import JOBS, Growing, growing, publish_all
from unlinkable.attacks.series.correspondence import Correspondence
from unlinkable.attacks.series.series import Edition, Series
from unlinkable.attacks.target import Target
from unlinkable.errors import InfeasibleError, ParameterError, UnsupportedError
from unlinkable.history.continuous.anonymizer import BCFAnonymizer
from unlinkable.history.continuous.continuous import Continuous
from unlinkable.history.policy import Past, Request
from unlinkable.history.publishing import Next, Terms, next_release
from unlinkable.methods.cuts.top_down_refinement import TopDownRefinement
from unlinkable.methods.cuts.top_down_specialization import TopDownSpecialization
from unlinkable.methods.lattice.optimal import Optimal
from unlinkable.privacy import EntropyLDiversity, KAnonymity, KCAnonymity
from unlinkable.recoding import Pseudonymization
from unlinkable.table import Table, Tree, as_table

CASE = cases.load("book-ch10-ex10.3-10.10-correspondence-attacks")["input"]
BORN = Tree({"Europe": ["UK", "France"], "America": ["Canada"]})
WORK = Tree({"Professional": ["Lawyer", "Doctor"]})


def patients() -> Table:
    """Both batches of Example 10.3, as they are."""
    rows = CASE["R2"]["rows"]
    return as_table(
        {"Birthplace": [r[4] for r in rows], "Job": [r[5] for r in rows]}
        | {"Disease": [r[3] for r in rows]},
        quasi=["Birthplace", "Job"],
        sensitive="Disease",
        taxonomies={"Birthplace": BORN, "Job": WORK},
    )


def after_r1() -> Past:
    """Table 10.4 is out."""
    table, rows = patients(), CASE["R1"]["rows"]
    names = ("Birthplace", "Job", "Disease")
    frame = pl.DataFrame({name: [row[j + 1] for row in rows] for j, name in enumerate(names)})
    taxonomies = {name: table.taxonomy(name) for name in names[:2]}
    target = Target(frame, names[:2], names[2:], taxonomies)
    return Past((Edition(target, np.arange(5), "R1"),), {}, 5)


@pytest.mark.parametrize("squares", ["before", "after", "reduction"])
@pytest.mark.parametrize("targets", ["possible", "actual"])
def test_the_run_on_the_book_s_patients(targets: str, squares: str) -> None:
    policy = Continuous(targets=targets, squares=squares)
    shown = {}
    for k in (4, 5):
        made = next_release(
            policy, Request(patients(), np.arange(10), (KAnonymity(k),)), after_r1()
        )
        shown[k] = {*made.edition.target.frame.select("Birthplace", "Job").iter_rows()}
        assert [made.outcomes[0].details[name] for name in ("FA", "CA", "BA")] == [k, k, k]
    assert shown[5] == {("Europe", "Professional")}
    assert shown[4] == {(row[1], row[2]) for row in CASE["R2"]["rows"]}
    with pytest.raises(InfeasibleError, match="leaves somebody with fewer than 6 records"):
        next_release(policy, Request(patients(), np.arange(10), (KAnonymity(6),)), after_r1())


def ages(text: str | None) -> frozenset[str]:
    if text is None:
        return frozenset({"none"})
    if text == "*":
        return frozenset({*map(str, range(20, 30)), "none"})
    lo, _, hi = text.strip("[)").partition("-")
    return frozenset(map(str, range(int(lo), int(hi) if hi else int(lo) + 1)))


def jobs(text: str) -> frozenset[str]:
    leaves = [job for below in JOBS.values() for job in below]
    return frozenset(leaves if text == "*" else JOBS.get(text, [text]))


def plain(edition: Edition) -> list[tuple[tuple[frozenset[str], ...], str]]:
    """Read a release as sets of raw values."""
    frame = edition.target.frame
    hidden = [name for name in frame.columns if name not in ("age", "job")]
    return [
        ((ages(row["age"]), jobs(row["job"])), "".join(row[name] for name in hidden))
        for row in frame.with_columns(pl.col("age").cast(pl.String)).iter_rows(named=True)
    ]


def left_of(editions: tuple[Edition, ...], person: int) -> dict[str, int]:
    """Count what is left of somebody by value, with the words of the definitions."""
    known = [plain(edition) for edition in editions]
    where = [np.flatnonzero(e.people == person) for e in editions]
    since = next(i for i, found in enumerate(where) if found.size)
    mine = {i: known[i][where[i][0]][0] for i in range(since, len(editions))}
    left = {}
    for value in {hidden for records in known for _, hidden in records}:
        bounds = [sum(r == (mine[i], value) for r in known[i]) for i in mine]
        for i, h in product(mine, range(since)):
            before = [r for r in known[h] if r[1] == value and meet(r[0], mine[i])]
            after = [r for r in known[i] if r[1] == value and any(meet(r[0], b) for b, _ in before)]
            if before:
                bounds.append(len(after) - len(before))
        left[value] = min(bounds)
    return left


def meet(a: tuple[frozenset[str], ...], b: tuple[frozenset[str], ...]) -> bool:
    return all(x & y for x, y in zip(a, b, strict=True))


POLICIES = st.builds(
    Continuous,
    targets=st.sampled_from(["possible", "actual"]),
    numbers=st.sampled_from(["split", "taxonomy"]),
)


@given(growing(n_people=12, n_columns=2, missing=True), POLICIES)
def test_after_every_release_enough_is_left_of_everybody(
    grown: Growing, policy: Continuous
) -> None:
    for n, _, past in publish_all(policy, grown):
        for person in range(n):
            left = left_of(past.editions, person)
            assert sum(left.values()) >= grown.k
            for column in range(2):
                by_value: dict[str, int] = {}
                for value, records in left.items():
                    by_value[value[column]] = by_value.get(value[column], 0) + records
                assert max(by_value.values()) <= grown.c * sum(left.values())


@given(growing(n_people=7, n_releases=1))
def test_two_releases_leave_enough_in_all_possible_originals(grown: Growing) -> None:
    releases = [past for _, _, past in publish_all(Continuous(), evolve_c(grown))]
    assume(len(releases) == 2)
    records = [plain(edition) for edition in releases[-1].editions]
    domain = [[*map(str, range(20, 30)), "none"], [job for below in JOBS.values() for job in below]]
    sizes = [len(records[0]), len(records[1]) - len(records[0])]
    for (since, _), most in most_alike(records, domain).items():
        assert not sizes[since] or sum(most.values()) >= grown.k


def evolve_c(grown: Growing) -> Growing:
    """Promise nothing of values: possible people who hide all the same are no harm."""
    return Growing(grown.ages, grown.jobs, grown.hidden, grown.ends, grown.k, Fraction(1))


@given(growing(n_people=14, n_releases=2))
def test_for_actual_targets_no_single_further_step_can_be_made(grown: Growing) -> None:
    known = evolve_c(grown)
    policy = Continuous(targets="actual", numbers="taxonomy")
    for _, made, past in publish_all(policy, known):
        # What was stopped earlier, because somebody fell to another attack, could go on.
        for frame in [] if made.refused else one_step_on(made):
            edition = Edition(
                Target(frame, ("age", "job"), ("s0",), made.edition.target.taxonomies),
                made.edition.people,
            )
            sizes = frame.group_by("age", "job").len().get_column("len")
            attack = Correspondence(known.k, limit=1, targets="actual")
            series = Series((*past.editions[:-1], edition))
            is_open = len(series) < 2 or not attack.run(series).succeeded
            assert sizes.min() < known.k or not is_open  # type: ignore[operator]


def one_step_on(made: Next) -> list[pl.DataFrame]:
    """Tell jobs more precisely, one value at a time."""
    frame = made.edition.target.frame
    assert made.edition.people is not None
    raw = made.release.table.frame.get_column("job").gather(made.edition.people)
    branch = {job: above for above, below in JOBS.items() for job in below}
    found = []
    for value in {"*", *JOBS} & {*frame.get_column("job")}:
        finer = [
            text if text != value else (branch[job] if value == "*" else job)
            for text, job in zip(frame.get_column("job"), raw, strict=True)
        ]
        found.append(frame.with_columns(pl.Series("job", finer)))
    return found


@given(growing(n_people=10))
def test_the_same_series_comes_out_again(grown: Growing) -> None:
    runs = [
        [
            made.edition.target.frame.sort(pl.all())
            for _, made, _ in publish_all(Continuous(), grown)
        ]
        for _ in range(2)
    ]
    assert all(a.equals(b) for a, b in zip(*runs, strict=True))


def people(n: int, **more: list[Any]) -> Table:
    columns = {"q": [*"aabbaabb"], "s": [*"xyxyxyxy"], **more}
    return as_table(
        {name: values[:n] for name, values in columns.items()},
        quasi="q",
        sensitive="s",
        insensitive=[*more],
    )


def published(policy: Continuous, n: int = 4, **more: list[Any]) -> Past:
    request = Request(people(n, **more), np.arange(n), (KAnonymity(2),))
    made = next_release(policy, request, Past())
    return Past((made.edition,), made.memory, n)


def test_effort_is_golden() -> None:
    past = published(Continuous())
    made = next_release(Continuous(), Request(people(8), np.arange(8), (KAnonymity(2),)), past)
    assert made.release.n_groups == 2
    assert dict(made.release.outcome.effort) == {
        "steps": 1,
        "checked": 1,
        "given_up": 0,
        "groups_judged": 2,
        "rows_read": 2,
        "kinds_judged": 7,
        "groups": 2,
    }


def test_without_new_people_another_view_may_be_published() -> None:
    past = published(Continuous())
    made = next_release(Continuous(), Request(people(4), np.arange(4), (KAnonymity(2),)), past)
    assert made.outcomes[0].details["BA"] is None


def test_the_specialization_that_is_asked_for_is_used() -> None:
    asked = TopDownSpecialization(steps=0)
    request = Request(people(8), np.arange(8), (KAnonymity(2),), asked)
    made = next_release(Continuous(), request, published(Continuous()))
    assert made.release.n_groups == 1
    assert isinstance(made.release.method, BCFAnonymizer)
    assert str(made.release.method) == "continuous"


@pytest.mark.parametrize("score", ["discernibility", "loss", "igpl", "information-gain"])
def test_steps_are_chosen_by_what_is_asked_for(score: str) -> None:
    days = [*(np.datetime64("2020-01-01") + np.arange(120) % 20).astype(object)]
    columns = {"day": days, "s": [*"xyz"] * 40, "again": [*"noon"] * 30}
    past = Past()
    for n in (40, 80, 120):
        shown = {name: values[:n] for name, values in columns.items()}
        table = as_table(shown, quasi="day", sensitive="s", target="again")
        request = Request(table, np.arange(n), (KAnonymity(3),))
        made = next_release(Continuous(score=score), request, past)
        past = Past((*past.editions, made.edition), made.memory, n)
        assert made.release.n_groups > 1
    assert made.outcomes[0].details["least_left"] >= 3  # type: ignore[operator]


def test_what_was_promised_before_is_kept_by_who_promises_less() -> None:
    past, promise = Past(), KCAnonymity(4, "1/2", sensitive="s")
    for n in (4, 8):
        made = next_release(Continuous(), Request(people(n), np.arange(n), (promise,)), past)
        past = Past((*past.editions, made.edition), made.memory, n)
        promise = KCAnonymity(2, 1, sensitive="s")
    tried = [outcome.attack for outcome in made.outcomes]
    assert [attack.name for attack in tried] == list(Continuous.guards)
    assert {getattr(attack, "k", 4) for attack in tried} == {4}
    assert {attack.limit for attack in tried} == {Fraction(1, 2)}
    assert made.outcomes[0].details["least_left"] >= 4  # type: ignore[operator]
    request = Request(people(6), np.arange(6), (promise,))
    with pytest.raises(InfeasibleError, match=r"2 people are new .* until there are 4"):
        next_release(Continuous(), request, Past(past.editions[:1], {}, 4))


def test_too_few_new_people_have_to_wait() -> None:
    request = Request(people(5), np.arange(5), (KAnonymity(2),))
    with pytest.raises(
        InfeasibleError, match=r"1 person is new .* wait until there are 2 new ones"
    ):
        next_release(Continuous(), request, published(Continuous()))


def test_new_people_with_the_same_value_have_to_wait() -> None:
    table = as_table({"q": [*"aabbaa"], "s": [*"xyxyxx"]}, quasi="q", sensitive="s")
    request = Request(table, np.arange(6), (KCAnonymity(2, "2/3", sensitive="s"),))
    with pytest.raises(InfeasibleError, match=r"more than 0\.667 of the 2 people who are new"):
        next_release(Continuous(), request, published(Continuous()))


def refused(request: Request, past: Past, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        next_release(Continuous(), request, past)


@pytest.mark.parametrize("method", [Optimal(), TopDownRefinement()], ids=str)
def test_refuses_other_methods(method: Any) -> None:
    request = Request(people(8), np.arange(8), (KAnonymity(2),), method)
    refused(request, Past(), f"cannot use {method.name}: leave the method out")


def test_refuses_promises_that_say_nothing_of_several_releases() -> None:
    models = (EntropyLDiversity(2, sensitive="s"),)
    refused(Request(people(8), np.arange(8), models), Past(), "cannot hold several releases to")


def test_refuses_several_records_of_a_person() -> None:
    table, promise = people(8), (KAnonymity(2),)
    refused(Request(table, np.arange(8) // 2, promise), Past(), "somebody has several records")


def test_refuses_a_number_of_the_case() -> None:
    table = people(8, case=[*"abcdefgh"])
    request = Request(table, np.arange(8), (KAnonymity(2),))
    refused(request, Past(), "column 'case' tells every record from all others")


def test_refuses_pseudonyms_that_link_records() -> None:
    table = as_table(
        {"who": [*"abcdefgh"], "q": [*"aabbaabb"], "s": [*"xyxyxyxy"]},
        identifiers="who",
        quasi="q",
        sensitive="s",
    )
    terms = Terms(
        identifiers={"who": Pseudonymization(treatment="pseudonym")}, key=bytes(range(32))
    )
    request = Request(table, np.arange(8), (KAnonymity(3),))
    with pytest.raises(UnsupportedError, match="'who' would be published as pseudonyms"):
        next_release(Continuous(), request, Past(), terms)


def test_refuses_people_who_have_left() -> None:
    request = Request(people(4), np.array([0, 1, 2, 7]), (KAnonymity(2),))
    refused(request, published(Continuous()), "1 person of release 1 has left")


def test_refuses_people_who_have_changed() -> None:
    table = as_table({"q": [*"abbbaabb"], "s": [*"xyyyxyxy"]}, quasi="q", sensitive="s")
    request = Request(table, np.arange(8), (KAnonymity(2),))
    refused(request, published(Continuous()), "2 people of release 1 have other values now")


def with_target(past: Past, **changes: Any) -> Past:
    edition = past.editions[0]
    target = evolve(edition.target, **changes)
    return Past((evolve(edition, target=target),), {}, past.n_people)


def test_refuses_releases_of_other_kinds() -> None:
    request = Request(people(8), np.arange(8), (KAnonymity(2),))
    past = published(Continuous())
    refused(request, with_target(past, is_truthful=False), "is not of generalized records alone")
    refused(request, with_target(past, bucket="q"), "the new ones would stand out by subtraction")
    refused(request, with_target(past, quasi=("s",)), "has other quasi-identifying columns")
    made_up = evolve(past.editions[0], people=np.array([0, 1, 2, -1]))
    refused(request, Past((made_up,), {}, 4), "is not of generalized records alone")


def test_refuses_earlier_releases_that_are_not_recoded_alike() -> None:
    frames = [pl.DataFrame({"q": [text] * 2, "s": [*"xy"]}) for text in ("[0-3)", "[1-5)")]
    editions = tuple(Edition(Target(f, ("q",), ("s",)), np.arange(2)) for f in frames)
    table = as_table({"q": [1, 2, 3, 4], "s": [*"xyxy"]}, quasi="q", sensitive="s")
    request = Request(table, np.arange(4), (KAnonymity(2),))
    refused(request, Past(editions, {}, 2), "overlap and are not nested.*Use incremental")


@pytest.mark.parametrize("name", ["targets", "score", "squares", "numbers"])
def test_refuses_parameters_that_mean_nothing(name: str) -> None:
    with pytest.raises(ParameterError, match="'nothing' among"):
        Continuous(**{name: "nothing"})


def test_has_a_written_form() -> None:
    assert str(Continuous(targets="actual")) == 'continuous(targets="actual")'
