"""Run the fuzzers: ``python -m tools.fuzz [NAME ...] --number N --seed S --seconds T``."""

from __future__ import annotations

import argparse
import os
import sys

from tools.fuzz.running import Count, fuzz

__all__ = ["main"]

_NUMBERS = {"releases": 2000, "tamperings": 500, "inputs": 500, "kills": 20}
"""How many of each are tried if no number is given: some minutes on two cores."""


def main(arguments: list[str] | None = None) -> int:
    """Run the fuzzers that were named, or all, and say how many were tried."""
    asked = _parser().parse_args(arguments)
    counts: list[Count] = []
    if unknown := set(asked.names) - set(_NUMBERS):
        _parser().error(f"no fuzzer {min(unknown)!r} among {', '.join(_NUMBERS)}")
    for name in asked.names or _NUMBERS:
        count = fuzz(
            name,
            number=_NUMBERS[name] if asked.number is None else asked.number,
            seed=asked.seed,
            seconds=asked.seconds,
            workers=asked.workers,
        )
        counts.append(count)
        _tell(count, in_detail=asked.detail)
    failed = sum(len(count.failures) for count in counts)
    print(f"{sum(count.tried for count in counts)} tried in all, {failed} failed")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(_NUMBERS)}")
    parser.add_argument("--number", type=int, help="tries of each; else some minutes' worth")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first try")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of each fuzzer")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--detail", action="store_true", help="say what was done and refused")
    return parser


def _tell(count: Count, *, in_detail: bool) -> None:
    print(count.line())
    if in_detail:
        for title, kinds in (("done", count.done), ("refused", count.refusals)):
            for about, number in kinds.most_common():
                print(f"  {number:6} {title}: {about}")
    if count.failures:
        seeds = ", ".join(str(result.seed) for result in count.failures[:50])
        print(f"  failed with the seeds {seeds}{' ...' if len(count.failures) > 50 else ''}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
