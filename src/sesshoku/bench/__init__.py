"""Side by side with the peers, interleaved in one run, as ratios."""

from typing import Final

__all__ = ["BENCHES", "RECORDED"]

BENCHES: Final = {
    "dynamics": "steps and forward dynamics without contact, against MuJoCo and Pinocchio",
    "contact": "steps of standing robots, a slope and a grasp, against MuJoCo; PyBullet, DART, Drake if installed",
    "geometry": "contact detection, against MuJoCo and Coal",
}
RECORDED: Final = {
    "problems": "recorded contact problems, against Pinocchio's ADMM and PGS",
    "tosses": "recorded tosses of a cube, against the published errors of other simulators",
}  # these need data
