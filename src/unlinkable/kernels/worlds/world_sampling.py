"""Reassigning: the values of groups are distributed among their people at random, repeatedly.

People stand in the order of their groups: those of group ``g`` at ``start[g]:start[g + 1]``. Its
values are ``values[at[g]:at[g + 1]]``, and ``held[i]`` says which of these person ``i`` has now, as
a number from 0 on. ``base[g]`` is where the table of group ``g`` begins in arrays with one number
for every person and value of their group: one row for each person. ``cells[i, j]`` is what the
adversary knows of person ``i`` on column ``j``, all columns in one numbering; -1 if nothing.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from unlinkable.typing import CodeArray, CountArray, FloatArray

__all__ = ["balance_tables", "count_cells", "log_weights", "swap_values", "weigh_worlds"]


@njit(cache=True, nogil=True)
def log_weights(
    start: CountArray,
    at: CountArray,
    values: CodeArray,
    cells: CodeArray,
    logs: FloatArray,
    base: CountArray,
    out: FloatArray,
) -> None:
    """Add up for every person and value of their group the log-likelihoods of their cells.

    ``logs[cell, value]`` is that of a cell given the value. O(n v d) for n people with v values and
    d columns.
    """
    for g in range(at.size - 1):
        v = at[g + 1] - at[g]
        for i in range(start[g], start[g + 1]):
            row = base[g] + (i - start[g]) * v
            for x in range(v):
                value, total = values[at[g] + x], 0.0
                for j in range(cells.shape[1]):
                    if cells[i, j] >= 0:
                        total += logs[cells[i, j], value]
                out[row + x] = total


@njit(cache=True, nogil=True)
def swap_values(
    start: CountArray,
    at: CountArray,
    base: CountArray,
    weights: FloatArray,
    held: CodeArray,
    chance: FloatArray,
    credit: FloatArray,
) -> None:
    """Let every person meet a random other of their group, and swap values by the weights.

    ``weights`` are logarithms. Each of the two worlds, before and after, is chosen with a
    probability proportional to its weight. The probabilities that the two people then have each
    value are added to ``credit``. For every person, ``chance`` has two random numbers from 0 up to,
    not including, 1. O(n).
    """
    for g in range(at.size - 1):
        v, n = at[g + 1] - at[g], start[g + 1] - start[g]
        if v < 2:
            continue
        for i in range(n):
            a = start[g] + i
            other = int(chance[2 * a] * (n - 1))
            # Skipping the person's own number draws any other with the same probability.
            other += other >= i
            b = start[g] + other
            x, y = held[a], held[b]
            mine, theirs = base[g] + i * v, base[g] + other * v
            if x == y:
                credit[mine + x] += 1
                credit[theirs + x] += 1
                continue
            gain = weights[mine + y] + weights[theirs + x]
            gain -= weights[mine + x] + weights[theirs + y]
            # Choosing between the two worlds by their weights leaves the distribution of worlds
            # unchanged.
            p = 1 / (1 + np.exp(-gain)) if gain > -700 else 0.0
            # Adding the probability instead of the outcome has the same mean and less variance.
            credit[mine + y] += p
            credit[mine + x] += 1 - p
            credit[theirs + x] += p
            credit[theirs + y] += 1 - p
            if chance[2 * a + 1] < p:
                held[a], held[b] = y, x


@njit(cache=True, nogil=True)
def count_cells(
    start: CountArray,
    at: CountArray,
    values: CodeArray,
    cells: CodeArray,
    held: CodeArray,
    counts: CountArray,
) -> None:
    """Count the people who have each value now, by cell. O(n d)."""
    counts[:] = 0
    for g in range(at.size - 1):
        for i in range(start[g], start[g + 1]):
            value = values[at[g] + held[i]]
            for j in range(cells.shape[1]):
                if cells[i, j] >= 0:
                    counts[cells[i, j], value] += 1


@njit(cache=True, nogil=True)
def balance_tables(
    start: CountArray,
    at: CountArray,
    room: CountArray,
    base: CountArray,
    weights: FloatArray,
    n_rounds: int,
    out: FloatArray,
) -> None:
    """Scale the weights of each group until they add up to its people and to its values.

    ``weights`` are logarithms, ``room`` is how many people have each value. The result is close to
    the probability that each person has each value, and closer for larger groups. O(r n v) for r
    rounds.
    """
    for g in range(at.size - 1):
        v = at[g + 1] - at[g]
        for i in range(start[g + 1] - start[g]):
            row = base[g] + i * v
            top = weights[row : row + v].max()
            for x in range(v):
                # Only ratios within a row matter, so the largest weight is scaled to 1; the floor
                # avoids a 0.
                out[row + x] = np.exp(max(weights[row + x] - top, -600.0))
        table = out[base[g] : base[g] + v * (start[g + 1] - start[g])].reshape(-1, v)
        for _ in range(n_rounds):
            # Iterative proportional fitting: columns are scaled to the counts of values, then rows
            # to 1.
            for x in range(v):
                table[:, x] *= room[at[g] + x] / table[:, x].sum()
            for i in range(table.shape[0]):
                table[i] /= table[i].sum()


@njit(cache=True, nogil=True)
def weigh_worlds(
    start: CountArray,
    at: CountArray,
    values: CodeArray,
    cells: CodeArray,
    held: CodeArray,
    counts: CountArray,
    smoothing: float,
    base: CountArray,
    credit: FloatArray,
) -> int:
    """Enumerate all worlds, and sum the weights of those in which each person has each value.

    The weight of a world is the product of gamma(count + ``smoothing``) over all cells and values.
    ``held`` must be the first world: rising in each group. ``counts`` belong to it. Returns how
    many worlds there are. O(w n) for w worlds and n people, besides d logarithms for everybody who
    moves.
    """
    weight, top, n_worlds = 0.0, 0.0, 0
    credit[:] = 0.0
    while True:
        # Weights are relative to the largest so far, so that the sums neither overflow nor vanish.
        if weight > top:
            credit *= np.exp(top - weight)
            top = weight
        share = np.exp(weight - top)
        n_worlds += 1
        for g in range(at.size - 1):
            v = at[g + 1] - at[g]
            for i in range(start[g], start[g + 1]):
                credit[base[g] + (i - start[g]) * v + held[i]] += share
        # The groups count like the digits of an odometer: one that starts over moves the group
        # before it.
        g = at.size - 2
        while g >= 0:
            weight -= _move(start, at, values, cells, held, counts, smoothing, g, -1)
            has_next = _next_order(held[start[g] : start[g + 1]])
            weight += _move(start, at, values, cells, held, counts, smoothing, g, 1)
            if has_next:
                break
            g -= 1
        if g < 0:
            return n_worlds


@njit(cache=True, nogil=True)
def _move(
    start: CountArray,
    at: CountArray,
    values: CodeArray,
    cells: CodeArray,
    held: CodeArray,
    counts: CountArray,
    smoothing: float,
    g: int,
    step: int,
) -> float:
    """Add the people of a group to the counts, or remove them; return the change of the weight."""
    weight = 0.0
    for i in range(start[g], start[g + 1]):
        value = values[at[g] + held[i]]
        for j in range(cells.shape[1]):
            c = cells[i, j]
            if c >= 0:
                counts[c, value] += step
                # gamma(c + 1 + s) / gamma(c + s) is c + s, where c is the smaller count.
                weight += np.log(counts[c, value] - (step > 0) + smoothing)
    return weight


@njit(cache=True, nogil=True)
def _next_order(items: CodeArray) -> bool:
    """Turn items into their next permutation; into the first one if it was the last."""
    i = items.size - 2
    while i >= 0 and items[i] >= items[i + 1]:
        i -= 1
    has_next = i >= 0
    if has_next:
        j = items.size - 1
        while items[j] <= items[i]:
            j -= 1
        items[i], items[j] = items[j], items[i]
    # The tail falls, so reversing it makes it the least: the next permutation in lexicographic
    # order.
    items[i + 1 :] = items[i + 1 :][::-1].copy()
    return has_next
