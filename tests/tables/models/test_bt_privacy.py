"""(B,t)-privacy: regression and estimate record by record, its limits, and the refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from math import isclose, log2

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, table_of
from tests.tables.models.samples.beliefs import some_people
from tests.witness import emd, models
from tests.witness.models import Row
from tests.witness.tree import Tree
from unlinkable import check
from unlinkable.errors import ParameterError, SchemaError
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import BeliefDistance, BTPrivacy, TCloseness
from unlinkable.tables.models.base import BindingContext

Belief = dict[Hashable, Fraction]
Gap = Callable[[Hashable, Hashable], Fraction]

bandwidths = st.sampled_from([Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(1), 2, 10])


def by_tree(tree: Tree) -> Gap:
    return lambda one, other: Fraction(tree.meeting_level(one, other), tree.height)


def before(rows: Sequence[Row], gaps: dict[str, Gap], b: Fraction, who: Row, s: str) -> Belief:
    """Let every record vote, by the product of its kernels."""
    votes: Counter[Hashable] = Counter()
    for row in rows:
        weight = Fraction(1)
        for column, gap in gaps.items():
            far = gap(who[column], row[column]) / b
            weight *= 1 - far**2 if far < 1 else 0
        votes[row[s]] += weight  # type: ignore[assignment]
    total = sum(votes.values())
    return {value: Fraction(n) / total for value, n in votes.items()}


def after(group: Sequence[Belief], counts: Counter[Hashable], who: Belief) -> Belief:
    """Share out the records of each value, and let what somebody gets add up to 1."""
    shares = {v: n * who[v] / sum(each[v] for each in group) for v, n in counts.items()}
    return {v: share / sum(shares.values()) for v, share in shares.items()}


def jensen_shannon(p: Belief, q: Belief) -> float:
    bits = 0.0
    for one, other in ((p, q), (q, p)):
        for value, share in one.items():
            if share:
                mean = (share + other.get(value, Fraction(0))) / 2
                bits += float(share) * log2(share / mean) / 2
    return bits


def levels(
    rows: Sequence[Row],
    shown: Sequence[str],
    gaps: dict[str, Gap],
    b: Fraction,
    s: str,
    far: Callable[[Belief, Belief], float | Fraction],
) -> list[float]:
    found = []
    for group in models.groups(rows, shown).values():
        beliefs = [before(rows, gaps, b, row, s) for row in group]
        counts = Counter(row[s] for row in group)
        found.append(max(float(far(after(beliefs, counts, p), p)) for p in beliefs))
    return found


def bound(random: RandomTable, model: BTPrivacy) -> BTPrivacy:
    (found,) = model.bind(BindingContext(random.qid, random.sensitive))
    return found


def coarser(random: RandomTable, promise: BTPrivacy) -> Groups:
    """Group a random table by its first column only."""
    return count(table_of(random), promise.needs()).finest.project(random.qid[:1])[0]


@given(
    tables(min_records=1, max_records=10, max_qid=3, max_sensitive=1, owner=False),
    bandwidths,
    st.sampled_from(["equal", "hierarchical", "ordered", "jensen-shannon"]),
)
def test_says_what_the_definition_says(random: RandomTable, b: Fraction, distance: str) -> None:
    tree = random.trees["s0"]
    there = {row["s0"] for row in random.rows}
    order = [v for v in tree.leaves if v in there]
    far: dict[str, Callable[[Belief, Belief], float | Fraction]] = {
        "equal": emd.emd_equal,
        "hierarchical": lambda p, q: emd.emd_hierarchical(p, q, tree),
        "ordered": lambda p, q: emd.emd_ordered(p, q, order),
        "jensen-shannon": jensen_shannon,
    }
    if distance == "ordered" and None in there:
        in_row = emd.ordered_ground([v for v in order if v is not None])
        far["ordered"] = lambda p, q: emd.emd_by_transport(
            p, q, lambda v, w: Fraction(v is not w) if None in (v, w) else in_row(v, w)
        )
    gaps = {q: by_tree(random.trees[q]) for q in random.qid}
    expected = levels(random.rows, random.qid[:1], gaps, Fraction(b), "s0", far[distance])
    promise = bound(random, BTPrivacy(b, 1, sensitive="s0", distance=distance))
    groups = coarser(random, promise)
    assert np.allclose(promise.level(groups), expected, atol=1e-7)
    assert np.allclose(promise.prepared(groups).level(groups), expected, atol=1e-7)


@given(
    st.lists(
        st.tuples(
            st.none() | st.integers(0, 9), st.integers(-3, 3), st.sampled_from("xy"), st.booleans()
        ),
        min_size=1,
        max_size=12,
    ),
    bandwidths,
)
def test_numbers_are_apart_by_their_range(
    people: list[tuple[int | None, int, str, bool]], b: Fraction
) -> None:
    rows: list[Row] = [{"age": a, "pay": p, "s": s, "g": str(g)} for a, p, s, g in people]

    def gap(column: str) -> Gap:
        known = [int(str(row[column])) for row in rows if row[column] is not None]
        width = max(known, default=0) - min(known, default=0)

        def far(one: Hashable, other: Hashable) -> Fraction:
            if one is None or other is None:
                return Fraction(one is not other)
            return Fraction(abs(int(str(one)) - int(str(other))), width or 1)

        return far

    gaps = {"age": gap("age"), "pay": gap("pay")}
    table = as_table(
        pl.DataFrame(
            {name: [row[name] for row in rows] for name in ("g", "age", "pay", "s")},
            schema={"g": pl.String, "age": pl.Int64, "pay": pl.Int64, "s": pl.String},
        ),
        quasi=["g", "age", "pay"],
        sensitive="s",
    )
    (promise,) = BTPrivacy(b, 1, sensitive="s").bind(BindingContext(("age", "pay"), ("s",)))
    groups = count(table, promise.needs()).finest.project(("g",))[0]
    expected = levels(rows, ["g"], gaps, Fraction(b), "s", emd.emd_equal)
    assert np.allclose(promise.level(groups), expected, atol=1e-9)


@given(tables(min_records=1, max_records=15, max_sensitive=1, owner=False))
def test_who_knows_only_the_table_is_held_off_by_t_closeness(random: RandomTable) -> None:
    for ground in ("equal", "ordered", "hierarchical"):
        wide = bound(random, BTPrivacy(10**7, 1, sensitive="s0", distance=ground))
        groups = count(table_of(random), [*wide.needs(), ("s0",)]).finest
        close = TCloseness(1, sensitive="s0", distance=ground)
        assert np.allclose(wide.level(groups), close.level(groups), atol=1e-9)


@given(tables(min_records=1, max_records=15, max_sensitive=1, max_height=1, owner=False))
def test_who_knows_everybodys_like_learns_nothing(random: RandomTable) -> None:
    narrow = bound(random, BTPrivacy("1/100", 0, sensitive="s0"))
    assert narrow.holds(coarser(random, narrow))


def test_the_example_of_merging() -> None:
    groups = some_people([30, 30, 31, 33, 33, 33], ["a", "b", "b", "a", "a", "a"], [30, 33])
    (promise,) = BTPrivacy(1, 0.16).bind(BindingContext(("q0",), ("s0",)))
    assert np.round(promise.level(groups), 3).tolist() == [0.154, 0.156]
    union = groups.merge(np.zeros(2, np.int32), 1, groups.columns, groups.keys[:1])
    assert np.round(promise.level(union), 3).tolist() == [0.192]


def two_sexes(**options: object) -> tuple[BTPrivacy, Groups]:
    ward = as_table(
        {"sex": ["f", "f", "m", "m"], "ill": ["flu", "hiv", "flu", "flu"]},
        quasi="sex",
        sensitive="ill",
    )
    (promise,) = BTPrivacy(2, 0.2, **options).bind(BindingContext.of(ward.schema))  # type: ignore[arg-type]
    return promise, count(ward, promise.needs()).finest


def test_a_distance_equal_to_the_bound_is_allowed() -> None:
    # With weight 3/4 for the other sex, hiv has (1, 3/4) of 7/2: 2/7 and 3/14, against 1/2 and 0.
    promise, groups = two_sexes()
    assert np.allclose(promise.level(groups), [3 / 14, 3 / 14])
    (exactly,) = BTPrivacy(2, "3/14").bind(BindingContext(("sex",), ("ill",)))
    assert exactly.holds(groups)
    (less,) = BTPrivacy(2, "0.2142857").bind(BindingContext(("sex",), ("ill",)))
    assert not less.holds(groups)


def test_says_whose_belief_moves_and_that_it_is_an_estimate() -> None:
    promise, groups = two_sexes()
    verdict = promise.verdict(groups)
    assert verdict.why == (
        "what is believed of one of 2 records moves by 0.2143 (flu: from 0.7143 to 0.5), and at "
        "most 0.2 is allowed"
    )
    assert "what is believed afterwards is estimated" in verdict.reading
    assert verdict.model == promise


def test_beliefs_that_are_spread_over_similar_values_are_nearer() -> None:
    sharp, groups = two_sexes(distance="jensen-shannon")
    smooth, _ = two_sexes(distance="jensen-shannon", smoothing=2)
    level = sharp.level(groups)
    assert isclose(level[0], jensen_shannon(shares(1, 2), shares(2, 7)), abs_tol=1e-12)
    # A value keeps 4/7 of its probability, and the other gets 3/7.
    spread = [(4 * p + 3 * (1 - p)) / 7 for p in (Fraction(1, 2), Fraction(2, 7))]
    beliefs: list[Belief] = [{"hiv": p, "flu": 1 - p} for p in spread]
    expected = jensen_shannon(*beliefs)
    assert isclose(smooth.level(groups)[0], expected, abs_tol=1e-12)
    narrow, _ = two_sexes(distance="jensen-shannon", smoothing=1)
    assert narrow.level(groups).tolist() == level.tolist()


def shares(p: int, q: int) -> Belief:
    return {"hiv": Fraction(p, q), "flu": 1 - Fraction(p, q)}


def test_numbers_are_spread_by_their_range_and_missing_ones_stay_apart() -> None:
    pay = as_table(
        pl.DataFrame({"q": ["x", "x", "y", "y"], "pay": [0, 4, 1, None]}),
        quasi="q",
        sensitive="pay",
    )
    found = {}
    for smoothing in (None, "1/2", "1/5"):
        (promise,) = BTPrivacy(
            2, 1, distance=BeliefDistance.JENSEN_SHANNON, smoothing=smoothing
        ).bind(BindingContext.of(pay.schema))
        found[smoothing] = float(promise.level(count(pay, promise.needs()).finest).max())
    assert found["1/2"] < found[None]
    assert found["1/5"] == found[None]


def test_what_is_left_is_judged_by_what_is_left() -> None:
    promise, groups = two_sexes()
    prepared = promise.prepared(groups)
    rest = groups.select(np.array([True, False])).alone()
    assert prepared.level(groups).max() > 0.2
    assert prepared.level(rest).tolist() == promise.level(rest).tolist() == [0.0]


def test_is_checked_on_what_people_were_before() -> None:
    ward = {"sex": ["f", "f", "f", "m"], "ill": ["flu", "hiv", "hiv", "flu"]}
    published = as_table({**ward, "sex": ["*"] * 4}, quasi="sex", sensitive="ill")
    promise = BTPrivacy(2, 0.1)
    (now,) = check(published, promise, original=pl.DataFrame(ward)).verdicts
    (alone,) = check(published, promise).verdicts
    assert now.level is not None
    assert 0 < now.level < 0.1
    assert alone.level == 0


def test_compares_with_the_table_and_asks_for_what_was_counted_together() -> None:
    promise, _ = two_sexes()
    assert promise.relative
    assert promise.local
    assert promise.needs() == {("sex", "ill")}
    assert str(promise) == 'bt-privacy(b=2, t=0.2, sensitive="ill")'


def test_asks_for_less_by_a_twentieth() -> None:
    assert BTPrivacy(1, 0.2).weaker() == BTPrivacy(1, 0.25)
    assert BTPrivacy(1, 0.95).weaker() is None


def test_empty_tables_keep_it() -> None:
    promise, groups = two_sexes()
    nobody = groups.select(np.zeros(2, bool)).alone()
    assert promise.level(nobody).tolist() == []
    assert promise.holds(nobody)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"b": 0, "t": 0.1}, "b must be greater than 0, got 0"),
        ({"b": 1, "t": -1}, "t must be at least 0, got -1"),
        ({"b": 1, "t": 2}, "t must be at most 1, got 2"),
        ({"b": 1, "t": 0, "distance": "equals"}, "no distance of beliefs 'equals' among 4"),
        ({"b": 1, "t": 0, "smoothing": 1}, "smoothing is for the distance jensen-shannon, not for"),
        (
            {"b": 1, "t": 0, "distance": "jensen-shannon", "smoothing": 0},
            "smoothing must be greater than 0, got 0",
        ),
    ],
)
def test_refuses_what_means_nothing(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        BTPrivacy(**arguments)  # type: ignore[arg-type]


@given(tables(min_records=1, max_records=3))
def test_refuses_to_judge_what_was_not_counted(random: RandomTable) -> None:
    with pytest.raises(SchemaError, match="does not know the quasi-identifying columns: bind it"):
        BTPrivacy(1, 1, sensitive="s0").judge(finest_of(random))
    promise = bound(random, BTPrivacy(1, 1, sensitive="s0"))
    with pytest.raises(SchemaError, match="'s0' together, which were not counted"):
        promise.judge(finest_of(random))
