"""Classifier: what rules and models infer about people."""

from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from tests.cases import load
from tests.tables.attacks.details import numbers
from unlinkable.errors import ParameterError, SchemaError, UnsupportedError
from unlinkable.release.attacks import Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.learned.classifier import Classifier, Model
from unlinkable.tables.data import as_table
from unlinkable.tables.data.side import Side


@pytest.fixture(scope="module")
def book() -> dict[str, object]:
    return load("book-ch17-example17-2-classifier-attack")


def target_of(case: dict[str, object]) -> Target:
    told = case["input"]
    assert isinstance(told, dict)
    frame = pl.DataFrame(told["table"]["rows"], told["table"]["columns"], orient="row")
    return Target(frame, tuple(told["qid"]), (told["target"],))


def test_the_rules_of_the_book(book: dict[str, object]) -> None:
    outcome = Classifier().run(target_of(book))
    expected = book["expected"]
    assert isinstance(expected, dict)
    found = {
        tuple(victim.who.values()): (
            victim.learned["Disease"],
            victim.confidence,
            round(victim.confidence * (victim.records or 0)),
        )
        for victim in outcome.victims
    }
    assert found == {
        tuple(rule["if"]): (rule["then"], rule["confidence"], rule["support"])
        for rule in expected["rules"]
    }
    sizes = {"|".join(victim.who.values()): victim.records for victim in outcome.victims}
    assert sizes == expected["group_sizes"]
    assert (outcome.n_attacked, outcome.n_fallen) == (7, 7)


def test_emily_is_inferred_to_have_hiv(book: dict[str, object]) -> None:
    told = book["input"]
    assert isinstance(told, dict)
    knowledge = AdversaryKnowledge(
        Side.of({"external": {key: [value] for key, value in told["victim"].items()}})
    )
    outcome = Classifier().run(target_of(book), knowledge)
    (emily,) = outcome.victims
    assert emily.who == {"name": "Emily"}
    assert (emily.learned, emily.confidence, emily.records) == ({"Disease": "HIV"}, 0.75, 4)
    assert (outcome.highest, outcome.n_fallen, outcome.interval) == (0.75, 1, None)


@pytest.mark.parametrize(("age", "ill"), [(34, "HIV"), (35, None), (30, "HIV"), (29, None)])
def test_ranges_end_before_their_upper_end(
    book: dict[str, object], age: int, ill: str | None
) -> None:
    people = {"name": ["E"], "Job": ["Artist"], "Sex": ["Female"], "Age": [age]}
    outcome = Classifier().run(target_of(book), AdversaryKnowledge(Side.of({"external": people})))
    assert [victim.learned["Disease"] for victim in outcome.victims] == ([ill] if ill else [])
    assert outcome.details["people without a guess"] == (0 if ill else 1)


@pytest.mark.parametrize(
    ("limit", "n_fallen"), [("2/3", 4), ("0.75", 0), ("0.6666", 7), ("0.7499", 4)]
)
def test_only_who_is_surer_than_the_limit_counts(
    book: dict[str, object], limit: str, n_fallen: int
) -> None:
    assert Classifier(limit=limit).run(target_of(book)).n_fallen == n_fallen


