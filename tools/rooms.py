"""Write the picture of the rooms into CONTRIBUTING, from the rules and the folders themselves."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.architecture import LAYERS

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
PACKAGE = ROOT / "src" / "unlinkable"
PICTURE = re.compile(r"(?<=<!-- rooms -->\n).*?(?=<!-- end of rooms -->)", re.DOTALL)


def main() -> None:
    """Replace the picture."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def page(text: str) -> str:
    """Put the picture where it belongs in a text."""
    return PICTURE.sub(lambda _: f"```text\n{picture()}\n```\n", text)


def picture() -> str:
    """Draw all rooms, from the first layer to the last: later ones import earlier ones."""
    first, *layers = [sorted(filter(_exists, layer)) for layer in LAYERS]
    lines = ["  ".join(f"{file}.py" for file in first)]
    lines += [_room(room) for layer in layers for room in layer]
    return "\n".join(lines)


def _exists(room: str) -> bool:
    place = PACKAGE.joinpath(*room.split("."))
    return place.is_dir() or place.with_suffix(".py").is_file()


def _room(room: str) -> str:
    folder = PACKAGE.joinpath(*room.split("."))
    door = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    summary = (ast.get_docstring(door) or "").partition("\n")[0]
    return f"{room.replace('.', '/') + '/':<22}{summary}"


if __name__ == "__main__":
    main()
