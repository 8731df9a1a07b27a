"""Classifiers: what each must be able to learn, and what none may learn."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Sequence
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables.metrics.people import at_levels, people
from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.tables.data import as_table
from unlinkable.tables.metrics import Classifier
from unlinkable.tables.metrics.base import Perturbed
from unlinkable.tables.metrics.shared import classifiers
from unlinkable.tables.metrics.shared.classifiers import Course, Records
from unlinkable.tables.metrics.shared.features import Features, Sort, Unchanged, encode
from unlinkable.typing import CodeArray, FloatArray

EVERY = pytest.mark.parametrize("classifier", list(Classifier), ids=str)


def numbers(*columns: Sequence[float] | FloatArray) -> Features:
    """Numbers that are features as they are."""
    values = np.array(columns, np.float32).T
    n = len(columns)
    return Features(values, ("x",) * n, (Sort.MIDPOINT,) * n, ((0, 0),) * n)


def codes(values: Sequence[int]) -> CodeArray:
    return np.array(values, np.int32)


def naive_bayes_by_definition(
    records: Sequence[tuple[str, ...]], classes: list[int], asked: tuple[str, ...]
) -> dict[int, float]:
    """Posterior of each class, one added to the count of every value that occurs."""
    values = [set(column) for column in zip(*records, strict=True)]
    informative = [j for j, found in enumerate(values) if len(found) > 1]
    n_features = sum(len(values[j]) for j in informative)
    joint = {}
    for c in set(classes):
        own = [r for r, y in zip(records, classes, strict=True) if y == c]
        likely = prod(
            (sum(r[j] == asked[j] for r in own) + 1) / (len(own) * len(informative) + n_features)
            for j in informative
        )
        joint[c] = len(own) / len(records) * likely
    return {c: p / sum(joint.values()) for c, p in joint.items()}


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from("uvw"), st.integers(0, 2)),
        min_size=2,
        max_size=20,
    )
)
def test_naive_bayes_says_what_the_definition_says(rows: list[tuple[str, str, int]]) -> None:
    classes = [row[-1] for row in rows]
    records = [row[:2] for row in rows]
    table = as_table({"a": [r[0] for r in records], "b": [r[1] for r in records]}, quasi=["a", "b"])
    features = encode(Unchanged.of(table), ("a", "b"))
    fitted = Classifier.NAIVE_BAYES.fit(features, codes(classes), np.ones(len(rows)), 0)
    expected = [naive_bayes_by_definition(records, classes, asked) for asked in records]
    for c in set(classes):
        assert fitted.probabilities(features, c).tolist() == pytest.approx([e[c] for e in expected])
    assert not fitted.probabilities(features, 9).any()


@EVERY
def test_learns_what_one_number_tells(classifier: Classifier) -> None:
    features = numbers(np.linspace(0, 1, 200), np.random.default_rng(0).random(200))
    classes = codes([4] * 100 + [6] * 100)
    fitted = classifier.fit(features, classes, np.ones(200), 0)
    wrong = (fitted.predict(features) != classes).sum()
    assert wrong <= (4 if classifier is Classifier.NAIVE_BAYES else 1)  # half a bin at the border
    assert fitted.probabilities(features, 6)[[0, -1]].tolist() == pytest.approx([0, 1], abs=0.05)


@EVERY
def test_learns_the_most_frequent_class_if_there_is_nothing_to_see(classifier: Classifier) -> None:
    classes = codes([2, 2, 2, 5, 5])
    for shown in (numbers([0.5] * 5), Features(np.zeros((5, 0), np.float32), (), (), ())):
        fitted = classifier.fit(shown, classes, np.ones(5), 0)
        assert fitted.predict(shown).tolist() == [2] * 5
        assert fitted.probabilities(shown, 5).tolist() == pytest.approx([0.4] * 5)


@EVERY
def test_learns_the_only_class_there_is(classifier: Classifier) -> None:
    features = numbers([0, 0.3, 1])
    fitted = classifier.fit(features, codes([3, 3, 3]), np.ones(3), 0)
    assert fitted.predict(features).tolist() == [3, 3, 3]


@EVERY
def test_is_not_led_astray_by_features_that_are_the_same_for_all(classifier: Classifier) -> None:
    table = people()
    classes = table.codes("buys")
    features = encode(Unchanged.of(table), ("age", "job"))
    same = np.full((len(table), 3), 0.25, np.float32)
    more = Features(
        np.concatenate([same, features.values], axis=1),
        ("nothing",) * 3 + features.columns,
        (Sort.MIDPOINT, Sort.WIDTH, Sort.VALUE, *features.sorts),
        ((0, 0), (0, 0), (0, 1), *features.covers),
    )
    ones = np.ones(len(table))
    with_them = classifier.fit(more, classes, ones, 3)
    without = classifier.fit(features, classes, ones, 3)
    assert (with_them.predict(more) == without.predict(features)).all()
    assert (with_them.probabilities(more, 0) == without.probabilities(features, 0)).all()


@EVERY
def test_records_count_by_their_weights(classifier: Classifier) -> None:
    features = numbers([0, 1] * 100)
    classes = codes([0, 1, 1, 0] * 50)
    first_pair = np.array([3.0, 3.0, 1.0, 1.0] * 50)
    for weights, expected in ((first_pair, [0, 1]), (4 - first_pair, [1, 0])):
        fitted = classifier.fit(features, classes, weights, 0)
        assert fitted.predict(features)[:2].tolist() == expected


def test_a_tree_does_not_learn_noise() -> None:
    rng = np.random.default_rng(5)
    features = numbers(*rng.random((4, 400)))
    classes = codes(rng.integers(0, 2, 400).tolist())
    fitted = Classifier.DECISION_TREE.fit(features, classes, np.ones(400), 0)
    assert len(np.unique(fitted.predict(features))) == 1


def test_a_tree_has_as_many_splits_as_it_needs_and_a_stump_one() -> None:
    features, classes = numbers(np.linspace(0, 1, 300)), codes([0] * 100 + [1] * 100 + [2] * 100)
    told = {
        c: set(c.fit(features, classes, np.ones(300), 0).predict(features).tolist())
        for c in (Classifier.DECISION_TREE, Classifier.DECISION_STUMP)
    }
    assert told[Classifier.DECISION_TREE] == {0, 1, 2}
    assert len(told[Classifier.DECISION_STUMP]) == 2


def test_naive_bayes_does_not_look_at_widths() -> None:
    values = np.array([[0.5] * 6, [0, 0, 0, 1, 1, 1]], np.float32).T
    nested = Features(values, ("x", "x"), (Sort.MIDPOINT, Sort.WIDTH), ((0, 0), (0, 0)))
    fitted = Classifier.NAIVE_BAYES.fit(nested, codes([0, 0, 0, 1, 1, 1]), np.ones(6), 0)
    assert len(set(fitted.predict(nested).tolist())) == 1


def test_a_search_that_was_cut_short_warns_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classifiers, "_MOST_ROUNDS", 1)
    features = numbers(*np.random.default_rng(0).random((5, 100)))
    classes = codes([0, 1] * 50)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Classifier.LOGISTIC_REGRESSION.fit(features, classes, np.ones(100), 0)


def test_scikit_learn_is_loaded_when_it_is_used() -> None:
    script = (
        "import sys; from unlinkable.tables.metrics import ClassificationError, Propensity;"
        "ClassificationError(), Propensity(); print('sklearn' in sys.modules)"
    )
    command = [sys.executable, "-c", script]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "False"


def test_refuses_a_classifier_that_nobody_knows() -> None:
    with pytest.raises(ParameterError, match="no classifier 'desicion-tree' among 5"):
        Classifier("desicion-tree")


@EVERY
def test_a_guess_is_the_likeliest_class_with_its_probability(classifier: Classifier) -> None:
    rng = np.random.default_rng(0)
    seen = numbers(rng.random(60), rng.random(60))
    classes = codes([2, 5, 7] * 20)
    fitted = classifier.fit(seen, classes, np.ones(60), seed=0)
    found, likely = fitted.guess(seen)
    by_class = np.column_stack([fitted.probabilities(seen, of) for of in (2, 5, 7)])
    assert np.array_equal(found, np.array([2, 5, 7])[by_class.argmax(axis=1)])
    assert np.allclose(likely, by_class.max(axis=1))


N = 12


def records(classes: str, parts: list[int], weights: list[float] | None = None) -> Records:
    """Records that show nothing but their class."""
    table = as_table({"y": list(classes)}, target="y")
    given = None if weights is None else np.array(weights)
    return Records.of(Perturbed(table, table.frame, None, given), "y", np.array(parts, np.int32))


def course(n_rounds: int) -> Course:
    return Course(Classifier.DECISION_TREE, 0, n_rounds, 1, None)


def test_every_record_is_tried_in_its_round_by_what_the_others_tell() -> None:
    # Without the first four, a is the most frequent; without the next four b; without the last a.
    found = records("aabb" + "aaaa" + "bbbb" + "aa", [0] * 4 + [1] * 4 + [2] * 4 + [-1] * 2)
    n_wrong = 2 + 4 + 4
    assert course(3).errors(0, "all", found, found) == [n_wrong / N]


def test_records_that_are_tried_in_no_round_are_always_learned_from() -> None:
    found = records("bbbb" + "a" * 8, [0] * 4 + [-1] * 8)
    assert course(1).errors(0, "all", found, found) == [1]


def test_errors_count_by_the_people_that_records_stand_for() -> None:
    weights = [1.0, 3.0] + [1.0] * 10
    found = records("ab" + "a" * 10, [0, 0] + [-1] * 10, weights)
    assert course(1).errors(0, "all", found, found) == [0.75]


def test_records_that_stand_for_nobody_are_not_there() -> None:
    weights = [0.0] * 9 + [1.0] * 11
    found = records("b" * 9 + "a" * 10 + "b", [-1] * 18 + [0, 0], weights)
    assert found.classes.size == len(found.features) == found.parts.size == 11
    assert course(1).errors(0, "all", found, found) == [0.5]


def test_the_class_is_no_feature() -> None:
    table = people(30)
    found = Records.of(Unchanged.of(table), "buys", np.zeros(30, np.int32))
    assert set(found.features.columns) == {"age", "job", "region", "since"}
    assert set(found.of_columns(("job",)).features.columns) == {"job"}


def test_refuses_a_handful_of_records() -> None:
    table = people(9)
    with pytest.raises(UnsupportedError, match="9 generalized records are too few to learn from"):
        Records.of(at_levels(table, [0, 0]), "buys", np.zeros(9, np.int32))


@pytest.mark.parametrize(
    ("part", "message"),
    [(0, "no published record to learn from"), (-1, "no published record to be tried on")],
    ids=["all tried", "none tried"],
)
def test_refuses_a_split_that_leaves_nothing(part: int, message: str) -> None:
    found = records("ab" * 6, [part] * N)
    with pytest.raises(UnsupportedError, match=message):
        course(1).errors(0, "all", found, found)
