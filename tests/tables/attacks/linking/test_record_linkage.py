"""record-linkage: the literature's joins, the definition word by word, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import cases
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.linking.record_linkage import RecordLinkage
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side
from unlinkable.tables.taxonomies import observe
from unlinkable.tables.taxonomies.builders import Flat

Rows = list[tuple[int, int, str]]


def frame(table: dict[str, Any]) -> pl.DataFrame:
    return pl.DataFrame(table["rows"], table["columns"], orient="row")


def knowing(people: Any, **others: Any) -> AdversaryKnowledge:
    return AdversaryKnowledge(Side.of({"external": people}), **others)


def test_book_example_2_1_finds_doug() -> None:
    case = cases.load("book-ch02-ex2.1-record-linkage-join")
    given, expected = case["input"], case["expected"]
    target = Target(frame(given["published"]), tuple(given["join_on"]), (given["sensitive"],))
    knowledge = knowing(frame(given["external"]))
    links = RecordLinkage().links(target, knowledge)
    names = frame(given["external"])["Name"].to_list()
    for i, row in enumerate(expected["links"]):
        assert names[i] == row["Name"]
        assert links.n_records[i] == row["matching_records"]
        assert links.is_singled_out[i] == row["uniquely_identified"]
        certain = links.is_certain("Disease")[i]
        assert (links.guesses["Disease"].text(i) if certain else None) == (
            row["sensitive_value_certain"]
        )
    outcome = RecordLinkage().run(target, knowledge)
    assert (outcome.n_attacked, outcome.n_fallen, outcome.highest) == (7, 3, 1.0)
    told = {v.who["Name"]: v.learned["Disease"] for v in outcome.victims if v.records == 1}
    assert told == {"Bob": "Hepatitis", "Doug": "HIV", "Fred": "Hepatitis"}
    assert outcome.details["people_with_a_certain_value"] == 5
    assert outcome.details["people_unmatched"] == 2
    assert outcome.found == (
        "3 of 9 people have exactly one matching record: each is singled out. Of 5 people "
        "something hidden is certain: all matching records say the same. 2 people match no record. "
        "The list names 9 people and the release has 7 records: not all of them are in the table. "
        "Each is looked at as if known to be in it."
    )


def test_aggarwal_counts_the_candidates_of_records() -> None:
    case = cases.load("aggarwal-linkage-attack")
    given, expected = case["input"], case["expected"]
    target = Target(frame(given["released"]), tuple(given["join_on"]), ("Disease",))
    people = frame(given["external"])
    links = RecordLinkage().links(target, knowing(people))
    rows = frame(given["released"])["Row"].to_list()
    certainty = {str(row): 1 / n for row, n in zip(rows, links.n_candidates, strict=True)}
    assert certainty == expected["certainty_by_row"]
    names = people["Name"].to_list()
    unmatched = [name for name, met in zip(names, links.is_met, strict=True) if not met]
    assert unmatched == expected["unmatched_people"]
    outcome = RecordLinkage().run(target, knowing(people))
    told = {v.who["Name"]: v.learned["Disease"] for v in outcome.victims}
    half = expected["people_with_half_certainty"]
    assert told == expected["fully_compromised_people"] | half
    # Joy and Sue share one record between them: it has two candidates, though each matches one.
    assert {v.who["Name"] for v in outcome.victims if v.people == 2} == {*half}
    assert outcome.details["records_with_one_candidate"] == 5


def test_wong_finds_the_owners_of_a_generalized_group() -> None:
    case = cases.load("wong-generalized-group-linkage")
    people, size = frame(case["input"]["external_table"]), case["input"]["group_size"]
    shown = {name: [text] * size for name, text in case["input"]["generalized_qi"].items()}
    target = Target(pl.DataFrame(shown), tuple(shown), ())
    links = RecordLinkage().links(target, knowing(people))
    met = people.filter(pl.Series(links.is_met))
    assert met["Name"].to_list() == case["expected"]["matches"]
    assert [list(row) for row in met.select("Gender", "Age").rows()] == case["expected"]["exact_qi"]
    assert links.n_owned == (1, size)


def test_book_example_6_1_knows_few_columns() -> None:
    case = cases.load("book-ch06-ex6.1-linkage-attacks")
    given = case["input"]
    table = frame(given["table"])
    target = Target(table, tuple(given["qid_attributes"]), (given["sensitive_attribute"],))
    for row in case["expected"]["results"]:
        people = {"name": ["victim"], **{name: [value] for name, value in row["query"].items()}}
        attack = RecordLinkage(qid=tuple(row["query"]))
        links = attack.links(target, knowing(people))
        assert links.n_records.tolist() == [row["size"]]
        assert links.probability.tolist() == [row["record_linkage_probability"]]
        guess = links.guesses["Surgery"]
        share = guess.amount[0] / links.n_records[0]
        confidence = row["confidence"]["Transgender"]
        assert (share == 1) == (confidence == 1)
        if confidence == 1:
            assert guess.text(0) == "Transgender"


rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 1), st.sampled_from("xyz")), max_size=10
)


def by_definition(told: Rows, listed: Rows, columns: tuple[int, ...]) -> list[list[Any]]:
    """The sensitive values of T[q] for everybody on the list."""
    return [[r[2] for r in told if all(r[j] == p[j] for j in columns)] for p in listed]


def release(told: Rows) -> Target:
    types = {"a": pl.Int64, "b": pl.Int64, "s": pl.String}
    return Target(pl.DataFrame(told, types, orient="row"), ("a", "b"), ("s",))


def people(listed: Rows) -> dict[str, list[Any]]:
    return {
        "who": [f"p{i}" for i in range(len(listed))],
        "a": pl.Series([p[0] for p in listed], dtype=pl.Int64).to_list(),
        "b": [p[1] for p in listed],
    }


@given(rows, rows.filter(bool), st.sampled_from([None, 1, 2]))
def test_says_what_the_definition_says(told: Rows, listed: Rows, at_most: int | None) -> None:
    attack = RecordLinkage(at_most=at_most, limit=Fraction(1, 3))
    links = attack.links(release(told), knowing(people(listed)))
    sets = list(combinations((0, 1), at_most or 2))
    found = [by_definition(told, listed, columns) for columns in sets]
    for i in range(len(listed)):
        sizes = [len(one[i]) for one in found if one[i]]
        assert links.n_records[i] == min(sizes, default=0)
        chosen = found[links.choice[i]][i]
        assert len(chosen) == links.n_records[i]
        amount = links.guesses["s"].amount[i]
        assert amount == max((chosen.count(v) for v in "xyz"), default=0)
        assert links.is_certain("s")[i] == (bool(chosen) and len(set(chosen)) == 1)
    outcome = attack.run(release(told), knowing(people(listed)))
    n_matched = sum(n > 0 for n in links.n_candidates.tolist())
    assert outcome.n_fallen == min(sum(0 < n < 3 for n in links.n_records.tolist()), n_matched)
    assert outcome.n_fallen <= outcome.n_attacked == min(len(told), len(listed))


def test_a_list_that_is_longer_than_the_table_exposes_no_more_people_than_records() -> None:
    """Who is on the list need not be in the table, and a record has one owner."""
    told = pl.DataFrame({"job": ["cook", "nurse"], "ill": ["flu", "cut"]})
    listed = {"who": [*"abcdef"], "job": ["cook"] * 3 + ["nurse"] * 3}
    outcome = RecordLinkage().run(Target(told, ("job",), ("ill",)), knowing(listed))
    assert (outcome.n_fallen, outcome.n_attacked) == (2, 2)
    assert outcome.details["people"] == 6
    assert outcome.details["assumption"] == "everybody on the list is known to be in the table"
    assert "The list names 6 people and the release has 2 records" in outcome.found


@given(rows, rows.filter(bool))
def test_who_knows_more_columns_is_left_with_fewer_records(told: Rows, listed: Rows) -> None:
    knowledge = knowing(people(listed))
    less = RecordLinkage(at_most=1).links(release(told), knowledge)
    more = RecordLinkage().links(release(told), knowledge)
    assert (more.n_records[more.is_met] <= less.n_records[more.is_met]).all()


def test_a_bucket_tells_its_shares_of_a_record_that_is_found() -> None:
    told = pl.DataFrame({"job": ["a", "b", "c", "c"], "bucket": [1, 1, 2, 2], "ill": list("xyzz")})
    target = Target(told, ("job",), ("ill",), bucket="bucket")
    knowledge = knowing({"who": ["Ann", "Cid", "Dan"], "job": ["a", "c", "d"]})
    links = RecordLinkage().links(target, knowledge)
    assert links.n_records.tolist() == [1, 2, 0]
    assert links.guesses["ill"].amount.tolist() == [0.5, 2.0, 0.0]
    assert links.is_certain("ill").tolist() == [False, True, False]
    told_of = {
        v.who["who"]: v.learned["ill"] for v in RecordLinkage().run(target, knowledge).victims
    }
    assert told_of == {"Ann": "x (50%)", "Cid": "z"}


def test_people_without_names_are_told_by_what_the_list_has() -> None:
    target = Target(pl.DataFrame({"a": [1], "s": [None]}), ("a",), ("s",))
    outcome = RecordLinkage().run(target, knowing({"a": [1]}))
    assert outcome.victims[0].who == {"a": "1"}
    assert outcome.victims[0].learned == {"s": "no value"}
    assert outcome.found.startswith("1 of 1 person has exactly one matching record: it is singled")


def test_a_release_where_nobody_is_alone_says_so() -> None:
    target = Target(pl.DataFrame({"a": [1, 1], "s": ["x", "y"]}), ("a",), ("s",))
    outcome = RecordLinkage().run(target, knowing({"n": ["Ann"], "a": [1]}))
    assert outcome.found == (
        "0 of 1 person have exactly one matching record. Everybody who is found shares at least "
        "2 records."
    )
    assert not outcome.succeeded
    assert outcome.victims[0].learned == {"s": "x (1 of 2)"}


def test_many_pairs_are_counted_but_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unlinkable.tables.attacks.linking.shared.links.MOST_PAIRS", 0)
    target = Target(pl.DataFrame({"a": [1, 1], "s": ["x", "y"]}), ("a",), ("s",))
    outcome = RecordLinkage().run(target, knowing({"n": ["Ann"], "a": [1]}))
    assert outcome.highest == 0.5
    assert outcome.victims[0].learned == {"s": "not looked at"}
    assert "Too many records match" in outcome.found


def test_truth_says_which_weighed_links_are_right() -> None:
    original = as_table(
        {"n": [f"p{i}" for i in range(40)], "a": [*range(40)], "b": [i % 7 for i in range(40)]},
        quasi=["a", "b"],
        insensitive="n",
    )
    target = Target(original.frame.select("a", "b"), ("a", "b"), ())
    truth = Truth(original, np.arange(40))
    knowledge = knowing(original.frame.select("n", "a", "b"), truth=truth)
    outcome = RecordLinkage(probabilistic=True).run(target, knowledge)
    assert outcome.n_fallen == outcome.details["right_links"] == 40
    assert "40 links of these are right" in outcome.found
    assert outcome.interval is not None
    swapped = AdversaryKnowledge(knowledge.side, truth=Truth(original, np.arange(40)[::-1].copy()))
    assert RecordLinkage(probabilistic=True).run(target, swapped).details["right_links"] == 0


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"one_to_one": True}, "set probabilistic=true"),
        ({"probabilistic": True, "at_most": 1}, "leave out probabilistic"),
        ({"qid": ("a", "a")}, "named twice"),
        ({"at_most": 0}, "at_most must be at least 1"),
        ({"limit": 2}, r"limit must lie in \(0, 1\]"),
        ({"probabilistic": 1}, "probabilistic must be true or false"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        RecordLinkage(**parameters)


def test_refuses_what_it_cannot_join() -> None:
    target = Target(pl.DataFrame({"a": [1], "s": ["x"]}), ("a",), ("s",))
    with pytest.raises(UnsupportedError, match="give the list of people with external="):
        RecordLinkage().run(target, AdversaryKnowledge())
    noisy = Target(target.frame, ("a",), ("s",), is_truthful=False)
    knowledge = knowing({"n": ["Ann"], "a": [1]})
    with pytest.raises(UnsupportedError, match="values were replaced"):
        RecordLinkage().run(noisy, knowledge)
    assert RecordLinkage(probabilistic=True).misfit(noisy, knowledge) is None
    with pytest.raises(UnsupportedError, match="no column is known to others"):
        RecordLinkage().run(Target(target.frame, (), ("s",)), knowledge)
    with pytest.raises(SchemaError, match="no sensitive column 't'"):
        RecordLinkage(sensitive="t").run(target, knowledge)
    nobody = knowing(pl.DataFrame({"n": ["Ann"], "a": [1]})[:0])
    for attack in (RecordLinkage(), RecordLinkage(probabilistic=True)):
        with pytest.raises(UnsupportedError, match="'external' names nobody"):
            attack.run(target, nobody)


def test_refuses_to_try_too_many_sets_of_columns() -> None:
    names = tuple(f"c{i}" for i in range(14))
    told = pl.DataFrame({name: [1] for name in names})
    with pytest.raises(ParameterError, match="3,432 sets of 7 out of 14 columns are too many"):
        RecordLinkage(at_most=7).run(
            Target(told, names, ()), knowing({"n": ["Ann"], **told.to_dict()})
        )


@pytest.mark.parametrize("probabilistic", [False, True])
def test_says_so_where_the_release_knows_little_of_the_list(probabilistic: bool) -> None:
    told = pl.DataFrame({"a": [*range(20)], "sex": ["M", "F"] * 10})
    names = [f"p{i}" for i in range(20)]
    people = pl.DataFrame({"n": names, "a": [*range(20)], "sex": ["M", *"fmfmfmfmfmfmfmfmfmf"]})
    target = Target(told, ("a", "sex"), (), {"sex": Flat().build(observe("sex", ["M", "F"]))})
    attack = RecordLinkage(probabilistic=probabilistic)
    outcome = attack.run(target, knowing(people))
    assert "The release knows only 5.0% of the values of sex in the list" in outcome.found
    assert outcome.details["known_values_of_sex"] == 0.05
    written_alike = people.with_columns(pl.col("sex").str.to_uppercase())
    outcome = attack.run(target, knowing(written_alike))
    assert "knows only" not in outcome.found
    assert "known_values_of_sex" not in outcome.details
    with pytest.raises(DataError, match="of 2 different values of column 'sex' in the list none"):
        attack.run(target, knowing(people[1:]))
