"""Print the table of ratios: our time against the peers', from one run."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from benchmarks import (
    bucketizing,
    corresponding,
    differences,
    full_domain,
    generalizing,
    incremental,
    linking,
    metrics,
    microaggregating,
    models,
    noisy,
    others,
    perturbing,
    reporting,
    republishing,
    risks,
    sequential,
    tracing,
)
from benchmarks.data import folder
from benchmarks.measure import REFERENCE_UNIT, Row, unit

HEADER = ("task", "ours s", "peer s (scaled)", "ratio", "must", "reached", "result")


def cells(row: Row, unit_here: float) -> tuple[str, ...]:
    """Write a row for people."""
    return (
        row.task,
        f"{row.ours:.4f}",
        f"{row.scaled_peer(unit_here):.3f} ({row.who})",
        share(row.ratio(unit_here), 1),
        share(row.must, 0),
        row.verdict(unit_here),
        row.note,
    )


def share(ratio: float, places: int) -> str:
    """Write a ratio as one in so many, or as so many times."""
    return f"1/{1 / ratio:.{places}f}" if ratio <= 1 else f"{ratio:.{places}f}"


def markdown(lines: Iterable[tuple[str, ...]]) -> str:
    """Write the table for the documentation."""
    head = [f"| {' | '.join(HEADER)} |", f"| {' | '.join('---' for _ in HEADER)} |"]
    return "\n".join([*head, *(f"| {' | '.join(line)} |" for line in lines)]) + "\n"


def main() -> None:
    """Run everything that the data at hand allows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="leave out millions of records")
    parser.add_argument("--markdown", type=Path, help="write the table to this file as well")
    options = parser.parse_args()
    if folder() is None:
        raise SystemExit(
            "The figures of the peers are for UCI Adult: put it into a folder (adult/adult.csv and "
            "adult/hierarchies/*.csv) and name that folder in UNLINKABLE_DATA."
        )
    large, unit_here = not options.small, unit()
    print(f"unit {unit_here:.4f} s (reference {REFERENCE_UNIT} s)", flush=True)
    lines = []
    for row in chain(
        full_domain.rows(large),
        others.mondrian_rows(large),
        generalizing.rows(large),
        bucketizing.rows(large),
        perturbing.rows(large),
        microaggregating.rows(large),
        noisy.rows(large),
        linking.rows(large),
        risks.rows(large),
        differences.rows(large),
        tracing.rows(large),
        incremental.rows(large),
        republishing.rows(large),
        corresponding.rows(large),
        sequential.rows(large),
        others.reading_rows(large),
        others.check_rows(),
        models.judging_rows(),
        models.distance_rows(),
        models.costly_rows(),
        metrics.metric_rows(),
        others.peer_rows(),
        others.command_rows(),
        reporting.rows(large),
    ):
        lines.append(cells(row, unit_here))
        print(" | ".join(lines[-1]), flush=True)
    if options.markdown:
        text = f"Unit {unit_here:.4f} s (reference {REFERENCE_UNIT} s).\n\n{markdown(lines)}"
        options.markdown.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
