"""definetti on the Adult table: what an anatomized release of real people gives away."""

from __future__ import annotations

import pytest

import unlinkable as ul
from tests.adult import SEVEN, needs_adult, records

pytestmark = needs_adult


@pytest.mark.parametrize(("l", "least"), [(2, 0.74), (4, 0.4)])
def test_occupations_hidden_among_few_are_guessed_far_more_often_than_promised(
    l: int,  # noqa: E741
    least: float,
) -> None:
    frame = records(*SEVEN, "occupation")
    table = ul.as_table(frame, quasi=SEVEN, sensitive="occupation")
    release = ul.anonymize(table, privacy=ul.FrequencyLDiversity(l), method="anatomize")
    outcome = release.attack("definetti", rounds=24)
    right, by_shares = outcome.details["right_low"], outcome.details["right_by_shares"]
    assert isinstance(right, float)
    assert isinstance(by_shares, float)
    assert by_shares == pytest.approx(1 / l, rel=0.01)
    assert right > least
    assert outcome.succeeded
    assert outcome.n_attacked == len(frame)
