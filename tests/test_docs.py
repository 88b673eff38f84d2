"""What the documentation shows, runs."""

import re
from pathlib import Path

import pytest

MODELS = (Path(__file__).parents[1] / "docs/models.md").read_text()


def test_feet_on_rubber():
    (block,) = re.findall(r"^```python\n(.*?)^```", MODELS, flags=re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(block, names)
    load = (names["sim"].model.total_mass / 2 - 0.65) * 9.81
    assert names["sag"] == pytest.approx(load / 5e5, rel=1e-3)
