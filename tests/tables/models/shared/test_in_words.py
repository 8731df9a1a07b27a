"""Parameters of promises are written as people say them."""

from __future__ import annotations

from unlinkable.tables.models import DifferentialPrivacy, KAnonymity, promised


def test_parameters_are_said_as_people_say_them() -> None:
    assert "at least 4 other people" in promised(KAnonymity(5))
    assert "knows age and zip of" in promised(KAnonymity(5, qid=["age", "zip"]))
    assert "a factor of at most 2.72 (epsilon 1, delta 0)" in promised(DifferentialPrivacy(1))
