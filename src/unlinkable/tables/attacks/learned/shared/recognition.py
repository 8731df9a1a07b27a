"""Recognition: scores that tell members of a table from others, and a rule that is not fooled.

The scores look at what is published alone, and at people of whom it is known that they are not in
it (the reference): somebody is suspicious if he is nearer to the release than people like him are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import frozen

from unlinkable.kernels.clustering import near_ranges
from unlinkable.tables.attacks.learned.shared.axis import Axis
from unlinkable.tables.groups import number_rows
from unlinkable.typing import BoolArray, CountArray, FloatArray

__all__ = ["Placed", "place", "suspicion", "tell_members"]

_N_FOLDS = 5
"""People are judged by rules that were found with the other four fifths."""


@frozen(eq=False)
class Placed:
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

    def at(self, rows: CountArray) -> Placed:
        """Keep some rows."""
        return Placed(self.lo[rows], self.hi[rows], self.counts[rows])

    def beside(self, other: Placed) -> Placed:
        """Put the rows of another after these."""
        lo, hi = np.concatenate([self.lo, other.lo]), np.concatenate([self.hi, other.hi])
        return Placed(lo, hi, np.concatenate([self.counts, other.counts]))


def place(axes: Sequence[Axis], table: int, *, distinct: bool = False) -> Placed:
    """Place the records of a table, or those of them that differ."""
    sides = [axis.places(table) for axis in axes]
    lo, hi = (np.column_stack([side[i] for side in sides]) for i in (0, 1))
    if not distinct:
        return Placed(lo, hi, np.ones(len(lo), np.int64))
    codes = [end[table] for axis in axes for end in (axis.lo, axis.hi)]
    labels, first = number_rows(np.column_stack(codes))
    return Placed(lo[first], hi[first], np.bincount(labels, minlength=first.size))


def suspicion(release: Placed, people: Placed, reference: Placed) -> dict[str, FloatArray]:
    r"""Score people: the higher, the likelier they are in what was published.

    With the distance of two records the sum of the gaps between what they show, numbers out of
    their whole range and categories 0 or 1:

    - *nearest*: how near the nearest published record is, :math:`-d`;
    - *relative*: how much nearer it is than the nearest person of the reference,
      :math:`\frac{d_0 - d}{d_0 + d}`;
    - *crowd*: the published records that could be his, those that :math:`c` people of the reference
      could also have counting :math:`1/(c + 1)`.

    O((n + r) d log n) for n records and r people in the reference, and then what the search of the
    nearest takes for each person.

    Examples
    --------
    >>> def on_line(*at):
    ...     return Placed(np.array(at)[:, None], np.array(at)[:, None], np.ones(len(at), int))
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
    """Decide who is a member, each by a rule that was found without him.

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
    """Find the score from which on somebody is a member so that the advantage is greatest.

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
