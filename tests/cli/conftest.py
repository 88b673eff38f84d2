"""Commands, called in this process or in one of their own."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from sesshoku.cli import app


@pytest.fixture
def call() -> Callable[..., Result]:
    """Run a command in this process."""
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def answer(call) -> Callable[..., dict[str, Any]]:
    """The JSON document of a command that succeeds."""

    def ask(*words: object) -> dict[str, Any]:
        result = call(*words, "--json")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return ask


@pytest.fixture
def process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a command as a user does: C libraries that print are seen, too."""
    return lambda *words: subprocess.run(
        [sys.executable, "-m", "sesshoku", *map(str, words)], capture_output=True, text=True, check=False
    )
