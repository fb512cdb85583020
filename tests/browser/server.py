"""A Streamlit server of its own for the tests, and where Chromium is."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).parents[2]
START_SECONDS = 60

# What a program needs from the machine. All else is left out, so that neither a setting of
# this machine (STREAMLIT_*) nor one of the test run changes the app.
PASSED_ON = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP")
PASSED_ON_PREFIXES = ("OPENBLAS_", "OMP_")

# No GPU and no second container layer in CI; and nothing that asks the outside by itself.
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    # Letters as wide as in a browser with windows.
    "--font-render-hinting=none",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Outside names do not resolve: a request that should not be there fails at once.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)


@dataclass(frozen=True)
class Server:
    """A running app: where it answers and what it printed."""

    url: str
    log_file: Path
    process: subprocess.Popen[bytes]

    def log(self) -> str:
        """Everything the server printed so far."""
        return self.log_file.read_text(encoding="utf-8", errors="replace")


def chromium() -> str | None:
    """The path of an installed Chromium or Chrome, or None. The one that can show no window takes
    a quarter less work to open a page.
    """
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    return None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _clean_environment(home: Path) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in PASSED_ON or name.startswith(PASSED_ON_PREFIXES)
    }
    return {**kept, "HOME": str(home), "USERPROFILE": str(home), "PYTHONUNBUFFERED": "1"}


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
            return bool(answer.read() == b"ok")
    except (urllib.error.URLError, OSError):
        return False


@contextmanager
def serving(
    script: Path,
    home: Path,
    *options: str,
    port: int | None = None,
    path: str = "",
    cwd: Path = ROOT,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Server]:
    """Run ``streamlit run script`` with the project's settings until the block is left.

    ``home`` is a folder for the server's home and log. ``options`` of the command line win over
    the project's settings; ``port`` is a free one unless it is given; ``path`` is the base path
    that the options set; ``environment`` goes beside what the machine has. RuntimeError with the
    server's own words if it does not answer in a minute.
    """
    port = port or free_port()
    url = f"http://127.0.0.1:{port}{path}"
    log_file = home / "server.log"
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += ["--server.port", str(port), "--server.headless", "true", *options]
    with log_file.open("ab") as log:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**_clean_environment(home), **environment},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        server = Server(url, log_file, process)
        try:
            give_up = time.monotonic() + START_SECONDS
            while not _healthy(url):
                if process.poll() is not None or time.monotonic() > give_up:
                    raise RuntimeError(f"the app did not start; it printed:\n{server.log()}")
                time.sleep(0.1)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
