"""WorkerProcess: the server's end of a worker process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, field

from unlinkable.studio.errors import TaskError
from unlinkable.studio.worker import HEAD, pack, size_of

__all__ = ["WorkerProcess"]

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
