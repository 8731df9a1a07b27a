"""Whether counterfeits can be told from records: ``python -m benchmarks.counterfeits``.

Prints the tables of the section on m-invariance in ``docs/explanation/reproductions.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import frozen

from benchmarks.data import adult_frame
from benchmarks.reproductions import table
from unlinkable.tables.attacks.series.series import Series, Sheet
from unlinkable.tables.data import as_table
from unlinkable.tables.series.invariance.m_invariance import MInvariance
from unlinkable.tables.series.next_release import Terms, next_release
from unlinkable.tables.series.policy import Past, Request
from unlinkable.typing import BoolArray, CountArray, FloatArray

QUASI = ("age", "sex", "race", "marital-status", "education", "native-country", "workclass")
SENSITIVE = "occupation"
N_FIRST, N_RELEASES = 15_000, 10
HEADER = ("m", "release", "records", "counterfeits", "%", "F chance", "F numbers", "F betrayed")
N_DRAWS = 50
FEWEST = 10
"""With fewer counterfeits nothing can be said of how well they are told."""
SERIES = (
    ("A tenth leaves and as many come", 0.1, 0.1),
    ("A tenth leaves and a hundredth comes", 0.1, 0.01),
)


def main() -> None:
    """Print all tables."""
    for title, leave, come in SERIES:
        lines = [line for m in (2, 4, 6) for line in series_rows(m, leave, come)]
        print(f"\n{title}\n\n{table(HEADER, lines)}", flush=True)


def series_rows(m: int, leave: float, come: float) -> Iterator[Sequence[object]]:
    """Publish a series, and try to tell counterfeits in some of its releases."""
    frame = adult_frame().select(*QUASI, SENSITIVE)
    frame = frame.sample(frame.height, shuffle=True, seed=0)
    past = Past(n_people=frame.height)
    for t, people in enumerate(turnover(frame.height, leave, come)):
        request = Request(as_table(frame[people], quasi=QUASI, sensitive=SENSITIVE), people)
        made = next_release(MInvariance(m), request, past, Terms(seed=t))
        past = Past((*past.editions, made.edition), made.memory, frame.height)
        if t + 1 in (2, 5, N_RELEASES):
            *earlier, last = [Trial(sheet) for sheet in Series(past.editions).sheets(SENSITIVE)]
            yield m, t + 1, *last.told(earlier)


def turnover(n: int, leave: float, come: float) -> Iterator[CountArray]:
    """Say who is in each release; nobody comes back before all others were in."""
    rng, ahead = np.random.default_rng(0), N_FIRST
    there = np.arange(N_FIRST)
    for _ in range(N_RELEASES):
        yield np.sort(there)
        stays = rng.permutation(there)[int(N_FIRST * leave * there.size / N_FIRST) :]
        new = np.arange(ahead, min(n, ahead + int(N_FIRST * come)))
        if new.size < int(N_FIRST * come):
            absent = np.setdiff1d(np.arange(n), np.concatenate([stays, new]))
            new = np.append(new, rng.permutation(absent)[: int(N_FIRST * come) - new.size])
        ahead += int(N_FIRST * come)
        there = np.concatenate([stays, new])


@frozen(eq=False)
class Trial:
    """A release whose counterfeits somebody wants to tell from records.

    He knows from the published numbers how many records of a group are counterfeits, and marks as
    many of them: those with the values that he holds for the likeliest to be made up.
    """

    sheet: Sheet

    @property
    def is_fake(self) -> BoolArray:
        """Which records are counterfeits."""
        return self.sheet.people < 0

    @property
    def n_fake(self) -> CountArray:
        """How many of each group: this is published."""
        return np.bincount(self.sheet.groups[self.is_fake], minlength=self.sheet.n_groups)

    def told(self, earlier: Sequence[Trial]) -> Sequence[object]:
        """Try three ways, and tell how well they do."""
        n, fakes = len(self.sheet), int(self.is_fake.sum())
        sizes = np.bincount(self.sheet.groups, minlength=self.sheet.n_groups)
        by_chance = float((self.n_fake**2 / sizes).sum()) / max(fakes, 1)
        found = [by_chance, self.score(self.from_numbers()), self.score(_learned(earlier))]
        told = [f"{share:.2f}" if fakes >= FEWEST else "" for share in found]
        return f"{n:,}", fakes, f"{100 * fakes / n:.2f}", *told

    def score(self, rates: FloatArray) -> float:
        """Mark the likeliest records of each group; give the F-measure.

        As many are marked as there are, so that precision, recall and F-measure are the same. Equal
        rates are decided by chance, and the mean of some draws is given.
        """
        sheet, fake = self.sheet, self.is_fake
        wide = np.zeros(max(sheet.n_values, rates.size))
        wide[: rates.size] = rates
        rng, found = np.random.default_rng(0), 0
        for _ in range(N_DRAWS):
            order = np.lexsort((rng.random(len(sheet)), -wide[sheet.values], sheet.groups))
            first = np.searchsorted(sheet.groups[order], np.arange(sheet.n_groups))
            rank = np.arange(order.size) - first[sheet.groups[order]]
            marked = order[rank < self.n_fake[sheet.groups[order]]]
            found += int(fake[marked].sum())
        return found / N_DRAWS / max(int(fake.sum()), 1)

    def from_numbers(self) -> FloatArray:
        """Estimate from the published numbers alone how often each value is made up.

        The number of counterfeits of a group is explained by the values that it has, by least
        squares.
        """
        sheet = self.sheet
        has = np.zeros((sheet.n_groups, sheet.n_values))
        np.add.at(has, (sheet.groups, sheet.values), 1)
        rates: FloatArray = np.linalg.lstsq(has, self.n_fake.astype(float), rcond=None)[0]
        return rates


def _learned(earlier: Sequence[Trial]) -> FloatArray:
    """Take how often each value was made up in earlier releases, of which all was betrayed."""
    values = np.concatenate([trial.sheet.values for trial in earlier])
    fake = np.concatenate([trial.is_fake for trial in earlier])
    n_values = int(values.max()) + 1
    of_each = np.bincount(values, minlength=n_values)
    rates: FloatArray = np.bincount(values[fake], minlength=n_values) / np.maximum(of_each, 1)
    return rates


if __name__ == "__main__":
    main()
