"""membership: is this person in the data, judged by what is published.

To be in a table may be the secret itself: a list of patients, of offenders, of debtors. An
adversary who knows a person's values looks how near they come to what is published, and how near
similar people come by chance [1]_, [2]_. The advantage over a random guess is what the release
gives away [3]_.

References
----------
.. [1] T. Stadler, B. Oprisanu, C. Troncoso. "Synthetic data: anonymisation groundhog day." USENIX
   Security 2022.
.. [2] B. van Breugel, H. Sun, Z. Qian, M. van der Schaar. "Membership inference attacks against
   synthetic data through overfitting detection." AISTATS 2023.
.. [3] S. Yeom, I. Giacomelli, M. Fredrikson, S. Jha. "Privacy risk in machine learning: analyzing
   the connection to overfitting." CSF 2018. Definition 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import numpy as np
from attrs import field, frozen

from unlinkable.errors import (
    UnsupportedError,
)
from unlinkable.params import as_columns, at_least, exact, is_share
from unlinkable.tables.attacks.base.attack import MOST_SHOWN, Attack, Outcome, Victim
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Target
from unlinkable.tables.attacks.learned.shared.membership_scores import (
    Trial,
    advantages_of,
    all_scores,
    compared_columns,
    tell_apart,
    trial_by_control,
    trials_by_method,
)
from unlinkable.tables.attacks.shared.rates import (
    Interval,
    area_under_curve,
    mean_interval,
    newcombe,
)
from unlinkable.tables.models.base import Bound, GroupModel, Threat
from unlinkable.typing import BoolArray, Columns

__all__ = ["Membership"]

_CERTAINTY = 0.994
"""What is asked of the interval of Newcombe so that it holds in 95 % of all cases.

