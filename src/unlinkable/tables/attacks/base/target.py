"""Target: a release as everybody sees it, and what an adversary knows besides.

An adversary holds what was published, and nothing of how it was made. Background knowledge comes as
side tables: lists of people, beliefs, known values of some people. The holder, who attacks the
release to test it, may add two things that no adversary has: the original records, to check which
guesses are right, and the method, to run it on other records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Protocol, Self

import numpy as np
from attrs import define, evolve, field

from unlinkable.errors import SchemaError, unknown
from unlinkable.tables.data import ColumnPlan, Frame, Role, Schema, Side, Table, as_texts
from unlinkable.tables.engines import Counted, count
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.tables.taxonomies.builders import TaxonomyBuilder, Verbatim
from unlinkable.typing import Columns, CountArray, Progress

__all__ = ["AdversaryKnowledge", "Oracle", "Target", "Truth"]


@define(eq=False, frozen=True, slots=False)
class Target:
    """What was published.

    Attributes
    ----------
    frame
        The published records: a row for every person, as texts or as values. In buckets the hidden
        values stand beside the records of their bucket in any order.
    quasi
        The columns by which people may be known, as far as they are published.
    sensitive
        The columns with what nobody should find out.
    taxonomies
        What the texts of columns mean, for the values that the release knows.
    builders
        How to build the taxonomies of sensitive columns, where they are counted.
    bucket
        The column that tells the bucket of a record, if what is hidden is told for whole buckets.
    is_truthful
        Whether what is published of a person is true: generalized or in a bucket, and not replaced.
    is_grouped
        Whether people who show the same hide what stands there, though what they show may have been
        replaced.
    is_alike
        Whether all records were recoded alike: not if those that came later were by themselves.
    promises
        What recipients are told.

    Examples
    --------
    >>> import polars as pl
    >>> told = pl.DataFrame({"job": ["artist", "artist", "clerk"], "ill": ["flu", "hiv", "flu"]})
    >>> target = Target(told, ("job",), ("ill",))
    >>> groups = target.counted([("ill",)]).finest
    >>> groups.sizes.tolist(), groups.histograms["ill",].peak.tolist()
    ([2, 1], [1, 1])
    """

    frame: Frame
    quasi: Columns
    sensitive: Columns
    taxonomies: Mapping[str, Taxonomy] = field(factory=dict, repr=False)
    builders: Mapping[str, TaxonomyBuilder] = field(factory=dict, repr=False)
    bucket: str | None = None
    is_truthful: bool = True
    is_grouped: bool = True
    is_alike: bool = True
    promises: tuple[GroupModel, ...] = ()

    def __len__(self) -> int:
        return self.frame.height

    @property
    def alike(self) -> Columns:
        """The columns on which records are equal of which nobody can say which hides what."""
        return self.quasi if self.bucket is None else (self.bucket,)

    def columns_about(self, asked: str | None) -> Columns:
        """Name the sensitive columns that an attack is about: the one asked for, or all.

        Raises
        ------
        SchemaError
            If there is none.
        """
        if not self.sensitive:
            raise SchemaError("no column is sensitive: there is nothing to find out")
        if asked is not None and asked not in self.sensitive:
            raise SchemaError(unknown("sensitive column", asked, self.sensitive))
        return self.sensitive if asked is None else (asked,)

    def counted(self, needs: Iterable[Columns] = ()) -> Counted:
        """Group the people whom nobody can tell apart, and count what each group hides.

        These are the records that show the same texts, or the same bucket.

        Raises
        ------
        SchemaError
            If nobody can be known by what is published.
        """
        return self._count(self.alike, frozenset(needs))

    def looks(self) -> Counted:
        """Group the records that show the same on all columns by which people may be known.

        Raises
        ------
        SchemaError
            If nobody can be known by what is published.
        """
        return self._count(self.quasi, frozenset())

    def table(self, known: Columns, hidden: Iterable[str] = ()) -> Table:
        """Take published texts of what is ``known`` as values without any meaning.

        What is ``hidden`` keeps the meaning that its values have.
        """
        others = [name for name in dict.fromkeys(hidden) if name not in known]
        for name in (*known, *others):
            if name not in self.frame.columns:
                raise SchemaError(f"{unknown('column', name, self.frame.columns)} to look at")
        columns = [ColumnPlan(name, Role.QUASI, Verbatim()) for name in known]
        columns += [
            ColumnPlan(name, Role.SENSITIVE, self.builders.get(name, Verbatim())) for name in others
        ]
        return Table(as_texts(self.frame, known, others), Schema(columns))

    def _count(self, known: Columns, needs: frozenset[Columns]) -> Counted:
        if not known:
            raise SchemaError("no column is known to others: nobody can be looked for")
        found = self._counted.get((known, needs))
        if found is None:
            hidden = sorted({name for names in needs for name in names})
            found = self._counted[known, needs] = count(self.table(known, hidden), needs)
        return found

    @cached_property
    def _counted(self) -> dict[tuple[Columns, frozenset[Columns]], Counted]:
        return {}


@define(eq=False, frozen=True)
class Truth:
    """The ground truth, which only the holder has.

    Attributes
    ----------
    table
        The original records.
    rows
        For every published record, whose it is; None if nobody can say.
    """

    table: Table
    rows: CountArray | None = None


class Oracle(Protocol):
    """The method that made a release, to be asked what it would make of other records."""

    @property
    def algorithm(self) -> str:
        """What is asked, in written form: the method and what it promises."""

    @property
    def is_random(self) -> bool:
        """Whether it may answer the same question in different ways."""

    def publish(self, table: Table, rng: np.random.Generator) -> Target:
        """Say what would be published of these records.

        Raises
        ------
        UnlinkableError
            If nothing would be: the promise cannot be kept, or the method refuses.
        """


def _silent(share: float, words: str) -> None:
    """Tell nobody."""


@define(eq=False, frozen=True)
class AdversaryKnowledge:
    """What an attack may use besides the release.

    Attributes
    ----------
    side
        Tables of the adversary, by the names that attacks use.
    truth
        The original records, to say which guesses are right.
    oracle
        The method that made the release.
    rng
        Random generator.
    progress
        Progress callback.
    """

    side: Side = field(factory=Side)
    truth: Truth | None = None
    oracle: Oracle | None = None
    rng: np.random.Generator = field(factory=lambda: np.random.default_rng(0))
    progress: Progress = _silent

    def has(self, name: str) -> bool:
        """Tell whether a side table has this name, or is a file that is there.

        Examples
        --------
        >>> knowledge = AdversaryKnowledge(Side.of({"voters": {"name": ["Ann"], "age": [30]}}))
        >>> knowledge.has("voters"), knowledge.has("external")
        (True, False)
        """
        return name in self.side.given or self.side.path(name).is_file()

    def part(self, start: float, share: float) -> Self:
        """Tell of a part of the work as of the whole."""
        return evolve(self, progress=lambda done, words: self.progress(start + share * done, words))
