"""What each part of ``best`` contributes: ``python -m benchmarks.ablation``.

Runs the search with all parts, and without each of them, and prints the tables of
``docs/reference/methods/regions.md``. Loss does not depend on the machine; CPU time is given as a
share of that of all parts together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from attrs import define, field

from benchmarks.data import QI8, QI9, adult_frame, adult_table
from benchmarks.measure import cpu
from benchmarks.reproductions import Cells, table
from unlinkable.examples import hospital
from unlinkable.tables.data import Table, as_table
from unlinkable.tables.engines import count
from unlinkable.tables.groups import Groups
from unlinkable.tables.methods.base.search import Task
from unlinkable.tables.methods.regions.best import _AFTER_AUCTION, Best, _with_the_rest
from unlinkable.tables.methods.regions.shared.auction import Auction
from unlinkable.tables.methods.regions.shared.exchange import Exchange
from unlinkable.tables.methods.regions.shared.group_judging import Judge
from unlinkable.tables.methods.regions.shared.options import Labels
from unlinkable.tables.methods.regions.shared.range_prices import Landscape
from unlinkable.tables.methods.regions.shared.sweep import swept
from unlinkable.tables.methods.shared.stop_rule import StopRule
from unlinkable.tables.metrics import ILoss, NormalizedCertaintyPenalty
from unlinkable.tables.metrics.base import CellMetric, Shown
from unlinkable.tables.models import KAnonymity
from unlinkable.tables.models.base import All
from unlinkable.typing import Progress

PARTS = ("cuts", "sweep", "auction", "moves", "rebuilding")
SIZES = (5, 10, 100)
METRICS: tuple[CellMetric, ...] = (NormalizedCertaintyPenalty(), ILoss())

HOSPITAL = 20_000
"""Records of the generated table."""


def main() -> None:
    """Print a table of losses and one of CPU ratios for both kinds of labels."""
    for labels in Labels:
        for metric in METRICS:
            runs = {
                (name, k): dict(_ablated(people, k, metric, labels))
                for name, people in tables().items()
                for k in SIZES
            }
            for what, lines in (("Loss", _losses(runs)), ("CPU ratio", _ratios(runs))):
                header = ("table", *variants(labels))
                print(f"\n{what}, {metric}, {labels.value}\n\n{table(header, lines)}", flush=True)


def tables() -> dict[str, Table]:
    """Give the tables that are searched: Adult with 8 and 9 columns, and a generated one."""
    quasi = ("age", "sex", "zip", "profession")
    patients = hospital(HOSPITAL, seed=0).select(*quasi, "diagnosis")
    return {
        "Adult, 8": adult_table(adult_frame(), QI8),
        "Adult, 9": adult_table(adult_frame(), QI9),
        "hospital, 4": as_table(patients, quasi=quasi, sensitive="diagnosis"),
    }


def variants(labels: Labels) -> dict[str, frozenset[str]]:
    """Name the sets of parts that are tried. There is no auction for intervals."""
    parts = [p for p in PARTS if p != "auction" or labels is Labels.TAXONOMY]
    whole = frozenset(parts)
    without = {f"without {part}": whole - {part} for part in parts}
    alone = {"cuts alone": frozenset({"cuts"}), "sweep alone": frozenset({"sweep"})}
    return {"all parts": whole, **without, **alone}


def _ablated(
    people: Table, k: int, metric: CellMetric, labels: Labels
) -> Iterator[tuple[str, tuple[float, float]]]:
    """Give the loss and the CPU seconds of every variant."""
    finest, task = count(people).finest, Task(people.attributes, metric)
    search(finest, k, task, labels, frozenset(PARTS))
    for name, parts in variants(labels).items():
        # A fresh task each time: chance begins anew.
        again = Task(people.attributes, metric)
        seconds, _, loss = cpu(
            lambda parts=parts, task=again: search(finest, k, task, labels, parts)  # type: ignore[misc]
        )
        yield name, (loss, seconds)


def search(finest: Groups, k: int, task: Task, labels: Labels, parts: frozenset[str]) -> float:
    """Search as `Best` does, with some of its parts; give the least loss.

    ``cuts`` or ``sweep`` must be among them: the others improve what these find.
    """
    method, privacy = Best(labels), All([KAnonymity(k)])
    metric = task.metric
    assert isinstance(metric, CellMetric)
    judge, stop_rule = Judge.of(finest, privacy), StopRule.of(task, None, None)
    in_taxonomy = labels is Labels.TAXONOMY
    land = Landscape.of(finest, task.attributes, metric, in_taxonomy=in_taxonomy)
    starts = []
    if "sweep" in parts:
        own, n, _ = swept(finest, judge, land, stop_rule, task.progress)
        own, n = _with_the_rest(finest, judge, own, n)
        shown = method._shown(finest, own, n, task)
        starts.append((metric.value(Shown.of(shown, task.attributes)), own, n))
    if "cuts" in parts:
        cut = method._cut(finest, privacy, task, stop_rule)
        starts.append((metric.value(Shown.of(cut, task.attributes)), cut.labels, cut.n_parts))
    least, own, n = min(starts, key=lambda start: start[0])
    effort, share = Counter[str](), 1.0
    if "auction" in parts and in_taxonomy:
        before = own
        own, n = Auction(finest, land, judge.least, effort).run(own, n, stop_rule, task.progress)
        share = 1.0 if own is before else _AFTER_AUCTION
    if parts & {"moves", "rebuilding"}:
        exchange = _SomeExchange(finest, judge, land, effort, share, parts=parts)
        own = exchange.run(own, n, stop_rule, task.rng, task.progress)
        n = int(own.max()) + 1
    shown = method._shown(finest, own, n, task)
    return min(least, metric.value(Shown.of(shown, task.attributes)))


@define(eq=False)
class _SomeExchange(Exchange):
    """An exchange that leaves out single moves, or rebuilding."""

    parts: frozenset[str] = field(kw_only=True)

    def _move_all(self, stop_rule: StopRule, progress: Progress) -> None:
        if "moves" in self.parts:
            super()._move_all(stop_rule, progress)

    def _rebuild(self, stop_rule: StopRule, rng: object, progress: Progress) -> None:
        if "rebuilding" in self.parts:
            super()._rebuild(stop_rule, rng, progress)  # type: ignore[arg-type]


Runs = dict[tuple[str, int], dict[str, tuple[float, float]]]


def _losses(runs: Runs) -> list[Cells]:
    """List the loss of all parts, and by how much it rises without each."""
    found: list[Cells] = []
    for (name, k), by_variant in runs.items():
        whole, *others = (loss for loss, _ in by_variant.values())
        rises = [f"{loss / whole - 1:+.1%}" for loss in others]
        found.append((f"{name}, k = {k}", f"{whole:.4f}", *rises))
    return found


def _ratios(runs: Runs) -> list[Cells]:
    """List CPU times as shares of that of all parts."""
    found: list[Cells] = []
    for (name, k), by_variant in runs.items():
        seconds = [each for _, each in by_variant.values()]
        found.append((f"{name}, k = {k}", *(f"{each / seconds[0]:.2f}" for each in seconds)))
    return found


if __name__ == "__main__":
    main()
