"""Robot files that other packages bring, and where named frames lie."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pinocchio
import pytest

from sesshoku.model import Model
from sesshoku.spatial.pose import Pose

ROBOTS = Path(pinocchio.__file__).parents[4] / "share" / "example-robot-data" / "robots"


@pytest.fixture
def frame_pose(kinematics) -> Callable[[Model, np.ndarray, str], Pose]:
    """Pose of a named body or site in the world."""

    def pose(model: Model, q: np.ndarray, name: str) -> Pose:
        frame = model.frame(name)
        return kinematics(model, q)[frame.body] @ frame.pose if frame.body >= 0 else frame.pose

    return pose


@pytest.fixture
def robots() -> Path:
    """Folder of the URDFs of example-robot-data."""
    return ROBOTS
