"""Special uniques: sdcMicro's examples, the definitions, the claims and the refusals.

The search for minimal unique sets: what it does not look at again, pinned on fixed data.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adult import FILE, SEVEN, needs_adult
from tests.strategies import RandomTable, tables
from tests.tables.risk.drawn import taken
from tests.witness import risks
from unlinkable.errors import ParameterError
from unlinkable.kernels.lkc import group_refinement
from unlinkable.tables.data import as_table, read
from unlinkable.tables.risk import SpecialUniques
from unlinkable.tables.risk import special_uniques as module
from unlinkable.tables.risk.shared.adversary_view import adversary_view
from unlinkable.tables.risk.special_uniques import owners_of


def test_the_example_of_sdcmicro() -> None:
    # The tests of sdcMicro's suda2 have this table, and contributions of 50, 37.5 and 37.5 %.
    table = as_table({"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]}, quasi=["a", "b", "c"])
    found = SpecialUniques().measure(table)
    assert found.minimal(0) == [("a",)]
    assert found.minimal(1) == [("b",), ("c",)]
    assert found.minimal(2) == [("a", "b"), ("a", "c")]
    assert found.scores.tolist() == [2, 4, 2]
    assert found.contributions == pytest.approx({"a": 0.5, "b": 0.375, "c": 0.375})


@given(tables(max_records=14), st.integers(1, 5))
def test_scores_are_those_of_the_definition(random: RandomTable, largest: int) -> None:
    most = min(largest, len(random.qid))
    found = SpecialUniques(largest=largest).measure(taken(random))
    expected = risks.suda_scores(random.rows, random.qid, most, random.owner)
    assert found.scores.tolist() == expected
    for i in range(len(random.rows)):
        sets = risks.minimal_uniques(random.rows, random.qid, i, most, random.owner)
        assert found.minimal(i) == sets
        sizes = [sum(len(s) == size for s in sets) for size in range(1, most + 1)]
        assert found.n_minimal[i].tolist() == sizes


@given(tables(max_records=12, owner=False, min_records=1), st.sampled_from([0.01, 0.3, 1.0]))
def test_chances_and_contributions_are_those_of_the_definition(
    random: RandomTable, fraction: float
) -> None:
    found = SpecialUniques(fraction=fraction).measure(taken(random))
    scores = risks.suda_scores(random.rows, random.qid)
    assert found.dis == pytest.approx(risks.dis(random.rows, random.qid, fraction))
    if any(scores):
        expected = risks.dis_suda(random.rows, random.qid, fraction, scores)
        assert found.chances.tolist() == pytest.approx(expected)
    for name in random.qid:
        expected_part = risks.suda_contribution(random.rows, random.qid, name)
        assert found.contributions[name] == pytest.approx(expected_part)


@given(tables(max_records=12, owner=False))
def test_a_record_has_minimal_sets_just_if_it_is_unique(random: RandomTable) -> None:
    found = SpecialUniques().measure(taken(random))
    unique = [risks.people_like(random.rows, random.qid, i) == 1 for i in range(len(random.rows))]
    if len(random.rows) > 1:
        assert (found.scores > 0).tolist() == unique
    assert found.n_unique == sum(found.by_size().values())


@given(tables(max_records=12), st.randoms(use_true_random=False))
def test_the_order_of_records_and_columns_does_not_matter(
    random: RandomTable, chance: object
) -> None:
    table = taken(random)
    order = list(range(len(random.rows)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    columns = {n: table.frame[n].gather(order) for n in reversed(table.frame.columns)}
    turned = as_table(columns, quasi=tuple(reversed(random.qid)), owner=random.owner)
    first, second = SpecialUniques().measure(table), SpecialUniques().measure(turned)
    assert second.scores.tolist() == first.scores[order].tolist()
    assert second.contributions == pytest.approx(first.contributions)


def test_a_sample_that_is_the_population_is_matched_for_certain() -> None:
    table = as_table({"a": [1, 2, 3, 3]}, quasi="a")
    assert SpecialUniques(fraction=1).measure(table).chances.tolist() == [1, 1, 0, 0]


def test_the_higher_score_has_the_higher_chance() -> None:
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 4, 200) for name in "abcdef"}
    found = SpecialUniques(fraction=0.1).measure(as_table(columns, quasi=list(columns)))
    order = np.argsort(found.scores)
    assert (np.diff(found.chances[order]) >= -1e-12).all()
    assert found.chances.max() < 1


def test_a_table_of_one_person_or_none_has_no_special_uniques() -> None:
    alone = as_table({"a": [1, 2], "who": ["x", "x"]}, quasi="a", owner="who")
    assert SpecialUniques().measure(alone).n_unique == 0
    empty = SpecialUniques().measure(as_table({"a": []}, quasi="a"))
    assert empty.to_json()["uniques"] == 0
    assert empty.by_size() == {1: 0}


def test_many_columns_are_looked_at_as_far_as_it_is_easy() -> None:
    rng = np.random.default_rng(2)
    columns = {f"c{i:02}": rng.integers(0, 3, 50) for i in range(41)}
    table = as_table(columns, quasi=list(columns))
    assert SpecialUniques().measure(table).largest == 2
    assert SpecialUniques(largest=3).measure(table).largest == 3


def test_tells_how_far_it_is() -> None:
    told: list[float] = []
    table = as_table({"a": [1, 2], "b": [1, 1]}, quasi=["a", "b"])
    SpecialUniques().measure(table, lambda share, words: told.append(share))
    assert told == [1 / 3, 2 / 3, 1]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"largest": 0}, "largest must be at least 1"),
        ({"fraction": 0}, r"fraction must lie in \(0, 1\]"),
    ],
)
def test_refuses_parameters_that_mean_nothing(parameters: dict[str, int], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        SpecialUniques(**parameters)


def test_refuses_more_sets_than_memory_holds() -> None:
    columns = {f"c{i:02}": [1, 2, 3] for i in range(41)}
    table = as_table(columns, quasi=list(columns))
    with pytest.raises(ParameterError, match="sets of at most 20 of 41 columns, too many"):
        SpecialUniques(largest=20).measure(table)


@pytest.mark.parametrize("record", [-1, 2])
def test_refuses_a_record_that_is_not_there(record: int) -> None:
    found = SpecialUniques().measure(as_table({"a": [1, 2]}, quasi="a"))
    with pytest.raises(ParameterError, match="numbered from 0 to 1"):
        found.minimal(record)


@needs_adult
def test_the_special_uniques_of_adult() -> None:
    adult = read(FILE, insensitive=["salary-class"], quasi=[*SEVEN, "occupation"])
    found = SpecialUniques().measure(adult)
    assert found.by_size() == {1: 2, 2: 934, 3: 5196, 4: 5271, 5: 2061, 6: 485, 7: 67, 8: 5}
    assert found.scores.max() == 5042


def test_records_that_are_singled_out_are_not_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    columns = {name: rng.integers(0, 12, 400) for name in "abcde"}
    groups = adversary_view(as_table(columns, quasi=list(columns))).groups
    looked_at: list[int] = []

    def counted(elements: np.ndarray, *rest: object) -> object:
        looked_at.append(elements.size)
        return group_refinement.single_out(elements, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "single_out", counted)
    found, by_column = module.find_minimal_uniques(groups, owners_of(groups), 5)
    assert len(looked_at) == 31
    assert max(looked_at) == len(groups) == 399
    # 31 sets of 399 distinct records would be 12,369.
    assert sum(looked_at) == 10_179
    assert int(by_column.sum()) == int((found * np.arange(1, 6)).sum())
