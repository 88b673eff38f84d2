"""What all commands share."""

import subprocess
import sys

import sesshoku as sk


def test_help_names_the_commands(call):
    result = call("--help")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in ("demo", "run", "solve", "list", "bench"))


def test_version(call):
    assert call("--version").stdout == f"{sk.__version__}\n"


def test_unknown_command(call):
    result = call("rnu")
    assert result.exit_code == 2
    assert result.stderr.startswith("sesshoku: No such command 'rnu'")


def test_import_is_light():
    code = "import sys, sesshoku.cli; print({'pinocchio', 'mujoco', 'matplotlib'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded == "set()\n"
