"""The same table under several methods and promises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from attrs import frozen

from unlinkable.errors import InfeasibleError, UnsupportedError
from unlinkable.methods.base import Method
from unlinkable.privacy.base import GroupModel
from unlinkable.release.anonymize import anonymize
from unlinkable.table import Table
from unlinkable.table.side import Side
from unlinkable.utility.base import Metric

__all__ = ["Compared", "compare"]


@frozen(eq=False)
class Compared:
    """What came of one method under one set of promises.

    Attributes
    ----------
    method, privacy
        What was run.
    metrics
        What was lost, by each metric; empty if there is no release.
    n_groups, n_suppressed
        Groups that were published, and records that were left out.
    optimal
        Whether the method proved that nothing of its kind loses less.
    seconds
        How long the search took.
    problem
        Why there is no release, if there is none.
    """

    method: str
    privacy: str
    metrics: Mapping[str, float]
    n_groups: int = 0
    n_suppressed: int = 0
    optimal: bool | None = None
    seconds: float = 0.0
    problem: str | None = None

    def to_json(self) -> dict[str, object]:
        """Give the outcome as plain values."""
        return {
            "method": self.method,
            "privacy": self.privacy,
            "holds": self.problem is None,
            "groups": self.n_groups,
            "suppressed": self.n_suppressed,
            "optimal": self.optimal,
            "metrics": dict(self.metrics),
            "seconds": self.seconds,
            "problem": self.problem,
        }


def compare(
    table: Table,
    *,
    methods: Iterable[Method],
    privacy: Iterable[Sequence[GroupModel]],
    metrics: Iterable[Metric],
    suppression: float | str | Fraction = 0,
    seed: int = 0,
    progress: Callable[[float, str], None] | None = None,
    side: Mapping[str, object] | Side | None = None,
) -> list[Compared]:
    """Run every method under every set of promises, and measure what each of them loses.

    The first metric guides the searches. A combination that has no release, because the method
    cannot serve the promise or nothing keeps it, is reported with the reason.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [30, 31, 45, 46]}, quasi="age")
    >>> outcomes = compare(people, methods=[ul.Optimal(), ul.Mondrian()],
    ...     privacy=[[ul.KAnonymity(2)]], metrics=[ul.ILoss()])
    >>> [(o.method, round(o.metrics["iloss"], 2)) for o in outcomes]
    [('optimal', 0.25), ('mondrian', 0.25)]
    """
    methods, metrics, promises = list(methods), list(metrics), [tuple(p) for p in privacy]
    total = len(methods) * len(promises)

    def outcomes() -> Iterator[Compared]:
        for i, (models, method) in enumerate(product(promises, methods)):
            if progress is not None:
                progress(i / total, f"{method}, {' and '.join(map(str, models))}")
            yield _run(table, method, models, metrics, suppression, seed, side)

    return list(outcomes())


def _run(
    table: Table,
    method: Method,
    models: tuple[GroupModel, ...],
    metrics: Sequence[Metric],
    suppression: float | str | Fraction,
    seed: int,
    side: Mapping[str, object] | Side | None,
) -> Compared:
    promised = " and ".join(map(str, models))
    try:
        release = anonymize(
            table,
            privacy=models,
            method=method,
            metric=metrics[0],
            suppression=suppression,
            seed=seed,
            side=side,
        )
    except (InfeasibleError, UnsupportedError) as error:
        return Compared(str(method), promised, {}, problem=str(error))
    shown = release.shown
    return Compared(
        str(method),
        promised,
        {str(metric): metric.measure(shown) for metric in metrics},
        release.n_groups,
        release.n_suppressed,
        release.solution.optimal,
        release.seconds["search"],
    )
