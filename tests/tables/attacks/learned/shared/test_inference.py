"""Kinds: people, and what the records hide that could be theirs.

Guessing: rules and models against their definitions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unlinkable.errors import UnsupportedError
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.learned.shared.inference import Hidden, Kinds, Models, Rules
from unlinkable.tables.data.side import SideTable
from unlinkable.tables.metrics.shared.classifiers import Classifier

RECORD = st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(0, 2))


def published(records: list[tuple[str, str, int]]) -> pl.DataFrame:
    return pl.DataFrame(records, ["age", "ill", "bucket"], orient="row")


@given(st.lists(RECORD, min_size=1, max_size=12))
def test_people_of_the_release_are_known_by_what_it_shows(
    records: list[tuple[str, str, int]],
) -> None:
    target = Target(published(records), ("age",), ("ill",))
    kinds = Kinds.of_release(target)
    looks = Counter(shown for shown, *_ in records)
    assert sorted(kinds.sizes) == sorted(looks.values())
    assert {records[row][0] for row in kinds.first} == set(looks)
    assert [records[row][0] for row in kinds.first[kinds.kind]] == [shown for shown, *_ in records]


@given(st.lists(RECORD, min_size=1, max_size=12), st.booleans())
def test_masses_add_up_what_records_hide(
    records: list[tuple[str, str, int]], in_buckets: bool
) -> None:
    """Of a record in a bucket, each value counts with its share in the bucket."""
    bucket = "bucket" if in_buckets else None
    hidden = Hidden.of(Target(published(records), ("age",), ("ill",), bucket=bucket), "ill")
    labels = np.array(["abc".index(age) for age, *_ in records], np.int32)
    indptr, values, masses = hidden.masses(labels, 3)
    for label in range(3):
        expected: Counter[str] = Counter()
        for age, ill, own in records:
            if "abc".index(age) == label:
                beside = [i for _, i, b in records if b == own] if in_buckets else [ill]
                for value, n in Counter(beside).items():
                    expected[value] += Fraction(n, len(beside))  # type: ignore[assignment]
        row = slice(indptr[label], indptr[label + 1])
        found = {
            hidden.domain.text(int(value)): mass
            for value, mass in zip(values[row], masses[row], strict=True)
        }
        assert found == pytest.approx({value: float(mass) for value, mass in expected.items()})


def test_people_of_a_list_are_found_by_the_columns_it_shares() -> None:
    target = Target(published([("a", "x", 0), ("a", "y", 0), ("b", "x", 0)]), ("age",), ("ill",))
    people = SideTable("list", pl.DataFrame({"name": ["Ann", "Bob", "Cid"], "age": [*"aac"]}))
    kinds = Kinds.of_list(target, people, None)
    assert kinds.columns == ("age",)
    assert kinds.n_records[kinds.kind].tolist() == [2, 2, 0]
    assert sorted(kinds.sizes.tolist()) == [1, 2]


RECORD_GUESSING = st.tuples(
    st.integers(0, 3).map(lambda a: f"[{a}-{a + 2})"), st.sampled_from("xyz"), st.integers(0, 2)
)


def published_guessing(records: list[tuple[str, str, int]]) -> pl.DataFrame:
    return pl.DataFrame(records, ["age", "ill", "bucket"], orient="row")


def beliefs_by_definition(
    records: list[tuple[str, str, int]], age: int, in_buckets: bool, kept: list[bool]
) -> dict[str, Fraction]:
    """Mean over the records that could be his of what each hides."""
    records = [record for record, keep in zip(records, kept, strict=True) if keep]
    inside: dict[int, Counter[str]] = defaultdict(Counter)
    for _, ill, bucket in records:
        inside[bucket][ill] += 1
    told: Counter[str] = Counter()
    for shown, ill, bucket in records:
        first, end = map(int, shown[1:-1].split("-"))
        if first <= age < end:
            own = inside[bucket] if in_buckets else Counter([ill])
            for value, n in own.items():
                told[value] += Fraction(n, own.total())  # type: ignore[assignment]
    total = sum(told.values())
    return {value: Fraction(mass) / total for value, mass in told.items()}


@given(
    st.lists(RECORD_GUESSING, min_size=1, max_size=12),
    st.lists(st.integers(0, 5), min_size=1, max_size=5),
    st.booleans(),
    st.data(),
)
def test_rules_are_the_mean_of_what_could_be_his_records(
    records: list[tuple[str, str, int]], ages: list[int], in_buckets: bool, data: st.DataObject
) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(records), max_size=len(records)))
    bucket = "bucket" if in_buckets else None
    target = Target(published_guessing(records), ("age",), ("ill",), bucket=bucket)
    kinds = Kinds.of_list(target, SideTable("list", pl.DataFrame({"age": ages})), None)
    hidden = Hidden.of(target, "ill")
    for rows, used in ((None, [True] * len(records)), (np.array(kept), kept)):
        found = Rules(kinds, hidden).guess(rows)
        for age, kind in zip(ages, kinds.kind, strict=True):
            told = beliefs_by_definition(records, age, in_buckets, used)
            code = int(found.codes[kind])
            assert (code < 0) == (not told)
            assert found.confidence[kind] == pytest.approx(float(max(told.values(), default=0)))
            if told:
                assert told[hidden.domain.text(code)] == max(told.values())


@given(
    st.lists(RECORD_GUESSING, min_size=1, max_size=12),
    st.lists(st.integers(0, 5), min_size=1, max_size=5),
    st.booleans(),
)
def test_no_rule_is_surer_than_the_surest_group(
    records: list[tuple[str, str, int]], ages: list[int], in_buckets: bool
) -> None:
    """A promise that bounds the share of a value in every group bounds rules about anybody."""
    bucket = "bucket" if in_buckets else None
    target = Target(published_guessing(records), ("age",), ("ill",), bucket=bucket)
    groups = target.counted([("ill",)]).finest
    surest = (groups.histograms["ill",].peak / groups.sizes).max()
    kinds = Kinds.of_list(target, SideTable("list", pl.DataFrame({"age": ages})), None)
    found = Rules(kinds, Hidden.of(target, "ill")).guess()
    assert found.confidence.max() <= surest + 1e-12


def test_a_model_of_buckets_learns_each_value_by_its_share() -> None:
    """Naive Bayes adds up weights: the shares of two buckets are all that it sees."""
    records = [("[0-2)", "x", 0), ("[2-4)", "y", 0), ("[0-2)", "x", 1), ("[2-4)", "x", 1)]
    target = Target(published_guessing(records * 100), ("age",), ("ill",), bucket="bucket")
    people = SideTable("list", pl.DataFrame({"age": [1, 3]}))
    kinds = Kinds.of_list(target, people, None)
    hidden = Hidden.of(target, "ill")
    model = Models.of(Classifier.NAIVE_BAYES, target, kinds, hidden, None, seed=0)
    found = model.guess()
    # In either half, half of the records are in the bucket with as many of x as of y.
    assert found.confidence == pytest.approx([0.75, 0.75], abs=0.02)


def test_models_learn_from_ranges_and_are_asked_for_values() -> None:
    records = [("[0-2)", "x", 0), ("[2-9)", "y", 0)] * 20
    target = Target(published_guessing(records), ("age",), ("ill",))
    people = SideTable("list", pl.DataFrame({"age": [0, 1, 2, 3, 8]}))
    kinds = Kinds.of_list(target, people, None)
    hidden = Hidden.of(target, "ill")
    for classifier in Classifier:
        model = Models.of(classifier, target, kinds, hidden, None, seed=0)
        found = model.guess()
        told = [hidden.domain.text(int(code)) for code in found.codes[kinds.kind]]
        assert told == ["x", "x", "y", "y", "y"]
        assert (found.confidence > 0.6).all()
        only = model.guess(np.arange(40) % 2 == 0)
        assert {hidden.domain.text(int(code)) for code in only.codes} == {"x"}
        nobody = model.guess(np.zeros(40, bool))
        assert nobody.codes.tolist() == [-1] * len(kinds)


def test_too_many_values_are_no_classes() -> None:
    frame = pl.DataFrame({"age": [1] * 300, "ill": [f"v{i}" for i in range(300)]})
    target = Target(frame, ("age",), ("ill",))
    with pytest.raises(UnsupportedError, match="300 values, and a model tells at most 256"):
        Models.of(
            Classifier.NAIVE_BAYES,
            target,
            Kinds.of_release(target),
            Hidden.of(target, "ill"),
            None,
            seed=0,
        )
