"""Checking tables as they stand: labels of hidden columns, and what was there before."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from unlinkable.errors import DataError, InfeasibleError, TaxonomyError, UnsupportedError
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.attacking.targets import target_of_table
from unlinkable.tables.publishing.judging.evidence import Finding

NESTED = {"infection": ["hiv", "sars"], "injury": ["cut", "burn"]}
TREE = ul.Tree(NESTED)
ILLS = [leaf for leaves in NESTED.values() for leaf in leaves]
NAN = float("nan")
GUARDS = {"minds": ["infection", None, None, None]}


def published(ills: list[str], groups: str = "xxxx") -> Table:
    """Give a table that somebody published, with the tree of what it hides."""
    data = {"g": list(groups), "ill": ills}
    return ul.as_table(data, quasi="g", sensitive="ill", taxonomies={"ill": TREE})


# The taxonomy of a column that the original lacks


def test_a_label_stands_for_its_values_though_the_original_lacks_the_column() -> None:
    told = published(["infection", "sars", "cut", "burn"])
    finding = ul.check(told, ul.PersonalizedPrivacy(0.3, guard="minds"), original=GUARDS)
    assert (finding.holds, finding.verdicts[0].achieved) == (False, {"p": 0.375})


@pytest.mark.parametrize(
    ("distance", "ills"),
    [
        ("ordered", ["sars", "sars", "hiv", "burn"]),
        ("hierarchical", ["hiv", "cut", "sars", "burn"]),
    ],
)
def test_distances_are_those_of_the_tree_though_the_original_lacks_the_column(
    distance: str, ills: list[str]
) -> None:
    told = published(ills, "xxyy")
    promise = ul.TCloseness(1, distance=distance)
    alone = ul.check(told, promise).verdicts[0].achieved
    flat = ul.as_table(told.frame, quasi="g", sensitive="ill")
    assert ul.check(told, promise, original=GUARDS).verdicts[0].achieved == alone
    assert ul.check(flat, promise).verdicts[0].achieved != alone


# Labels among the values of a hidden column


def test_labels_and_stars_are_counted_for_all_values_under_them() -> None:
    promise = ul.PersonalizedPrivacy(0.5, guard="minds")
    told = published(["infection", "sars", "cut", "burn"])
    was = {**GUARDS, "ill": ["hiv", "sars", "cut", "burn"]}
    assert ul.check(told, promise, original=was).verdicts[0].achieved == {"p": 0.375}
    star = published(["*", "sars", "cut", "burn"])
    assert ul.check(star, promise, original=was).verdicts[0].achieved == {"p": 0.3125}
    assert ul.check(star, ul.DistinctLDiversity(4)).holds


def test_a_star_stands_for_the_values_that_there_were_where_no_tree_is_given() -> None:
    promise = ul.PersonalizedPrivacy(0.5, guard="minds")
    data = {"g": ["x"] * 4, "ill": ["*", "sars", "cut", "burn"]}
    told, guards = ul.as_table(data, quasi="g", sensitive="ill"), {"minds": ["sars", *[None] * 3]}
    was = {**guards, "ill": ["hiv", "sars", "cut", "burn"]}
    assert ul.check(told, promise, original=was).verdicts[0].achieved == {"p": 0.3125}
    alone = ul.check(told, promise, original=guards).verdicts[0].achieved
    assert alone == {"p": pytest.approx(1 / 3)}


def test_a_label_that_does_not_cover_what_was_there_is_refused() -> None:
    told = published(["infection", "sars", "cut", "burn"])
    promise = ul.PersonalizedPrivacy(0.5, guard="minds")
    was = {**GUARDS, "ill": ["cut", "sars", "cut", "burn"]}
    with pytest.raises(DataError, match="'ill' of the original does not fit the table in 1 of 4"):
        ul.check(told, promise, original=was)
    with pytest.raises(TaxonomyError, match="no value 'infetion' among 4"):
        ul.check(published(["infetion", "sars", "cut", "burn"]), ul.DistinctLDiversity(2))


def test_attackers_read_labels_of_a_table_as_it_stands_too() -> None:
    target = target_of_table(published(["infection", "sars", "cut", "burn"]))
    assert target.taxonomies["ill"].domain.values.tolist() == ILLS
    assert ul.AttributeLinkage().run(target).to_json()["attacked"] == 4


# A release in memory, its bundle, and its published file


@st.composite
def wards(draw: st.DrawFn) -> Table:
    """Draw patients who guard something, or nothing."""
    n = draw(st.integers(4, 14))
    column = {
        "age": st.integers(20, 24),
        "ill": st.sampled_from([*ILLS, None]),
        "sex": st.sampled_from("fm"),
        "minds": st.sampled_from([None, None, "infection", "hiv", "burn", "injury"]),
    }
    data = {name: draw(st.lists(values, min_size=n, max_size=n)) for name, values in column.items()}
    frame = pl.DataFrame(data, schema_overrides={"ill": pl.String, "minds": pl.String})
    quasi = draw(st.permutations(["age", "sex"]))
    return ul.as_table(frame, quasi=quasi, sensitive="ill", guard="minds", taxonomies={"ill": TREE})


@given(
    wards(),
    st.sampled_from(["1/2", "1/3", "0.4"]),
    st.sampled_from([ul.GreedyPersonalized(), ul.Mondrian(), ul.Optimal()]),
    st.sampled_from(["csv", "parquet"]),
)
def test_a_release_its_bundle_and_its_file_keep_the_same(
    table: Table, p: str, method: Search, written: Literal["csv", "parquet"]
) -> None:
    promises: list[GroupModel] = [ul.PersonalizedPrivacy(p), ul.KAnonymity(2)]
    try:
        release = ul.anonymize(table, privacy=promises, method=method, seed=1)
    except (InfeasibleError, UnsupportedError):
        return
    achieved = [verdict.achieved for verdict in release.finding.verdicts]
    with TemporaryDirectory() as folder:
        bundle = release.save(Path(folder) / "release", format=written)
        verified = ul.verify(bundle)
        assert verified.holds, verified.problems
        assert isinstance(verified.finding, Finding)
        assert [verdict.achieved for verdict in verified.finding.verdicts] == achieved
        file = bundle / "public" / f"data.{written}"
        roles: dict[str, Any] = {"quasi": ["sex", "age"], "sensitive": "ill"}
        told = ul.read(file, **roles, taxonomies={"ill": TREE})
    rows = release.applied.rows
    original = table.frame if rows is None else table.frame[rows]
    promises[0] = ul.PersonalizedPrivacy(p, guard="minds")
    finding = ul.check(told, promises, original=original)
    assert finding.holds
    assert [verdict.achieved for verdict in finding.verdicts] == achieved


def test_a_guard_that_nobody_who_is_published_has_is_saved_and_verified(tmp_path: Path) -> None:
    data: dict[str, list[Any]] = {
        "age": [30, 30, 30, 41, 41, 41, 99],
        "ill": ["hiv", "sars", "cut", "hiv", "sars", "cut", "burn"],
        "minds": ["burn", None, None, "injury", "burn", None, None],
    }
    for taxonomies in ({}, {"ill": TREE}):
        minds = [m if taxonomies or m != "injury" else None for m in data["minds"]]
        table = ul.as_table(
            {**data, "minds": minds},
            quasi="age",
            sensitive="ill",
            guard="minds",
            taxonomies=taxonomies,
        )
        promises = [ul.PersonalizedPrivacy("1/2"), ul.KAnonymity(3)]
        release = ul.anonymize(table, privacy=promises, method=ul.Optimal(), suppression="1/5")
        assert "burn" not in release.applied.frame["ill"].to_list()
        bundle = release.save(tmp_path / f"release {len(taxonomies)}")
        assert ul.verify(bundle).holds
        assert "burn" not in (bundle / "public" / "release.json").read_text(encoding="utf-8")


# Values that are listed, and values that are no numbers


def test_values_can_be_listed_of_a_column_that_shows_labels() -> None:
    told = published(["infection", "hiv", "cut", "burn"])
    found = ul.check(told, ul.AlphaKAnonymity("1/2", 2, values="hiv"))
    assert found.verdicts[0].achieved == {"alpha": 0.25, "k": 4}
    with pytest.warns(UserWarning, match="no value 'hvi' among 4 .*did you mean 'hiv'"):
        ul.check(told, ul.AlphaKAnonymity("1/2", 2, values="hvi"))


@pytest.mark.parametrize(
    "model", [ul.KMap(2, population="people"), ul.PopulationUniqueness("1/2", population="people")]
)
def test_what_is_no_number_is_missing_in_a_table_and_in_its_population(model: GroupModel) -> None:
    people = {"x": pl.DataFrame({"x": [NAN, None, 1.0, 1.0]}), "y": {"x": [None, None, 1.0, 1.0]}}
    achieved = [
        ul.check(
            ul.as_table(pl.DataFrame({"x": [nothing, 1.0]}), quasi="x"),
            model,
            side={"people": population},
        )
        .verdicts[0]
        .achieved
        for nothing in (NAN, None)
        for population in people.values()
    ]
    assert achieved == [achieved[0]] * 4
    assert ul.check(
        ul.as_table(pl.DataFrame({"x": [NAN, None, 1.0, 1.0]}), quasi="x"), ul.KAnonymity(2)
    ).holds


def test_a_column_that_shows_nothing_can_be_checked() -> None:
    finding = ul.check(
        {"g": ["x", "x"], "ill": ["*", "*"]},
        "distinct-l-diversity(l=2)",
        quasi="g",
        sensitive="ill",
    )
    assert finding.verdicts[0].achieved == {"l": 1}
