"""Reports of a bundle, as the command writes them, against the limit."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Row
from unlinkable.examples import hospital
from unlinkable.tables.data import as_table
from unlinkable.tables.methods import Mondrian
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.publishing.anonymizing.anonymize import anonymize

QUASI = ("age", "sex", "zip", "admission_date", "profession", "insurance")
SECONDS = 5.0
"""What the report of a million records may take."""


def rows(large: bool) -> Iterator[Row]:
    """Time the whole command for recipients and for the holder (CPU seconds of its process)."""
    n = 1_000_000 if large else 100_000
    stays = hospital(n)
    known = (*QUASI, "diagnosis", "patient_id", "name")
    table = as_table(
        stays,
        quasi=QUASI,
        sensitive="diagnosis",
        identifiers=["patient_id", "name"],
        insensitive=[name for name in stays.columns if name not in known],
    )
    with tempfile.TemporaryDirectory() as scratch:
        release = anonymize(table, privacy=KAnonymity(5), method=Mondrian())
        folder = release.save(Path(scratch) / "release")
        for who in ("--public", "--holder"):
            seconds = min(_cpu("report", folder, who, "--json") for _ in range(3))
            yield Row(
                f"report {who}, {n:,} records", seconds, SECONDS, 1, 1 / 2, "limit",
                "CPU, cold process", is_limit=True,
            )  # fmt: skip


def _cpu(*arguments: object) -> float:
    """Run the command; give the CPU seconds of its process and of all its threads."""
    beside = str(Path(sys.executable).with_name("unlinkable"))
    command = [os.environ.get("UNLINKABLE_COMMAND", beside), *map(str, arguments)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