def random_people(n: int, seed: int) -> pl.DataFrame:
    """People with an illness that follows their age, and otherwise chance."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 80, n)
    ill = np.where(rng.random(n) < 0.6, np.where(age < 50, "flu", "gout"), "cold")
    return pl.DataFrame({"age": age, "zip": rng.integers(0, 100_000, n), "ill": ill})


PEOPLE, OTHERS = random_people(600, 1), random_people(600, 2)


def attack(
    published: pl.DataFrame,
    how: Classifier,
    *,
    has_control: bool = False,
    rows: bool = False,
    seed: int = 0,
    **kwargs: object,
) -> Outcome:
    truth = Truth(
        as_table(PEOPLE, quasi=("age", "zip"), sensitive="ill"),
        np.arange(len(published)) if rows else None,
    )
    side = Side.of({"control": OTHERS} if has_control else {})
    target = Target(published, ("age", "zip"), ("ill",), **kwargs)  # type: ignore[arg-type]
    return how.run(target, AdversaryKnowledge(side, truth, rng=np.random.default_rng(seed)))


MODELS = pytest.mark.parametrize("model", [m for m in Model if m is not Model.RULES], ids=str)


def test_rules_of_a_table_published_as_it_is_know_everybody_and_no_stranger() -> None:
    for with_control in (False, True):
        outcome = attack(PEOPLE, Classifier(), has_control=with_control, rows=not with_control)
        details = numbers(outcome)
        assert details["accuracy"] > 0.99
        assert details["accuracy of the control"] < 0.6
        assert details["excess, at least"] > 0.3
        assert details["excess, at least"] < details["excess"] < details["excess, at most"]
        assert "gives away more of those who are in it" in outcome.found
        assert outcome.n_fallen == 600


@MODELS
def test_models_of_the_population_know_members_no_better_than_others(model: Model) -> None:
    """What was drawn anew from the population tells of ages, and of nobody in particular."""
    made_up = random_people(600, 3).drop("zip").with_columns(zip=pl.lit(0))
    outcome = attack(made_up, Classifier(model=model), has_control=True, is_truthful=False)
    details = numbers(outcome)
    assert details["excess, at least"] <= 0.02
    assert "knowledge of the population" in outcome.found
    if model is not Model.NAIVE_BAYES:
        assert details["accuracy"] > details["accuracy of the majority guess"] + 0.1


def test_the_majority_guess_is_the_most_frequent_value() -> None:
    outcome = attack(PEOPLE, Classifier())
    shares = PEOPLE["ill"].value_counts(normalize=True)["proportion"]
    assert outcome.details["accuracy of the majority guess"] == pytest.approx(shares.max())
    assert "accuracy of the control" not in outcome.details


def test_accuracy_is_the_mean_of_the_recalls_by_their_numbers() -> None:
    halves = PEOPLE.with_columns(
        age=pl.when(pl.col("age") < 50).then(pl.lit("[20-50)")).otherwise(pl.lit("[50-80)")),
        zip=pl.lit("*"),
    )
    details = numbers(attack(halves, Classifier()))
    counts = dict(PEOPLE["ill"].value_counts().iter_rows())
    right = sum(n * details[f"recall of {ill!r}"] for ill, n in counts.items())
    assert details["accuracy"] == pytest.approx(right / 600)
    assert details["recall of 'cold'"] == 0.0


def test_holding_out_tells_rules_that_hold_for_everybody_from_own_records() -> None:
    """In two large groups nobody's own record matters: there is no excess."""
    halves = PEOPLE.with_columns(
        age=pl.when(pl.col("age") < 50).then(pl.lit("[20-50)")).otherwise(pl.lit("[50-80)")),
        zip=pl.lit("*"),
    )
    details = numbers(attack(halves, Classifier(), rows=True))
    assert details["accuracy"] == details["accuracy of the control"]
    assert details["excess"] == 0.0
    assert details["excess, at least"] < 0.0 < details["excess, at most"]


