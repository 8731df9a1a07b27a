"""definetti: what all buckets together tell of who has what.

Anatomy publishes what people show beside the number of their bucket, and the hidden values by
bucket. In a bucket with a smoker and a non-smoker, and one case of cancer, each has it with a
chance of one half, one would think. But wherever there is cancer in the release there is also a
smoker in the bucket, and where there are no smokers there is none. An adversary who learns what
goes with what from all buckets believes with 84 % that it is the smoker's [1]_, [2]_.

References
----------
.. [1] D. Kifer. "Attacks on privacy and deFinetti's theorem." SIGMOD 2009.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.5.2, example 5.2.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

from attrs import field, frozen
from attrs.validators import optional

from unlinkable.params import at_least, at_most, exact, exact_or_none, is_share, positive
from unlinkable.release.attacks import Outcome, Threat
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.grouped.shared.beliefs import no_people
from unlinkable.tables.attacks.shared.victims import name_column
from unlinkable.tables.attacks.worlds.shared.learning import (
    LearnedBeliefs,
    learn_by_all,
    learn_by_chains,
    log_worlds,
)
from unlinkable.tables.attacks.worlds.shared.learning_report import report_learned
from unlinkable.tables.attacks.worlds.shared.members import Members, People
from unlinkable.typing import Columns

__all__ = ["DeFinetti"]


@frozen(kw_only=True)
class DeFinetti(Attack):
    r"""Learn from all buckets which values go with what people show, and guess with that.

    By de Finetti's theorem, people of whom nobody knows which is which are as if drawn from one
    unknown distribution, of which each bucket tells something. A world :math:`w` hands the values
    of all buckets to their people, and weighs :math:`p(w) \propto \prod_s \prod_j \prod_v
    \Gamma(n_{s,j,v}(w) + \alpha)`, where :math:`n_{s,j,v}` people with the value :math:`s` show
    :math:`v` on column :math:`j` (naive Bayes: what people show on different columns goes together
    only through the value). :math:`P(t = x)` is the share of the worlds in which :math:`t` has
    :math:`x`. A bucket promises that it is the share of :math:`x` in the bucket.

    Parameters
    ----------
    sensitive
        The sensitive column to attack; each of them if not given.
    external
        A side table with everybody who may be in the release, and what they really show. With it,
        groups that are generalized are learned from as well. It is not needed in buckets.
    identity
        The column of the list that names people; the first that is not published if not given.
    smoothing
        How alike people with different values are beforehand, the alpha of the formula: 1 if every
        way in which those with a value may show things is as likely as any other, more if all are
        likely alike. If not given, it is learned from the release for each column; it is 1 if all
        worlds are gone through.
    exact_up_to
        So many worlds are all gone through. Of more, a sample is drawn.
    chains
        How many samples of worlds are drawn, each by itself.
    rounds
        How often everybody is looked at in each of them. The first half only leads there. Chains
        that do not agree go on for up to twice as long again.
    seconds
        How long worlds may be drawn for each column: there are fewer rounds if all would take
        longer, which the finding then says.
    limit
        Highest confidence allowed: a person is exposed if the adversary is more confident.

    Needs
    -----
    The release; and what the victim shows.

    Finds
    -----
    For everybody the likeliest value and how likely it is, against the share of it in the bucket;
    with the original records at hand, how many guesses are right. If a sample was drawn, a person
    is exposed if the confidence is above the limit by more than its error, and nobody is unless the
    interval of the highest one lies above the limit. What people show on several columns may go
    together for other reasons than their values: then the confidence is higher than the accuracy.

    Cost
    ----
    O(r n v d) for r rounds in all chains, n people, d columns and v values in a bucket: 100,000
    people with 8 columns take 3 to 20 seconds. The table of what people with each value show is
    drawn anew in every round: many different sensitive values take long. O(w n) for w worlds.

    Raises
    ------
    SchemaError
        If a column is missing.

    Examples
    --------
    >>> import polars as pl
    >>> ward = pl.DataFrame({"smokes": list("yynnynyynnyn"), "bucket": list("112233445566"),
    ...     "ill": ["cancer", "flu", "flu", "no", "cancer", "no", "cancer", "no", "flu", "no",
    ...         "cancer", "no"]})
    >>> outcome = DeFinetti().run(Target(ward, ("smokes",), ("ill",), bucket="bucket"))
    >>> round(outcome.highest, 5), outcome.details["promised"], outcome.details["worlds"]
    (0.84375, 0.5, 64)
    """

    name: ClassVar[str] = "definetti"
    reference: ClassVar[str] = "Kifer 2009"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    needs: ClassVar[str] = "the release and what the victim shows: nothing else"
    remedy: ClassVar[str] = (
        "generalize what people of a bucket show until they are alike, or put people into a bucket "
        "who are about as likely to have its values (bt-privacy, or r-robustness with a prior that "
        "the table itself tells); differential-privacy does not depend on what goes together"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("differential-privacy",)

    sensitive: str | None = None
    external: str = "external"
    identity: str | None = None
    smoothing: Fraction | None = field(
        default=None, converter=exact_or_none, validator=optional(positive)
    )
    exact_up_to: int = field(default=100_000, validator=at_least(0))
    chains: int = field(default=4, validator=[at_least(2), at_most(1000)])
    rounds: int = field(default=100, validator=[at_least(8), at_most(1_000_000)])
    seconds: Fraction = field(default=Fraction(30), converter=exact, validator=positive)
    limit: Fraction = field(default=Fraction(1, 2), converter=exact, validator=is_share)

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        if why := no_people(target):
            return why
        if target.bucket is None and not knowledge.has(self.external):
            return (
                "everybody in a group shows the same, so that nobody can be told apart: it is for "
                f"buckets, or give a list of people with {self.external}=..."
            )
        columns = target.columns_about(self.sensitive)
        if all(self._hides_nothing(target, column) for column in columns):
            return "every group hides a single value: there is nothing left to learn"
        if target.bucket is None and not any(self._settles(target, knowledge, c) for c in columns):
            return (
                f"of no group with several values {self.external!r} tells who is in it. It must "
                "have everybody who is in the release"
            )
        return None

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        columns = [
            column
            for column in target.columns_about(self.sensitive)
            if not self._hides_nothing(target, column)
            and (target.bucket is not None or self._settles(target, knowledge, column))
        ]
        n = len(columns)
        outcomes = [
            self._attack(target, knowledge.part(i / n, 1 / n), column)
            for i, column in enumerate(columns)
        ]
        return max(outcomes, key=lambda outcome: (outcome.n_fallen, outcome.highest))

    def learned(self, target: Target, knowledge: AdversaryKnowledge) -> LearnedBeliefs:
        """Say what is believed of everybody, of the column that was asked for or the first one."""
        column = target.columns_about(self.sensitive)[0]
        members, columns = self._members(target, knowledge, column)
        return self._learn(People.of(members, columns), knowledge)

    def _attack(self, target: Target, knowledge: AdversaryKnowledge, column: str) -> Outcome:
        members, columns = self._members(target, knowledge, column)
        learned = self._learn(People.of(members, columns), knowledge)
        names = None
        if target.bucket is None:
            people = knowledge.side.open(self.external)
            identity = name_column(people, self.identity, target)
            names = None if identity is None else (identity, people.texts(identity))
        return report_learned(self, target, knowledge, column, columns, members, learned, names)

    def _learn(self, people: People, knowledge: AdversaryKnowledge) -> LearnedBeliefs:
        smoothing = None if self.smoothing is None else float(self.smoothing)
        if log_worlds(people.hidden) <= math.log(max(self.exact_up_to, 1)) + 1e-6:
            return learn_by_all(people, 1.0 if smoothing is None else smoothing)
        return learn_by_chains(
            people,
            self.chains,
            self.rounds,
            smoothing,
            knowledge.rng,
            knowledge.progress,
            float(self.seconds),
        )

    def _members(
        self, target: Target, knowledge: AdversaryKnowledge, column: str
    ) -> tuple[Members, Columns]:
        if target.bucket is not None:
            return Members.published(target, column, target.quasi), target.quasi
        people = knowledge.side.open(self.external)
        shown = tuple(name for name in target.quasi if name in people.columns)
        return Members.listed(target, column, people, shown), shown

    def _settles(self, target: Target, knowledge: AdversaryKnowledge, column: str) -> bool:
        """Whether the list tells who is in some group that hides something."""
        members, _ = self._members(target, knowledge, column)
        return bool((members.hidden.distinct > 1).any())

    def _hides_nothing(self, target: Target, column: str) -> bool:
        hidden = target.counted([(column,)]).finest.histograms[column,]
        return bool((hidden.distinct < 2).all())
