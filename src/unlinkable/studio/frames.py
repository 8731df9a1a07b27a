"""Messages between server and workers: documents of JSON, each with its length before it."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

__all__ = ["HEAD", "pack", "size_of", "unpack"]

HEAD = 4
"""How many bytes tell the length of a message."""


def pack(message: object) -> bytes:
    """Write a message.

    Raises
    ------
    ValueError, TypeError
        If it holds what JSON cannot say.
    """
    body = json.dumps(message, allow_nan=False).encode()
    return struct.pack(">I", len(body)) + body


def size_of(head: bytes) -> int:
    """Read how long the message is that follows."""
    return int(struct.unpack(">I", head)[0])


def unpack(stream: BinaryIO) -> Any:
    """Read the next message of a stream; None at its end."""
    head = stream.read(HEAD)
    if len(head) < HEAD:
        return None
    body = stream.read(size_of(head))
    return json.loads(body)
