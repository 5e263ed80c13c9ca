"""The playground's server: the page, and its answers, for whoever has the token.

Only this machine can connect, and pages of other sites cannot use the server from a browser. A request's Host must be
one of :data:`LOOPBACK`, against foreign names that point to this machine. Its Origin must be the server's own. It must
carry the token of the printed address, which a cookie keeps.
"""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from logical_retriever.errors import LogicalQueryError, LogicalRetrieverError, LogicalSyntaxError
from logical_retriever.play.answers import Playground, PlayQuestion
from logical_retriever.play.page import page

LOOPBACK: Final = ("127.0.0.1", "localhost")
"""The names under which a machine reaches itself."""

MOST_BYTES: Final = 1 << 16
"""Largest body of a request; a larger one is not read."""
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
        playground: Answers the questions.
        token: The secret that a browser must present; None for a new one, in ``app.state.token``.
    """
    secret = secrets.token_urlsafe(24) if token is None else token
    html, policy = page()

    async def index(request: Request) -> Response:
        if (sent := request.query_params.get("token")) is None:
            return HTMLResponse(html, headers={**_HEADERS, "Content-Security-Policy": policy})
        if not hmac.compare_digest(sent.encode(), secret.encode()):
            text = "The token is not this server's. Use the address that it printed when it was started."
            return PlainTextResponse(text, 403, headers=_HEADERS)
        # Browsers remember and share the address without the token; its fragment is kept.
        response = RedirectResponse("/", 303, headers=_HEADERS)
        response.set_cookie(_cookie(request), secret, httponly=True, samesite="strict", path="/")
        return response

    async def answered(answer: Callable[[bytes], dict[str, Any]], request: Request) -> Response:
        origin = request.headers.get("origin")
        if origin is not None and origin != f"{request.url.scheme}://{request.headers['host']}":
            return _problem(403, "This server answers its own page alone.", "Open the page that it serves.")
        if not hmac.compare_digest(request.cookies.get(_cookie(request), "").encode(), secret.encode()):
            return _problem(403, "This page has no token.", "Open the address that 'logical-retriever play' printed.")
        if (body := await _body(request)) is None:
            hint = "Ask with fewer words, or search from Python."
            return _problem(413, f"The request has more than {MOST_BYTES:,} bytes.", hint)
        try:
            return JSONResponse(await run_in_threadpool(answer, body), headers=_HEADERS)
        except LogicalRetrieverError as error:
            status = 400 if isinstance(error, (LogicalQueryError, ValueError)) else 503
            if status == 503:
                _log.error("A question failed: %s", error)
            span = list(error.span) if isinstance(error, LogicalSyntaxError) else None
            return _problem(status, error.message, error.hint, span)

    about = partial(answered, lambda _: playground.about())
    ask = partial(answered, lambda body: playground.ask(PlayQuestion.read(body)))
    routes = [Route("/", index), Route("/api/about", about), Route("/api/ask", ask, methods=["POST"])]
    app = Starlette(routes=routes, middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=LOOPBACK)])
    app.state.token = secret
    return app


async def _body(request: Request) -> bytes | None:
    """Return a request's body; None once it turns out too large."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return None
    return body


def _cookie(request: Request) -> str:
    """Return the cookie's name. It has the port, for browsers share cookies among the ports of a host."""
    return f"logical-retriever-{request.url.port}"


def _problem(status: int, message: str, hint: str, span: list[int] | None = None) -> Response:
    return JSONResponse({"message": message, "hint": hint, "span": span}, status, headers=_HEADERS)
