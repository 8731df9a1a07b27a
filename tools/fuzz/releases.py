"""Random releases: whatever comes out must keep its promise, be true, be saved and verify."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import polars as pl

import unlinkable as ul
from tools.fuzz.disclosure import changed_where_left_out, check_canaries, figures
from tools.fuzz.files import read_table
from tools.fuzz.judges import UnclearError
from tools.fuzz.lattice import check_infeasible, check_optimal
from tools.fuzz.methods import Method, draw_method
from tools.fuzz.promises import Promise, draw_promises
from tools.fuzz.tables import People, draw_people
from tools.fuzz.trial import FailureError, RefusalError
from tools.fuzz.values import Cell, as_text, covers
from tools.fuzz.view import View
from unlinkable.errors import InfeasibleError, UnlinkableError

__all__ = ["Job", "draw_job", "judge", "trial"]

_SAVED = 0.3
"""Share of releases that are written as a bundle, which takes ten times as long."""

_TINY = 0.3
"""Share of tables that are small enough to go through all full-domain releases."""

_TRIES = 5
"""So many tables are drawn until the library makes a release of one."""

_DEFECTS = ("proposed a release", "defect", "went wrong inside")
"""What a message has in it if the library stopped itself at the last moment."""


@dataclass(frozen=True)
class Job:
    """A table, what is asked for, and how."""

    people: People
    promises: Sequence[Promise]
    method: Method
    suppression: str
    seed: int | None

    def __str__(self) -> str:
        columns = "\n".join(
            f"  {c.name!r} {c.role} {c.kind} {c.rule.written}: {list(c.values)!r}"
            for c in self.people.columns
        )
        return (
            f"{' and '.join(map(str, self.promises))}\nby {self.method.written}, suppression "
            f"{self.suppression}, metric {self.method.metric}, seed {self.seed}, "
            f"quasi {list(self.people.order)}\n{columns}"
        )

    def make(self) -> ul.Release:
        """Let the library make the release."""
        return ul.anonymize(
            self.people.table(),
            privacy=[promise.model() for promise in self.promises],  # type: ignore[misc]
            method=self.method.written,
            metric=self.method.metric,
            suppression=self.suppression,
            seed=self.seed,
            side={key: side for promise in self.promises for key, side in promise.side.items()},
        )


def draw_job(r: random.Random) -> Job:
    """Draw a table, promises and a method."""
    tiny = r.random() < _TINY
    people = draw_people(r, tiny=tiny)
    promises = draw_promises(r, people)
    method = draw_method(r, people, promises, tiny=tiny)
    if method.is_noisy:
        promises = [Promise("DifferentialPrivacy", {"epsilon": r.randint(1, 5), "delta": "1/1000"})]
    elif method.kind == "made up" and r.random() < 0.7:
        promises = []
    suppression = r.choice(["0", "0", "0", "1/10", "1/4", "1/2", "9/10"])
    seed = None if method.is_noisy else r.randrange(100)
    return Job(people, promises, method, suppression, seed)


def trial(r: random.Random, folder: Path) -> str:
    """Anonymize a random table in a random way, and judge what comes out."""
    for _ in range(_TRIES):
        job = draw_job(r)
        check_as_it_stands(job)
        try:
            release = _made(job)
            break
        except RefusalError as refusal:
            last = refusal
    else:
        raise last
    limit = int(len(job.people) * Fraction(job.suppression))
    if release.n_suppressed > limit and job.method.kind != "made up":
        raise FailureError(f"{release.n_suppressed} records left out, {limit} allowed\n{job}")
    check_optimal(release, job.people, job.promises, job.method, job.suppression, str(job))
    if r.random() < _SAVED:
        check_bundle(job, release, folder / "bundle", r.choice(["csv", "csv", "parquet"]))
        return f"{job.method.name}, saved"
    if job.method.kind == "generalize":
        frame = release.frame.to_dicts()  # type: ignore[attr-defined]
        judge(job, [{name: as_text(value) for name, value in row.items()} for row in frame])
    return job.method.name


def _made(job: Job) -> ul.Release:
    try:
        return job.make()
    except InfeasibleError as error:
        about = f"{error}\n{job}"
        check_infeasible(job.people, job.promises, job.method, job.suppression, about)
        raise RefusalError("infeasible") from error
    except UnlinkableError as error:
        if any(text in str(error) for text in _DEFECTS):
            raise FailureError(f"{error}\n{job}") from error
        raise RefusalError(_reason(error)) from error
    except Exception as error:
        raise FailureError(f"anonymize: {type(error).__name__}: {error}\n{job}") from error


def _reason(error: Exception) -> str:
    """The kind of an error and how its message begins, without what is particular."""
    return f"{type(error).__name__}: {re.sub(r'[^a-z ]+', '…', str(error))[:60]}"


def check_as_it_stands(job: Job) -> None:
    """Fail if `check` says something else of the original records than the judge."""
    records = job.people.records()
    rows = [{name: as_text(value) for name, value in record.items()} for record in records]
    view = _view(job, rows, list(range(len(rows))))
    for promise in job.promises:
        try:
            table = job.people.table()
            finding = ul.check(table, promise.model(), side=dict(promise.side))  # type: ignore[arg-type]
        except UnlinkableError:
            continue
        except Exception as error:
            raise FailureError(f"check: {type(error).__name__}: {error}\n{job}") from error
        try:
            kept = promise.kept(view)
        except UnclearError:
            continue
        if finding.holds != kept:
            reached = [verdict.achieved for verdict in finding.verdicts]
            raise FailureError(f"check says {finding.holds} {reached} of {promise}\n{job}")


def _view(job: Job, rows: Sequence[dict[str, Cell]], kept: Sequence[int]) -> View:
    """Put together what is published and what the holder knows of it.

    No number is no value, however it is written.
    """
    people = job.people
    unnumbered = [c.name for c in people.columns if c.kind == "float"]
    rows = [row | {name: None for name in unnumbered if row.get(name) == "NaN"} for row in rows]
    records = people.records()
    owner = people.named("owner")
    return View(
        people.order,
        rows,
        [records[at] for at in kept],
        [as_text(records[at][owner[0]]) for at in kept] if owner else None,
        {column.name: column.rule for column in people.columns},
        people.texts,
    )


def judge(job: Job, rows: Sequence[dict[str, Cell]]) -> set[int]:
    """Fail if generalized records are untrue or break a promise; give which were published."""
    kept = [int(row["nr"] or -1) for row in rows]
    if len(set(kept)) != len(kept):
        raise FailureError(f"a record is published twice\n{job}\n{rows}")
    view = _view(job, rows, kept)
    for row, record in zip(rows, view.originals, strict=True):
        for name, text in row.items():
            if not covers(text, record[name], view.rules[name].labels(record[name])):
                raise FailureError(f"UNTRUE: {name!r} shows {text!r} for {record[name]!r}\n{job}")
    _keep(job, view)
    return set(kept)


def _keep(job: Job, view: View) -> None:
    for promise in job.promises:
        try:
            kept = not view.rows or promise.kept(view)
        except UnclearError:
            continue
        if not kept:
            raise FailureError(f"BROKEN: {promise}\n{job}\n{view.rows}")


def check_bundle(job: Job, release: ul.Release, folder: Path, form: str) -> None:
    """Fail if a release cannot be saved, or its files do not verify, tell too much or lie."""
    try:
        release.save(folder, format=form)
        verified = ul.verify(folder)
        public = ul.verify(folder / "public")
    except Exception as error:
        raise FailureError(f"save: {type(error).__name__}: {error}\n{job}") from error
    if not verified.holds or not public.holds:
        raise FailureError(f"does not verify: {verified.problems} {public.problems}\n{job}")
    if job.method.kind == "made up":
        return
    rows = pl.read_parquet(folder / "private" / "rows.parquet")
    kept = {
        record
        for record, row in rows.select("record", "row").iter_rows()
        if record is not None and row is not None
    }
    if job.method.kind == "buckets":
        _check_buckets(job, folder / "public", form)
    else:
        published = read_table(folder / "public" / f"data.{form}")
        if job.method.kind == "generalize":
            if judge(job, published) != kept:
                raise FailureError(f"rows.parquet has other records than are published\n{job}")
        elif job.method.kind == "averages":
            _keep(job, _view(job, published, sorted(kept)))
    stated = " ".join(map(str, job.promises))
    check_canaries(folder / "public", job.people, kept, stated=stated, about=str(job))
    if job.method.kind == "generalize" and form == "csv" and len(kept) < len(job.people):
        _check_figures(job, folder, kept)


def _check_figures(job: Job, folder: Path, kept: set[int]) -> None:
    """Fail if the same table is published with other figures because left-out records differ."""
    people = changed_where_left_out(job.people, kept)
    if people is None or any(promise.side for promise in job.promises):
        return
    try:
        other = replace(job, people=people).make().save(folder.with_name("other"))
    except UnlinkableError:
        return
    ours, theirs = figures(folder / "public"), figures(other / "public")
    if ours["data"] == theirs["data"] and ours != theirs:
        differing = {
            key: (ours[key], theirs.get(key)) for key in ours if ours[key] != theirs.get(key)
        }
        raise FailureError(f"left-out records change what is told: {differing}\n{job}")


def _check_buckets(job: Job, public: Path, form: str) -> None:
    """Judge by the buckets: the records as they were, and for each bucket what it hides."""
    quasi = read_table(public / f"quasi.{form}")
    hidden = read_table(public / f"sensitive.{form}")
    records = job.people.records()
    of_bucket: dict[Cell, list[int]] = {}
    for row in quasi:
        at = int(row["nr"] or -1)
        of_bucket.setdefault(row["group"], []).append(at)
        for name in set(row) - {"group"}:
            if not covers(row[name], records[at][name], None):
                raise FailureError(f"UNTRUE: {name!r} shows {row[name]!r}\n{job}")
    rows: list[dict[str, Cell]] = []
    kept: list[int] = []
    names = job.people.named("sensitive")
    for bucket, members in of_bucket.items():
        told = [
            {name: row[name] for name in names}
            for row in hidden
            if row["group"] == bucket
            for _ in range(int(row["count"] or 0))
        ]
        true = [{name: as_text(records[at][name]) for name in names} for at in members]
        if sorted(map(repr, told)) != sorted(map(repr, true)):
            raise FailureError(f"UNTRUE: bucket {bucket} hides {told}, not {true}\n{job}")
        rows += [{**row, "group": bucket} for row in true]
        kept += members
    view = _view(job, rows, kept)
    view = View(("group",), view.rows, view.originals, view.owners, view.rules, view.texts)
    _keep(job, view)
