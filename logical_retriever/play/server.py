"""The playground's server: the page, and answers to it, for whoever has the token.

It listens to this machine alone unless told otherwise. A page of another site that a browser shows cannot reach it: a
request's Host must be one of the server's names, which a name that was made to point here is not; its Origin must be
the server's own; and without the token, which the printed address has and a cookie keeps, nothing is answered.
"""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Collection
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from logical_retriever.errors import LogicalQueryError, LogicalRetrieverError, PicturedError
from logical_retriever.play.answers import Asked, Playground
from logical_retriever.play.page import page

LARGEST: Final = 4 * 2**20
"""Bytes of a request: a question of a million characters is read, a film is not."""
LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})
"""Names of this machine for itself."""

_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_log = logging.getLogger(__name__)


def make_app(playground: Playground, *, token: str | None = None, hosts: Collection[str] = LOOPBACK) -> Starlette:
    """Make the application.

    Args:
        playground: Answers.
        token: Whoever has it is answered; None for a new one, in ``app.state.token``.
        hosts: Names that a request may call the server by, without port; none for any.
    """
    token = secrets.token_urlsafe(24) if token is None else token
    html, policy = page()

    def refusal(request: Request) -> Response | None:
        """Why a request is not answered."""
        host = request.headers.get("host", "")
        name = f"{host.partition(']')[0]}]" if host.startswith("[") else host.partition(":")[0]
        if hosts and name.lower() not in hosts:
            return _plain(421, "This server is not called that.")
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return _plain(403, "This server answers its own page alone.")
        return None

    def known(request: Request) -> bool:
        given = request.cookies.get(_cookie(request), request.headers.get("x-token", ""))
        return hmac.compare_digest(given.encode(), token.encode())

    async def index(request: Request) -> Response:
        if (refused := refusal(request)) is not None:
            return refused
        given = request.query_params.get("token")
        if given is None:
            return HTMLResponse(html, headers={**_HEADERS, "Content-Security-Policy": policy})
        if not hmac.compare_digest(given.encode(), token.encode()):
            return _plain(403, "The token is not this server's. Use the address that it printed when it was started.")
        # The address without the token is what is shared and remembered; what stands after its # stays.
        response = RedirectResponse("/", 303, headers=_HEADERS)
        response.set_cookie(_cookie(request), token, httponly=True, samesite="strict", path="/")
        return response

    async def about(request: Request) -> Response:
        return await answered(request, lambda _: playground.about())

    async def ask(request: Request) -> Response:
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _plain(415, "Send JSON.")
        return await answered(request, lambda body: playground.ask(Asked.read(body)))

    async def answered(request: Request, answer: Any) -> Response:
        if (refused := refusal(request)) is not None:
            return refused
        if not known(request):
            return _problem(403, "This page has no token.", "Open the address that 'logical-retriever play' printed.")
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > LARGEST:
                return _problem(413, f"The question is longer than {LARGEST:,} bytes.", "Ask a shorter one.")
        try:
            return JSONResponse(await run_in_threadpool(answer, bytes(body)), headers=_HEADERS)
        except LogicalRetrieverError as error:
            status = 400 if isinstance(error, (LogicalQueryError, ValueError)) else 503
            if status == 503:
                _log.error("A question failed: %s", error)
            span = list(error.span) if isinstance(error, PicturedError) else None
            return _problem(status, error.message, error.hint, span)

    app = Starlette(
        routes=[
            Route("/", index),
            Route("/api/about", about),
            Route("/api/ask", ask, methods=["POST"]),
        ]
    )
    app.state.token = token
    return app


def _cookie(request: Request) -> str:
    """Cookies are kept by host, whatever the port: two servers need two names."""
    return f"logical-retriever-{request.headers.get('host', '').rpartition(':')[2] or 'play'}"


def _plain(status: int, text: str) -> Response:
    return PlainTextResponse(text, status, headers=_HEADERS)


def _problem(status: int, message: str, hint: str, span: list[int] | None = None) -> Response:
    return JSONResponse({"message": message, "hint": hint, "span": span}, status, headers=_HEADERS)
