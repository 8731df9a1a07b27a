"""classifier: infer what people hide by a model that was learned from the release.

A release is published so that something can be learned from it. What is learned can be applied to
people: of a person whose quasi-identifiers are known, a rule or a model predicts the likeliest
sensitive value, and wrong inferences harm as well [1]_. What a model knows of the population is not
yet a loss for the person it is applied to [2]_; what it knows better of those whose records it
learned from, than of others, is.

References
----------
.. [1] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to privacy-preserving data
   publishing." CRC Press, 2010. Example 17.2.
.. [2] M. Giomi, F. Boenisch, C. Wehmeyer, B. Tasnadi. "A unified framework for quantifying privacy
   risk in synthetic data." PoPETs 2023(2). Section 4.3.

What was guessed of people, in words.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import MissingExtraError
from unlinkable.extras import load_extra
from unlinkable.params import Choice, as_columns, exact, is_share
from unlinkable.release.attacks import Outcome, Threat, Victim
from unlinkable.spelling import quantity
from unlinkable.tables.attacks.base.attack import Attack
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target, Truth
from unlinkable.tables.attacks.learned.shared.control_group import refuse_unfit
from unlinkable.tables.attacks.learned.shared.guess_accuracy import Details, judge_guesses
from unlinkable.tables.attacks.learned.shared.inference import (
    Guesser,
    Guesses,
    Hidden,
    Kinds,
    Models,
    Rules,
)
from unlinkable.tables.attacks.shared.victims import most_confident, name_column
from unlinkable.tables.data import SideTable, texts_of
from unlinkable.tables.metrics import Classifier as Learner
from unlinkable.typing import Columns

__all__ = ["Classifier", "Model"]

_ROUNDING = 1e-12
"""Less than two different shares of published records are apart, and more than rounding errs."""

_FIRST = 1 / 6
"""The share of the work that learning from all records takes."""
_BELIEVED = "what the model believes, which need not be true"


class Model(Choice):
    """What is learned from a release."""

    RULES = "rules"
    """The most frequent value of the records that could be a person's."""
    DECISION_TREE = "decision-tree"
    DECISION_STUMP = "decision-stump"
    NAIVE_BAYES = "naive-bayes"
    LOGISTIC_REGRESSION = "logistic-regression"
    GRADIENT_BOOSTING = "gradient-boosting"


