"""What all top-down methods have in common: their parameters, and where they begin."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import ClassVar, Self

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import UnsupportedError
from unlinkable.kernels.counting import sum_by_label, sum_floats_by_label
from unlinkable.params import at_least, is_flag
from unlinkable.tables.data import Role, Schema
from unlinkable.tables.groups import Groups, Partition
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.cuts.shared.column_refinement import (
    ColumnRefinement,
    misfits_by_column,
)
from unlinkable.tables.methods.cuts.shared.cut import Cut
from unlinkable.tables.methods.cuts.shared.guides import Score, as_score
from unlinkable.tables.methods.cuts.shared.refinement import Refinement
from unlinkable.tables.methods.cuts.shared.step_gain import (
    ClassGain,
    EvenSplit,
    LossReduction,
    StepGain,
)
from unlinkable.tables.methods.shared.feasible import require_whole
from unlinkable.tables.methods.shared.stop_rule import StopRule, is_seconds
from unlinkable.tables.methods.shared.targets import class_column
from unlinkable.tables.metrics import Squares
from unlinkable.tables.metrics.base import CellMetric, Shown
from unlinkable.tables.models.base import All
from unlinkable.tables.operations.base import Recoding
from unlinkable.tables.taxonomies import Taxonomy
from unlinkable.typing import CodeArray, Columns

__all__ = ["TopDown", "refuse_overlap"]

_OF_CLASSES = (Score.IGPL, Score.INFORMATION_GAIN)
"""The scores that ask for the class of records."""


@frozen
class TopDown(Search):
    """A search from all records alike to as many differences as the promise allows.

    Every state on the way keeps the promise: the search can be stopped at any step.
    """

    stoppable: ClassVar[bool] = True
    with_classes: ClassVar[Score] = Score.IGPL
    """The score if none is asked for and there is a class to tell."""

    score: Score | None = field(default=None, converter=as_score)
    target: str | None = None
    squares: Squares = field(default=Squares.REDUCTION, converter=Squares)
    beneficial: bool = field(default=False, validator=is_flag)
    steps: int | None = field(default=None, validator=optional(at_least(0)))
    time: float | None = field(default=None, validator=is_seconds)

    @abc.abstractmethod
    def refinement_of(self, taxonomy: Taxonomy) -> type[ColumnRefinement]:
        """Say how a column is refined."""

    def bind(self, schema: Schema) -> Self:
        has_class = self.target is not None or bool(schema.with_role(Role.TARGET))
        score = self._settled(has_class=has_class)
        renew: Callable[..., Self] = evolve
        if score not in _OF_CLASSES:
            return renew(self, score=score)
        return renew(self, score=score, target=class_column(schema, self.target))

    def needs(self, schema: Schema) -> frozenset[Columns]:
        bound = self.bind(schema)
        if bound.score not in _OF_CLASSES or bound.target is None:
            return frozenset()
        return frozenset({(bound.target,)})

    def misfits(self, recoding: Recoding) -> list[str]:
        return misfits_by_column(recoding, self.refinement_of)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Refine as long as the promise survives.

        The effort has the ``steps`` that were made, the candidates that were ``checked`` and those
        ``given_up`` among them, the ``groups_judged``, the distinct records that checks have read
        (``rows_read``), and the ``groups`` there are in the end.
        """
        stop_rule = StopRule.of(task, self.steps, self.time)
        refinement = self.begin(finest, privacy, task)
        refinement.run(stop_rule, task.progress)
        return Solution(
            refinement.partition(),
            dict(refinement.effort),
            trace=tuple(refinement.trace),
            is_complete=not stop_rule.ended_early,
        )

    def begin(self, finest: Groups, privacy: All, task: Task) -> Refinement:
        """Set the search up: all values are at the root. Raises as `search` does."""
        self.require(privacy, may_suppress=task.suppression > 0)
        require_whole(self, finest, privacy, task)
        score = self._settled(has_class=self.target is not None)
        refinements = self._refinements(finest, task, score)
        if any(one.hidden for one in refinements):
            refuse_overlap(self, privacy)
        cut = Cut.of(refinements)
        return Refinement.of(
            finest, privacy, cut, score, self.squares, only_beneficial=self.beneficial
        )

    def _settled(self, *, has_class: bool) -> Score:
        """Choose the score if none was asked for."""
        score = self.score
        if score is None:
            score = self.with_classes if has_class else Score.DISCERNIBILITY
        if self.beneficial and score not in _OF_CLASSES:
            raise UnsupportedError(
                f"{self.name} with beneficial asks for the classes of records, and score "
                f"{score.value} knows none: name the column with target=..., or use score "
                f"{self.with_classes.value}"
            )
        return score

    def _refinements(self, finest: Groups, task: Task, score: Score) -> list[ColumnRefinement]:
        gain_of = self._gain_of(finest, task, score)
        found = []
        for j, attribute in enumerate(task.attributes):
            occurs = np.zeros(attribute.taxonomy.n, bool)
            occurs[finest.keys[:, j]] = True
            found.append(self.refinement_of(attribute.taxonomy)(attribute, occurs, gain_of(j)))
        return found

    def _gain_of(self, finest: Groups, task: Task, score: Score) -> Callable[[int], StepGain]:
        """Say how the steps of a column are measured."""
        n_codes = [a.taxonomy.n for a in task.attributes]
        if score is Score.LOSS:
            return _saving(self, finest, task)
        if score is Score.DISCERNIBILITY:
            return lambda j: EvenSplit(sum_by_label(finest.sizes, _codes(finest, j), n_codes[j]))
        counted = finest.histograms.get((self.target or "",))
        if counted is None:
            raise UnsupportedError(
                f"{self} asks for a class that was not counted: name a column of the table with "
                "target=..., and count it"
            )
        return lambda j: ClassGain(counted.merge(_codes(finest, j), n_codes[j]))


def _saving(method: TopDown, finest: Groups, task: Task) -> Callable[[int], StepGain]:
    """Measure steps by the metric of the task."""
    metric = task.metric
    if not isinstance(metric, CellMetric):
        raise UnsupportedError(
            f"{method} asks for a metric that adds up over cells, and {metric} does not: guide the "
            "search by iloss or normalized-certainty-penalty, or use another score"
        )
    shown = Shown.of(Partition.whole(finest), task.attributes)
    unit = metric.scale(shown) / (shown.total_weight or 1.0)

    def gain_of(j: int) -> StepGain:
        attribute = task.attributes[j]
        weights = sum_floats_by_label(finest.weights, _codes(finest, j), attribute.taxonomy.n)
        return LossReduction(attribute, metric, weights, unit * float(shown.importance[j]))

    return gain_of


def refuse_overlap(method: TopDown, privacy: All) -> None:
    """Refuse promises that count people who look like several groups.

    Who has a value that is disclosed looks like a record that shows it, and to anyone who only
    reads the release also like one that shows ``*``.

    Raises
    ------
    UnsupportedError
        If there is such a promise.
    """
    for model in privacy.models:
        if model.judges_absence:
            raise UnsupportedError(
                f"{method} suppresses some values of a column and tells others, and {model} counts "
                "people who look like several groups: use top-down-specialization, or optimal"
            )


def _codes(finest: Groups, j: int) -> CodeArray:
    return np.ascontiguousarray(finest.keys[:, j])
