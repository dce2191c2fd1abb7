"""Servers in processes of their own, on free ports of this machine."""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

Started = tuple["subprocess.Popen[str]", str]
"""The process, and the address that it answers at."""


@contextmanager
def servers(log: Path, environ: Callable[[], Mapping[str, str]]) -> Iterator[Callable[..., Started]]:
    """Gives what starts a server with some arguments, in the environment of that moment; at the end all are killed that were started.
    What they say on standard error goes into the log: a pipe that nobody reads would fill up and hold the server."""
    running: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> Started:
        command = [sys.executable, "-m", "service.cli", "serve", "--port", "0", *arguments]
        with log.open("a") as errors:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environ())
        running.append(process)
        assert process.stdout
        line = process.stdout.readline()
        found = re.search(r"http://\S+?(?=/ )", line)
        assert found, line + log.read_text()
        return process, found[0]

    try:
        yield start
    finally:
        for process in running:
            process.kill()
            process.communicate()
