"""What happened: samples of a run, by name, on disk as .npz."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import FileFormatError, SesshokuError
from sesshoku.version import __version__

if TYPE_CHECKING:
    from sesshoku.model import Model

__all__ = ["Recording"]

Array = NDArray[np.float64]
SAMPLED = ("time", "q", "v", "tau", "control")
FIRST_CAPACITY = 1024


class Recording:
    """Samples of a run: arrays with one row for each sample, and the names of their columns.

    Attributes:
        scene: name of the scene.
        dt: step of the simulation [s].
        integrator: its name.
        joints: name of each joint, with its columns in q and v as slices.
        actuators: name of each column of control.
    """

    def __init__(
        self,
        scene: str,
        dt: float,
        integrator: str,
        joints: dict[str, tuple[slice, slice]],
        actuators: tuple[str, ...],
        widths: dict[str, int],
    ) -> None:
        self.scene, self.dt, self.integrator = scene, dt, integrator
        self.joints, self.actuators = joints, actuators
        self._count = 0
        self._data = {name: np.empty((FIRST_CAPACITY, width)) for name, width in widths.items()}

    @staticmethod
    def of(model: Model, dt: float, integrator: str) -> Recording:
        """An empty recording for a model."""

        def as_slice(index: int | slice) -> slice:
            return slice(index, index + 1) if isinstance(index, int) else index

        return Recording(
            model.name,
            dt,
            integrator,
            {joint.name: (as_slice(joint.q), as_slice(joint.v)) for joint in model.joints},
            model.actuator_names,
            {"time": 1, "q": model.nq, "v": model.nv, "tau": model.nv, "control": model.nu},
        )

    def append(self, time: float, q: Array, v: Array, tau: Array, control: Array) -> None:
        """Add a sample; the arrays are copied."""
        k = self._count
        if k == len(self._data["time"]):
            for name, column in self._data.items():
                self._data[name] = np.concatenate([column, np.empty_like(column)])
        data = self._data
        data["time"][k], data["q"][k], data["v"][k] = time, q, v
        data["tau"][k], data["control"][k] = tau, control
        self._count = k + 1

    def cut(self, time: float) -> None:
        """Forget the samples after a time [s]."""
        self._count = int(np.searchsorted(self.time, time, side="right"))

    def __len__(self) -> int:
        return self._count

    @property
    def time(self) -> Array:
        """Time of each sample [s], shape (k,)."""
        return self._data["time"][: self._count, 0]

    @property
    def q(self) -> Array:
        """Coordinates, shape (k, nq)."""
        return self._data["q"][: self._count]

    @property
    def v(self) -> Array:
        """Velocities, shape (k, nv)."""
        return self._data["v"][: self._count]

    @property
    def tau(self) -> Array:
        """Generalised forces given by the user or the controller, shape (k, nv)."""
        return self._data["tau"][: self._count]

    @property
    def control(self) -> Array:
        """What the actuators were told, shape (k, nu)."""
        return self._data["control"][: self._count]

    def joint_q(self, name: str) -> Array:
        """Coordinates of one joint, shape (k,) or (k, number of them)."""
        return self._column(self.q, name, 0)

    def joint_v(self, name: str) -> Array:
        """Velocities of one joint, shape (k,) or (k, number of them)."""
        return self._column(self.v, name, 1)

    def _column(self, rows: Array, name: str, which: int) -> Array:
        if name not in self.joints:
            raise SesshokuError(f"no joint '{name}' in this recording. Known are {', '.join(self.joints)}.")
        columns = rows[:, self.joints[name][which]]
        return columns[:, 0] if columns.shape[1] == 1 else columns

    def save(self, path: str | Path) -> Path:
        """Write to an .npz file: plain arrays, and ``header``, a JSON text with the names."""
        target = Path(path)
        if target.suffix != ".npz":
            raise SesshokuError(f"{target}: a recording is saved as .npz, not as '{target.suffix}'. Change the suffix.")
        if not target.parent.is_dir():
            raise SesshokuError(f"{target}: its folder is not there. Make it first.")
        header = {
            "version": __version__,
            "scene": self.scene,
            "dt": self.dt,
            "integrator": self.integrator,
            "joints": {name: [[c.start, c.stop], [d.start, d.stop]] for name, (c, d) in self.joints.items()},
            "actuators": list(self.actuators),
        }
        arrays: dict[str, Any] = {name: getattr(self, name) for name in SAMPLED}
        part = target.with_name(target.name + ".part")  # nothing half-written under the final name
        with part.open("wb") as file:
            np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)
        return part.replace(target)

    @staticmethod
    def load(path: str | Path) -> Recording:
        """Read what `save` has written."""
        try:
            with np.load(path, allow_pickle=False) as file:
                header = json.loads(str(file["header"]))
                arrays = {name: np.array(file[name]) for name in SAMPLED}
            joints = {name: (slice(*c), slice(*d)) for name, (c, d) in header["joints"].items()}
            recording = Recording(
                header["scene"], header["dt"], header["integrator"], joints, tuple(header["actuators"]), {}
            )
        except (OSError, EOFError, BadZipFile, ValueError, KeyError, TypeError) as error:
            raise FileFormatError(
                "is not a recording", file=str(path), remedy="Give a file that Recording.save has written"
            ) from error
        recording._count = len(arrays["time"])
        recording._data = {name: a.reshape(recording._count, -1) for name, a in arrays.items()}
        return recording
