"""Every model that is exported says in plain words what it promises, and what it does not."""

from __future__ import annotations

import pytest

from tests.tables.models.samples import MODELS
from unlinkable.registry.lookup import entries
from unlinkable.tables.models import DifferentialPrivacy, KAnonymity
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.models.shared.in_words import PROMISED, promised
from unlinkable.tables.models.shared.not_promised import NOT_PROMISED


def test_no_model_is_left_out_and_none_is_made_up() -> None:
    names = {entry.name for entry in entries("model")}
    assert set(PROMISED) == names
    assert set(NOT_PROMISED) == names


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_a_promise_is_a_sentence(model: GroupModel) -> None:
    said = promised(model)
    assert said[0].isupper()
    assert said.endswith(".")
    assert "{" not in said
    assert "None" not in said


@pytest.mark.parametrize("name", sorted(NOT_PROMISED))
def test_what_is_not_promised_is_said_in_sentences(name: str) -> None:
    assert NOT_PROMISED[name]
    for sentence in NOT_PROMISED[name]:
        assert sentence[0].isupper()
        assert sentence.endswith(".")


def test_parameters_are_said_as_people_say_them() -> None:
    assert "at least 4 other people" in promised(KAnonymity(5))
    assert "knows age and zip of" in promised(KAnonymity(5, qid=["age", "zip"]))
    assert "a factor of at most 2.72 (epsilon 1, delta 0)" in promised(DifferentialPrivacy(1))
