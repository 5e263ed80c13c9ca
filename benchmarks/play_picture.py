"""The README's pictures: the playground with the answer to a question over the demo's passages, light and dark.

python benchmarks/play_picture.py   # writes docs/playground*.png; needs chromium, chromedriver and selenium
"""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from pages import ROOT
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from logical_retriever import InMemoryStore, LogicalRetriever, SentenceTransformerEmbedder, StoredDocument
from logical_retriever.demo import load_passages
from logical_retriever.play.answers import Playground
from logical_retriever.play.server import make_app

QUESTION = "benefits of vitamin D, but nothing about bones please"
SIZE = (1120, 1180)
ANSWERED = "return !document.body.classList.contains('busy') && document.querySelector('#found > li') !== null"


@contextmanager
def served() -> Iterator[str]:
    """Serve the playground over the demo's passages; yield its address with the token."""
    embedder = SentenceTransformerEmbedder()
    documents = [StoredDocument(passage.id, passage.content) for passage in load_passages()]
    store = InMemoryStore(documents, embedder.embed_documents([document.text for document in documents]))
    playground = Playground(LogicalRetriever(store, embedder), name="The demo")
    application = make_app(playground)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(application, log_level="warning", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/?token={application.state.token}"
        finally:
            server.should_exit = True
            thread.join()


def photograph(address: str, folder: Path) -> None:
    """Ask the question, and save what the browser shows: the page is light until its button is clicked."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--lang=en",
    ):
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        browser.set_window_size(*SIZE)
        browser.get(address)
        browser.find_element("id", "question").send_keys(QUESTION, Keys.ENTER)
        WebDriverWait(browser, 30).until(lambda driver: driver.execute_script(ANSWERED))
        browser.save_screenshot(str(folder / "playground.png"))
        browser.find_element("id", "theme").click()
        browser.save_screenshot(str(folder / "playground-dark.png"))
    finally:
        browser.quit()


if __name__ == "__main__":
    with served() as address:
        photograph(address, ROOT / "docs")
