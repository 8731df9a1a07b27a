"""What the parts of the page Explore share: methods, results and the choices made on it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from attrs import define

from unlinkable.errors import ParameterError
from unlinkable.spelling import read_call
from unlinkable.studio.contracts import Document, LatticeMap, MethodFit, Outcome
from unlinkable.studio.jobs import Job, JobState
from unlinkable.studio.workbench import Workbench

__all__ = ["ExploreState", "parameters_of", "write_method"]


def write_method(name: str, parameters: Mapping[str, object]) -> str:
    """Write a method with its parameters, as in plans and on the command line.

    Examples
    --------
    >>> write_method("mondrian", {"strict": False, "labels": "taxonomy"})
    'mondrian(strict=false, labels="taxonomy")'
    >>> write_method("optimal", {})
    'optimal'
    """
    given = [
        f"{key}={json.dumps(value, ensure_ascii=False)}"
        for key, value in parameters.items()
        if value is not None
    ]
    return f"{name}({', '.join(given)})" if given else name


def parameters_of(written: Sequence[str]) -> dict[str, dict[str, object]]:
    """Take written methods apart: by name, the parameters."""
    taken = (read_call(text) for text in written)
    return {name: dict(arguments) for name, arguments in taken}


_KEY = "explore"

_MATTERS = ("data", "columns", "privacy", "utility")


@define(eq=False)
class ExploreState:
    """The methods and results of a project, as one tab sees them.

    Attributes
    ----------
    cards
        What is known of every method, by its name.
    """

    work: Workbench
    cards: dict[str, Document]

    @property
    def state(self) -> Document:
        """What is remembered of this page, the same in all tabs."""
        found = self.work.project.state.get(_KEY)
        return found if isinstance(found, dict) else {}

    def remember(self, **facts: object) -> None:
        """Keep something of this page in the project, unless it is known already."""
        state = self.state
        if any(state.get(key) != value for key, value in facts.items()):
            self.work.project.remember(**{_KEY: {**state, **facts}})

    @property
    def picked(self) -> dict[str, Document] | None:
        """The methods that are ticked, with their parameters; None if nobody has chosen yet."""
        methods = self.state.get("methods")
        if not isinstance(methods, list):
            return None
        try:
            return parameters_of([str(method) for method in methods])
        except ParameterError:
            return None

    def pick(self, methods: dict[str, Document]) -> None:
        """Tick methods."""
        self.remember(methods=[write_method(name, given) for name, given in methods.items()])

    async def serving(self) -> list[MethodFit]:
        """Ask which methods can keep the promises; nothing is known while there are none."""
        if not self.promises:
            return []
        found: list[MethodFit] = await self.work.ask("serving")
        return found

    @property
    def promises(self) -> list[Document]:
        """What is promised."""
        return list((self.work.plan or {}).get("privacy", []))

    def runs(self) -> list[Outcome]:
        """Give all results."""
        return self.work.runs()

    def jobs(self, task: str) -> list[Job]:
        """Give the jobs of a kind, the first one first."""
        return [job for job in reversed(self.work.jobs()) if job.task == task]

    def failures(self) -> list[Job]:
        """Give the runs that have failed and that nobody has waved away."""
        gone = self.state.get("dismissed") or []
        failed = [job for job in self.jobs("anonymize") if job.state is JobState.FAILED]
        return [job for job in failed if job.key not in gone]

    def dismiss(self, job: Job) -> None:
        """Wave a failure away."""
        gone = [*(self.state.get("dismissed") or []), job.key]
        self.remember(dismissed=gone[-50:])

    def lattice(self) -> tuple[LatticeMap | None, bool]:
        """Give the last map of levels, and whether it is still about the plan as it is."""
        done = [job for job in self.jobs("lattice") if job.state is JobState.DONE]
        if not done:
            return None, False
        found: LatticeMap = done[-1].result
        return found, self._is_current(done[-1].arguments["plan"])

    def _is_current(self, then: Document) -> bool:
        now = self.work.plan or {}
        same = all(now.get(part) == then.get(part) for part in _MATTERS)
        return same and _suppression(now) == _suppression(then)

    def compared(self, runs: Sequence[Outcome]) -> tuple[int, int]:
        """Give the numbers of the two results that are compared."""
        numbers = [outcome["run"] for outcome in runs]
        asked = [n for n in self.state.get("compare") or [] if n in numbers]
        rest = [n for n in numbers if n not in asked]
        first, second = [*asked, *rest][:2]
        return first, second


def _suppression(plan: Document) -> object:
    return plan.get("method", {}).get("suppression", 0)
