"""Side by side with the peers, interleaved in one run, as ratios."""

from typing import Final

__all__ = ["BENCHES"]

BENCHES: Final = {
    "dynamics": "steps and forward dynamics without contact, against MuJoCo and Pinocchio",
    "geometry": "contact detection, against MuJoCo and Coal",
}