def test_buckets_are_held_out_as_a_whole() -> None:
    buckets = PEOPLE.with_columns(bucket=pl.int_range(600) // 3)
    details = numbers(attack(buckets, Classifier(), rows=True, bucket="bucket"))
    assert details["accuracy"] > details["accuracy of the control"] + 0.05


def test_guesses_for_a_list_are_judged_by_the_people_of_the_original() -> None:
    truth = Truth(as_table(PEOPLE, quasi=("age", "zip"), sensitive="ill"), np.arange(600))
    listed = {"name": ["Ann"], "age": PEOPLE["age"][:1], "zip": PEOPLE["zip"][:1]}
    target = Target(PEOPLE, ("age", "zip"), ("ill",))
    outcome = Classifier().run(target, AdversaryKnowledge(Side.of({"external": listed}), truth))
    assert (outcome.n_attacked, outcome.victims[0].who) == (1, {"name": "Ann"})
    expected = attack(PEOPLE, Classifier(), rows=True)
    assert outcome.details == {**expected.details, "people without a guess": 0}


def test_the_surest_of_several_columns_is_reported() -> None:
    frame = pl.DataFrame({"job": ["a"] * 4, "s": [*"xxyy"], "t": [*"uuuv"]})
    target = Target(frame, ("job",), ("s", "t"))
    assert Classifier().run(target).details["column"] == "t"
    assert Classifier(sensitive="s").run(target).highest == 0.5
    assert Classifier(sensitive="s").run(target).n_fallen == 0


def test_people_are_named_as_asked() -> None:
    frame = pl.DataFrame({"job": ["a"] * 3, "ill": [*"xxy"]})
    people = {"job": ["a"], "name": ["Ann"], "id": ["17"]}
    knowledge = AdversaryKnowledge(Side.of({"external": people}))
    target = Target(frame, ("job",), ("ill",))
    assert Classifier().run(target, knowledge).victims[0].who == {"name": "Ann"}
    assert Classifier(identity="id").run(target, knowledge).victims[0].who == {"id": "17"}
    beside = AdversaryKnowledge(Side.of({"external": {"ill": ["y"], **people}}))
    assert Classifier().run(target, beside).victims[0].who == {"name": "Ann"}
    only = AdversaryKnowledge(Side.of({"external": {"job": ["a"]}}))
    assert Classifier().run(target, only).victims[0].who == {"job": "a"}
    with pytest.raises(SchemaError, match=r"no column 'nick' among 3 .* in 'external'"):
        Classifier(identity="nick").run(target, knowledge)


@pytest.mark.parametrize("model", ["rules", "naive-bayes"])
def test_the_same_seed_gives_the_same_outcome(model: str) -> None:
    blurred = PEOPLE.with_columns(zip=pl.lit("*"))
    one, same, other = (
        attack(blurred, Classifier(model=model), rows=True, seed=seed).to_json()
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_what_is_asked_is_checked() -> None:
    frame = pl.DataFrame({"job": ["a"] * 3, "ill": [*"xxy"]})
    target = Target(frame, ("job",), ("ill",))
    with pytest.raises(UnsupportedError, match="no column is sensitive"):
        Classifier().run(Target(frame, ("job",), ()))
    with pytest.raises(UnsupportedError, match="no column is known to others"):
        Classifier().run(Target(frame, (), ("ill",)))
    with pytest.raises(UnsupportedError, match="no records to learn from"):
        Classifier().run(Target(frame[:0], ("job",), ("ill",)))
    with pytest.raises(UnsupportedError, match="values were replaced: give a model"):
        Classifier().run(Target(frame, ("job",), ("ill",), is_truthful=False))
    with pytest.raises(SchemaError, match="no sensitive column 'age'"):
        Classifier(sensitive="age").run(target)
    truth = Truth(as_table(frame, quasi="job", sensitive="ill"))
    with pytest.raises(SchemaError, match="no column 'ill' among 1"):
        Classifier().run(target, AdversaryKnowledge(Side.of({"control": {"job": ["a"]}}), truth))
    with pytest.raises(ParameterError, match="no model 'oracle' among 6"):
        Classifier(model="oracle")


def test_a_model_whose_library_is_missing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.tree", None)
    target = Target(pl.DataFrame({"job": ["a"], "ill": ["x"]}), ("job",), ("ill",))
    how = Classifier(model="decision-tree")
    assert "which is not installed" in str(how.misfit(target, AdversaryKnowledge()))
    assert Classifier().misfit(target, AdversaryKnowledge()) is None


def test_parameters_are_written() -> None:
    assert str(Classifier(model="naive-bayes")) == 'classifier(model="naive-bayes")'
    assert Classifier().limit == Fraction(1, 2)


@MODELS
def test_what_a_model_believes_is_not_said_to_be_exact(model: Model) -> None:
    outcome = attack(PEOPLE, Classifier(model=model))
    assert outcome.sureness == "what the model believes, which need not be true"
    assert outcome.to_json()["sureness"] == outcome.sureness
    assert attack(PEOPLE, Classifier()).sureness == "computed exactly from what is published"


@pytest.mark.parametrize("model", ["rules", "decision-tree"])
def test_it_tells_how_far_it_is_part_by_part(model: str) -> None:
    told: list[float] = []
    knowledge = AdversaryKnowledge(
        truth=Truth(as_table(PEOPLE, quasi=("age", "zip"), sensitive="ill"), np.arange(600)),
        progress=lambda share, words: told.append(share),
    )
    Classifier(model=model).run(Target(PEOPLE, ("age", "zip"), ("ill",)), knowledge)
    assert told == pytest.approx([0, 1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1, 1])


def test_several_columns_share_the_progress() -> None:
    told: list[float] = []
    frame = PEOPLE.with_columns(job=pl.col("ill"))
    knowledge = AdversaryKnowledge(progress=lambda share, words: told.append(share))
    Classifier().run(Target(frame, ("age",), ("ill", "job")), knowledge)
    assert told == pytest.approx([0, 1 / 12, 1 / 2, 1 / 2, 7 / 12, 1])


def test_one_person_is_a_person() -> None:
    one = pl.DataFrame({"job": ["cook"], "ill": ["flu"]})
    found = Classifier().run(Target(one, ("job",), ("ill",))).found
    assert found.startswith("For 1 of 1 person 'ill' is inferred with a confidence above 0.5;")
