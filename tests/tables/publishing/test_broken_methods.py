"""Methods that are wrong on purpose: what they propose is never published.

Every one of them breaks its word in another way. `anonymize` must refuse all of them, and a bundle
that somebody makes of a broken promise by hand must not verify.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from attrs import evolve, frozen

from tests.tables.publishing.saved_bundles import patients
from unlinkable.errors import BundleError
from unlinkable.params import exact
from unlinkable.release.bundle.bundle_files import PRIVATE, PUBLIC
from unlinkable.release.bundle.provenance import provenance_of
from unlinkable.release.bundle.saving import write_private, write_public
from unlinkable.release.verify import verify
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.models import DistinctLDiversity, KAnonymity, TCloseness
from unlinkable.tables.models.base import All, BindingContext, GroupModel
from unlinkable.tables.operations import (
    FullDomainGeneralization,
    MultidimensionalGeneralization,
    Recoding,
    Scheme,
)
from unlinkable.tables.publishing import BrokenPromiseError, Evidence, GeneralizedRelease, anonymize
from unlinkable.tables.publishing.anonymizing.apply import apply, public_domains


@frozen
class Broken(Search):
    """A method that finds what Mondrian finds, and then spoils it."""

    name: ClassVar[str] = "broken"
    reference: ClassVar[str] = ""
    scheme: ClassVar[type[Scheme]] = MultidimensionalGeneralization

    def misfits(self, recoding: Recoding) -> list[str]:
        """Keep quiet: what follows has to find out without being told."""
        return []

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        good = Mondrian().search(finest, privacy, task)
        return self.spoil(good, finest, task)

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        return good


class PublishesEverybody(Broken):
    """Every distinct record is its own group."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        labels = np.arange(len(finest), dtype=np.int32)
        return evolve(good, partition=Partition.tight(finest, labels, len(finest)))


class PublishesOneRecordAlone(Broken):
    """All groups are as they must be, but one record stands alone."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        labels = good.partition.labels.copy()
        labels[-1] = good.partition.n_parts
        return evolve(good, partition=Partition.tight(finest, labels, int(labels[-1]) + 1))


class ForgetsToSuppress(Broken):
    """The last record was to be left out, and is published in a group of its own."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        labels = np.zeros(len(finest), np.int32)
        labels[-1] = -1
        part = Partition.tight(finest, labels, 1)
        own = finest.keys[-1:]
        labels = np.where(labels < 0, 1, labels).astype(np.int32)
        lo, hi = np.vstack([part.lo, own]), np.vstack([part.hi, own + 1])
        return evolve(good, partition=Partition(finest, labels, lo, hi))


class NamesTheWrongLevels(Broken):
    """The groups are those of the top level, the texts those of the bottom."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        top = [a.taxonomy.height for a in task.attributes]
        partition = Partition.at_levels(finest, task.attributes, top)
        node = {a.name: 0 for a in task.attributes}
        return evolve(good, partition=partition, node=node)


class SwapsLabels(Broken):
    """The boxes of two groups are swapped: sizes stay, values are false."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        part = good.partition
        return evolve(good, partition=evolve(part, lo=part.lo[::-1], hi=part.hi[::-1]))


class CutsBoxesShort(Broken):
    """The first column of every box loses its last value."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        part = good.partition
        return evolve(good, partition=evolve(part, hi=part.hi - np.array([1, 0], np.int32)))


class GivesAllTheSameBox(Broken):
    """Different groups show the box of the first one: texts coincide that should not."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        part = good.partition
        lo, hi = (np.repeat(side[:1], part.n_parts, axis=0) for side in (part.lo, part.hi))
        return evolve(good, partition=evolve(part, lo=lo, hi=hi))


class GeneralizesToTheWrongNode(Broken):
    """Says that a column is on a level that its boxes are not on."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        partition = Partition.at_levels(finest, task.attributes, [3, 2])
        return evolve(good, partition=partition, node={"age": 2, "job": 2})


class SuppressesTooMuch(Broken):
    """Leaves out everything but one group."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        others = np.arange(good.partition.n_parts) > 0
        return evolve(good, partition=good.partition.suppress(others))


class ForgetsRecords(Broken):
    """Has no label for the last of the distinct records."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        part = good.partition
        return evolve(good, partition=evolve(part, labels=part.labels[:-1]))


class CountsOtherRecords(Broken):
    """Speaks of a table in which every record comes twice."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        twice = evolve(finest, sizes=2 * finest.sizes)
        return evolve(good, partition=evolve(good.partition, finest=twice))


