"""Worker: the process that holds the table in memory and does all work on it, at both ends.

It is started as ``python -m unlinkable.studio.worker FOLDER``, reads requests from standard input
and writes progress and answers to standard output. Messages are documents of JSON, each with its
length before it. The process ends with the server; to stop a task, it is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import os
import queue
import signal
import struct
import sys
import threading
import time
import traceback
import warnings
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from attrs import define, field

from unlinkable.errors import UnlinkableError
from unlinkable.studio.errors import TaskError

if TYPE_CHECKING:
    from unlinkable.studio.tasks.session import Session

__all__ = ["HEAD", "WorkerProcess", "main", "pack", "size_of", "unpack"]

OnProgress = Callable[[float, str], None]

_DIED = "the process that did the work has died, perhaps for want of memory: try it again"


@define(eq=False)
class WorkerProcess:
    """A worker process, started when it is first needed.

    Attributes
    ----------
    folder
        The project that it works on.
    """

    folder: Path
    _process: Process | None = field(default=None, repr=False)
    _is_unwanted: bool = field(default=False, repr=False)

    @property
    def is_alive(self) -> bool:
        """Whether it has been started and has not ended."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int | None:
        """The number of its process, if there is one."""
        return self._process.pid if self._process is not None and self.is_alive else None

    async def start(self) -> Process:
        """Start the process, if it does not run yet.

        Raises
        ------
        ConnectionError
            If it was killed before it ran.
        """
        if self._process is None or self._process.returncode is not None:
            self._is_unwanted = False
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "unlinkable.studio.worker",
                str(self.folder),
                stdin=PIPE,
                stdout=PIPE,
                stderr=None if os.environ.get("UNLINKABLE_STUDIO_DEBUG") else DEVNULL,
                start_new_session=True,
            )
            if self._is_unwanted:
                self.kill()
                raise ConnectionError
        return self._process

    async def ask(self, task: str, arguments: dict[str, Any], key: str, heard: OnProgress) -> Any:
        """Have something done, and give the answer.

        Raises
        ------
        TaskError
            If it cannot be done, or the process dies over it.
        """
        try:
            process = await self.start()
            assert process.stdin is not None
            process.stdin.write(pack({"id": key, "task": task, "arguments": arguments}))
            await process.stdin.drain()
            while True:
                message = await self._next(process)
                if message.get("id") != key:
                    continue
                if "share" in message:
                    heard(message["share"], message["text"])
                elif "error" in message:
                    raise TaskError(message["error"], message["kind"], message.get("details"))
                else:
                    return message["result"]
        except (asyncio.IncompleteReadError, ConnectionError):
            self.kill()
            raise TaskError(_DIED, "Crashed") from None

    async def _next(self, process: Process) -> dict[str, Any]:
        assert process.stdout is not None
        size = size_of(await process.stdout.readexactly(HEAD))
        body = await process.stdout.readexactly(size)
        # A large answer is read beside the loop, which must not wait for it.
        loaded = json.loads(body) if size < 100_000 else await asyncio.to_thread(json.loads, body)
        return loaded if isinstance(loaded, dict) else {}

    def kill(self) -> Process | None:
        """End the process and all that it has started, whatever they are doing; give it back."""
        self._is_unwanted = True
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        return process


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


_ALWAYS = ("plan", "granted")
"""What is sent with everything, whether a task needs it or not."""

_OFTEN = 0.1
"""Seconds between two reports of progress."""

_TIDY = 2.0
"""Seconds to take back what was being written when the server has gone."""


class _Channel:
    """The way back to the server, for one message at a time."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._lock = stream, threading.Lock()

    def send(self, message: object) -> None:
        with self._lock:
            self._stream.write(pack(message))
            self._stream.flush()


class _Reporter:
    """Passes progress on, but not too often."""

    def __init__(self, line: _Channel, key: str) -> None:
        self._line, self._key, self._last = line, key, 0.0

    def __call__(self, share: float, words: str) -> None:
        now = time.monotonic()
        if now - self._last >= _OFTEN:
            self._last = now
            told = min(max(float(share), 0.0), 1.0)
            self._line.send({"id": self._key, "share": told, "text": words[:500]})


def main() -> None:
    """Do what is asked for, one after the other, until nobody asks any more."""
    line = _Channel(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # Whatever a library prints must not get between the messages.
    if hasattr(os, "nice"):
        os.nice(5)  # Pages go first: a click must not wait for a search.
    warnings.simplefilter("ignore")
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)
    asked: queue.Queue[Any] = queue.Queue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    session = _session(Path(sys.argv[1]) if len(sys.argv) > 1 else Path())
    line.send({"ready": True})
    while True:
        message = asked.get()
        line.send({"id": message["id"], **_answer(session, message, line)})


def _listen(asked: queue.Queue[Any]) -> None:
    """Take messages in while work is done; go as soon as the server has gone."""
    while (message := unpack(sys.stdin.buffer)) is not None:
        asked.put(message)
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
        time.sleep(_TIDY)
    os._exit(0)


def _leave(number: int, frame: object) -> None:
    """End as soon as what was being written is taken back."""
    raise SystemExit(128 + number)


def _session(folder: Path) -> Session:
    from unlinkable.studio.tasks.session import Session

    return Session(folder)


def _answer(session: Session, message: dict[str, Any], line: _Channel) -> dict[str, object]:
    """Do what a message asks for; whatever goes wrong becomes words."""
    from unlinkable.studio.tasks.catalogue import find_task

    try:
        task = find_task(message["task"])
        known = inspect.signature(task).parameters
        given = {k: v for k, v in message["arguments"].items() if k in known or k not in _ALWAYS}
        result = task(session, _Reporter(line, message["id"]), **given)
        json.dumps(result, allow_nan=False)
        return {"result": result}
    except UnlinkableError as error:
        details = getattr(error, "details", None) or _channels(error)
        said = str(error).replace(f"{session.folder}{os.sep}", "")
        return {"error": said, "kind": type(error).__name__, "details": details}
    except MemoryError:
        return {"error": "the table does not fit into memory: use fewer columns", "kind": "Memory"}
    except OSError as error:
        name = "" if error.filename is None else f"{Path(os.fsdecode(error.filename)).name}: "
        return {"error": f"{name}{error.strerror or 'cannot be used'}", "kind": "OSError"}
    except Exception as error:  # A defect: its message may hold values of records.
        return {"error": f"{_defect(error)}: please report it", "kind": "Defect"}


def _channels(error: UnlinkableError) -> object:
    """Tell which attacks a release would fall to, if that is why it was refused."""
    outcomes = getattr(error, "outcomes", ())
    return {"channels": [outcome.to_json() for outcome in outcomes]} if outcomes else None


def _defect(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}, line {place.lineno}"
    return f"something went wrong inside unlinkable ({type(error).__name__} in {where})"


if __name__ == "__main__":
    main()
