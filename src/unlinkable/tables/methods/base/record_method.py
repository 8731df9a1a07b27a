"""Record method: a method that does anything else to records than generalize them.

It separates values from people (buckets), replaces values by others (perturbation), or publishes
records that nobody has (synthetic data). It sees the records themselves, and returns what is to be
published. What it cannot promise it refuses; what it promises is judged again by the
verifier, from the published values or from the ledger of noise alone.
"""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import ClassVar, Self

from attrs import define, field

from unlinkable.errors import UnsupportedError
from unlinkable.noise import Ledger
from unlinkable.tables.data import Frame, Side, Table
from unlinkable.tables.methods.base.search import Method, Task
from unlinkable.tables.models.base import All, GroupModel, NoiseModel
from unlinkable.typing import CountArray

__all__ = ["Buckets", "MaskedRecords", "RecordMethod"]


@define(eq=False, frozen=True)
class Buckets:
    """Hidden values that are published for whole buckets, not for records.

    Attributes
    ----------
    column
        The column of the published records that tells in which bucket each of them is.
    hidden
        The second table: that column, the hidden columns, and ``count``, how many records of the
        bucket have these values together.
    """

    column: str
    hidden: Frame


@define(eq=False, frozen=True)
class MaskedRecords:
    """What a record method publishes, and what is known of it.

    Attributes
    ----------
    frame
        The published records: no identifier, no owner, no guard. What a method adds beside the
        columns of the table has a name of its own that no column has.
    rows
        Which original record each published one is; None if there is no such record, as records
        were made up or counted.
    buckets
        What is published for whole buckets, if there are any.
    counts
        The column of the published records that tells for how many people each stands; None if each
        stands for one.
    ledger
        All noise that was spent, for promises about noise. It is published.
    told
        What recipients have to know besides the parameters of the method to make use of the
        release, such as the scale of noise that was chosen by looking at the data. It is published.
    n_suppressed
        Number of records that were left out.
    effort, optimal, is_complete, facts
        As in `Solution`. They stay with the holder, but for ``optimal``.
    whose
        Where some records were made up and others were not, which original record each published
        one is, and -1 for those that were made up; ``rows`` is None then. It stays with the holder.
    """

    frame: Frame
    rows: CountArray | None
    buckets: Buckets | None = None
    counts: str | None = None
    ledger: Ledger | None = None
    told: Mapping[str, float | str] = field(factory=dict)
    n_suppressed: int = 0
    effort: Mapping[str, int] = field(factory=dict)
    optimal: bool | None = None
    is_complete: bool = True
    facts: Mapping[str, float] = field(factory=dict)
    whose: CountArray | None = None


class RecordMethod(Method):
    """A method that does anything else to records than generalize them."""

    truthful: ClassVar[bool] = False
    groups_people: ClassVar[bool] = False
    """Whether people are put together who then show the same, with all that they hide."""
    generalizes: ClassVar[bool] = False
    """Whether values are made coarser and nothing else, but not for all records alike."""
    needs_promise: ClassVar[bool] = True
    """Whether it works towards a promise, and means nothing without one."""

    def opened(self, side: Side) -> Self:
        """Read the files that its parameters name."""
        return self

    @abc.abstractmethod
    def refusal(self, model: GroupModel) -> str | None:
        """Say why the method cannot keep a promise, and what would do; None if it can.

        A method keeps only what the verifier can judge from what it publishes.
        """

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        if self.needs_promise and not privacy.models:
            raise UnsupportedError(f"{self} works towards a promise: give at least one")
        for model in privacy.models:
            if isinstance(model, NoiseModel) and model.sources:
                raise UnsupportedError(
                    f"{self} cannot keep {model}: that file does not have the noise of this "
                    "release. Leave the ledger out, and the one of the release is meant"
                )
            if (reason := self.refusal(model)) is not None:
                raise UnsupportedError(f"{self} cannot keep {model}: {reason}")

    @abc.abstractmethod
    def mask(self, table: Table, privacy: All, task: Task) -> MaskedRecords:
        """Make what is to be published.

        All chance comes from ``task.rng``, a cryptographic generator here, or from a vetted library
        of noise. Where several records may belong to one person (``table.schema.owner``), a
        method that does not know what to do with that refuses.

        Raises
        ------
        UnsupportedError
            If the table is not of a kind that the method can treat.
        InfeasibleError
            If the promise cannot be kept.
        """