class LabelsBeyondItsParts(Broken):
    """Counts its parts from 1."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        part = good.partition
        return evolve(good, partition=evolve(part, labels=part.labels + np.int32(1)))


class DrawsEmptyBoxes(Broken):
    """Has boxes with nothing in them."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        return evolve(good, partition=evolve(good.partition, hi=good.partition.lo))


class DrawsBoxesBeyondTheDomain(Broken):
    """Has boxes of values that there are not."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        part = good.partition
        return evolve(good, partition=evolve(part, hi=part.hi + np.int32(100)))


class ForgetsAColumn(Broken):
    """Has boxes of one column only."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        part = good.partition
        return evolve(good, partition=evolve(part, lo=part.lo[:, :1], hi=part.hi[:, :1]))


class NamesALevelThatIsNotThere(Broken):
    """Speaks of a level above the root."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        return evolve(good, node={"age": 9, "job": 0})


class NamesNoLevelForAColumn(Broken):
    """Speaks of the level of one column only."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        return evolve(good, node={"age": 1})


TWO = (KAnonymity(2), DistinctLDiversity(2))
BROKEN_PROMISES: list[Search] = [
    PublishesEverybody(),
    PublishesOneRecordAlone(),
    ForgetsToSuppress(),
    NamesTheWrongLevels(),
]
UNTRUTHS: list[tuple[Search, str]] = [
    (SwapsLabels(), "tells 12 untruths in column 'age'"),
    (CutsBoxesShort(), "tells 4 untruths in column 'age'"),
    (GivesAllTheSameBox(), "tells 9 untruths in column 'age'"),
    (GeneralizesToTheWrongNode(), "tells 6 untruths in column 'age'"),
]
FLAWS: list[tuple[Search, str]] = [
    (SuppressesTooMuch(), "leaves out 9 records, and 1 may be left out"),
    (ForgetsRecords(), "labels 11 of 12 distinct records"),
    (CountsOtherRecords(), "is about other records than those it was given"),
    (LabelsBeyondItsParts(), "has labels outside of its 4 parts"),
    (DrawsEmptyBoxes(), "has 4 boxes that are empty or outside of column 'age'"),
    (DrawsBoxesBeyondTheDomain(), "outside of column 'age' and has 4 boxes .* of column 'job'"),
    (ForgetsAColumn(), r"has boxes of shape \(4, 1\) and \(4, 1\) where \(4, 2\) is needed"),
    (NamesALevelThatIsNotThere(), "puts column 'age' on level 9, which it has not"),
    (NamesNoLevelForAColumn(), "puts column 'job' on level None, which it has not"),
]


def test_the_methods_would_be_fine_if_they_were_not_spoiled() -> None:
    assert anonymize(patients(), privacy=TWO, method=Broken(), suppression="0.1").holds


@pytest.mark.parametrize("method", BROKEN_PROMISES, ids=lambda m: type(m).__name__)
def test_a_broken_promise_is_not_published(method: Search) -> None:
    with pytest.raises(
        BrokenPromiseError, match=r"broken proposed a release that does not keep k-anonymity\(k=2\)"
    ):
        anonymize(patients(), privacy=TWO, method=method, suppression="0.1")


@pytest.mark.parametrize(("method", "message"), UNTRUTHS, ids=lambda m: type(m).__name__)
def test_an_untruth_is_not_published_though_every_promise_is_kept(
    method: Search, message: str
) -> None:
    applied = forge(patients(), method, TWO)
    assert applied.verify().holds
    with pytest.raises(BrokenPromiseError, match=f"{message}.*: nothing was published"):
        anonymize(patients(), privacy=TWO, method=method, suppression="0.1")


@pytest.mark.parametrize(("method", "message"), FLAWS, ids=lambda m: type(m).__name__)
def test_what_is_no_proposal_is_not_published(method: Search, message: str) -> None:
    with pytest.raises(BrokenPromiseError, match=message):
        anonymize(patients(), privacy=TWO, method=method, suppression="0.1")


class MixesMissing(Broken):
    """Boxes hold the missing value beside some of the others, for which there is no text."""

    def spoil(self, good: Solution, finest: Groups, task: Task) -> Solution:
        part = Partition.whole(finest)
        return evolve(good, partition=evolve(part, lo=part.lo + np.int32(1)))


