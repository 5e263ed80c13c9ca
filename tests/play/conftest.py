"""A headless Chromium, the playground over the demo's passages in memory, and its server on a port of this machine."""

import contextlib
import shutil
import socket
import threading

import pytest
import uvicorn

from logical_retriever import InMemoryStore, LogicalRetriever, StoredDocument
from logical_retriever.commands.output import working
from logical_retriever.demo import load_passages, load_questions
from logical_retriever.encoders import SentenceTransformerEmbedder
from logical_retriever.play.answers import Playground
from logical_retriever.play.server import make_app

FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--lang=en"),
)


@pytest.fixture(scope="session")
def demo_retriever():
    with working():
        embedder = SentenceTransformerEmbedder()
        documents = [StoredDocument(passage.id, passage.content) for passage in load_passages()]
        vectors = embedder.embed_documents([document.text for document in documents])
    return LogicalRetriever(InMemoryStore(documents, vectors), embedder)


@pytest.fixture(scope="session")
def playground(demo_retriever):
    questions = [asked.question for asked in load_questions()]
    return Playground(demo_retriever, name="The demo", examples=questions)


@contextlib.contextmanager
def served(application):
    """An application on a free port; yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(application, log_level="warning", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def on_a_port():
    return served


@pytest.fixture
def serve():
    """Serve a playground; gives the address to open, with the token."""
    with contextlib.ExitStack() as stack:

        def start(playground):
            application = make_app(playground)
            return f"{stack.enter_context(served(application))}/?token={application.state.token}"

        yield start


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """One browser for all tests; they skip where there is none."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("there is no Chromium: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    browser.set_script_timeout(30)
    yield browser
    browser.quit()


@pytest.fixture
def browser(chromium):
    """The browser with an empty page, 1280 pixels wide; a test fails if its page wrote an error to the console."""
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.set_window_size(1280, 1000)
    chromium.get("about:blank")
    chromium.get_log("browser")
    yield chromium
    said = [entry["message"] for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"]
    assert [line for line in said if "/api/" not in line] == []  # a refused question is logged as well


@pytest.fixture
def wait(browser):
    """Wait until a script gives something true, and give that."""
    from selenium.webdriver.support.ui import WebDriverWait

    def until(script, *arguments):
        return WebDriverWait(browser, 30, poll_frequency=0.05).until(
            lambda driver: driver.execute_script(f"return {script}", *arguments), script
        )

    return until
