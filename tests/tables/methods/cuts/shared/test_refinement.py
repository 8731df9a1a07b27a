"""Refinement: the literal search, and what its states must satisfy."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from attrs import evolve
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tables.methods.cuts.mixed import Mixed, NoMultiple, mixed, promises, varied
from unlinkable.errors import UnsupportedError
from unlinkable.tables.methods.base.search import Solution, Step
from unlinkable.tables.methods.cuts.hdtds import HDTDS
from unlinkable.tables.methods.cuts.shared.refinement import MOST_QIDS, quasi_identifiers
from unlinkable.tables.methods.cuts.shared.top_down import TopDown
from unlinkable.tables.methods.cuts.top_down_disclosure import TopDownDisclosure
from unlinkable.tables.methods.cuts.top_down_refinement import TopDownRefinement
from unlinkable.tables.methods.cuts.top_down_specialization import TopDownSpecialization
from unlinkable.tables.models import KAnonymity, LKCPrivacy
from unlinkable.tables.models.base import All, GroupModel

METHODS: dict[str, list[TopDown]] = {
    "trees": [
        TopDownSpecialization(),
        TopDownSpecialization(numbers="taxonomy", beneficial=True),
        TopDownSpecialization(score="loss"),
        HDTDS(),
        HDTDS(score="discernibility"),
        HDTDS(score="discernibility", squares="before"),
    ],
    "values": [
        TopDownDisclosure(),
        TopDownDisclosure(score="discernibility", squares="after"),
        TopDownDisclosure(score="loss"),
    ],
    "all": [
        TopDownRefinement(),
        TopDownRefinement(score="information-gain", beneficial=True),
        TopDownRefinement(score="discernibility"),
        TopDownRefinement(score="discernibility", squares="before"),
    ],
}

any_method = st.sampled_from([method for methods in METHODS.values() for method in methods])


def assert_same(found: Solution, expected: list[Step]) -> None:
    """Assert that a trace has these steps, with the same scores but for rounding."""
    told = [(s.column, s.lo, s.hi, s.parts) for s in found.trace]
    assert told == [(s.column, s.lo, s.hi, s.parts) for s in expected]
    for one, other in zip(found.trace, expected, strict=True):
        assert one.score == pytest.approx(other.score, rel=1e-9, abs=1e-12)


# The literal search


def can_start(table: Mixed, privacy: All) -> bool:
    return table.keeps(privacy, [(None,) * len(table.columns)] * len(table.labels))


@pytest.mark.parametrize("refined", METHODS)
@given(table=mixed(), data=st.data())
def test_every_step_is_that_of_the_literal_search(
    refined: str, table: Mixed, data: st.DataObject
) -> None:
    method = data.draw(st.sampled_from(METHODS[refined]))
    privacy = table.bound(data.draw(promises(table.columns)))
    assume(can_start(table, privacy))
    found = table.search(method, privacy)
    assert_same(found, table.steps_of(table.literal(method, privacy)))
    assert found.is_complete


SEVERAL_COLUMNS: list[list[GroupModel]] = [
    [KAnonymity(3, qid=["age", "job"]), KAnonymity(5, qid=["job", "city", "sex"])],
    [LKCPrivacy(l=2, k=2, c=Fraction(3, 4), sensitive="s0")],
    [LKCPrivacy(l=1, k=4, c=1), KAnonymity(1)],
]


@pytest.mark.parametrize("models", SEVERAL_COLUMNS, ids=lambda models: str(All(models)))
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("method", [HDTDS(), TopDownRefinement(score="discernibility")], ids=str)
def test_records_that_look_like_no_other_are_still_seen_on_fewer_columns(
    method: TopDown, seed: int, models: list[GroupModel]
) -> None:
    table = varied(seed)
    privacy = table.bound(models)
    found = table.search(method, privacy)
    assert found.trace
    assert_same(found, table.steps_of(table.literal(method, privacy)))


@given(method=any_method, table=mixed(), n=st.integers(2, 4))
def test_promises_that_merging_breaks_are_kept_in_every_state(
    method: TopDown, table: Mixed, n: int
) -> None:
    privacy = table.bound([NoMultiple(n)])
    assume(can_start(table, privacy))
    found = table.search(method, privacy)
    assert_same(found, table.steps_of(table.literal(method, privacy, is_lazy=True)))
    assert privacy.holds(found.partition.groups())


# What states must satisfy


@given(method=any_method, table=mixed(), steps=st.integers(0, 4), data=st.data())
def test_a_search_can_be_stopped_at_any_step(
    method: TopDown, table: Mixed, steps: int, data: st.DataObject
) -> None:
    privacy = table.bound(data.draw(promises(table.columns)))
    assume(can_start(table, privacy))
    whole = table.search(method, privacy)
    found = table.search(evolve(method, steps=steps), privacy)
    assert found.trace == whole.trace[:steps]
    assert found.is_complete == (len(whole.trace) <= steps)
    assert privacy.holds(found.partition.groups())
    boxes = np.column_stack([found.partition.lo, found.partition.hi])
    assert len(np.unique(boxes, axis=0)) == found.partition.n_parts == found.effort["groups"]
    if found.is_complete:
        assert np.array_equal(found.partition.labels, whole.partition.labels)


@given(method=any_method, table=mixed(), data=st.data())
def test_at_the_end_no_single_step_is_valid(
    method: TopDown, table: Mixed, data: st.DataObject
) -> None:
    method = evolve(method, beneficial=False)
    privacy = table.bound(data.draw(promises(table.columns)))
    assume(can_start(table, privacy))
    found = table.search(method, privacy)
    literal = table.literal(method, privacy)
    state = literal.start()
    for step in found.trace:
        (move,) = (
            m
            for m in literal.moves(state)
            if (table.columns[m.column], m.begins) == (step.column, step.parts)
        )
        state = literal.after(state, move)
    shown = literal.show(state)
    n = [a.taxonomy.n for a in table.table.attributes]
    part = found.partition
    for at, row in zip(table.labels, shown, strict=True):
        box = [b or (0, n[j]) for j, b in enumerate(row)]
        g = part.labels[at]
        assert list(zip(part.lo[g], part.hi[g], strict=True)) == box
    assert not any(
        literal.keeps(literal.show(literal.after(state, m))) for m in literal.moves(state)
    )


@given(mixed())
def test_whoever_asks_to_stop_gets_what_there_is(table: Mixed) -> None:
    privacy, method = All([KAnonymity(1)]), TopDownSpecialization().bind(table.table.schema)
    asked = iter([False, False, False, *[True] * 1000])
    task = evolve(table.task(), is_stopped=lambda: next(asked))
    found = method.search(table.finest, privacy, task)
    whole = method.search(table.finest, privacy, table.task())
    assert found.trace == whole.trace[: len(found.trace)]
    assert len(found.trace) <= 2
    assert found.is_complete == (len(found.trace) == len(whole.trace))
    assert privacy.holds(found.partition.groups())


@given(mixed())
def test_nobody_is_left_out_and_counts_are_told(table: Mixed) -> None:
    told: list[tuple[float, str]] = []
    task = evolve(
        table.task(),
        suppression=Fraction(1, 2),
        progress=lambda share, words: told.append((share, words)),
    )
    method = TopDownRefinement().bind(table.table.schema)
    found = method.search(table.finest, All([KAnonymity(1)]), task)
    assert found.partition.n_suppressed == 0
    assert len(told) == len(found.trace)
    for i, (share, words) in enumerate(told):
        assert 0 < share <= 1
        assert words.startswith(f"{i + 1} steps, ")


def test_several_quasi_identifiers_count_once() -> None:
    models = All([KAnonymity(2), LKCPrivacy(l=2, k=2, c=1), KAnonymity(3, qid=["a", "b"])])
    assert quasi_identifiers(models, ("a", "b", "c")) == [
        ("a", "b", "c"),
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    assert quasi_identifiers(All([]), ("a",)) == [("a",)]


def test_too_many_quasi_identifiers_are_refused() -> None:
    columns = tuple(f"c{i}" for i in range(24))
    with pytest.raises(UnsupportedError, match=f"more than {MOST_QIDS}"):
        quasi_identifiers(All([LKCPrivacy(l=2, k=2, c=1)]), columns)
