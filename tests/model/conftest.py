"""Where named frames lie."""

from collections.abc import Callable

import numpy as np
import pytest

from sesshoku.model import Model
from sesshoku.spatial.pose import Pose


@pytest.fixture
def frame_pose(kinematics) -> Callable[[Model, np.ndarray, str], Pose]:
    """Pose of a named body or site in the world."""

    def pose(model: Model, q: np.ndarray, name: str) -> Pose:
        frame = model.frame(name)
        return kinematics(model, q)[frame.body] @ frame.pose if frame.body >= 0 else frame.pose

    return pose
