"""Optimal: the full-domain generalization that loses the least, and the proof that none loses less.

The lattice is searched by boxes: all nodes between a lower and an upper one. At the upper node the
fewest records have to be left out, at the lower one values lose the least. What no release below
the upper node can keep, and how coarse even the lower node is, bound the loss of the whole box, so
that most boxes are looked at in one node only. Earlier searches walk the lattice along single paths
[1]_, [2]_, or bound what is below one node [3]_.

References
----------
.. [1] K. El Emam et al. "A globally optimal k-anonymity method for the de-identification of health
   data." JAMIA 16(5), 2009.
.. [2] F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn. "Flash: efficient, stable and
   optimal k-anonymity." PASSAT 2012.
.. [3] R. J. Bayardo, R. Agrawal. "Data privacy through optimal k-anonymization." ICDE 2005.
"""

from __future__ import annotations

import math
from time import monotonic
from typing import ClassVar, NamedTuple

from attrs import evolve, field, frozen
from attrs.validators import optional

from unlinkable.errors import InfeasibleError
from unlinkable.groups import Groups
from unlinkable.methods.base import Search, Solution, Task, infeasible
from unlinkable.methods.lattice.best import Best
from unlinkable.methods.lattice.lattice import Node
from unlinkable.methods.lattice.rulers import Burden
from unlinkable.methods.lattice.survey import Survey
from unlinkable.methods.patience import Patience, is_seconds
from unlinkable.params import at_least
from unlinkable.privacy.base import All
from unlinkable.recoding.full_domain_generalization import FullDomainGeneralization
from unlinkable.recoding.scheme import Scheme

__all__ = ["Optimal"]

_OFTEN = 0.05
"""Seconds between two reports of progress."""


@frozen
class Optimal(Search):
    """Give all values of an attribute the same level, so that the least is lost.

    Any promise and any metric will do. What a promise says of finer tables (`least_lost`, and for
    a table of which nothing may be left out, that good groups stay good together) and what a metric
    says of coarser ones rules out most nodes unseen; where neither says anything, every node is
    checked. Groups that do not keep the promise are left out, up to the limit.

    Of equal losses, the release with fewer suppressed records is taken, then the one whose levels
    add up to less, then the first in lexicographic order of levels.

    Parameters
    ----------
    steps
        How many nodes may be checked. The best release by then is returned, and is not called
        optimal. No limit if not given.
    time
        How many seconds the search may take, with the same consequence. One node is checked in
        any case.

    Cost
    ----
    Each node checked adds up the groups of the cheapest node below it that is known. In the worst
    case all nodes of the lattice are checked, whose number is exponential in the number of
    attributes; with bounds it is usually a few hundred.

    Examples
    --------
    >>> from unlinkable.engines import count
    >>> from unlinkable.methods.base import Task
    >>> from unlinkable.privacy import KAnonymity
    >>> from unlinkable.privacy.base import All
    >>> from unlinkable.table import as_table
    >>> from unlinkable.utility import ILoss
    >>> staff = as_table({"job": ["cook", "clerk", "cook", "nurse"], "sex": ["f", "f", "m", "m"]},
    ...     quasi=["job", "sex"])
    >>> task = Task(staff.attributes, ILoss())
    >>> found = Optimal().search(count(staff).finest, All([KAnonymity(2)]), task)
    >>> found.node, found.optimal
    ({'job': 1, 'sex': 0}, True)
    """

    name: ClassVar[str] = "optimal"
    reference: ClassVar[str] = "El Emam et al. 2009; Kohlmayer et al. 2012"
    scheme: ClassVar[type[Scheme]] = FullDomainGeneralization
    stoppable: ClassVar[bool] = True

    steps: int | None = field(default=None, validator=optional(at_least(1)))
    time: float | None = field(default=None, validator=is_seconds)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        """Find the node that loses the least.

        Effort: ``checked`` nodes were judged, ``bounded`` ones cannot lose less than the result,
        and ``pruned_below`` ones are below a node that rules them out; when the search was not
        stopped, these add up to all ``nodes`` of the lattice. ``groups`` were added up.

        Raises
        ------
        InfeasibleError
            If no node keeps the promise, or none was found before the search was stopped.
        """
        walk = _Walk(Survey.of(finest, privacy, task), self)
        is_proven = walk.run()
        node = walk.best.node
        if node is None and is_proven:
            raise infeasible(finest, privacy, task)
        if node is None:
            raise InfeasibleError(
                f"{self} was stopped before it found a release that keeps {privacy}, after "
                f"{walk.n_checked} of {walk.n_nodes} nodes: allow more steps or time, allow more "
                "suppression, or use mondrian"
            )
        found = walk.survey.solution(node, walk.effort, optimal=is_proven)
        return evolve(found, is_complete=is_proven)


