"""What the literature says of models side by side is true of the witnesses, on random tables."""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction
from functools import partial
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.witness import closeness, confidence, emd, models, numbers, values
from tests.witness.confidence import Template
from tests.witness.models import Row

small = partial(tables, min_records=1, max_records=12, max_qid=3, max_leaves=4, max_height=2)
bounds = st.fractions(Fraction(1, 10), 1, max_denominator=12)


@st.composite
def numeric(draw: st.DrawFn, *, max_records: int = 10) -> list[Row]:
    """Draw a table with a column ``q`` and a column ``s`` of numbers."""
    number = st.integers(-6, 9)
    pairs = draw(st.lists(st.tuples(st.integers(0, 2), number), min_size=1, max_size=max_records))
    return [{"q": q, "s": s} for q, s in pairs]


def with_keys(table: RandomTable) -> list[Row]:
    return [{**row, "key": i} for i, row in enumerate(table.rows)]


@given(small())
def test_frequency_implies_entropy_implies_distinct_diversity_implies_anonymity(
    table: RandomTable,
) -> None:
    rows, qid, s = table.rows, table.qid, "s0"
    by_frequency, distinct = confidence.frequency_l(rows, qid, s), models.distinct_l(rows, qid, s)
    by_entropy, k = models.entropy_l(rows, qid, s), models.k_anonymity(rows, qid)
    assert by_frequency is not None
    assert by_entropy is not None
    assert distinct is not None
    assert k is not None
    assert models.is_entropy_l_diverse(rows, qid, s, by_frequency)
    assert by_entropy <= distinct * (1 + 1e-12)
    assert distinct <= k


@given(small(), st.integers(1, 4), bounds)
def test_lkc_with_all_columns_is_many_models(table: RandomTable, k: int, c: Fraction) -> None:
    rows, qid, s = table.rows, table.qid, "s0"
    lkc = partial(values.is_lkc_private, rows, qid, s, L=len(qid))
    assert lkc(K=k, C=1) is models.is_k_anonymous(rows, [(qid, k)])
    assert lkc(K=k, C=c) is confidence.is_alpha_k_anonymous(rows, qid, s, c, k)
    assert lkc(K=k, C=c) is confidence.is_kc_anonymous(rows, qid, s, k, c)
    assert lkc(K=k, C=c) is confidence.is_xy_private(rows, qid, [s], k, c)
    assert lkc(K=1, C=c) is confidence.is_frequency_l_diverse(rows, qid, s, 1 / c)
    assert lkc(K=1, C=c) is confidence.is_xy_linkable(rows, qid, [s], c)
    domain: set[Hashable] = {row[s] for row in rows}
    templates = [Template(qid, s, value, c) for value in domain]
    assert lkc(K=1, C=c) is confidence.keeps_templates(rows, templates)


@given(small(), st.integers(1, 3), st.integers(1, 3), bounds)
def test_the_longest_combinations_decide_lkc(
    table: RandomTable, at_most: int, k: int, c: Fraction
) -> None:
    rows, qid = table.rows, table.qid
    longest = combinations(qid, min(at_most, len(qid)))
    assert values.is_lkc_private(rows, qid, "s0", L=at_most, K=k, C=c) is all(
        confidence.is_alpha_k_anonymous(rows, columns, "s0", c, k) for columns in longest
    )


@given(small(), st.integers(1, 3))
def test_who_knows_more_columns_is_left_with_less(table: RandomTable, at_most: int) -> None:
    rows, qid = table.rows, table.qid
    sizes = [values.lkc_size(rows, qid, length) or 0 for length in (at_most, at_most + 1)]
    sure = [
        values.lkc_confidence(rows, qid, length, "s0") or 0 for length in (at_most, at_most + 1)
    ]
    assert sizes[0] >= sizes[1]
    assert sure[0] <= sure[1]


@given(small())
def test_xy_anonymity_is_k_anonymity_by_key_and_diversity_by_value(table: RandomTable) -> None:
    rows, qid = with_keys(table), table.qid
    assert confidence.xy_anonymity(rows, qid, ["key"]) == models.k_anonymity(rows, qid)
    assert confidence.xy_anonymity(rows, qid, ["s0"]) == models.distinct_l(rows, qid, "s0")
    if table.owner:
        by_owner = confidence.xy_anonymity(rows, qid, [table.owner])
        assert by_owner == models.k_anonymity(rows, qid, table.owner)
        assert by_owner == confidence.multirelational_k([rows], qid, table.owner)


@given(small(owner=False), st.lists(st.sampled_from("ab"), min_size=12, max_size=12))
def test_more_y_columns_and_fewer_x_columns_are_weaker(
    table: RandomTable, extra: list[str]
) -> None:
    rows: list[Row] = [{**row, "y": y} for row, y in zip(table.rows, extra, strict=False)]
    x, fewer = table.qid, table.qid[:-1]
    narrow, wide = [confidence.xy_anonymity(rows, x, y) or 0 for y in (["s0"], ["s0", "y"])]
    assert narrow <= wide
    assert narrow <= (confidence.xy_anonymity(rows, fewer, ["s0"]) or 0)
    narrow_, wide_ = [confidence.xy_linkability(rows, x, y) or 0 for y in (["s0"], ["s0", "y"])]
    assert narrow_ >= wide_
    assert narrow_ >= (confidence.xy_linkability(rows, fewer, ["s0"]) or 0)


