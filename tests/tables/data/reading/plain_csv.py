"""CSV read and written character by character, with no regard for speed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

Field = str | None


def write_field(field: Field, *, quoted: bool, separator: str) -> str:
    """Write a field; texts that need quotation marks get them anyway."""
    if field is None:
        return ""
    if quoted or not field or any(c in field for c in f'{separator}"\r\n'):
        return '"' + field.replace('"', '""') + '"'
    return field


def records(text: str, separator: str) -> Iterator[tuple[int, list[Field]]]:
    """Yield each record with the number of the line in which it starts."""
    fields: list[Field] = []
    line, start, field, state = 1, 1, "", "empty"
    for c in text:
        if state == "quoted":
            if c == '"':
                state = "closed"
            else:
                field += c
            line += c == "\n"
        elif c == '"' and state == "closed":
            field, state = field + '"', "quoted"
        elif c == '"' and state == "empty":
            state = "quoted"
        elif c in (separator, "\n"):
            fields.append(None if state == "empty" else field)
            field, state = "", "empty"
            if c == "\n":
                yield start, fields
                line += 1
                fields, start = [], line
        elif c != "\r":
            assert state != "closed"
            field, state = field + c, "plain"
    if fields or state != "empty":
        fields.append(None if state == "empty" else field)
        yield start, fields


def write(rows: Sequence[Sequence[Field]], quoted: bool, separator: str, newline: str) -> str:
    """Write records."""
    return "".join(
        separator.join(write_field(f, quoted=quoted, separator=separator) for f in row) + newline
        for row in rows
    )
