"""SPALM: nothing loses less, and nobody's presence is clear."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unlinkable as ul
from tests.cases import load
from tests.tables.groups.plain import rows_of_case, table_of
from tests.tables.methods.lattice.example import medical_table, run, thesis_table
from tests.tables.methods.lattice.setting import AtMost, Setting, settings
from tests.tables.methods.lattice.test_optimal import Opaque
from tests.tables.methods.populations import Sampled, sampled
from tests.witness.methods import exhaustive_optimum
from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.tables.methods.base.search import Search, Solution
from unlinkable.tables.methods.lattice.optimal import Optimal
from unlinkable.tables.methods.lattice.spalm import SPALM
from unlinkable.tables.metrics import (
    AverageClassSize,
    Discernibility,
    ILoss,
    NormalizedCertaintyPenalty,
)
from unlinkable.tables.models import EntropyLDiversity, KAnonymity, TCloseness

METRICS = [ILoss(), NormalizedCertaintyPenalty(), Discernibility(), AverageClassSize(k=2)]


def patients() -> tuple[ul.Table, dict[str, list[object]]]:
    """The patients and the external table of the book."""
    case = load("book-ch02-ex2.1-record-linkage-join")["input"]
    sick, people = (
        {k: [row[k] for row in rows] for k in ("Job", "Sex", "Age")}
        for rows in (rows_of_case(case[name]) for name in ("published", "external"))
    )
    job = ul.Tree({"*": {"Professional": ["Engineer", "Lawyer"], "Artist": ["Writer", "Dancer"]}})
    quasi = ["Job", "Sex", "Age"]
    taxonomies = {"Job": job, "Age": ul.Intervals(5, 10)}
    return ul.as_table(sick, quasi=quasi, taxonomies=taxonomies), people


@pytest.mark.parametrize("bounds", [("3/4", "4/5"), ("1/2", "4/5")])
def test_example_2_8_is_what_it_publishes_for_the_bounds_that_it_keeps(
    bounds: tuple[str, str],
) -> None:
    case = load("book-ch02-ex2.8-table-linkage-delta-presence")
    expected = case["expected"]
    assert expected["delta_presence"][f"({float(Fraction(bounds[0]))},{0.8})"]
    table, people = patients()
    release = ul.anonymize(
        table,
        privacy=ul.DeltaPresence(*bounds, population="people"),
        method=SPALM(),
        side={"people": people},
    )
    assert release.finding.verdicts[0].achieved == {"high": expected["max"], "low": expected["min"]}
    assert release.n_groups == 2


def test_bounds_that_example_2_8_breaks_take_all_patients_together() -> None:
    table, people = patients()
    for low, high in (("0", "0.79"), ("0.76", "0.8")):
        release = ul.anonymize(
            table,
            privacy=ul.DeltaPresence(low, high, population="people"),
            method=SPALM(),
            side={"people": people},
        )
        assert release.finding.verdicts[0].achieved["high"] == pytest.approx(7 / 9)


@given(sampled(), st.fractions(0, 1, max_denominator=6), st.fractions(0, 1, max_denominator=6))
def test_is_the_best_of_all_nodes_at_which_presence_is_as_it_must_be(
    drawn: Sampled, one: Fraction, other: Fraction
) -> None:
    low, high = min(one, other), max(one, other)
    side = {"people": drawn.population_frame}
    presence = ul.DeltaPresence(low, high, population="people")

    def publish(method: Search) -> Solution:
        table = table_of(drawn.random)
        return ul.anonymize(table, privacy=presence, method=method, side=side).solution

    nodes, least = drawn.best_nodes(low, high)
    if least is None:
        with pytest.raises(InfeasibleError):
            publish(SPALM())
        return
    found = publish(SPALM())
    assert dict(found.node or {}) in nodes
    assert found.optimal
    assert found.node == publish(Optimal()).node


def test_effort_on_the_thesis_table() -> None:
    found = run(SPALM(), thesis_table(), [KAnonymity(2)])
    assert found.node == {"Age": 1, "Gender": 1, "Zipcode": 1}
    assert found.effort == {
        "nodes": 18,
        "checked": 8,
        "pruned_below": 8,
        "bounded": 2,
        "groups": 54,
    }


def test_all_releases_and_what_is_just_below_are_checked_if_nothing_is_known_of_a_metric() -> None:
    found = run(SPALM(), thesis_table(), [KAnonymity(2)], metric=Opaque())
    assert found.optimal
    assert found.effort["bounded"] == 0
    assert found.effort["checked"] == 10  # five releases, and the nodes below them


def check(setting: Setting) -> None:
    nodes, least = exhaustive_optimum(setting.problem, setting.plain_metric)
    if least is None:
        with pytest.raises(InfeasibleError):
            setting.search(SPALM())
        return
    found = setting.search(SPALM())
    assert found.optimal
    assert setting.node(found) in nodes
    assert found.node == setting.search(Optimal()).node
    assert setting.is_published_as_expected(found)


@given(settings(kinds="kdert", metric=METRICS, suppression=False))
def test_equals_exhaustive_search(setting: Setting) -> None:
    check(setting)


@given(settings(kinds="kd", metric=METRICS))
def test_equals_exhaustive_search_with_suppression(setting: Setting) -> None:
    check(setting)


@pytest.mark.parametrize(
    "model", [EntropyLDiversity(2, sensitive="Disease"), TCloseness(0.5, sensitive="Disease")]
)
def test_refuses_suppression_where_pruning_would_be_wrong(
    model: EntropyLDiversity | TCloseness,
) -> None:
    with pytest.raises(UnsupportedError, match=r"spalm with suppression .* use the method optimal"):
        run(SPALM(), medical_table(), [model], limit=1)


def test_refuses_a_promise_that_merging_breaks() -> None:
    with pytest.raises(UnsupportedError, match=r"spalm needs a promise that survives merging"):
        run(SPALM(), thesis_table(), [AtMost(2)])


def test_says_what_is_missing_if_there_is_no_release() -> None:
    with pytest.raises(InfeasibleError, match=r"k-anonymity\(k=8\) needs at least 8 records"):
        run(SPALM(), thesis_table(), [KAnonymity(8)])
