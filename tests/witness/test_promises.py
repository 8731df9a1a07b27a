"""A promise, asked group by group, is the model, asked of the table."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.witness import closeness, confidence, emd, numbers, promises, values
from tests.witness.models import Row

small = partial(tables, min_records=1, max_records=12, max_qid=3, max_leaves=3, max_height=2)
bounds = st.fractions(Fraction(1, 10), 1, max_denominator=12)


@given(small(), bounds, st.integers(1, 4))
def test_shares_and_sizes(table: RandomTable, h: Fraction, k: int) -> None:
    rows, qid = table.rows, table.qid
    keeps = partial(promises.hold, rows=rows, qid=qid)
    frequency = confidence.is_frequency_l_diverse(rows, qid, "s0", 1 / h)
    assert keeps([promises.frequency_l_diverse(1 / h, "s0")]) is frequency
    assert keeps([promises.xy_linkable(h, ["s0"])]) is frequency
    diverse = (confidence.xy_anonymity(rows, qid, ["s0"]) or 0) >= k
    assert keeps([promises.xy_anonymous(k, ["s0"])]) is diverse
    both = confidence.is_alpha_k_anonymous(rows, qid, "s0", h, k)
    assert keeps([promises.alpha_k_anonymous(h, k, "s0")]) is both
    template = confidence.Template(qid[:1], "s0", "s00", h)
    listed = promises.confident_at_most(h, "s0", "s00", qid=qid[:1])
    assert keeps([listed]) is confidence.keeps_templates(rows, [template])


@given(small(), bounds, st.integers(1, 3), st.integers(1, 3))
def test_lkc_is_one_promise_for_every_set_of_columns(
    table: RandomTable,
    c: Fraction,
    l: int,  # noqa: E741
    k: int,
) -> None:
    asked = promises.lkc_private(table.qid, "s0", L=l, K=k, C=c)
    found = values.is_lkc_private(table.rows, table.qid, "s0", L=l, K=k, C=c)
    assert promises.hold(asked, table.rows, table.qid) is found


@given(small(), bounds)
def test_distances(table: RandomTable, t: Fraction) -> None:
    rows, qid = table.rows, table.qid
    keeps = partial(promises.hold, rows=rows, qid=qid)
    far = partial(closeness.table_distance, rows, qid, "s0")
    equal, kl = far(emd.emd_equal), far(closeness.kullback_leibler)
    beta, delta = (
        closeness.beta_likeness(rows, qid, "s0", enhanced=True),
        closeness.delta_disclosure(rows, qid, "s0"),
    )
    assert equal is not None
    assert kl is not None
    assert beta is not None
    assert delta is not None
    assert keeps([promises.t_close(t, "s0", emd.emd_equal)]) is (equal <= t)
    near = promises.nearly_close(float(t), "s0", closeness.kullback_leibler)
    assert keeps([near]) is (kl <= t + 1e-12)
    assert keeps([promises.beta_like(t, "s0", enhanced=True)]) is (beta <= t)
    assert keeps([promises.delta_disclosing(float(t), "s0")]) is (delta < t)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(-5, 9)), min_size=1, max_size=9),
    st.integers(1, 3),
    st.integers(0, 6),
)
def test_numbers(pairs: list[tuple[int, int]], k: int, e: int) -> None:
    rows: list[Row] = [{"q": q, "s": s} for q, s in pairs]
    keeps = partial(promises.hold, rows=rows, qid=["q"])
    assert keeps([promises.ke_anonymous(k, e, "s")]) is numbers.is_ke_anonymous(
        rows, ["q"], "s", k, e
    )
    close = numbers.is_epsilon_m_anonymous(rows, ["q"], "s", e, k)
    assert keeps([promises.epsilon_m_anonymous(e, k, "s")]) is close
    spread = numbers.is_variance_diverse(rows, ["q"], "s", e)
    assert keeps([promises.variance_diverse(e, "s")]) is spread
    crowd = numbers.has_owners_for_bits(rows, ["q"], k)
    assert keeps([promises.crowded(k)]) is crowd
