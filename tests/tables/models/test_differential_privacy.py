"""Differential and distributional privacy: judged from a ledger."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.groups.plain import groups_of
from unlinkable import anonymize, as_table, check
from unlinkable.errors import DataError, ParameterError, SchemaError, UnsupportedError
from unlinkable.noise import Ledger
from unlinkable.release import Basis
from unlinkable.tables.data import Table
from unlinkable.tables.methods import Incognito, Mondrian, Optimal
from unlinkable.tables.methods.base.search import Method
from unlinkable.tables.models import DifferentialPrivacy, DistributionalPrivacy
from unlinkable.tables.models.base import GroupModel
from unlinkable.typing import FloatArray

LAPLACE = {"mechanism": "laplace", "sensitivity": 1, "scale": 10}
GAUSSIAN = {"mechanism": "gaussian", "sensitivity": 1, "scale": 10}
RELEASED = as_table({"age": ["[20-30)"] * 60}, quasi="age")


def written(folder: Path, *events: object, neighbours: str = "add-remove") -> str:
    file = folder / "ledger.json"
    file.write_text(json.dumps({"events": events, "neighbours": neighbours}))
    return str(file)


def test_holds_up_to_the_bound_and_not_beyond(tmp_path: Path) -> None:
    file = written(tmp_path, *[LAPLACE] * 3)
    finding = check(RELEASED, [DifferentialPrivacy(e, ledger=file) for e in (0.3, 0.29, 1)])
    assert [v.holds for v in finding.verdicts] == [True, False, True]
    assert {v.basis for v in finding.verdicts} == {Basis.LEDGER}
    assert finding.verdicts[0].achieved["epsilon"] == pytest.approx(0.3)
    assert finding.to_json()[1]["worst"]["why"] == (  # type: ignore[index]
        "3 entries of the ledger cost epsilon = 0.3, and 0.29 may be spent"
    )


def test_noise_without_a_pure_cost_needs_delta(tmp_path: Path) -> None:
    file = written(tmp_path, GAUSSIAN)
    (pure,) = check(RELEASED, DifferentialPrivacy(9, ledger=file)).verdicts
    assert (pure.holds, pure.achieved) == (False, {"epsilon": None})
    assert pure.why == "1 entry of the ledger cost more than delta = 0 allows"
    (approximate,) = check(RELEASED, DifferentialPrivacy(1, "1e-6", ledger=file)).verdicts
    assert approximate.holds
    assert "at delta = 1e-06" in approximate.why


def test_a_noisy_table_needs_no_quasi_identifier(tmp_path: Path) -> None:
    counts = as_table({"age": ["[20-30)"], "n": [12]}, insensitive=["age", "n"])
    assert check(counts, DifferentialPrivacy(1, ledger=written(tmp_path, LAPLACE))).holds


@pytest.mark.parametrize("method", [Optimal(), Incognito(), Mondrian()], ids=str)
def test_no_choice_of_groups_can_keep_it(method: Method, tmp_path: Path) -> None:
    people = as_table({"age": [30, 31]}, quasi="age")
    with pytest.raises(UnsupportedError, match=r"cannot keep differential-privacy.*about noise"):
        anonymize(people, privacy=DifferentialPrivacy(1, ledger=written(tmp_path)), method=method)


def test_a_ledger_must_be_there_and_open(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot read the ledger"):
        check(RELEASED, DifferentialPrivacy(1, ledger=str(tmp_path / "none.json")))
    with pytest.raises(SchemaError, match="judged from a ledger of noise, and there is none"):
        DifferentialPrivacy(1).holds(groups_of([[1, 1]]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((-1,), "epsilon must be at least 0"), ((1, 1), "delta must be less than 1")],
)
def test_bad_parameters_are_refused(arguments: tuple[float, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        DifferentialPrivacy(*arguments, ledger="ledger.json")


def test_asks_for_less_and_covers_what_asks_for_less() -> None:
    promise = DifferentialPrivacy(1, 0.01, ledger="a")
    assert promise.weaker() == DifferentialPrivacy(2, 0.01, ledger="a")
    assert promise.covers(DifferentialPrivacy(2, 0.1, ledger="a"))
    assert not promise.covers(DifferentialPrivacy(2, 0, ledger="a"))
    assert not promise.covers(DifferentialPrivacy(2, 0.1, ledger="b"))
    assert DifferentialPrivacy(0, ledger="a").weaker() is None
    assert str(promise) == 'differential-privacy(epsilon=1, delta=0.01, ledger="a")'


def judged(promise: DistributionalPrivacy, table: Table) -> float:
    (verdict,) = check(table, promise).verdicts
    return verdict.achieved["alpha"] or 0.0


def test_samples_of_few_possible_records_differ_in_few(tmp_path: Path) -> None:
    file = written(tmp_path, LAPLACE, neighbours="replace")
    some = DistributionalPrivacy(1, 0.05, ledger=file, cells=2)
    assert judged(some, RELEASED) == pytest.approx(0.1 * some.distance(60))
    anything = DistributionalPrivacy(1, 0.05, ledger=file)
    assert judged(anything, RELEASED) == pytest.approx(0.1 * 60)
    added = DistributionalPrivacy(1, 0.05, ledger=written(tmp_path, LAPLACE))
    assert judged(added, RELEASED) == pytest.approx(2 * 0.1 * 60)


@pytest.mark.parametrize(("cells", "n"), [(2, 40), (5, 200), (30, 400)])
def test_two_samples_seldom_differ_in_more_than_the_bound(cells: int, n: int) -> None:
    beta = 0.2
    bound = DistributionalPrivacy(1, beta, ledger="", cells=cells).distance(n)
    rng = np.random.default_rng(7)
    for shares in (np.full(cells, 1 / cells), rng.dirichlet(np.ones(cells))):
        first, second = rng.multinomial(n, shares, (2, 4000))
        differs = np.abs(first - second).sum(axis=1) // 2
        assert (differs > bound).mean() <= beta


def test_distributional_privacy_says_how_it_was_proved(tmp_path: Path) -> None:
    file = written(tmp_path, LAPLACE, neighbours="replace")
    promise = DistributionalPrivacy(1, 0.05, ledger=file)
    finding = check(RELEASED, promise)
    assert not finding.holds
    assert "at most 60 of 60 records" in finding.verdicts[0].reading
    assert "hides up to alpha = 6, and 1 is allowed" in finding.verdicts[0].why
    assert check(RELEASED, DistributionalPrivacy(0, 1, ledger=written(tmp_path))).holds


def test_a_bound_on_more_covers_one_on_less() -> None:
    strong = DistributionalPrivacy(1, 0.05, ledger="a")
    other: GroupModel = DistributionalPrivacy(2, 0.1, ledger="a")
    assert strong.covers(other)
    assert not other.covers(strong)
    assert strong.weaker() == DistributionalPrivacy(2, 0.05, ledger="a")
    assert DistributionalPrivacy(0, 0.5, ledger="a").weaker() is None
    assert math.isclose(strong.cost(Ledger(), 5), 0.0)


def delta_of(first: FloatArray, second: FloatArray, epsilon: float) -> float:
    """Give the least delta of differential privacy between two distributions of outcomes."""
    return max(
        float(np.maximum(p - math.exp(epsilon) * q, 0).sum())
        for p, q in ((first, second), (second, first))
    )


def disclosing(first: FloatArray, second: FloatArray, epsilon: float) -> float:
    """Give the least delta of probabilistic differential privacy between them."""
    factor = math.exp(epsilon) * (1 + 1e-12)
    discloses = (first > factor * second) | (second > factor * first)
    return max(float(p[discloses].sum()) for p in (first, second))


SHARES = st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(any)


@given(SHARES, SHARES, st.floats(0.05, 3))
def test_the_probabilistic_kind_implies_ours_and_ours_a_weaker_one(
    one: list[int], other: list[int], epsilon: float
) -> None:
    first, second = (np.array(side) / sum(side) for side in (one, other))
    delta = delta_of(first, second, epsilon)
    assert delta <= disclosing(first, second, epsilon) + 1e-9
    weaker = delta * (1 + math.exp(-2 * epsilon)) / (1 - math.exp(-epsilon))
    assert disclosing(first, second, 2 * epsilon) <= weaker + 1e-9


def test_ours_does_not_imply_the_probabilistic_kind() -> None:
    delta = 0.1
    first, second = np.array([1 + delta, 1 - delta]) / 2, np.array([1 - delta, 1 + delta]) / 2
    assert delta_of(first, second, 0) == pytest.approx(delta)
    assert disclosing(first, second, 0) == 1.0
