"""What is not what it claims to be is caught: deliberately broken models and metrics."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
from attrs import evolve, frozen

from tests.tables.groups.plain import groups_of, taxonomy_of
from tests.witness.tree import Tree
from unlinkable import checks
from unlinkable.checks import BrokenContractError
from unlinkable.registry.entry import Entry
from unlinkable.registry.lookup import entries
from unlinkable.tables.groups import Groups
from unlinkable.tables.metrics import (
    AverageClassSize,
    ILoss,
)
from unlinkable.tables.models import (
    EntropyLDiversity,
    KAnonymity,
)
from unlinkable.tables.models.base import Merging
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CodeArray, CountArray, FloatArray


@frozen
class Greedy(EntropyLDiversity):
    """Claims more than it can keep."""

    @property
    def merging(self) -> Merging:
        return Merging.ABSORBS


@frozen
class EvenSized(KAnonymity):
    """Breaks when two groups of odd size are put together, and claims that it does not."""

    def judge(self, groups: Groups) -> BoolArray:
        return np.asarray(groups.sizes % 2 == 1)

    def level(self, groups: Groups) -> FloatArray:
        return np.arange(len(groups), dtype=float)


@frozen
class Hopeless(KAnonymity):
    """Takes all for lost."""

    def least_suppressed(self, groups: Groups, limit: int) -> CountArray:
        return groups.sizes


@frozen
class Falling(ILoss):
    """Rewards width."""

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        return np.where(hi - lo == 1, 0.0, 2.0 / (hi - lo))

    def suppressed(self, taxonomy: Taxonomy) -> float:
        return 0.5


@frozen
class Counting(ILoss):
    """Charges for values as they were."""

    def cells(self, taxonomy: Taxonomy, lo: CodeArray, hi: CodeArray) -> FloatArray:
        return (hi - lo).astype(float)


@frozen
class Bottomless(AverageClassSize):
    """Forgets that leaving out large groups makes the mean fall."""

    def floor(self, sizes: CountArray, may_suppress: int, n_suppressed: int = 0) -> float:
        return self.of_sizes(sizes, n_suppressed)


@frozen
class Undocumented(KAnonymity):
    """One line and no more."""

    name: ClassVar[str] = "undocumented"


LETTERS = taxonomy_of(Tree({v: (v, "*") for v in "abcd"}))


def test_a_claim_to_absorb_that_is_false_is_caught() -> None:
    with pytest.raises(BrokenContractError, match="claims ABSORBS, and a union of good groups"):
        checks.check_merging(Greedy(2, sensitive="s"), groups_of([[1, 1], [4, 0]]), [0, 1])


def test_a_promise_that_merging_breaks_is_caught() -> None:
    odd = groups_of([[1], [3]])
    with pytest.raises(BrokenContractError, match="claims ABSORBS"):
        checks.check_merging(EvenSized(1), odd, [0, 1])
    checks.check_is_not_safe(EvenSized(1), odd)


def test_a_counterexample_that_is_none_is_caught() -> None:
    with pytest.raises(BrokenContractError, match=r"no proof that k-anonymity.* does not absorb"):
        checks.check_does_not_absorb(KAnonymity(2), groups_of([[2], [3]]))
    with pytest.raises(BrokenContractError, match=r"no proof that k-anonymity.* is not safe"):
        checks.check_is_not_safe(KAnonymity(2), groups_of([[2], [3]]))


def test_a_level_by_the_place_of_a_group_is_caught() -> None:
    groups = groups_of([[1], [2], [3]])
    with pytest.raises(BrokenContractError, match="depends on the order of the groups"):
        checks.check_order(EvenSized(1), groups, np.array([2, 0, 1]))
    with pytest.raises(BrokenContractError, match="judges otherwise than its levels say"):
        checks.check_level(EvenSized(1), groups)


def test_a_bound_on_what_is_lost_that_is_too_high_is_caught() -> None:
    finer, parent = groups_of([[3], [1]]), np.zeros(2, np.int32)
    checks.check_least_suppressed(KAnonymity(2), finer, parent, 1)
    with pytest.raises(BrokenContractError, match="more must be left out than has to be"):
        checks.check_least_suppressed(Hopeless(2), finer, parent, 1)
    checks.check_least_suppressed(Hopeless(2), finer, parent, 0)


def test_a_least_size_that_is_too_large_is_caught() -> None:
    @frozen
    class Choosy(KAnonymity):
        @property
        def least_size(self) -> int:
            return self.k + 1

    checks.check_sizes(KAnonymity(2), groups_of([[2], [1]]))
    with pytest.raises(BrokenContractError, match="is kept by groups of less than 3 records"):
        checks.check_sizes(Choosy(2), groups_of([[2], [1]]))


def test_a_model_that_looks_at_what_groups_show_is_caught() -> None:
    @frozen
    class Peeping(KAnonymity):
        about_values: ClassVar[bool] = True

        def judge(self, groups: Groups) -> BoolArray:
            return np.asarray(groups.keys[:, 0] > 0)

    with pytest.raises(BrokenContractError, match="looks at what groups show"):
        checks.check_about_values(Peeping(2), groups_of([[2], [1]]))


def test_a_verdict_too_few_is_caught() -> None:
    @frozen
    class Short(KAnonymity):
        def level(self, groups: Groups) -> FloatArray:
            return np.zeros(len(groups) + 1)

    with pytest.raises(BrokenContractError, match="judges not every group once"):
        checks.check_level(Short(1), groups_of([[1], [2]]))


def test_a_model_that_does_not_say_what_it_promises_is_caught() -> None:
    @frozen
    class Silent(KAnonymity):
        name: ClassVar[str] = "silent"
        reference: ClassVar[str] = "nowhere"

    with pytest.raises(BrokenContractError, match="Silent does not declare in_words"):
        checks.check_words(Silent(2))

    @frozen
    class Boastful(Silent):
        name: ClassVar[str] = "boastful"
        reference: ClassVar[str] = "nowhere"
        in_words: ClassVar[str] = "Nobody is exposed."
        does_not_promise: ClassVar[tuple[str, ...]] = ()

    with pytest.raises(BrokenContractError, match="says of nothing that it does not promise it"):
        checks.check_words(Boastful(2))

    @frozen
    class Curt(Boastful):
        name: ClassVar[str] = "curt"
        reference: ClassVar[str] = "nowhere"
        in_words: ClassVar[str] = "groups of {k}"
        does_not_promise: ClassVar[tuple[str, ...]] = ("All else.",)

    with pytest.raises(BrokenContractError, match="does not speak in sentences: groups of 2"):
        checks.check_words(Curt(2))


def test_a_loss_that_falls_is_caught() -> None:
    with pytest.raises(BrokenContractError, match=r"falls from 1.0 when a range grows"):
        checks.check_cells(Falling(), LETTERS)
    with pytest.raises(
        BrokenContractError, match=r"a cell loses 1.0 by .*, and a suppressed one 0.5"
    ):
        checks.check_suppressed(Falling(), LETTERS)
    with pytest.raises(BrokenContractError, match="charges for a value as it was"):
        checks.check_cells(Counting(), LETTERS)


def test_a_floor_that_is_too_high_is_caught() -> None:
    sizes, parent = np.array([1, 9]), np.array([0, -1], np.int32)
    with pytest.raises(BrokenContractError, match=r"loses 1.0 by .*, below its floor 5.0"):
        checks.check_floor(Bottomless(), sizes, parent, 0, 9)
    with pytest.raises(BrokenContractError, match="more is left out than may be"):
        checks.check_floor(AverageClassSize(), sizes, parent, 0, 8)


def test_names_and_docstrings_out_of_form_are_caught() -> None:
    entry = Entry.of("model", "undocumented", "nowhere", Undocumented)
    checks.check_name(entry)
    for name in ("k-anony-mity", "anonymity"):
        with pytest.raises(
            BrokenContractError, match=f"KAnonymity is not the CamelCase of '{name}'"
        ):
            checks.check_name(Entry.of("model", name, "nowhere", KAnonymity))
    with pytest.raises(BrokenContractError, match="has no section Guarantees"):
        checks.check_docstring(entry)
    with pytest.raises(BrokenContractError, match="does not say where it is defined"):
        checks.check_docstring(evolve(entry, reference=""))
    with pytest.raises(BrokenContractError, match="undocumented has no summary"):
        checks.check_docstring(evolve(entry, summary=""))
    (known,) = (e for e in entries("model") if e.make is KAnonymity)
    mute = evolve(known, parameters=tuple(evolve(p, about="") for p in known.parameters))
    with pytest.raises(BrokenContractError, match="does not say what k means"):
        checks.check_docstring(mute)


@frozen
class Mumbling(KAnonymity):
    """Does not say all that it means."""

    def __str__(self) -> str:
        return "mumbling(k=2)"


@frozen(eq=False)
class Unequal(KAnonymity):
    """Is equal to others of its kind, which have another hash."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unequal)

    def __hash__(self) -> int:
        return id(self)

    def __str__(self) -> str:
        return "unequal(k=2)"


def test_a_written_form_that_means_something_else_is_caught() -> None:
    entry = Entry.of("model", "mumbling", "nowhere", Mumbling)
    checks.check_written_form(entry, Mumbling(2))
    with pytest.raises(BrokenContractError, match=r"mumbling\(k=2\) is read back as Mumbling\(k=2"):
        checks.check_written_form(entry, Mumbling(3))
    with pytest.raises(BrokenContractError, match="is called 'other' in the registry"):
        checks.check_written_form(evolve(entry, name="other"), Mumbling(2))
    with pytest.raises(BrokenContractError, match="is read back with another hash"):
        checks.check_written_form(Entry.of("model", "unequal", "x", Unequal), Unequal(2))
