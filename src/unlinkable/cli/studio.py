"""``unlinkable studio``: the web application, on this machine."""

from __future__ import annotations

import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unlinkable.cli.output import say
from unlinkable.errors import MissingExtraError, ParameterError

if TYPE_CHECKING:
    from unlinkable.studio.security import Password

__all__ = ["studio"]

_OPEN_TO_OTHERS = (
    "Others on the network can reach this server. What they and you send, password and records, "
    "can be read on the way: use it in a network that you trust, or behind a server that encrypts."
)


def studio(
    what: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER|PLAN]", help="A folder with projects, or a plan to open."),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port; any free one by default.")
    ] = 0,
    host: Annotated[
        str,
        typer.Option("--host", help="Address to listen on, if others may connect: see --password."),
    ] = "127.0.0.1",
    projects: Annotated[
        Path | None,
        typer.Option("--projects", help="The folder of all projects: ~/unlinkable-projects."),
    ] = None,
    password: Annotated[
        Path | None,
        typer.Option("--password", help="A file with the password that another --host needs."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", help="A further host name of this server."),
    ] = None,
    largest: Annotated[
        int, typer.Option("--largest", min=1, help="Maximum size of a file in MB.")
    ] = 2048,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", min=2, help="Maximum number of processes; by cores and memory by default."
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the address in a browser.")
    ] = True,
) -> None:
    """Work on projects in a browser: from a file to a verified bundle.

    Prints an address that logs a browser in, once. Everything stays on this machine.

    Examples: unlinkable studio · unlinkable studio plan.toml · unlinkable studio --port 8080
    """
    try:
        from unlinkable.studio import Settings, serve, usual_workers
        from unlinkable.studio.security import is_loopback
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "unlinkable":
            raise
        raise MissingExtraError(
            f"the studio needs {error.name}: pip install 'unlinkable[studio]'"
        ) from None
    home, plan = _opened(what, projects)
    secret = None
    if not is_loopback(host):
        say(_OPEN_TO_OTHERS, alarm="warning:")
        secret = _password(password)
    elif password is not None:
        raise ParameterError("--password is for another --host: this machine's own needs none")
    settings = Settings(
        projects=home,
        host=host,
        port=port,
        password=secret,
        names=tuple(name or ()),
        largest_upload=largest * 1024**2,
        plan=plan,
        workers=workers or usual_workers(),
    )

    def announce(address: str, bearer: str) -> None:
        say(f"Studio: {address}")
        say("  This address logs one browser in, once. Ctrl-C ends the studio.")
        say(f"  Projects are in {home}. For programs: Authorization: Bearer {bearer}")
        if browser:
            webbrowser.open(address)

    serve(settings, announce)


def _opened(what: Path | None, projects: Path | None) -> tuple[Path, Path | None]:
    """Tell a folder with projects from a plan."""
    from unlinkable.studio import default_home

    if what is None:
        return (projects or default_home()).absolute(), None
    if what.is_dir():
        if projects is not None:
            raise ParameterError(f"{what} is a folder, and --projects names another: give one")
        return what.absolute(), None
    if what.suffix.lower() == ".toml":
        if not what.is_file():
            raise ParameterError(f"there is no plan {what}: check the path")
        return (projects or default_home()).absolute(), what.absolute()
    raise ParameterError(f"{what} is neither a folder with projects nor a plan (.toml)")


def _password(file: Path | None) -> Password:
    """Read the password from a file, or ask for it."""
    from unlinkable.studio.security import Password

    if file is not None:
        if not file.is_file():
            raise ParameterError(f"there is no file {file} with a password")
        return Password.of(file.read_text(encoding="utf-8").strip("\r\n"))
    if not sys.stdin.isatty():
        raise ParameterError(
            "another --host needs a password: name a file with --password, or use a terminal"
        )
    return Password.of(
        typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    )
