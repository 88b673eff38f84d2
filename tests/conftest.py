"""Reference kinematics in plain numpy, written for reading."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from sesshoku.model import Model
from sesshoku.model.joint import BALL, FREE, PRISMATIC, REVOLUTE
from sesshoku.spatial.pose import Pose

HERE = Path(__file__).parent

# the first example compiles kernels
settings.register_profile("compiled", deadline=None)
settings.load_profile("compiled")


def world_poses(model: Model, q: np.ndarray) -> list[Pose]:
    """Pose of every body's kernel frame in the world."""
    poses: list[Pose] = []
    for i in range(model.n):
        x = q[model.q_start[i] :]
        motion = {
            REVOLUTE: lambda x=x: Pose.at(rpy=(0, 0, x[0])),
            PRISMATIC: lambda x=x: Pose.at((0, 0, x[0])),
            BALL: lambda x=x: Pose.at(quaternion=x[:4]),
            FREE: lambda x=x: Pose.at(x[:3], quaternion=x[3:7]),
        }[model.kind[i]]()
        placement = Pose(model.placement_position[i], model.placement_rotation[i].reshape(3, 3))
        parent = poses[model.parent[i]] if model.parent[i] >= 0 else Pose()
        poses.append(parent @ placement @ motion)
    return poses


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the package as a whole first: some compile for minutes, which one worker must not begin at the end."""
    items.sort(key=lambda item: item.path.parent != HERE)


@pytest.fixture
def kinematics() -> Callable[[Model, np.ndarray], list[Pose]]:
    """World poses of the bodies of a model."""
    return world_poses
