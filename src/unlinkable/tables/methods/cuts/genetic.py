"""Genetic: cuts through the taxonomies that breed, and of which the best survive.

The space of all cuts is far too large for an exhaustive search. A population of them is crossed and
mutated, and children replace what is worse [1]_ [2]_.

References
----------
.. [1] V. S. Iyengar. "Transforming data to satisfy privacy constraints." KDD 2002.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 6.6.
"""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Self

from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import InfeasibleError, ParameterError
from unlinkable.params import at_least
from unlinkable.tables.data import Schema
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Search, Solution, Task
from unlinkable.tables.methods.cuts.shared.column_refinement import (
    AlongTree,
    BySplits,
    misfits_by_column,
)
from unlinkable.tables.methods.cuts.shared.fitness import Fitness
from unlinkable.tables.methods.cuts.shared.genome import Genome, is_ordered
from unlinkable.tables.methods.cuts.shared.guides import Guide, as_guide, class_asked, with_target
from unlinkable.tables.methods.cuts.shared.population import Population
from unlinkable.tables.methods.shared.feasible import infeasible, require_feasible
from unlinkable.tables.methods.shared.stop_rule import StopRule, is_seconds
from unlinkable.tables.metrics import ClassificationMetric
from unlinkable.tables.metrics.base import GroupMetric
from unlinkable.tables.models.base import All, Merging
from unlinkable.tables.operations import SubtreeGeneralization
from unlinkable.tables.operations.base import Recoding, Scheme
from unlinkable.typing import Columns

__all__ = ["Genetic", "Numbers"]

_EVERY = 16
"""After this many generations the records that no member distinguishes are merged anew."""


class Numbers(Enum):
    """Where numbers and dates may be cut."""

    TAXONOMY = "taxonomy"
    """Where their taxonomy has nodes."""
    ORDER = "order"
    """Between any two values."""


def _as_numbers(value: Numbers | str) -> Numbers:
    try:
        return Numbers(value)
    except ValueError:
        known = ", ".join(repr(option.value) for option in Numbers)
        raise ParameterError(f"numbers must be one of {known}, got {value!r}") from None


