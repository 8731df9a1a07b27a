"""Interface: the JSON interface as an application of its own, and how it answers refusals."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from unlinkable import __version__
from unlinkable.studio.api.routes import jobs_router, projects_router, results_router, work_router
from unlinkable.studio.api.schemas import ErrorAnswer
from unlinkable.studio.errors import BusyError, NotFoundError, StudioError, TaskError, TooLargeError
from unlinkable.studio.studio import Studio

__all__ = ["REFUSALS", "answer_refusals", "build_api", "status_of"]


def build_api(studio: Studio) -> FastAPI:
    """Make the JSON interface, to be mounted under ``/api/v1``.

    It has no pages of its own: such pages load scripts from elsewhere. ``openapi.json`` describes
    it.
    """
    app = FastAPI(
        title="unlinkable studio",
        version=__version__,
        description="The same contracts as `--json` of the command line.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        responses=REFUSALS,
        servers=[{"url": "/api/v1"}],
    )
    answer_refusals(app)
    for router in (projects_router, work_router, jobs_router, results_router):
        app.include_router(router(studio))
    return app


REFUSALS: dict[int | str, dict[str, object]] = {
    status: {"model": ErrorAnswer, "description": words}
    for status, words in {
        400: "It cannot be done as asked; the text says why.",
        401: "No session and no token.",
        404: "There is no such thing.",
        405: "Not with this method.",
        409: "Not now: something else must be done or end first.",
        413: "Too large.",
        415: "Not of a type that is taken here.",
        422: "What was sent does not have the right form.",
    }.items()
}
"""What every address may answer besides its own answer."""


def status_of(error: StudioError) -> int:
    """Say what a refusal is in the words of HTTP."""
    match error:
        case NotFoundError():
            return 404
        case BusyError():
            return 409
        case TooLargeError():
            return 413
        case TaskError(kind="Cancelled"):
            return 409
        case _:
            return 400


def answer_refusals(app: FastAPI) -> None:
    """Have all refusals answered as ``{"error": ...}``."""

    @app.exception_handler(StudioError)
    async def refuse(request: Request, error: StudioError) -> JSONResponse:
        return _refusal(status_of(error), str(error))

    @app.exception_handler(RequestValidationError)
    async def wrong_form(request: Request, error: RequestValidationError) -> JSONResponse:
        said = [
            f"{'.'.join(str(part) for part in fault['loc'] if part != 'body')}: {fault['msg']}"
            for fault in error.errors()[:5]
        ]
        return _refusal(422, "; ".join(said))

    @app.exception_handler(HTTPException)
    async def by_http(request: Request, error: HTTPException) -> JSONResponse:
        return _refusal(error.status_code, str(error.detail), error.headers)

    @app.exception_handler(OSError)
    async def by_disk(request: Request, error: OSError) -> JSONResponse:
        return _refusal(409, f"the disk refuses: {error.strerror or 'cannot be written'}")


def _refusal(status: int, text: str, headers: object = None) -> JSONResponse:
    clean = text.encode("utf-8", "replace").decode()
    given = dict(headers) if isinstance(headers, dict) else None
    return JSONResponse({"error": clean}, status, given)
