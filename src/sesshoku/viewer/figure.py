"""Still pictures of a model: a few poses drawn with matplotlib, shaded, with shadows on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import ModelError
from sesshoku.model.model import Model
from sesshoku.sim.contacts import OPEN, SLIP, STICK
from sesshoku.viewer.polygon import quadrilaterals

if TYPE_CHECKING:
    from mpl_toolkits.mplot3d import Axes3D

    from sesshoku.sim import Simulation

__all__ = ["Poses", "contacts", "draw", "strobe"]

Array = NDArray[np.float64]
Poses = tuple[Array, Array]  # of the moving bodies in the world: positions (n, 3) [m], rotations (n, 3, 3)

FIRST, LAST = "#3f74a8", "#f7b23b"  # first body of a tree, last body of a chain
BETWEEN = ("#bcd7ea", "#93bcd9")  # in turn, so that neighbours differ
FIXED = "#b8bec4"
SHADOW = "#e4e7ea"
TOUCHES, HOLDS, APART = "#c8382d", "#1f8f4d", "#2d6fc8"  # contacts
LONGEST, NORMAL = 0.3, 0.12  # arrows of the largest force and of normals, to the size of the scene
LIGHT = np.array([0.2, -0.5, 0.84])  # towards the light, world axes
PALE = 0.6  # how much of its colour the first of several moments loses to the white background
MARGIN = 20  # pixels around a saved picture


def draw(model: Model, poses: Poses, ax: Axes3D) -> None:
    """Draw the shapes of a model at the poses of its bodies, with their shadows on z = 0."""
    _paint(ax, *_surface(model, poses))


def contacts(sim: Simulation, path: str | Path) -> None:
    """Save a picture (PNG) of a simulation with its contacts: a dot each, and an arrow for the force on B.

    Green where a contact sticks, red where it slips, blue where there is no force. Before the first step there are no
    forces yet: arrows are normals then, red where bodies touch.
    """
    canvas, ax = _canvas()
    surface, colour = _surface(sim.model, sim.dynamics.body_poses(sim.q))
    _paint(ax, surface, colour)
    found = sim.contacts
    size = float(np.ptp(surface.reshape(-1, 3), axis=0).max())
    largest = np.linalg.norm(found.force, axis=1).max(initial=0.0)
    if largest > 0.0:
        arrows = LONGEST * size / largest * found.force
        groups = [(found.state == OPEN, APART), (found.state == STICK, HOLDS), (found.state == SLIP, TOUCHES)]
    else:
        arrows = NORMAL * size * found.normal
        groups = [(found.depth < 0, APART), (found.depth >= 0, TOUCHES)]
    for chosen, paint in groups:
        points = found.point[chosen]
        ax.scatter(*points.T, color=paint, s=60, depthshade=False, zorder=3)
        ax.quiver(*points.T, *arrows[chosen].T, color=paint, linewidth=3, arrow_length_ratio=0.15, zorder=3)
    _save(canvas, path)


def strobe(model: Model, frames: Sequence[Poses], path: str | Path, *, spacing: float = 0.0) -> None:
    """Save one picture (PNG) of several moments, each ``spacing`` [m] further along x than the one before.

    Without spacing they overlay each other, earlier ones paler.
    """
    surfaces, colours = [], []
    for number, poses in enumerate(frames, start=1):
        surface, colour = _surface(model, poses)
        pale = 0.0 if spacing else PALE * (1 - number / len(frames))
        surfaces.append(surface + np.array([number * spacing, 0.0, 0.0]))
        colours.append(colour + pale * (1 - colour))
    canvas, ax = _canvas()
    _paint(ax, np.concatenate(surfaces), np.concatenate(colours))
    _save(canvas, path)


def _canvas() -> tuple[Any, Any]:
    """A large empty picture with one 3-D axis."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    canvas = FigureCanvasAgg(Figure(figsize=(14, 14), dpi=300))
    return canvas, canvas.figure.add_axes((0, 0, 1, 1), projection="3d")


def _save(canvas: Any, path: str | Path) -> None:
    """Write a picture at half its size, cropped."""
    from matplotlib.image import imsave

    canvas.draw()
    imsave(path, _cropped(_halved(np.asarray(canvas.buffer_rgba())[..., :3])), format="png")


def _surface(model: Model, poses: Poses) -> tuple[Array, Array]:
    """World quadrilaterals (k, 4, 3) of all shapes, and their unshaded colours (k, 3)."""
    from matplotlib.colors import to_rgb

    if not model.colliders:
        raise ModelError("there is nothing to draw", file=model.name, remedy="Give its bodies shapes")
    quads, colours = [], []
    for placed in model.colliders:
        surface = placed.pose.apply(quadrilaterals(placed.shape))
        if placed.body >= 0:
            surface = surface @ poses[1][placed.body].T + poses[0][placed.body]
        quads.append(surface)
        colours.append(np.tile(to_rgb(_colour(model, placed.body)), (len(surface), 1)))
    return np.concatenate(quads), np.concatenate(colours)


def _colour(model: Model, body: int) -> str:
    """Colour of a body by its place in the tree."""
    if body < 0:
        return FIXED
    if model.parent[body] < 0:
        return FIRST
    return BETWEEN[body % 2] if body in model.parent else LAST


def _paint(ax: Any, quads: Array, colours: Array) -> None:
    """Put shaded quadrilaterals and their shadows in a 3-D axis, and fit its view to them."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    normal = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    length = np.linalg.norm(normal, axis=1)
    solid = length > 1e-12  # but for the empty strip where the halves of a sphere meet
    quads, colours, normal = quads[solid], colours[solid], normal[solid] / length[solid, None]
    bright = 0.8 + 0.3 * (normal @ LIGHT)
    shaded = np.clip(colours * bright[:, None], 0.0, 1.0)
    shadow = quads - quads[..., 2:] * (LIGHT / LIGHT[2])
    ax.computed_zorder = False  # the shadow is always behind
    for zorder, surface, colour in ((1, shadow, SHADOW), (2, quads, shaded)):
        # Smoothed edges would let the background shine through between the tiles.
        tiles = Poly3DCollection(surface, facecolors=colour, linewidths=0, antialiaseds=False, zorder=zorder)
        ax.add_collection3d(tiles)
    points = np.concatenate([quads, shadow]).reshape(-1, 3)
    low, high = points.min(axis=0), points.max(axis=0)
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    ax.set_box_aspect(high - low, zoom=0.9)  # the diagonal fits, seen from any side
    ax.set_proj_type("ortho")
    ax.view_init(elev=14, azim=-62)
    ax.set_axis_off()


def _halved(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Mean of each 2 × 2 pixels of an image (rows, columns, 3): smooth edges."""
    rows, columns, _ = image.shape
    mean: Array = image.reshape(rows // 2, 2, columns // 2, 2, 3).mean(axis=(1, 3))
    return mean.astype(np.uint8)


def _cropped(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Cut off what is white around an image (rows, columns, 3), but for a margin."""
    rows, columns = np.nonzero((image < 255).any(axis=2))
    top, left = (max(0, pixels.min() - MARGIN) for pixels in (rows, columns))
    return image[top : rows.max() + MARGIN, left : columns.max() + MARGIN]
