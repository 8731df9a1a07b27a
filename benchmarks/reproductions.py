"""What the literature reports on Adult, measured again: ``python -m benchmarks.reproductions``.

Prints the tables of ``docs/explanation/reproductions.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import polars as pl

from benchmarks.data import adult_frame, adult_table, folder
from unlinkable import (
    ClassificationError,
    InformationGain,
    KAnonymity,
    LKCPrivacy,
    Mondrian,
    Optimal,
    anonymize,
    as_table,
    choose_k,
)
from unlinkable.errors import InfeasibleError
from unlinkable.tables.data import Table
from unlinkable.tables.metrics import Classifier
from unlinkable.tables.models.base import GroupModel
from unlinkable.tables.publishing.releases.generalized import GeneralizedRelease

SENSITIVE, TARGET = "marital-status", "salary-class"
GUARDED = ("Divorced", "Separated")
KS = (20, 40, 60, 80, 100)
SEED = 0

Cells = Sequence[object]


def main() -> None:
    """Print all tables."""
    for title, header, rows in (
        ("Errors of classifiers", ("classifier", "BE", "UE"), classifier_rows()),
        ("k-anonymity, Mondrian, 13 columns", HEADER, k_rows()),
        ("LKC-privacy, full domain, 7 columns", ("L", "C", *HEADER), lkc_rows()),
        ("CE and DR against C", ("L", "C", *HEADER), c_rows()),
        ("Balancing point of k", BALANCE, balance_rows()),
    ):
        print(f"\n{title}\n\n{table(header, rows)}", flush=True)


HEADER = ("K", "BE %", "CE %", "UE %", "CE - BE", "UE - CE", "DR", "groups")
BALANCE = ("records", "quasi-identifiers", "privacy meets utility at k", "utility % there")


def table(header: Cells, rows: Iterable[Cells]) -> str:
    """Write a table as it stands in the documentation."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def classifier_rows() -> Iterator[Cells]:
    """Measure BE and UE of every classifier on all 14 columns."""
    raw = anonymize(full_adult(), privacy=KAnonymity(1), method=Mondrian(), seed=SEED)
    for classifier in Classifier:
        found = raw.evaluate(ClassificationError(classifier=classifier)).details
        yield classifier.value, per_cent(found["BE"]), per_cent(found["UE"])


def k_rows() -> Iterator[Cells]:
    """Measure releases of all 13 columns under k-anonymity, which is LKC-privacy with L = 13."""
    people = full_adult()
    for k in KS:
        yield k, *errors(anonymize(people, privacy=KAnonymity(k), method=Mondrian(), seed=SEED))


def lkc_rows() -> Iterator[Cells]:
    """Measure full-domain releases under LKC-privacy, guided by what they tell of the class."""
    people = short_adult()
    for share in ("1", "0.2"):
        for known in (2, 4, 6):
            for k in KS[::2]:
                promised = LKCPrivacy(
                    l=known, k=k, c=share, sensitive=SENSITIVE, values=list(GUARDED)
                )
                yield known, share, k, *errors(told_of_class(people, promised))


def c_rows() -> Iterator[Cells]:
    """Measure full-domain releases for K = 100 and several bounds on the sensitive values."""
    people = short_adult()
    for share in ("0.05", "0.1", "0.15", "0.2", "0.25", "0.3"):
        for known in (2, 4, 6):
            promised = LKCPrivacy(
                l=known, k=100, c=share, sensitive=SENSITIVE, values=list(GUARDED)
            )
            try:
                yield known, share, 100, *errors(told_of_class(people, promised))
            except InfeasibleError:
                yield known, share, 100, "no release", *[""] * (len(HEADER) - 2)


def balance_rows() -> Iterator[Cells]:
    """Find the balancing point for random parts of Adult."""
    columns = ("age", "workclass", "education", "race", "native-country")
    for n, chosen in ((1000, columns[:1] + columns[2:]), (1000, columns), (3000, columns)):
        rows = np.random.default_rng(SEED).choice(adult_frame().height, n, replace=False)
        frame = adult_frame()[rows].select([*chosen, TARGET])
        people = adult_table(frame, chosen, target=TARGET)
        stump = ClassificationError(classifier=Classifier.DECISION_STUMP)
        found = choose_k(people, ks=range(2, 61), utility=stump)
        low, high = found.between
        words = f"{low}" if low == high else f"between {low} and {high}"
        words = words if found.crosses else f"nowhere; closest at {low}"
        yield n, ", ".join(chosen), words, f"{found.at:.0f}"


def full_adult() -> Table:
    """Read Adult with all its columns, without records that miss a value."""
    where = folder()
    if where is None:
        raise SystemExit("put UCI Adult into a folder and name it in UNLINKABLE_DATA")
    file = where.parent / "adult-full" / "adult.csv"
    frame = pl.read_csv(file, separator=";", null_values="?").drop_nulls()
    quasi = [name for name in frame.columns if name not in (SENSITIVE, TARGET)]
    return as_table(frame, quasi=quasi, sensitive=SENSITIVE, target=TARGET)


def short_adult() -> Table:
    """Read Adult with the seven columns that have taxonomies and are not the class."""
    frame = adult_frame()
    quasi = tuple(name for name in frame.columns if name not in (SENSITIVE, TARGET))
    return adult_table(frame, quasi, target=TARGET)


def told_of_class(people: Table, promised: GroupModel) -> GeneralizedRelease:
    """Find the full-domain release that tells most of the class."""
    return anonymize(
        people, privacy=promised, method=Optimal(), metric=InformationGain(), seed=SEED
    )


def errors(release: GeneralizedRelease) -> Cells:
    """Measure a release by a decision tree and by its groups."""
    found = release.evaluate("classification-error").details
    be, ce, ue = found["BE"], found["CE"], found["UE"]
    return (
        *map(per_cent, (be, ce, ue, ce - be, ue - ce)),
        f"{release.measure('discernibility-ratio'):.4f}",
        f"{release.n_groups:,}",
    )


def per_cent(share: float) -> str:
    """Write a share in per cent."""
    return f"{100 * share:.1f}"


if __name__ == "__main__":
    main()
