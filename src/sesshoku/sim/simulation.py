"""A scene in motion."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.constraint.problem import Problem
from sesshoku.contact.law import Law, enact
from sesshoku.contact.laws import law_of
from sesshoku.contact.material import material_table
from sesshoku.dynamics import Dynamics
from sesshoku.dynamics.system import ENDING, EXTERNAL, System
from sesshoku.errors import SesshokuError
from sesshoku.geometry.detect import detect_here
from sesshoku.geometry.overlapping import overlapping
from sesshoku.geometry.space import Space
from sesshoku.given import number, numbers
from sesshoku.model import Model, Scene
from sesshoku.model.joint import FREE
from sesshoku.sim.contacts import Contacts
from sesshoku.sim.diagnosis import diverged, refuse_stiffness, warn_of_overlaps
from sesshoku.sim.explicit import warn_of_light_joints
from sesshoku.sim.recording import Recording
from sesshoku.sim.reports import Reports, known
from sesshoku.sim.state import Memory, State
from sesshoku.sim.step import CROWDED, INTEGRATORS, accelerate, stepper

__all__ = ["Controller", "Simulation"]

Array = NDArray[np.float64]
Controller = Callable[["Simulation"], ArrayLike | None]


class Simulation(Reports):
    """A scene in motion. `step` is the fast way from a loop of your own, `run` also calls a controller and records.

    Position servos begin by holding the start posture: their `control` is its coordinates. ``semi_implicit`` takes
    springs, dampers and servos at the end of the step, so that they never limit it; ``rk4`` and ``rkg`` are more exact
    for smooth motion, but explicit: a stiff spring or servo needs a small dt. An `UnstableWarning` names the joints
    that are too light for springs and dampers taken explicitly: see `least_inertia`.

    Attributes:
        scene: what was given.
        model: what is simulated.
        law: the contact law, with its options.
        dt: step [s].
        integrator: ``semi_implicit``, ``rk4`` or ``rkg``.
        recording: samples that `run` has taken.
        dynamics: inertia matrix, Jacobians and so on of the same model, for any q and v.
    """

    def __init__(
        self,
        scene: Scene,
        law: str | Law = "exact",
        dt: float = 1e-3,
        *,
        integrator: str = "semi_implicit",
        posture: str | None = None,
    ) -> None:
        if not isinstance(scene, Scene):
            raise SesshokuError(f"a {type(scene).__name__} is not a scene. Give what sesshoku.load returns.")
        self.scene, self.model, self.dt = scene, scene.model, number(dt, "dt", above=0.0)
        self.law = law_of(law)
        self.integrator = known(integrator, INTEGRATORS, "integrator")
        self._advance = stepper(integrator)
        self._system = System(self.model)
        self._address = self._system.address
        self._system.clock[1] = self.dt
        self._q, self._v, self._tau = self._system.q, self._system.v, self._system.tau
        free = np.isin(self.model.dof_body, np.flatnonzero(self.model.kind == FREE))
        self._joint_dofs = np.flatnonzero(~free)
        self._driven = False
        self.dynamics = Dynamics(self.model)
        self._start = self._at_start(self.model, posture)
        warn_of_light_joints(self.dynamics, self._start.q, self.dt, integrator)
        self._space: Space | None = None
        self._problem: Problem | None = None
        self._stepped = False  # whether what system, space and problem hold is of the last step
        self._apart: NDArray[np.int64] | None = None
        if self.law.kernel is not None:
            self._apart = overlapping(self.model)
            warn_of_overlaps(self.model, self._apart)
            self._make_room(None)
        self.recording = Recording.of(self.model, self.dt, integrator)
        self.reset()

    def _at_start(self, model: Model, posture: str | None) -> State:
        if posture is not None and posture not in model.postures:
            known(posture, model.postures, "posture")
        q = np.array(model.q0 if posture is None else model.postures[posture])
        gain, _, kp, _ = model.actuator_gain.T
        holds = (kp != 0.0) & (gain != 0.0)  # a position servo begins by holding its joint where it is
        control = np.zeros(model.nu)
        control[holds] = (kp * model.actuator_gear * q[model.actuator_q])[holds] / gain[holds]
        return State(0.0, q, np.array(model.v0), control, np.zeros((model.n, 6)))

    # the state

    @property
    def time(self) -> float:
        """Time [s]."""
        return float(self._system.clock[0])

    @property
    def q(self) -> Array:
        """Coordinates (nq,), a view: writing to it moves the scene."""
        return self._q

    @q.setter
    def q(self, value: ArrayLike) -> None:
        self._assign(self._q, value, "q")

    @property
    def v(self) -> Array:
        """Velocities (nv,), a view: writing to it sets the scene in motion."""
        return self._v

    @v.setter
    def v(self, value: ArrayLike) -> None:
        self._assign(self._v, value, "v")

    @property
    def control(self) -> Array:
        """What the actuators are told (nu,), a view, kept from step to step."""
        return self._system.control

    @control.setter
    def control(self, value: ArrayLike) -> None:
        self._assign(self._system.control, value, "control")

    @property
    def external(self) -> Array:
        """Force and moment on each body about its centre of mass, world axes (n, 6), kept from step to step."""
        self._system.flags[EXTERNAL] = 1  # from now on the steps look at it
        return self._system.external

    @external.setter
    def external(self, value: ArrayLike) -> None:
        self._assign(self.external, value, "external")

    @property
    def state(self) -> State:
        """Everything the future depends on, as a value."""
        s = self._system
        memory = None if self._problem is None else Memory.of(self._problem)
        return State(self.time, s.q.copy(), s.v.copy(), s.control.copy(), s.external.copy(), memory)

    def reset(self, state: State | None = None) -> None:
        """Go back to a state, or to the start; the recording is cut where the state was, or emptied."""
        if state is None:
            state = self._start
            self.recording.cut(-np.inf)
        if not isinstance(state, State):
            raise SesshokuError(f"a {type(state).__name__} is not a state. Give what sim.state was.")
        s = self._system
        pairs = [(s.q, state.q, "q"), (s.v, state.v, "v"), (s.control, state.control, "control")]
        pairs.append((s.external, state.external, "external"))
        for target, value, name in pairs:
            self._check(target, value, name)
        for target, value, _ in pairs:
            target[:] = value
        self.recording.cut(state.time)
        if self._problem is not None:
            if state.memory is None:
                self._problem.kept_count[0] = 0
                self._problem.kept_loop[:] = self._problem.kept_row[:] = self._problem.kept_steps[:] = 0
            else:
                while len(state.memory.feature) > len(self._problem.kept_feature):
                    self._make_room(2 * len(self._problem.kept_feature))
                state.memory.restore(self._problem)
        self._stepped = False
        self._system.flags[EXTERNAL] = int(state.external.any())
        self._system.clock[0] = state.time

    # motion

    def step(self, tau: ArrayLike | None = None, n: int = 1) -> None:
        """Take n steps under generalised forces ``tau`` [N m, N], held: (nv,), or without the free joints.

        What actuators do comes from `control`, what pushes bodies from `external`.
        """
        if n != 1:
            n = _whole(n, "n")
        if tau is not None:
            self._drive(tau)
        elif self._driven:
            self._tau[:] = 0.0
            self._driven = False
        taken = self._advance(self._address, n)
        while taken != n:
            if self._system.flags[ENDING] != CROWDED:
                raise diverged(self._system, self.dt)
            assert self._space is not None
            self._make_room(2 * len(self._space.gap))
            taken += self._advance(self._address, n - taken)
        self._stepped = True

    def run(self, duration: float, controller: Controller | None = None, *, every: int = 1) -> Recording:
        """Simulate a duration [s], to the nearest whole step, and record the start and every ``every``-th step.

        The controller is called before each step; it returns generalised forces as for `step`, or None, and may set
        `control`. The recording is kept also when the simulation diverges.
        """
        if not (np.isfinite(duration) and duration >= 0):
            raise SesshokuError(f"duration is {duration}. Give a time >= 0, in seconds.")
        if _whole(every, "every") == 0:
            raise SesshokuError("every is 0. Give 1 to record each step.")
        steps = round(duration / self.dt)
        if not len(self.recording) or self.recording.time[-1] != self.time:
            self._sample()
        if controller is None:
            for begin in range(0, steps, every):
                self.step(n=min(every, steps - begin))
                self._sample()
        else:
            for k in range(1, steps + 1):
                self.step(controller(self))
                if k % every == 0 or k == steps:
                    self._sample()
        return self.recording

    def push(
        self, frame: str, force: ArrayLike, moment: ArrayLike = (0.0, 0.0, 0.0), *, point: ArrayLike | None = None
    ) -> None:
        """Put a force [N] and moment [N m], world axes, on a body until it is changed; zero releases it.

        The force acts at the centre of mass, or at ``point`` of the world as the body is now. Bodies of the file that
        are fixed to each other are one body: pushing one of them replaces what another had.
        """
        body = self.model.body(frame)
        if body < 0:
            raise SesshokuError(f"'{frame}' is fixed to the world. Push a body that moves.")
        row = self.external[body]
        row[:3], row[3:] = numbers(force, 3, "force"), numbers(moment, 3, "moment")
        if point is not None:
            pose = self.dynamics.pose(self.model.body_names[body], self._q)
            centre = pose.apply(
                self.model.frame(self.model.body_names[body]).pose.inverse().apply(self.model.com[body])
            )
            row[3:] += np.cross(numbers(point, 3, "point") - centre, row[:3])

    # reports: see also `Reports`

    def acceleration(self, tau: ArrayLike | None = None) -> Array:
        """v̇ (nv,) at this instant, with actuators, springs, dampers, loads and ``tau``, without contact."""
        self._drive(np.zeros(self.model.nv) if tau is None else tau)
        accelerate(self._address)
        return self._system.acceleration.copy()

    @property
    def contacts(self) -> Contacts:
        """The contacts of the last step, with the forces that acted over it, also those still apart but near.

        Before the first step, after `reset`, and without a law they are those of this instant, without forces.
        """
        if self._space is None:
            self._make_room(None)
        assert self._space is not None
        if self._stepped and self._problem is not None:
            return Contacts.of(self._system, self._space, self._problem)
        while detect_here(self._address, self._space.address) > len(self._space.gap) or self._space.crowded:
            self._make_room(2 * len(self._space.gap))
        return Contacts.of(self._system, self._space, None)

    # inside

    def _make_room(self, contacts: int | None) -> None:
        """Memory for so many contacts; what they remember is kept."""
        self._space = Space(self.law.shaped(self.model), contacts, self._apart)
        if self.law.kernel is None:
            return
        before = self._problem
        more = self.law.more_points(self._space)
        kinds, coefficients = material_table(self.model)
        refuse_stiffness(coefficients, self.law, self.integrator)
        self._problem = Problem(self.model, len(self._space.gap), kinds, coefficients, more)
        enact(self.law, self._space, self._problem)
        self._system.contact[:] = self._space.address, self._problem.address
        if before is not None:
            Memory.of(before).restore(self._problem)

    def _drive(self, tau: ArrayLike) -> None:
        self._driven = True
        shape = np.shape(tau)
        if shape == self._tau.shape:
            self._assign(self._tau, tau, "tau")
        elif shape == self._joint_dofs.shape:
            self._tau[:] = 0.0
            self._tau[self._joint_dofs] = numbers(tau, len(self._joint_dofs), "tau")
        else:
            sizes = sorted({len(self._tau), len(self._joint_dofs)}, reverse=True)
            raise SesshokuError(
                f"tau has shape {shape}. Give {' or '.join(map(str, sizes))} numbers"
                f"{', the fewer without the free joints' if len(sizes) > 1 else ''}."
            )

    def _assign(self, target: Array, value: ArrayLike, name: str) -> None:
        self._check(target, value, name)
        try:
            target[:] = value
        except (TypeError, ValueError):
            raise SesshokuError(f"{name} is {value!r}. Give {target.size} numbers.") from None

    @staticmethod
    def _check(target: Array, value: ArrayLike, name: str) -> None:
        if np.shape(value) != target.shape:
            raise SesshokuError(f"{name} has shape {np.shape(value)}, the scene needs {target.shape}.")

    def _sample(self) -> None:
        s = self._system
        self.recording.append(self.time, s.q, s.v, s.tau, s.control)

    def __reduce__(self) -> tuple[Any, ...]:
        given = (self.scene, self.law, self.dt, self.integrator)
        return _revive, (given, self._start, self.state, self.recording)


def _revive(given: tuple[Any, ...], start: State, state: State, recording: Recording) -> Simulation:
    """A simulation as it was when it was pickled or copied; memory is not shared with the original."""
    scene, law, dt, integrator = given
    sim = Simulation(scene, law, dt, integrator=integrator)
    sim._start = start
    sim.reset(state)
    sim.recording = recording
    return sim


def _whole(value: int, name: str) -> int:
    try:
        number = index(value)
    except TypeError:
        number = -1
    if number < 0:
        raise SesshokuError(f"{name} is {value!r}. Give a whole number >= 0.")
    return number