def test_boxes_without_a_name_are_not_published() -> None:
    table = as_table({"a": ["x", "y", None, None]}, quasi="a")
    with pytest.raises(BrokenPromiseError, match="has boxes of column 'a' that have no name"):
        anonymize(table, privacy=KAnonymity(2), method=MixesMissing())


class IsNoFullDomain(Broken):
    """Says that all values of a column have one level, and cuts as Mondrian does."""

    scheme: ClassVar[type[Scheme]] = FullDomainGeneralization

    def misfits(self, recoding: Recoding) -> list[str]:
        return self.scheme.flaws(recoding)


def test_what_is_not_of_the_kind_that_the_method_makes_is_not_published() -> None:
    ages = as_table({"age": [20, 21, 22, 60, 61, 62, 63]}, quasi="age")
    message = "is no full-domain-generalization: 'age' shows values of different levels"
    with pytest.raises(BrokenPromiseError, match=message):
        anonymize(ages, privacy=KAnonymity(2), method=IsNoFullDomain())


class JudgesBeforeItSuppresses(Broken):
    """Compares groups with the whole table, and not with what is left of it."""

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        partition = Partition.at_levels(finest, task.attributes, [0])
        good = privacy.good(partition.groups())
        return Solution(partition.suppress(~good), {})


def test_a_promise_that_holds_only_beside_suppressed_records_is_not_published() -> None:
    """Half of a, a third of b and all of c are ill: without c, a is far from the rest."""
    rows = [
        (group, "ill" if i < n_ill else "well")
        for group, n, n_ill in (("a", 10, 5), ("b", 90, 27), ("c", 13, 13))
        for i in range(n)
    ]
    data = {"group": [group for group, _ in rows], "state": [state for _, state in rows]}
    table = as_table(data, quasi="group", sensitive="state")
    promise = TCloseness("0.11", sensitive="state")
    assert promise.good(count(table, promise.needs()).finest).tolist() == [True, True, False]
    with pytest.raises(BrokenPromiseError, match="does not keep t-closeness"):
        anonymize(table, privacy=promise, method=JudgesBeforeItSuppresses(), suppression="0.2")


@pytest.mark.parametrize("method", BROKEN_PROMISES, ids=lambda m: type(m).__name__)
def test_a_forged_release_is_not_saved(method: Search, tmp_path: Path) -> None:
    release = forge(patients(), method, TWO)
    assert release.holds
    with pytest.raises(BundleError, match=r"nothing was saved.*k-anonymity\(k=2\) does not hold"):
        release.save(tmp_path / "release")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("method", BROKEN_PROMISES, ids=lambda m: type(m).__name__)
def test_a_bundle_that_is_made_by_hand_does_not_verify(method: Search, tmp_path: Path) -> None:
    release = forge(patients(), method, TWO)
    draft = release.draft()
    seen, manifest = write_public(tmp_path / PUBLIC, draft.public)
    write_private(tmp_path / PRIVATE, draft, seen, provenance_of(release, None, manifest))
    for folder in (tmp_path, tmp_path / PUBLIC):
        result = verify(folder)
        assert any("k-anonymity(k=2) does not hold" in said for said in result.problems)


def forge(table: Table, method: Search, privacy: Iterable[GroupModel]) -> GeneralizedRelease:
    """Make a release as `anonymize` does, and claim that every promise is kept."""
    models = tuple(m for model in privacy for m in model.bind(BindingContext.of(table.schema)))
    counted = count(table, All(models).needs())
    task = Task(table.attributes, ILoss(), exact("0.9"))
    solution = method.search(counted.finest, All(models), task)
    domains = public_domains(table, counted, solution)
    applied = apply(table, counted, solution, task.attributes, domains, {}, None)
    finding = Evidence.of(table, applied, models, domains).judge(models)
    claimed = tuple(
        evolve(v, holds=True, reached={v.model.parameter: 2.0}) for v in finding.verdicts
    )
    return GeneralizedRelease(
        table=table,
        counted=counted,
        applied=applied,
        domains=domains,
        models=models,
        finding=evolve(finding, verdicts=claimed),
        method=method,
        metric=ILoss(),
        task=task,
        solution=solution,
        identifiers={},
        seed=0,
        seconds={},
    )
