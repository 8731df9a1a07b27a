"""Attacks against promises about noise: nobody tells tables apart better than is promised.

What is promised is about the method, so it is asked to publish again and again. An adversary who
knows everything but one person, or both tables, guesses which table was published. Each guess is
right with a chance of at most (1 + a) / 2, where a is the advantage that the promise allows, and
guesses on different releases are independent. So the number of right ones is that of a coin with
this chance, or less: a test fails by mistake less often than once in `FALSE_ALARM` runs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

import unlinkable as ul
from tests.tables.attacks.promised import NOISY_METHODS
from unlinkable.errors import UnlinkableError
from unlinkable.noise import Neighbours
from unlinkable.release.attacks import Outcome
from unlinkable.tables.attacks import Membership
from unlinkable.tables.attacks.shared.ceilings import ceiling
from unlinkable.tables.data import Table
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.anonymizing.oracle import MethodOracle
from unlinkable.tables.publishing.attacking.attackable import Attackable
from unlinkable.tables.publishing.releases.masked import MaskedRelease

FALSE_ALARM = 1e-9
"""How likely a test fails although the promise is kept, at most, for each example."""

N_LEARNED, N_GUESSED = 15, 90
"""On how many releases a rule is found, and on how many others it is tried."""

FEW = settings(
    max_examples=max(settings().max_examples // 25, 1),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
"""Few examples, which are not made smaller if they fail: what is published is never the same."""

METHODS = sorted(NOISY_METHODS)
Record = tuple[str, str]
RECORDS: list[Record] = [(sex, ill) for sex in "fm" for ill in ("flu", "hiv", "none")]
records = st.sampled_from(RECORDS)


def table_of(rows: Sequence[Record]) -> Table:
    """Make a table whose values are all listed beforehand."""
    return ul.as_table(
        pl.DataFrame(rows, schema=["sex", "ill"], orient="row"),
        quasi="sex",
        sensitive="ill",
        taxonomies={
            "sex": ul.Tree({"*": ["f", "m"]}),
            "ill": ul.Tree({"*": ["flu", "hiv", "none"]}),
        },
    )


def released(rows: Sequence[Record], promise: GroupModel, method: str) -> MaskedRelease:
    made = 'dp-histogram(marginals=[["sex", "ill"]])' if method == "dp-histogram" else method
    release = ul.anonymize(table_of(rows), privacy=promise, method=made)
    assert isinstance(release, MaskedRelease)
    return release


@pytest.mark.parametrize("method", METHODS)
@given(data=st.data())
@FEW
def test_who_knows_all_others_cannot_tell_whether_somebody_is_there(
    method: str, data: st.DataObject
) -> None:
    promise = ul.DifferentialPrivacy(data.draw(st.sampled_from(["0.3", "1"])))
    one = data.draw(st.lists(records, min_size=4, max_size=9))
    release = released(one, promise, method)
    assert release.masked.ledger is not None
    if release.masked.ledger.neighbours is Neighbours.REPLACE:
        other = [data.draw(records), *one[1:]]
        assume(one != other)
    else:
        other = one[1:]
    assert_as_bounded(MethodOracle(release), promise, one, other)


@pytest.mark.parametrize("method", METHODS)
@given(data=st.data())
@FEW
def test_who_knows_two_samples_cannot_tell_which_is_published(
    method: str, data: st.DataObject
) -> None:
    promise = ul.DistributionalPrivacy(data.draw(st.sampled_from(["1", "2"])), "0.2", cells=6)
    n = data.draw(st.integers(4, 9))
    one, other = (data.draw(st.lists(records, min_size=n, max_size=n)) for _ in range(2))
    n_unlike = (Counter(one) - Counter(other)).total()
    # Less likely pairs of samples may be told apart.
    assume(0 < n_unlike <= promise.distance(n))
    exactly = ul.DifferentialPrivacy(promise.alpha)
    assert_as_bounded(MethodOracle(released(one, promise, method)), exactly, one, other)


def test_noise_that_is_too_small_is_noticed() -> None:
    one = [("f", "hiv"), *RECORDS]
    for method in METHODS:
        oracle = MethodOracle(released(one, ul.DifferentialPrivacy(30), method))
        is_replaced = method == "pram"
        other = [("m", "none"), *RECORDS] if is_replaced else RECORDS
        # In a set a record that somebody else has tells nothing of anybody.
        pair = (RECORDS, RECORDS[1:]) if method == "alpha-beta" else (one, other)
        with pytest.raises(AssertionError, match="guesses are right"):
            assert_as_bounded(oracle, ul.DifferentialPrivacy(1), *pair)


def assert_as_bounded(
    oracle: MethodOracle, promise: GroupModel, one: Sequence[Record], other: Sequence[Record]
) -> None:
    """Assert that guesses at which of two tables was published are right as seldom as promised."""
    chance = np.random.default_rng(0)
    weights = Counter(one)
    weights.subtract(Counter(other))
    tables = table_of(other), table_of(one)

    def score(side: bool) -> float:
        """Publish, and count records that one table has more of."""
        try:
            told = oracle.publish(tables[side], chance)
        except UnlinkableError:
            return -math.inf
        columns = [name for name in ("sex", "ill") if name in told.frame.columns]
        return sum(_weight(row, columns, weights) for row in told.frame.select(columns).rows())

    guess = _learned(
        [score(False) for _ in range(N_LEARNED)], [score(True) for _ in range(N_LEARNED)]
    )
    sides = chance.random(N_GUESSED) < 0.5
    n_right = sum(guess(score(bool(side))) == side for side in sides)
    bound = ceiling(Membership(), [promise], oracle.publish(tables[1], chance))
    assert bound is not None
    p = _at_least(n_right, N_GUESSED, (1 + bound) / 2)
    assert p > FALSE_ALARM, f"{n_right} of {N_GUESSED} guesses are right under {promise}"


def _weight(row: tuple[Hashable, ...], columns: Sequence[str], weights: Counter[Record]) -> int:
    """Give how many more records like this one table has, by the columns that are published."""
    at = [("sex", "ill").index(name) for name in columns]
    return sum(n for record, n in weights.items() if tuple(record[i] for i in at) == row)


def _learned(outside: Sequence[float], inside: Sequence[float]) -> Callable[[float], bool]:
    """Find the threshold that tells most of them apart, and the side that each is on."""
    cuts = sorted({*outside, *inside})
    right = {
        (cut, above): sum((s >= cut) == above for s in inside)
        + sum((s >= cut) != above for s in outside)
        for cut in cuts
        for above in (True, False)
    }
    cut, above = max(right, key=lambda rule: right[rule])
    return lambda s: (s >= cut) == above


def _at_least(k: int, n: int, p: float) -> float:
    """Give the chance of k or more out of n."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


