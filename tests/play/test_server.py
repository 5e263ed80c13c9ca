"""The playground's server: who is answered, and with what."""

import json

import pytest
from starlette.testclient import TestClient

from logical_retriever import InMemoryStore, LogicalRetriever, StoredDocument
from logical_retriever.errors import StoreError
from logical_retriever.play.answers import MOST, Playground
from logical_retriever.play.server import make_app
from logical_retriever.testing.fakes import HashingEmbedder

pytestmark = pytest.mark.slow

HOST = "127.0.0.1:8808"
QUESTION = "What are the benefits of vitamin D other than bone health?"


def client_of(playground):
    """A client that has opened the printed address."""
    client = TestClient(make_app(playground, token="secret"), base_url=f"http://{HOST}", follow_redirects=False)
    assert client.get("/", params={"token": "secret"}).headers["location"] == "/"
    return client


@pytest.fixture
def client(playground):
    return client_of(playground)


def test_the_page_is_one_file_that_asks_nobody_else(client):
    answer = client.get("/")
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "http://" not in answer.text
    assert "https://" not in answer.text
    assert "@" not in answer.text.split("<style>")[0]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 400),
        ({"host": "127.0.0.1.evil.example:8808"}, 400),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": f"//{HOST}"}, 403),
        ({"origin": f"https://{HOST}"}, 403),
        ({"cookie": "logical-retriever-8808=wrong"}, 403),
        ({"cookie": ""}, 403),
        ({"host": "localhost:8808", "cookie": "logical-retriever-8808=secret"}, 200),
        ({"origin": f"http://{HOST}"}, 200),
    ],
)
def test_only_the_server_s_own_page_with_its_token_is_answered(client, headers, status):
    asked = {"content-type": "application/json", **headers}
    if "cookie" in headers:
        client.cookies.clear()
    answer = client.post("/api/ask", content=json.dumps({"question": QUESTION}), headers=asked)
    assert answer.status_code == status
    answer = client.get("/", params={"token": "guess"})
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


def test_an_answer_is_the_retriever_s(client, demo_retriever):
    settings = {"words": 0.2, "exclusion": "strict"}
    fourth, fifth = demo_retriever.but(**settings).explain(QUESTION, k=5).result.documents[3:]
    settings["min_relevance"] = (fourth.relevance + fifth.relevance) / 2
    answer = client.post("/api/ask", json={"question": QUESTION, "k": 7, **settings}).json()
    expected = demo_retriever.but(**settings).explain(QUESTION, k=7)
    assert len(expected.result.documents) == 4
    assert [one["id"] for one in answer["documents"]] == [one.id for one in expected.result.documents]
    # A text is encoded a little differently alone than among others.
    assert [one["score"] for one in answer["documents"]] == pytest.approx(
        [one.score for one in expected.result.documents], abs=1e-5
    )
    assert [one["id"] for one in answer["left_out"]] == [one.id for one in expected.result.left_out]
    assert [one["id"] for one in answer["plain"]] == [one.id for one in expected.dense[:7]]
    assert {one["id"] for one in answer["plain"] if one["out"]} <= {one["id"] for one in answer["left_out"]}
    assert answer["read_by"] == "by the tagger"


def test_an_edited_query_is_searched_for_as_it_is_and_compared_by_the_question(client, demo_retriever):
    query = '"vitamin D" AND NOT "cancer"'
    answer = client.post("/api/ask", json={"question": QUESTION, "query": query}).json()
    assert [one["id"] for one in answer["documents"]] == [one.id for one in demo_retriever.search(query, k=5).documents]
    assert [one["id"] for one in answer["plain"]] == [one.id for one in demo_retriever.dense(QUESTION, k=5).documents]


WRONG = [("k", 0), ("k", MOST + 1), ("words", 2), ("exclusion", "no"), ("min_relevance", 2), ("surprise", 1)]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        *(({"question": "tea", name: value}, name) for name, value in WRONG),
        ({"question": " "}, "empty"),
        ({"query": '"tea" AND'}, "nothing on its right"),
        ({"query": '"tea" AND [nonsense]'}, "condition"),
        ([], "cannot be read"),
        ({"question": "a" * 8_001}, "at most 8000 characters"),
        ({"query": "a" * 8_001}, "at most 8000 characters"),
    ],
)
def test_what_cannot_be_asked_is_said_with_a_hint(client, body, problem):
    answer = client.post("/api/ask", json=body)
    assert answer.status_code == 400
    assert problem in answer.json()["message"].lower()
    assert answer.json()["hint"]


def test_a_body_that_is_too_large_is_not_read_to_its_end(client):
    sent = []

    def parts():
        for _ in range(800):  # 50 MB
            sent.append(1)
            yield b"a" * 65_536

    answer = client.post("/api/ask", content=parts())
    assert answer.status_code == 413
    assert "65,536 bytes" in answer.json()["message"]
    assert client.post("/api/ask", json={"question": "tea"}).status_code == 200


def test_long_texts_are_sent_in_part_and_all_of_many_results_are_there():
    embedder = HashingEmbedder(64)
    texts = ["green tea " * 100_000, *(f"tea number{i}" for i in range(10_000))]
    store = InMemoryStore([StoredDocument(i, text) for i, text in enumerate(texts)], embedder.embed_documents(texts))
    client = client_of(Playground(LogicalRetriever(store, embedder), name="many"))
    answer = client.post("/api/ask", json={"question": "tea", "k": MOST}).json()
    assert len(answer["documents"]) == MOST
    whole = next(one for one in answer["documents"] + answer["plain"] if one["id"] == "0")
    assert whole["length"] == 1_000_000
    assert len(whole["text"]) < 2_000


def test_a_collection_that_disappears_is_said_and_may_come_back(caplog, monkeypatch):
    def gone(*arguments):
        raise StoreError("There is no such collection.", hint="Make it again.")

    client = client_of(Playground(LogicalRetriever.from_texts(["green tea"], HashingEmbedder(64)), name="gone"))
    assert client.post("/api/ask", json={"question": "tea"}).json()["documents"]
    monkeypatch.setattr(InMemoryStore, "scan", gone)
    answer = client.post("/api/ask", json={"question": "tea"})
    assert (answer.status_code, answer.json()["message"]) == (503, "There is no such collection.")
    assert "no such collection" in caplog.text
    monkeypatch.undo()
    assert client.post("/api/ask", json={"question": "tea"}).json()["documents"]
