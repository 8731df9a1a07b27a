"""background-knowledge: the adversary knows facts or statistics about the victim and others.

A group of three hides heart disease, flu and flu. An adversary who knows that the victim has no flu
knows all; so does one who knows what the two others have. And one who knows that one man in ten,
and three women in a thousand, get lung cancer is 97 % sure whose it is when a man and a woman share
a group with one case of it. Three kinds of knowledge are tried here: facts on the victim, facts on
other people [1]_, [2]_, and how likely people who show something have a value [3]_.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Sections 2.2.1 and 2.5.1.
.. [2] B.-C. Chen, K. LeFevre, R. Ramakrishnan. "Privacy skyline: privacy with multidimensional
   adversarial knowledge." VLDB 2007.
.. [3] R. C.-W. Wong, A. W.-C. Fu, K. Wang, Y. Xu, J. Pei, P. S. Yu. "Probabilistic inference
   protection on anonymized data." ICDM 2010. Equations (1) to (3).
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import field, frozen

from unlinkable.errors import DataError, ParameterError, SchemaError
from unlinkable.params import at_least, exact, is_flag, is_share
from unlinkable.tables.attacks.base.attack import Attack, Outcome
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.grouped.shared.beliefs import no_groups, no_people
from unlinkable.tables.attacks.shared.victims import VictimNames, name_column
from unlinkable.tables.attacks.worlds.shared.facts import attack_with_facts
from unlinkable.tables.attacks.worlds.shared.members import Members, group_of_people
from unlinkable.tables.attacks.worlds.shared.posteriors import Posteriors
from unlinkable.tables.attacks.worlds.shared.prior_beliefs import (
    believe,
    report_weighed,
    says_all,
    speaks_of,
    tells_of,
)
from unlinkable.tables.models import KnowledgeAmounts, Prior
from unlinkable.tables.models.base import Bound, GroupModel, SensitiveGoal, Threat
from unlinkable.typing import Columns

__all__ = ["BackgroundKnowledge"]


@frozen(kw_only=True)
class BackgroundKnowledge(Attack):
    r"""Infer a sensitive value from facts on the victim, on others, or from statistics.

    The people of a group have its values, one each: a *world* hands them out. The adversary knows
    in which group the victim is. Without a prior all worlds are equally likely, and the adversary
    knows that the victim :math:`t` does not have some l values, what some k others have, and of
    some m further people that if one of them has the value, so has :math:`t`. The attack finds for
    every value which knowledge of that amount gives the highest confidence in it: with l values
    alone, those that are most frequent beside it are ruled out, and :math:`P(t = s) = n_s / (n -
    n_{v_1} - \dots - n_{v_l})`.

    With a prior :math:`p(s_j : x)`, how likely a person with the signature :math:`s_j` has the
    value :math:`x`, a world :math:`w` weighs :math:`p(w) = \prod_j p(s_j : w_j)`, and :math:`P(t =
    x) = \sum_{w: w_t = x} p(w) / \sum_w p(w)`. That is the *joint* reading. Taken one value at a
    time, a world only says who has :math:`x` and who has not. What bounds the one does not bound
    the other.

    Parameters
    ----------
    prior
        A side table that says how likely a value is for whom: columns of the table, ``value`` and
        ``p``, as r-robustness takes it.
    external
        A side table with everybody who may be in the release, and what they really show. With it,
        people are found in groups that are generalized. It is not needed in buckets.
    identity
        The column of the list that names people; the first that is not published if not given.
    negations
        How many values the adversary can rule out for the victim.
    others
        Of how many other people the adversary knows the values.
    same
        Of how many further people the adversary knows that none has the value unless the victim has
        it.
    joint
        Whether to weigh all values of a group at once. The prior must then say how likely every
        value is; if it does not, values are taken one at a time.
    sensitive
        The sensitive column to attack; each of them if not given.
    limit
        Highest confidence allowed: a person is exposed if the adversary is more confident.

    Needs
    -----
    The group of the victim, and the knowledge that the parameters say.

    Finds
    -----
    For everybody the confidence of an adversary with that much knowledge. Facts and small groups
    are computed exactly, up to rounding. Groups with more than 262,144 states are estimated, with
    an interval; then a person is exposed if the lower end of it is above the limit.

    Cost
    ----
    O(n) for facts. With a prior O(s v) for a group with v values and s states: the product of all
    counts of values plus one, or of all counts of signatures plus one, whichever is less.

    Raises
    ------
    ParameterError
        If what is asked cannot be known together.
    SchemaError
        If a column is missing.
    DataError
        If the prior does not say what is asked, or leaves no possible world for a group.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.data.side import Side
    >>> ward = pl.DataFrame({"sex": ["m", "f"], "bucket": ["1", "1"], "ill": ["flu", "cancer"]})
    >>> target = Target(ward, ("sex",), ("ill",), bucket="bucket")
    >>> BackgroundKnowledge(negations=1).run(target).highest
    1.0
    >>> known = {"sex": ["m", "f"], "value": ["cancer", "cancer"], "p": [0.1, 0.003]}
    >>> knowledge = AdversaryKnowledge(Side.of({"statistics": known}))
    >>> outcome = BackgroundKnowledge(prior="statistics").run(target, knowledge)
    >>> outcome.n_fallen, round(outcome.highest, 4)
    (1, 0.9736)
    """

    name: ClassVar[str] = "background-knowledge"
    reference: ClassVar[str] = "Wong et al. 2010; Chen, LeFevre and Ramakrishnan 2007"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE | Threat.PROBABILISTIC
    needs: ClassVar[str] = (
        "the group of the victim, and values that he cannot have, the values of other people, or "
        "how likely people who show something have a value"
    )
    remedy: ClassVar[str] = (
        "promise a bound for the knowledge that people may have: recursive-cl-diversity (values "
        "ruled out), skyline-privacy (facts on others), r-robustness, delta-bounding or "
        "privacy-maxent (statistics)"
    )
    stopped_by: ClassVar[tuple[str, ...]] = (
        "skyline-privacy",
        "recursive-cl-diversity",
        "r-robustness",
        "delta-bounding",
    )

    prior: str | None = None
    external: str = "external"
    identity: str | None = None
    negations: int = field(default=0, validator=at_least(0))
    others: int = field(default=0, validator=at_least(0))
    same: int = field(default=0, validator=at_least(0))
    joint: bool = field(default=True, validator=is_flag)
    sensitive: str | None = None
    limit: Fraction = field(default=Fraction(1, 2), converter=exact, validator=is_share)

    def __attrs_post_init__(self) -> None:
        if self.prior is None:
            return
        if self.others or self.same:
            raise ParameterError(
                "who has a prior cannot know others and same as well: try these two adversaries "
                "one after the other"
            )
        if self.negations and not self.joint:
            raise ParameterError(
                "negations and a prior need joint: values taken one at a time cannot be ruled out "
                "against each other"
            )

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        if why := (no_groups if self.prior is None else no_people)(target):
            return why
        if self.prior is not None and not knowledge.has(self.prior):
            return f"there is no prior {self.prior!r}: give a table of how likely who has what"
        is_open = self.prior is not None and target.bucket is None
        if is_open and not knowledge.has(self.external) and self._is_general(target, knowledge):
            return (
                "the release does not tell what people show on the columns of the prior: give a "
                f"list of people with {self.external}=..."
            )
        return None

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        columns = target.columns_about(self.sensitive)
        if self.prior is None:
            known = KnowledgeAmounts(self.negations, self.others, self.same)
            outcomes = [attack_with_facts(self, target, column, known) for column in columns]
        else:
            columns = self._columns_of_prior(target, knowledge, columns)
            outcomes = [self._weigh_worlds(target, knowledge, column) for column in columns]
        return max(outcomes, key=lambda outcome: (outcome.n_fallen, outcome.highest))

    def value_ceiling(self, model: GroupModel, goal: SensitiveGoal) -> Bound:
        facts = self.negations, self.others, self.same
        if self.prior is not None:
            return None if any(facts) else model.prior_ceiling(self.prior, joint=self.joint)
        return model.background_ceiling(goal, *facts)

    def posteriors(
        self, target: Target, knowledge: AdversaryKnowledge, *, joint: bool = True
    ) -> Posteriors:
        """Say what is believed of everybody, in one of the two readings.

        It is about the sensitive column that was asked for, or the first one. Nothing is ruled out.
        """
        column = target.columns_about(self.sensitive)[0]
        prior = self._prior(knowledge, column)
        if joint:
            prior.refuse_less_than_all()
        members = self._members(target, knowledge, column, prior)
        return believe(members, prior, column, knowledge, joint=joint)

    def _is_general(self, target: Target, knowledge: AdversaryKnowledge) -> bool:
        """Whether some people show what the prior has no row for, or do not show it at all."""
        column = target.columns_about(self.sensitive)[0]
        prior = self._prior(knowledge, column)
        if not set(prior.columns) <= set(target.frame.columns):
            return True
        members = Members.published(target, column, prior.columns)
        return not tells_of(prior, members, column)

    def _weigh_worlds(self, target: Target, knowledge: AdversaryKnowledge, column: str) -> Outcome:
        prior = self._prior(knowledge, column)
        if self.negations:
            prior.refuse_less_than_all()
        members = self._members(target, knowledge, column, prior)
        readings = {}
        if not self.negations:
            readings["value"] = believe(members, prior, column, knowledge, joint=False)
        if self.joint and says_all(prior):
            jointly = believe(members, prior, column, knowledge, joint=True)
            readings["joint"] = jointly.without(self.negations)
        naming = self._naming(target, knowledge, members, prior.columns)
        return report_weighed(self, column, members, readings, naming)

    def _columns_of_prior(
        self, target: Target, knowledge: AdversaryKnowledge, columns: Columns
    ) -> Columns:
        """Leave out columns of whose values the prior says nothing."""
        found: Columns = ()
        for column in columns:
            hidden = target.counted([(column,)]).finest.histograms[column,]
            if (speaks_of(self._prior(knowledge, column), hidden) & (hidden.total > 0)).any():
                found += (column,)
        if not found:
            raise DataError(
                f"prior {self.prior!r} speaks of no value that occurs in "
                f"{', '.join(map(repr, columns))}: write values as they are published"
            )
        return found

    def _prior(self, knowledge: AdversaryKnowledge, column: str) -> Prior:
        if self.prior is None:
            raise ParameterError("prior must name a side table: without one, nothing is believed")
        prior = Prior.read(knowledge.side.open(self.prior))
        if column in prior.columns:
            raise SchemaError(
                f"prior {prior.name!r} has a column {column!r}, which is what the attack is about: "
                "it must say for whom a value is how likely, not for which value"
            )
        return prior

    def _members(
        self, target: Target, knowledge: AdversaryKnowledge, column: str, prior: Prior
    ) -> Members:
        """Take people from the list if it tells more of them than the release does."""
        is_published = set(prior.columns) <= set(target.frame.columns)
        if knowledge.has(self.external) and not (target.bucket and is_published):
            people = knowledge.side.open(self.external)
            return Members.listed(target, column, people, prior.columns)
        return Members.published(target, column, prior.columns)

    def _naming(
        self, target: Target, knowledge: AdversaryKnowledge, members: Members, shown: Columns
    ) -> VictimNames:
        if not knowledge.has(self.external):
            return VictimNames(target, members.groups, shown)
        people = knowledge.side.open(self.external)
        parts, identity = (
            group_of_people(target, people),
            name_column(people, self.identity, target),
        )
        return VictimNames(target, members.groups, shown, people, parts, identity)
