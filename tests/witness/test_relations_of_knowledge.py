"""What is said of adversaries who know some values, side by side, is true of the witnesses."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.witness import confidence, values
from tests.witness.models import Row
from tests.witness.skyline import skyline_confidence

small = partial(
    tables, min_records=1, max_records=7, max_qid=2, max_leaves=3, max_height=2, missing=False
)
buckets = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4), min_size=1, max_size=2)


@given(buckets)
def test_who_knows_nothing_sees_shares(found: list[list[str]]) -> None:
    rows: list[Row] = [{"q": i, "s": s} for i, bucket in enumerate(found) for s in bucket]
    for value in "ab":
        seen = skyline_confidence(found, value, l=0, k=0, m=0)
        assert seen == confidence.highest_share(rows, ["q"], "s", [value])


@given(buckets, st.integers(0, 2))
def test_who_knows_absent_values_or_other_people_removes_them(
    found: list[list[str]], known: int
) -> None:
    without_values, without_people = [], []
    for bucket in found:
        n = bucket.count("a")
        others = sorted((bucket.count(v) for v in "bc"), reverse=True)
        left = n + sum(others[known:])
        without_values.append(Fraction(n, left) if left else Fraction(0))
        most = min(known, len(bucket) - n)
        without_people.append(Fraction(n, len(bucket) - most) if n else Fraction(0))
    assert skyline_confidence(found, "a", l=known, k=0, m=0) == max(without_values)
    assert skyline_confidence(found, "a", l=0, k=known, m=0) == max(without_people)


@given(buckets, st.sampled_from([(1, 0, 0), (0, 1, 0), (0, 0, 1)]), st.booleans())
def test_who_knows_more_is_surer(
    found: list[list[str]], more: tuple[int, int, int], implied: bool
) -> None:
    confident = partial(skyline_confidence, found, "a", implied=implied)
    nothing, something = confident(l=0, k=0, m=0), confident(l=more[0], k=more[1], m=more[2])
    assert nothing <= something <= 1
    both = confident(l=1, k=1, m=0)
    assert both >= max(confident(l=1, k=0, m=0), confident(l=0, k=1, m=0))


@given(small(max_qid=1), st.booleans())
def test_guarding_everything_is_frequency_diversity_guarding_a_leaf_a_template(
    table: RandomTable, subtree: bool
) -> None:
    tree, qid = table.trees["s0"], table.qid
    root: list[Row] = [{**row, "guard": "*"} for row in table.rows]
    breach = partial(values.personalized_breach, qid=qid, sensitive="s0", guard="guard", tree=tree)
    assert breach(root) == confidence.highest_share(table.rows, qid, "s0")
    assert breach(root, subtree=True) == 1
    for leaf in tree.leaves:
        guarded: list[Row] = [{**row, "guard": leaf} for row in table.rows]
        share = confidence.highest_share(table.rows, qid, "s0", [leaf])
        assert breach(guarded, subtree=subtree) == share
    nobody: list[Row] = [{**row, "guard": None} for row in table.rows]
    assert breach(nobody, subtree=subtree) == 0


@given(small(), st.data())
def test_a_subtree_is_likelier_than_any_leaf_of_it(table: RandomTable, data: st.DataObject) -> None:
    tree = table.trees["s0"]
    nodes = st.sampled_from([*{*chain(*tree.paths.values())}, None])
    rows: list[Row] = [{**row, "guard": data.draw(nodes)} for row in table.rows]
    breach = partial(values.personalized_breach, rows, table.qid, "s0", "guard", tree)
    leaf, below = breach(), breach(subtree=True)
    assert leaf is not None
    assert below is not None
    assert leaf <= below <= 1


@given(small(max_sensitive=1))
def test_freeform_attacks_on_a_wholly_sensitive_column_are_its_confidence(
    table: RandomTable,
) -> None:
    rows, qid = table.rows, table.qid
    everything = {("s0", row["s0"]) for row in rows}
    found = values.ff_confidence(rows, [*qid, "s0"], everything)
    assert found == confidence.highest_share(rows, qid, "s0")
    assert found == values.lkc_confidence(rows, qid, len(qid), "s0")


@given(small(max_sensitive=1), st.data())
def test_freeform_attacks_on_one_value_are_the_confidence_of_the_quasi_identifier(
    table: RandomTable, data: st.DataObject
) -> None:
    rows, qid = table.rows, table.qid
    value = data.draw(st.sampled_from([row["s0"] for row in rows]))
    found = values.ff_confidence(rows, [*qid, "s0"], {("s0", value)})
    assert found == confidence.highest_share(rows, qid, "s0", [value])
