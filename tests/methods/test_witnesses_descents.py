"""Top-down searches, step by step: each is the best of what is valid, and the last the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.witnessed import Asked, asked
from tests.witness import promises as literal
from tests.witness.cuts import show
from tests.witness.descents import HIDDEN, Descent, Numbers, Refinement, Score, State, Values
from tests.witness.losses import iloss
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError
from unlinkable.methods.base import Method, Solution, Step
from unlinkable.methods.cuts.hdtds import HDTDS
from unlinkable.methods.cuts.top_down_disclosure import TopDownDisclosure
from unlinkable.methods.cuts.top_down_refinement import TopDownRefinement
from unlinkable.methods.cuts.top_down_specialization import TopDownSpecialization
from unlinkable.privacy import (
    AlphaKAnonymity,
    ConfidenceBounding,
    DistinctLDiversity,
    KAnonymity,
    LKCPrivacy,
)
from unlinkable.privacy.base import GroupModel

Promised = tuple[Sequence[GroupModel], Sequence[literal.Promise], Sequence[Sequence[str]]]
"""Models, their definitions, and the quasi-identifiers whose anonymity counts, if not the whole."""


def k_anonymous(k: int) -> Promised:
    return [KAnonymity(k)], [literal.k_anonymous(k)], []


def several(ks: Sequence[int], qids: Sequence[Sequence[str]]) -> Promised:
    """Promise k-anonymity on several quasi-identifiers, each with its own k."""
    pairs = list(zip(ks, qids, strict=False))
    return (
        [KAnonymity(k, qid=qid) for k, qid in pairs],
        [literal.k_anonymous(k, qid=qid) for k, qid in pairs],
        [qid for _, qid in pairs],
    )


hidden: st.SearchStrategy[Promised] = st.one_of(
    st.integers(2, 3).map(
        lambda n: (
            [DistinctLDiversity(n, sensitive="s0")],
            [literal.distinct_l_diverse(n, "s0")],
            [],
        )
    ),
    st.sampled_from([Fraction(1, 2), Fraction(2, 3)]).map(
        lambda share: (
            [AlphaKAnonymity(share, 2, sensitive="s0")],
            [literal.alpha_k_anonymous(share, 2, "s0")],
            [],
        )
    ),
)
promised: st.SearchStrategy[Promised] = st.one_of(st.integers(1, 4).map(k_anonymous), hidden)


def has_no_taxonomy(tree: Tree) -> bool:
    """Whether values have nothing above them but the root."""
    return tree.height == 1


def descent_of(
    table: Asked,
    promise: Promised,
    score: Score,
    *,
    grown: Sequence[str] = (),
    suppressed: Sequence[str] = (),
    beneficial: bool = False,
) -> Descent:
    """Set up the literal search; columns are refined along trees, by cuts or by disclosure."""
    columns: dict[str, Tree | Values | Numbers] = {}
    for a in table.qid:
        domain = table.domain(a)
        if a in grown:
            columns[a] = Numbers(domain)
        elif a in suppressed:
            columns[a] = Values(domain)
        else:
            flat = Tree({v: (v, "*") for v in domain})
            columns[a] = table.trees.get(a, flat)
    # A score that is not about a class leaves it to the sizes of the halves where to cut.
    is_about_class = score in (Score.GAIN, Score.GAIN_PER_LOSS) and table.targets
    labels = [str(row[table.targets[0]]) for row in table.rows] if is_about_class else []
    _, promises, qids = promise
    return Descent(table.rows, columns, promises, score, labels, qids, beneficial)


def refinement_of(
    table: Asked, step: Step, candidates: Sequence[Refinement], suppressed: Sequence[str]
) -> Refinement:
    """Find the candidate that a step of a trace is."""
    if step.column in suppressed:
        told = table.block(step.column, step.parts[0], step.parts[0] + 1)
        (found,) = (c for c in candidates if c.column == step.column and c.parts[0] == told)
        return found
    ends = [*step.parts[1:], step.hi]
    assert step.parts[0] == step.lo
    parts = [table.block(step.column, a, b) for a, b in zip(step.parts, ends, strict=True)]
    whole = table.block(step.column, step.lo, step.hi)
    alike = [c for c in candidates if c.column == step.column and c.whole == whole]
    (found,) = (c for c in alike if set(c.parts) == set(parts))
    return found


def check(
    table: Asked,
    descent: Descent,
    found: Solution,
    *,
    suppressed: Sequence[str] = (),
    checks_scores: bool = True,
) -> None:
    """Go the way of a trace, and see that every step is the best that is valid."""
    state = descent.start
    for step in found.trace:
        candidates = descent.candidates(state)
        valid = descent.valid(state)
        taken = refinement_of(table, step, candidates, suppressed)
        assert taken in valid
        if checks_scores:
            worth = descent.worth(state, taken)
            assert step.score == pytest.approx(worth, abs=1e-9)
            assert worth >= max(descent.worth(state, other) for other in valid) - 1e-9
        state = descent.refine(state, taken)
    assert descent.valid(state) == []
    assert_shows(table, found, state)


def assert_shows(table: Asked, found: Solution, state: State) -> None:
    """Assert that every record shows its blocks; all of the column where it is hidden."""
    expected = show(table.rows, state)
    for record, row in zip(table.release(found), expected, strict=True):
        assert record is not None
        for a in table.qid:
            block = row[a]
            assert isinstance(block, frozenset)
            assert record[a] == (frozenset(table.domain(a)) if HIDDEN in block else block)


def start_is_bad(table: Asked, descent: Descent, method: Method, promise: Promised) -> bool:
    """Whether nothing can be published; then it must be refused."""
    if descent.is_good(descent.start):
        return False
    with pytest.raises(InfeasibleError):
        table.search(method, promise[0])
    return True


SCORED: Mapping[str, Score] = {
    "igpl": Score.GAIN_PER_LOSS,
    "information-gain": Score.GAIN,
    "discernibility": Score.SQUARES_REDUCED,
}


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


@given(asked(min_records=2, max_trees=3), st.data())
def test_disclosure_under_templates(table: Asked, data: st.DataObject) -> None:
    templates, promises = [], []
    for _ in range(data.draw(st.integers(1, 2))):
        value = data.draw(st.sampled_from(sorted({str(row["s0"]) for row in table.rows})))
        h = data.draw(st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(2, 3)]))
        known = data.draw(st.lists(st.sampled_from(table.qid), min_size=1, unique=True))
        templates.append(f"{', '.join(known)} -> s0 = {value} <= {h}")
        promises.append(literal.confident_at_most(h, "s0", value, qid=known))
    promise: Promised = ([ConfidenceBounding(templates)], promises, [])
    method = TopDownDisclosure(score="information-gain")
    suppressed = table.qid
    descent = descent_of(table, promise, Score.GAIN, suppressed=suppressed)
    if not start_is_bad(table, descent, method, promise):
        check(table, descent, table.search(method, promise[0]), suppressed=suppressed)


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


METHODS: Mapping[str, Callable[[int | None], Method]] = {
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
