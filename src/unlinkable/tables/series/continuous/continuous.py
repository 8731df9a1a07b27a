"""continuous: publish a table that only grows, so that nobody can be followed through releases.

Each release has all records so far. Whoever holds several knows that every record of one has its
own in the next, and strikes out those that cannot be a victim's (`correspondence`). The next
release is told as precisely as leaves everybody with enough candidates; nothing is delayed, and
nothing made up [1]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, J. Pei. "Anonymity for continuous data publishing." EDBT
   2008. Section 10.2 in Fung, Wang, Fu, Yu: "Introduction to Privacy-Preserving Data Publishing."
   2010.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import evolve, field, frozen

from unlinkable.errors import UnsupportedError
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.series import Correspondence, SeriesAttack, Targets, as_targets
from unlinkable.tables.methods.base import Method
from unlinkable.tables.methods.cuts import Numbers, Score, TopDownSpecialization
from unlinkable.tables.metrics import Squares
from unlinkable.tables.publishing.releases import Release
from unlinkable.tables.series.bounds import series_bounds
from unlinkable.tables.series.continuous.bcf_anonymizer import BCFAnonymizer
from unlinkable.tables.series.continuous.crack_check import Bounds
from unlinkable.tables.series.continuous.earlier_releases import EarlierReleases
from unlinkable.tables.series.membership_attacks import MEMBERSHIP_ATTACKS, membership_attacks
from unlinkable.tables.series.policy import Past, Policy, Request
from unlinkable.typing import CountArray

__all__ = ["Continuous"]


@frozen
class Continuous(Policy):
    r"""Specialize each release as far as all of them together leave k candidates (BCF-anonymity).

    For everybody, by what he shows and the release that has him first, F-, C- and B-attack leave
    at least k records that could be his, in any release; and if a share was promised, at most that
    share of them has the same sensitive value. What earlier releases promised is kept as well: the
    strictest k and share of all of them count. Starting from the top of all taxonomies, one value
    after the other is replaced by its children, the one with the best score first, as long as this
    is so.

    FA, CA and BA do not rise as the next release is specialized (theorem 10.5), so that a step that
    failed need not be tried again. That is exact for BA, and for all of them if ``targets`` is
    actual. With possible targets a step may take away a kind of people that could only seem to be
    there, and FA rise: the release is as safe, but perhaps a further step could have been made. A
    promised share may rise and fall in any case. No release comes out that was not judged.

    Two things follow: there must be at least k new people in a release, or none; and the first
    release must be k-anonymous by itself, which it is. With more than two releases the bound that
    is kept is on what the best attacks and their composition crack, see `correspondence`.

    That is all that the search looks at. Whoever knows in addition who is in which group may find
    more. If he does (`guards`), the search is stopped after half of its steps, then after half of
    these, until nobody falls.

    Parameters
    ----------
    targets
        Who must be safe: everybody who could be in the releases by what they show (``possible``),
        or those who are in them (``actual``), which allows to tell more.
    score
        Which step is the best: the one that changes most how many people can be told apart
        (``discernibility``), or the one that brings the loss that was asked for down most
        (``loss``); ``igpl`` and ``information-gain`` as in top-down-specialization.
    squares
        For the score discernibility: whether it is counted by the squared sizes of the groups
        ``before`` a step, as it was published, by those ``after`` it, or by the ``reduction`` from
        the first to the second.
    numbers
        Whether numbers are ``split`` most evenly, where the ranges of earlier releases allow it, or
        follow their ``taxonomy``.

    Cost
    ----
    That of top-down-specialization; in each step O(p v) more, for p combinations of classes of all
    releases that the step concerns, with v values each.

    Raises
    ------
    UnsupportedError
        If another method is asked for than top-down-specialization, a promise cannot be held to
        several releases, somebody has left or changed or has several records, a column numbers the
        records, or earlier releases were made in another way.
    InfeasibleError
        If too few people are new, or earlier releases leave too little already.

    Examples
    --------
    >>> import numpy as np
    >>> from unlinkable.tables.series.next_release import next_release
    >>> from unlinkable.tables.models import KAnonymity
    >>> from unlinkable.tables.data import as_table
    >>> people = {"born": ["UK", "UK", "FR", "FR", "FR", "FR", "UK", "UK"],
    ...     "ill": ["flu", "hiv", "flu", "hiv", "flu", "hiv", "flu", "hiv"]}
    >>> past = Past()
    >>> for n in (4, 8):
    ...     table = as_table({name: v[:n] for name, v in people.items()}, quasi="born",
    ...         sensitive="ill")
    ...     request = Request(table, np.arange(n), (KAnonymity(2),))
    ...     made = next_release(Continuous(), request, past)
    ...     past = Past((*past.editions, made.edition), made.memory, n)
    >>> made.release.n_groups, made.outcomes[0].details["FA"]
    (2, 2)
    """

    name: ClassVar[str] = "continuous"
    reference: ClassVar[str] = "Fung, Wang, Fu and Pei 2008"
    scenario: ClassVar[str] = (
        "records only come: each release has all of them, and what a record says never changes"
    )
    guards: ClassVar[tuple[str, ...]] = ("correspondence", *MEMBERSHIP_ATTACKS)
    is_undone_by_names: ClassVar[bool] = True

    targets: Targets = field(default=Targets.POSSIBLE, converter=as_targets)
    score: Score = field(default=Score.DISCERNIBILITY, converter=Score)
    squares: Squares = field(default=Squares.REDUCTION, converter=Squares)
    numbers: Numbers = field(default=Numbers.SPLIT, converter=Numbers)

    def method_for(self, request: Request, past: Past) -> Method:
        asked = self._asked(request)
        k, c = self._bounds(request, past)
        _refuse_table(request.people)
        _refuse_past(request, past)
        earlier_releases = EarlierReleases.of(request, past, self.targets)
        bounds = Bounds(k, c, self.targets is Targets.ACTUAL)
        return BCFAnonymizer.like(asked, self, earlier_releases, bounds)

    def adversaries(self, request: Request, past: Past) -> tuple[SeriesAttack, ...]:
        k, c = self._bounds(request, past)
        bounds = {
            column: self._bounds(request, past, column) for column in request.table.schema.sensitive
        }
        return (Correspondence(k, targets=self.targets, limit=c), *membership_attacks(bounds))

    def instead_of(self, fallen: Release, request: Request, past: Past) -> Method | None:
        """Stop after half of the steps; with none at all nobody falls who has not before.

        If all show the same, whoever subtracts an earlier release is left with all who are new, and
        with whole groups of the earlier one. The new ones were seen to be enough, and different
        enough, before the search; of others nothing is told.
        """
        method, n_steps = fallen.method, int(fallen.outcome.effort["steps"])
        assert isinstance(method, BCFAnonymizer)
        return evolve(method, steps=n_steps // 2) if n_steps else None

    def _bounds(
        self, request: Request, past: Past, column: str | None = None
    ) -> tuple[int, Fraction]:
        """Give the strictest numbers that any release promised, of a column or of any."""
        promises = [request.models, *(edition.target.promises for edition in past.editions)]
        bounds = [series_bounds(models, self, column) for models in promises]
        return max(k for k, _ in bounds), min(c for _, c in bounds)

    def _asked(self, request: Request) -> TopDownSpecialization:
        """Give the specialization that was asked for, or the one of the parameters."""
        method = request.method
        if method is None:
            return TopDownSpecialization(
                score=self.score, squares=self.squares, numbers=self.numbers
            )
        if type(method) is not TopDownSpecialization:
            raise UnsupportedError(
                f"continuous specializes releases itself, and cannot use {method}: leave the "
                "method out, ask for top-down-specialization, or publish with incremental"
            )
        return method


def _refuse_table(people: CountArray) -> None:
    if np.unique(people).size < people.size:
        raise UnsupportedError(
            "somebody has several records, and continuous releases have one record of each person: "
            "keep one of them, or join them"
        )


def _refuse_past(request: Request, past: Past) -> None:
    """Refuse releases that records cannot be followed through, and tables that have shrunk."""
    quasi = set(request.table.schema.quasi)
    for edition in past.editions:
        is_made_up = edition.people is not None and bool((edition.people < 0).any())
        is_true = edition.target.is_truthful and edition.target.is_alike
        if edition.target.bucket is not None or not is_true or is_made_up:
            raise UnsupportedError(
                f"{edition.name} is not of generalized records alone, and continuous releases are: "
                "with buckets or made up records the new ones would stand out by subtraction. "
                "Start a new series"
            )
        if edition.people is None or set(edition.target.quasi) != quasi:
            raise UnsupportedError(
                f"{edition.name} has other quasi-identifying columns, or it is not known whose its "
                "records are: continuous releases have the same columns. See sequential"
            )
        n_gone = int((~np.isin(edition.people, request.people)).sum())
        if n_gone:
            who = quantity(
                n_gone, f"person of {edition.name} has", f"people of {edition.name} have"
            )
            raise UnsupportedError(
                f"{who} left, and continuous releases are of tables that only grow: keep their "
                "records, or publish with m-invariance"
            )
