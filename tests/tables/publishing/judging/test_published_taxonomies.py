"""Taxonomies as they are told: enough to read what is published, and no value more."""

from __future__ import annotations

import numpy as np
import pytest

from unlinkable.errors import TaxonomyError
from unlinkable.tables.publishing.judging.published_taxonomies import (
    Republished,
    hidden_taxonomy,
    misfit,
    quasi_taxonomy,
)
from unlinkable.tables.taxonomies import Kind, observe
from unlinkable.tables.taxonomies.builders import Flat, Intervals, Tree
from unlinkable.tables.taxonomies.builders.ready_made import ReadyMade
from unlinkable.tables.taxonomies.published_values import read_ranges

JOBS = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
ILLS = Tree({"Heart": ["Infarct", "Angina"], "Lung": ["Flu", "Asthma"]})


def test_levels_that_look_like_the_one_below_are_left_out() -> None:
    ages = Intervals(5, 10, 20).build(observe("age", [31, 33, 36, 47]))
    told = quasi_taxonomy(ages, ["[20-40)", "[40-60)"])
    assert [level.labels for level in told.levels] == [("[20-40)", "[40-60)")]
    jobs = JOBS.build(observe("job", ["Dancer"]))
    assert quasi_taxonomy(jobs, ["Artist", "Professional"]).levels == ()
    finest = quasi_taxonomy(jobs, ["Dancer", "Writer", "Lawyer"])
    assert [level.labels for level in finest.levels] == [("Professional", "Artist")]


def test_published_texts_lie_to_each_other_as_before() -> None:
    ages = Intervals(5, 10).build(observe("age", [31, 33, 36, 47, None]))
    texts = ["[30-35)", "36", "[30-40)", "*", None]
    told = quasi_taxonomy(ages, texts)
    assert misfit(told, texts, "age") is None
    lo, hi = read_ranges(told.taxonomy(), texts)
    assert lo[0] == lo[2] < lo[1] < hi[1] == hi[2]
    assert told.missing


@pytest.mark.parametrize("n", [5_000, 5_001])
def test_a_list_of_thousands_is_not_told(n: int) -> None:
    zips = [f"{i:05d}" for i in range(n)]
    told = quasi_taxonomy(Flat().build(observe("zip", zips)), zips)
    assert len(told.values) == (n if n == 5_000 else 0)
    assert told.kind is Kind.CATEGORY
    assert (misfit(told, ["anything"], "zip") is None) == (n > 5_000)


def test_a_hidden_tree_has_the_published_values_in_their_order() -> None:
    tree = ILLS.build(observe("ill", ["Flu", None]))
    told = hidden_taxonomy(tree, np.array([0, 2, 4]))
    assert told is not None
    assert told.values == ("Infarct", "Flu")
    again = Republished(told).build(observe("ill", ["Flu", "Infarct", None]))
    assert again.height == tree.height
    assert again.domain.values.tolist() == ["Infarct", "Flu"]
    with pytest.raises(TaxonomyError, match="holds 1 value"):
        Republished(told).build(observe("ill", ["Angina"]))


def test_hidden_values_in_an_order_of_their_own_are_told() -> None:
    sizes = ReadyMade(Tree({"*": ["S", "M", "L"]}).build(observe("size", ["S"])))
    taxonomy = sizes.build(observe("size", ["S"]))
    assert taxonomy.height == 1
    told = hidden_taxonomy(taxonomy, np.array([0, 1]))
    assert told is not None
    assert told.values == ("S", "M")
    assert hidden_taxonomy(taxonomy, np.array([1])) is None


def test_hidden_numbers_and_dates_need_no_list() -> None:
    pay = Flat().build(observe("pay", [10, 9, 3]))
    told = hidden_taxonomy(pay, np.array([0, 1, 2]))
    assert told is not None
    assert (told.type, told.values, told.kind) == ("int64", (), Kind.NUMBER)
    again = Republished(told).build(observe("pay", [9, 77]))
    assert again.domain.values.tolist() == [9, 77]


def test_hidden_numbers_under_a_tree_are_listed() -> None:
    pay = Intervals(10).build(observe("pay", [1, 9, 13, 27]))
    told = hidden_taxonomy(pay, np.array([0, 1, 3]))
    assert told is not None
    assert told.values == (1, 9, 27)
    again = Republished(told).build(observe("pay", [9, 27]))
    assert again.levels[1].blocks.tolist() == [0, 0, 1]
