"""Tasks on the lattice: all ways to give each quasi-identifier one level, and their cost."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import define, field

from unlinkable.errors import ParameterError
from unlinkable.spelling import finite
from unlinkable.studio.contracts import Document, LatticeMap, LatticeNode, NodeDetails
from unlinkable.studio.tasks.promises import counted_among
from unlinkable.studio.tasks.session import Session
from unlinkable.tables.data import Table
from unlinkable.tables.methods import Allowance
from unlinkable.tables.methods.base import Task
from unlinkable.tables.methods.lattice import Finding, Lattice, Node, Survey
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models.base import All, BindingContext, bind_all
from unlinkable.tables.publishing.anonymizing import as_guide
from unlinkable.tables.publishing.plans import Plan
from unlinkable.tables.publishing.releases import loss_by_attribute
from unlinkable.tables.taxonomies import write_level
from unlinkable.typing import Progress

__all__ = ["lattice", "node"]

_MOST_NODES = 3000
"""Of a larger lattice, only the best nodes are looked for."""

_MOST_LOOKS, _MOST_LISTED = 1500, 60
"""How many nodes of a larger lattice are looked at, and how many are listed."""

_TIME_LIMIT = 30.0
"""Seconds after which the rest of the nodes is left open."""

_FEW = 8
"""How many published values of an attribute are shown."""


def lattice(session: Session, tell: Progress, plan: Document, granted: Sequence[str]) -> LatticeMap:
    """Judge and measure all nodes from the top down; below a hopeless one nothing is looked at."""
    made = session.plan(plan, granted)
    tell(0.05, "reading the table")
    survey = _survey(session, made, session.table(made))
    whole = survey.lattice
    found: LatticeMap = {
        "columns": [a.name for a in survey.task.attributes],
        "heights": list(whole.heights),
        "nodes": [],
        "n_nodes": whole.n_nodes,
        "best": None,
        "metric": str(survey.task.metric),
        "records": survey.rollup.n_records,
        "limit": survey.judge.limit,
        "complete": False,
    }
    walk = _Walk(survey, tell)
    if whole.n_nodes > _MOST_NODES:
        walk.descend()
        found["nodes"] = walk.valid()[:_MOST_LISTED]
    else:
        walk.run()
        found["nodes"] = [walk.told(n) for n in whole.nodes()]
        found["complete"] = walk.is_complete
    found["best"] = next((node["levels"] for node in walk.valid()), None)
    return found


def node(
    session: Session,
    tell: Progress,
    plan: Document,
    granted: Sequence[str],
    levels: Sequence[int],
) -> NodeDetails:
    """Look at one node more closely."""
    made = session.plan(plan, granted)
    survey = _survey(session, made, session.table(made))
    at = _checked(survey.lattice, levels)
    groups, finding = survey.look(at, allowance=Allowance())
    shown = Shown.of(survey.rollup.partition(groups, finding.keep), survey.task.attributes)
    losses = loss_by_attribute(shown, survey.task.metric)[0]
    is_release = finding.is_release
    return {
        "levels": list(at),
        "state": _state(finding),
        "loss": finite(survey.bounds.measure(groups, finding.keep)) if is_release else None,
        "losses": {name: float(loss) for name, loss in losses.items()},
        "suppressed": finding.n_suppressed,
        "groups": int(finding.keep.sum()) if is_release else len(groups),
        "smallest": int(groups.sizes.min()),
        "average": float(groups.sizes.mean()),
        "examples": {
            a.name: _examples(survey, j, level)
            for j, (a, level) in enumerate(zip(survey.task.attributes, at, strict=True))
        },
    }


@define(eq=False)
class _Walk:
    """Looks at nodes from the top down."""

    survey: Survey
    tell: Progress
    is_complete: bool = True
    _known: dict[Node, LatticeNode] = field(factory=dict)
    _hopeless: set[Node] = field(factory=set)
    _allowance: Allowance = field(factory=Allowance)

    def run(self) -> None:
        """Decide on every node, as long as there is time."""
        whole, started, done = self.survey.lattice, time.monotonic(), 0
        for height in range(sum(whole.heights), -1, -1):
            for at in whole.at_height(height):
                done += 1
                if any(up in self._hopeless for up in whole.generalizations(at)):
                    self._hopeless.add(at)
                    self._known[at] = _told(at, "pruned")
                elif time.monotonic() - started < _TIME_LIMIT:
                    self.tell(0.1 + 0.9 * done / whole.n_nodes, f"{done} of {whole.n_nodes} nodes")
                    self._look(at)
                else:
                    self.is_complete = False

    def descend(self) -> None:
        """Go down from the top, from the release that loses the least first, as long as it pays."""
        whole, started, self.is_complete = self.survey.lattice, time.monotonic(), False
        top = tuple(whole.heights)
        frontier = [(0.0, top)]
        seen = {top}
        while frontier and len(self._known) < _MOST_LOOKS:
            if time.monotonic() - started > _TIME_LIMIT:
                return
            at = heapq.heappop(frontier)[1]
            done = len(self._known)
            words = f"{done:,} of {whole.n_nodes_in_words} nodes"
            self.tell(0.1 + 0.9 * done / _MOST_LOOKS, words)
            self._look(at)
            loss = self._known[at]["loss"]
            if at in self._hopeless:
                continue
            for below in whole.specializations(at):
                if below not in seen:
                    seen.add(below)
                    heapq.heappush(frontier, (math.inf if loss is None else loss, below))

    def valid(self) -> list[LatticeNode]:
        """Give all releases that were found, the one that loses the least first."""
        found = [node for node in self._known.values() if node["loss"] is not None]
        return sorted(
            found, key=lambda x: (x["loss"], x["suppressed"], sum(x["levels"]), x["levels"])
        )

    def _look(self, at: Node) -> None:
        groups, finding = self.survey.look(at, allowance=self._allowance)
        if finding.is_hopeless:
            self._hopeless.add(at)
        if not finding.is_release:
            self._known[at] = _told(at, _state(finding))
            return
        told = _told(at, "valid")
        told["loss"] = finite(self.survey.bounds.measure(groups, finding.keep))
        told["suppressed"] = finding.n_suppressed
        told["groups"] = int(finding.keep.sum())
        self._known[at] = told

    def told(self, at: Node) -> LatticeNode:
        """Say what is known of a node."""
        return self._known.get(at) or _told(at, "unknown")


def _state(finding: Finding) -> str:
    """Say whether a node is a release; unknown if not all sets of groups were tried."""
    if finding.is_release:
        return "valid"
    return "invalid" if finding.floor == math.inf else "unknown"


def _told(at: Node, state: str) -> LatticeNode:
    return {"levels": list(at), "state": state, "loss": None, "suppressed": None, "groups": None}


def _survey(session: Session, plan: Plan, table: Table) -> Survey:
    """Get ready to look at nodes, or take what was got ready before."""
    key = f"survey {plan.form.privacy} {plan.suppression} {plan.metric()}"
    if key not in session.kept:
        models = bind_all(plan.models(), BindingContext.at(table, plan.side()))
        guide = as_guide(plan.metric()).bind(table.schema)
        wide, counted = counted_among(table, models, plan.side(), guide.needs(table.schema))
        everything = All(models).prepared(counted.finest)
        task = Task(wide.attributes, guide, plan.suppression)
        session.kept = {k: v for k, v in session.kept.items() if not k.startswith("survey")}
        session.kept[key] = Survey.of(counted.finest, everything, task)
    found: Survey = session.kept[key]
    return found


def _checked(whole: Lattice, levels: Sequence[Any]) -> Node:
    fits = len(levels) == len(whole.heights) and all(
        isinstance(level, int) and 0 <= level <= height
        for level, height in zip(levels, whole.heights, strict=True)
    )
    if not fits:
        raise ParameterError(f"levels go from 0 to {list(whole.heights)}, got {list(levels)}")
    return tuple(int(level) for level in levels)


def _examples(survey: Survey, column: int, level: int) -> list[str]:
    taxonomy = survey.task.attributes[column].taxonomy
    starts = taxonomy.levels[level].starts[:-1]
    chosen = starts[np.linspace(0, starts.size - 1, min(_FEW, starts.size)).astype(int)]
    return ["(missing)" if t is None else str(t) for t in write_level(taxonomy, level, chosen)]
