"""Private counts and records against the witnesses: noise, price, agreement and trees."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from tests.tables.methods.masked import masked, records_of
from tests.witness import marginals, noise_tests, private
from unlinkable.noise import price
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.methods.base.record_method import MaskedRecords
from unlinkable.tables.methods.noisy import DPHistogram, DPSynthetic
from unlinkable.tables.models import DifferentialPrivacy
from unlinkable.tables.taxonomies.builders import Tree

SURE = 1000
"""An epsilon with which noise is never drawn: its chance is less than exp(-100)."""


def priced(found: MaskedRecords) -> float:
    """Price the published ledger by definition, and see that the accountant says the same."""
    assert found.ledger is not None
    document: dict[str, Any] = found.ledger.to_json()
    cost = private.price_of_ledger(document["events"], document["neighbours"])
    assert price(found.ledger).at(0) == pytest.approx(cost)
    return cost


def told(found: MaskedRecords, columns: list[str], values: dict[str, list[str]]) -> marginals.Told:
    """Give the published marginals by the places of columns and values."""
    counts: dict[tuple[int, ...], dict[tuple[int, ...], Fraction]] = {}
    for row in records_of(found):
        query = tuple(i for i, c in enumerate(columns) if row[c] != "*")
        cell = tuple(values[columns[i]].index(str(row[columns[i]])) for i in query)
        assert cell not in counts.setdefault(query, {})
        counts[query][cell] = Fraction(str(row["count"]))
    return counts


@pytest.mark.statistical
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(2)], ids=str)
@pytest.mark.parametrize("n_columns", [1, 2])
def test_counts_have_geometric_noise_of_the_scale_that_is_paid_for(
    n_columns: int, epsilon: Fraction
) -> None:
    """16,000 empty cells; false alarms below one in a million, and scales 30 % off are seen."""
    n = 16_000 // n_columns
    columns = [f"x{j}" for j in range(n_columns)]
    table = as_table({c: [0.5] for c in columns}, quasi=columns)
    method = DPHistogram(
        marginals=[[c] for c in columns],
        bins=[[c, *range(n + 1)] for c in columns],
        consistent="none",
    )
    found = masked(method, table, [DifferentialPrivacy(epsilon)])
    assert priced(found) == pytest.approx(float(epsilon))
    noise = [int(row["count"]) for row in records_of(found)]
    assert len(noise) == n_columns * (n + 2)

    def fits(factor: float) -> bool:
        ratio = math.exp(-float(epsilon) / n_columns / factor)
        return noise_tests.agrees(
            noise,
            lambda x: float(private.geometric_cdf(math.floor(x), ratio)),
            1e-6,
            lambda x: float(private.geometric_cdf(math.ceil(x) - 1, ratio)),
        )

    assert fits(1.0)
    assert not fits(0.7)
    assert not fits(1.3)


def people(counts: dict[tuple[int, ...], int]) -> Table:
    cells = [cell for cell, n in counts.items() for _ in range(n)]
    columns = {name: ["ab"[cell[j]] for cell in cells] for j, name in enumerate("xyz")}
    both = Tree({"any": ["a", "b"]})
    return as_table(columns, quasi=[*"xyz"], taxonomies=dict.fromkeys("xyz", both))


COUNTS = dict(zip(marginals.cells_of([2, 2, 2]), [5, 1, 2, 7, 1, 3, 4, 6], strict=True))
VALUES = {c: ["a", "b"] for c in "xyz"}


@pytest.mark.parametrize("consistent", ["projection", "fourier", "none"])
@pytest.mark.parametrize("epsilon", [SURE, 10**5])
def test_with_all_the_budget_of_the_world_marginals_are_true(consistent: str, epsilon: int) -> None:
    method = DPHistogram(ways=2, consistent=consistent)
    found = masked(method, people(COUNTS), [DifferentialPrivacy(epsilon)])
    assert priced(found) <= epsilon * (1 + 1e-9)
    true = {cell: Fraction(n) for cell, n in COUNTS.items()}
    expected = {q: marginals.marginal_of(true, q) for q in ((0, 1), (0, 2), (1, 2))}
    assert told(found, [*"xyz"], VALUES) == expected


@pytest.mark.parametrize("consistent", ["projection", "fourier"])
@pytest.mark.parametrize("ways", [1, 2])
@pytest.mark.parametrize("turn", range(4))
def test_marginals_that_agree_are_those_of_a_table(consistent: str, ways: int, turn: int) -> None:
    method = DPHistogram(ways=ways, consistent=consistent)
    found = masked(method, people(COUNTS), [DifferentialPrivacy(Fraction(1, 4))])
    assert priced(found) == pytest.approx(0.25)
    shown = told(found, [*"xyz"], VALUES)
    assert len(shown) == 3
    assert all(n >= 0 and n.denominator == 1 for counts in shown.values() for n in counts.values())
    assert marginals.has_table([2, 2, 2], shown), turn


@pytest.mark.parametrize("consistent", ["projection", "fourier"])
def test_marginals_with_fractions_agree_as_well(consistent: str) -> None:
    method = DPHistogram(marginals=[["x"], ["x", "y"]], consistent=consistent, whole=False)
    found = masked(method, people(COUNTS), [DifferentialPrivacy(Fraction(1, 4))])
    shown = told(found, [*"xy"], VALUES)
    joint = {cell: Fraction(n) for cell, n in shown[0, 1].items()}
    assert min(joint.values()) >= -Fraction(1, 10**6)
    for cell, n in marginals.marginal_of(joint, (0,)).items():
        assert float(n) == pytest.approx(float(shown[0,][cell]), abs=1e-4)


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(5)], ids=str)
def test_made_up_records_cost_no_more_than_allowed(epsilon: Fraction) -> None:
    found = masked(DPSynthetic(), people(COUNTS), [DifferentialPrivacy(epsilon)])
    assert priced(found) <= float(epsilon) * (1 + 1e-9)
    assert found.rows is None


def test_made_up_records_come_from_the_tree_of_the_true_marginals() -> None:
    """20,000 records, false alarms below one in a million; independent ones would be seen."""
    share = {0: 9, 1: 3}
    counts = {
        cell: share[cell[0] ^ cell[1]] * share[cell[1] ^ cell[2]] * 10
        for cell in marginals.cells_of([2, 2, 2])
    }
    found = masked(DPSynthetic(records=20_000), people(counts), [DifferentialPrivacy(SURE)])
    records = records_of(found)
    assert len(records) == 20_000
    true = {cell: Fraction(n) for cell, n in counts.items()}
    score, tree = marginals.best_tree(true, 3)
    assert tree == [(0, 1), (1, 2)]
    assert score > 0
    known = {q: marginals.marginal_of(true, q) for q in (*tree, (0,), (1,), (2,))}
    joint = marginals.tree_joint([2, 2, 2], tree, known)
    order, n_people = list(joint), sum(counts.values())
    seen = [order.index(tuple("ab".index(row[c]) for c in "xyz")) for row in records]
    below = [float(sum(joint[cell] for cell in order[:i])) / n_people for i in range(9)]

    def cdf(x: float) -> float:
        return below[min(max(math.floor(x) + 1, 0), 8)]

    def before(x: float) -> float:
        return below[min(max(math.ceil(x), 0), 8)]

    assert noise_tests.agrees(seen, cdf, 1e-6, before)
    apart = max(abs(below[i] - i / 8) for i in range(9))
    assert noise_tests.power(20_000, apart, 1e-6) >= 1 - 1e-6
    assert set(Counter(seen)) == set(range(8))


@pytest.mark.parametrize("correlated", [0, 1, 2])
def test_the_pair_that_tells_most_is_kept(correlated: int) -> None:
    """Two of three attributes are equal: whichever pair it is, made-up records keep it."""
    pair = [(0, 1), (0, 2), (1, 2)][correlated]
    counts = {
        cell: 300 * int(cell[pair[0]] == cell[pair[1]]) for cell in marginals.cells_of([2, 2, 2])
    }
    found = masked(DPSynthetic(records=500), people(counts), [DifferentialPrivacy(SURE)])
    names = ["xyz"[i] for i in pair]
    assert all(row[names[0]] == row[names[1]] for row in records_of(found))
