"""Real robot files from installed packages, and the change of coordinates between Pinocchio and Sesshoku."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pinocchio as pin

NEEDS_ARMATURE = {"romeo.urdf", "romeo_laas_small.urdf"}  # massless moving bodies


def package_folder(name: str) -> Path:
    """Folder of an installed package, without importing it (mjlab would want torch)."""
    spec = importlib.util.find_spec(name)
    assert spec, f"the test extra {name} is not installed: run make test"
    return Path(spec.origin or "").parent


@cache
def urdf_files() -> list[Path]:
    """Every URDF of example-robot-data but those Pinocchio cannot read."""
    folder = package_folder("pinocchio").parents[3] / "share/example-robot-data/robots"
    files = [path for path in sorted(folder.rglob("*.urdf")) if not unreadable(path)]
    assert len(files) == 68, f"{len(files)} URDFs in {folder}: is example-robot-data 6.0.0 installed?"
    return files


def unreadable(path: Path) -> bool:
    """Whether a URDF is one Pinocchio does not read: no name of the robot."""
    import xml.etree.ElementTree as ElementTree

    return "name" not in ElementTree.parse(path).getroot().attrib


def robot(name: str) -> Path:
    """The URDF of that file name."""
    return next(path for path in urdf_files() if path.name == name)


def mjcf_files() -> list[Path]:
    """Every MJCF of gymnasium, and mjlab's g1 and go1."""
    gymnasium = sorted((package_folder("gymnasium") / "envs/mujoco/assets").glob("*.xml"))
    mjlab = package_folder("mjlab") / "asset_zoo/robots"
    assert len(gymnasium) == 14
    return [*gymnasium, mjlab / "unitree_g1/xmls/g1.xml", mjlab / "unitree_go1/xmls/go1.xml"]


@dataclass
class Coordinates:
    """The same state for Pinocchio (q, v) and for Sesshoku (q_ours, v_ours = turn @ v)."""

    model: pin.Model

    def random(self, rng: np.random.Generator) -> None:
        """Draw a state inside the joint limits."""
        m = self.model
        low = np.clip(m.lowerPositionLimit, -1.0, 1.0)
        high = np.maximum(np.clip(m.upperPositionLimit, -1.0, 1.0), low)
        pin.seed(int(rng.integers(1 << 30)))
        self.q = pin.randomConfiguration(m, low, high)
        self.v, self.tau = rng.normal(size=m.nv), rng.normal(size=m.nv)
        ours, self.turn, shift = [], np.eye(m.nv), np.zeros(m.nv)
        for joint in list(m.joints)[1:]:
            q, d = self.q[joint.idx_q : joint.idx_q + joint.nq], joint.idx_v
            kind = joint.shortname()
            if kind == "JointModelFreeFlyer":
                rotation = pin.Quaternion(q[3:]).toRotationMatrix()
                self.turn[d : d + 3, d : d + 3] = rotation
                shift[d : d + 3] = rotation @ np.cross(self.v[d + 3 : d + 6], self.v[d : d + 3])
                ours += [*q[:3], q[6], *q[3:6]]
            elif kind.startswith("JointModelRUB"):
                ours.append(np.arctan2(q[1], q[0]))
            else:
                assert joint.nq == joint.nv == 1, kind
                ours.append(q[0])
        self.q_ours, self.v_ours, self.tau_ours = np.array(ours), self.turn @ self.v, self.turn @ self.tau
        self.shift = shift

    def acceleration(self, a: np.ndarray) -> np.ndarray:
        """Pinocchio's v̇, ours: linear base acceleration in world axes."""
        return self.turn @ a + self.shift

    def matrix(self, m: np.ndarray) -> np.ndarray:
        """Pinocchio's inertia matrix in our velocities."""
        return self.turn @ m @ self.turn.T


def relative(a: np.ndarray, b: np.ndarray) -> float:
    """Largest difference, relative to the largest entry of b."""
    a, b = np.asarray(a), np.asarray(b)
    assert a.shape == b.shape
    return float(np.abs(a - b).max(initial=0.0) / max(np.abs(b).max(initial=0.0), 1e-12))
