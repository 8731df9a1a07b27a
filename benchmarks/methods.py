"""Every method on the same tables: what it loses, and how long it takes.

``python -m benchmarks.methods`` prints the tables of ``docs/explanation/methods-table.md``. The
invented tables are everybody's; Adult is measured where it is at hand. A method that refuses says
why.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import polars as pl

from benchmarks.data import folder
from benchmarks.measure import REFERENCE_UNIT, unit
from benchmarks.people import SEED, adult, donations, patients, people_within
from benchmarks.timed_method import Timed
from tools.methods_page import FAMILIES
from unlinkable import anonymize
from unlinkable.errors import UnlinkableError
from unlinkable.registry.lookup import entries
from unlinkable.tables.data import Role, Table
from unlinkable.tables.methods.base import Method
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease

KS = (5, 10, 100)
MAY_LEAVE_OUT = "0.05"

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

HEAD = """\
# What all methods lose, and how long they take

Every method on the same tables. Written by

```sh
python -m benchmarks.methods --markdown docs/explanation/methods-table.md
```

which takes about three minutes. The invented tables are everybody's. UCI Adult is not part of this
project: put it into a folder as `adult/adult.csv` with `adult/hierarchies/*.csv`, and name the
folder in `UNLINKABLE_DATA`.

Three numbers in a cell are for k = 5, 10 and 100. *iloss* and *NCP* (normalized certainty penalty)
say how wide published values are, from 0 to 1; *DR* (discernibility ratio) how large groups are,
from 0 to 1; *gain* how much the release tells of the class, in bits: more is better. *Left out* is
the share of records that are not published: up to 5 % may be. *CPU s* is the search alone, one run,
compiled before, on one core of a machine with a [unit](speed.md#the-unit) of {unit:.3f} s (the
reference is {reference} s). Losses do not depend on the machine; those of searches that use chance
are for seed 0.

All searches are guided by `iloss`, but for methods that follow a class if there is one: judge
these by their gain. Methods that show tight intervals have an advantage over those that show labels
of the taxonomy. A method that refuses says why."""

ADULT = """\
30,162 records, 8 quasi-identifying columns: sex, age, race, marital status, education, country,
work class, occupation. The class is whether somebody earns more than 50K: 0.81 bits."""

HOSPITAL = """\
`ul.examples.hospital(10_000, seed=0)`, 5 quasi-identifying columns: age, sex, zip code, day of
admission, profession. The class is whether somebody is admitted again, of which these columns tell
little; what is gained by small groups is chance."""

SPECIAL = """\
What some methods are made for, beside others that serve it, with nobody left out. Transfusions are
`ul.examples.transfusions(10_000, seed=0)`; for `personalized-privacy`, one patient in ten minds
that others find out the diagnosis (what `greedy-personalized` loses on the diagnosis itself is not
in these figures); for `delta-presence`, the table is a fifth of the hospital. Of a number, *gain*
is the share of its variance that groups tell."""

METRICS = ("iloss", "normalized-certainty-penalty", "discernibility-ratio")
HEADER = ("method", "iloss", "NCP", "DR", "gain", "left out", "CPU s")


def main() -> None:
    """Print all tables, and write the page if a file is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", type=Path, help="write the page to this file as well")
    options = parser.parse_args()
    warm_up()
    parts = [HEAD.format(unit=unit(), reference=REFERENCE_UNIT)]
    for title, words, header, lines in tables():
        parts.append(f"## {title}\n\n{words}")
        print(f"\n{parts[-1]}\n")
        shown = []
        for line in (header, ["---"] * len(header), *lines):
            shown.append(f"| {' | '.join(line)} |")
            print(shown[-1], flush=True)
        parts.append("\n".join(shown))
    if options.markdown:
        options.markdown.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


Lines = Iterator[Sequence[str]]


def tables() -> Iterator[tuple[str, str, Sequence[str], Lines]]:
    """Measure what the data at hand allows; a table is measured while it is read."""
    if folder() is not None:
        yield "Adult", ADULT, HEADER, rows(adult())
    yield "Hospital", HOSPITAL, HEADER, rows(patients())
    yield "Promises of their own", SPECIAL, SPECIAL_HEADER, special_rows()


def methods() -> Iterator[str]:
    """Name all methods there are, by family, each with the variants that are measured."""
    order = [name for _, _, needs in FAMILIES.values() for name in needs]
    for name in sorted((entry.name for entry in entries("method")), key=order.index):
        yield from VARIANTS.get(name, (name,))


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
    given = donations()
    disclosed = 'confidence-bounding(templates=["-> diagnosis = F10 Alcohol dependence <= 0.1"])'
    presence = 'delta-presence(low=0, high=0.35, population="everybody")'
    for what, table, promise, names in (
        ("transfusions, 41 columns", given, "lkc-privacy(l=2, k=20, c=0.8)", MANY),
        ("transfusions, 41 columns", given, "lkc-privacy(l=4, k=20, c=0.8)", MANY),
        ("transfusions, 41 columns", given, "k-anonymity(k=20)", MANY),
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
MINDED = "personalized-privacy(p=0.2) and k-anonymity(k=5)"
MANY = ("hdtds", 'hdtds(score="discernibility")')
KNOWS_FEW = ("hdtds", "mu-argus", "top-down-specialization", "mondrian", "optimal")
PERSONAL = ("greedy-personalized", "optimal", "mondrian")
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
    timed = Timed(Method.read(written))
    release = anonymize(
        table,
        privacy=[GroupModel.read(model) for model in promise.split(" and ")],
        method=timed,
        suppression=suppression,
        seed=SEED,
        side=side,
    )
    share = release.n_suppressed / (release.n_suppressed + release.n_records)
    stopped = "" if release.solution.is_complete else " (stopped)"
    found = [f"{release.measure(metric):.3g}" for metric in METRICS]
    return [
        *found,
        told(release),
        f"{share:.1%}" if share else "0",
        f"{Timed.seconds:.2g}{stopped}",
    ]


def told(release: GeneralizedRelease) -> str:
    """Tell what groups say of the target: bits of a class, or a share of the variance."""
    targets = release.table.schema.with_role(Role.TARGET)
    if not targets:
        return ""
    shown = cast("pl.DataFrame", release.frame)
    if not shown.schema[targets[0]].is_numeric():
        return f"{release.measure('information-gain'):.3g}"
    number, groups = pl.col(targets[0]), release.table.schema.quasi
    within, whole = (
        shown.select(((number - mean) ** 2).sum()).item()
        for mean in (number.mean().over(*groups), number.mean())
    )
    return f"{1 - within / whole:.3g} of the variance"


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
