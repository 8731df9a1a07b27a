"""Parameters of promises are written as people say them."""

from __future__ import annotations

from unlinkable.tables.models import DifferentialPrivacy, KAnonymity


def test_parameters_are_said_as_people_say_them() -> None:
    assert "at least 4 other people" in KAnonymity(5).promised()
    assert "knows age and zip of" in KAnonymity(5, qid=["age", "zip"]).promised()
    assert "a factor of at most 2.72 (epsilon 1, delta 0)" in DifferentialPrivacy(1).promised()
