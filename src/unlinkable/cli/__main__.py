"""``python -m unlinkable.cli``: the command line, where it is not on the path."""

from __future__ import annotations

from unlinkable.cli.app import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
