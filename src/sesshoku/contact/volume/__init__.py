"""Contact by volume: one wrench for each overlap, with friction of force and torque judged together."""