@given(small())
def test_closeness_0_means_the_same_shares_everywhere(table: RandomTable) -> None:
    rows, qid = table.rows, table.qid
    whole = emd.shares(row["s0"] for row in rows)
    same = all(
        emd.shares(row["s0"] for row in group) == whole
        for group in models.groups(rows, qid).values()
    )
    distance = partial(closeness.table_distance, rows, qid, "s0")
    tree = table.trees["s0"]
    for measure in (
        emd.emd_equal,
        partial(emd.emd_hierarchical, tree=tree),
        partial(emd.emd_ordered, order=tree.leaves),
        closeness.kullback_leibler,
        closeness.hellinger,
    ):
        assert (distance(measure) == 0) is same
    assert (closeness.beta_likeness(rows, qid, "s0") == 0) is same
    assert (closeness.beta_likeness(rows, qid, "s0", enhanced=True) == 0) is same
    assert (closeness.delta_disclosure(rows, qid, "s0") == 0) is same


@given(small())
def test_distances_bound_one_another(table: RandomTable) -> None:
    rows, qid = table.rows, table.qid
    distance = partial(closeness.table_distance, rows, qid, "s0")
    half_l1, kl = distance(emd.emd_equal), distance(closeness.kullback_leibler)
    root, beta = distance(closeness.hellinger), closeness.beta_likeness(rows, qid, "s0")
    delta = closeness.delta_disclosure(rows, qid, "s0")
    assert half_l1 is not None
    assert kl is not None
    assert root is not None
    assert beta is not None
    assert delta is not None
    near = 1e-9
    assert 2 * half_l1**2 <= kl + near, "Pinsker"
    assert root**2 <= half_l1 + near
    assert half_l1 <= math.sqrt(2) * root + near
    assert kl <= math.log1p(beta) + near, "no value gains more than beta"
    assert math.log1p(beta) <= delta + near, "delta-disclosure bounds the gain as well"
    assert half_l1 <= beta + near


@given(small(), st.integers(1, 13))
def test_closeness_to_all_records_is_closeness_to_a_superset(table: RandomTable, n: int) -> None:
    rows, qid = table.rows, table.qid
    for measure in (emd.emd_equal, closeness.hellinger):
        nt = partial(closeness.nt_closeness, rows, qid, "s0", distance=measure)
        whole = closeness.table_distance(rows, qid, "s0", measure)
        assert nt(n=1) == 0
        assert nt(n=len(rows)) == whole
        assert nt(n=len(rows) + 1) == math.inf
        here, more = nt(n=n), nt(n=n + 1)
        assert here is not None
        assert more is not None
        assert here <= more


@given(small(), st.data())
def test_moving_mass_in_equal_parts_is_the_transport_problem(
    table: RandomTable, data: st.DataObject
) -> None:
    leaves = table.trees["s0"].leaves[:3]
    drawn = st.lists(st.sampled_from(leaves), min_size=1, max_size=3).filter(lambda v: len(v) != 2)
    p, q = emd.shares(data.draw(drawn)), emd.shares(data.draw(drawn))
    costs = {
        (v, w): data.draw(st.fractions(0, 1, max_denominator=8)) for v in leaves for w in leaves
    }
    ground = closeness.shortest_ground(leaves, lambda v, w: costs[v, w])
    exact = closeness.emd_by_assignment(p, q, ground)
    assert math.isclose(exact, emd.emd_by_transport(p, q, ground), abs_tol=1e-9)
    unequal = closeness.emd_by_assignment(p, q, emd.equal_ground())
    assert unequal == emd.emd_equal(p, q)


@given(small(), st.integers(1, 4))
def test_enhanced_likeness_and_disclosure_imply_likeness(table: RandomTable, beta: int) -> None:
    rows, qid = table.rows, table.qid
    plain = closeness.beta_likeness(rows, qid, "s0")
    enhanced = closeness.beta_likeness(rows, qid, "s0", enhanced=True)
    assert plain is not None
    assert enhanced is not None
    assert plain <= enhanced
    share = confidence.highest_share(rows, qid, "s0")
    assert share is not None
    common = max(emd.shares(row["s0"] for row in rows).values())
    assert share <= (1 + plain) * common, "the largest share is a gain on a share"


@given(numeric())
def test_numbers_side_by_side(rows: list[Row]) -> None:
    qid, s = ["q"], "s"
    spread, variance = numbers.ke_range(rows, qid, s), numbers.variance(rows, qid, s)
    assert spread is not None
    assert variance is not None
    for group in models.groups(rows, qid).values():
        here, wide = numbers.variance(group, [], s), numbers.ke_range(group, [], s)
        assert here is not None
        assert wide is not None
        assert 4 * here <= wide**2, "Popoviciu"
    assert numbers.ke_distinct(rows, qid, s) == models.distinct_l(rows, qid, s)
    assert numbers.epsilon_m(rows, qid, s, 0) == confidence.frequency_l(rows, qid, s)
    for relative in (False, True):
        m = partial(numbers.epsilon_m, rows, qid, s, relative=relative)
        assert (m(1) or 0) >= (m(2) or 0) >= 1
    assert numbers.is_ke_anonymous(rows, qid, s, 1, 0)
    assert numbers.is_ke_anonymous(rows, qid, s, numbers.ke_distinct(rows, qid, s) or 0, spread)
