"""Side by side with the peers, interleaved in one run, as ratios."""

from typing import Final

__all__ = ["BENCHES", "RECORDED"]

BENCHES: Final = {
    "dynamics": "steps and forward dynamics without contact, against MuJoCo and Pinocchio",
    "contact": "steps of standing robots, a slope and a grasp, against MuJoCo; PyBullet, DART, Drake if installed",
    "laws": "steps of standing humanoids under each contact law, against the exact law",
    "geometry": "contact detection, against MuJoCo and Coal",
    "piles": "time against the number of contacts: feet of a plate, piles of spheres; against MuJoCo",
    "falls": "robots that fall in random poses: convergence, energy, depth",
    "runs": "100 000 steps of pushed robots and a grasping hand: convergence, worst step",
}
RECORDED: Final = {
    "problems": "recorded contact problems, against Pinocchio's ADMM and PGS",
    "tosses": "recorded tosses of a cube, against the published errors of other simulators",
}  # these need data
