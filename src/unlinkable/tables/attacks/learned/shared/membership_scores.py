"""Membership scores: how suspiciously near people are to a release, and who is taken for a member.

The scores look at what is published alone, and at people of whom it is known that they are not in
it (the reference): a person is suspected if they are nearer to the release than similar people are.

A trial has people who are in the data and others, to be told apart by what was published. Who is
not in the data is known from a table of control people, or because a coin left them out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from attrs import frozen

from unlinkable.errors import (
    InfeasibleError,
    SchemaError,
    UnlinkableError,
    UnsupportedError,
    unknown,
)
from unlinkable.kernels.clustering import near_ranges
from unlinkable.tables.attacks.base.target import AdversaryKnowledge, Oracle, Target, Truth
from unlinkable.tables.attacks.learned.shared.column_axes import Axis, meanings, read_axes
from unlinkable.tables.attacks.learned.shared.control_group import doubt_on, refuse_unfit
from unlinkable.tables.data import Frame, SideTable, Table, keep_rows
from unlinkable.tables.groups import number_rows
from unlinkable.typing import BoolArray, Columns, CountArray, FloatArray

__all__ = [
    "PlacedRecords",
    "Trial",
    "advantages_of",
    "all_scores",
    "compared_columns",
    "place",
    "suspicion",
    "tell_apart",
    "tell_members",
    "trial_by_control",
    "trials_by_method",
]

_N_FOLDS = 5
"""People are judged by rules that were found with the other four fifths."""


@frozen(eq=False)
class PlacedRecords:
    """Records as ranges of places ``[lo, hi]``, a row for each.

    Attributes
    ----------
    lo, hi
        The ranges.
    counts
        How many records each row stands for.
    """

    lo: FloatArray
    hi: FloatArray
    counts: CountArray

    def __len__(self) -> int:
        return len(self.lo)

    def at(self, rows: CountArray) -> PlacedRecords:
        """Keep some rows."""
        return PlacedRecords(self.lo[rows], self.hi[rows], self.counts[rows])

    def beside(self, other: PlacedRecords) -> PlacedRecords:
        """Put the rows of another after these."""
        lo, hi = np.concatenate([self.lo, other.lo]), np.concatenate([self.hi, other.hi])
        return PlacedRecords(lo, hi, np.concatenate([self.counts, other.counts]))


def place(axes: Sequence[Axis], table: int, *, distinct: bool = False) -> PlacedRecords:
    """Place the records of a table, or those of them that differ."""
    sides = [axis.places(table) for axis in axes]
    lo, hi = (np.column_stack([side[i] for side in sides]) for i in (0, 1))
    if not distinct:
        return PlacedRecords(lo, hi, np.ones(len(lo), np.int64))
    codes = [end[table] for axis in axes for end in (axis.lo, axis.hi)]
    labels, first = number_rows(np.column_stack(codes))
    return PlacedRecords(lo[first], hi[first], np.bincount(labels, minlength=first.size))


def suspicion(
    release: PlacedRecords, people: PlacedRecords, reference: PlacedRecords
) -> dict[str, FloatArray]:
    r"""Score people: the higher, the likelier they are in what was published.

    With the distance of two records the sum of the gaps between what they show, numbers out of
    their whole range and categories 0 or 1:

    - *nearest*: how near the nearest published record is, :math:`-d`;
    - *relative*: how much nearer it is than the nearest person of the reference,
      :math:`\frac{d_0 - d}{d_0 + d}`;
    - *crowd*: the published records that could be theirs, those that :math:`c` people of the
      reference could also have counting :math:`1/(c + 1)`.

    O((n + r) d log n) for n records and r people in the reference, and then what the search of the
    nearest takes for each person.

    Examples
    --------
    >>> def on_line(*at):
    ...     ends = np.array(at)[:, None]
    ...     return PlacedRecords(ends, ends, np.ones(len(at), int))
    >>> found = suspicion(on_line(0.0, 0.5), on_line(0.5, 0.75), on_line(1.0))
    >>> {name: scores.round(2).tolist() for name, scores in found.items()}
    {'nearest': [-0.0, -0.25], 'relative': [1.0, 0.0], 'crowd': [1.0, 0.0]}
    """
    tree = near_ranges.build(release.lo, release.hi)
    near = near_ranges.distances(tree, people.lo, people.hi)
    alike = near_ranges.met_by(tree, reference.lo, reference.hi)
    crowd = near_ranges.sum_met(tree, people.lo, people.hi, release.counts / (alike + 1))
    scores = {"nearest": -near, "crowd": crowd}
    if len(reference):
        others = near_ranges.build(reference.lo, reference.hi)
        far = near_ranges.distances(others, people.lo, people.hi)
        both = near + far
        scores["relative"] = np.divide(far - near, both, out=np.zeros(near.size), where=both > 0)
    return {name: scores[name] for name in ("nearest", "relative", "crowd") if name in scores}


def tell_members(
    scores: Mapping[str, FloatArray], is_member: BoolArray, rng: np.random.Generator
) -> BoolArray:
    """Decide who is a member, each by a rule that was fitted without them.

    A rule is a score and the least of it that makes a member. The people are dealt into five parts,
    with about as many members in each; those of a part are judged by the rule that has the greatest
    advantage, true less false positives, among the others. If none has any, nobody is a member.
    """
    order = np.lexsort((rng.random(is_member.size), is_member))
    folds = np.empty(is_member.size, np.int64)
    folds[order] = np.arange(is_member.size) % _N_FOLDS
    told = np.zeros(is_member.size, bool)
    for fold in range(_N_FOLDS):
        seen, judged = folds != fold, folds == fold
        rules = [(*best_threshold(s[seen], is_member[seen]), s) for s in scores.values()]
        advantage, least, score = max(rules, key=lambda rule: rule[0])
        if advantage > 0:
            told[judged] = score[judged] >= least
    return told


def best_threshold(scores: FloatArray, is_member: BoolArray) -> tuple[float, float]:
    """Find the threshold of the score with the greatest advantage.

    It lies in the middle between two scores. O(n log n).

    Examples
    --------
    >>> scores, is_member = np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, True, False, False])
    >>> best_threshold(scores, is_member)
    (0.5, 2.5)
    """
    values, which = np.unique(-scores, return_inverse=True)
    n_members = int(is_member.sum())
    n_others = is_member.size - n_members
    if not (n_members and n_others):
        return 0.0, np.inf
    hits = np.cumsum(np.bincount(which, is_member, values.size)) / n_members
    alarms = np.cumsum(np.bincount(which, ~is_member, values.size)) / n_others
    best = int(np.argmax(hits - alarms))
    least = -values[best : best + 2].mean()
    return float(hits[best] - alarms[best]), float(least)


@frozen(eq=False)
class Trial:
    """People who are in the data, and others, with their scores.

    Attributes
    ----------
    members
        The rows of those who are in the data.
    scores
        Their scores, and after them those of the others, by what they measure.
    doubt
        Why the others may be no others, in a sentence.
    """

    members: CountArray
    scores: dict[str, FloatArray]
    doubt: str = ""

    @property
    def is_member(self) -> BoolArray:
        """Mark those who are in the data."""
        is_member: BoolArray = np.arange(self.scores["nearest"].size) < self.members.size
        return is_member


def tell_apart(
    trials: Sequence[Trial], rng: np.random.Generator
) -> tuple[BoolArray, BoolArray, CountArray]:
    """Tell of the people of all trials who is a member; also who is one, and in which trial."""
    is_member = np.concatenate([trial.is_member for trial in trials])
    trial = np.repeat(np.arange(len(trials)), [trial.is_member.size for trial in trials])
    return tell_members(all_scores(trials), is_member, rng), is_member, trial


def all_scores(trials: Sequence[Trial]) -> dict[str, FloatArray]:
    """Give the scores of the people of all trials."""
    names = [name for name in trials[0].scores if all(name in t.scores for t in trials)]
    return {name: np.concatenate([trial.scores[name] for trial in trials]) for name in names}


def advantages_of(
    told: BoolArray, is_member: BoolArray, trial: CountArray, n_trials: int
) -> FloatArray:
    """Give the advantage in every trial."""
    rates = [
        np.bincount(trial[side], told[side], n_trials)
        / np.bincount(trial[side], minlength=n_trials)
        for side in (is_member, ~is_member)
    ]
    advantages: FloatArray = rates[0] - rates[1]
    return advantages


_MOST_REFERENCE = 10_000
"""So many people who are not in the data are enough to see how near strangers come."""


def compared_columns(qid: Columns | None, target: Target, *tables: Frame) -> Columns:
    """Find the columns that people are compared by: those that are asked for, or all there are.

    Raises
    ------
    SchemaError
        If a column that is asked for is missing somewhere.
    """
    everywhere = [target.frame, *tables]
    if qid is None:
        known = target.quasi if target.bucket else (*target.quasi, *target.sensitive)
        return tuple(name for name in known if all(name in t.columns for t in everywhere))
    for name in qid:
        for table in everywhere:
            if name not in table.columns:
                raise SchemaError(f"{unknown('column', name, table.columns)} in all tables")
    return qid


def trial_by_control(
    target: Target,
    truth: Truth,
    control: SideTable,
    qid: Columns | None,
    n_people: int,
    rng: np.random.Generator,
) -> Trial:
    """Set people of the original beside those of a control table.

    Raises
    ------
    SchemaError
        If nobody is known by anything.
    DataError
        If the control people are those of the original, or written in another way.
    """
    columns = compared_columns(qid, target, truth.table.frame, control.frame)
    if not columns:
        raise SchemaError(
            f"{control.name!r} shares no column with the release: nobody can be looked for"
        )
    known_share = refuse_unfit(control.name, control.frame, truth, columns)
    tables = [target.frame, truth.table.frame, control.frame]
    axes = read_axes(columns, tables, meanings(target, columns, truth))
    members = rng.permutation(np.arange(len(truth.table)))[:n_people]
    others, known = _tried_and_known(np.arange(len(control)), n_people, rng)
    release, listed = place(axes, 0, distinct=True), place(axes, 2)
    people = place(axes, 1).at(members).beside(listed.at(others))
    scores = suspicion(release, people, listed.at(known))
    return Trial(members, scores, doubt_on(control.name, known_share))


def trials_by_method(
    knowledge: AdversaryKnowledge,
    truth: Truth,
    oracle: Oracle,
    qid: Columns | None,
    n_people: int,
    repetitions: int,
    refusals: list[str],
) -> Iterator[Trial]:
    """Publish random halves, and set the people in them beside the others.

    Why the method refused goes to ``refusals``, if that is about promises and not about values.
    """
    table = truth.table
    for i in range(repetitions):
        heads = knowledge.rng.random(len(table)) < 0.5
        inside, outside = np.flatnonzero(heads), np.flatnonzero(~heads)
        half = Table(keep_rows(table.frame, inside), table.schema, table.origin, table.source)
        try:
            target = oracle.publish(half, knowledge.rng)
        except UnlinkableError as error:
            if isinstance(error, (UnsupportedError, InfeasibleError)):
                refusals.append(str(error))
            continue
        if not len(target) or outside.size < 2 or not inside.size:
            continue
        columns = compared_columns(qid, target, table.frame)
        axes = read_axes(columns, [target.frame, table.frame], meanings(target, columns, truth))
        members = knowledge.rng.permutation(inside)[:n_people]
        others, known = _tried_and_known(outside, n_people, knowledge.rng)
        release, everybody = place(axes, 0, distinct=True), place(axes, 1)
        people = everybody.at(np.concatenate([members, others]))
        yield Trial(members, suspicion(release, people, everybody.at(known)))
        knowledge.progress((i + 1) / repetitions, "told halves apart")


def _tried_and_known(
    strangers: CountArray, n_people: int, rng: np.random.Generator
) -> tuple[CountArray, CountArray]:
    """Part people who are not in the data: those who are tried, and those known not to be in it."""
    mixed = rng.permutation(strangers)
    n_tried = min(n_people, -(-strangers.size // 2))
    return mixed[:n_tried], mixed[n_tried:][:_MOST_REFERENCE]
