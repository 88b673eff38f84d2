"""Fair timing on a noisy machine: candidates in turn, many short blocks, the best block of each."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

__all__ = ["interleaved"]

BLOCK_SECONDS = 0.004  # long against the clock, short against the neighbours' bursts


def interleaved(candidates: dict[str, Callable[[], object]], *, rounds: int = 150) -> dict[str, float]:
    """Time per call of each candidate [s], called once per turn of a Python loop: the best of ``rounds`` blocks."""
    counts = {}
    for name, call in candidates.items():
        call()
        begin = perf_counter()
        for _ in range(20):
            call()
        counts[name] = max(20, int(BLOCK_SECONDS * 20 / max(perf_counter() - begin, 1e-9)))
    best = dict.fromkeys(candidates, float("inf"))
    for _ in range(rounds):
        for name, call in candidates.items():
            turns = range(counts[name])
            begin = perf_counter()
            for _ in turns:
                call()
            best[name] = min(best[name], (perf_counter() - begin) / counts[name])
    return best