Who is judged in one part helps to find the rule for the others. What is found in the parts depends
on each other, and varies by up to a quarter more than in as many people who are independent.
"""


@frozen(kw_only=True)
class Membership(Attack):
    r"""Tell people who are in the data from others, better than by a guess.

    Everybody gets scores (`suspicion`): how near the nearest published record is, how much nearer
    than a person who is known not to be in the data, and how many published records could be theirs
    beside how many strangers they could belong to. The rule, a score and a threshold, is found with
    other people than those whom it judges (`tell_members`). With TPR the share of members who are
    told to be members and FPR that of others:

    .. math:: \mathit{advantage} = \mathit{TPR} - \mathit{FPR}

    A random guess has advantage 0. An :math:`\varepsilon`-differentially private release leaves
    at most :math:`\frac{e^\varepsilon - 1}{e^\varepsilon + 1}` to anybody.

    Who is not in the data has to be known for trying it. There are two ways.

    - With a table of ``control`` people of the same population who are not in the data: they, and
      the people of the original, are told apart by *this release*. Half of the control people, or
      all beyond ``n_people``, are the reference. If they differ from the people of the original in
      other ways, that is taken for an advantage too.
    - With the method that made the release: a coin is thrown for everybody in the original, the
      method publishes those with heads, and these are told from the others. That attacks *what the
      method does* with half the records, and is repeated.

    In the first case the interval is that of Newcombe for people drawn from both sides, widened:
    the rules are found with the same people whom other rules judge, so that what happens in the
    five parts depends on each other. In the second case, what is published varies too: the interval
    also holds that of Student for the mean over the repetitions. Of releases that say nothing of
    anybody, 0.2 to 3 % had an interval above 0 in our tests, depending on the scores; 2.5 % are
    wanted, and 1 to 9 % would have without the widening.

    Nobody is exposed unless the interval lies above ``limit``. Then a share of the members is
    exposed that is the advantage: so many are recognized beyond what a guess would.

    Parameters
    ----------
    control
        A side table with people of the same population who are not in the data, if there is one.
    qid
        What the adversary knows of people; all quasi-identifying and, unless the release has
        buckets, sensitive columns if not given. Columns that not all tables have are left out.
    n_people
        How many people of each side are tried, at most (in every repetition).
    repetitions
        How often the method is asked, if there is no control table.
    limit
        The largest advantage that is borne.

    Cost
    ----
    O(n d log n) for n records on d columns, and a search of the nearest record for each of the
    people tried: about ten seconds for a million records. With the method, as often as it is
    asked.

    Raises
    ------
    UnsupportedError
        Without the original records, without both control people and the method, or if the method
        refuses to publish half of the records every time.
    SchemaError
        If a column that is asked for is missing somewhere, or nobody is known by anything.
    DataError
        If the control people are those of the original, or written in another way.

    Examples
    --------
    >>> import polars as pl
    >>> from unlinkable.tables.attacks.base.target import Truth
    >>> from unlinkable.tables.data import as_table
    >>> from unlinkable.tables.data.side import Side
    >>> people, others = {"pay": list(range(0, 1000, 2))}, {"pay": list(range(1, 1000, 2))}
    >>> truth = Truth(as_table(people, quasi="pay"))
    >>> knowledge = AdversaryKnowledge(Side.of({"control": others}), truth)
    >>> outcome = Membership().run(Target(pl.DataFrame(people), ("pay",), ()), knowledge)
    >>> outcome.highest, outcome.n_fallen
    (1.0, 500)
    >>> hidden = Target(pl.DataFrame({"pay": ["*"] * 500}), ("pay",), ())
    >>> Membership().run(hidden, knowledge).n_fallen
    0
    """

    name: ClassVar[str] = "membership"
    reference: ClassVar[str] = "Stadler, Oprisanu and Troncoso 2022; van Breugel et al. 2023"
    threat: ClassVar[Threat] = Threat.TABLE
    needs: ClassVar[str] = (
        "what a person's record would be, and some people who are not in the data; who tries it on "
        "his own release needs the original records as well"
    )
    remedy: ClassVar[str] = (
        "differential privacy with a small epsilon bounds it for everybody; delta-presence does "
        "for a population that is known; coarser values or larger groups make it harder"
    )
    stopped_by: ClassVar[tuple[str, ...]] = ("differential-privacy", "delta-presence")

    control: str = "control"
    qid: Columns | None = field(default=None, converter=as_columns)
    n_people: int = field(default=1000, validator=at_least(2))
    repetitions: int = field(default=5, validator=at_least(2))
    limit: Fraction = field(default=Fraction(1, 10), converter=exact, validator=is_share)

    def misfit(self, target: Target, knowledge: AdversaryKnowledge) -> str | None:
        if knowledge.truth is None:
            return "only the original records can say who is in the data"
        if not knowledge.has(self.control) and knowledge.oracle is None:
            return (
                f"give people who are not in the data with {self.control}=..., or the method that "
                "made the release"
            )
        if not len(target) or len(knowledge.truth.table) < 2:
            return "there are too few records"
        if self.qid == ():
            return "qid names no column: leave it out to mean all"
        if self.qid is None and not compared_columns(None, target, knowledge.truth.table.frame):
            return "the release shows nothing that the original records have"
        return None

    def attack(self, target: Target, knowledge: AdversaryKnowledge) -> Outcome:
        assert knowledge.truth is not None
        if knowledge.has(self.control):
            control = knowledge.side.open(self.control)
            if len(control) < 2:
                raise UnsupportedError(
                    f"{self.name} needs at least two people who are not in the data, and "
                    f"{self.control!r} has {len(control)}: give more"
                )
            trial = trial_by_control(
                target, knowledge.truth, control, self.qid, self.n_people, knowledge.rng
            )
            return self._outcome([trial], "this release", knowledge.rng)
        assert knowledge.oracle is not None
        refusals: list[str] = []
        asked = self.qid, self.n_people, self.repetitions
        trials = list(
            trials_by_method(knowledge, knowledge.truth, knowledge.oracle, *asked, refusals)
        )
        if len(trials) < 2:
            why = f" (it last refused because: {refusals[-1].rstrip('.')})" if refusals else ""
            raise UnsupportedError(
                f"{self.name} cannot be tried here: in {len(trials)} of {self.repetitions} "
                f"repetitions the method published something of half of the records{why}, and two "
                "are needed; give people who are not in the data as a control table"
            )
        return self._outcome(trials, "the method with half of the records", knowledge.rng)

    def record_ceiling(self, model: GroupModel, target: Target) -> Bound:
        return model.membership_ceiling()

    def _outcome(self, trials: Sequence[Trial], attacked: str, rng: np.random.Generator) -> Outcome:
        told, is_member, which = tell_apart(trials, rng)
        n_members, n_others = int(is_member.sum()), int((~is_member).sum())
        n_tried = np.unique(np.concatenate([trial.members for trial in trials])).size
        tpr, fpr = float(told[is_member].mean()), float(told[~is_member].mean())
        advantage = tpr - fpr
        interval = newcombe(tpr, n_members, fpr, n_others, _CERTAINTY)
        if len(trials) > 1:
            low, high = mean_interval(advantages_of(told, is_member, which, len(trials)))
            interval = min(max(low, -1.0), interval[0]), max(min(high, 1.0), interval[1])
        n_fallen = 0
        if interval[0] > self.limit:
            n_fallen = max(round(advantage * n_tried), 1)
        details: dict[str, int | float | str | None] = {
            "attacked": attacked,
            "repetitions": len(trials),
            "members tried": n_members,
            "others tried": n_others,
            "true positive rate": tpr,
            "false positive rate": fpr,
            "advantage before clipping": round(advantage, 9),
        }
        for name, scores in all_scores(trials).items():
            area, (low, high) = area_under_curve(scores[is_member], scores[~is_member])
            details |= {f"AUC of {name}": area, f"AUC of {name}, at least": low}
            details[f"AUC of {name}, at most"] = high
        precision = tpr / (tpr + fpr) if tpr else 0.0
        return Outcome(
            attack=self,
            n_attacked=n_tried,
            n_fallen=n_fallen,
            highest=max(advantage, 0.0),
            found=_found((tpr, fpr), attacked, n_fallen, interval, self.limit) + trials[0].doubt,
            victims=_victims(trials[0], told, precision) if n_fallen and len(trials) == 1 else (),
            interval=(max(interval[0], 0.0), max(interval[1], 0.0)),
            details=details,
        )


def _victims(trial: Trial, told: BoolArray, confidence: float) -> tuple[Victim, ...]:
    """Show members who were recognized, by their row in the original."""
    rows = np.sort(trial.members[told[trial.is_member]])[:MOST_SHOWN].tolist()
    return tuple(
        Victim({"row of the original": str(row + 1)}, confidence, {"is in the data": "yes"})
        for row in rows
    )


def _found(
    rates: tuple[float, float], attacked: str, n_fallen: int, interval: Interval, limit: Fraction
) -> str:
    told = "Of the people in the data {:.1%} are taken to be in it, and of others {:.1%}"
    told = told.format(*rates)
    if n_fallen:
        return f"{told}: {attacked} gives away about {n_fallen:,} of those who were tried."
    if interval[0] > 0:
        is_within = interval[1] <= limit
        how_far = "within the limit" if is_within else "perhaps above the limit"
        return f"{told}: more than by chance, and {how_far}."
    return f"{told}: that may be chance."
