"""Links: who of a list could have which records, and what these hide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np
from attrs import define

from unlinkable.kernels.counting import expand_stretches, tally
from unlinkable.kernels.linkage import likeliest
from unlinkable.tables.attacks.base.target import Target
from unlinkable.tables.attacks.shared.matching import MOST_PAIRS, Matching
from unlinkable.tables.data import SideTable
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import BoolArray, CodeArray, Columns, CountArray, FloatArray

__all__ = ["Guess", "Hidden", "Links", "link"]


@define(eq=False, frozen=True)
class Hidden:
    """How many records with each look hide each value; in buckets, how many are to be expected.

    Attributes
    ----------
    indptr, values, amounts
        CSR: ``values[indptr[look]:indptr[look + 1]]`` are the codes.
    taxonomy
        What the codes mean.
    """

    indptr: CountArray
    values: CodeArray
    amounts: FloatArray
    taxonomy: Taxonomy

    @classmethod
    def of(cls, target: Target, column: str, matching: Matching) -> Hidden:
        """Count what the records with each look hide."""
        table = target.table(target.alike, (column,))
        taxonomy, n_looks = table.taxonomy(column), matching.first_look.size
        if target.bucket is None:
            codes = table.codes(column)
            indptr, values, counts = tally(matching.look, codes, n_looks, taxonomy.n)
            return cls(indptr, values, counts.astype(float), taxonomy)
        counted = target.counted([(column,)])
        shares, buckets = counted.finest.histograms[column,], counted.labels
        # An adversary who finds a record finds its bucket, and in it every value with its share.
        places = tally(matching.look, buckets, n_looks, len(counted.finest))
        row = np.repeat(np.arange(n_looks), np.diff(places[0]))
        width = shares.distinct[places[1]]
        of, at = expand_stretches(shares.indptr[places[1]], width)
        share = shares.counts[at] / counted.finest.sizes[places[1]][of]
        indptr = np.append(0, np.cumsum(np.bincount(row, width, n_looks))).astype(np.int64)
        amounts = share * places[2][of]
        return cls(indptr, shares.values[at], amounts, taxonomy)

    def among(self, looks: CodeArray) -> dict[str, float]:
        """Add up what some looks hide, likeliest value first."""
        sums = np.zeros(self.taxonomy.n)
        for look in looks.tolist():
            entries = slice(*self.indptr[look : look + 2])
            np.add.at(sums, self.values[entries], self.amounts[entries])
        order = np.argsort(-sums, kind="stable")
        return {self.taxonomy.domain.text(int(c)): float(sums[c]) for c in order if sums[c] > 0}


@define(eq=False, frozen=True)
class Guess:
    """What is likeliest among the records that people match.

    Attributes
    ----------
    code
        By person, the value; -1 if there is none, or nobody looked.
    amount
        How many of the matching records hide it; in buckets, how many are to be expected.
    taxonomy
        What the codes mean.
    """

    code: CodeArray
    amount: FloatArray
    taxonomy: Taxonomy

    def text(self, person: int) -> str:
        """Write the likeliest value of a person."""
        return self.taxonomy.domain.text(int(self.code[person]))


@define(eq=False, frozen=True, slots=False)
class Links:
    """What a join of a list with a release tells.

    Attributes
    ----------
    people
        The list.
    choices
        The sets of columns that were joined on; several if only so many columns are known.
    choice
        By person, the set of columns that narrows them down most.
    n_records
        By person, how many records could be theirs, judging by that set; 0 if none.
    n_alike
        By person, how many people of the list show the same on that set, the person included.
    guesses
        By sensitive column, what is likeliest for each person.
    n_candidates
        By published record, how many people of the list could have it; where several sets were
        joined on, the fewest that any of them leaves.
    n_owned
        How many groups of records that look alike match as many people as records, so that all
        owners are known if they are on the list; and how many records these are.
    little_known
        The columns of which the release knows hardly any value of the list, with its share.
    """

    people: SideTable
    choices: tuple[Columns, ...]
    choice: CodeArray
    n_records: CountArray
    n_alike: CountArray
    guesses: Mapping[str, Guess]
    n_candidates: CountArray
    n_owned: tuple[int, int]
    little_known: Mapping[str, float]

    @property
    def probability(self) -> FloatArray:
        """By person, the chance that a matching record is theirs; 0 if there is none."""
        return np.divide(1, self.n_records, out=np.zeros(len(self.n_records)), where=self.is_met)

    @property
    def is_met(self) -> BoolArray:
        """Who matches some record."""
        met: BoolArray = self.n_records > 0
        return met

    @property
    def is_singled_out(self) -> BoolArray:
        """Who matches exactly one record."""
        single: BoolArray = self.n_records == 1
        return single

    def is_certain(self, column: str) -> BoolArray:
        """Tell for whom all matching records hide the same value."""
        certain: BoolArray = self.is_met & (self.guesses[column].amount == self.n_records)
        return certain

    @cached_property
    def knows_values(self) -> bool:
        """Whether there were few enough pairs to look at what they hide."""
        return all((guess.code[self.is_met] >= 0).all() for guess in self.guesses.values())


def link(
    target: Target, people: SideTable, matchings: Iterable[Matching], sensitive: Columns
) -> Links:
    """Find everybody's matching records, by the set of columns that narrows them down most."""
    n = len(people)
    choice, n_records = np.zeros(n, np.int32), np.zeros(n, np.int64)
    n_alike, owned = np.zeros(n, np.int64), (0, 0)
    little_known: dict[str, float] = {}
    n_candidates = np.zeros(len(target), np.int64)
    codes = {name: np.full(n, -1, np.int32) for name in sensitive}
    amounts = {name: np.zeros(n) for name in sensitive}
    taxonomies: dict[str, Taxonomy] = {}
    choices: list[Columns] = []
    for i, matching in enumerate(matchings):
        choices.append(matching.columns)
        little_known |= matching.little_known
        found = matching.n_records()[matching.kind]
        is_better = (found > 0) & ((n_records == 0) | (found < n_records))
        choice[is_better], n_records[is_better] = i, found[is_better]
        n_alike[is_better] = matching.kind_sizes[matching.kind[is_better]]
        for name in sensitive:
            hidden = Hidden.of(target, name, matching)
            taxonomies[name] = hidden.taxonomy
            code, amount = _guess(matching, hidden)
            codes[name][is_better] = code[matching.kind[is_better]]
            amounts[name][is_better] = amount[matching.kind[is_better]]
        met = matching.n_people()[matching.look]
        is_fewer = (met > 0) & ((n_candidates == 0) | (met < n_candidates))
        n_candidates[is_fewer] = met[is_fewer]
        is_owned = matching.n_people() == matching.look_sizes
        records = int(matching.look_sizes[is_owned].sum())
        owned = max(owned, (int(is_owned.sum()), records), key=lambda pair: pair[1])
    guesses = {name: Guess(codes[name], amounts[name], taxonomies[name]) for name in sensitive}
    return Links(
        people, tuple(choices), choice, n_records, n_alike, guesses, n_candidates, owned,
        little_known,
    )  # fmt: skip


def _guess(matching: Matching, hidden: Hidden) -> tuple[CodeArray, FloatArray]:
    """Find the likeliest value of each kind, unless there are too many pairs to look at."""
    n = matching.first.size
    code, amount = np.full(n, -1, np.int32), np.zeros(n)
    if matching.n_pairs <= MOST_PAIRS:
        for kinds, indptr, looks in matching.chunks():
            code[kinds], amount[kinds], _ = likeliest(
                indptr, looks, hidden.indptr, hidden.values, hidden.amounts, hidden.taxonomy.n
            )
    return code, amount