class _Box(NamedTuple):
    """All nodes between two, of which the upper one may have been checked already.

    Attributes
    ----------
    low, high
        The nodes.
    n_nodes
        How many nodes are between them, both included.
    floor
        The least that any of them can lose.
    burden, n_lost
        What all of them leave out, and how many records that is at least.
    is_checked, is_bounded
        Whether the upper node was checked, and whether the floor is as high as the burden allows.
    """

    low: Node
    high: Node
    n_nodes: int
    floor: float = -math.inf
    burden: Burden | None = None
    n_lost: int = 0
    is_checked: bool = False
    is_bounded: bool = False


class _Walk:
    """One search: which boxes are left, and the best release so far."""

    def __init__(self, survey: Survey, method: Optimal) -> None:
        lattice = survey.lattice
        self.survey = survey
        self.best = Best()
        self.n_nodes = lattice.n_nodes
        self.n_checked = self.n_bounded = self.n_pruned = 0
        # The first node is checked in any case: without it there is no release.
        steps = None if method.steps is None else method.steps - 1
        self._patience = Patience.of(survey.task, steps, method.time)
        self._told = monotonic()
        self._boxes = [_Box(lattice.bottom, lattice.top, lattice.n_nodes)]

    @property
    def effort(self) -> dict[str, int]:
        """What it took."""
        return {
            "nodes": self.n_nodes,
            "checked": self.n_checked,
            "bounded": self.n_bounded,
            "pruned_below": self.n_pruned,
            "groups": self.survey.rollup.n_added,
        }

    def run(self) -> bool:
        """Go through all boxes; tell whether the search came to its end."""
        while self._boxes:
            box = self._shrunk(self._boxes.pop())
            if box is None:
                continue
            if box.is_checked:
                self._split(box)
            elif self._is_over():
                return False
            else:
                self._check(box)
        return True

    def _shrunk(self, box: _Box) -> _Box | None:
        """Take off a box what cannot be better than the best; None if nothing is left."""
        low, high, n_nodes, floor, burden, n_lost, is_checked, is_bounded = box
        ruler, best = self.survey.ruler, self.best
        if not is_bounded and best.may_be_beaten(floor, n_lost, low):
            floor = max(floor, ruler.floor(low, burden))
        if not best.may_be_beaten(floor, n_lost, low):
            self.n_bounded += n_nodes - is_checked
            return None
        lower = ruler.lower(low, high, burden, best.most)
        if lower != high:
            n_left = math.prod([b - a + 1 for a, b in zip(low, lower, strict=True)])
            self.n_bounded += n_nodes - is_checked - n_left
            n_nodes, is_checked = n_left, False
        return _Box(low, lower, n_nodes, floor, burden, n_lost, is_checked, True)

    def _check(self, box: _Box) -> None:
        """Judge the upper node of a box, and put back what that does not settle."""
        low, high, n_nodes, floor, _, n_lost, _, _ = box
        self.n_checked += 1
        groups, finding = self.survey.look(high)
        if finding.is_hopeless:
            self.n_pruned += n_nodes - 1
            return
        loss, burden = self.survey.ruler.weigh(groups, finding)
        if loss is not None:
            self.best.offer(loss, finding.n_suppressed, high)
        if n_nodes > 1:
            n_lost = max(n_lost, finding.n_lost)
            self._boxes.append(_Box(low, high, n_nodes, floor, burden, n_lost, True, False))

    def _split(self, box: _Box) -> None:
        """Hold the attribute with the most at stake at its highest level, or take it off there.

        The box without that level is searched first: it is where less is lost.
        """
        low, high, n_nodes, floor, burden, n_lost, _, _ = box
        stake = self.survey.ruler.stake
        most, j = (-math.inf, 0), 0
        for i, (a, b) in enumerate(zip(low, high, strict=True)):
            if a < b and (this := (stake(i, a, b), b - a)) > most:
                most, j = this, i
        n_held = n_nodes // (high[j] - low[j] + 1)
        held = (*low[:j], high[j], *low[j + 1 :])
        below = (*high[:j], high[j] - 1, *high[j + 1 :])
        n_below = n_nodes - n_held
        if n_held > 1:
            self._boxes.append(_Box(held, high, n_held, floor, burden, n_lost, True, False))
        self._boxes.append(_Box(low, below, n_below, floor, burden, n_lost, False, True))

    def _is_over(self) -> bool:
        """Whether the limits are reached; also tell how far the search is, now and then."""
        if (now := monotonic()) - self._told > _OFTEN:
            self._told = now
            n_settled = self.n_checked + self.n_bounded + self.n_pruned
            words = f"{self.n_checked} of {self.n_nodes} nodes checked"
            self.survey.task.progress(n_settled / self.n_nodes, words)
        return self.n_checked > 0 and not self._patience.allows_another()
