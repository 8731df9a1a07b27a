"""The same table under several methods and promises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Unpack

from attrs import evolve, frozen

from unlinkable.errors import InfeasibleError, ParameterError, UnsupportedError, in_short
from unlinkable.params import exact
from unlinkable.release.compare import Lost, Workers
from unlinkable.spelling import write_fraction
from unlinkable.tables.data import ColumnRoles, Side, Table, as_side, table_of
from unlinkable.tables.methods import is_seconds
from unlinkable.tables.methods.base import Method, Search
from unlinkable.tables.metrics.base import GroupMetric, Metric
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.operations.base import Perturbation
from unlinkable.tables.publishing.anonymizing.anonymize import anonymize, as_guide
from unlinkable.tables.publishing.anonymizing.stopping import breaking_off
from unlinkable.tables.publishing.anonymizing.written import (
    AnyMethod,
    Promises,
    as_list,
    as_metric,
    as_models,
    chosen_method,
    require_progress,
)
from unlinkable.tables.publishing.comparing.comparison import Compared, Comparison
from unlinkable.tables.publishing.comparing.outcomes_file import OutcomesFile, fingerprint
from unlinkable.tables.publishing.releases.release import Release
from unlinkable.typing import Progress

__all__ = ["compare"]

_PATIENCE = 3.0
"""So many seconds pass before further processes are started."""

_SEARCH = 0.75
"""So much of the time of a setting is for its search; the rest is to verify and to measure."""


@frozen(eq=False)
class _Setting:
    """One method under one set of promises, with so many records that may be left out."""

    method: Method
    models: tuple[GroupModel, ...]
    suppression: Fraction

    @property
    def blank(self) -> Compared:
        """What is known of it before it is run."""
        promised = " and ".join(map(str, self.models))
        return Compared(str(self.method), promised, write_fraction(self.suppression), {})


@frozen(eq=False)
class _Bench:
    """What all settings share."""

    table: Table
    metrics: tuple[Metric, ...]
    seed: int
    side: Mapping[str, object] | Side | None
    limit: float | None = None

    def fingerprint(self, settings: Sequence[_Setting]) -> str:
        """Tell apart what outcomes depend on besides their own setting."""
        side = self.side if isinstance(self.side, Side) else Side.of(self.side)
        models = [m for setting in settings for m in setting.models if m.unsearchable is None]
        beside = [side.open(name) for name in sorted({n for m in models for n in m.sources})]
        return fingerprint(self.table, [str(m) for m in self.metrics], self.seed, beside)

    def run(self, setting: _Setting) -> Compared:
        """Search, and measure what comes out."""
        is_guided = isinstance(setting.method, Search)
        try:
            release = anonymize(
                self.table,
                privacy=setting.models,
                method=self._limited(setting.method),
                metric=self.metrics[0] if is_guided else None,
                suppression=setting.suppression,
                seed=self.seed,
                side=self.side,
            )
            metrics = self._measure(release)
        except (InfeasibleError, UnsupportedError) as error:
            return evolve(setting.blank, problem=str(error))
        return evolve(
            setting.blank,
            metrics=metrics,
            risk=release.exposure(),
            n_groups=release.n_groups,
            n_suppressed=release.n_suppressed,
            optimal=release.outcome.optimal,
            seconds=release.seconds["search"],
        )

    def _limited(self, method: Method) -> Method:
        """Let a search that takes a time end before its process is ended."""
        if self.limit is None or getattr(method, "time", 0) is not None:
            return method
        return evolve(method, time=_SEARCH * self.limit)  # type: ignore[misc]

    def _measure(self, release: Release) -> dict[str, float]:
        """Measure what makes sense for this kind of release; at least something must."""
        published = type(release.published(self.metrics[0]))
        chosen = [m for m in self.metrics if issubclass(published, m.reads)]
        return {str(metric): release.measure(metric) for metric in chosen or self.metrics}


def compare(
    table: object,
    *,
    methods: AnyMethod | Iterable[AnyMethod],
    privacy: GroupModel | str | Iterable[Promises],
    metrics: Metric | str | Iterable[Metric | str],
    suppression: float | str | Fraction | Sequence[float | str | Fraction] = 0,
    seed: int = 0,
    progress: Progress | None = None,
    side: Mapping[str, object] | Side | None = None,
    jobs: int = 1,
    keep: str | Path | None = None,
    time: float | None = None,
    **roles: Unpack[ColumnRoles],
) -> Comparison:
    """Run every method under every set of promises, and measure what each of them loses.

    A combination that has no release, because the method cannot serve the promise or nothing keeps
    it, or whose release cannot be measured, is reported with the reason. Metrics that make no sense
    for the kind of a release are left out of its outcome, as long as one of them does.

    Parameters
    ----------
    table
        The records: a table with roles, or a frame of any kind or a file with roles as arguments.
    methods, privacy
        What is run: every method under every set of promises. A promise that stands by itself is a
        set. All may be given by their written forms, as may metrics.
    metrics
        What is measured; the first one guides the searches, if there are any.
    suppression
        Share of the records that may be left out, or several of them.
    seed
        Makes searches that use chance repeatable.
    progress
        Whom to tell how far it is.
    side
        The tables that promises refer to, as for `anonymize`.
    jobs
        How many searches may run at the same time, each in a process of its own, once it is clear
        that the comparison takes longer. A script that asks for more than one must be one that can
        be imported: ``if __name__ == "__main__":``.
    keep
        A file that every outcome is written to at once. Run again with the same file, and only
        what is missing is run. It stays with the holder.
    time
        Seconds that each setting may take. Methods with a parameter ``time`` that is not given end
        their search after three quarters of it, with the best release so far. A setting that is not
        done when the time is up is ended, and reported with that reason; it is not kept in the
        file. Any time if not given.
    roles
        The roles of the columns of a frame, as for `as_table`.

    Raises
    ------
    ParameterError
        If there is nothing to compare.
    UnsupportedError
        If the first metric cannot guide a search.
    DataError
        If the file holds outcomes of something else.

    Examples
    --------
    >>> import unlinkable as ul
    >>> people = ul.as_table({"age": [30, 31, 45, 46]}, quasi="age")
    >>> outcomes = compare(people, methods=[ul.Optimal(), ul.Mondrian()],
    ...     privacy=[[ul.KAnonymity(2)]], metrics=[ul.ILoss()])
    >>> [(o.method, round(o.metrics["iloss"], 2)) for o in outcomes]
    [('optimal', 0.25), ('mondrian', 0.25)]
    """
    is_seconds(None, None, time)
    measured = tuple(map(as_metric, as_list("metrics", metrics, Metric)))
    records = table_of(table, roles)
    bench = _Bench(records, measured, seed, as_side(side), time)
    settings = _settings(methods, privacy, suppression)
    if not settings or not bench.metrics:
        raise ParameterError("give at least one method, one set of promises and one metric")
    if not isinstance(jobs, int) or jobs < 1:
        raise ParameterError(f"jobs must be at least 1, got {in_short(jobs)}")
    require_progress(progress)
    if any(isinstance(setting.method, Search) for setting in settings):
        as_guide(bench.metrics[0])
    for metric in bench.metrics:
        if isinstance(metric, GroupMetric):
            metric.needs(records.schema)
    names = [str(metric) for metric in bench.metrics]
    file = None if keep is None else OutcomesFile.open(Path(keep), bench.fingerprint(settings))
    found = dict(file.known) if file else {}
    missing = [s for s in settings if s.blank.setting not in found]
    for outcome in _run(bench, missing, jobs, time, progress):
        found[outcome.setting] = outcome
        if file and not outcome.is_lost:
            file.add(outcome)
    gains = tuple(str(metric) for metric in bench.metrics if metric.higher_is_better)
    return Comparison(tuple(found[s.blank.setting] for s in settings), tuple(names), gains)


def _settings(
    methods: AnyMethod | Iterable[AnyMethod],
    privacy: GroupModel | str | Iterable[Promises],
    suppression: float | str | Fraction | Sequence[float | str | Fraction],
) -> list[_Setting]:
    shares = [exact(share) for share in as_list("suppression", suppression, float, int, Fraction)]
    promised = [tuple(as_models(p)) for p in as_list("privacy", privacy, GroupModel)]
    chosen = list(map(chosen_method, as_list("methods", methods, Method, Perturbation)))
    grid = product(shares, promised, chosen)
    settings = {s.blank.setting: s for s in (_Setting(m, p, share) for share, p, m in grid)}
    return list(settings.values())


def _run(
    bench: _Bench,
    settings: Sequence[_Setting],
    jobs: int,
    limit: float | None,
    progress: Progress | None,
) -> Iterator[Compared]:
    """Run all settings, and yield outcomes as they come.

    Starting further processes takes seconds: a comparison that is over by then does without. Only
    what runs in a process of its own can be ended when its time is up.
    """
    tell = progress or (lambda share, words: None)
    started, n = perf_counter(), len(settings)
    for i, setting in enumerate(settings):
        is_long = jobs > 1 and n - i > 1 and perf_counter() - started > _PATIENCE
        if limit is not None or is_long:
            yield from _run_beside(bench, settings[i:], jobs, limit, partial(_from, tell, i / n))
            return
        tell(i / n, setting.blank.setting)
        with breaking_off():
            outcome = bench.run(setting)
        yield outcome


def _from(tell: Progress, done: float, share: float, words: str) -> None:
    """Tell of progress with the rest, after a share that is done already."""
    tell(done + (1 - done) * share, words)


def _run_beside(
    bench: _Bench, settings: Sequence[_Setting], jobs: int, limit: float | None, tell: Progress
) -> Iterator[Compared]:
    """Run settings in processes of their own."""
    workers = Workers(bench.run, min(jobs, len(settings)), limit)
    tell(0.0, f"{len(settings)} settings, {workers.n} at a time")
    for i, found in enumerate(workers.run(settings)):
        outcome = _lost(found, limit) if isinstance(found, Lost) else found
        tell((i + 1) / len(settings), outcome.setting)
        yield outcome


def _lost(lost: Lost[_Setting], limit: float | None) -> Compared:
    """Say why there is no outcome."""
    if lost.is_late:
        why = f"not finished within {limit:g} seconds: allow more time, or use another method"
    else:
        why = "its process ended early, perhaps for want of memory: run fewer jobs at a time"
    return evolve(lost.item.blank, problem=why, is_lost=True)
