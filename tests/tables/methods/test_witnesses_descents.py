"""Top-down searches, step by step: each is the best of what is valid, and the last the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.descending import (
    SCORED,
    Promised,
    check,
    descent_of,
    has_no_taxonomy,
    promised,
    refinement_of,
    several,
    start_is_bad,
)
from tests.tables.methods.witnessed import Asked, asked
from tests.witness import promises as literal
from tests.witness.cuts import show
from tests.witness.descents import Score, State
from tests.witness.losses import iloss
from unlinkable.tables.methods.base.search import Search
from unlinkable.tables.methods.cuts.hdtds import HDTDS
from unlinkable.tables.methods.cuts.top_down_disclosure import TopDownDisclosure
from unlinkable.tables.methods.cuts.top_down_refinement import TopDownRefinement
from unlinkable.tables.methods.cuts.top_down_specialization import TopDownSpecialization
from unlinkable.tables.models import ConfidenceBounding, LKCPrivacy


@pytest.mark.parametrize("score", SCORED)
@given(table=asked(max_trees=3, missing=True), promise=promised)
def test_every_specialization_is_the_best_valid_one(
    score: str, table: Asked, promise: Promised
) -> None:
    method = TopDownSpecialization(score=score)
    descent = descent_of(table, promise, SCORED[score])
    if not start_is_bad(table, descent, method, promise):
        check(table, descent, table.search(method, promise[0]))


@pytest.mark.parametrize("squares", ["before", "after"])
@given(table=asked(max_trees=3), promise=promised)
def test_specialization_by_either_reading_of_discernibility(
    squares: str, table: Asked, promise: Promised
) -> None:
    method = TopDownSpecialization(score="discernibility", squares=squares)
    reading = Score.SQUARES_BEFORE if squares == "before" else Score.SQUARES_AFTER
    descent = descent_of(table, promise, reading)
    if not start_is_bad(table, descent, method, promise):
        check(table, descent, table.search(method, promise[0]))


@pytest.mark.parametrize("score", ["igpl", "information-gain"])
@given(table=asked(max_trees=2, max_numbers=2, missing=True), promise=promised)
def test_intervals_are_cut_where_that_tells_most(
    score: str, table: Asked, promise: Promised
) -> None:
    method = TopDownSpecialization(score=score)
    descent = descent_of(table, promise, SCORED[score], grown=table.numbers)
    if not start_is_bad(table, descent, method, promise):
        check(table, descent, table.search(method, promise[0]))


@given(asked(max_trees=3), st.data())
def test_several_quasi_identifiers_each_with_its_k(table: Asked, data: st.DataObject) -> None:
    subsets = [
        list(columns)
        for length in range(1, len(table.qid) + 1)
        for columns in combinations(table.qid, length)
    ]
    qids = data.draw(st.lists(st.sampled_from(subsets), min_size=1, max_size=2, unique_by=tuple))
    promise = several([data.draw(st.integers(1, 4)) for _ in qids], qids)
    method = TopDownSpecialization(score="igpl")
    descent = descent_of(table, promise, Score.GAIN_PER_LOSS)
    if not start_is_bad(table, descent, method, promise):
        check(table, descent, table.search(method, promise[0]))


def lkc(table: Asked, L: int, K: int, C: Fraction) -> Promised:
    """Promise LKC-privacy; the quasi-identifiers are the sets of L columns."""
    return (
        [LKCPrivacy(L, K, C, sensitive="s0")],
        literal.lkc_private(table.qid, "s0", L=L, K=K, C=C),
        list(combinations(table.qid, min(L, len(table.qid)))),
    )


lkc_bounds = st.tuples(
    st.integers(1, 3), st.integers(1, 4), st.sampled_from([Fraction(1, 2), Fraction(1)])
)


@pytest.mark.parametrize("score", ["information-gain", "discernibility", "igpl"])
@given(table=asked(max_trees=3, max_numbers=1), bounds=lkc_bounds)
def test_hdtds_keeps_lkc_by_the_best_valid_steps(
    score: str, table: Asked, bounds: tuple[int, int, Fraction]
) -> None:
    promise = lkc(table, *bounds)
    method = HDTDS(score=score)
    descent = descent_of(table, promise, SCORED[score], grown=table.numbers)
    if not start_is_bad(table, descent, method, promise):
        check(table, descent, table.search(method, promise[0]))


@given(table=asked(max_trees=2, max_numbers=2, n_targets=0, missing=True), promise=promised)
def test_without_a_class_intervals_are_halved(table: Asked, promise: Promised) -> None:
    method = HDTDS()
    descent = descent_of(table, promise, Score.SQUARES_REDUCED, grown=table.numbers)
    if not start_is_bad(table, descent, method, promise):
        check(table, descent, table.search(method, promise[0]))


@pytest.mark.parametrize("score", SCORED)
@given(table=asked(max_trees=2, max_flat=1, missing=True), promise=promised)
def test_every_disclosure_is_the_best_valid_one(
    score: str, table: Asked, promise: Promised
) -> None:
    method = TopDownDisclosure(score=score)
    suppressed = table.qid
    descent = descent_of(table, promise, SCORED[score], suppressed=suppressed)
    if not start_is_bad(table, descent, method, promise):
        check(table, descent, table.search(method, promise[0]), suppressed=suppressed)


@pytest.mark.parametrize("score", ["igpl", "information-gain"])
@given(table=asked(min_records=2, max_trees=3), data=st.data())
def test_disclosure_under_templates(score: str, table: Asked, data: st.DataObject) -> None:
    templates, promises, qids = [], [], []
    for _ in range(data.draw(st.integers(1, 2))):
        value = data.draw(st.sampled_from(sorted({str(row["s0"]) for row in table.rows})))
        h = data.draw(st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(2, 3)]))
        known = data.draw(st.lists(st.sampled_from(table.qid), min_size=1, unique=True).map(sorted))
        templates.append(f"{', '.join(known)} -> s0 = {value} <= {h}")
        promises.append(literal.confident_at_most(h, "s0", value, qid=known))
        qids += [known] if known not in qids else []
    promise: Promised = ([ConfidenceBounding(templates)], promises, qids)
    method = TopDownDisclosure(score=score)
    descent = descent_of(table, promise, SCORED[score], suppressed=table.qid)
    if not start_is_bad(table, descent, method, promise):
        check(table, descent, table.search(method, promise[0]), suppressed=table.qid)


@pytest.mark.parametrize("score", ["igpl", "information-gain"])
@given(table=asked(max_trees=2, max_flat=1, max_numbers=1, missing=True), data=st.data())
def test_every_refinement_is_the_best_valid_one(
    score: str, table: Asked, data: st.DataObject
) -> None:
    qids = data.draw(
        st.lists(
            st.lists(st.sampled_from(table.qid), min_size=1, unique=True).map(sorted),
            min_size=1,
            max_size=2,
            unique_by=tuple,
        )
    )
    promise = several([data.draw(st.integers(1, 4)) for _ in qids], qids)
    method = TopDownRefinement(score=score)
    suppressed = [
        *(a for a, tree in table.trees.items() if has_no_taxonomy(tree)),
        *table.flat,
    ]
    descent = descent_of(table, promise, SCORED[score], grown=table.numbers, suppressed=suppressed)
    if not start_is_bad(table, descent, method, promise):
        check(table, descent, table.search(method, promise[0]), suppressed=suppressed)


@given(asked(max_trees=3), promised)
def test_blocks_of_one_class_are_left_alone_if_asked(table: Asked, promise: Promised) -> None:
    method = TopDownSpecialization(score="igpl", beneficial=True)
    descent = descent_of(table, promise, Score.GAIN_PER_LOSS, beneficial=True)
    if not start_is_bad(table, descent, method, promise):
        check(table, descent, table.search(method, promise[0]))


METHODS: Mapping[str, Callable[[int | None], Search]] = {
    "top-down-specialization": lambda steps: TopDownSpecialization(steps=steps),
    "hdtds": lambda steps: HDTDS(steps=steps),
    "top-down-disclosure": lambda steps: TopDownDisclosure(steps=steps),
    "top-down-refinement": lambda steps: TopDownRefinement(steps=steps),
}


@pytest.mark.parametrize("name", METHODS)
@given(
    table=asked(max_trees=2, max_flat=1, max_numbers=1), promise=promised, steps=st.integers(0, 5)
)
def test_a_search_that_is_stopped_is_the_beginning_of_one_that_is_not(
    name: str, table: Asked, promise: Promised, steps: int
) -> None:
    models, definitions, _ = promise
    if not literal.hold(definitions, [{**row, "q": 0} for row in table.rows], ["q"]):
        return
    whole = table.search(METHODS[name](None), models)
    part = table.search(METHODS[name](steps), models)
    assert part.trace == whole.trace[:steps]
    assert part.is_complete is (len(whole.trace) <= steps)
    assert literal.hold(definitions, table.shown(part), table.qid)
    finer = zip(table.release(part), table.release(whole), strict=True)
    assert all(b[a] <= p[a] for p, b in finer if p and b for a in table.qid)


@given(asked(max_trees=3, missing=True), promised)
def test_the_step_that_lowers_the_loss_most_is_made_if_asked(
    table: Asked, promise: Promised
) -> None:
    method = TopDownSpecialization(score="loss")
    descent = descent_of(table, promise, Score.GAIN)
    if start_is_bad(table, descent, method, promise):
        return
    domains = {a: table.domain(a) for a in table.qid}

    def loss(state: State) -> Fraction:
        shown = show(table.rows, state)
        return iloss([{a: row[a] for a in table.qid} for row in shown], domains)  # type: ignore[misc]

    state = descent.start
    for step in table.search(method, promise[0]).trace:
        valid = descent.valid(state)
        after = {c: loss(descent.refine(state, c)) for c in valid}
        taken = refinement_of(table, step, valid, ())
        assert after[taken] == min(after.values())
        state = descent.refine(state, taken)
    assert descent.valid(state) == []
