"""Reading, Mondrian, checks, and the whole command, against limits and Python peers."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.data import QI8, QI9, adult_frame, adult_table, folder, grown
from benchmarks.measure import Row, best, cpu, peak_memory
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.data.reading import read_frame
from unlinkable.tables.data.writing import write_frame
from unlinkable.tables.engines import count
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.metrics import ILoss, NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import Shown
from unlinkable.tables.models import DistinctLDiversity, EntropyLDiversity, KAnonymity, TCloseness
from unlinkable.tables.models.base import All, GroupModel
from unlinkable.tables.publishing.judging.check import check
from unlinkable.tables.publishing.judging.evidence import Finding

K5 = All((KAnonymity(5),))


def mondrian_rows(large: bool) -> Iterator[Row]:
    """Time Mondrian on Adult and on tables grown from it."""
    seconds, note = _mondrian(adult_table(adult_frame(), QI8))
    yield Row("Mondrian k=5, Adult, 8 QI", seconds, 0.46, 1 / 8, 1 / 20, "fastest script", note)
    for n, limit in ((1_000_000, 0.4), (10_000_000, 4.0)) if large else ():
        seconds, note = _mondrian(adult_table(grown(n), QI8))
        name = f"Mondrian k=5, {n:,} records, search"
        yield Row(name, seconds, limit, 1, 1 / 4, "limit", note, is_limit=True)


def _mondrian(people: Table) -> tuple[float, str]:
    finest = count(people).finest
    task = Task(people.attributes, ILoss())
    seconds, _, found = best(lambda: Mondrian().search(finest, K5, task))
    ncp = NormalizedCertaintyPenalty().value(Shown.of(found.partition, task.attributes))
    return seconds, f"{found.partition.n_parts:,} groups, ncp {ncp:.4f}"


def reading_rows(large: bool) -> Iterator[Row]:
    """Time the way from a file to finest groups (wall seconds, two cores)."""
    n = 10_000_000 if large else 1_000_000
    scale = n / 10_000_000
    with tempfile.TemporaryDirectory() as scratch:
        frame = grown(n)
        for suffix, must, stretch in ((".parquet", 2.5, 0.8), (".csv", 6.0, 3.5)):
            file = Path(scratch) / f"grown{suffix}"
            write_frame(frame, file)
            _, wall, encoded = best(lambda file=file: _finest(file), times=3)  # type: ignore[misc]
            yield Row(
                f"read, encode, finest groups, {n:,} x 9, {suffix[1:]}",
                wall,
                must * scale,
                1,
                stretch / must,
                "limit",
                f"wall; {encoded:,} finest groups; peak {peak_memory() / 2**30:.1f} GiB in all",
                is_limit=True,
            )


def _finest(file: Path) -> int:
    return len(count(as_table(read_frame(file), quasi=QI9)).finest)


def check_rows() -> Iterator[Row]:
    """Time the checks on raw Adult, against pycanon."""
    where = folder()
    assert where is not None
    frame = read_frame(where / "adult.csv")  # as each tool holds the table after reading it
    for model, peer in (
        (KAnonymity(2), 0.21),
        (DistinctLDiversity(2), 1.9),
        (EntropyLDiversity(2), 5.3),
        (TCloseness("0.5"), 35.0),
    ):
        seconds, _, _ = best(lambda model=model: _check(frame, model), 25)  # type: ignore[misc]
        yield Row(f"check {model}, Adult", seconds, peer, 1 / 50, 1 / 500, "pycanon")


def _check(frame: object, model: GroupModel) -> Finding:
    return check(as_table(frame, quasi=QI8, sensitive="occupation"), model)


def command_rows() -> Iterator[Row]:
    """Time whole commands in a process of their own (wall seconds).

    ``UNLINKABLE_COMMAND`` names the command of a plain installation. In the environment of the
    developers, numba finds scipy and loads it, which a plain installation does not have.
    """
    yield Row("unlinkable --help", _wall("--help"), 0.3, 1, 1, "limit", "wall", is_limit=True)
    where = folder()
    assert where is not None
    with tempfile.TemporaryDirectory() as scratch:
        arguments = [
            "anonymize", str(where / "adult.csv"), "--taxonomies", str(where / "hierarchies"),
            "--quasi", ",".join(QI8), "--sensitive", "occupation", "--suppression", "0.05",
            "--privacy", "k-anonymity(k=5)", "--out", f"{scratch}/release", "--overwrite",
        ]  # fmt: skip
        seconds = _wall(*arguments)
    yield Row("whole command, cold, Adult 8 QI", seconds, 2.0, 1, 0.35, "limit", "wall",
              is_limit=True)  # fmt: skip


def _wall(*arguments: str) -> float:
    beside = str(Path(sys.executable).with_name("unlinkable"))
    command = [os.environ.get("UNLINKABLE_COMMAND", beside), *arguments]
    times = []
    for _ in range(4):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return min(times[1:])


def peer_rows() -> Iterator[Row]:
    """Time pycanon in this very run, if it is installed."""
    try:
        from pycanon import anonymity
    except ImportError:
        return
    frame = adult_frame().to_pandas()
    peer, _, _ = cpu(lambda: anonymity.k_anonymity(frame, list(QI8)))
    people = as_table(frame, quasi=QI8, sensitive="occupation")
    seconds, _, _ = best(lambda: check(people, KAnonymity(2)))
    yield Row("check k, pycanon in this run", seconds, peer, 1 / 50, 1 / 500, "pycanon",
              is_limit=True)  # fmt: skip
