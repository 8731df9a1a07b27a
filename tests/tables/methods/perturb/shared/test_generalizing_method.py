"""Searching: methods by their written form, and records as they show them."""

from __future__ import annotations

from fractions import Fraction

import pytest

import unlinkable as ul
from tests.tables.methods.perturb.masking import bound
from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.perturb.shared.generalizing_method import generalize, searcher
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import KAnonymity, PersonalizedPrivacy
from unlinkable.tables.taxonomies.builders import Intervals, Tree


def people() -> Table:
    return as_table(
        {"age": [22, 24, 27, 31, 33, 38, 90], "job": ["a", "a", "b", "b", "a", "b", "c"]},
        quasi=["age", "job"],
        taxonomies={"age": Intervals(10, 20)},
    )


@pytest.mark.parametrize("written", ["mondrian", "optimal", "datafly", "mondrian(strict=false)"])
def test_records_show_what_a_release_by_the_same_method_shows(written: str) -> None:
    table, search = people(), searcher(written)
    task = Task(table.attributes, ILoss(), Fraction(1, 5))
    found = generalize(search, table, bound(table, KAnonymity(2)), task)
    release = ul.anonymize(
        table, privacy=KAnonymity(2), method=search, suppression=task.suppression
    )
    assert found.frame.to_dict(as_series=False) == release.frame
    assert found.rows.size == found.parts.size == found.frame.height


def test_refuses_what_is_no_generalizing_method() -> None:
    with pytest.raises(ParameterError, match="no method 'mondrain'"):
        searcher("mondrain")
    with pytest.raises(ParameterError, match="mondrian: no parameter 'strickt'"):
        searcher("mondrian(strickt=true)")


def test_refuses_methods_that_rewrite_sensitive_values() -> None:
    table = as_table(
        {"age": [1, 2, 3, 4], "ill": ["x", "y", "x", "y"], "guard": ["*"] * 4},
        quasi="age",
        sensitive="ill",
        guard="guard",
        taxonomies={"ill": Tree({"any": ["x", "y"]})},
    )
    privacy = bound(table, PersonalizedPrivacy("1/2"))
    task = Task(table.attributes, ILoss())
    with pytest.raises(UnsupportedError, match="cell by cell"):
        generalize(searcher("greedy-personalized"), table, privacy, task)
