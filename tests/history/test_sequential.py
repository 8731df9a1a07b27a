"""sequential: the book's run, all combinations of records of a series, and the refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests import cases
from tests.attacks.series.joining import TREES, Plain, join, told
from tests.groups.plain import taxonomy_of
from unlinkable.attacks.series.critical_absence import CriticalAbsence
from unlinkable.attacks.series.series import Edition
from unlinkable.attacks.target import Target
from unlinkable.errors import (
    ChannelError,
    InfeasibleError,
    ParameterError,
    SchemaError,
    UnsupportedError,
)
from unlinkable.history.policy import Past, Request
from unlinkable.history.publishing import Next, next_release
from unlinkable.history.sequential.search import SequentialSearch
from unlinkable.history.sequential.sequential import Sequential
from unlinkable.methods import Mondrian
from unlinkable.methods.base import Search
from unlinkable.privacy import KAnonymity
from unlinkable.release.job import BrokenPromiseError
from unlinkable.table import Table, Tree, as_table
from unlinkable.table.builders.given import Given

HIDDEN = ("y", "z")
PLAIN_RULES = (("a", "A", "c", "c0"), ("b", "b1", "d", "d0"))


def table_from(rows: Sequence[dict[str, str]], **roles: Any) -> Table:
    """Take plain rows; quasi-identifiers are all columns but y and z."""
    names = list(rows[0])
    frame = pl.DataFrame({n: pl.Series([r[n] for r in rows], dtype=pl.String) for n in names})
    quasi = [n for n in names if n not in (*HIDDEN, *roles.values())]
    hidden = [n for n in names if n in HIDDEN]
    trees = {n: Given(taxonomy_of(TREES[n])) for n in quasi}
    return as_table(frame, quasi=quasi, sensitive=hidden, taxonomies=trees, **roles)


def plain_of(edition: Edition) -> Plain:
    """Read what was published."""
    rows = [{n: str(v) for n, v in row.items()} for row in edition.target.frame.to_dicts()]
    assert edition.people is not None
    return Plain(rows, edition.people.tolist())


def publish(
    policy: Sequential,
    past: Past,
    rows: Sequence[dict[str, str]],
    people: Sequence[int],
    **more: Any,
) -> Next:
    request = Request(table_from(rows), np.array(people, np.int64), **more)
    return next_release(policy, request, past)


def after(past: Past, following: Next) -> Past:
    return Past((*past.editions, following.edition), following.memory, 100)


def raw_edition(rows: Sequence[dict[str, str]], people: Sequence[int], name: str) -> Edition:
    """Take rows for a release: it may show nodes of trees."""
    names = list(rows[0])
    frame = pl.DataFrame({n: pl.Series([r[n] for r in rows], dtype=pl.String) for n in names})
    quasi = tuple(n for n in names if n not in HIDDEN)
    means = {n: taxonomy_of(TREES[n]) for n in names}
    target = Target(frame, quasi, tuple(n for n in names if n in HIDDEN), means)
    return Edition(target, np.array(people, np.int64), name)


def keeps(
    releases: Sequence[Plain],
    x: Sequence[str],
    asked: Sequence[str],
    h: Fraction,
    k: int = 1,
    rules: Sequence[tuple[str, str, str, str]] = (),
) -> bool:
    """Whether the join of all releases, and the last one by itself, keep the promise.

    By every combination of records.
    """
    for joined in (releases, releases[-1:]):
        there = {name for release in joined for name in release.rows[0]}
        known = [name for name in x if name in there]
        for y in asked:
            if y in there and told(joined, known, y, h, k, rules=rules).falls:
                return False
    return True


def refinements(
    shown: Plain, raw: dict[int, dict[str, str]], columns: Sequence[str]
) -> Iterator[Plain]:
    """Replace one value by its children, wherever it is shown, in every way."""
    assert shown.people is not None
    for column in columns:
        for value in {row[column] for row in shown.rows}:
            rows, changed = [], False
            for person, row in zip(shown.people, shown.rows, strict=True):
                path = [str(label) for label in TREES[column].paths[raw[person][column]]]
                below = path[: path.index(value)] if row[column] == value else []
                changed |= bool(below)
                rows.append({**row, column: below[-1]} if below else row)
            if changed:
                yield Plain(rows, shown.people)


def run_of_the_book() -> tuple[Table, Past]:
    case = cases.load("book-ch09-ex9.5-tds4sa-trees")["input"]
    first, then = (
        dict(zip(case[t]["columns"], map(list, zip(*case[t]["rows"], strict=True)), strict=True))
        for t in ("T1", "T2")
    )
    tree = Tree(case["taxonomy"]["PoB"], pad=True)
    patients = as_table(first, quasi=["PoB", "Sex", "Zip"], taxonomies={"PoB": tree})
    means = {name: patients.taxonomy(name) for name in patients.schema.quasi}
    target = Target(patients.frame, patients.schema.quasi, (), means)
    tests = as_table(
        then,
        quasi=["Job", "PoB", "Sex"],
        sensitive="Test",
        target="Class",
        taxonomies={"PoB": tree},
    )
    return tests, Past((Edition(target, np.arange(7), "release 1"),), {}, 8)


def test_the_run_of_the_book_tells_europe_from_the_us() -> None:
    tests, past = run_of_the_book()
    policy = Sequential(x=["Job", "PoB", "Zip"], y=["Test=HIV"], h="0.9")
    following = next_release(policy, Request(tests, np.arange(8)), past)
    frame = following.edition.target.frame
    assert sorted(set(frame["PoB"].to_list())) == ["Europe", "US"]
    assert set(frame["Job"].to_list()) == {"*"}
    assert set(frame["Sex"].to_list()) == {"M", "F"}  # not in x
    outcome = following.outcomes[0]
    assert (outcome.highest, outcome.details["rows"]) == (0.5, 22)
    assert str(following.release.method) == str(policy.bind(tests.schema))
    solution = following.release.solution  # type: ignore[attr-defined]
    assert [(step.column, step.parts) for step in solution.trace] == [
        ("Sex", (0, 1)),
        ("PoB", (0, 2)),
    ]
    # Information gain of 0.811 bits on the class, and the join goes from 1/3 to 1/2 sure.
    assert solution.trace[1].score == pytest.approx(0.8112781 / (1 / 6 + 1))
    assert dict(solution.effort) == {
        "steps": 2,
        "checked": 4,
        "given_up": 2,
        "groups_judged": 4,
        "rows_read": 22,
        "disclosed": 1,
        "groups": 3,
        "parts_joined": 15,
    }


def test_the_book_is_infeasible_below_a_third_and_says_that_this_is_no_proof() -> None:
    tests, past = run_of_the_book()
    policy = Sequential(x=["Job", "PoB", "Zip"], y=["Test=HIV"], h="0.3")
    with pytest.raises(UnsupportedError, match=r"up to 0\.333 sure.*x does not have 'Sex'"):
        next_release(policy, Request(tests, np.arange(8)), past)
    policy = Sequential(y=["Test=HIV"], h="0.2")
    with pytest.raises(InfeasibleError, match="the release by itself tells too much, and it may"):
        next_release(policy, Request(tests, np.arange(8)), past)


def test_what_an_earlier_release_tells_cannot_be_taken_back() -> None:
    first = [{"b": "b0", "y": "y0"}, {"b": "b1", "y": "y1"}]
    past = Past((raw_edition(first, range(2), "release 1"),), {}, 100)
    with pytest.raises(InfeasibleError, match="join with 1 earlier release makes up to 1 sure"):
        publish(Sequential(), past, [{"b": "b0"}, {"b": "b1"}], range(2))


leaf = {name: st.sampled_from([str(v) for v in TREES[name].leaves]) for name in TREES}


@st.composite
def people_of(draw: st.DrawFn, least: int = 2, most: int = 7) -> list[dict[str, str]]:
    n = draw(st.integers(least, most))
    return [{name: draw(leaf[name]) for name in TREES} for _ in range(n)]


columns_of = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True)
shares = st.sampled_from([Fraction(1, 2), Fraction(2, 3), Fraction(3, 4), Fraction(9, 10)])


@given(st.data())
def test_releases_are_safe_and_no_value_can_be_told_more_precisely(data: st.DataObject) -> None:
    people = data.draw(people_of(least=4, most=9))
    everybody = range(len(people))
    n_before = data.draw(st.integers(0, 2))
    is_same = data.draw(st.booleans())
    past, before = Past(), []
    for i in range(n_before):
        names = [*data.draw(columns_of), *data.draw(st.sampled_from([(), ("y",), ("z",)]))]
        who = (
            [*everybody]
            if is_same
            else data.draw(st.lists(st.sampled_from([*everybody]), min_size=1, unique=True))
        )
        rows = []
        for p in who:
            tops = {n: 0 if n in HIDDEN else data.draw(st.integers(0, 2)) for n in names}
            paths = {n: TREES[n].paths[people[p][n]] for n in names}
            rows.append({n: str(paths[n][min(t, len(paths[n]) - 1)]) for n, t in tops.items()})
        before.append(Plain(rows, who))
        past = Past((*past.editions, raw_edition(rows, who, f"release {i + 1}")), {}, 100)
    mine = [*data.draw(columns_of), *data.draw(st.sampled_from([("y",), ("y", "z"), ()]))]
    there = {n for release in before for n in release.rows[0]} | {*mine}
    is_known = {*HIDDEN} <= there and data.draw(st.booleans())
    asked = [n for n in HIDDEN if n in there and not (n == "z" and is_known)]
    known = sorted(there - {*asked})
    x = (
        known
        if data.draw(st.booleans())
        else data.draw(st.lists(st.sampled_from(known), min_size=1, unique=True))
    )
    h, k = data.draw(shares), data.draw(st.sampled_from([1, 1, 2]))
    raw = [{n: people[p][n] for n in mine} for p in everybody]
    rules = PLAIN_RULES if data.draw(st.booleans()) else ()
    policy = Sequential(
        x=x,
        y=asked or None,
        h=h,
        k=k,
        inconsistent=[f"{a}={v}, {b}={w}" for a, v, b, w in rules],
        priced=data.draw(st.booleans()),
    )
    generalized = [n for n in mine if n in x and n not in HIDDEN]
    general = Plain([{n: "*" if n in generalized else v for n, v in r.items()} for r in raw])
    is_feasible = keeps([*before, general], x, asked, h, k, rules)
    if not asked:
        with pytest.raises(ParameterError, match="nothing is to stay hidden"):
            publish(policy, past, raw, everybody)
        return
    if not is_feasible:
        with pytest.raises((InfeasibleError, UnsupportedError)) as refused:
            publish(policy, past, raw, everybody)
        others = everything(raw, generalized)
        might = any(keeps([*before, other], x, asked, h, k, rules) for other in others)
        event(f"{refused.type.__name__}, another release would do: {might}")
        assert might <= ("Another release might keep that" in str(refused.value))
        return
    following = publish(policy, past, raw, everybody)
    event(f"published, {len(following.edition.target.frame.unique())} different records")
    shown = plain_of(following.edition)
    assert keeps([*before, shown], x, asked, h, k, rules)
    if following.refused:
        event("stopped earlier: somebody fell who knows everybody's groups")
        return
    by_person = dict(zip(everybody, raw, strict=True))
    for finer in refinements(shown, by_person, generalized):
        assert not keeps([*before, finer], x, asked, h, k, rules)


def everything(raw: list[dict[str, str]], columns: list[str]) -> Iterator[Plain]:
    """Generalize every column to each level."""
    releases = [Plain(raw)]
    for column in columns:
        releases = [
            Plain([{**row, column: str(TREES[column].paths[row[column]][level])} for row in r.rows])
            for r in releases
            for level in range(TREES[column].height + 1)
        ]
    yield from releases


@given(st.data())
def test_a_series_made_by_the_policy_is_safe_after_every_release(data: st.DataObject) -> None:
    people = data.draw(people_of(least=4))
    policy, past = Sequential(h=data.draw(shares)), Past()
    for _ in range(3):
        names = [*data.draw(columns_of), *data.draw(st.sampled_from([("y",), ("z",), ("y", "z")]))]
        order = data.draw(st.permutations(range(len(people))))
        raw = [{n: people[p][n] for n in names} for p in order]
        try:
            past = after(past, publish(policy, past, raw, order))
        except (InfeasibleError, UnsupportedError):
            continue
        releases = [plain_of(edition) for edition in past.editions]
        there = [{*release.rows[0]} for release in releases]
        known = sorted(set().union(*there) - {*HIDDEN})
        asked = [n for n in HIDDEN if any(n in names for names in there)]
        assert keeps(releases, known, asked, policy.h)


def test_telling_more_can_make_the_join_tell_less_if_x_lacks_a_column_that_is_matched() -> None:
    # Lemma 9.2 as it is printed: all records match, and y is told by one release only.
    first = [{"a": "a0", "b": "b0", "d": "d0"}, {"a": "a2", "b": "b0", "d": "d1"}]
    first += [{"a": "a2", "b": "b1", "d": "d1"}] * 10
    then = [{"a": "a0", "b": "b0", "y": "y0"}, {"a": "a2", "b": "b0", "y": "y1"}]
    then += [{"a": "a2", "b": "b1", "y": "y0"}] * 3
    top = [{**row, "a": "*"} for row in then]
    for rows in (then, top):
        pairs = join([Plain(first), Plain(rows)])
        assert {i for i, _ in pairs} == {*range(12)}
        assert {j for _, j in pairs} == {*range(5)}
    x, limit = ("a", "d"), Fraction(1, 4)
    assert told([Plain(first), Plain(top)], x, "y", limit, value="y1").highest == Fraction(1, 2)
    assert told([Plain(first), Plain(then)], x, "y", limit, value="y1").highest == Fraction(1, 31)
    # So the most general release proves nothing, and the policy does not say that it does.
    past = Past((raw_edition(first, range(12), "release 1"),), {}, 100)
    with pytest.raises(UnsupportedError, match="Another release might keep that"):
        publish(Sequential(x=x, y="y=y1", h=limit), past, then, range(5))
    # With the column in x it is a matter of the release alone.
    shares_of = [
        told([Plain(first), Plain(rows)], ("a", "b", "d"), "y", limit, value="y1").highest
        for rows in (top, then)
    ]
    assert shares_of == [Fraction(1, 2), Fraction(1, 1)]


FIRST = [
    {"b": "b0", "c": "c0", "d": "d0"},
    {"b": "b0", "c": "c1", "d": "d1"},
    {"b": "b1", "c": "c1", "d": "d1"},
]
THEN = [
    {"a": "a0", "b": "b0", "c": "c1", "y": "y0"},
    {"a": "a2", "b": "b0", "c": "c0", "y": "y0"},
    {"a": "a2", "b": "b0", "c": "c0", "y": "y1"},
    {"a": "a0", "b": "b1", "c": "c1", "y": "y2"},
]


def test_telling_more_can_leave_more_values_if_x_lacks_a_column_that_is_matched() -> None:
    # Lemma 9.1 as it is printed: all records match before and after.
    fewest = []
    for rows in ([{**row, "c": "*"} for row in THEN], THEN):
        pairs = join([Plain(FIRST), Plain(rows)])
        assert ({i for i, _ in pairs}, {j for _, j in pairs}) == ({0, 1, 2}, {0, 1, 2, 3})
        fewest.append(told([Plain(FIRST), Plain(rows)], ("a", "c", "d"), "y", Fraction(1)).fewest)
    assert fewest == [1, 2]


def test_a_step_that_failed_is_tried_again_where_it_may_be_possible_later() -> None:
    past = Past((raw_edition(FIRST, range(3), "release 1"),), {}, 100)
    policy = Sequential(x=("a", "c", "d"), y="y", h=Fraction(2, 3), priced=False)
    following = publish(policy, past, THEN, range(4))
    # Telling a first makes certain of y0; once c is told it does not.
    shown = following.edition.target.frame.select("a", "c").rows()
    assert sorted(shown) == [("a0", "c1"), ("a0", "c1"), ("a2", "c0"), ("a2", "c0")]
    solution = following.release.solution  # type: ignore[attr-defined]
    assert solution.effort["given_up"] > 0
    assert [step.column for step in solution.trace][:3] == ["b", "c", "a"]


def test_columns_of_x_that_are_no_quasi_identifiers_are_known_and_stay_as_they_are() -> None:
    first = [{"b": "b0", "y": "y0"}, {"b": "b0", "y": "y1"}] * 4
    then = [{"a": f"a{i % 2}", "b": "b0", "z": f"z{i // 4}"} for i in range(8)]
    past = Past((raw_edition(first, range(8), "release 1"),), {}, 100)
    policy = Sequential(x=("a", "b", "z"), y="y", h=Fraction(1, 2))
    shown = plain_of(publish(policy, past, then, range(8)).edition)
    assert {row["a"] for row in shown.rows} == {"a0", "a1"}  # tells nothing of y
    assert {row["z"] for row in shown.rows} == {"z0", "z1"}


def test_rules_take_matches_away() -> None:
    first = [{"b": "b0", "d": "d0"}, {"b": "b1", "d": "d1"}]
    then = [{"c": "c0", "y": "y0"}, {"c": "c1", "y": "y1"}]
    past = Past((raw_edition(first, range(2), "release 1"),), {}, 100)
    free = publish(
        Sequential(x=("b", "c", "d"), y="y", h=1, k=1),
        past,
        then,
        range(2),
        models=(KAnonymity(2),),
    )
    assert set(free.edition.target.frame["c"]) == {"*"}
    policy = Sequential(x=("b", "d"), y="y", h=Fraction(1, 2), inconsistent="b=b0, c=c0")
    # c is not in x, and told: whoever has b0 cannot have c0, so y1 is certain.
    with pytest.raises(UnsupportedError, match="up to 1 sure"):
        publish(policy, past, then, range(2))
    inside = Sequential(x=("b", "c", "d"), y="y", h=Fraction(1, 2), inconsistent="b=b0, c=c0")
    assert set(publish(inside, past, then, range(2)).edition.target.frame["c"]) == {"*"}


def test_numbers_are_split_where_that_gains_most_and_match_only_if_asked() -> None:
    n = 24
    first = as_table({"age": [*range(n)], "zip": ["z"] * n}, quasi=["age", "zip"])
    then = as_table(
        {"age": [*range(n)], "y": ["s", "t", "u"] * (n // 3), "c": ["l"] * 9 + ["r"] * 15},
        quasi="age",
        sensitive="y",
        target="c",
    )
    target = Target(first.frame, ("age", "zip"), (), {"age": first.taxonomy("age")})
    past = Past((Edition(target, np.arange(n), "release 1"),), {}, n)
    split = next_release(Sequential(h="0.4"), Request(then, np.arange(n)), past)
    solution = split.release.solution  # type: ignore[attr-defined]
    assert solution.trace[0].parts == (0, 9)  # where the class changes
    assert split.outcomes[0].details["matched_on"] is None
    matched = next_release(Sequential(h="0.4", numbers=True), Request(then, np.arange(n)), past)
    assert matched.outcomes[0].details["matched_on"] == "age"
    shown = {*matched.edition.target.frame["age"]}
    assert shown == {f"[{i}-{i + 3})" for i in range(0, n, 3)}  # nodes of its taxonomy


def test_a_promise_of_the_release_is_kept_as_well() -> None:
    tests, past = run_of_the_book()
    request = Request(tests, np.arange(8), models=(KAnonymity(3),))
    following = next_release(Sequential(y=["Test=HIV"], h="0.9"), request, past)
    frame = following.edition.target.frame
    assert min(Counter(frame.select("Job", "PoB", "Sex").rows()).values()) >= 3
    policy = Sequential(x=["PoB"], y=["Test=HIV"], h="0.9")
    with pytest.raises(InfeasibleError, match="column 'Job' is not in x and is published as it is"):
        next_release(policy, request, past)


def test_scores_lead_to_different_releases_all_of_which_are_safe() -> None:
    tests, past = run_of_the_book()
    for score in ("igpl", "information-gain", "discernibility", "loss"):
        policy = Sequential(y=["Test=HIV"], h="0.9", score=score)
        assert isinstance(policy.method_for(Request(tests, np.arange(8)), past), SequentialSearch)
        following = next_release(policy, Request(tests, np.arange(8)), past)
        assert not following.outcomes[0].succeeded


def test_the_written_form_reads_back() -> None:
    policy = Sequential(x=["a"], y=["y=v<=0.1", "z"], k=2, h="2/3", inconsistent="a=1, b=2")
    assert str(policy) == (
        'sequential(x=["a"], y=["y=v<=0.1", "z"], k=2, h="2/3", inconsistent=["a=1, b=2"])'
    )


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"y": ()}, "y must name at least one column"),
        ({"x": ("a",), "y": "a=b"}, "column 'a' is in x and in y"),
        ({"inconsistent": "a"}, "write two values that nobody has at once"),
        ({"h": 0}, "h must lie in"),
        ({"k": 0}, "k must be at least 1"),
        ({"score": "best"}, "no score 'best'"),
        ({"priced": 1}, "priced must be true or false"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Sequential(**parameters)


def test_refuses_what_it_cannot_publish() -> None:
    tests, past = run_of_the_book()
    request = Request(tests, np.arange(8))
    with pytest.raises(UnsupportedError, match=r"in a way of its own: leave .* mondrian"):
        Sequential().method_for(Request(tests, np.arange(8), method=Mondrian()), past)
    with pytest.raises(ParameterError, match="nothing is to stay hidden"):
        Sequential(h=1).method_for(request, past)
    with pytest.raises(
        SchemaError, match=r"no column 'Zpi' .* of this table or an earlier release"
    ):
        Sequential(x=["Zpi"]).method_for(request, past)
    only = as_table({"a": ["1", "2"]}, sensitive="a")
    with pytest.raises(SchemaError, match="no column is known to others"):
        Sequential().method_for(Request(only, np.arange(2)), Past())
    target = Target(tests.frame, ("Job",), ("Test",), bucket="Class")
    bucketed = Past((Edition(target, np.arange(8), "release 1"),), {}, 8)
    with pytest.raises(
        UnsupportedError, match="sequential joins all releases: release 1 has buckets"
    ):
        Sequential().method_for(request, bucketed)


def test_what_was_promised_before_is_not_forgotten() -> None:
    """Half of the people have the test; of those in the south, four of five do."""
    told = {"home": ["south"] * 5 + ["north"] * 5, "test": [*"yyyynynnnn"]}
    job = as_table({"job": ["cook"] * 10, "test": told["test"]}, quasi="job", sensitive="test")
    home = as_table(told, quasi="home", sensitive="test")
    everybody = np.arange(10)
    strict, lax = Sequential(h="1/2"), Sequential(h="9/10")
    first = next_release(strict, Request(job, everybody), Past())
    past = after(Past(), first)
    alone = next_release(lax, Request(home, everybody), Past((first.edition,), {}, 10))
    assert alone.release.n_groups == 2
    kept = next_release(lax, Request(home, everybody), past)
    assert [(str(o.attack.limit), o.highest) for o in kept.refused] == [("1/2", 0.8)]
    assert kept.release.n_groups == 1
    then = next_release(strict, Request(home, everybody), past)
    assert then.release.n_groups == 1
    said = [made.memory["promised"]["policy"].to_list() for made in (first, then)]
    assert said[0] == said[1]


SIX = {
    "sex": [*"mmmfff"],
    "born": ["UK", "FR", "UK", "FR", "FR", "FR"],
    "ill": ["flu", "hiv", "cold", "hiv", "cold", "flu"],
}
"""Of the men, two were born in the UK: if they have neither, the third has hiv."""


def parts_of(policy: Sequential, *shown: Sequence[str]) -> Next:
    past = Past()
    for names in shown:
        quasi = [n for n in names if n != "ill"]
        table = as_table({n: SIX[n] for n in names}, quasi=quasi, sensitive="ill")
        past = after(past, made := next_release(policy, Request(table, np.arange(6)), past))
    return made


@pytest.mark.parametrize(
    ("y", "tried"),
    [
        (None, ["difference", "intersection", "record-tracing", "critical-absence"]),
        ("ill=hiv", ["critical-absence", "critical-absence"]),
    ],
)
def test_whoever_knows_the_groups_of_everybody_is_no_surer(y: str | None, tried: list[str]) -> None:
    made = parts_of(Sequential(y=y), ("sex", "ill"), ("born", "ill"))
    assert [outcome.attack.name for outcome in made.refused] == tried[:1]
    assert made.release.n_groups == 1
    assert [outcome.attack.name for outcome in made.outcomes] == ["sequential-join", *tried]


EIGHT = {
    "sex": [*"fmmmfmff"],
    "born": ["FR", "UK", "US", "FR", "FR", "FR", "UK", "US"],
    "ill": [*"cbbaecba"],
}
"""Both of the UK have b, so that she has the only b of the women: of a and b, which the two of the
US have, the woman has a. Whoever knows of nothing but a that it stays does not find that."""


@pytest.mark.parametrize("first", ["sex", "born"])
def test_of_a_single_value_the_others_tell_nothing_either(first: str) -> None:
    policy, past = Sequential(y="ill=a"), Past()
    for shown in sorted(("sex", "born"), key=lambda name: name != first):
        table = as_table({n: EIGHT[n] for n in (shown, "ill")}, quasi=shown, sensitive="ill")
        past = after(past, made := next_release(policy, Request(table, np.arange(8)), past))
    assert made.release.n_groups == 1
    (found,) = made.refused
    assert 'values=["a"]' in str(found.attack)
    assert (found.n_fallen, found.highest) == (1, 1)
    by_itself = Past(past.editions[:1]).followed_by(told_raw(shown))
    assert CriticalAbsence(values="a").run(by_itself).n_fallen == 1
    assert not CriticalAbsence(permanent="a").run(by_itself).succeeded


def told_raw(shown: str) -> Edition:
    """Give the release that was refused."""
    frame = pl.DataFrame({n: EIGHT[n] for n in (shown, "ill")})
    return Edition(Target(frame, (shown,), ("ill",)), np.arange(8))


def test_single_values_may_be_promised_where_others_change() -> None:
    past, policy = Past(), Sequential(y="ill=hiv")
    for shown, ill in (("sex", SIX["ill"]), ("born", ["cold", "hiv", "flu", "hiv", "flu", "flu"])):
        table = as_table({shown: SIX[shown], "ill": ill}, quasi=shown, sensitive="ill")
        past = after(past, made := next_release(policy, Request(table, np.arange(6)), past))
    assert [o.attack.name for o in made.outcomes] == ["sequential-join", "critical-absence"]


def test_whoever_knows_x_alone_may_be_told_more() -> None:
    """In groups by sex and born the Frenchman would be alone; sex is all that is known."""
    made = parts_of(Sequential(x="sex"), ("sex", "ill"), ("born", "ill"))
    assert not made.refused
    assert set(made.edition.target.frame["born"]) == {"UK", "FR"}
    assert [outcome.highest for outcome in made.outcomes] == [pytest.approx(1 / 3)] * 5


def test_releases_that_tell_nothing_of_what_another_one_does_are_not_compared() -> None:
    past = Past()
    for names in (("sex", "ill"), ("sex", "born")):
        hidden = "ill" if "ill" in names else ()
        quasi = [n for n in names if n != "ill"]
        table = as_table({n: SIX[n] for n in names}, quasi=quasi, sensitive=hidden)
        past = after(past, made := next_release(Sequential(), Request(table, np.arange(6)), past))
    assert [outcome.attack.name for outcome in made.outcomes] == ["sequential-join"]


def test_somebody_new_who_would_be_found_is_named() -> None:
    """Whatever is shown, taking one release away from the other leaves nobody but him."""
    policy, ill = Sequential(h="2/3"), [*"xyzxyz"]
    first = as_table({"job": ["cook"] * 6, "ill": ill}, quasi="job", sensitive="ill")
    then = as_table({"home": ["here"] * 7, "ill": [*ill, "z"]}, quasi="home", sensitive="ill")
    past = after(Past(), next_release(policy, Request(first, np.arange(6)), Past()))
    with pytest.raises(ChannelError, match="difference finds 1 of 7"):
        next_release(policy, Request(then, np.arange(7)), past)


def test_a_column_that_nobody_had_asked_about_was_not_promised() -> None:
    job = as_table({"job": ["cook"] * 4}, quasi="job")
    test = as_table({"job": ["cook"] * 4, "test": [*"yyyn"]}, quasi="job", sensitive="test")
    request = Request(job, np.arange(4), (KAnonymity(2),))
    first = next_release(Sequential(h="1/2"), request, Past())
    assert first.memory == {}
    then = next_release(Sequential(h="3/4"), Request(test, np.arange(4)), after(Past(), first))
    assert [outcome.highest for outcome in then.outcomes] == [0.75]


def test_a_first_release_is_checked_by_itself() -> None:
    tests, _ = run_of_the_book()
    request, policy = Request(tests, np.arange(8)), Sequential(h="0.9")
    following = next_release(policy, request, Past())
    assert following.outcomes == ()
    frame = following.edition.target.frame
    shown = frame.select("Job", "PoB", "Sex", "Test").rows()
    sizes = Counter(row[:3] for row in shown)
    assert all(n <= Fraction(9, 10) * sizes[row[:3]] for row, n in Counter(shown).items())
    strict = Sequential(h="0.3")
    with pytest.raises(InfeasibleError, match="the release by itself tells too much"):
        next_release(strict, request, Past())
    with pytest.raises(BrokenPromiseError, match="tells too much"):
        strict.remember(following.release, request, Past())


def test_the_method_is_a_search_with_the_name_of_the_policy() -> None:
    tests, past = run_of_the_book()
    method = Sequential(h="0.9").method_for(Request(tests, np.arange(8)), past)
    assert isinstance(method, Search)
    assert (method.name, str(method)) == ("sequential", "sequential(h=0.9)")


def test_what_is_told_again_is_named_if_no_release_is_found() -> None:
    """Records match by what they hide: of m, a matches two records, and b one."""
    people = {"sex": [*"mmff"], "born": ["UK", "FR"] * 2, "ill": [*"abac"]}
    past = Past()
    for shown in ("sex", "born"):
        table = as_table({n: people[n] for n in (shown, "ill")}, quasi=shown, sensitive="ill")
        request = Request(table, np.arange(4))
        if shown == "sex":
            past = after(past, next_release(Sequential(), request, past))
    said = "match by 'ill', which is told again and .*: leave 'ill' out, or ask for less"
    with pytest.raises(UnsupportedError, match=said) as refused:
        next_release(Sequential(), request, past)
    assert "x does not have" not in str(refused.value)
