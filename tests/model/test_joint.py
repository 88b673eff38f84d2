"""Joints: what is refused, and how springs and references are given."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kind": "screw"}, "unknown kind 'screw'"),
        ({"axis": "w"}, "unknown axis 'w'"),
        ({"axis": (1, 0)}, "axis .* has no direction"),
        ({"axis": (0, 0, 0)}, "axis .* has no direction"),
        ({"axis": (np.nan, 0, 1)}, "axis .* has no direction"),
        ({"position": (0, np.nan, 0)}, "position is"),
        ({"damping": -1.0}, "damping is -1"),
        ({"stiffness": np.inf}, "stiffness is inf"),
        ({"lower": 1.0, "upper": -1.0}, "lower limit 1.0 exceeds"),
        ({"effort": np.nan}, "a limit is not a number"),
        ({"reference": np.inf}, "reference is inf"),
        ({"rest": (0.3, 0.4)}, "rest is"),
        ({"kind": "ball", "rest": (1.0, 0.0, 0.0)}, "rest is"),
        ({"kind": "planar", "reference": 0.3}, "a planar joint takes no reference"),
    ],
)
def test_wrong_joints_name_themselves(arguments: dict, message: str) -> None:
    with pytest.raises(sk.ModelError, match=f"joint 'j': {message}"):
        sk.Joint(**{"name": "j", "kind": "revolute", **arguments})


def test_rest_of_one_degree_may_be_a_number() -> None:
    scene = sk.Scene("spring")
    scene.body("b", sk.Joint("j", "prismatic", rest=0.3, stiffness=10.0), inertia=sk.Inertia.of(1.0, matrix=(1, 1, 1)))
    np.testing.assert_array_equal(scene.model.rest, [0.3])


def test_asymmetric_inertia_is_refused() -> None:
    scene = sk.Scene("odd")
    scene.body("b", sk.Joint("j", "free"), inertia=sk.Inertia.of(1.0, matrix=[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]))
    with pytest.raises(sk.ModelError, match="body 'b': its inertia matrix is not symmetric"):
        _ = scene.model
