"""mu-Argus: no combination of up to three published values is rare, counted one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.methods.witnessed import Asked, asked
from tests.witness.combinations import rare_combinations
from tests.witness.cuts import all_cuts
from tests.witness.models import groups
from unlinkable.errors import InfeasibleError
from unlinkable.tables.methods.cuts.mu_argus import MuArgus
from unlinkable.tables.models import LKCPrivacy


def cells_of(table: Asked, release: list[dict[str, object]]) -> list[dict[str, object]]:
    """Write ``*`` for what tells nothing."""
    roots = {a: frozenset(table.domain(a)) for a in table.qid}
    return [
        {a: "*" if len(roots[a]) > 1 and row[a] == roots[a] else row[a] for a in table.qid}
        for row in release
    ]


@given(
    table=asked(max_trees=5, max_records=20, max_leaves=3, missing=True),
    k=st.integers(1, 4),
    size=st.integers(1, 3),
    rare=st.sampled_from(["0", "1/20", "1/4", "9/10"]),
)
def test_no_combination_of_published_values_is_rare(
    table: Asked, k: int, size: int, rare: str
) -> None:
    method, promise = MuArgus(size=size, rare=rare), LKCPrivacy(size, k, 1, sensitive="s0")
    if len(table.rows) < k:
        with pytest.raises(InfeasibleError):
            table.search(method, [promise])
        return
    found = table.search(method, [promise])
    rows = cells_of(table, [dict(row) for row in table.shown(found)])
    assert len(rows) == len(table.rows), "nobody is left out"
    assert rare_combinations(rows, table.qid, k, at_most=size) == []
    # A hidden cell is a value like any other to whoever counts.
    assert rare_combinations(rows, table.qid, k, at_most=size, hidden=None) == []
    for row, cells in zip(table.rows, table.release(found), strict=True):
        assert cells is not None
        assert all(row[a] in cells[a] for a in table.qid)
    sizes = [len(group) for group in groups(rows, table.qid).values()]
    assert found.effort["smallest_group"] == min(sizes)
    assert found.effort["below_k"] == sum(n for n in sizes if n < k)


@given(asked(max_trees=4, max_records=20, max_leaves=4, missing=True), st.integers(1, 4))
def test_values_are_generalized_alike_and_cells_hidden_or_not(table: Asked, k: int) -> None:
    if len(table.rows) < k:
        return
    for rare in ("0", "1/4"):
        found = table.search(MuArgus(rare=rare), [LKCPrivacy(3, k, 1, sensitive="s0")])
        for a in table.qid:
            shown = {cells[a] for cells in table.release(found) if cells is not None}
            root = frozenset(table.domain(a))
            told = shown if rare == "0" else shown - {root}
            assert any(told <= cut for cut in all_cuts(table.trees[a])), (a, shown)
