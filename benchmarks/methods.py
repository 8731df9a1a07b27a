"""Every method on the same tables: what it loses, and how long it takes.

``python -m benchmarks.methods`` prints the tables of ``docs/explanation/methods-table.md``. The
invented tables are everybody's; Adult is measured where it is at hand. A method that refuses says
why.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.data import QI9, adult_frame, adult_table, folder
from unlinkable import KAnonymity, anonymize, as_table
from unlinkable.errors import UnlinkableError
from unlinkable.examples import (
    hospital,
    hospital_taxonomies,
    transfusions,
    transfusions_taxonomies,
)
from unlinkable.groups import Groups
from unlinkable.methods.base import Method, Solution, Task
from unlinkable.privacy.base import All
from unlinkable.recoding import Recoding
from unlinkable.release.registry import entries, make
from unlinkable.release.release import Release
from unlinkable.table import Schema, Table
from unlinkable.table.builders import TaxonomyBuilder
from unlinkable.table.builders.plan_form import builder_from_plan
from unlinkable.typing import Columns

KS = (5, 10, 100)
MAY_LEAVE_OUT = "0.05"
SEED = 0

VARIANTS: dict[str, tuple[str, ...]] = {
    "best": ("best", 'best(labels="taxonomy")'),
    "mondrian": ("mondrian", 'mondrian(split="best")', 'mondrian(labels="taxonomy")'),
    "greedy-cell": ("greedy-cell", 'greedy-cell(direction="top-down")'),
    "oka": ("oka", 'oka(variant="enhanced")'),
    "top-down-specialization": (
        "top-down-specialization",
        'top-down-specialization(score="loss")',
    ),
    "genetic": ("genetic(steps=200)", 'genetic(guide="metric", steps=200)'),
    "k-optimize": ("k-optimize(steps=300)",),
    "l-plus-optimize": ("l-plus-optimize(steps=300)",),
}
"""How methods are measured that have more than one face, or could go on for long."""

METRICS = ("iloss", "normalized-certainty-penalty", "discernibility-ratio", "information-gain")
HEADER = ("method", "iloss", "NCP", "DR", "gain, bits", "left out", "CPU s")


def main() -> None:
    """Print all tables."""
    warm_up()
    if folder() is not None:
        show("Adult", HEADER, rows(adult()))
    show("Hospital", HEADER, rows(patients()))
    show("Promises of their own", SPECIAL_HEADER, special_rows())


def show(title: str, header: Sequence[str], lines: Iterator[Sequence[str]]) -> None:
    """Print a table as it stands in the documentation."""
    print(f"\n## {title}\n")
    for line in (header, ["---"] * len(header)):
        print(f"| {' | '.join(line)} |")
    for line in lines:
        print(f"| {' | '.join(line)} |", flush=True)


def adult() -> Table:
    """Read Adult: eight columns that others may know, and the class of income to be told."""
    quasi = tuple(name for name in QI9 if name != "salary-class")
    return adult_table(adult_frame(), quasi, target="salary-class")


def patients(n: int = 10_000, *, target: str = "readmitted", guarded: bool = False) -> Table:
    """Invent patients: five columns that others may know, and what is to be told of them."""
    quasi = ("age", "sex", "zip", "admission_date", "profession")
    frame = hospital(n, seed=SEED).select(*quasi, "diagnosis", target)
    if guarded:
        frame = frame.with_columns(minds=guards(frame.get_column("diagnosis")))
    return as_table(
        frame,
        quasi=quasi,
        sensitive="diagnosis",
        target=target,
        guard="minds" if guarded else None,
        taxonomies=builders(hospital_taxonomies(), (*quasi, "diagnosis")),
    )


def guards(diagnosis: pl.Series) -> pl.Series:
    """Let one patient in ten mind that others find out the diagnosis."""
    minds = np.random.default_rng(SEED).random(len(diagnosis)) < 0.1
    return diagnosis.zip_with(pl.Series(minds), pl.Series([None] * len(minds), dtype=pl.String))


def donations(n: int = 10_000) -> Table:
    """Invent transfusions: 41 columns that others may know, and the blood group to be told."""
    frame = transfusions(n, seed=SEED)
    quasi = tuple(transfusions_taxonomies())
    return as_table(
        frame,
        quasi=quasi,
        sensitive="diagnosis",
        target="blood_group",
        taxonomies=builders(transfusions_taxonomies(), quasi),
    )


def builders(specs: Mapping[str, object], names: Columns) -> dict[str, TaxonomyBuilder]:
    """Read taxonomies as they stand in a plan."""
    return {name: builder_from_plan(specs[name], Path()) for name in names}  # type: ignore[arg-type]


def methods() -> Iterator[str]:
    """Name all methods there are, each with the variants that are measured."""
    for entry in entries("method"):
        yield from VARIANTS.get(entry.name, (entry.name,))


def rows(table: Table) -> Iterator[Sequence[str]]:
    """Run every method for every k, with up to 5 % left out where a method leaves out any."""
    yield _row(table, "optimal", "0")
    for written in methods():
        yield _row(table, written, MAY_LEAVE_OUT)


def _row(table: Table, written: str, suppression: str) -> Sequence[str]:
    name = f"`{written}`" + (", nobody left out" if suppression == "0" else "")
    promises = [f"k-anonymity(k={k})" for k in KS]
    try:
        found = [run(table, written, promise, suppression) for promise in promises]
    except UnlinkableError as error:
        return name, f"refuses: {error}", *[""] * (len(HEADER) - 2)
    return name, *(" / ".join(cells) for cells in zip(*found, strict=True))


def special_rows() -> Iterator[Sequence[str]]:
    """Run methods on what they are made for, beside others that serve it."""
    sick, everybody = people_within()
    disclosed = 'confidence-bounding(templates=["-> diagnosis <= 0.3"])'
    presence = 'delta-presence(low=0, high=0.35, population="everybody")'
    for what, table, promise, names in (
        ("transfusions, 41 columns", donations(), "lkc-privacy(l=2, k=20, c=0.8)", KNOWS_FEW),
        ("hospital", patients(), "lkc-privacy(l=2, k=20, c=0.8)", KNOWS_FEW),
        ("hospital, one in ten minds", patients(guarded=True), MINDED, PERSONAL),
        ("hospital", patients(), disclosed, BOUNDING),
        ("a fifth of the hospital, within it", sick, presence, WITHIN),
        ("hospital, cost to be told", patients(target="cost"), "k-anonymity(k=10)", NUMBERS),
    ):
        for written in names:
            side = {"everybody": everybody} if table is sick else {}
            try:
                cells = run(table, written, promise, "0", side)
            except UnlinkableError as error:
                cells = [f"refuses: {error}", *[""] * (len(SPECIAL_HEADER) - 4)]
            yield what, f"`{promise}`", f"`{written}`", *cells


SPECIAL_HEADER = ("table", "promise", *HEADER)
MINDED = "personalized-privacy(p=0.5)"
KNOWS_FEW = ("hdtds", "mu-argus", "top-down-specialization", "mondrian", "optimal")
PERSONAL = ("greedy-personalized", "optimal")
BOUNDING = ("top-down-disclosure", "l-plus-optimize(steps=300)", "optimal", "mondrian")
WITHIN = ("mpalm", "spalm", "mondrian", "optimal")
NUMBERS = ("lsd-mondrian", "mondrian")


def run(
    table: Table,
    written: str,
    promise: str,
    suppression: str,
    side: Mapping[str, object] | None = None,
) -> Sequence[str]:
    """Make one release and measure it; only the search is timed."""
    timed = Timed(make("method", written))
    release = anonymize(
        table,
        privacy=make("model", promise),
        method=timed,
        suppression=suppression,
        seed=SEED,
        side=side,
    )
    share = release.n_suppressed / (release.n_suppressed + release.n_records)
    stopped = "" if release.solution.is_complete else " (stopped)"
    found = [f"{told(release, metric):.3g}" for metric in METRICS]
    return [*found, f"{share:.1%}" if share else "0", f"{Timed.seconds:.2g}{stopped}"]


def told(release: Release, metric: str) -> float:
    """Measure a release; not a number where the metric cannot."""
    try:
        return release.measure(metric)
    except UnlinkableError:
        return float("nan")


class Timed(Method):
    """A method that takes the CPU time of its search."""

    seconds = 0.0

    def __init__(self, inner: Method) -> None:
        self.inner = inner
        self.name, self.scheme, self.stoppable = inner.name, inner.scheme, inner.stoppable

    def bind(self, schema: Schema) -> Timed:
        return Timed(self.inner.bind(schema))

    def needs(self, schema: Schema) -> frozenset[Columns]:
        return self.inner.needs(schema)

    def misfits(self, recoding: Recoding) -> list[str]:
        return self.inner.misfits(recoding)

    def require(self, privacy: All, *, may_suppress: bool) -> None:
        self.inner.require(privacy, may_suppress=may_suppress)

    def search(self, finest: Groups, privacy: All, task: Task) -> Solution:
        started = time.process_time()
        found = self.inner.search(finest, privacy, task)
        Timed.seconds = time.process_time() - started
        return found

    def __str__(self) -> str:
        return str(self.inner)


def people_within(n: int = 10_000) -> tuple[Table, pl.DataFrame]:
    """Take a fifth of the patients, and all of them for the population."""
    everybody = hospital(n, seed=SEED).select("age", "sex", "zip", "profession")
    some = np.random.default_rng(SEED).random(n) < 0.2
    names = tuple(everybody.columns)
    taxonomies = builders(hospital_taxonomies(), names)
    return as_table(everybody.filter(some), quasi=names, taxonomies=taxonomies), everybody


def warm_up() -> None:
    """Compile what has to be compiled."""
    few = patients(500)
    for written in methods():
        try:
            run(few, written, "k-anonymity(k=10)", MAY_LEAVE_OUT)
        except UnlinkableError:
            continue


if __name__ == "__main__":
    main()
