"""The playground's server: the page, and answers to it, for whoever has the token.

It listens to this machine alone. A page of another site that a browser shows cannot reach it: a request's Host must be
one of this machine's names for itself, which a name that was made to point here is not; its Origin must be the
server's own; and without the token, which the printed address has and a cookie keeps, nothing is answered.
"""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from logical_retriever.errors import LogicalQueryError, LogicalRetrieverError, PicturedError
from logical_retriever.play.answers import Playground, PlayQuestion
from logical_retriever.play.page import page

LOOPBACK: Final = ("127.0.0.1", "localhost")
"""Names of this machine for itself."""

_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_log = logging.getLogger(__name__)


def make_app(playground: Playground, *, token: str | None = None) -> Starlette:
    """Make the application.

    Args:
        playground: Answers.
        token: Whoever has it is answered; None for a new one, in ``app.state.token``.
    """
    secret = secrets.token_urlsafe(24) if token is None else token
    html, policy = page()

    async def index(request: Request) -> Response:
        if (sent := request.query_params.get("token")) is None:
            return HTMLResponse(html, headers={**_HEADERS, "Content-Security-Policy": policy})
        if not hmac.compare_digest(sent.encode(), secret.encode()):
            text = "The token is not this server's. Use the address that it printed when it was started."
            return PlainTextResponse(text, 403, headers=_HEADERS)
        # The address without the token is what is shared and remembered; what stands after its # stays.
        response = RedirectResponse("/", 303, headers=_HEADERS)
        response.set_cookie(_cookie(request), secret, httponly=True, samesite="strict", path="/")
        return response

    async def about(request: Request) -> Response:
        return await answered(request, lambda _: playground.about())

    async def ask(request: Request) -> Response:
        return await answered(request, lambda body: playground.ask(PlayQuestion.read(body)))

    async def answered(request: Request, answer: Callable[[bytes], dict[str, Any]]) -> Response:
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != request.headers["host"]:
            return _problem(403, "This server answers its own page alone.", "Open the page that it serves.")
        if not hmac.compare_digest(request.cookies.get(_cookie(request), "").encode(), secret.encode()):
            return _problem(403, "This page has no token.", "Open the address that 'logical-retriever play' printed.")
        try:
            return JSONResponse(await run_in_threadpool(answer, await request.body()), headers=_HEADERS)
        except LogicalRetrieverError as error:
            status = 400 if isinstance(error, (LogicalQueryError, ValueError)) else 503
            if status == 503:
                _log.error("A question failed: %s", error)
            span = list(error.span) if isinstance(error, PicturedError) else None
            return _problem(status, error.message, error.hint, span)

    routes = [Route("/", index), Route("/api/about", about), Route("/api/ask", ask, methods=["POST"])]
    app = Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=LOOPBACK)])
    app.state.token = secret
    return app


def _cookie(request: Request) -> str:
    """Cookies are kept by host, whatever the port: two servers need two names."""
    return f"logical-retriever-{request.url.port}"


def _problem(status: int, message: str, hint: str, span: list[int] | None = None) -> Response:
    return JSONResponse({"message": message, "hint": hint, "span": span}, status, headers=_HEADERS)
