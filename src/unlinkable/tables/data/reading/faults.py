"""Where a CSV file is broken, by line.

Only files that could not be read, or in which a line may be too short, come here. The bytes are
examined in blocks, with a few array passes each, so that a large file is not the problem.

A line ends at a line break outside quotation marks, and inside is where an odd number of marks came
before: a doubled mark closes and opens again, which changes nothing.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator

import numpy as np
from attrs import define, frozen
from numpy.typing import NDArray

from unlinkable.typing import BoolArray

__all__ = [
    "Fault",
    "first_fault",
    "has_stray_quotes",
    "invalid_line",
    "line_of_record",
    "record_ends",
]

_BLOCK = 1 << 23
_QUOTE, _NEWLINE, _RETURN = b'"\n\r'


@frozen
class Fault:
    """What is wrong with a line, counted from 1 as an editor shows it."""

    line: int
    what: str


def first_fault(data: NDArray[np.uint8], separator: str, n_fields: int) -> Fault | None:
    r"""Find the first line that is too long or too short, or has a quotation mark out of place.

    Examples
    --------
    >>> data = np.frombuffer(b'a,b\n"1,\n2",3\n4\n', np.uint8)
    >>> first_fault(data, ",", 2)
    Fault(line=4, what='has 1 field instead of 2')
    """
    mark = ord(separator)
    data, line = _trimmed(data)
    last = _Record(line, 0)
    opened = line
    is_inside = False
    for block in _blocks(data, line):
        quoted = block.quoted()
        stray = _stray_quote(block, quoted, mark)
        ragged, last = _ragged(block, quoted, mark, n_fields, last)
        found = [fault for fault in (stray, ragged) if fault is not None]
        if found:
            return min(found, key=lambda fault: fault.line)
        marks = np.flatnonzero((block.data == _QUOTE) & quoted)
        if marks.size:
            opened = block.line_at(int(marks[-1]))
        is_inside = bool(quoted[-1])
    if is_inside:
        return Fault(opened, "opens a quotation mark that is never closed")
    return _wrong_width(last.line, last.n_separators + 1, n_fields)


def has_stray_quotes(data: NDArray[np.uint8], separator: str) -> bool:
    """Whether a quotation mark neither starts nor ends a field, nor is doubled inside one.

    Looks at the marks only, which is much faster than `first_fault`: they open and close in turn.

    Examples
    --------
    >>> good, bad = b'1,"a ""b"" c"', b'1,5" tube'
    >>> [has_stray_quotes(np.frombuffer(raw, np.uint8), ",") for raw in (good, bad)]
    [False, True]
    """
    n_before = 0
    for start in range(0, data.size, _BLOCK):
        at = np.flatnonzero(data[start : start + _BLOCK] == _QUOTE) + start
        opens = (np.arange(at.size) + n_before) % 2 == 0
        if _are_stray(data, at, opens, ord(separator)).any():
            return True
        n_before += at.size
    return n_before % 2 == 1


def line_of_record(data: NDArray[np.uint8], record: int) -> int:
    r"""Number the line in which a record starts; record 0 is the first line that is not empty.

    Examples
    --------
    >>> line_of_record(np.frombuffer(b'a,b\n"1,\n2",3\n4,5\n', np.uint8), 2)
    4
    """
    data, first_line = _trimmed(data)
    ahead = record
    for block in _blocks(data, first_line):
        ends = np.flatnonzero((block.data == _NEWLINE) & ~block.quoted())
        if ahead <= ends.size:
            return block.line_at(int(ends[ahead - 1]) + 1) if ahead else block.line
        ahead -= ends.size
    raise IndexError(f"there is no record {record}")


def record_ends(data: NDArray[np.uint8]) -> NDArray[np.intp]:
    r"""Find the line breaks that end a record.

    Examples
    --------
    >>> record_ends(np.frombuffer(b'a\n"1\n2"\n', np.uint8)).tolist()
    [1, 7]
    """
    is_outside = np.cumsum(data == _QUOTE) % 2 == 0
    return np.flatnonzero((data == _NEWLINE) & is_outside)


def invalid_line(data: NDArray[np.uint8]) -> int | None:
    r"""Number the first line with bytes that are not UTF-8.

    Examples
    --------
    >>> invalid_line(np.frombuffer("name\nJosé\n".encode("latin-1"), np.uint8))
    2
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    for start in range(0, data.size, _BLOCK):
        block = data[start : start + _BLOCK].tobytes()
        try:
            decoder.decode(block, final=start + _BLOCK >= data.size)
        except UnicodeDecodeError as error:
            return line + error.object[: error.start].count(b"\n")
        line += block.count(b"\n")
    return None


