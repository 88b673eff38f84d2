"""The friction of patches that slip: it follows from their normal impulses, and these follow from it.

In turn, one after the other, they come to rest slowly or not at all where friction presses: the legs of a robot do so.
So the change of the friction is a quasi-Newton step (Broyden): how the gap between what it is and what is due follows
from it is learned from pass to pass.
"""

from __future__ import annotations

from sesshoku.constraint.problem import Handle as Problem
from sesshoku.contact.coulomb import SLIP
from sesshoku.contact.volume.friction import friction_due
from sesshoku.contact.volume.memory import PATCHES, Handle
from sesshoku.contact.volume.patch import lever
from sesshoku.contact.volume.program import nudge
from sesshoku.kernel import kernel

__all__ = ["find_gaps", "follow", "forget", "worst_gap"]


@kernel
def arm_of(m: Handle, j: int) -> float:
    """What torques of a patch are divided by, to be like forces [m]."""
    return lever(m.section[j], m.number[j], (0.0, 0.0)) if m.number[j] > 1 else 1.0


@kernel
def find_gaps(m: Handle) -> int:
    """Fill gap with the friction of slipping patches less what is due; their number, times three."""
    n = 0
    for j in range(m.count[PATCHES]):
        if m.state[j] != SLIP:
            continue
        due, v, arm = friction_due(m, j), 6 * j + 2, arm_of(m, j)
        m.gap[n] = (m.impulse[v] - due[0]) / arm
        m.gap[n + 1], m.gap[n + 2] = m.impulse[v + 1] - due[1], m.impulse[v + 2] - due[2]
        n += 3
    return n


@kernel
def worst_gap(p: Problem, m: Handle) -> float:
    """The largest of the gaps, as the velocity that it would cause at the first point of its patch [m/s]."""
    n, worst = 0, 0.0
    for j in range(m.count[PATCHES]):
        if m.state[j] == SLIP:
            most = max(abs(m.gap[n]), abs(m.gap[n + 1]), abs(m.gap[n + 2]))
            worst = max(worst, most / p.scale[m.first[j]])
            n += 3
    return worst


@kernel
def forget(m: Handle, n: int) -> None:
    """Begin anew: the next change will be the gap itself."""
    for r in range(n):
        m.move[r] = 0.0
    for r in range(n if n <= len(m.guess) else 0):
        for c in range(n):
            m.guess[r, c] = 1.0 if r == c else 0.0


@kernel
def learn(m: Handle, n: int) -> None:
    """Put the guess right by what the last change has done to the gap."""
    guess, move, gap, before = m.guess, m.move, m.gap, m.gap_before
    bottom = 0.0
    for r in range(n):
        total = 0.0
        for c in range(n):
            total += guess[r, c] * (gap[c] - before[c])
        bottom += move[r] * total
    if bottom == 0.0:
        return
    for r in range(n):
        total = 0.0
        for c in range(n):
            total += guess[r, c] * (gap[c] - before[c])
        m.lack[r] = (move[r] - total) / bottom
    for c in range(n):
        total = 0.0
        for k in range(n):
            total += move[k] * guess[k, c]
        m.pull[c] = total
    for r in range(n):
        for c in range(n):
            guess[r, c] += m.lack[r] * m.pull[c]


@kernel
def follow(p: Problem, m: Handle, n: int) -> None:
    """Change the friction of slipping patches; needs gap. Of too many nothing is learned: they change by their gaps."""
    if n <= len(m.guess):
        learn(m, n)
        for r in range(n):
            m.move[r] = 0.0
            for c in range(n):
                m.move[r] -= m.guess[r, c] * m.gap[c]
    else:
        for r in range(n):
            m.move[r] = -m.gap[r]
    for r in range(n):
        m.gap_before[r] = m.gap[r]
    at = 0
    for j in range(m.count[PATCHES]):
        if m.state[j] == SLIP:
            v = 6 * j + 2
            nudge(p, m, v, m.move[at] * arm_of(m, j))
            nudge(p, m, v + 1, m.move[at + 1])
            nudge(p, m, v + 2, m.move[at + 2])
            at += 3