@frozen
class Classifier(Attack):
    r"""Learn from the release which sensitive value goes with what, and apply it to people.

    With ``model=rules``, of a person who could have the records :math:`M`:

    .. math:: \hat s = \arg\max_s |\{r \in M : r.s = s\}| \qquad
              \mathit{confidence} = \frac{|\{r \in M : r.s = \hat s\}|}{|M|}

    so for every combination of published values there is the rule *who shows this has that*. A
    record of a bucket counts as many values as its bucket has, each with its share. The other
    models (of the extra ``ml``) learn from all records at once what goes with what, and tell of
    everybody how likely the likeliest value is; they serve also where values were replaced or
    records made up, and where nobody's record can be found.

    Whom it is applied to: the people of the list ``external`` if it is given; else those of the
    original, if the holder tries it; else everybody who shows what the published records show. A
    person is exposed if the confidence is above ``limit``, right or wrong.

    With the original records, guesses for the people in them are right or wrong. The details tell
    the *accuracy*; that of the best guess without the release, the most frequent value
    (*majority*); and that for people whom nothing was learned from (*control*). The *excess* over
    the control is what the release gives away of the very people in it. The control is measured
    with a table of other people, ``control``, that has the sensitive column, and then holds two
    groups of people against each other; without such a table, if it is known whose record is whose,
    with the same people in five parts, each guessed from the records (of a release in buckets: the
    buckets) of the other four.

    Parameters
    ----------
    sensitive
        The column to infer; each in turn if not given, and the guess with the highest confidence is
        reported.
    model
        ``rules``, ``decision-tree``, ``decision-stump``, ``naive-bayes``, ``logistic-regression``
        or ``gradient-boosting``.
    external
        A side table with people: their quasi-identifiers under the same names, raw or generalized.
    identity
        The column of it that says who they are; the first that the release does not have if not
        given.
    control
        A side table with other people of the same population and their sensitive values.
    qid
        The columns that are known of people; all quasi-identifying ones that the list has if not
        given.
    limit
        The largest confidence that is borne.

    Cost
    ----
    Rules: that of joining people and records (`match`). Models: learning once, and five times more
    for the control.

    Raises
    ------
    UnsupportedError
        If the extra of a model is not installed, or the column has more than 256 values for one; if
        rules are asked for where values were replaced.
    SchemaError
        If a column is not there.
    DataError
        If the control people are those of the original, or written in another way.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.data.side import Side
    >>> told = pl.DataFrame({"job": ["artist"] * 4, "ill": ["flu", "hiv", "hiv", "hiv"]})
    >>> side = Side.of({"external": {"name": ["Emily"], "job": ["artist"]}})
    >>> knowledge = AdversaryKnowledge(side)
    >>> outcome = Classifier().run(Target(told, ("job",), ("ill",)), knowledge)
    >>> outcome.highest, outcome.victims[0].who, outcome.victims[0].learned
    (0.75, {'name': 'Emily'}, {'ill': 'hiv'})
    """

    name: ClassVar[str] = "classifier"
    reference: ClassVar[str] = "Fung, Wang, Fu and Yu 2010, example 17.2"
    threat: ClassVar[Threat] = Threat.ATTRIBUTE
    needs: ClassVar[str] = (
        "the quasi-identifiers of people like those in the data, who need not be in it"
    )
    remedy: ClassVar[str] = (
        "confidence-bounding or frequency-l-diversity bounds what rules are sure of; t-closeness "
        "keeps every group like the whole, which leaves models little to learn; against what is "
        "told of single people, differential privacy"
    )
    stopped_by: ClassVar[tuple[str, ...]] = (
        "confidence-bounding",
        "alpha-k-anonymity",
        "kc-anonymity",
        "lkc-privacy",
        "frequency-l-diversity",
        "entropy-l-diversity",
        "recursive-cl-diversity",
    )

    sensitive: str | None = None
    model: Model = field(default=Model.RULES, converter=Model)
    external: str = "external"
    identity: str | None = None
    control: str = "control"
    qid: Columns | None = field(default=None, converter=as_columns)
    limit: Fraction = field(default=Fraction(1, 2), converter=exact, validator=is_share)

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        if not target.sensitive:
            return "no column is sensitive, so there is nothing to find out"
        if not target.quasi and self.qid is None:
            return "no column is known to others: there is nothing to infer from"
        if not len(target):
            return "there are no records to learn from"
        if self.model is not Model.RULES:
            try:
                load_extra("sklearn.tree", "ml", f"models such as {self.model}")
            except MissingExtraError as error:
                return str(error)
        elif not target.is_truthful:
            return "rules are about people's own records, and values were replaced: give a model"
        return None

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        kinds = self._people(target, knowledge)
        outcomes = []
        about = target.columns_about(self.sensitive)
        for i, column in enumerate(about):
            hidden = Hidden.of(target, column)
            part = knowledge.part(i / len(about), 1 / len(about))
            part.progress(0.0, f"learning {column}")
            guesser = self._guesser(target, knowledge, kinds, hidden)
            outcomes.append(self._outcome(target, part, kinds, hidden, guesser))
            knowledge.progress((i + 1) / len(about), f"guessed {column}")
        return max(outcomes, key=lambda outcome: (outcome.highest, outcome.n_fallen))

    def _people(self, target: Target, knowledge: AdversaryKnowledge) -> Kinds:
        """Find the people whom the model is applied to."""
        if knowledge.has(self.external):
            return Kinds.of_list(target, knowledge.side.open(self.external), self.qid)
        if knowledge.truth is not None:
            return self._originals(target, knowledge.truth)
        return Kinds.of_release(target)

    def _originals(self, target: Target, truth: Truth) -> Kinds:
        people = SideTable("the original", truth.table.frame)
        return Kinds.of_list(target, people, self.qid)

    def _guesser(
        self, target: Target, knowledge: AdversaryKnowledge, kinds: Kinds, hidden: Hidden
    ) -> Guesser:
        if self.model is Model.RULES:
            return Rules(kinds, hidden)
        seed = int(knowledge.rng.integers(1 << 31))
        learner = Learner(self.model.value)
        return Models.of(learner, target, kinds, hidden, knowledge.truth, seed)

    def _outcome(
        self,
        target: Target,
        knowledge: AdversaryKnowledge,
        kinds: Kinds,
        hidden: Hidden,
        guesser: Guesser,
    ) -> Outcome:
        guesses = guesser.guess()
        # The control is learned five times from a part of the records.
        knowledge.progress(_FIRST, f"learned {hidden.column}")
        knowledge = knowledge.part(_FIRST, 1 - _FIRST)
        confidence = np.where(kinds.sizes > 0, guesses.confidence, 0.0)
        falls = confidence > float(self.limit) + _ROUNDING
        n_fallen, n_people = int(kinds.sizes[falls].sum()), int(kinds.sizes.sum())
        highest = float(confidence.max(initial=0.0))
        details: Details = {
            "column": hidden.column,
            "people without a guess": int(kinds.sizes[guesses.codes < 0].sum()),
        }
        told = _found(hidden.column, n_fallen, n_people, float(self.limit), highest)
        if knowledge.truth is not None:
            if knowledge.has(self.external):
                kinds_of_truth = self._originals(target, knowledge.truth)
                guesser = self._guesser(target, knowledge, kinds_of_truth, hidden)
                found, words = self._judged(target, knowledge, kinds_of_truth, hidden, guesser)
            else:
                found, words = self._judged(target, knowledge, kinds, hidden, guesser, guesses)
            details |= found
            told = f"{told} {words}"
        return Outcome(
            attack=self,
            n_attacked=n_people,
            n_fallen=n_fallen,
            highest=highest,
            found=told,
            victims=_victims(target, kinds, hidden, guesses, self._named_by(target, kinds)),
            basis=None if self.model is Model.RULES else _BELIEVED,
            details=details,
        )

    def _judged(
        self,
        target: Target,
        knowledge: AdversaryKnowledge,
        kinds: Kinds,
        hidden: Hidden,
        guesser: Guesser,
        guesses: Guesses | None = None,
    ) -> tuple[Details, str]:
        """Hold the guesses for the people of the original against the truth."""
        has_control = knowledge.has(self.control)
        others = self._control(target, knowledge, hidden) if has_control else None
        guesses = guesses or guesser.guess()
        return judge_guesses(knowledge, kinds, hidden, guesser, guesses, others)

    def _control(
        self, target: Target, knowledge: AdversaryKnowledge, hidden: Hidden
    ) -> tuple[SideTable, Kinds, Guesses]:
        """Apply what was learned to people who are not in the data."""
        people = knowledge.side.open(self.control)
        people.require(hidden.column)
        kinds = Kinds.of_list(target, people, self.qid)
        if knowledge.truth is not None:
            known = knowledge.truth.table.frame.columns
            compared = [c for c in (*kinds.columns, hidden.column) if c in known]
            refuse_unfit(
                self.control, people.frame, knowledge.truth, tuple(dict.fromkeys(compared))
            )
        return people, kinds, self._guesser(target, knowledge, kinds, hidden).guess()

    def _named_by(self, target: Target, kinds: Kinds) -> Columns:
        """Say by what the people are named whom the model is applied to."""
        if kinds.people is not None and kinds.people.name == self.external:
            identity = name_column(kinds.people, self.identity, target)
            return kinds.columns if identity is None else (identity,)
        return kinds.columns


def _found(column: str, n_fallen: int, n_people: int, limit: float, highest: float) -> str:
    """Say for how many people a column is guessed with more confidence than is borne."""
    return (
        f"For {n_fallen:,} of {quantity(n_people, 'person', 'people')} {column!r} is inferred "
        f"with a confidence above {limit:.3g}; the surest guess has {highest:.3g}."
    )


def _victims(
    target: Target, kinds: Kinds, hidden: Hidden, guesses: Guesses, shown: Columns
) -> tuple[Victim, ...]:
    """Tell of the people whose values are guessed with the greatest confidence.

    ``shown`` are the columns that they are named by.
    """
    frame = target.frame if kinds.people is None else kinds.people.frame
    surest = most_confident(guesses.confidence)
    surest = surest[guesses.codes[surest] >= 0]
    rows = kinds.first[surest]
    texts = {name: texts_of(frame, name)[rows].to_list() for name in shown}
    return tuple(
        Victim(
            {name: texts[name][i] or "" for name in shown},
            float(guesses.confidence[at]),
            {hidden.column: hidden.domain.text(int(guesses.codes[at]))},
            int(kinds.n_records[at]),
            int(kinds.sizes[at]),
        )
        for i, at in enumerate(surest.tolist())
    )
