"""Every method that does not generalize, published, read back from its files, and judged anew.

The judge reads the texts of the files with the csv module and knows nothing else; what a masking
cannot promise, it must refuse by name.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from attrs import frozen

import unlinkable as ul
from tests.tables.attacks.guards import assert_withstands
from tests.witness import bundles
from unlinkable.errors import InfeasibleError, UnlinkableError, UnsupportedError
from unlinkable.registry import lookup as registry
from unlinkable.tables.data import Table
from unlinkable.tables.methods.base.record_method import RecordMethod
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.operations.base.operation import Perturbation
from unlinkable.tables.publishing.releases.release import Release

N = 120
SEED = 987_654_321_987_654_321
"""A number that is met in no file by chance."""


@cache
def everybody() -> pl.DataFrame:
    """Make up people, the same every time."""
    chance = random.Random(7)
    ages = [chance.randint(20, 59) for _ in range(N)]
    return pl.DataFrame(
        {
            "age": ages,
            "weight": [round(chance.gauss(70, 9), 1) for _ in range(N)],
            "sex": [chance.choice("fm") for _ in range(N)],
            "job": [chance.choice(["cook", "clerk", "nurse"]) for _ in range(N)],
            "ill": [chance.choice(["flu", "flu", "hiv", "ulcer", "none"]) for _ in range(N)],
            "pay": [20 * age + chance.randint(0, 400) for age in ages],
            "who": [f"p{i // 2}" for i in range(N)],
        }
    )


def _listed() -> dict[str, ul.Tree]:
    return {
        "sex": ul.Tree({"*": ["f", "m"]}),
        "job": ul.Tree({"care": ["nurse"], "other": ["cook", "clerk"]}),
        "ill": ul.Tree({"virus": ["flu", "hiv"], "other": ["ulcer", "none"]}),
    }


def mixed() -> Table:
    return _table(quasi=["age", "sex", "job"], sensitive="ill", taxonomies=_listed())


def points() -> Table:
    return _table(quasi=["age", "weight"], sensitive="ill")


def coordinates() -> Table:
    return _table(quasi=["age", "weight", "pay"])


def paid() -> Table:
    return _table(quasi=["age", "sex"], sensitive="pay")


def categories() -> Table:
    return _table(quasi=["sex", "job"], sensitive="ill", taxonomies=_listed())


def _table(
    quasi: list[str], sensitive: str | None = None, taxonomies: dict[str, ul.Tree] | None = None
) -> Table:
    names = [*quasi, *([] if sensitive is None else [sensitive])]
    return ul.as_table(
        everybody().select(names),
        quasi=quasi,
        sensitive=sensitive or (),
        taxonomies={} if taxonomies is None else {**taxonomies},
    )


SAMPLES: dict[str, tuple[str, Callable[[], Table]]] = {
    "anatomize": ("anatomize", mixed),
    "ke-permutation": ("ke-permutation", paid),
    "r-robust-bucketization": ("r-robust-bucketization", mixed),
    "mdav": ("mdav", mixed),
    "r-gather": ("r-gather", points),
    "condensation": ("condensation(k=5)", points),
    "recursive-histogram": ("recursive-histogram(t=5)", points),
    "density-perturbation": ("density-perturbation(t=5)", points),
    "cross-training-round": ("cross-training-round(t=5)", points),
    "drbt": ("drbt", coordinates),
    "rank-swapping": ("rank-swapping", points),
    "pram": ("pram", categories),
    "alpha-beta": ("alpha-beta", categories),
    "median-swapping": ("median-swapping", mixed),
    "perturbed-generalization": ("perturbed-generalization", mixed),
    "synthetic": ("synthetic", mixed),
    "dp-histogram": ("dp-histogram", categories),
    "dp-synthetic": ("dp-synthetic", categories),
    "additive-noise": ("additive-noise(scale=3, columns=[age])", points),
    "data-swapping": ("data-swapping", categories),
    "post-randomization": ("post-randomization", categories),
    "synthetic-data": ("synthetic-data", mixed),
}
"""How each is written, and the table that it is tried on."""

PRIOR = {"sex": ["f", "m"], "value": ["hiv", "hiv"], "p": [0.1, 0.12]}

PROMISES: list[GroupModel] = [
    ul.KAnonymity(3),
    ul.DistinctLDiversity(2),
    ul.FrequencyLDiversity(2),
    ul.EntropyLDiversity("1.5"),
    ul.TCloseness("0.5"),
    ul.KEAnonymity(3, 50),
    ul.RRobustness(3, prior="prior", values="hiv"),
    ul.DifferentialPrivacy(1),
    ul.LKCPrivacy(2, 3, 1),
]


@frozen
class Tried:
    """What came of a method and its promise."""

    name: str
    privacy: tuple[GroupModel, ...]
    release: Release | None
    error: UnlinkableError | None


@cache
def tried(name: str, place: int | None) -> Tried:
    """Publish, once; give what came of it."""
    text, table = SAMPLES[name]
    privacy = () if place is None else (PROMISES[place],)
    method = registry.make("method", text)
    try:
        release = ul.anonymize(
            table(), privacy=privacy, method=method, seed=SEED, side={"prior": PRIOR}
        )
    except UnlinkableError as error:
        return Tried(name, privacy, None, error)
    return Tried(name, privacy, release, None)


def all_tried(name: str) -> Iterator[Tried]:
    yield tried(name, None)
    for place in range(len(PROMISES)):
        yield tried(name, place)


def test_every_masking_and_every_perturbing_operation_is_tried() -> None:
    methods = {e.name for e in registry.entries("method") if issubclass(e.make, RecordMethod)}
    others = {e.name for e in registry.entries("operation") if issubclass(e.make, Perturbation)}
    assert methods | others | {"recursive-histogram"} == set(SAMPLES)


@pytest.mark.parametrize("name", list(SAMPLES))
def test_every_masking_publishes_something(name: str) -> None:
    assert any(found.release for found in all_tried(name))


@pytest.mark.parametrize("name", list(SAMPLES))
def test_what_is_not_published_is_refused_by_name(name: str) -> None:
    for found in all_tried(name):
        if not isinstance(found.error, UnsupportedError | InfeasibleError) or not found.privacy:
            continue
        said = str(found.error)
        assert name in said or found.privacy[0].name in said, said


@pytest.mark.parametrize(
    "place",
    [None, *range(len(PROMISES))],
    ids=lambda p: "nothing" if p is None else PROMISES[p].name,
)
@pytest.mark.parametrize("name", list(SAMPLES))
def test_what_is_read_back_keeps_the_promise(name: str, place: int | None, tmp_path: Path) -> None:
    found = tried(name, place)
    if found.release is None:
        return
    if not any(isinstance(model, ul.DifferentialPrivacy) for model in found.privacy):
        assert_withstands(found.release)
    folder = found.release.save(tmp_path / "bundle")
    for part in (folder, folder / "public"):
        result = ul.verify(part)
        assert result.holds, result.problems
    published = bundles.read(folder)
    assert published.manifest["records"] == len(published.records)
    _judge(published, found.privacy)
    secrets = everybody()["who"].to_list()
    for file in published.files:
        text = (folder / "public" / file).read_text(encoding="utf-8")
        assert not any(f'"{who}"' in text or f",{who}," in text for who in secrets)
        assert str(SEED) not in text


def _judge(published: bundles.Published, privacy: tuple[GroupModel, ...]) -> None:
    """Judge what was promised from the texts of the files alone."""
    quasi = bundles.columns_of(published, "quasi-identifier")
    bucket = published.manifest.get("buckets")
    if published.hidden is not None:
        assert bucket is not None
        assert bundles.bucket_faults(published.records, published.hidden, bucket) == []
    for model in privacy:
        if isinstance(model, ul.DifferentialPrivacy):
            assert bundles.noise_price(published) <= 1 + 1e-9
            continue
        if isinstance(model, ul.KAnonymity):
            counts = published.manifest.get("counts")
            assert bundles.least_group(published.records, quasi, counts) >= model.k
            continue
        if not isinstance(
            model, (ul.DistinctLDiversity, ul.FrequencyLDiversity, ul.EntropyLDiversity)
        ):
            continue
        for sensitive in bundles.columns_of(published, "sensitive"):
            if published.hidden is not None and bucket is not None:
                values = bundles.bucket_counts(published.hidden, bucket, sensitive)
            else:
                values = bundles.value_counts(published.records, quasi, sensitive)
            match model:
                case ul.DistinctLDiversity():
                    assert bundles.distinct_level(values) >= model.l
                case ul.FrequencyLDiversity():
                    assert bundles.frequency_level(values) >= model.l
                case ul.EntropyLDiversity():
                    assert bundles.entropy_level(values) >= float(model.l) - 1e-9


REPEATABLE = [n for n in SAMPLES if not n.startswith("dp-")]


@pytest.mark.parametrize("name", REPEATABLE)
def test_two_runs_with_the_same_seed_are_equal(name: str) -> None:
    first = next(f for f in all_tried(name) if f.release)
    assert first.release is not None
    text, table = SAMPLES[name]

    def again(seed: int) -> Release:
        method = registry.make("method", text)
        return ul.anonymize(
            table(), privacy=first.privacy, method=method, seed=seed, side={"prior": PRIOR}
        )

    assert again(SEED).applied.frame.equals(first.release.applied.frame)


@pytest.mark.parametrize("name", REPEATABLE)
def test_a_table_without_records_is_refused(name: str) -> None:
    first = next(f for f in all_tried(name) if f.release)
    text, table = SAMPLES[name]
    empty = Table(table().frame.clear(), table().schema)
    with pytest.raises(UnlinkableError):
        ul.anonymize(
            empty,
            privacy=first.privacy,
            method=registry.make("method", text),
            side={"prior": PRIOR},
        )


@pytest.mark.parametrize("name", list(SAMPLES))
def test_several_records_of_one_person_are_counted_or_refused(name: str, tmp_path: Path) -> None:
    first = next(f for f in all_tried(name) if f.release)
    text, table = SAMPLES[name]
    plain = table()
    frame = plain.frame.with_columns(everybody()["who"])
    schema = type(plain.schema)(
        [*plain.schema.columns, *ul.as_table(everybody().select("who"), owner="who").schema.columns]
    )
    try:
        release = ul.anonymize(
            Table(frame, schema),
            privacy=first.privacy,
            method=registry.make("method", text),
            side={"prior": PRIOR},
            seed=SEED,
        )
    except (UnsupportedError, InfeasibleError):
        return
    assert "who" not in release.applied.frame.columns
    assert ul.verify(release.save(tmp_path / "bundle")).holds
    if any(isinstance(model, ul.KAnonymity) for model in first.privacy):
        rows = range(N) if release.applied.rows is None else release.applied.rows.tolist()
        owners = [everybody()["who"][i] for i in rows]
        shown = release.applied.frame.select(plain.schema.quasi).rows()
        met: dict[tuple[object, ...], set[str]] = {}
        for row, owner in zip(shown, owners, strict=True):
            met.setdefault(row, set()).add(owner)
        assert min(map(len, met.values())) >= 3


@pytest.mark.parametrize("name", list(SAMPLES))
def test_a_method_is_read_as_it_is_written(name: str) -> None:
    made = registry.make("method", SAMPLES[name][0])
    assert str(registry.make("method", str(made))) == str(made)
    assert registry.make("method", str(made)) == made


def test_the_whole_is_close_to_what_was_asked() -> None:
    release = tried("anatomize", 2).release
    assert release is not None
    assert release.n_groups == N // 2
    assert Fraction(release.n_suppressed) == 0
