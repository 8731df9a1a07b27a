"""Top-down searches beside their literal twins: promises, set-up, and the way of a trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import strategies as st

from tests.tables.methods.witnessed import Asked
from tests.witness import promises as literal
from tests.witness.cuts import show
from tests.witness.descents import HIDDEN, Descent, Numbers, Refinement, Score, State, Values
from tests.witness.tree import Tree
from unlinkable.errors import InfeasibleError
from unlinkable.tables.methods.base.search import Search, Solution, Step
from unlinkable.tables.models import AlphaKAnonymity, DistinctLDiversity, KAnonymity
from unlinkable.tables.models.base import GroupModel

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


def start_is_bad(table: Asked, descent: Descent, method: Search, promise: Promised) -> bool:
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