def _is_chance(instance: object, attribute: object, value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ParameterError(f"mutation must be a number from 0 to 1, got {value!r}")


@frozen(kw_only=True)
class Genetic(Search):
    """Breed cuts: cross two good ones, change a little, and keep what is better than the worst.

    A *chromosome* is a cut through every taxonomy: for each node one bit that states whether it is
    split into its children. The groups that it makes are judged by the promise, and those that
    break it are suppressed. A chromosome that would suppress more than is allowed is no release,
    and worse than every release; of two such, the one that exceeds the limit by fewer records is
    better, which leads the search back. Of releases, the one that loses less is better.

    The population starts with the cut at the roots of all taxonomies and with random ones. As in
    GENITOR, parents are drawn by their place in the order of fitness; two-point crossover copies a
    segment of the genes of one to the other (where nodes above are not split, those under them are
    not split either: the more general value wins); some bits are flipped; and the child takes the
    place of the worst, if it is better. The best is never lost. A *generation* is as many children
    as the population has members. The search ends when the best has stayed the same for some
    generations, and what comes out is the best chromosome ever seen. It may not be the best of all.

    Parameters
    ----------
    population
        The size of the population. More members make the search slower and more diverse.
    idle
        The number of generations without a better release after which the search ends.
    mutation
        The mutation rate: the probability that a bit is flipped, and if one is, that another one
        is, and so on. A child that was seen before gets flips until it is new.
    guide
        What a good release keeps: what predicts the target column (``class``, by the classification
        metric of Iyengar), or as much as possible by the ``metric`` of the task. If not given, the
        class if the table has a target.
    target
        The column that is to be predicted from the release. If not given, the one whose role is
        target, else the one sensitive column.
    numbers
        Where numbers and dates may be cut: at the nodes of their ``taxonomy``, or in their
        ``order``, between any two values. Intervals then fit the records and need not be in the
        taxonomy.
    steps
        The maximum number of generations.
    time
        The maximum number of seconds.

    Cost
    ----
    O(p d n) for a generation of p children, n distinct records and d columns. Records that no
    chromosome of the population distinguishes are merged once, so that generations get faster as
    the population converges. Promises about hidden values, and metrics that are neither sums over
    cells nor about sizes or the class, take several times as long.

    Raises
    ------
    InfeasibleError
        If no chromosome that was tried keeps the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> jobs = ul.Tree({"Artist": ["Dancer", "Writer"], "Office": ["Clerk", "Lawyer"]})
    >>> people = ul.as_table({"job": ["Dancer", "Writer", "Clerk", "Clerk", "Lawyer", "Lawyer"]},
    ...     quasi="job", taxonomies={"job": jobs})
    >>> method = ul.Genetic(idle=3)
    >>> found = ul.anonymize(people, privacy=ul.KAnonymity(2), method=method, seed=0).solution
    >>> found.partition.lo.ravel().tolist(), found.partition.hi.ravel().tolist()
    ([0, 2, 3], [2, 3, 4])
    """

    name: ClassVar[str] = "genetic"
    reference: ClassVar[str] = "Iyengar 2002"
    scheme: ClassVar[type[Scheme]] = SubtreeGeneralization
    stoppable: ClassVar[bool] = True

    population: int = field(default=25, validator=at_least(2))
    idle: int = field(default=100, validator=at_least(1))
    mutation: float = field(default=0.5, validator=_is_chance)
    guide: Guide | None = field(default=None, converter=as_guide)
    target: str | None = None
    numbers: Numbers = field(default=Numbers.TAXONOMY, converter=_as_numbers)
    steps: int | None = field(default=None, validator=optional(at_least(0)))
    time: float | None = field(default=None, validator=is_seconds)

    def bind(self, schema: Schema) -> Self:
        guide, target = with_target(schema, self.guide, self.target)
        return evolve(self, guide=guide, target=target)

    def needs(self, schema: Schema) -> frozenset[Columns]:
        _, target = with_target(schema, self.guide, self.target)
        return frozenset() if target is None else frozenset({(target,)})

    def misfits(self, recoding: Recoding) -> list[str]:
        """List what is no cut; numbers that are cut in their order need no nodes of a taxonomy."""
        if self.numbers is Numbers.TAXONOMY:
            return super().misfits(recoding)
        return misfits_by_column(recoding, lambda t: BySplits if is_ordered(t) else AlongTree)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Breed until the best release has not improved for ``idle`` generations.

        Effort: ``generations``; chromosomes ``ranked`` and ``repeated``, the latter seen before and
        not ranked again; and ``rows`` that were grouped.
        """
        stop_rule = StopRule.of(task, self.steps, self.time)
        self.require(privacy, may_suppress=task.suppression > 0)
        require_feasible(finest, privacy, task)
        genome = Genome.of(finest, task.attributes, free_numbers=self.numbers is Numbers.ORDER)
        fitness = Fitness(finest, genome, privacy, task, self._metric(task))
        population = Population(genome, fitness, self.population, self.mutation, task.rng)
        # The roots are a release of every promise that survives merging, so the search has one from
        # the start.
        population.found(genome.top())
        while genome.size and population.n_founded < self.population and not stop_rule.is_over():
            population.settle(stop_rule.is_over)
        if genome.size:
            self._breed(population, fitness, stop_rule, task)
        if population.best.n_too_many:
            raise _nothing_found(self, finest, privacy, task, fitness.n_ranked)
        effort = {
            "generations": stop_rule.n_steps,
            "ranked": fitness.n_ranked,
            "repeated": population.n_repeated,
            "rows": fitness.n_rows,
        }
        partition = fitness.partition(population.fittest)
        return Solution(partition, effort, is_complete=not stop_rule.ended_early)

    def _breed(
        self, population: Population, fitness: Fitness, stop_rule: StopRule, task: Task
    ) -> None:
        idle = 0
        while idle < self.idle and stop_rule.allows_another():
            # The union of all members bounds what their children split, up to mutations.
            if stop_rule.n_steps % _EVERY == 1:
                fitness.expect(population.union)
            before = population.best
            for _ in range(self.population):
                if stop_rule.is_over():
                    break
                population.bear()
            # A generation that was cut short does not count as one without improvement.
            else:
                idle = idle + 1 if population.best == before else 0
            words = f"generation {stop_rule.n_steps}, {idle} of {self.idle} without a better one"
            task.progress(idle / self.idle, words)

    def _metric(self, task: Task) -> GroupMetric:
        target = class_asked(self.guide, self.target)
        return task.metric if target is None else ClassificationMetric(target)


def _nothing_found(
    method: Genetic, finest: Groups, privacy: All, task: Task, n_ranked: int
) -> InfeasibleError:
    """Explain that there is no release, or that none was found."""
    limit = task.may_suppress(finest.n_records)
    if privacy.merging is Merging.ABSORBS and not privacy.relative:
        # Merging only helps here, so the cut at the roots is a release if any is.
        return infeasible(finest, privacy, task)
    return InfeasibleError(
        f"none of the {n_ranked} releases that {method} tried keeps {privacy} and leaves out at "
        f"most {limit} of {finest.n_records} records: allow more suppression, ask for less, or "
        "use optimal, which tries all nodes"
    )
