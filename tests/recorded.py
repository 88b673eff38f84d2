"""Data recorded by others, which lies beside the project and is not part of it."""

from __future__ import annotations

from pathlib import Path

import pytest

DATA = Path(__file__).parents[2] / "shared/data"
PROBLEMS = sorted((DATA / "friction_problems").glob("*.npz"))
TOSSES = DATA / "cube_tosses_110.npz"

needs_problems = pytest.mark.skipif(not PROBLEMS, reason="no recorded contact problems beside the project")
needs_tosses = pytest.mark.skipif(not TOSSES.exists(), reason="no recorded tosses beside the project")
