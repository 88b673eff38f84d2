"""What bodies must not do: the problem that contacts, joint limits, joint friction and loops make of one step."""
