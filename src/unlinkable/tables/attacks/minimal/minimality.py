"""minimality: what the choice of an algorithm gives away of what it chose for.

An algorithm that generalizes no more than it must tells by what it did what it had to do. Two
engineers and five lawyers are published as seven professionals, two of them with HIV, because no
job may have more than 60 % of it. Had both been lawyers, or one of each job, nothing would have
been generalized: so both engineers have HIV, although the release seems to say two in seven [1]_,
[2]_.

The adversary needs no insight into the algorithm. They run it on every table that the release may
have been made from, and keeps those of which it makes this very release.

References
----------
.. [1] R. C.-W. Wong, A. W.-C. Fu, K. Wang, J. Pei. "Minimality attack in privacy preserving data
   publishing." VLDB 2007.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.5.1, Example 5.1.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import UnsupportedError
from unlinkable.params import as_columns, at_least, exact, is_share, positive
from unlinkable.tables.attacks.base.attack import Attack, Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.grouped.shared.beliefs import no_people
from unlinkable.tables.attacks.minimal.shared.algorithm_replay import (
    Assumption,
    MethodReplay,
    NeedReplay,
    Selective,
    as_assumption,
    finest,
    one_step_finer,
)
from unlinkable.tables.attacks.minimal.shared.consistent_tables import (
    ConsistencyCheck,
    ConsistentTables,
)
from unlinkable.tables.attacks.minimal.shared.disclosure import Disclosure
from unlinkable.tables.attacks.minimal.shared.possible_tables import PossibleTables
from unlinkable.tables.attacks.minimal.shared.record_owners import (
    RecordOwners,
    as_it_was,
    told_columns,
)
from unlinkable.tables.models import refuse_invalid_values
from unlinkable.tables.models.base import All, Bound, GroupModel, SensitiveGoal, Threat
from unlinkable.typing import Columns

__all__ = ["Minimality"]


@frozen
class Minimality(Attack):
    r"""Find out what people hide from what a known algorithm would have published otherwise.

    The adversary has a list of everybody with exact quasi-identifiers. Let :math:`W` be the tables
    that deal out the hidden values of each published group to the people in it, and :math:`A` the
    algorithm. The tables :math:`C = \{w \in W : A(w) = T\}` remain, and the belief that a person
    has a value is the share of the tables in C in which it is so. Without knowing A, this share is
    taken over W: it is the share of the value in the person's group.

    Tables that differ only in who of several people with equal quasi-identifiers has what are one
    class, which is asked about once and counts as often as it has tables. If there are at most
    ``most_worlds`` classes, all are asked about and beliefs are exact. Otherwise tables are drawn
    from W, and those that are kept are independent draws from C: shares of them are estimates whose
    bounds hold for any number of them, and a person is exposed only if the lower bound is above the
    limit. The same is done if the method draws by chance: a table is then kept as likely as it
    leads to this release.

    Parameters
    ----------
    sensitive
        The sensitive column to attack; each of them if not given.
    values
        Only these sensitive values count; all if not given.
    assumes
        What the adversary knows: ``method`` runs the method; ``minimal`` and ``one-step`` know only
        the promises, and that more precise releases break them. If not given, the method if it is
        at hand, and ``minimal`` otherwise.
    external
        The list of everybody whose record the release was made from, with all quasi-identifying
        columns. People who fit no published record are taken for left out, and what they hide for
        what any published record hides.
    identity
        The column of the list with people's names; the first that is not published if not given.
    most_worlds
        How many tables are asked about at most.
    seconds
        About how long this may take. What all tables would take longer for is estimated.
    limit
        Highest confidence allowed: a person is exposed if the adversary is more confident.

    Needs
    -----
    A list of everybody, the promises, and the method or the certainty that it does not generalize
    without need.

    Finds
    -----
    For each person the likeliest value, and its confidence; how many tables are possible, and of
    how many this release would have been made.

    Cost
    ----
    A run of the method for each table that is asked about.

    Raises
    ------
    SchemaError
        If the list lacks a quasi-identifying column.
    DataError
        If the list does not have as many people in a group as the release, or no record has one of
        the values.
    UnsupportedError
        If no possible table, or too few of those drawn, lead to this release.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.models import ConfidenceBounding
    >>> from unlinkable.tables.taxonomies import observe
    >>> from unlinkable.tables.taxonomies.builders import Tree
    >>> from unlinkable.tables.data.side import Side
    >>> told = pl.DataFrame({"job": ["Professional"] * 7, "ill": ["HIV"] * 2 + ["Flu"] * 5})
    >>> names = ["Andy", "Bob", "Calvin", "Doug", "Eddy", "Fred", "Gabriel"]
    >>> staff = pl.DataFrame({"name": names, "job": ["Engineer"] * 2 + ["Lawyer"] * 5})
    >>> jobs = Tree({"Professional": ["Engineer", "Lawyer"], "Artist": ["Dancer", "Writer"]})
    >>> promise = ConfidenceBounding("job -> ill = HIV <= 60%")
    >>> target = Target(told, ("job",), ("ill",), {"job": jobs.build(observe("job", staff["job"]))},
    ...     promises=(promise,))
    >>> attack = Minimality(values="HIV")
    >>> outcome = attack.run(target, AdversaryKnowledge(Side.of({"external": staff})))
    >>> outcome.details["worlds"], outcome.details["consistent_worlds"]
    (21, 1)
    >>> [(victim.who["name"], victim.learned, victim.confidence) for victim in outcome.victims[:2]]
    [('Andy', {'ill': 'HIV'}, 1.0), ('Bob', {'ill': 'HIV'}, 1.0)]
    """

    name: ClassVar[str] = "minimality"
    reference: ClassVar[str] = "Wong, Fu, Wang and Pei 2007"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    needs: ClassVar[str] = (
        "a list of everybody in the table with exact quasi-identifiers, and the method and the "
        "promises by which the release was made"
    )
    remedy: ClassVar[str] = (
        "do not let what is hidden decide what is shown: m-confidentiality, k-anonymity alone "
        "followed by distorting the values of groups that are not diverse, or noise "
        "(differential-privacy)"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("m-confidentiality", "differential-privacy")

    sensitive: str | None = None
    values: Columns | None = field(default=None, converter=as_columns, kw_only=True)
    assumes: Assumption | None = field(default=None, converter=as_assumption, kw_only=True)
    external: str = field(default="external", kw_only=True)
    identity: str | None = field(default=None, kw_only=True)
    most_worlds: int = field(default=20_000, validator=at_least(1), kw_only=True)
    seconds: Fraction = field(
        default=Fraction(30), converter=exact, validator=positive, kw_only=True
    )
    limit: Fraction = field(
        default=Fraction(1, 2), converter=exact, validator=is_share, kw_only=True
    )

    @values.validator
    def _are_texts(self, attribute: object, value: Columns | None) -> None:
        refuse_invalid_values(value)

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        if why := no_people(target):
            return why
        if not len(target):
            return "no record is published"
        if not knowledge.has(self.external):
            return (
                "it takes a list of everybody with exact quasi-identifiers: give it with "
                f"{self.external}=..."
            )
        if self._assumed(knowledge) is Assumption.METHOD:
            if knowledge.oracle is None:
                return "the method that made the release is not at hand: let assumes=minimal"
            return None
        return _why_not_judged(target)

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        everybody = RecordOwners.of(target, knowledge, self.external, self.identity)
        told = told_columns(target, knowledge)
        target = as_it_was(target, told, knowledge)
        read = self._read(target, told, knowledge)
        tables = PossibleTables.of(target, everybody.people, read)
        if read != told and not tables.is_apart:
            tables = PossibleTables.of(target, everybody.people, told)
        about, seconds = target.columns_about(self.sensitive), float(self.seconds)
        check = ConsistencyCheck(
            tables, target, about, self.values, self.most_worlds, seconds, knowledge.progress
        )
        if self._assumed(knowledge) is Assumption.METHOD:
            consistent = _by_method(check, knowledge)
        else:
            consistent = self._by_need(check, knowledge)
        assumed = self._assumed(knowledge)
        return Disclosure(
            self, everybody, tables, consistent, assumed.value, assumed.words
        ).outcome()

    def value_ceiling(self, model: GroupModel, goal: SensitiveGoal) -> Bound:
        # An adversary who knows more of the method is not bounded.
        return model.minimality_ceiling(goal) if self.assumes is Assumption.MINIMAL else None

    def _assumed(self, knowledge: AdversaryKnowledge) -> Assumption:
        if self.assumes is not None:
            return self.assumes
        return Assumption.MINIMAL if knowledge.oracle is None else Assumption.METHOD

    def _read(self, target: Target, told: Columns, knowledge: AdversaryKnowledge) -> Columns:
        """Name the columns that have to be dealt out: what nobody looks at decides nothing.

        If everybody fits one group, each table of these columns stands for as many whole ones.
        """
        if self._assumed(knowledge) is not Assumption.METHOD:
            read = {name for names in All(target.promises).needs() for name in names}
        elif isinstance(knowledge.oracle, Selective):
            read = set(knowledge.oracle.reads)
        else:
            return told
        return tuple(name for name in told if name in read or name in target.sensitive)

    def _by_need(self, check: ConsistencyCheck, knowledge: AdversaryKnowledge) -> ConsistentTables:
        tables, target = check.tables, check.target
        if not tables.is_apart:
            raise UnsupportedError(
                "some people fit several groups, and only the method itself can say in which they "
                "are: let assumes=method"
            )
        if self.assumes is Assumption.ONE_STEP:
            frames, people = one_step_finer(tables, target)
        else:
            frames, people = finest(tables)
        asks = NeedReplay.of(tables, target, frames, people)
        return check.all(asks) or check.some(asks, knowledge.rng)


def _by_method(check: ConsistencyCheck, knowledge: AdversaryKnowledge) -> ConsistentTables:
    """Ask the method: about all tables if it does not draw by chance."""
    oracle, chance = knowledge.oracle, np.random.default_rng(int(knowledge.rng.integers(1 << 62)))
    assert oracle is not None
    asks = MethodReplay(check.tables, check.target, oracle, chance)
    if oracle.is_random:
        return check.some(asks, knowledge.rng)
    if knowledge.truth is not None:
        asks.require_same(knowledge.truth.table)
    before = chance.bit_generator.state
    consistent = check.all(asks)
    # A method may draw by chance for some tables only.
    if consistent is None or chance.bit_generator.state != before:
        return check.some(asks, knowledge.rng)
    if not consistent.n_kept:
        raise UnsupportedError(
            f"none of the {consistent.n_tables:,} tables that the list and the release allow leads "
            "to this release: the list is of other people, or the release was made in another way"
        )
    return consistent


def _why_not_judged(target: Target) -> str | None:
    """Say why it cannot be judged which tables would have broken a promise; None if it can."""
    if target.bucket is not None:
        return "nothing is generalized in buckets: let assumes=method"
    if not target.promises:
        return "it is not told what was promised, so nobody knows what had to be generalized"
    for model in target.promises:
        names = {name for needed in model.needs() for name in needed}
        if strange := sorted(names - set(target.frame.columns)):
            return f"{model} refers to {strange[0]!r}, which is not told: let assumes=method"
    return None
