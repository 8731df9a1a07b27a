"""Handing the values of groups to their people anew, again and again.

People stand in the order of their groups: those of group ``g`` at ``start[g]:start[g + 1]``. Its
values are ``values[at[g]:at[g + 1]]``, and ``held[i]`` says which of these person ``i`` has now, as
a number from 0 on. ``base[g]`` is where the table of group ``g`` begins in arrays with one number
for every person and value of his group: one row for each person. ``cells[i, j]`` is what person
``i`` shows on column ``j``, all columns numbered through; -1 if it tells nothing.
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
    """Add up for every person and value of his group the logarithms of what he shows.

    ``logs[cell, value]`` is that of showing something if one has the value. O(n v d) for n people
    with v values and d columns.
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
    """Let everybody meet somebody of his group, and swap values as often as the weights say.

    ``weights`` are logarithms. Of the two worlds before and after, each is taken as often as it
    weighs; how likely each of the two people then has which value is added to ``credit``. For every
    person, ``chance`` has two numbers from 0 up to, not including, 1. O(n).
    """
    for g in range(at.size - 1):
        v, n = at[g + 1] - at[g], start[g + 1] - start[g]
        if v < 2:
            continue
        for i in range(n):
            a = start[g] + i
            other = int(chance[2 * a] * (n - 1))
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
            p = 1 / (1 + np.exp(-gain)) if gain > -700 else 0.0
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
    """Count how many people who have a value now show what. O(n d)."""
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

    ``weights`` are logarithms, ``room`` is how many people have each value. What comes out is close
    to how likely each person has each value, the closer the larger the group. O(r n v) for r
    rounds.
    """
    for g in range(at.size - 1):
        v = at[g + 1] - at[g]
        for i in range(start[g + 1] - start[g]):
            row = base[g] + i * v
            top = weights[row : row + v].max()
            for x in range(v):
                out[row + x] = np.exp(max(weights[row + x] - top, -600.0))
        table = out[base[g] : base[g] + v * (start[g + 1] - start[g])].reshape(-1, v)
        for _ in range(n_rounds):
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
    """Go through all worlds, and add up what they weigh in which each person has each value.

    A world weighs the product of all gamma(count + ``smoothing``) of what people with a value show.
    ``held`` must be the first world: in each group rising. ``counts`` go with it. Says how many
    worlds there are. O(w n) for w worlds and n people, beside d logarithms for everybody who moves.
    """
    weight, top, n_worlds = 0.0, 0.0, 0
    credit[:] = 0.0
    while True:
        if weight > top:
            credit *= np.exp(top - weight)
            top = weight
        share = np.exp(weight - top)
        n_worlds += 1
        for g in range(at.size - 1):
            v = at[g + 1] - at[g]
            for i in range(start[g], start[g + 1]):
                credit[base[g] + (i - start[g]) * v + held[i]] += share
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
    """Take the people of a group into the counts, or out of them, and say what that weighs."""
    weight = 0.0
    for i in range(start[g], start[g + 1]):
        value = values[at[g] + held[i]]
        for j in range(cells.shape[1]):
            c = cells[i, j]
            if c >= 0:
                counts[c, value] += step
                # Before it went in, or after it came out, there was one less.
                weight += np.log(counts[c, value] - (step > 0) + smoothing)
    return weight


@njit(cache=True, nogil=True)
def _next_order(items: CodeArray) -> bool:
    """Put items into the order that comes next; back into the first one if it was the last."""
    i = items.size - 2
    while i >= 0 and items[i] >= items[i + 1]:
        i -= 1
    has_next = i >= 0
    if has_next:
        j = items.size - 1
        while items[j] <= items[i]:
            j -= 1
        items[i], items[j] = items[j], items[i]
    items[i + 1 :] = items[i + 1 :][::-1].copy()
    return has_next
