"""A local HTTP server that replays chat completions, so that real clients can be tested over real HTTP."""

import json
import socket
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATH = "/v1/chat/completions"
POLL_S = 0.01


@dataclass(frozen=True)
class Reply:
    """One reply of the server.

    Attributes:
        text: The assistant's message; of a status other than 200, the error's message.
        status: HTTP status.
        delay_s: Seconds to wait before replying, at least 0; over at once when the client hangs up.
        cut_off: Whether the connection is closed after half of the body.
    """

    text: str = ""
    status: int = 200
    delay_s: float = 0.0
    cut_off: bool = False


class ReplayServer:
    """Answers OpenAI-style requests on 127.0.0.1 with prepared replies, in order of arrival; a text is a good answer.

    A request beyond the script, to another path, or for a stream is answered with a status in the 400s, which clients
    do not try again; its message says why. Use as a context manager; leaving it ends every reply that is still waiting.

    Attributes:
        requests: Bodies of the requests, oldest first.
    """

    def __init__(self, replies):
        self.requests = []
        self._replies = [Reply(reply) if isinstance(reply, str) else reply for reply in replies]
        self._hung_up, self._closed, self._lock = threading.Semaphore(0), threading.Event(), threading.Lock()
        self._http = Server(("127.0.0.1", 0), Handler)
        self._http.replay = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(POLL_S,), daemon=True)

    @property
    def base_url(self):
        """What clients take as base URL."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def wait_for_hang_up(self, timeout_s):
        """Wait until a client has hung up on a reply that was waiting; whether one did. Each is reported once."""
        return self._hung_up.acquire(timeout=timeout_s)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error):
        self._closed.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def reply(self, body):
        """Record a request and choose its reply."""
        with self._lock:
            place = len(self.requests)
            self.requests.append(body)
        if body.get("stream"):
            return Reply("Streams are not replayed.", status=400)
        if place >= len(self._replies):
            return Reply(f"The script has {len(self._replies)} replies; this is request {place + 1}.", status=400)
        return self._replies[place]

    def wait(self, seconds, connection):
        """Wait before a reply; whether there is still somebody to reply to."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self._closed.wait(min(left, POLL_S)):
                return False
            if is_closed(connection):
                self._hung_up.release()
                return False
        return True


class Server(ThreadingHTTPServer):
    daemon_threads = True  # a client that keeps its connection open must not keep the process alive
    block_on_close = False


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        replay = self.server.replay
        reply = replay.reply(body) if self.path == PATH else Reply(f"There is no {self.path} here.", status=404)
        if not replay.wait(reply.delay_s, self.connection):
            self.close_connection = True
            return
        content = json.dumps(completion(reply, body) if reply.status == 200 else error(reply)).encode()
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if reply.cut_off:
            content = content[: len(content) // 2]
            self.close_connection = True
        try:
            self.wfile.write(content)
        except OSError:  # the client has gone in the meantime
            self.close_connection = True

    def log_message(self, *args):
        """Keep the terminal clean."""


def completion(reply, body):
    """The body of a chat completion, as OpenAI's API reference describes it."""
    message = {"role": "assistant", "content": reply.text}
    return {
        **{"id": "chatcmpl-replayed", "object": "chat.completion", "created": 0},
        "model": body.get("model", "replayed"),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    }


def error(reply):
    return {"error": {"message": reply.text, "type": "replayed", "param": None, "code": None}}


def is_closed(connection):
    """Whether the client has closed its end, without taking anything from the stream."""
    blocking = connection.gettimeout()
    connection.settimeout(0)
    try:
        return connection.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        connection.settimeout(blocking)
