"""A local server that answers as Elasticsearch and OpenSearch document it, for their real clients.

It knows the requests that the adapters make and nothing else; it refuses any other with 400.
"""

import json
import threading
import uuid
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np


class Engine(BaseHTTPRequestHandler):
    """Indexes in memory: by name, sources by id in the order added."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def handle_request(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        self.server.asked_by = self.headers.get("Authorization")
        parts = self.path.split("?")[0].strip("/").split("/")
        indexes, scrolls = self.server.indexes, self.server.scrolls
        status, answer = 200, {}
        try:
            match (self.command, parts):
                case ("GET", [""]):
                    answer = {"version": {"number": "8.19.0"}, "tagline": "You Know, for Search"}
                case ("HEAD", [index]):
                    status = 200 if index in indexes else 404
                case (_, [index, "_count"]):
                    answer = {"count": len(self.known(index))}
                case ("POST", ["_msearch"]):
                    lines = [json.loads(line) for line in body.splitlines() if line]
                    answer = {
                        "responses": [
                            self.one_of_several(indexes.get(header["index"], {}), search)
                            for header, search in zip(lines[::2], lines[1::2], strict=True)
                        ]
                    }
                case ("POST", [index, "_search"]):
                    search = json.loads(body)
                    answer = {"hits": {"hits": hits(self.known(index), search)}, **self.server.said}
                    if "scroll=" in self.path:
                        everything = hits(indexes[index], {**search, "size": 10_000})
                        key = uuid.uuid4().hex
                        scrolls[key] = everything[search["size"] :]
                        answer["_scroll_id"] = key
                case ("POST", ["_search", "scroll"]):
                    key = json.loads(body)["scroll_id"]
                    answer = {"_scroll_id": key, "hits": {"hits": scrolls[key]}}
                    scrolls[key] = []
                case ("DELETE", ["_search", "scroll", *path]):
                    given = path or json.loads(body)["scroll_id"]
                    for key in given if isinstance(given, list) else [given]:
                        del scrolls[key]
                case _:
                    raise ValueError(self.path)
        except (KeyError, ValueError, AssertionError) as error:
            status, answer = 400, {"error": {"type": type(error).__name__, "reason": str(error)}, "status": 400}
        payload = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("X-Elastic-Product", "Elasticsearch")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(payload)

    do_GET = do_POST = do_HEAD = do_DELETE = handle_request

    def known(self, index):
        indexes = self.server.indexes
        return indexes.get(index, {}) if "ignore_unavailable=true" in self.path else indexes[index]

    def one_of_several(self, index, search):
        try:
            return {"hits": {"hits": hits(index, search)}, "status": 200, **self.server.said}
        except (KeyError, ValueError) as error:
            return {"error": {"type": "search_phase_execution_exception", "reason": str(error)}, "status": 400}

    def log_message(self, *args):
        pass


def hits(index, search):
    """The hits of one search body."""
    found = []
    for id, score in ranked(index, search):
        hit = {"_id": id, "_score": score}
        if (wanted := search.get("_source")) is not False:
            hit["_source"] = {name: index[id][name] for name in wanted}
        if fields := search.get("fields"):
            hit["fields"] = {name: index[id][name] for name in fields}
        found.append(hit)
    return found[: search["size"]]


def ranked(index, search):
    if "knn" in search:  # Elasticsearch
        knn = search["knn"]
        if not knn["k"] <= knn["num_candidates"] <= 10_000:
            raise ValueError("num_candidates")
        return nearest(index, knn["field"], knn["query_vector"], passing(index, knn["filter"]))[: knn["k"]]
    match search["query"]:
        case {"knn": knn}:  # OpenSearch
            [(field, asked)] = knn.items()
            return nearest(index, field, asked["vector"], passing(index, asked.get("filter", [])))[: asked["k"]]
        case {"bool": {"filter": filter, "must": [{"knn": knn}]}}:
            allowed = set(passing(index, filter))
            return [hit for hit in ranked(index, {"query": {"knn": knn}}) if hit[0] in allowed]
        case {"script_score": {"query": query, "script": script}}:
            if script["source"] != "cosineSimilarity(params.query_vector, 'vector') + 1.0":
                raise ValueError(script["source"])
            allowed = [id for id, _ in ranked(index, {"query": query})]
            return nearest(index, "vector", script["params"]["query_vector"], allowed)
        case {"function_score": {"random_score": {"seed": seed, "field": "_seq_no"}}}:
            return [(list(index)[i], 1.0) for i in np.random.default_rng(seed).permutation(len(index))]
        case {"match_all": {}}:
            return [(id, 1.0) for id in index]
        case {"bool": {"filter": [{"ids": {"values": ids}}, *clauses]}}:
            return [(id, 1.0) for id in passing(index, clauses) if id in ids]
        case {"bool": {"filter": filter}}:
            return [(id, 1.0) for id in passing(index, filter)]
    raise ValueError(f"unknown query {search}")


def passing(index, filter):
    """Ids of documents that pass all clauses."""
    clauses = filter if isinstance(filter, list) else [filter]
    return [id for id, source in index.items() if all(matches(one, source["metadata"]) for one in clauses)]


def matches(clause, metadata):
    """Whether a document's metadata match a clause."""
    match clause:
        case {"bool": {"filter": parts}} | {"bool": {"must": parts}}:
            return all(matches(one, metadata) for one in parts)
        case {"term": term}:
            [(name, value)] = term.items()
            return metadata.get(name.removeprefix("metadata.").removesuffix(".keyword")) == value
    raise ValueError(f"unknown clause {clause}")


def nearest(index, field, vector, ids):
    query = np.array(vector)
    scored = []
    for id in ids:
        stored = np.array(index[id][field])
        if stored.shape != query.shape:
            raise ValueError("the query vector has a different dimension than the index vectors")
        length = np.linalg.norm(stored) * np.linalg.norm(query)
        scored.append((id, (1 + (float(stored @ query) / length if length else 0.0)) / 2))
    return sorted(scored, key=lambda hit: -hit[1])


@contextmanager
def serving():
    """The server, for as long as tests need it; ``indexes`` holds the documents, ``said`` is added to its answers."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Engine)
    server.indexes, server.scrolls, server.said = {}, {}, {}
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()
