"""``unlinkable key``: make the keys that stay with the holder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unlinkable.cli.output import say
from unlinkable.errors import ParameterError

__all__ = ["key"]


def key(
    file: Annotated[Path, typer.Argument(help="Where the key goes. Nothing is overwritten.")],
    use: Annotated[
        str, typer.Option("--for", help="pseudonyms, or signing (writes FILE and FILE.pub).")
    ] = "signing",
) -> None:
    """Make a key: for signing bundles, or for pseudonyms.

    Example: unlinkable key holder.pem --for signing
    """
    from unlinkable.release.bundle import new_signing_key, save_signing_key, save_verifying_key
    from unlinkable.tables.operations import new_key, save_key

    if not file.name:
        raise ParameterError(f"{file} is a folder: name the file that the key goes to")
    if use == "pseudonyms":
        save_key(new_key(), file)
        say(f"Key for pseudonyms: {file}. Keep it: without it they can never be made again.")
    elif use == "signing":
        made = new_signing_key()
        public = file.with_name(file.name + ".pub")
        save_signing_key(made, file)
        save_verifying_key(made, public)
        say(f"Private key: {file} (keep it). Public key: {public} (give it to recipients).")
    else:
        raise ParameterError(f"--for must be pseudonyms or signing, got {use!r}")
