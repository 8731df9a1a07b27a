"""The minimality attack where not all tables are asked about: bounds, chance and time."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import unlinkable as ul
from tests.tables.attacks.minimal.plain_algorithm import Plain, against, knowledge_of, small_table
from unlinkable.errors import (
    UnsupportedError,
)
from unlinkable.tables.attacks.minimal.minimality import Minimality
from unlinkable.tables.attacks.minimal.shared.algorithm_replay import MethodReplay, Replay
from unlinkable.tables.attacks.minimal.shared.consistent_tables import ConsistencyCheck
from unlinkable.tables.attacks.minimal.shared.possible_tables import PossibleTables
from unlinkable.tables.models import DistinctLDiversity, FrequencyLDiversity
from unlinkable.tables.publishing.attacking.targets import target_of


class TestDrawnTables:
    """What is estimated lies within its bounds of what is exact."""

    ERROR = 1e-8
    """How likely a belief is outside of its bounds: five tests of six beliefs, 3e-7 in all."""

    def check(self, n: int, hidden: str, share: str, most: int) -> tuple[ConsistencyCheck, Replay]:
        """Publish n people of one kind and others of another, who have these values."""
        people, plain = [("a0",)] * n + [("a1",)] * (len(hidden) - n), Plain(Fraction(share))
        told = plain.recoded([(*p, v) for p, v in zip(people, hidden, strict=True)])
        assert told is not None
        target, knowledge = against(people, told, plain)
        tables = PossibleTables.of(target, knowledge.side.open("external"), ("s",))
        asks = MethodReplay(tables, target, plain, np.random.default_rng(0))
        return ConsistencyCheck(
            tables, target, ("s",), None, most, 60.0, lambda share, words: None
        ), asks

    @pytest.mark.parametrize(
        ("n", "hidden", "share", "n_kept"),
        [
            (3, "xyyyzzz", "2/3", 32 / 140),
            (2, "xxxzz", "2/3", 4 / 10),
            (2, "xxyzz", "1/2", 18 / 30),
            (3, "xxxyzzz", "1/2", 104 / 140),
        ],
    )
    def test_estimates_are_within_their_bounds(
        self, n: int, hidden: str, share: str, n_kept: float
    ) -> None:
        is_mostly_kept = n_kept > 0.5
        check, asks = self.check(n, hidden, share, 800)
        exactly, drawn = check.all(asks), check.some(asks, np.random.default_rng(5))
        assert exactly is not None
        assert exactly.n_tables is not None
        assert exactly.n_consistent == pytest.approx(n_kept * exactly.n_tables)
        assert drawn.is_mostly_kept == is_mostly_kept
        wanted = exactly.beliefs[0].believed().means
        found, low, high = drawn.beliefs[0].estimated(self.ERROR, is_mostly_kept=is_mostly_kept)
        assert (low <= wanted + 1e-12).all()
        assert (wanted <= high + 1e-12).all()
        assert (low <= found.means).all()
        assert (found.means <= high).all()
        assert (high - low).max() < 0.5

    def test_a_wrong_belief_is_outside_of_the_bounds(self) -> None:
        """Bounds that hold anything would hold the beliefs of the groups, too."""
        check, asks = self.check(2, "xxxzz", "2/3", 800)
        drawn = check.some(asks, np.random.default_rng(5))
        naive = drawn.beliefs[0].naive().means
        _, low, high = drawn.beliefs[0].estimated(self.ERROR, is_mostly_kept=False)
        assert ((naive < low) | (high < naive)).any()

    def test_an_estimate_says_so(self) -> None:
        release = ul.anonymize(small_table(5, 6), privacy=DistinctLDiversity(2), method="optimal")
        outcome = Minimality(most_worlds=100).run(target_of(release), knowledge_of(release))
        assert outcome.interval is None
        release = ul.anonymize(small_table(5, 24), privacy=DistinctLDiversity(2), method="optimal")
        outcome = Minimality(most_worlds=100).run(target_of(release), knowledge_of(release))
        assert outcome.interval is not None
        low, high = outcome.interval
        assert low <= outcome.highest <= high
        assert outcome.details["worlds"] is None
        assert outcome.details["asked"] == 100
        assert "drawn at random" in outcome.found

    def test_it_is_the_same_with_the_same_seed(self) -> None:
        release = ul.anonymize(small_table(5, 24), privacy=DistinctLDiversity(2), method="optimal")
        outcomes = [
            Minimality(most_worlds=60).run(target_of(release), knowledge_of(release))
            for _ in range(2)
        ]
        assert outcomes[0].to_json() == outcomes[1].to_json()

    def test_a_method_that_draws_by_chance_gives_away_little(self) -> None:
        """Anatomize picks records at random: all tables lead to the same buckets as likely."""
        table = ul.as_table(
            {"age": [20, 31, 42, 53], "ill": ["flu", "flu", "hiv", "cold"]},
            quasi="age",
            sensitive="ill",
        )
        release = ul.anonymize(table, privacy=FrequencyLDiversity(2), method="anatomize", seed=0)
        outcome = Minimality(most_worlds=200).run(target_of(release), knowledge_of(release))
        assert outcome.interval is not None
        assert outcome.interval[0] <= 0.5 <= outcome.interval[1]
        assert outcome.n_fallen == 0


def test_more_than_the_time_that_is_allowed_is_not_taken() -> None:
    release = ul.anonymize(small_table(5, 9), privacy=DistinctLDiversity(2), method="optimal")
    hurried = Minimality(most_worlds=10_000, seconds="1/100")
    with pytest.raises(UnsupportedError, match="too few to say how likely anything is"):
        hurried.run(target_of(release), knowledge_of(release))
