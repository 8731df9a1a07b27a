"""FF-anonymity: every freeform attack by trial, and the claims made."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, table_of
from tests.witness import values
from unlinkable import checks
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.registry.lookup import make
from unlinkable.tables.data import as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import DistinctLDiversity, FFAnonymity
from unlinkable.tables.models.base import BindingContext
from unlinkable.tables.models.shared import freeform

SHARES = st.fractions(Fraction(1, 9), 1, max_denominator=30)
WARD = {
    "sex": ["f", "f", "f", "m", "m", "m"],
    "ill": ["hiv", "flu", "flu", "flu", "cold", "hiv"],
    "pay": ["low", "high", "low", "secret", "low", "secret"],
}


def counted(promise: FFAnonymity, random: RandomTable) -> tuple[FFAnonymity, Groups]:
    table = table_of(random)
    (bound,) = promise.bind(BindingContext.of(table.schema))
    return bound, count(table, bound.needs()).finest


@given(tables(max_records=10, max_qid=2, max_leaves=4, owner=False), SHARES, st.data())
def test_says_what_all_freeform_attacks_say(
    random: RandomTable, h: Fraction, data: st.DataObject
) -> None:
    columns = (*random.qid, *random.sensitive)
    cells = sorted({(name, row[name]) for row in random.rows for name in columns}, key=repr) or [
        ("s0", "nobody's")
    ]
    listed = data.draw(st.lists(st.sampled_from(cells), min_size=1, unique=True))
    written = [f"{name}={'' if value is None else value}" for name, value in listed]
    promise, groups = counted(FFAnonymity(h, sensitive=written), random)
    expected = values.ff_confidence(random.rows, columns, listed)
    verdict = promise.verdict(groups)
    assert verdict.level == (None if expected is None else float(expected))
    assert verdict.holds is promise.holds(groups)
    assert verdict.holds is values.is_ff_anonymous(random.rows, columns, listed, h)


@given(tables(max_records=10, max_qid=2, owner=False), SHARES)
def test_all_values_of_sensitive_columns_are_sensitive_by_default(
    random: RandomTable, h: Fraction
) -> None:
    columns = (*random.qid, *random.sensitive)
    listed = [(name, row[name]) for row in random.rows for name in random.sensitive]
    promise, groups = counted(FFAnonymity(h), random)
    assert promise.local
    expected = values.ff_confidence(random.rows, columns, listed)
    assert promise.verdict(groups).level == (None if expected is None else float(expected))


@given(tables(max_records=10, max_qid=2, owner=False), SHARES, st.data())
def test_looks_only_at_the_columns_that_are_named(
    random: RandomTable, h: Fraction, data: st.DataObject
) -> None:
    columns = [*data.draw(st.lists(st.sampled_from(random.qid), unique=True)), "s0"]
    listed = [("s0", row["s0"]) for row in random.rows]
    promise, groups = counted(FFAnonymity(h, sensitive="s0", columns=columns), random)
    assert promise.local is (len(columns) > len(random.qid))
    expected = values.ff_confidence(random.rows, columns, listed)
    verdict = promise.verdict(groups)
    assert verdict.level == (None if expected is None else float(expected))
    assert verdict.holds is values.is_ff_anonymous(random.rows, columns, listed, h)


@given(tables(max_records=10, max_qid=2, min_records=1, owner=False), st.data())
def test_says_the_same_when_it_is_read_back_unbound(
    random: RandomTable, data: st.DataObject
) -> None:
    value = data.draw(st.sampled_from([row["s0"] or "" for row in random.rows]))
    promise, groups = counted(FFAnonymity(0.5, sensitive=f"s0={value}"), random)
    again = make("model", str(promise))
    assert again == promise
    table = table_of(random)
    once_more = again.verdict(count(table, again.needs()).finest)
    assert once_more.reached == promise.verdict(groups).reached


def ward_of(promise: FFAnonymity) -> tuple[FFAnonymity, Groups]:
    table = as_table(WARD, quasi="sex", sensitive=["ill", "pay"])
    (bound,) = promise.bind(BindingContext.of(table.schema))
    return bound, count(table, bound.needs()).finest


def test_other_values_of_a_column_can_be_observed() -> None:
    """Among women: 1 of 3 has HIV. Whose pay is known to be low, 1 of 2 has."""
    promise, groups = ward_of(FFAnonymity(0.4, sensitive=["ill=hiv", "pay=secret"]))
    women, men = promise.level(groups).tolist()
    assert women == 0.5
    assert men == 1.0  # the man with the flu, which can be seen, keeps his pay secret
    assert promise.judge(groups).tolist() == [False, False]
    assert promise.witness(groups, 0) == (
        "of 2 records here with pay = low, 1 (0.5) with ill = hiv, and at most 0.4 may"
    )
    assert promise.witness(groups, 1) == (
        "of 1 record here with ill = flu, 1 (1) with pay = secret, and at most 0.4 may"
    )


def test_a_group_without_sensitive_values_is_good() -> None:
    promise, groups = ward_of(FFAnonymity(0.1, sensitive="pay=secret"))
    assert promise.judge(groups).tolist() == [True, False]
    assert promise.witness(groups, 0) == ("no sensitive value in 3 records, and at most 0.1 may")


def test_a_sensitive_value_that_no_record_has_is_told() -> None:
    promise, groups = ward_of(FFAnonymity(0.6, sensitive=["ill=hvi", "pay="]))
    verdict = promise.verdict(groups)
    assert verdict.holds
    assert verdict.why.endswith("; no value 'hvi' among 3 (did you mean 'hiv'?) in 'ill'")


def test_a_share_equal_to_the_bound_is_allowed() -> None:
    promise, groups = ward_of(FFAnonymity(0.5, sensitive="ill=hiv"))
    assert promise.judge(groups).tolist() == [True, True]
    promise, groups = ward_of(FFAnonymity(0.499, sensitive="ill=hiv"))
    assert promise.judge(groups).tolist() == [False, False]


def test_sensitive_values_of_a_shown_column_are_checked_and_not_searched_for() -> None:
    promise, groups = ward_of(FFAnonymity(0.6, sensitive=["sex=f", "ill=hiv"]))
    assert promise.knows(groups.columns).columns == ()
    # Of the three with low pay, two are women; of those with the flu, too.
    assert promise.verdict(groups).reached == {"h": 1.0}
    assert not promise.local
    assert promise.unsearchable == (
        "'sex' has sensitive values and is generalized, which changes what can be observed: give "
        "it the role of a sensitive column"
    )
    assert ward_of(FFAnonymity(0.6))[0].unsearchable is None


def test_too_many_columns_of_both_kinds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    promise, groups = ward_of(FFAnonymity(0.4, sensitive=["ill=hiv", "pay=secret"]))
    monkeypatch.setattr(freeform, "_MOST", 23)
    with pytest.raises(UnsupportedError, match=r"2 columns have both .* on 6 different records"):
        promise.judge(groups)
    monkeypatch.setattr(freeform, "_MOST", 24)
    promise.judge(groups)


def test_follows_that_a_column_has_many_values() -> None:
    promise, _ = ward_of(FFAnonymity(0.3))
    assert promise.consequences() == (
        DistinctLDiversity(4, sensitive="ill"),
        DistinctLDiversity(4, sensitive="pay"),
    )
    assert ward_of(FFAnonymity(0.3, sensitive="ill=hiv"))[0].consequences() == ()
    assert FFAnonymity(0.3, sensitive="ill", columns=["ill"]).consequences() == ()


def test_one_promise_covers_another_that_asks_for_less_of_the_same() -> None:
    assert FFAnonymity(0.3, sensitive="s=x").covers(FFAnonymity(0.4, sensitive="s=x"))
    assert not FFAnonymity(0.4, sensitive="s=x").covers(FFAnonymity(0.3, sensitive="s=x"))
    # Fewer sensitive values are more observable ones.
    assert not FFAnonymity(0.3, sensitive="s").covers(FFAnonymity(0.3, sensitive="s=x"))


def test_asks_for_less_by_a_twentieth() -> None:
    assert FFAnonymity(0.3).weaker() == FFAnonymity(0.35)
    assert FFAnonymity(0.95).weaker() is None


def test_merging_is_safe_and_does_not_absorb() -> None:
    (promise,) = FFAnonymity(0.5).bind(BindingContext(quasi=("q",), sensitive=("s",)))
    checks.check_does_not_absorb(promise, groups_of([[1, 1], [1, 0]]))


@given(tables(min_records=1, max_qid=2, max_sensitive=2), SHARES, st.data())
def test_groups_that_keep_it_keep_it_together(
    random: RandomTable, h: Fraction, data: st.DataObject
) -> None:
    listed = [f"{s}={random.rows[0][s] or ''}" for s in random.sensitive]
    promise, groups = counted(FFAnonymity(h, sensitive=listed), random)
    good = np.flatnonzero(promise.judge(groups)).tolist()
    if good:
        checks.check_merging(promise, groups, data.draw(st.lists(st.sampled_from(good))))


def test_refuses_what_means_nothing() -> None:
    context = BindingContext(quasi=("a",), sensitive=("s",))
    with pytest.raises(ParameterError, match=r"h must lie in \(0, 1\], got 0"):
        FFAnonymity(0)
    with pytest.raises(ParameterError, match="sensitive must list at least one value"):
        FFAnonymity(0.5, sensitive=[])
    with pytest.raises(ParameterError, match="must list values as column=value, got '=x'"):
        FFAnonymity(0.5, sensitive="=x")
    with pytest.raises(ParameterError, match="columns must name at least one column"):
        FFAnonymity(0.5, columns=[])
    with pytest.raises(SchemaError, match="no quasi-identifying or sensitive column 'b' among 2"):
        FFAnonymity(0.5, columns=["b"]).bind(context)
    with pytest.raises(SchemaError, match="no column 'b' among 2"):
        FFAnonymity(0.5, sensitive="b=x").bind(context)
    with pytest.raises(SchemaError, match="and the table has no sensitive column"):
        FFAnonymity(0.5).bind(BindingContext(quasi=("a",)))
    with pytest.raises(SchemaError, match="does not say which columns it is about"):
        FFAnonymity(0.5).needs()
    with pytest.raises(SchemaError, match="needs the values of 's', which were not counted"):
        FFAnonymity(0.5).bind(context)[0].judge(groups_of([[1]], column="t"))
    assert FFAnonymity(0.5).bind(context)[0].judge(finest_of_nobody()).tolist() == []


def finest_of_nobody() -> Groups:
    return finest_of(RandomTable([], ("a",), ("s",), {}, None))