@pytest.mark.parametrize(
    "promise", [ul.DifferentialPrivacy("0.5"), ul.DistributionalPrivacy(1, "0.2", cells=6)], ids=str
)
@pytest.mark.parametrize("method", ["dp-histogram", "dp-synthetic", "alpha-beta"])
@given(st.lists(records, min_size=30, max_size=40))
@FEW
def test_members_are_recognized_no_oftener_than_is_promised(
    method: str, promise: GroupModel, rows: list[Record]
) -> None:
    attacked = Attackable.of(released(rows, promise, method))
    attack = Membership(repetitions=25)
    bound = ceiling(attack, [promise], attacked.target)
    assert bound is not None
    # It may happen that no record is published.
    assume(attack.misfit(attacked.target, attacked.knowledge()) is None)
    outcome = attacked.attack(attack, seed=3)
    assert surely(outcome) <= bound, outcome.highest


def surely(outcome: Outcome) -> float:
    """Give what the advantage is at least, but for a chance of `FALSE_ALARM`.

    Whether a person is there is a coin that the release hardly tells, whatever is known of all
    others. The rule for a fifth of the people is found with the others. Their coins can be turned
    up one by one, and each adds at most what is promised on average (Hoeffding, Azuma). That holds
    for each of the five parts.
    """
    members, others = (float(str(outcome.details[f"{who} tried"])) for who in ("members", "others"))
    advantage = float(str(outcome.details["advantage before clipping"]))
    return advantage - math.sqrt(math.log(5 / FALSE_ALARM) / 2 * 5 * (1 / members + 1 / others))


def test_records_as_they_are_are_recognized() -> None:
    """Without noise, the same attack passes the bound."""
    rows = [(f"{i}", "flu") for i in range(40)]
    frame = pl.DataFrame(rows, schema=["sex", "ill"], orient="row")
    listed = {"sex": ul.Tree({"*": [sex for sex, _ in rows]})}
    table = ul.as_table(frame, quasi="sex", sensitive="ill", taxonomies=listed)
    release = ul.anonymize(table, privacy=ul.KAnonymity(1), method="optimal")
    outcome = Attackable.of(release).attack(Membership(repetitions=25), seed=3)
    bound = ceiling(Membership(), [ul.DifferentialPrivacy("0.5")], Attackable.of(release).target)
    assert bound is not None
    assert surely(outcome) > bound
