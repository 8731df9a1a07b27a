"""mu-Argus: no combination of few values is rare.

Statistical offices judge a file by the combinations of two or three values that occur in it too
rarely: they generalize some columns for all records, and hide what is still rare, cell by cell
[1]_, [2]_. Who knows more values of a victim than are looked at together is not held off [3]_.

References
----------
.. [1] A. Hundepool, L. Willenborg. "mu- and tau-Argus: software for statistical disclosure
   control." Third International Seminar on Statistical Confidentiality, 1996.
.. [2] B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu. "Introduction to Privacy-Preserving Data
   Publishing." 2010. Section 5.1.2.1.
.. [3] L. Sweeney. "Achieving k-anonymity privacy protection using generalization and suppression."
   IJUFKS 10(5), 2002.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from attrs import evolve, field, frozen

from unlinkable.errors import ParameterError, UnsupportedError
from unlinkable.params import at_least, exact
from unlinkable.tables.groups import POPULATION_PREFIX, Groups, Partition
from unlinkable.tables.methods.base.search import Search, Solution, Step, Task
from unlinkable.tables.methods.cuts.shared.rare_combinations import (
    HiddenCells,
    RisingCut,
    asked_combinations,
)
from unlinkable.tables.methods.shared.feasible import require_feasible, require_safe
from unlinkable.tables.metrics import ILoss
from unlinkable.tables.metrics.base import CellMetric
from unlinkable.tables.models.base import All
from unlinkable.tables.operations import CellGeneralization, SubtreeGeneralization
from unlinkable.tables.operations.base import Recoding, Scheme
from unlinkable.typing import BoolArray

__all__ = ["MuArgus"]


def _is_part(instance: object, attribute: object, value: Fraction) -> None:
    if not 0 <= value < 1:
        raise ParameterError(f"rare must lie in [0, 1), got {value}")


@frozen
class MuArgus(Search):
    """Generalize what is rare in combination with others, and hide what is still rare.

    All combinations of columns that the promise is about are counted, and the ones that too few
    records share are *rare*. First, values are generalized for all records alike, a node in the
    place of its children: each time the node that takes the most records out of rare combinations
    against what it adds to the loss. When few enough records are left in rare combinations, steps
    that turn out to be idle are taken back, those that cost the most first. Then cells are hidden:
    each time the cell that is in the most rare combinations against what hiding it costs.

    A hidden cell shows ``*``, and to whoever counts published values that is a value like any
    other. So hiding cells can make other combinations rare, and goes on until the promise holds for
    the table as it is published: at worst some records hide all their cells. No record is left out,
    whatever share may be suppressed, and records that are equal on all columns stay together.

    **It does not guarantee k-anonymity.** What is promised must be about few columns at once, like
    ``lkc-privacy(l=3, k=5, c=1)``: an adversary who knows more than three values of a victim may
    still single it out. The effort says how the release does on all columns together: its
    ``smallest_group``, and the number of records in groups of fewer than k (``below_k``), the least
    size of a combination that the promise allows.

    Parameters
    ----------
    size
        The most columns that are looked at together. A promise about more is refused.
    rare
        The share of the records that may be in rare combinations when generalizing ends and hiding
        begins. With 0, nothing is hidden.

    Cost
    ----
    O(n d) for n distinct records and each combination of d columns, and as much again for each step
    up on the combinations with that column, and for each round of hiding.

    Raises
    ------
    UnsupportedError
        If the promise is about more columns at once than ``size``, about people outside the table,
        about all groups together, or if groups that keep it may break it together.
    InfeasibleError
        If all records in one group break the promise.

    Examples
    --------
    >>> import unlinkable as ul
    >>> staff = ul.as_table({"job": [*"aabbcc"], "sex": [*"fmfmfm"], "old": [*"ynyny"] + ["n"]},
    ...     quasi=["job", "sex", "old"])
    >>> promise = ul.LKCPrivacy(l=1, k=2, c=1)
    >>> found = ul.anonymize(staff, privacy=promise, method=ul.MuArgus(size=1)).solution
    >>> found.effort["steps"], found.effort["smallest_group"], found.effort["below_k"]
    (0, 1, 6)
    """

    name: ClassVar[str] = "mu-argus"
    reference: ClassVar[str] = "Hundepool and Willenborg 1996"
    scheme: ClassVar[type[Scheme]] = CellGeneralization

    size: int = field(default=3, validator=at_least(1))
    rare: Fraction = field(default=Fraction(1, 20), converter=exact, validator=_is_part)

    def misfits(self, recoding: Recoding) -> list[str]:
        """Say which columns show more than the nodes of one cut and ``*``."""
        found = []
        for j, (name, taxonomy) in enumerate(
            zip(recoding.columns, recoding.taxonomies, strict=True)
        ):
            at = slice(j, j + 1)
            is_hidden = (recoding.lo[:, j] == 0) & (recoding.hi[:, j] == taxonomy.n)
            told = evolve(
                recoding,
                columns=(name,),
                taxonomies=(taxonomy,),
                codes=recoding.codes[:, at],
                lo=recoding.lo[:, at],
                hi=recoding.hi[:, at],
                kept=recoding.kept & ~is_hidden,
            )
            found += SubtreeGeneralization.flaws(told)
        if not recoding.is_function_of_record():
            found.append("records with the same values show different ones")
        return found

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        super().require(privacy, may_suppress=may_suppress)
        require_safe(self, privacy)
        for model in privacy.models:
            if model.collective:
                raise UnsupportedError(
                    f"{self} hides what is rare, combination by combination, and {model} is about "
                    "all groups together: use the method optimal"
                )
            counts_people = any(
                name.startswith(POPULATION_PREFIX) for names in model.needs() for name in names
            )
            if counts_people or model.judges_absence:
                raise UnsupportedError(
                    f"{self} hides cells, so that people look like several groups, and {model} "
                    "counts people outside the table: use mondrian or optimal"
                )

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Generalize and hide until no combination is rare.

        Effort: ``combinations`` of columns were counted; ``steps`` up were made, which the trace
        lists; in so many ``rounds`` so many cells of records were ``hidden_cells``; and how the
        result does on all columns together (``smallest_group``, ``below_k``).
        """
        self.require(privacy, may_suppress=task.suppression > 0)
        combinations = asked_combinations(self, privacy, finest, self.size)
        require_feasible(finest, privacy, evolve(task, suppression=Fraction(0)))
        metric = task.metric if isinstance(task.metric, CellMetric) else ILoss()
        cut = RisingCut(finest, task.attributes, combinations, metric)
        partition, steps = self._generalized(cut, privacy, task)
        k = max(combinations.values(), default=1)
        cells = HiddenCells(partition, task.attributes, metric, k)
        cells.hide(privacy, task.progress)
        partition = cells.shown()
        sizes = partition.sizes
        effort = {
            "combinations": len(combinations),
            "steps": len(steps),
            "rounds": cells.n_rounds,
            "hidden_cells": cells.n_hidden,
            "smallest_group": int(sizes.min()),
            "below_k": int(sizes[sizes < k].sum()),
        }
        return Solution(partition, effort, trace=tuple(steps))

    def _generalized(
        self, cut: RisingCut, privacy: All, task: Task
    ) -> tuple[Partition, list[Step]]:
        """Go up until few enough records are in rare combinations, and take back what was idle."""
        steps: list[tuple[int, int, float]] = []
        while True:
            partition, is_bad = self._looked_at(cut, privacy, task)
            if is_bad is None:
                break
            step = cut.best_step(is_bad[partition.labels])
            assert step is not None, "all records in one group keep the promise"
            cut.go_up(*step[:2])
            steps.append(step)
        # What is broken in a table is broken in finer ones: a step is not tried twice.
        settled = set()
        while left := {s: c for s in steps if s not in settled and (c := cut.cost_of(*s[:2])) >= 0}:
            step = max(left, key=lambda s: left[s])
            cut.go_down(*step[:2])
            tried, is_bad = self._looked_at(cut, privacy, task)
            if is_bad is None:
                partition = tried
                steps.remove(step)
            else:
                cut.go_up(*step[:2])
                settled.add(step)
        return partition, [cut.as_step(*step) for step in steps]

    def _looked_at(
        self, cut: RisingCut, privacy: All, task: Task
    ) -> tuple[Partition, BoolArray | None]:
        """Put records together as a cut shows them, and mark bad groups if they are too many."""
        partition = cut.partition()
        is_bad = ~privacy.good(partition.groups())
        n, n_bad = partition.finest.n_records, int(partition.sizes[is_bad].sum())
        task.progress(1 - n_bad / n, f"{n_bad} records are in rare combinations")
        return partition, is_bad if n_bad > self.rare * n else None
