"""(d,gamma)-privacy: the formula record by record, the edges of both bounds, and given priors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import inf, isclose

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import RandomTable, tables
from tests.tables.groups.plain import finest_of, groups_of, table_of
from tests.witness import models
from unlinkable import check
from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.tables.data.side import Side
from unlinkable.tables.groups import Groups
from unlinkable.tables.models import DGammaPrivacy, KAnonymity
from unlinkable.tables.models.base import BindingContext

shares = st.fractions(Fraction(1, 12), 1, max_denominator=12)


def least_gamma(group: Counter[object], prior: Mapping[object, Fraction], d: Fraction) -> Fraction:
    """Try every value that was believed in with at most d; -1 if nothing bounds gamma."""
    least = Fraction(0)
    for value, before in prior.items():
        if before > d:
            continue
        after = Fraction(group[value], group.total())
        least = max(least, after)
        if before:
            if not after:
                return Fraction(-1)
            least = max(least, d * before / after)
    return least


def bound(model: DGammaPrivacy, given: Mapping[str, object]) -> DGammaPrivacy:
    side = Side.of({"guess": pl.DataFrame(given)})
    (found,) = model.bind(BindingContext(("q",), ("s",), side=side))
    return found


@given(tables(min_records=1), shares, shares)
def test_says_what_the_definition_says(random: RandomTable, d: Fraction, gamma: Fraction) -> None:
    groups = finest_of(random)
    for s in random.sensitive:
        whole = Counter(row[s] for row in random.rows)
        prior = {value: Fraction(n, whole.total()) for value, n in whole.items()}
        found = models.groups(random.rows, random.qid).values()
        levels = [least_gamma(Counter(row[s] for row in group), prior, d) for group in found]
        verdict = DGammaPrivacy(d, gamma, sensitive=s).verdict(groups)
        assert verdict.holds is all(0 <= level <= gamma for level in levels)
        worst = inf if min(levels) < 0 else max(levels)
        assert isclose(verdict.level or 0.0, worst, abs_tol=1e-12)
        if 0 < worst <= 1:
            exactly = DGammaPrivacy(d, worst, sensitive=s)
            assert exactly.holds(groups)
            less = Fraction(worst) - Fraction(1, 10**12)
            assert not DGammaPrivacy(d, less, sensitive=s).holds(groups)


@given(
    tables(min_records=1, max_sensitive=1),
    st.lists(st.integers(0, 6), min_size=8, max_size=8),
    shares,
    shares,
)
def test_takes_the_prior_that_is_given(
    random: RandomTable, weights: list[int], d: Fraction, gamma: Fraction
) -> None:
    values = sorted({row["s0"] for row in random.rows}, key=repr)
    total = sum(weights) or 1
    prior = {v: Fraction(w, total) for v, w in zip(values, weights, strict=False)}
    guess = pl.DataFrame(
        {"value": [*prior], "p": [str(p) for p in prior.values()]},
        schema={"value": pl.String, "p": pl.String},
    )
    promise = DGammaPrivacy(d, gamma, sensitive="s0", prior="guess")
    (verdict,) = check(table_of(random), promise, side={"guess": guess}).verdicts
    found = models.groups(random.rows, random.qid).values()
    levels = [least_gamma(Counter(row["s0"] for row in group), prior, d) for group in found]
    assert verdict.holds is all(0 <= level <= gamma for level in levels)


def test_a_value_as_likely_as_allowed_is_allowed() -> None:
    groups = groups_of([[1, 9], [2, 8]], whole=[10, 90])
    promise = DGammaPrivacy(0.1, 0.2, sensitive="s")
    assert promise.judge(groups).tolist() == [True, True]
    assert DGammaPrivacy(0.1, 0.19, sensitive="s").judge(groups).tolist() == [True, False]


def test_a_value_may_become_half_as_likely_but_not_less() -> None:
    groups = groups_of([[1, 19], [1, 20]], whole=[10, 90])
    promise = DGammaPrivacy(0.1, 0.2, sensitive="s")
    assert promise.judge(groups).tolist() == [True, False]


def test_a_value_that_a_group_lacks_is_ruled_out() -> None:
    groups = groups_of([[0, 5], [1, 4]], whole=[1, 9])
    promise = DGammaPrivacy(0.1, 1, sensitive="s")
    assert promise.judge(groups).tolist() == [False, True]
    assert promise.level(groups).tolist() == [inf, 0.2]
    assert promise.witness(groups, 0) == "v00 can be ruled out: none of 5 records has it"


def test_values_that_were_likely_are_not_judged() -> None:
    groups = groups_of([[4, 0]], whole=[4, 4])
    promise = DGammaPrivacy(0.4, 0.5, sensitive="s")
    assert promise.level(groups).tolist() == [0.0]
    assert promise.holds(groups)
    assert promise.witness(groups, 0) == "no value here was believed in with at most 0.4"
    assert promise.reading(groups) == (
        "prior beliefs from the published table; 0 of 2 values were believed in with at most 0.4, "
        "and only these are judged"
    )


def test_what_is_believed_in_and_nobody_has_is_ruled_out_everywhere() -> None:
    guess = {"value": ["v00", "v01", "cholera"], "p": [0.45, 0.5, 0.05]}
    promise = bound(DGammaPrivacy(0.5, 1, sensitive="s", prior="guess"), guess)
    groups = groups_of([[1, 1]])
    assert promise.level(groups).tolist() == [inf]
    assert promise.witness(groups, 0) == "cholera can be ruled out: none of 2 records has it"
    sure = bound(DGammaPrivacy(0.01, 1, sensitive="s", prior="guess"), guess)
    assert sure.holds(groups)


def test_a_prior_of_many_digits_is_taken_as_it_is() -> None:
    p = "0.123456789012345678901234567891"
    rest = "0.8"
    promise = bound(
        DGammaPrivacy(p, p, sensitive="s", prior="guess"), {"value": ["v00", "v01"], "p": [p, rest]}
    )
    n, k = 10**9, 123456789
    assert promise.judge(groups_of([[k, n - k], [k + 1, n - k]])).tolist() == [False, False]
    half = bound(
        DGammaPrivacy(p, "1/2", sensitive="s", prior="guess"),
        {"value": ["v00", "v01"], "p": [p, rest]},
    )
    assert half.judge(groups_of([[k, n - k], [k + 1, n - k]])).all()


def test_a_missing_value_has_a_prior_like_any_other() -> None:
    table = RandomTable([{"q": "x", "s": "a"}, {"q": "x", "s": None}], ("q",), ("s",), {}, None)
    groups = finest_of(table)
    guess = {"value": ["a", ""], "p": [0.5, 0.5]}
    promise = bound(DGammaPrivacy(0.5, 0.5, sensitive="s", prior="guess"), guess)
    assert promise.holds(groups)
    other = bound(
        DGammaPrivacy(0.5, 0.5, sensitive="s", prior="guess"), {"value": ["a"], "p": [0.5]}
    )
    with pytest.raises(DataError, match="'guess' does not say how likely 'the missing value' is"):
        other.judge(groups)


def test_says_what_becomes_how_likely() -> None:
    groups = groups_of([[3, 3], [1, 5]], whole=[10, 90])
    assert DGammaPrivacy(0.1, 0.2, sensitive="s").verdict(groups).why == (
        "v00 was believed in with 0.1, and 3 of 6 records have it (0.5): that must be at most 0.2, "
        "and at least 0.5 times what was believed"
    )


def test_is_relative_only_to_a_prior_from_the_table() -> None:
    assert DGammaPrivacy(0.1, 0.2).relative
    given = DGammaPrivacy(0.1, 0.2, prior="guess.csv")
    assert not given.relative
    assert given.sources == ("guess.csv",)
    assert str(given) == 'd-gamma-privacy(d=0.1, gamma=0.2, prior="guess.csv")'


def test_covers_what_asks_for_less() -> None:
    promise = DGammaPrivacy(0.2, 0.4, sensitive="s")
    assert promise.covers(DGammaPrivacy(0.1, 0.5, sensitive="s"))
    assert not promise.covers(DGammaPrivacy(0.3, 0.4, sensitive="s"))
    assert not promise.covers(DGammaPrivacy(0.2, 0.3, sensitive="s"))
    assert not promise.covers(DGammaPrivacy(0.2, 0.4, sensitive="s", prior="guess"))
    assert not promise.covers(KAnonymity(2))


@given(tables(min_records=1, max_sensitive=1), shares, shares, shares, shares)
def test_what_is_covered_is_kept(
    random: RandomTable, d: Fraction, gamma: Fraction, less: Fraction, more: Fraction
) -> None:
    groups = finest_of(random)
    strong, weak = (
        DGammaPrivacy(d, gamma, sensitive="s0"),
        DGammaPrivacy(less, more, sensitive="s0"),
    )
    if strong.covers(weak) and strong.holds(groups):
        assert weak.holds(groups)


def test_beliefs_about_single_records() -> None:
    promise = DGammaPrivacy("1/5", "1/2")
    before, after = [0.1, 0.1, 0.1, 0.2, 0.21, 0, 0], [0.5, 0.04, 0.039, 0.51, 1, 0.5, 0]
    kept = [True, True, False, False, True, True, True]
    assert promise.judge_beliefs(before, after).tolist() == kept


def test_refuses_beliefs_that_are_none() -> None:
    promise = DGammaPrivacy(0.2, 0.5)
    with pytest.raises(ParameterError, match="must be as many as before, got 2 and 1"):
        promise.judge_beliefs([0.1], [0.1, 0.2])
    with pytest.raises(ParameterError, match=r"a belief must lie in \[0, 1\], got 2"):
        promise.judge_beliefs([0.1], [2])


def test_asks_for_less_by_a_twentieth() -> None:
    assert DGammaPrivacy(0.1, 0.2).weaker() == DGammaPrivacy(0.1, 0.25)
    assert DGammaPrivacy(0.1, 0.95).weaker() is None


def test_explains_that_gamma_is_less_than_d() -> None:
    promise, groups = DGammaPrivacy(0.5, 0.4, sensitive="s"), groups_of([[1, 1]])
    assert promise.explain_failure(groups) == (
        "gamma must be at least d = 0.5: no value can become 1.25 times as likely in all groups"
    )
    assert "ask for less" in DGammaPrivacy(0.4, 0.5, sensitive="s").explain_failure(groups)


@pytest.mark.parametrize(
    ("d", "gamma", "message"),
    [
        (0, 0.5, r"d must lie in \(0, 1\], got 0"),
        (0.5, 0, r"gamma must lie in \(0, 1\], got 0"),
        (0.5, 20, r"gamma must lie in \(0, 1\], got 20"),
    ],
)
def test_refuses_what_means_nothing(d: float, gamma: float, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        DGammaPrivacy(d, gamma)


def unlisted(groups: Groups) -> None:
    bound(
        DGammaPrivacy(0.5, 0.5, sensitive="s", prior="guess"), {"value": ["v00"], "p": [1]}
    ).judge(groups)


def test_refuses_a_prior_that_forgets_a_value() -> None:
    with pytest.raises(DataError, match="'guess' does not say how likely 'v01' is"):
        unlisted(groups_of([[1, 1]]))
    unlisted(groups_of([[1, 0]]))


def test_refuses_to_judge_before_the_prior_is_read() -> None:
    with pytest.raises(SchemaError, match="has not read 'guess' yet: bind it to a table"):
        DGammaPrivacy(0.5, 0.5, sensitive="s", prior="guess").judge(groups_of([[1, 1]]))


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"value": ["a"]}, SchemaError, "no column 'p' among 1"),
        ({"value": ["a", "a"], "p": [0, 0]}, DataError, "'a' is listed twice in 'guess'"),
        ({"value": [None, None], "p": [0, 0]}, DataError, "'the missing value' is listed twice"),
        ({"value": ["a"], "p": ["much"]}, DataError, "the p of 'a' in 'guess' must be a number"),
        ({"value": ["a"], "p": [None]}, DataError, "the p of 'a' in 'guess' must be a number"),
        ({"value": ["a"], "p": [1.5]}, DataError, r"must lie in \[0, 1\], got 1\.5"),
        ({"value": ["a", "b"], "p": [0.6, 0.6]}, DataError, r"'guess' add up to 1\.2"),
    ],
)
def test_refuses_priors_that_are_none(
    given: Mapping[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        bound(DGammaPrivacy(0.5, 0.5, prior="guess"), given)


def test_rounded_probabilities_may_add_up_to_a_little_more() -> None:
    guess = {"value": ["a", "b"], "p": [0.6666666666666667, 0.3333333333333334]}
    assert bound(DGammaPrivacy(0.5, 0.5, prior="guess"), guess).sensitive == "s"


def test_many_groups_are_judged_as_they_are_measured() -> None:
    rng = np.random.default_rng(0)
    groups = groups_of(rng.integers(0, 4, (2000, 6)).tolist())
    promise = DGammaPrivacy(0.2, 0.85, sensitive="s")
    good = promise.judge(groups)
    assert good.any()
    assert not good.all()
    assert good.tolist() == (promise.level(groups) <= 0.85).tolist()
