"""The replay server, asked with nothing but the standard library."""

import http.client
import json
import socket
import threading
import time

import pytest
from replay_server import ReplayServer, Reply

BODY = {"model": "m", "messages": [{"role": "user", "content": "tea?"}]}


def address(server):
    host, port = server.base_url.removeprefix("http://").removesuffix("/v1").split(":")
    return host, int(port)


@pytest.fixture
def ask():
    def ask(server, body=BODY, path="/v1/chat/completions"):
        connection = http.client.HTTPConnection(*address(server), timeout=10)
        try:
            connection.request("POST", path, json.dumps(body))
            response = connection.getresponse()
            return response.status, dict(response.headers), json.loads(response.read())
        finally:
            connection.close()

    return ask


def test_texts_are_answers_in_order(ask):
    with ReplayServer(["first", "second"]) as server:
        for text in ("first", "second"):
            status, _, body = ask(server)
            assert status == 200
            assert body["choices"][0]["message"] == {"role": "assistant", "content": text}
            assert body["object"] == "chat.completion"
        assert server.requests == [BODY, BODY]
        assert server.arrivals == sorted(server.arrivals)


def test_a_failure_has_its_status_headers_and_message(ask):
    with ReplayServer([Reply("Slow down.", status=429, headers={"Retry-After": "2"})]) as server:
        status, headers, body = ask(server)
    assert (status, headers["Retry-After"]) == (429, "2")
    assert body["error"]["message"] == "Slow down."


@pytest.mark.parametrize(
    ("body", "path", "status", "said"),
    [
        (BODY, "/v1/chat/completions", 400, "has 0 replies; this is request 1"),
        ({**BODY, "stream": True}, "/v1/chat/completions", 400, "Streams"),
        (BODY, "/v1/embeddings", 404, "/v1/embeddings"),
    ],
)
def test_what_is_not_in_the_script_is_refused_aloud(ask, body, path, status, said):
    with ReplayServer([]) as server:
        got, _, answer = ask(server, body, path)
    assert got == status
    assert said in answer["error"]["message"]


def test_half_a_body_and_then_nothing(ask):
    with ReplayServer([Reply("x" * 1000, cut_off=True)]) as server, pytest.raises(http.client.IncompleteRead):
        ask(server)


def test_a_delay_is_kept(ask):
    with ReplayServer([Reply("late", delay_s=0.2)]) as server:
        before = time.monotonic()
        assert ask(server)[0] == 200
        assert time.monotonic() - before >= 0.2
        assert not server.wait_for_hang_up(0)


def test_a_client_that_hangs_up_is_noticed():
    with ReplayServer([Reply("never", delay_s=60)]) as server:
        content = json.dumps(BODY).encode()
        head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(content)}\r\n\r\n".encode()
        with socket.create_connection(address(server)) as client:
            client.sendall(head + content)
            assert not server.wait_for_hang_up(0.1)
        assert server.wait_for_hang_up(5)
        assert not server.wait_for_hang_up(0)


def test_leaving_ends_replies_that_wait(ask):
    ended = []

    def wait():
        with pytest.raises((http.client.HTTPException, OSError)):
            ask(server)
        ended.append(True)

    with ReplayServer([Reply("never", delay_s=60)]) as server:
        waiting = threading.Thread(target=wait)
        waiting.start()
        while not server.requests:
            time.sleep(0.01)
    waiting.join(5)
    assert ended == [True]