@define
class _Block:
    """A stretch of bytes, and what was before it."""

    data: NDArray[np.uint8]
    before: int
    """The last byte before the block; a line break at the start of the file."""
    after: int
    """The first byte after the block; a line break at the end of the file."""
    line: int
    """The number of the line in which the block starts."""
    is_inside: bool
    """Whether the block starts inside quotation marks."""

    def quoted(self) -> BoolArray:
        """Mark the bytes after which we are inside quotation marks."""
        marks = np.cumsum(self.data == _QUOTE) + self.is_inside
        return np.asarray(marks % 2 == 1)

    def line_at(self, position: int) -> int:
        """Number the line of a position in the block."""
        return self.line + int(np.count_nonzero(self.data[:position] == _NEWLINE))


@frozen
class _Record:
    """A record that goes on into the next block."""

    line: int
    n_separators: int


def _blocks(data: NDArray[np.uint8], line: int) -> Iterator[_Block]:
    is_inside = False
    for start in range(0, data.size, _BLOCK):
        stop = min(start + _BLOCK, data.size)
        before = int(data[start - 1]) if start else _NEWLINE
        after = int(data[stop]) if stop < data.size else _NEWLINE
        block = _Block(np.asarray(data[start:stop]), before, after, line, is_inside)
        yield block
        line = block.line_at(stop - start)
        is_inside ^= bool(np.count_nonzero(block.data == _QUOTE) % 2)


def _trimmed(data: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], int]:
    """Leave away empty lines at both ends; also number the first line that is left."""
    first, last = 0, data.size
    while first < last and data[first] in (_NEWLINE, _RETURN):
        first += 1
    while last > first and data[last - 1] in (_NEWLINE, _RETURN):
        last -= 1
    line = 1 + int(np.count_nonzero(data[:first] == _NEWLINE))
    return data[first:last], line


def _stray_quote(block: _Block, quoted: BoolArray, mark: int) -> Fault | None:
    """Find a quotation mark that neither starts nor ends a field, nor is doubled."""
    at = np.flatnonzero(block.data == _QUOTE)
    padded = np.concatenate(([block.before], block.data, [block.after])).astype(np.uint8)
    is_stray = _are_stray(padded, at + 1, quoted[at], mark)
    if not is_stray.any():
        return None
    line = block.line_at(int(at[np.argmax(is_stray)]))
    return Fault(
        line,
        "has a quotation mark inside a field, or one before it is not closed; put the whole field "
        "in quotation marks and double those inside",
    )


def _are_stray(
    data: NDArray[np.uint8], at: NDArray[np.intp], opens: BoolArray, mark: int
) -> BoolArray:
    """Find which of the quotation marks ``at`` these places have something else beside them."""
    beside = at + np.where(opens, -1, 1)
    is_end = (beside < 0) | (beside == data.size)
    fine = np.zeros(256, bool)
    fine[[mark, _NEWLINE, _RETURN, _QUOTE]] = True
    return np.asarray(~(is_end | fine[data[np.where(is_end, 0, beside)]]))


def _ragged(
    block: _Block, quoted: BoolArray, mark: int, n_fields: int, begun: _Record
) -> tuple[Fault | None, _Record]:
    """Find the first record with a wrong number of fields; also give the one that goes on."""
    ends = np.flatnonzero((block.data == _NEWLINE) & ~quoted)
    so_far = np.cumsum((block.data == mark) & ~quoted)
    if not ends.size:
        return None, _Record(begun.line, begun.n_separators + int(so_far[-1]))
    counts = np.diff(so_far[ends], prepend=-begun.n_separators) + 1
    wrong = np.flatnonzero(counts != n_fields)
    goes_on = _Record(block.line_at(int(ends[-1]) + 1), int(so_far[-1] - so_far[ends[-1]]))
    if not wrong.size:
        return None, goes_on
    k = int(wrong[0])
    line = block.line_at(int(ends[k - 1]) + 1) if k else begun.line
    return _wrong_width(line, int(counts[k]), n_fields), goes_on


def _wrong_width(line: int, n: int, expected: int) -> Fault | None:
    if n == expected:
        return None
    return Fault(line, f"has {n} field{'s' * (n != 1)} instead of {expected}")
