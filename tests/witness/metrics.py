"""What a release has lost, from the definitions.

A published record is a mapping from attribute to `Cell`; a suppressed record is ``None`` and
keeps its place, so that a release has as many entries as the original table.

The metrics that are means (`iloss`, `normalized_certainty_penalty`) weigh the attributes with
w_i / sum w_i and average over all records, suppressed ones included, which count 1 on every
attribute. The mean over no records is 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.witness.tree import Tree

__all__ = [
    "Cell",
    "Published",
    "average_class_size",
    "cell_iloss",
    "cell_ncp",
    "discernibility",
    "iloss",
    "iloss_of_record",
    "minimal_distortion",
    "normalized_certainty_penalty",
]

Weights = Mapping[str, Fraction | int]


@dataclass(frozen=True)
class Cell:
    """A published value: what it reads, how many leaves it covers, how many steps it went up."""

    label: Hashable
    width: int
    steps: int = 0


Published = Mapping[str, Cell] | None


def cell_iloss(width: int, n_leaves: int) -> Fraction:
    """(|v| - 1) / |D_A|.

    >>> cell_iloss(1, 4), cell_iloss(2, 4), cell_iloss(4, 4)
    (Fraction(0, 1), Fraction(1, 4), Fraction(3, 4))
    """
    return Fraction(width - 1, n_leaves)


def cell_ncp(width: int, n_leaves: int) -> Fraction:
    """0 for a value that covers one leaf, else w / n.

    >>> cell_ncp(1, 4), cell_ncp(2, 4), cell_ncp(4, 4)
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 1))
    """
    return Fraction(0) if width == 1 else Fraction(width, n_leaves)


def iloss_of_record(
    record: Mapping[str, Cell], trees: Mapping[str, Tree], weights: Weights | None = None
) -> Fraction:
    """Sum of w_i * ILoss(v_i), as the record's loss is printed in the literature."""
    return sum(
        (
            _weight(weights, a) * cell_iloss(cell.width, len(trees[a].leaves))
            for a, cell in record.items()
        ),
        Fraction(0),
    )


def iloss(
    release: Sequence[Published],
    trees: Mapping[str, Tree],
    qid: Sequence[str],
    weights: Weights | None = None,
    *,
    suppressed_as_root: bool = False,
) -> Fraction:
    """Mean ILoss of a cell; ``suppressed_as_root`` charges (n - 1) / n in place of 1."""
    loss_of_suppressed = {
        a: cell_iloss(len(trees[a].leaves), len(trees[a].leaves))
        if suppressed_as_root
        else Fraction(1)
        for a in qid
    }
    return _mean(release, trees, qid, weights, cell_iloss, loss_of_suppressed)


def normalized_certainty_penalty(
    release: Sequence[Published],
    trees: Mapping[str, Tree],
    qid: Sequence[str],
    weights: Weights | None = None,
) -> Fraction:
    """Mean NCP of a cell."""
    return _mean(release, trees, qid, weights, cell_ncp, {a: Fraction(1) for a in qid})


def discernibility(release: Sequence[Published], qid: Sequence[str]) -> int:
    """Sum of the squared group sizes, and n, all records, for every suppressed record."""
    n_suppressed = sum(record is None for record in release)
    return sum(size**2 for size in _sizes(release, qid)) + len(release) * n_suppressed


def average_class_size(release: Sequence[Published], qid: Sequence[str], k: int) -> Fraction:
    """Published records / groups / k. Not defined when nothing is published."""
    sizes = _sizes(release, qid)
    return Fraction(sum(sizes), len(sizes) * k)


def minimal_distortion(
    release: Sequence[Published],
    trees: Mapping[str, Tree],
    qid: Sequence[str],
    weights: Weights | None = None,
) -> Fraction:
    """One unit for every cell and step; a suppressed record goes up to all its roots."""
    total = Fraction(0)
    for record in release:
        for a in qid:
            steps = trees[a].height if record is None else record[a].steps
            total += _weight(weights, a) * steps
    return total


def _mean(
    release: Sequence[Published],
    trees: Mapping[str, Tree],
    qid: Sequence[str],
    weights: Weights | None,
    cell_loss: Callable[[int, int], Fraction],
    loss_of_suppressed: Mapping[str, Fraction],
) -> Fraction:
    total = Fraction(0)
    for record in release:
        for a in qid:
            if record is None:
                loss = loss_of_suppressed[a]
            else:
                loss = cell_loss(record[a].width, len(trees[a].leaves))
            total += _weight(weights, a) * loss
    scale = len(release) * sum(_weight(weights, a) for a in qid)
    return total / scale if release else Fraction(0)


def _sizes(release: Sequence[Published], qid: Sequence[str]) -> list[int]:
    shown = [tuple(record[a].label for a in qid) for record in release if record is not None]
    return list(Counter(shown).values())


def _weight(weights: Weights | None, attribute: str) -> Fraction:
    return Fraction(1) if weights is None else Fraction(weights[attribute])
